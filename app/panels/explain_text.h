// What the Explain tab says about the step on show: a title for its idea and a few sentences with the row's and the
// tiles' names put in. Rows, keys and tiles count from 1.
#pragma once

#include "app/stage/moment.h"
#include "core/playback/gradient_trace.h"
#include "core/playback/row_trace.h"

#include <string>
#include <vector>

namespace tilewalk {

struct Explanation {
  std::string title;                   // at most 32 characters
  std::vector<std::string> sentences;  // the first stands for itself; later ones may be left out where room is short
};

// `trace` is of the followed row, at the moment's playhead.
Explanation explain(const Moment& moment, const RowTrace& trace);
Explanation explain_backward(const Moment& moment, const GradientTrace& trace);  // of a backward walk

}  // namespace tilewalk
