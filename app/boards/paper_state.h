// What stands on the learner's sheet of paper: kept in the board's cells under names that hold the sheet, so that
// another sheet begins empty.
#pragma once

#include "app/boards/board.h"
#include "app/boards/paper_sheet.h"

namespace tilewalk {

constexpr std::string_view kHinted = ".hinted";  // the end of a name of a cell that a hint has filled

PaperSheet paper_sheet_of(const BoardState& state);
std::string cell_name(const BoardState& state, std::string_view id);
std::string typed_in(const BoardState& state, std::string_view id);
bool was_hinted(const BoardState& state, std::string_view id);
bool is_given(const BoardState& state, std::string_view id);

struct PaperProgress {
  int right = 0, asked = 0;
  int hinted = 0;                    // of those that are right
  const PaperCell* next = nullptr;   // the first that is not right yet
  const PaperCell* wrong = nullptr;  // the first that is wrong or close
};
PaperProgress progress_of(const BoardState& state, const std::vector<PaperCell>& cells);

// The cell behind one that is right: the next that is not, from there on and round again; null where all are.
const PaperCell* cell_behind(const std::vector<PaperCell>& cells, std::string_view id, const BoardState& state);

}  // namespace tilewalk
