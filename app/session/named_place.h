// Where words lead that are no number, no link and no step: to a lesson or a beat that is called so, or to a word of
// the field and its meaning.
#pragma once

#include "app/state/view_state.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr size_t kLettersOfPart = 4;  // fewer are an acronym that a name begins with, or no part of it

struct NamedPlace {
  std::shared_ptr<const Lesson> lesson;  // null without one
  int beat = 0;                          // from 0
  std::string word;  // what the sheet of words is to be searched for; empty where a lesson was found
};

// First a lesson by its name in the rail, then a word by its whole name, then lessons and beats by a part of their
// titles, and last what a part of a word's name or of its meaning is found in.
NamedPlace place_named(std::string_view typed, const LessonView& lessons);

// The lesson that explains the word of the field which is called so; null where none does.
std::shared_ptr<const Lesson> lesson_explaining(std::string_view typed, const LessonView& lessons);

// Beats whose text has what was typed: those that say most of it first, then in the order of the lessons.
struct BeatPlace {
  std::shared_ptr<const Lesson> lesson;
  int beat = 0;  // from 0
};
std::vector<BeatPlace> beats_saying(std::string_view typed, const LessonView& lessons);

}  // namespace tilewalk
