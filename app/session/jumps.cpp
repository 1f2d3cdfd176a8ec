#include "app/session/jumps.h"

#include "app/session/kept_stops.h"
#include "app/session/lesson_path.h"
#include "app/session/present_moves.h"
#include "app/session/set_stops.h"
#include "app/session/stop_way.h"

#include <fmt/format.h>

#include <utility>

namespace tilewalk {
namespace {

bool jumped_here(const ViewState& view) {
  const Presentation& p = view.present;
  return p.on && p.jump && p.jump->to == stop_key(p) && !off_stop(view);
}

std::shared_ptr<const Lesson> lesson_of(const StopKey& stop, const ViewState& view) {
  return view.lesson.course ? view.lesson.course->lesson_with(stop.first) : nullptr;
}

}  // namespace

void note_jump(ViewState& view, const StopKey& left) {
  Presentation& p = view.present;
  const StopKey to = stop_key(p), from = p.jump && p.jump->to == left ? p.jump->from : left;
  p.jump = from == to ? std::nullopt : std::optional(Jump{from, to});
  for (auto& [key, way] : p.ways) way.ahead = false;
}

bool jump_to_item(Session& session, ViewState& view, int place) {
  const StopKey left = stop_key(view.present);
  if (!open_set_item(session, view, place)) return false;
  note_jump(view, left);
  return true;
}

std::string way_back_words(const Session& session, const ViewState& view) {
  if (!jumped_here(view) || differs_from_prepared(session, view)) return {};
  const StopKey& from = view.present.jump->from;
  if (!view.present.set.items.empty()) return fmt::format("returns to stop {}", from.second + 1);
  const auto lesson = lesson_of(from, view);
  if (!lesson) return "returns to where you were";
  const std::string other = lesson->id == view.lesson.id ? std::string() : lesson_words(*lesson) + ", ";
  return fmt::format("returns to {}beat {}", other, from.second + 1);
}

bool go_way_back(Session& session, ViewState& view) {
  if (!jumped_here(view)) return false;
  const StopKey from = std::exchange(view.present.jump, std::nullopt)->from;
  if (restore_left(session, view, from)) return true;
  if (!view.present.set.items.empty()) return open_set_item(session, view, from.second);
  const auto lesson = lesson_of(from, view);
  if (lesson) present_lesson(session, view, *lesson, from.second);
  return lesson != nullptr;
}

}  // namespace tilewalk
