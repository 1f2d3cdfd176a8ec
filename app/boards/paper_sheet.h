// The sheet of paper of lesson 7: which cells it has, what belongs in them, and what a wrong number would be right for.
// Pure numbers; app/boards/paper.cpp draws it.
#pragma once

#include "core/playback/row_stream.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct PaperSheet {
  std::vector<double> scores;  // [keys], two to a tile
  Matrix values;               // [keys, 2]
  std::vector<int> order;      // in which the keys are met
  RowStream stream;
  int tiles() const { return int(stream.visits.size()); }
};

// Seed 0 is the example of one row with four keys; any other one makes small whole numbers for `tiles` tiles.
PaperSheet make_sheet(uint64_t seed, int tiles, bool backward);

struct PaperCell {
  std::string id;       // "l2": of the second tile that is met; "out_x", "L" below the table
  std::string name;     // "l of tile 2"
  double value;         // what belongs here
  std::string formula;  // the hint: "α × 1.368 + 1 + 0.368"
  std::vector<std::pair<double, std::string>> slips;  // values of common slips, and what they would be right for
};
using KnowsCell = std::function<bool(std::string_view id)>;
// In the order in which they are filled. A formula names what is not known yet, "α × old l", rather than telling it.
std::vector<PaperCell> cells_of(const PaperSheet& sheet, const KnowsCell& knows = {});

enum class CellVerdict : uint8_t { Empty, Right, Close, Unfinished, Wrong };
struct JudgedCell {
  CellVerdict verdict = CellVerdict::Empty;
  std::string words;  // one sentence where it is wrong or close
};
// What was typed against what belongs there: right to three digits. Unfinished: the beginning of the right number.
JudgedCell judge(const PaperCell& cell, std::string_view typed);

std::string_view rule_of(const PaperCell& cell);   // what any cell of its kind is made of
std::string sentence_name(const PaperCell& cell);  // at the head of a sentence; the papers' letters stay as they are
std::string paper_number(double value);            // four digits: "1.553", "−0.25", "2"

}  // namespace tilewalk
