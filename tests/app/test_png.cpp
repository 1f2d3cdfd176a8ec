#include "app/scene/png.h"

#include <doctest/doctest.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include <vector>

namespace tilewalk::test_png {

TEST_CASE("A PNG holds the pixels it was given") {
  constexpr int width = 37, height = 11;
  std::vector<uint8_t> pixels;
  for (int i = 0; i < width * height * 4; ++i) pixels.push_back(static_cast<uint8_t>(i * 31 + i / 7));
  const std::string png = encode_png(width, height, pixels);
  int w = 0, h = 0, channels = 0;
  stbi_uc* read = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()), &w,
                                        &h, &channels, 4);
  REQUIRE(read != nullptr);
  CHECK(w == width);
  CHECK(h == height);
  CHECK(std::vector<uint8_t>(read, read + w * h * 4) == pixels);
  stbi_image_free(read);
}

TEST_CASE("Sizes that do not agree give no picture") {
  const std::vector<uint8_t> pixels(4 * 4 * 4);
  CHECK(encode_png(4, 3, pixels).empty());
  CHECK(encode_png(0, 0, {}).empty());
  CHECK(encode_png(-2, -8, pixels).empty());
}

}  // namespace tilewalk::test_png
