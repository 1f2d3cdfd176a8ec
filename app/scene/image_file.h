// Pictures of others, PNG and JPEG, as pixels, and pixels as what an SVG or a page carries within itself.
#pragma once

#include "app/scene/pixels.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tilewalk {

constexpr uint64_t kMostImageBytes = 32 << 20;
constexpr int64_t kMostImagePixels = 50'000'000;
constexpr int kImageWidth = 3840, kImageHeight = 2160;  // larger ones are shrunk to what the largest wall shows

// Upright, on white where it lets light through. `fault` goes on behind the file's name: "is neither PNG nor JPEG".
struct ReadImage {
  std::shared_ptr<const Pixels> pixels;  // null: see `fault`
  std::string fault;
};
ReadImage read_image(std::string_view bytes);

// "data:image/png;base64,...", or as JPEG where that is much smaller, as photos are; at most `widest` pixels across.
std::string image_data(const Pixels& picture, int widest);

}  // namespace tilewalk
