#include "app/boards/paper_state.h"

#include "app/boards/boards.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

PaperSheet paper_sheet_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kPaperBoard, state, id); };
  return make_sheet(uint64_t(knob("numbers")), knob("tiles") != 0 ? 3 : 2, knob("backward") != 0);
}

std::string cell_name(const BoardState& state, std::string_view id) {
  const auto knob = [&](std::string_view k) { return int(knob_value(kPaperBoard, state, k)); };
  return fmt::format("{}.{}.{}/{}", knob("numbers"), knob("tiles"), knob("backward"), id);
}
std::string typed_in(const BoardState& state, std::string_view id) {
  const auto found = state.cells.find(cell_name(state, id));
  return found == state.cells.end() ? std::string() : found->second;
}

bool was_hinted(const BoardState& state, std::string_view id) {
  return state.cells.contains(cell_name(state, id) + std::string(kHinted));
}

bool is_given(const BoardState& state, std::string_view id) {
  switch (int(knob_value(kPaperBoard, state, "given"))) {
    case 1: return id.ends_with("1") || id == "p1a" || id == "p1b";
    case 2: return id != "alpha2" && id != "l2" && id != "out_x";
    case 3: return true;
    default: return false;
  }
}

PaperProgress progress_of(const BoardState& state, const std::vector<PaperCell>& cells) {
  PaperProgress out;
  for (const PaperCell& cell : cells) {
    if (is_given(state, cell.id)) continue;
    ++out.asked;
    const JudgedCell judged = judge(cell, typed_in(state, cell.id));
    if (judged.verdict == CellVerdict::Right)
      ++out.right, out.hinted += was_hinted(state, cell.id);
    else if (!out.next)
      out.next = &cell;
    if (!judged.words.empty() && !out.wrong) out.wrong = &cell;
  }
  return out;
}

const PaperCell* cell_behind(const std::vector<PaperCell>& cells, std::string_view id, const BoardState& state) {
  const auto at = std::ranges::find(cells, id, &PaperCell::id);
  for (size_t k = 1; k <= cells.size() && at != cells.end(); ++k) {
    const PaperCell& cell = cells[(size_t(at - cells.begin()) + k) % cells.size()];
    if (!is_given(state, cell.id) && judge(cell, typed_in(state, cell.id)).verdict != CellVerdict::Right) return &cell;
  }
  return nullptr;
}

}  // namespace tilewalk
