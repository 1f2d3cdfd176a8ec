#include "app/scene/wash.h"

#include "app/scene/color_math.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tilewalk {
namespace {

// One line of `count` pixels, `stride` bytes apart: each becomes the mean of itself and `blur` neighbours either way.
void blur_line(uint8_t* line, int count, int stride, int blur, std::vector<uint8_t>& copy) {
  copy.resize(size_t(count));
  for (int channel = 0; channel < 3; ++channel) {
    for (int k = 0; k < count; ++k) copy[size_t(k)] = line[k * stride + channel];
    const auto at = [&](int k) { return int(copy[size_t(std::clamp(k, 0, count - 1))]); };
    int sum = 0;
    for (int k = -blur; k <= blur; ++k) sum += at(k);
    for (int k = 0; k < count; ++k) {
      line[k * stride + channel] = uint8_t((sum + blur) / (2 * blur + 1));
      sum += at(k + blur + 1) - at(k - blur);
    }
  }
}

}  // namespace

void wash_picture(std::span<uint8_t> rgba, int width, int height, float room_contrast, int blur) {
  if (width <= 0 || height <= 0 || rgba.size() != size_t(width) * size_t(height) * 4) return;
  // The room's light is the same for every channel and every pixel.
  std::array<uint8_t, 256> lit{};
  for (int v = 0; v < 256; ++v) lit[size_t(v)] = washed({uint8_t(v), uint8_t(v), uint8_t(v), 255}, room_contrast).r;
  for (size_t k = 0; k < rgba.size(); ++k)
    if (k % 4 != 3) rgba[k] = lit[rgba[k]];
  if (blur <= 0) return;
  std::vector<uint8_t> copy;
  for (int y = 0; y < height; ++y) blur_line(rgba.data() + size_t(y) * size_t(width) * 4, width, 4, blur, copy);
  for (int x = 0; x < width; ++x) blur_line(rgba.data() + size_t(x) * 4, height, width * 4, blur, copy);
}

}  // namespace tilewalk
