#include "app/session/talk_target.h"

#include "app/session/go_to.h"
#include "app/session/lesson_path.h"
#include "app/session/link.h"
#include "app/session/named_place.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "core/io/letters.h"
#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"
#include "core/lesson/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

constexpr size_t kMostHits = 4;

// Whether the stop is that beat, as its lesson has it or with numbers of its own.
bool leads_to(const SetItem& item, const Lesson& lesson, int beat, const ViewState& view) {
  if (is_slide(item.link)) return false;
  const ReadLink read = read_link(item.link);
  if (!read.fault.empty() || read.link.place != Link::Place::Lesson || read.link.step) return false;
  if (read.link.beat.value_or(1) != beat + 1) return false;
  const auto typed = view.lesson.course ? lesson_typed(read.link.name, *view.lesson.course) : nullptr;
  return typed ? typed->id == lesson.id : read.link.name == lesson.id;
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

// The stop of the list that it is, the next such one, else the beat itself.
TalkTarget target_at(const ViewState& view, std::shared_ptr<const Lesson> lesson, int beat) {
  for (const int place : places_from_here(view))
    if (leads_to(view.present.set.items[size_t(place)], *lesson, beat, view))
      return {.place = place, .lesson = {}, .word = {}};
  return {.lesson = std::move(lesson), .beat = beat, .word = {}};
}

// A part of a title; of few letters a word's beginning.
bool titled(std::string_view title, std::string_view words) {
  if (words.size() >= kLettersOfPart) return has_letters(title, words);
  for (size_t at = 0; at < title.size(); at = std::min(title.find(' ', at), title.size() - 1) + 1)
    if (same_letters(title.substr(at, words.size()), words)) return true;
  return false;
}

// Stops that the speaker named, or that are no lesson's, by their titles.
std::vector<int> titled_places(std::string_view words, const ViewState& view) {
  std::vector<int> places;
  if (words.size() < 2) return places;
  for (const int place : places_from_here(view)) {
    const SetItem& item = view.present.set.items[size_t(place)];
    const bool lessons = !is_slide(item.link) && read_link(item.link).link.place == Link::Place::Lesson;
    SetItem untitled = item;
    untitled.title.clear();
    const bool own = !item.title.empty() && titled(item.title, words);
    if (own || (!lessons && titled(stop_title(untitled, view), words))) places.push_back(place);
  }
  return places;
}

// The stop of a lesson, or the beat, that is called so; -1 where the list has none.
int place_of_lesson_called(std::string_view words, const ViewState& view) {
  if (words.size() < kLettersOfPart || !view.lesson.course) return -1;
  int of_lesson = -1;
  for (const int place : places_from_here(view))
    for (const CourseEntry& entry : view.lesson.course->entries())
      for (size_t k = 0; entry.lesson && k < entry.lesson->beats.size(); ++k) {
        if (!leads_to(view.present.set.items[size_t(place)], *entry.lesson, int(k), view)) continue;
        if (names_it(words, entry.lesson->beats[k].title)) return place;
        const bool called = names_it(words, entry.lesson->brief) || names_it(words, entry.lesson->title);
        if (called && of_lesson < 0) of_lesson = place;
      }
  return of_lesson;
}

std::string_view without_lesson(std::string_view words) {
  words = trimmed(words);
  return words.starts_with("lesson ") ? trimmed(words.substr(7)) : words;
}

// "stop 4", from 0; -1 where the list has none such.
int numbered_place(std::string_view words, const ViewState& view) {
  words = trimmed(words);
  if (!same_letters(words.substr(0, 5), "stop ")) return -1;
  const int number = number_or(trimmed(words.substr(5)), 0);
  return number <= int(view.present.set.items.size()) ? number - 1 : -1;
}

// The lesson's own stop, the next such one, else its first beat.
TalkTarget target_of_lesson(const ViewState& view, const std::shared_ptr<const Lesson>& lesson) {
  for (const int place : places_from_here(view))
    for (size_t k = 0; k < lesson->beats.size(); ++k)
      if (leads_to(view.present.set.items[size_t(place)], *lesson, int(k), view))
        return {.place = place, .lesson = {}, .word = {}};
  return target_at(view, lesson, 0);
}

// Where it is spoken of, though nothing is called so: the lesson whose subject it is, slides of the speaker's own, then
// beats by their text, those of the list first.
std::vector<TalkTarget> all_saying(std::string_view words, const ViewState& view) {
  std::vector<TalkTarget> all;
  if (const auto lesson = lesson_explaining(words, view.lesson)) all.push_back(target_of_lesson(view, lesson));
  for (const int place : places_from_here(view))
    if (std::ranges::any_of(slide_of(view.present.set.items[size_t(place)].link).lines,
                            [&](const std::string& line) { return has_words(words, line); }))
      all.push_back({.place = place, .lesson = {}, .word = {}});
  std::vector<TalkTarget> beats;
  for (const BeatPlace& beat : beats_saying(words, view.lesson))
    beats.push_back(target_at(view, beat.lesson, beat.beat));
  std::ranges::stable_partition(beats, [](const TalkTarget& target) { return target.place >= 0; });
  all.insert(all.end(), beats.begin(), beats.end());
  return all;
}

std::string target_words(const TalkTarget& target, const Session& session, const ViewState& view) {
  if (target.place >= 0)
    return fmt::format("Stop {}: {}", target.place + 1, stop_title(view.present.set.items[size_t(target.place)], view));
  if (target.lesson)
    return fmt::format("{}, beat {}: {}", lesson_words(*target.lesson), target.beat + 1,
                       target.lesson->beats[size_t(target.beat)].title);
  if (!target.word.empty()) return fmt::format("The word {}", in_quotes(target.word, 40));
  return fmt::format("A step of this walk of {}", session.walk().replay.length());
}

// What is called so, beside the first: stops, then lessons and beats.
std::vector<TalkTarget> all_called(std::string_view words, const ViewState& view) {
  std::vector<TalkTarget> all;
  for (const int place : titled_places(words, view)) all.push_back({.place = place, .lesson = {}, .word = {}});
  if (!view.lesson.course || words.empty()) return all;
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson) continue;
    if (names_it(words, entry.lesson->brief) || names_it(words, entry.lesson->title))
      all.push_back(target_at(view, entry.lesson, 0));
    for (size_t k = 0; k < entry.lesson->beats.size(); ++k)
      if (names_it(words, entry.lesson->beats[k].title)) all.push_back(target_at(view, entry.lesson, int(k)));
  }
  return all;
}

}  // namespace

TalkTarget talk_target(std::string_view words, const Session& session, const ViewState& view) {
  if (const int place = numbered_place(words, view); place >= 0) return {.place = place, .lesson = {}, .word = {}};
  words = without_lesson(words);
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
  TalkTarget out;
  if ((!number && !lesson) || !beat) {
    out.fault = view.board.board.empty() ? target_of(words, session.walk(), view.playhead).fault
                                         : "Type a lesson or a beat by its title or number: 6 or 6.3.";
    out.step = out.fault.empty();
    if (out.step) return out;
    if (const std::vector<int> places = titled_places(words, view); !places.empty())
      return {.place = places.front(), .lesson = {}, .word = {}};
    NamedPlace found = place_named(words, view.lesson);
    if (!found.word.empty()) return {.lesson = {}, .word = std::move(found.word)};
    if (!found.lesson) return out;
    TalkTarget target = target_at(view, std::move(found.lesson), found.beat);
    const int place = target.place < 0 ? place_of_lesson_called(words, view) : -1;
    return place < 0 ? target : TalkTarget{.place = place, .lesson = {}, .word = {}};
  }
  if (!lesson) return {.lesson = {}, .word = {}, .fault = fmt::format("There is no lesson {}.", *number)};
  const int beats = int(lesson->beats.size());
  if (*beat < 1 || (*beat > beats && after != "end"))
    return {.lesson = {}, .word = {}, .fault = fmt::format("{} has beats 1 to {}.", lesson_words(*lesson), beats)};
  return target_at(view, lesson, std::min(*beat, beats) - 1);
}

std::vector<TalkHit> talk_hits(std::string_view words, const Session& session, const ViewState& view) {
  const TalkTarget first = talk_target(words, session, view);
  const std::string_view name = without_lesson(words);
  const bool numbered = !name.empty() && number_of<int>(name.substr(0, 1));
  if (!first.fault.empty() && numbered) return {{first, first.fault}};
  // What a word means is looked up where no talk goes: its sheet is no stop, and comes last.
  const bool word = !first.word.empty();
  const size_t most = kMostHits - (word ? 1 : 0);
  std::vector<TalkHit> hits;
  const auto add = [&](const TalkTarget& target) {
    if (hits.size() >= most) return;
    std::string hit = target_words(target, session, view);
    if (std::ranges::find(hits, hit, &TalkHit::words) == hits.end()) hits.push_back({target, std::move(hit)});
  };
  if (!word && first.fault.empty()) add(first);
  // A bare number is a lesson's; the stop of that number is told by what leads there.
  const int place = numbered_place(fmt::format("stop {}", trimmed(words)), view);
  if (place >= 0 && place != first.place) add({.place = place, .lesson = {}, .word = {}});
  for (const TalkTarget& target : all_called(name, view)) add(target);
  if (!numbered && numbered_place(words, view) < 0 && hits.size() < most)
    for (const TalkTarget& target : all_saying(name, view)) add(target);
  if (word) hits.push_back({first, target_words(first, session, view)});
  if (hits.empty()) return {{first, "Nothing is called so."}};
  return hits;
}

}  // namespace tilewalk
