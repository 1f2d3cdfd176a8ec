#include "app/session/class_boards.h"

#include "app/boards/draw.h"
#include "app/session/lesson_moves.h"

#include <fmt/format.h>

#include <utility>

namespace tilewalk {
namespace {

std::string board_key(const ViewState& view) {
  return fmt::format("{}/{}/{}", view.lesson.id, view.lesson.beat, view.board.board);
}

bool is_typed_on(const BoardState& state) {
  const Board* board = board_named(state.board);
  return board && !board->texts.empty();
}

// What is told of a locked prediction must not change with what the class's own sheet has drawn already.
void keep_prediction(const BoardState& own, BoardState& board) {
  if (board.board != kDrawBoard.id || own.board != board.board) return;
  const DrawSheet mine = sheet_of(own);
  if (!mine.locked || mine.lock_word() != sheet_of(board).lock_word()) return;
  for (const std::string_view knob : {"given", "mistake", "reach"}) {
    board.knobs.erase(std::string(knob));
    if (const auto had = own.knobs.find(knob); had != own.knobs.end()) board.knobs.insert(*had);
  }
}

}  // namespace

void remember_own_board(ViewState& view) {
  if (!is_typed_on(view.board)) return;
  BoardState& kept = view.classroom.boards[board_key(view)];
  if (kept != view.board) kept = view.board;
}

void keep_own_board(const BoardState& before, bool same_beat, ViewState& view) {
  if (!is_typed_on(view.board)) return;
  const auto kept = view.classroom.boards.find(board_key(view));
  const BoardState own = same_beat && before.board == view.board.board ? before
                         : kept != view.classroom.boards.end()         ? kept->second
                                                                       : board_of_beat(view);
  view.board.cells = own.cells;
  keep_prediction(own, view.board);
}

void share_roofline(ViewState& view) {
  if (view.board.board != kDrawBoard.id) return;
  const DrawSheet sheet = sheet_of(view.board);
  if (sheet.gpu == kThisGpu) return;  // which is another one elsewhere
  ClassView& c = view.classroom;
  const std::string of = sheet.lock_word();
  if (!sheet.locked) {
    if (sheet.reveal) c.truth_seen.insert(of);
    c.locked_now.reset();
    return;
  }
  LockRoofline drawn{of, words_of_roofs(sheet.drawing), words_of_points(sheet.drawing)};
  const bool just_now = c.locked_now != drawn;
  c.locked_now = drawn;
  if (!c.first_locked.contains(of) && c.truth_seen.contains(of)) {
    if (just_now) view.notice = "The truth was on show before: this roofline stays here, and goes to no class.";
    return;
  }
  const LockRoofline& first = c.first_locked.try_emplace(of, std::move(drawn)).first->second;
  if (c.with->lock_roofline(first))
    view.notice = "Your roofline lies with those of the class, without a name.";
  else if (just_now && first != *c.locked_now)
    view.notice = "The first roofline that you locked for this N, d and GPU stays with the class; this one stays here.";
}

}  // namespace tilewalk
