#include "app/session/set_stops.h"

#include "app/boards/board.h"
#include "app/session/link.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace tilewalk {
namespace {

std::string title_in_lesson(const Link& link, const ViewState& view) {
  if (!view.lesson.course) return {};
  const int number = number_or(link.name, 0);
  std::shared_ptr<const Lesson> lesson = number > 0 ? view.lesson.course->lesson_numbered(number) : nullptr;
  if (!lesson) lesson = view.lesson.course->lesson_with(link.name);
  if (!lesson || lesson->beats.empty()) return {};
  const std::string step = link.step ? fmt::format(", step {}", *link.step) : std::string();
  if (!link.beat) return lesson->title + step;
  const int64_t beat = std::clamp<int64_t>(*link.beat, 1, int64_t(lesson->beats.size()));
  return lesson->beats[size_t(beat - 1)].title;
}

std::string title_of_walk(const Link& link) {
  std::string title = "Walk";
  const auto add = [&](const std::string& words) { title += (title == "Walk" ? ": " : ", ") + words; };
  if (const std::string* schedule = link.find("schedule")) add(*schedule);
  if (const std::string* n = link.find("N")) add("N = " + *n);
  if (link.step) add(fmt::format("step {}", *link.step));
  return title;
}

}  // namespace

StopPlace place_now(const ViewState& view) {
  if (!view.lesson.id.empty()) return {.lesson = view.lesson.id, .board = {}, .beat = view.lesson.beat};
  return {.lesson = {}, .board = view.board.board, .beat = 0};
}

bool off_set_list(const ViewState& view) {
  const Presentation& p = view.present;
  return !p.set.items.empty() && place_now(view) != p.landed;
}

const SetItem* stop_on_show(const ViewState& view) {
  const Presentation& p = view.present;
  const bool there = p.place >= 0 && p.place < int(p.set.items.size()) && !off_set_list(view);
  return there ? &p.set.items[size_t(p.place)] : nullptr;
}

std::string stop_title(const SetItem& item, const ViewState& view) {
  const ReadLink read = read_link(item.link);
  std::string title;
  if (!read.fault.empty()) return item.link;
  if (read.link.place == Link::Place::Lesson) title = title_in_lesson(read.link, view);
  if (read.link.place == Link::Place::Walk) title = title_of_walk(read.link);
  if (const Board* board = read.link.place == Link::Place::Board ? board_named(read.link.name) : nullptr)
    title = board->title;
  return title.empty() ? item.link : title;  // it leads nowhere
}

}  // namespace tilewalk
