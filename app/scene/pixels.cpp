#include "app/scene/pixels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tilewalk {
namespace {

// Which pixels of `from` one of `to` covers, and how much of each.
struct Share {
  int first = 0;
  std::vector<float> parts;  // their sum is 1
};

std::vector<Share> shares_of(int from, int to) {
  std::vector<Share> all{size_t(to)};
  const double each = double(from) / double(to);
  for (int k = 0; k < to; ++k) {
    const double begin = k * each, end = std::min(double(from), (k + 1) * each);
    Share& share = all[size_t(k)];
    share.first = int(begin);
    for (int p = share.first; p < from && double(p) < end - 1e-9; ++p)
      share.parts.push_back(float((std::min(end, double(p) + 1) - std::max(begin, double(p))) / (end - begin)));
  }
  return all;
}

}  // namespace

Pixels shrunk(const Pixels& picture, int width, int height) {
  width = std::clamp(width, 1, picture.width), height = std::clamp(height, 1, picture.height);
  if (width == picture.width && height == picture.height) return picture;
  const std::vector<Share> across = shares_of(picture.width, width), down = shares_of(picture.height, height);
  Pixels out{width, height, std::vector<uint8_t>(size_t(width) * size_t(height) * 4, 255)};
  std::vector<float> row(size_t(picture.width) * 3);
  for (int y = 0; y < height; ++y) {
    std::ranges::fill(row, 0.0f);
    for (size_t k = 0; k < down[size_t(y)].parts.size(); ++k) {
      const float part = down[size_t(y)].parts[k];
      const uint8_t* at = picture.rgba.data() + (size_t(down[size_t(y)].first) + k) * size_t(picture.width) * 4;
      for (size_t x = 0; x < size_t(picture.width); ++x)
        for (size_t c = 0; c < 3; ++c) row[x * 3 + c] += part * float(at[x * 4 + c]);
    }
    for (int x = 0; x < width; ++x) {
      const Share& share = across[size_t(x)];
      for (size_t c = 0; c < 3; ++c) {
        float sum = 0;
        for (size_t k = 0; k < share.parts.size(); ++k) sum += share.parts[k] * row[(size_t(share.first) + k) * 3 + c];
        out.rgba[(size_t(y) * size_t(width) + size_t(x)) * 4 + c] = uint8_t(std::clamp(std::lround(sum), 0L, 255L));
      }
    }
  }
  return out;
}

}  // namespace tilewalk
