#include "app/session/lent_stage.h"

#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/transport.h"

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

void put_back_board(const Session& session, ViewState& view, const BoardState& before, const BoardState& lent) {
  BoardState& now = view.board;
  if (now.board != lent.board) return;  // the person, or the next beat, is elsewhere already
  if (before.board != lent.board) {
    now = before;
    return;
  }
  for (const auto& [id, value] : lent.knobs) {
    const auto was = before.knobs.find(id);
    if ((was != before.knobs.end() && was->second == value) || now.knobs[id] != value) continue;
    if (was == before.knobs.end())
      now.knobs.erase(id);
    else
      now.knobs[id] = was->second;
  }
  if (now.show == lent.show) now.show = before.show;
  if (now.step == lent.step && before.step != lent.step) seek_board(session, view, before.step);
}

}  // namespace

std::shared_ptr<const KeptStage> stage_now(const Session& session, const ViewState& view) {
  return std::make_shared<KeptStage>(KeptStage{session.setup(), session.inputs(), view.playhead, view.row, view.board});
}

std::string lend_stage(Session& session, ViewState& view, const StageSetting& setting) {
  put_back_stage(session, view);
  std::shared_ptr<const KeptStage> before = stage_now(session, view);
  std::string fault = apply_setting(session, view, setting);
  view.lesson.lent = std::move(before);
  view.lesson.lent_as = stage_now(session, view);
  return fault;
}

void put_back_stage(Session& session, ViewState& view) {
  const auto before = std::exchange(view.lesson.lent, nullptr), lent = std::exchange(view.lesson.lent_as, nullptr);
  view.lesson.broken = 0;
  if (!before || !lent) return;
  const bool other_walk = before->setup != lent->setup;
  if (other_walk && session.setup() == lent->setup && session.change(before->setup, before->inputs).empty())
    view.playhead = std::min(view.playhead, session.walk().replay.length());
  put_back_board(session, view, before->board, lent->board);
  if (view.board.board.empty() && view.playhead == lent->playhead && before->playhead != lent->playhead)
    seek(session.walk(), view, before->playhead);
  if (view.row == lent->row) view.row = before->row;
  view.row = std::clamp<int64_t>(view.row, 0, session.problem().n_q - 1);
}

}  // namespace tilewalk
