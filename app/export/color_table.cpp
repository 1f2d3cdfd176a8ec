#include "app/export/color_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace tilewalk {
namespace {

struct Counted {
  uint32_t color, count;
};
using Colors = std::vector<Counted>;

int channel(uint32_t color, int k) { return int(color >> (16 - 8 * k) & 255); }

// Some of the colours, and along which channel they lie furthest apart.
struct Bunch {
  size_t begin, end;
  int wide_channel = 0, width = 0;
  uint64_t pixels = 0;
};

Bunch bunch_of(const Colors& all, size_t begin, size_t end) {
  Bunch bunch{begin, end};
  for (int k = 0; k < 3; ++k) {
    int least = 255, most = 0;
    for (size_t c = begin; c < end; ++c) {
      least = std::min(least, channel(all[c].color, k));
      most = std::max(most, channel(all[c].color, k));
    }
    if (most - least > bunch.width) bunch.width = most - least, bunch.wide_channel = k;
  }
  for (size_t c = begin; c < end; ++c) bunch.pixels += all[c].count;
  return bunch;
}

uint32_t mean_of(const Colors& all, const Bunch& bunch) {
  std::array<uint64_t, 3> sum{};
  for (size_t c = bunch.begin; c < bunch.end; ++c)
    for (int k = 0; k < 3; ++k) sum[size_t(k)] += uint64_t(channel(all[c].color, k)) * all[c].count;
  uint32_t mean = 0;
  for (const uint64_t each : sum) mean = mean << 8 | uint32_t((each + bunch.pixels / 2) / bunch.pixels);
  return mean;
}

std::vector<uint32_t> median_cut(Colors all, size_t most) {
  std::vector<Bunch> bunches{bunch_of(all, 0, all.size())};
  while (bunches.size() < most) {
    // The widest bunch is cut where half of its pixels lie on either side.
    const auto widest = std::ranges::max_element(bunches, {}, &Bunch::width);
    if (widest->width == 0) break;
    const Bunch cut = *widest;
    std::sort(all.begin() + std::ptrdiff_t(cut.begin), all.begin() + std::ptrdiff_t(cut.end),
              [&](const Counted& a, const Counted& b) {
                return std::pair(channel(a.color, cut.wide_channel), a.color) <
                       std::pair(channel(b.color, cut.wide_channel), b.color);
              });
    size_t middle = cut.begin + 1;
    for (uint64_t before = all[cut.begin].count; middle + 1 < cut.end && before * 2 < cut.pixels; ++middle)
      before += all[middle].count;
    *widest = bunch_of(all, cut.begin, middle);
    bunches.push_back(bunch_of(all, middle, cut.end));
  }
  std::vector<uint32_t> out;
  for (const Bunch& bunch : bunches) out.push_back(mean_of(all, bunch));
  return out;
}

uint8_t nearest(const std::vector<uint32_t>& colors, uint32_t color) {
  size_t best = 0;
  int least = std::numeric_limits<int>::max();
  for (size_t c = 0; c < colors.size(); ++c) {
    int apart = 0;
    for (int k = 0; k < 3; ++k) {
      const int d = channel(colors[c], k) - channel(color, k);
      apart += d * d;
    }
    if (apart < least) least = apart, best = c;
  }
  return uint8_t(best);
}

}  // namespace

ColorTable make_color_table(const ColorCounts& counts, size_t most) {
  Colors all;
  for (const auto& [color, count] : counts) all.push_back({color, count});
  std::ranges::sort(all, [](const Counted& a, const Counted& b) {
    return std::pair(b.count, a.color) < std::pair(a.count, b.color);
  });
  ColorTable table;
  const size_t exact = all.size() <= most ? all.size() : most / 2;
  for (size_t c = 0; c < exact; ++c) table.colors.push_back(all[c].color);
  if (exact < all.size()) {
    const auto rest = median_cut({all.begin() + std::ptrdiff_t(exact), all.end()}, most - exact);
    table.colors.insert(table.colors.end(), rest.begin(), rest.end());
  }
  for (const Counted& each : all) table.place[each.color] = nearest(table.colors, each.color);
  return table;
}

}  // namespace tilewalk
