// Where a walk's inputs are from, in words: "seed 4", or a file's name.
#pragma once

#include "app/state/session.h"

#include <fmt/format.h>

#include <string>

namespace tilewalk {

inline std::string inputs_words(const Session& session) {
  const std::string& source = session.inputs().source;
  return source.empty() ? fmt::format("seed {}", session.problem().seed) : source;
}

}  // namespace tilewalk
