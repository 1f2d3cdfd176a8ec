// How much of each pixel a shape covers, exactly: the signed area beside every edge, summed along the row. Shapes may
// have holes (loops that run the other way) and overlaps; a pixel is never covered more than once.
#pragma once

#include "app/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tilewalk {

class Coverage {
 public:
  // Of a picture of that size; what lies beyond it is left out.
  Coverage(int width, int height)
      : width_(width), height_(height), left_(width), top_(height), cells_(size_t(width + 2) * size_t(height)) {}

  void add(std::span<const Vec2> loop);  // a closed loop, in pixels

  // Calls row(y, x, shares) for every row that was touched, with the shares 0..1 from column x on; then begins anew.
  template <typename Row>
  void take(Row row) {
    for (int y = top_; y < bottom_; ++y) {
      float* cells = cells_.data() + size_t(y) * size_t(width_ + 2);
      float sum = 0;
      for (int x = left_; x < right_; ++x) {
        sum += cells[x];
        cells[x] = std::min(std::abs(sum), 1.0f);
      }
      row(y, left_, std::span<const float>(cells + left_, size_t(std::max(0, right_ - left_))));
      std::fill(cells + left_, cells + std::min(width_, right_) + 2, 0.0f);
    }
    left_ = width_, right_ = 0, top_ = height_, bottom_ = 0;
  }

 private:
  void edge(Vec2 from, Vec2 to);

  int width_, height_;
  int left_, right_ = 0, top_, bottom_ = 0;  // what was touched
  std::vector<float> cells_;                 // per row, how the covered share changes from one pixel to the next
};

}  // namespace tilewalk
