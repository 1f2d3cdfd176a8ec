#include "app/export/telling_step.h"

#include "app/boards/board.h"
#include "app/session/go_to.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/set_stops.h"
#include "app/session/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {

namespace {

std::optional<int64_t> first_risen(const Replay& replay, int64_t from, int64_t to) {
  const auto rise = std::ranges::find_if(replay.markers(), [&](const Marker& marker) {
    return marker.kind == Marker::MaxRose && marker.step >= from && marker.step <= to;
  });
  return rise == replay.markers().end() ? std::nullopt : std::optional(rise->first_row);
}

// The first step that rescales this row of a Q tile.
std::optional<int64_t> first_rescale_of(Replay& replay, int64_t row) {
  const std::vector<Step>& steps = replay.steps();
  for (size_t k = 0; k < steps.size(); ++k) {
    if (steps[k].kind != StepKind::Rescale) continue;
    const auto* alpha = replay.at(int64_t(k) + 1).find(Tensor::Alpha);
    if (!alpha || !alpha->data || row >= alpha->data->rows) continue;
    if (const double a = alpha->data->at(row, 0); a > 0 && a < 1) return int64_t(k);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> rescaled_row(const Session& session, int64_t from, int64_t to) {
  const auto row = first_risen(session.walk().replay, from, to);
  const Walk* other = session.other();
  return row || !other ? row : first_risen(other->replay, 0, other->replay.length());
}

void meet_forward(BoardState& board) {
  const auto order = board.knobs.find("order");
  if (board.board == "row" && order != board.knobs.end() && order->second == 1) order->second = 0;
}

std::string tell_of_walk(Session& session, ViewState& view) {
  const bool walk = !slide_on_show(view) && view.board.board.empty() && !view.gpu.enlarged;
  if (!walk || view.playhead != 0) return {};
  Walk& shown = session.walk();
  const std::vector<Step>& steps = shown.replay.steps();
  const Target rise = target_of("first rise", shown);
  // The rescale that the rise asks for, in the same visit; of the row that was asked for, where that has one.
  int64_t at = rise.playhead.value_or(int64_t(steps.size()));
  if (const auto own = view.row > 0 ? first_rescale_of(shown.replay, view.row) : std::nullopt) {
    at = *own;
  } else {
    while (at < int64_t(steps.size()) && steps[size_t(at)].kind != StepKind::Rescale) ++at;
    if (rise.row && at < int64_t(steps.size())) view.row = *rise.row;
  }
  seek(shown, view, at < int64_t(steps.size()) ? at + 1 : int64_t(steps.size()) / 2);
  return fmt::format("The walk at its step {} of {}.", view.playhead, shown.replay.length());
}

std::string tell_of_board(const Session& session, ViewState& view) {
  const Board* board = slide_on_show(view) || view.gpu.enlarged ? nullptr : board_named(view.board.board);
  const int steps = board ? board_steps(session, view) : 0;
  // What a question keeps back is not told by a later step.
  if (steps == 0 || view.board.step != 0 || !view.board.covered.empty()) return {};
  const auto rescales = [&] {
    const std::vector<Reading> all = board->readings({view.board, session, view, *board});
    const auto alpha = std::ranges::find(all, "alpha", &Reading::id);
    return alpha != all.end() && alpha->quantity.value > 0 && alpha->quantity.value < 1;
  };
  int at = 1;
  for (; at <= steps; ++at)
    if (seek_board(session, view, at); rescales()) break;
  const Beat* beat = beat_on_show(view);
  const bool begins = beat && beat->stage.seek == "start";
  if (at > steps) seek_board(session, view, begins ? (steps + 1) / 2 : 0);
  view.phase = 1;
  if (view.board.step == 0) return {};
  return fmt::format("The picture at its step {} of {}.", view.board.step, steps);
}

}  // namespace tilewalk
