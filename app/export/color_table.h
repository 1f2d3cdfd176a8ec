// At most so many colours that stand for all those of a picture: the commonest ones as they are, so that grounds and
// fills stay exact, the rest (the edges of letters) gathered by median cut.
// Source: P. Heckbert, Color Image Quantization for Frame Buffer Display, SIGGRAPH 1982.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilewalk {

using ColorCounts = std::unordered_map<uint32_t, uint32_t>;  // 0xRRGGBB, pixels

struct ColorTable {
  std::vector<uint32_t> colors;                 // 0xRRGGBB
  std::unordered_map<uint32_t, uint8_t> place;  // of every colour that was counted
};
ColorTable make_color_table(const ColorCounts& counts, size_t most);  // most: 2..256

}  // namespace tilewalk
