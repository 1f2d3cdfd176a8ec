#include "app/session/named_place.h"

#include "core/io/letters.h"
#include "core/io/trimmed.h"
#include "core/lesson/glossary.h"

#include <span>

namespace tilewalk {
namespace {

constexpr size_t kLettersOfPart = 4;  // fewer are no part of a name

}  // namespace

NamedPlace place_named(std::string_view typed, const LessonView& lessons) {
  typed = trimmed(typed);
  const bool part = typed.size() >= kLettersOfPart;
  const std::span<const CourseEntry> entries =
      lessons.course ? lessons.course->entries() : std::span<const CourseEntry>();
  for (const CourseEntry& entry : entries)
    if (part && entry.lesson && has_letters(entry.lesson->brief, typed)) return {entry.lesson, 0, {}};
  if (const Term* term = term_named(typed)) return {nullptr, 0, term->name};
  for (const CourseEntry& entry : entries)
    if (entry.lesson && (names_it(typed, entry.lesson->brief) || names_it(typed, entry.lesson->title)))
      return {entry.lesson, 0, {}};
  for (const CourseEntry& entry : entries)
    for (size_t k = 0; entry.lesson && k < entry.lesson->beats.size(); ++k)
      if (names_it(typed, entry.lesson->beats[k].title)) return {entry.lesson, int(k), {}};
  return {nullptr, 0, part && !terms_with(typed).empty() ? std::string(typed) : std::string()};
}

}  // namespace tilewalk
