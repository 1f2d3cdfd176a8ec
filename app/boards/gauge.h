// A gauge: what is used, in pieces by tensor, against a limit. Over the limit it is hatched and says what happens then.
#pragma once

#include "app/boards/board.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct GaugePart {
  Tensor tensor;
  double value;
  std::string name;  // inside the piece, where it fits
};

// The reading's number large, "of <limit>" behind it, the bar below. `over` is what a value over the limit means:
// "cannot launch".
void layout_gauge(const BoardView& view, Rect slot, const Reading& reading, double limit, std::string_view unit,
                  const std::vector<GaugePart>& parts, std::string_view over);

}  // namespace tilewalk
