#include "app/state/board_history.h"

#include "app/state/view_state.h"

#include <fmt/format.h>

#include <utility>

namespace tilewalk {
namespace {

bool passing(std::string_view cell) { return cell.starts_with('.'); }

// "draw/roofline/sheet 1#4": which board, and in which beat. Where the board has sheets (the knob "sheet"), what is
// drawn on one through some beats of a lesson is one piece of work: there the sheet counts, and the beat stands behind
// the mark.
std::string place_of(const ViewState& view) {
  const auto sheet = view.board.knobs.find("sheet");
  const bool sheets = sheet != view.board.knobs.end();
  return fmt::format("{}/{}/{}#{}", view.board.board, view.lesson.id,
                     sheets ? fmt::format("sheet {}", sheet->second) : fmt::format("beat {}", view.lesson.beat),
                     view.lesson.beat);
}
std::string_view work_of_place(std::string_view place) { return place.substr(0, place.rfind('#')); }

// The next beat of the same work: what was drawn can still be undone, what the beat has set cannot.
void go_on_with(BoardHistory& history, std::string place, const BoardState& state) {
  history.place = std::move(place);
  history.now = state;
  for (std::vector<BoardState>* entries : {&history.before, &history.after})
    for (BoardState& entry : *entries) entry.knobs = state.knobs;
}

// Knobs and cells of `from`; all else stays as it is.
void put_work(const BoardState& from, BoardState& to) {
  to.knobs = from.knobs;
  std::erase_if(to.cells, [](const auto& cell) { return !passing(cell.first); });
  for (const auto& [name, text] : from.cells)
    if (!passing(name)) to.cells[name] = text;
}

void go(ViewState& view, std::vector<BoardState>& from, std::vector<BoardState>& to) {
  view.held.clear();  // what is being dragged is let go
  note_work(view);
  if (from.empty()) return;
  to.push_back(view.board);
  put_work(from.back(), view.board);
  from.pop_back();
  view.board_history.now = view.board;
}

}  // namespace

bool same_work(const BoardState& a, const BoardState& b) {
  if (a.board != b.board || a.knobs != b.knobs) return false;
  const auto next = [](auto it, auto end) {
    while (it != end && passing(it->first)) ++it;
    return it;
  };
  auto x = next(a.cells.begin(), a.cells.end()), y = next(b.cells.begin(), b.cells.end());
  while (x != a.cells.end() && y != b.cells.end()) {
    if (*x != *y) return false;
    x = next(std::next(x), a.cells.end());
    y = next(std::next(y), b.cells.end());
  }
  return x == a.cells.end() && y == b.cells.end();
}

void note_work(ViewState& view) {
  BoardHistory& history = view.board_history;
  if (std::string place = place_of(view); place != history.place) {
    if (work_of_place(place) == work_of_place(history.place))
      go_on_with(history, std::move(place), view.board);
    else
      history = {std::move(place), view.board, {}, {}};
  }
  if (!view.held.empty() || view.editing.starts_with("field:board/")) return;
  if (same_work(history.now, view.board)) return;
  history.before.push_back(std::exchange(history.now, view.board));
  history.after.clear();
}

bool can_undo(const ViewState& view) {
  const BoardHistory& history = view.board_history;
  if (history.place != place_of(view)) return false;
  return !history.before.empty() || !same_work(history.now, view.board);
}
bool can_redo(const ViewState& view) {
  const BoardHistory& history = view.board_history;
  return history.place == place_of(view) && !history.after.empty() && same_work(history.now, view.board);
}

void undo_work(ViewState& view) { go(view, view.board_history.before, view.board_history.after); }
void redo_work(ViewState& view) { go(view, view.board_history.after, view.board_history.before); }

}  // namespace tilewalk
