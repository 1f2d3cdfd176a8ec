#include "app/session/named_place.h"

#include "core/io/letters.h"
#include "core/io/trimmed.h"
#include "core/lesson/glossary.h"
#include "core/lesson/said.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace tilewalk {
namespace {

// "Flash decoding" is "Flash-Decoding", too.
std::string spaced(std::string_view words) {
  std::string out(words);
  std::ranges::replace(out, '-', ' ');
  return out;
}

// A lesson's name in the rail: a part of it, or the acronym that it begins with.
bool calls(std::string_view typed, std::string_view name) {
  if (typed.size() >= kLettersOfPart) return has_letters(spaced(name), spaced(typed));
  const auto capital = [](char c) { return c == raised(c); };
  return !typed.empty() && same_letters(name.substr(0, typed.size()), typed) && name.size() > typed.size() &&
         std::ranges::all_of(name.substr(0, typed.size()), capital) &&
         !std::isalnum(static_cast<unsigned char>(name[typed.size()]));
}

std::span<const CourseEntry> entries_of(const LessonView& lessons) {
  return lessons.course ? lessons.course->entries() : std::span<const CourseEntry>();
}

}  // namespace

NamedPlace place_named(std::string_view typed, const LessonView& lessons) {
  typed = trimmed(typed);
  const bool part = typed.size() >= kLettersOfPart;
  const std::span<const CourseEntry> entries = entries_of(lessons);
  for (const CourseEntry& entry : entries)
    if (entry.lesson && calls(typed, entry.lesson->brief)) return {entry.lesson, 0, {}};
  if (const Term* term = term_named(typed)) return {nullptr, 0, term->name};
  for (const CourseEntry& entry : entries)
    if (entry.lesson && (names_it(typed, entry.lesson->brief) || names_it(typed, entry.lesson->title)))
      return {entry.lesson, 0, {}};
  for (const CourseEntry& entry : entries)
    for (size_t k = 0; entry.lesson && k < entry.lesson->beats.size(); ++k)
      if (names_it(typed, entry.lesson->beats[k].title)) return {entry.lesson, int(k), {}};
  return {nullptr, 0, part && !terms_with(typed).empty() ? std::string(typed) : std::string()};
}

std::shared_ptr<const Lesson> lesson_explaining(std::string_view typed, const LessonView& lessons) {
  const Term* term = term_named(trimmed(typed));
  for (const Term& each : glossary())
    if (!term && each.lesson > 0 && names_it(typed, each.name)) term = &each;
  return term && term->lesson > 0 && lessons.course ? lessons.course->lesson_numbered(term->lesson) : nullptr;
}

std::vector<BeatPlace> beats_saying(std::string_view typed, const LessonView& lessons) {
  struct Saying {
    BeatPlace place;
    int paragraphs;
  };
  std::vector<Saying> all;
  typed = trimmed(typed);
  if (typed.empty()) return {};
  for (const CourseEntry& entry : entries_of(lessons))
    for (size_t k = 0; entry.lesson && k < entry.lesson->beats.size(); ++k)
      if (const int said = paragraphs_saying(typed, entry.lesson->beats[k]); said > 0)
        all.push_back({{entry.lesson, int(k)}, said});
  std::ranges::stable_sort(all, std::ranges::greater(), &Saying::paragraphs);
  std::vector<BeatPlace> places;
  for (Saying& each : all) places.push_back(std::move(each.place));
  return places;
}

}  // namespace tilewalk
