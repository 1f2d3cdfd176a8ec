// What follows from the lines of a program: which loops stream a max, what is masked, which buffer a tile goes to, what
// is the output and what lies in memory between visits. And whether the lines fit together.
#pragma once

#include "core/walk/program.h"
#include "core/walk/reader.h"

#include <optional>

namespace tilewalk {

// Fills in what follows; or says what does not fit, at the line where it stands.
std::optional<WalkFault> derive_walk(WalkProgram& program);

}  // namespace tilewalk
