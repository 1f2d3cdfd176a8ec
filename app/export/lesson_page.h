// A lesson as one page of HTML that needs nothing else: its text with the numbers as they are computed now, the stage
// of every beat as a picture with its words, questions by number and their answers folded away behind the last beat,
// and what its terms mean. What is the window's alone is left out. Light or dark as the reader likes; for print the
// answers are unfolded. Well-formed as XML too.
#pragma once

#include "core/lesson/course.h"

#include <memory>
#include <string>

namespace tilewalk {

std::string lesson_page(std::shared_ptr<const Course> course, const Lesson& lesson);

}  // namespace tilewalk
