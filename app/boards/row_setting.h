// What the row of the board "row" is made of, and how hands change it: scores, the order in which keys are met, tiles,
// mistakes. All of it is kept in the board's state.
#pragma once

#include "app/boards/board.h"
#include "core/attention/matrix.h"
#include "core/attention/problem.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr double kScoreStep = 0.5;

// The chart's ends. A bar that is dragged over the upper one makes the chart higher, up to where fp16 overflows; a
// score beyond that is cut off.
struct ChartEnds {
  double low, high;
};

struct RowSetting {
  std::vector<double> scores;
  Matrix values;  // [keys, 2]
  std::vector<int> order;
  int64_t tile;
  Mistake mistake;
  ChartEnds ends;
};

// From the state alone, so that a press and the picture agree.
RowSetting row_of(const BoardState& state);

// The key of "board:bar/3", from 0; -1 where there is none.
int key_of(std::string_view id, std::string_view kind);
void set_score(BoardState& state, int key, double score);  // to whole steps, from -50 to 200
void move_card(BoardState& state, int key, int by);        // in the learner's own order
void bring_chart_near(BoardState& state);                  // the lower chart again, where every score fits it

}  // namespace tilewalk
