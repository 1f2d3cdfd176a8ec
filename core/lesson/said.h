// What a beat says of something that somebody looks for by its words.
#pragma once

#include "core/lesson/lesson.h"

#include <string_view>

namespace tilewalk {

// In how many paragraphs of the beat, its questions and what it has for kernel people, the words stand (has_words of
// core/lesson/glossary.h). What is told to the window alone, code, and what an answer says are none.
int paragraphs_saying(std::string_view words, const Beat& beat);

}  // namespace tilewalk
