// What a lesson of the path owes to whoever knows only the lessons before it: words before their explanation, questions
// whose answer was on show already, settings that change without a word, units of two families, options that give
// themselves away by their length, and a time that is told as it was taken.
#pragma once

#include "core/lesson/check.h"

#include <span>

namespace tilewalk {

// Reading and doing as learners took it: three lessons to which minutes_of() gives 6.9 to 8.0 took them 13 to 15.
constexpr double kTakenOverRead = 1.8;

// Every fault, one sentence each. A lesson outside the path has none.
std::vector<LessonFault> check_teaching(const Lesson& lesson, const CheckContext& context);

// Over all lessons together: whether the longest option is right more often than chance would have it. Empty, or what
// is wrong.
std::string check_longest_options(std::span<const Lesson* const> lessons);

}  // namespace tilewalk
