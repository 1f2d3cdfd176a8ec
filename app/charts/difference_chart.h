// Two tensors of the same shape held against each other, element by element: a picture of first - second in diverging
// colours, 0 in the middle, and the largest difference in words. Where elements outnumber the cells there is room for,
// a cell shows the difference that is largest in magnitude among its elements.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewalk {

struct Difference {
  double largest = 0;            // |first - second|
  int64_t row = 0, col = 0;      // where
  double magnitude = 0;          // largest |second|
  int64_t incomparable = 0;      // elements of which just one is finite, or which are infinite with other signs
};
// [rows, cols] each. Equal infinities do not differ.
Difference difference_of(std::span<const float> first, std::span<const float> second, int64_t rows, int64_t cols);

// `title` names what is compared: "O, FA2 on the GPU − simulator".
void layout_difference_chart(Scene& scene, std::string_view title, std::span<const float> first,
                             std::span<const float> second, int64_t rows, int64_t cols, Rect area, const Style& style);

}  // namespace tilewalk
