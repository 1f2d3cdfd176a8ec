#include "app/session/lesson_names.h"

#include "app/boards/board.h"
#include "core/io/effort.h"
#include "core/lesson/check.h"
#include "core/playback/row_trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

std::optional<Quantity> of_board(std::string_view name, const Board& board, const Session& session,
                                 const ViewState& view) {
  for (const Reading& reading : board.readings({view.board, session, view, board}))
    if (reading.id == name) return reading.quantity;
  return std::nullopt;
}

std::optional<Quantity> of_walk(std::string_view name, const Session& session, const ViewState& view) {
  Walk& walk = session.walk();
  const auto whole = [](int64_t value, std::string_view unit) {
    return Quantity{double(value), std::string(unit), Origin::Computed, "of the walk on the stage"};
  };
  if (name == "step") return whole(view.playhead, "");
  if (name == "steps") return whole(walk.replay.length(), "");
  if (name == "dram_bytes")
    return whole(walk.l2.dram_read(view.playhead) + walk.l2.dram_written(view.playhead), "byte");
  if (name == "fill_bytes") return whole(walk.replay.at(view.playhead).meters.fill_bytes(), "byte");
  if (name == "drain_bytes") return whole(walk.replay.at(view.playhead).meters.drain_bytes(), "byte");
  if (name == "sram_bytes") return whole(walk.fullest.sram_bytes, "byte");
  if (name != "m" && name != "l" && name != "alpha") return std::nullopt;
  const RowTrace trace = trace_row(walk.replay, view.playhead, view.row);
  if (trace.visits.empty() && !trace.open) return std::nullopt;
  const RowTrace::Visit& now = trace.open ? *trace.open : trace.visits.back();
  const std::string source = fmt::format("row {} of the walk on the stage", view.row + 1);
  return Quantity{name == "m" ? now.m : name == "l" ? now.l : now.alpha, "", Origin::Computed, source};
}

// `outer` that says whether the stage was asked.
Lookup watched(const Lookup& outer, bool& asked) {
  return [&outer, &asked](std::string_view name) {
    std::optional<Quantity> found = outer(name);
    asked |= name.starts_with("knob.") || name.starts_with("stage.");
    return found;
  };
}

// Does `act` with what is left of the lesson's effort. What depends on the stage is not charged: it is asked again with
// every frame.
template <class Act>
auto within_effort(const Lesson& lesson, LessonCache* cache, const bool& on_stage, Act&& act) {
  int64_t none = kEffortOfLesson;
  int64_t& left = cache ? cache->effort_left.try_emplace(lesson.id, kEffortOfLesson).first->second : none;
  const Effort effort(std::max<int64_t>(left, 0));
  auto value = act();
  if (!on_stage) left -= effort.spent();
  return value;
}

}  // namespace

Lookup stage_names(const Session& session, const ViewState& view) {
  return [&session, &view](std::string_view name) -> std::optional<Quantity> {
    const Board* board = board_named(view.board.board);
    if (name.starts_with("knob.")) {
      if (!board) return std::nullopt;
      for (const Knob& knob : board->knobs)
        if (knob.id == name.substr(5))
          return Quantity{knob_value(*board, view.board, knob.id), "", Origin::Computed, std::string(knob.label)};
      return std::nullopt;
    }
    if (!name.starts_with("stage.")) return std::nullopt;
    return board ? of_board(name.substr(6), *board, session, view) : of_walk(name.substr(6), session, view);
  };
}

Evaluated value_of(std::string_view expression, const Lesson& lesson, const Instance* instance, std::string_view about,
                   const Session& session, const ViewState& view) {
  const std::string key = fmt::format("{}\n{}\n{}", lesson.id, about, expression);
  LessonCache* cache = view.lesson.cache.get();
  if (cache)
    if (const auto kept = cache->values.find(key); kept != cache->values.end()) return kept->second;
  bool on_stage = false;
  const Lookup stage = stage_names(session, view);
  Evaluated value = within_effort(lesson, cache, on_stage, [&] {
    return evaluate(expression, names_of(lesson, instance, watched(stage, on_stage)));
  });
  if (cache && !on_stage) cache->values[key] = value;
  return value;
}

Instance instance_now(const Lesson& lesson, const Question& question, uint64_t seed, const Session& session,
                      const ViewState& view) {
  const std::string key = fmt::format("{}\n{}\n{}", lesson.id, question.id, seed);
  LessonCache* cache = view.lesson.cache.get();
  if (cache)
    if (const auto kept = cache->instances.find(key); kept != cache->instances.end()) return kept->second;
  bool on_stage = false;
  const Lookup stage = stage_names(session, view);
  Instance instance = within_effort(lesson, cache, on_stage,
                                    [&] { return instance_of(lesson, question, seed, watched(stage, on_stage)); });
  if (cache && !on_stage) cache->instances[key] = instance;
  return instance;
}

}  // namespace tilewalk
