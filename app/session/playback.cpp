#include "app/session/playback.h"

#include "app/boards/board.h"
#include "app/session/jumps.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/transport.h"

#include <algorithm>

namespace tilewalk {
namespace {

// One step of a board, animated unless it is quick or played fast.
void step_board(const Session& session, ViewState& view) {
  const int steps = board_steps(session, view);
  if (view.board.step >= steps) return;
  ++view.board.step;
  const bool snap = view.speed >= kFastest || (!view.playing && view.since_step < kRepeatSeconds);
  view.phase = snap ? 1 : 0;
  view.shown_for = snap && !view.playing ? 1000 : 0;
  view.since_step = 0;
}

// In front of a room a beat is asked anew, and seen before its question is.
void show_either(Session& session, ViewState& view, int beat) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (view.present.on && lesson && beat >= 0 && beat < int(lesson->beats.size()))
    present_beat(session, view, beat);
  else
    show_beat(session, view, beat);
}

// By an arrow key nothing that is asked is passed over; but who presents is asked nothing.
void next_beat(Session& session, ViewState& view) {
  if (view.present.on) return show_either(session, view, view.lesson.beat + 1);
  const AskedQuestion asked = asked_now(view);
  if (asked.question && !settled(view, asked))
    view.notice = "Answer first, or press Skip (S).";
  else
    continue_lesson(session, view);
}

float unit_of_board(const ViewState& view) { return kPartSeconds / view.speed; }

}  // namespace

int board_steps(const Session& session, const ViewState& view) {
  const Board* board = board_named(view.board.board);
  if (!board || !board->steps) return 0;
  return std::max(0, board->steps({view.board, session, view, *board}));
}

void within_steps(const Session& session, ViewState& view) {
  if (view.board.step > 0) view.board.step = std::min(view.board.step, board_steps(session, view));
}

Moves what_moves(const Session& session, const ViewState& view) {
  if (view.lesson.review) return Moves::Nothing;
  const bool stops = view.present.on && !view.present.set.items.empty() && !off_set_list(view);
  if (stops && (slide_on_show(view) || view.gpu.enlarged)) return Moves::Stops;
  if (view.board.board.empty()) return Moves::Walk;
  if (board_steps(session, view) > 0) return Moves::Board;
  if (stops) return Moves::Stops;
  return lesson_on_show(view) ? Moves::Beats : Moves::Nothing;
}

bool can_go_forward(const Session& session, const ViewState& view) {
  switch (what_moves(session, view)) {
    case Moves::Walk: return view.playhead < session.walk().replay.length();
    case Moves::Board: return view.board.step < board_steps(session, view);
    case Moves::Beats: return view.lesson.beat + 1 < int(lesson_on_show(view)->beats.size());
    case Moves::Stops: return view.present.place + 1 < int(view.present.set.items.size());
    case Moves::Nothing: return false;
  }
  return false;
}

bool can_go_back(const Session& session, const ViewState& view) {
  switch (what_moves(session, view)) {
    case Moves::Walk: return view.playhead > 0;
    case Moves::Board: return view.board.step > 0;
    case Moves::Beats: return view.lesson.beat > 0;
    case Moves::Stops: return view.present.place > 0;
    case Moves::Nothing: return false;
  }
  return false;
}

void go_forward(Session& session, ViewState& view, Unit unit) {
  view.playing = false;
  switch (what_moves(session, view)) {
    case Moves::Walk: step_forward(session.walk(), view, unit); break;
    case Moves::Board: step_board(session, view); break;
    case Moves::Beats: next_beat(session, view); break;
    case Moves::Stops: present_next(session, view); break;
    case Moves::Nothing: break;
  }
}

void go_back(Session& session, ViewState& view, Unit unit) {
  switch (what_moves(session, view)) {
    case Moves::Walk: step_back(session.walk(), view, unit); break;
    case Moves::Board: seek_board(session, view, view.board.step - 1); break;
    case Moves::Beats: show_either(session, view, view.lesson.beat - 1); break;
    case Moves::Stops: present_back(session, view); break;
    case Moves::Nothing: break;
  }
}

void go_to_start(Session& session, ViewState& view) {
  switch (what_moves(session, view)) {
    case Moves::Walk: seek(session.walk(), view, 0); break;
    case Moves::Board: seek_board(session, view, 0); break;
    case Moves::Beats: show_either(session, view, 0); break;
    case Moves::Stops: jump_to_item(session, view, 0); break;
    case Moves::Nothing: break;
  }
}

int beat_in_reach(const ViewState& view, int wanted) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const AskedQuestion asked = asked_now(view);
  if (!lesson || wanted <= view.lesson.beat || view.present.on) return wanted;
  if (asked.question && !settled(view, asked)) return view.lesson.beat;
  const LessonRecord* record = record_of(view.lesson.progress, lesson->id);
  for (int beat = view.lesson.beat + 1; beat < wanted; ++beat)
    for (const Question& question : lesson->beats[size_t(beat)].questions) {
      const auto now = view.lesson.questions.find(question.id);
      const bool seen = now != view.lesson.questions.end() && settled(now->second);
      if (!seen && !(record && record->answers.contains(question.id))) return beat;
    }
  return wanted;
}

void go_to_end(Session& session, ViewState& view) {
  switch (what_moves(session, view)) {
    case Moves::Walk: seek(session.walk(), view, session.walk().replay.length()); break;
    case Moves::Board: seek_board(session, view, board_steps(session, view)); break;
    case Moves::Beats: go_to_beat(session, view, int(lesson_on_show(view)->beats.size()) - 1); break;
    case Moves::Stops: jump_to_item(session, view, int(view.present.set.items.size()) - 1); break;
    case Moves::Nothing: break;
  }
}

void go_to_beat(Session& session, ViewState& view, int wanted) {
  const int beat = beat_in_reach(view, wanted);
  if (beat != view.lesson.beat) show_either(session, view, beat);
  if (beat < wanted) view.notice = "A question is open here: answer it, or press Skip (S).";
}

void play_or_pause(Session& session, ViewState& view) {
  const Moves moves = what_moves(session, view);
  if (moves == Moves::Walk) return toggle_play(session.walk(), view);
  if (moves != Moves::Board) return;
  if (view.playing) {
    view.playing = false;
    return;
  }
  const int steps = board_steps(session, view);
  if (view.board.step >= steps) seek_board(session, view, 0);
  play_board(session, view, steps);
}

void replay_last(Session& session, ViewState& view) {
  if (what_moves(session, view) == Moves::Walk) return replay_unit(view);
  if (what_moves(session, view) != Moves::Board || view.board.step == 0) return;
  view.phase = 0;
  view.shown_for = 0;
}

void seek_board(const Session& session, ViewState& view, int step) {
  view.board.step = std::clamp(step, 0, board_steps(session, view));
  view.playing = false;
  view.play_to = -1;
  view.phase = 1;
  view.shown_for = 1000;
}

void play_board(const Session& session, ViewState& view, int to) {
  if (to <= view.board.step) return seek_board(session, view, to);
  view.playing = true;
  view.play_to = to;
  step_board(session, view);
}

void pass_time_on_stage(Session& session, ViewState& view, float seconds) {
  view.lesson.lift = std::min(1.0f, view.lesson.lift + seconds / kLiftSeconds);
  if (view.board.board.empty()) return advance(session.walk(), view, seconds);
  if (!pass(view, seconds, unit_of_board(view))) return;
  const int steps = board_steps(session, view);
  if (view.board.step >= steps || (view.play_to >= 0 && view.board.step >= view.play_to)) {
    view.playing = false;
    view.play_to = -1;
  } else {
    step_board(session, view);
  }
}

float seconds_to_change_on_stage(const Session& session, const ViewState& view) {
  if (view.lesson.lift < 1) return 0;
  return view.board.board.empty() ? seconds_to_change(session.walk(), view)
                                  : seconds_to_change(view, unit_of_board(view));
}

}  // namespace tilewalk
