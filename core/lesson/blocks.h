// The TOML parts of a lesson's file: front matter, and the blocks `scene`, `ask` and `predict`.
// `line` is the line that the text begins on.
#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/toml_fields.h"

#include <string_view>

namespace tilewalk {

void read_front_matter(std::string_view text, int line, Lesson& lesson, FaultList& faults);
void read_scene(std::string_view text, int line, Beat& beat, FaultList& faults);  // its stage, and its breaks
Question read_question(std::string_view text, int line, bool predict, FaultList& faults);

}  // namespace tilewalk
