// What there is to understand in a unit of a walk: a title for its idea and a few sentences with the row's numbers and
// the tiles' names put in. The sentences are lessons/data/told.toml; here is what they can ask for.
#pragma once

#include "core/playback/gradient_trace.h"
#include "core/playback/row_trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Explanation {
  std::string title;                   // at most 36 bytes
  std::vector<std::string> sentences;  // the first stands for itself; later ones may be left out where room is short
};

// Of the unit from `from` to `playhead` steps taken; `row` counts from 0 within the Q tile. `trace` is of that row, at
// the playhead; a forward and a backward walk have each its own.
Explanation explain(const Replay& replay, int64_t from, int64_t playhead, int64_t row, const RowTrace& trace);
Explanation explain(const Replay& replay, int64_t from, int64_t playhead, int64_t row, const GradientTrace& trace);

// One sentence for each row of such a table that cannot be told: fields, facts, words and phrases that are not there.
std::vector<std::string> telling_faults(std::string_view toml);

}  // namespace tilewalk
