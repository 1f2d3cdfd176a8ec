#include "app/session/beat_stage.h"

#include "app/boards/board.h"
#include "app/session/go_to.h"
#include "app/session/playback.h"
#include "app/session/transport.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {

namespace {

void put_values(const Board& board, const std::map<std::string, std::string, std::less<>>& values, BoardState& state) {
  for (const Knob& knob : board.knobs) {
    const auto named = values.find(knob.id);
    if (named == values.end()) continue;
    if (const auto value = knob_value_of(knob, named->second))
      state.knobs[std::string(knob.id)] = clamp_knob(knob, *value);
  }
}

}  // namespace

void put_knobs(const StageSetting& setting, BoardState& state) {
  const Board* board = board_named(state.board);
  if (!board) return;
  put_values(*board, setting.knobs, state);
  if (!setting.show.empty()) state.show = setting.show;
}

void put_room_knobs(const StageSetting& setting, BoardState& state) {
  if (const Board* board = board_named(state.board)) put_values(*board, setting.room, state);
}

Folded fold(const Lesson& lesson, int beat) {
  if (const Beat& asked = lesson.beats[size_t(beat)]; asked.home) return fold(*asked.home, asked.home_beat);
  Folded out;
  for (int k = 0; k <= beat; ++k) {
    const StageSetting& s = lesson.beats[size_t(k)].stage;
    if (!s.stage.empty() && s.stage != out.stage) {
      out.stage = s.stage;
      out.board = {};
      out.seek.clear(), out.play.clear();
      if (s.stage != kWalkStage) out.board.board = s.stage;
    }
    for (const auto& [word, text] : s.walk) out.walk[word] = text;
    out.walk_named = !s.walk.empty();
    if (out.walk_named) out.seek.clear(), out.play.clear();
    out.place_named = !s.seek.empty() || !s.play.empty();
    if (!s.seek.empty()) out.seek = s.seek, out.play.clear();
    if (!s.play.empty()) out.play = s.play;
    if (s.row > 0) out.row = s.row;
    out.walk["fault"] = s.fault;
    out.without = s.without;
    out.focus = s.focus;
    out.tab = s.tab;
    put_knobs(s, out.board);
  }
  return out;
}

namespace {

// As the lesson has it, but for the step, from which the stage goes on.
void prepare_board(const BoardState& wanted, BoardState& state) {
  const int step = state.step;
  state = wanted;
  state.step = step;
}

// "start", "end" or a number of steps.
int board_step(std::string_view words, int steps) { return words == "end" ? steps : number_or(words, 0); }

}  // namespace

std::string place_stage(Session& session, ViewState& view, const std::string& seek, const std::string& play) {
  if (!view.board.board.empty()) {
    const int steps = board_steps(session, view);
    if (!seek.empty()) seek_board(session, view, board_step(seek, steps));
    if (!play.empty()) play_board(session, view, board_step(play, steps));
    return {};
  }
  if (!seek.empty())
    if (std::string fault = go_to(seek, session, view); !fault.empty()) return fault;
  if (play.empty()) return {};
  const Target target = target_of(play, session.walk(), view.playhead);
  if (target.playhead) play_to(session.walk(), view, *target.playhead);
  return target.fault;
}

std::string set_walk(const WalkWords& words, Session& session, ViewState& view, bool& changed) {
  const std::vector<Fault> faults = take_walk(words, session, view, changed);
  return faults.empty() ? std::string() : faults.front().message;
}

std::string put_on_stage(Session& session, ViewState& view, const Folded& wanted, const StageSetting& own,
                         bool forward) {
  std::string fault;
  // A board may work on the inputs of the walk, so that one is made in any case. Where the steps are the same, as with
  // a mistake on purpose, one stays where one was.
  bool changed = false;
  const std::vector<Step> before = session.walk().replay.steps();
  fault = set_walk(wanted.walk, session, view, changed);
  changed = changed && before != session.walk().replay.steps();
  if (wanted.stage == kWalkStage) {
    view.board = {};
    const bool place = !forward || changed || wanted.place_named;
    if (!forward) view.row = 0;
    if (changed || (!forward && wanted.seek.empty())) seek(session.walk(), view, 0);
    if (place && fault.empty()) fault = place_stage(session, view, wanted.seek, wanted.play);
    if (wanted.row > 0 && (place || own.row > 0))
      view.row = std::clamp<int64_t>(wanted.row - 1, 0, session.problem().n_q - 1);
    return fault;
  }
  if (!board_named(wanted.stage)) {
    view.board = {};
    return fmt::format("There is no stage called \"{}\".", wanted.stage);
  }
  const bool same = view.board.board == wanted.stage;
  // What a learner drew goes with them; in front of a room each stop comes as it was prepared.
  const bool talk = view.present.on;
  if (same && forward) {
    if (talk) prepare_board(wanted.board, view.board);
    put_knobs(own, view.board);
  } else {
    std::map<std::string, std::string, std::less<>> cells;
    if (same && !talk) cells = std::move(view.board.cells);
    view.board = wanted.board;
    view.board.cells = std::move(cells);
    seek_board(session, view, 0);
  }
  if (talk) put_room_knobs(own, view.board);
  if (fault.empty() && (!same || !forward || wanted.place_named))
    return place_stage(session, view, wanted.seek, wanted.play);
  return fault;
}

BeatStage stage_of(const Folded& folded) {
  return {folded.stage, folded.seek, folded.play, folded.walk, folded.without, folded.board};
}

}  // namespace tilewalk
