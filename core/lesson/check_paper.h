// What a lesson of the path, and its prologue, owes to whoever reads it printed or speaks of it in front of a room: a
// sentence that tells to press or turn something is marked as the window's alone, and a note names no tab and no
// question by its place.
#pragma once

#include "core/lesson/check.h"

#include <vector>

namespace tilewalk {

std::vector<LessonFault> check_paper(const Lesson& lesson);

}  // namespace tilewalk
