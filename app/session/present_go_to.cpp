// Where G leads in front of a room.
#include "app/session/present_moves.h"

#include "app/session/go_to.h"
#include "app/session/jumps.h"
#include "app/session/kept_stops.h"
#include "app/session/lesson_path.h"
#include "app/session/link.h"
#include "app/session/named_place.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "core/io/letters.h"
#include "core/io/number.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

// Whether the stop is that beat, as its lesson has it or with numbers of its own.
bool leads_to(const SetItem& item, const Lesson& lesson, int beat) {
  if (is_slide(item.link)) return false;
  const ReadLink read = read_link(item.link);
  if (!read.fault.empty() || read.link.place != Link::Place::Lesson || read.link.step) return false;
  const int number = number_or(read.link.name, 0);
  return (number > 0 ? number == lesson.number : read.link.name == lesson.id) && read.link.beat.value_or(1) == beat + 1;
}

// The stops of the set list as they are looked through: those to come, the ones before from the nearest on, this one.
std::vector<int> places_from_here(const ViewState& view) {
  const Presentation& p = view.present;
  const int count = int(p.set.items.size());
  const int next = off_set_list(view) ? p.place : p.place + 1;  // the stop that was left is the nearest
  std::vector<int> places;
  for (int k = next; k < count; ++k) places.push_back(k);
  for (int k = p.place - 1; k >= 0; --k) places.push_back(k);
  if (next > p.place && p.place < count) places.push_back(p.place);
  return places;
}

void go_to_beat(Session& session, ViewState& view, const Lesson& lesson, int beat) {
  const StopKey left = stop_key(view.present);
  for (const int place : places_from_here(view))
    if (leads_to(view.present.set.items[size_t(place)], lesson, beat) && jump_to_item(session, view, place)) return;
  present_lesson(session, view, lesson, beat);
  note_jump(view, left);
}

// A stop that the speaker named, or that is no lesson's: by its title or a part of that. Says whether there was one.
bool go_to_titled(std::string_view words, Session& session, ViewState& view) {
  if (words.size() < kLettersOfPart) return false;
  for (const int place : places_from_here(view)) {
    const SetItem& item = view.present.set.items[size_t(place)];
    const bool lessons = !is_slide(item.link) && read_link(item.link).link.place == Link::Place::Lesson;
    if ((!lessons || !item.title.empty()) && has_letters(stop_title(item, view), words) &&
        jump_to_item(session, view, place))
      return true;
  }
  return false;
}

}  // namespace

std::string present_go_to(std::string_view words, Session& session, ViewState& view) {
  words = trimmed(words);
  if (words.starts_with("lesson ")) words = trimmed(words.substr(7));
  const size_t dot = words.find('.');
  const std::string_view name = words.substr(0, dot);
  const auto number = number_of<int>(name);
  const std::string_view after = dot == std::string_view::npos ? std::string_view{} : words.substr(dot + 1);
  const auto beat = after.empty() ? std::optional(1) : after == "end" ? std::optional(100) : number_of<int>(after);
  const Course* course = view.lesson.course.get();
  const auto lesson = !course            ? nullptr
                      : number           ? course->lesson_numbered(*number)
                      : name.size() == 1 ? relative_called(name, *course)
                                         : nullptr;
  if ((!number && !lesson) || !beat) {
    std::string fault = view.board.board.empty() ? go_to(words, session, view)
                                                 : "Type a lesson or a beat by its title or number: 6 or 6.3.";
    if (fault.empty() || go_to_titled(words, session, view)) return {};
    const NamedPlace found = place_named(words, view.lesson);
    if (!found.word.empty()) return view.over = WordSheet{found.word, 0}, std::string();
    if (!found.lesson) return fault;
    go_to_beat(session, view, *found.lesson, found.beat);
    return {};
  }
  if (!lesson) return fmt::format("There is no lesson {}.", *number);
  const int beats = int(lesson->beats.size());
  if (*beat < 1 || (*beat > beats && after != "end"))
    return fmt::format("{} has beats 1 to {}.", lesson_words(*lesson), beats);
  go_to_beat(session, view, *lesson, std::min(*beat, beats) - 1);
  return {};
}

}  // namespace tilewalk
