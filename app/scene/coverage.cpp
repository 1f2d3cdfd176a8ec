#include "app/scene/coverage.h"

namespace tilewalk {

void Coverage::add(std::span<const Vec2> loop) {
  if (loop.size() < 3) return;
  for (const Vec2& p : loop)
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return;
  for (size_t k = 0; k < loop.size(); ++k) edge(loop[k], loop[(k + 1) % loop.size()]);
}

// A pixel that the edge crosses gets the share of its row that lies right of the edge within it, the next pixel the
// rest, so that the running sum is the covered share.
void Coverage::edge(Vec2 from, Vec2 to) {
  if (from.y == to.y) return;
  const float sign = from.y < to.y ? 1.0f : -1.0f;
  const Vec2 upper = from.y < to.y ? from : to, lower = from.y < to.y ? to : from;
  const auto columns = float(width_);
  const int first = std::max(0, int(std::floor(upper.y))), last = std::min(height_, int(std::ceil(lower.y)));
  if (first >= last) return;
  top_ = std::min(top_, first), bottom_ = std::max(bottom_, last);
  const double slope = (double(lower.x) - double(upper.x)) / (double(lower.y) - double(upper.y));
  for (int y = first; y < last; ++y) {
    const float y0 = std::max(upper.y, float(y)), y1 = std::min(lower.y, float(y + 1));
    if (y1 <= y0) continue;
    // Left of the picture counts as its edge, right of it as nothing.
    const auto at = [&](float row) {
      return std::clamp(float(double(upper.x) + (double(row) - double(upper.y)) * slope), 0.0f, columns);
    };
    const float a = at(y0), b = at(y1), x0 = std::min(a, b), x1 = std::max(a, b), height = sign * (y1 - y0);
    float* cells = cells_.data() + size_t(y) * size_t(width_ + 2);
    const int begin = int(x0), end = int(x1);
    left_ = std::min(left_, begin), right_ = std::max(right_, std::min(width_, end + 2));
    if (begin == end) {
      const float right = float(begin + 1) - (x0 + x1) / 2;
      cells[begin] += height * right;
      cells[begin + 1] += height * (1 - right);
      continue;
    }
    // Area right of the edge up to the end of column x, as a function of x; its differences go to the pixels.
    const float width = x1 - x0;
    float before = 0, share_before = 0;
    for (int x = begin; x <= end + 1; ++x) {
      const float edge_x = float(x + 1);
      // The integral of the share of the edge's height that has been passed at columns up to edge_x.
      const float t = std::clamp(edge_x, x0, x1) - x0;
      const float area = t * t / (2 * width) + std::max(0.0f, edge_x - x1);
      const float share = area - before;  // of this pixel
      cells[x] += height * (share - share_before);
      before = area, share_before = share;
    }
  }
}

}  // namespace tilewalk
