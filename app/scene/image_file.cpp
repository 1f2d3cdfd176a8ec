#include "app/scene/image_file.h"

#include "app/scene/exif.h"
#include "app/scene/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Kept to this file, in case another library brings its own copy.
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb/stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace tilewalk {
namespace {

constexpr size_t kWorth = 2;  // a JPEG loses a little: it must be so many times smaller than the PNG

Pixels on_white(const uint8_t* rgba, int width, int height) {
  Pixels out{width, height, std::vector<uint8_t>(size_t(width) * size_t(height) * 4, 255)};
  for (size_t k = 0; k < out.rgba.size(); k += 4)
    for (size_t c = 0; c < 3; ++c)
      out.rgba[k + c] = uint8_t((rgba[k + c] * rgba[k + 3] + 255 * (255 - rgba[k + 3]) + 127) / 255);
  return out;
}

// As Exif counts the ways in which a camera can have been held.
Pixels upright(Pixels in, int orientation) {
  if (orientation <= 1) return in;
  const bool turned = orientation >= 5;
  Pixels out{turned ? in.height : in.width, turned ? in.width : in.height, std::vector<uint8_t>(in.rgba.size())};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      int fx = turned ? y : x, fy = turned ? x : y;
      if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) fx = in.width - 1 - fx;
      if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) fy = in.height - 1 - fy;
      const uint8_t* from = in.rgba.data() + (size_t(fy) * size_t(in.width) + size_t(fx)) * 4;
      std::copy_n(from, 4, out.rgba.data() + (size_t(y) * size_t(out.width) + size_t(x)) * 4);
    }
  return out;
}

std::string base64_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t k = 0; k < bytes.size(); k += 3) {
    uint32_t bits = 0;
    for (size_t b = 0; b < 3; ++b) bits = bits << 8 | (k + b < bytes.size() ? uint8_t(bytes[k + b]) : 0);
    for (size_t d = 0; d < 4; ++d) out += k + d <= bytes.size() ? kDigits[bits >> (18 - 6 * d) & 63] : '=';
  }
  return out;
}

}  // namespace

ReadImage read_image(std::string_view bytes) {
  if (bytes.size() > kMostImageBytes)
    return {nullptr, fmt::format("has more than {} MB; save it smaller", kMostImageBytes >> 20)};
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels))
    return {nullptr, "is neither PNG nor JPEG; export it as one of them"};
  if (int64_t(width) * height > kMostImagePixels)
    return {nullptr, fmt::format("has {} x {} pixels, more than {} million; save it smaller", width, height,
                                 kMostImagePixels / 1'000'000)};
  stbi_uc* decoded = stbi_load_from_memory(data, int(bytes.size()), &width, &height, &channels, 4);
  if (!decoded) return {nullptr, "is damaged; export it again"};
  Pixels picture = on_white(decoded, width, height);
  stbi_image_free(decoded);
  picture = upright(std::move(picture), orientation_of_jpeg(bytes));
  const double by = std::min({1.0, double(kImageWidth) / picture.width, double(kImageHeight) / picture.height});
  if (by < 1)
    picture = shrunk(picture, std::max(1, int(picture.width * by + 0.5)), std::max(1, int(picture.height * by + 0.5)));
  return {std::make_shared<const Pixels>(std::move(picture)), {}};
}

std::string image_data(const Pixels& given, int widest) {
  const Pixels picture = given.width > widest
                             ? shrunk(given, widest, std::max(1, int(int64_t(given.height) * widest / given.width)))
                             : given;
  const std::string png = encode_png(picture.width, picture.height, picture.rgba);
  const std::string jpeg = encode_jpeg(picture.width, picture.height, picture.rgba);
  return jpeg.size() * kWorth < png.size() ? "data:image/jpeg;base64," + base64_of(jpeg)
                                           : "data:image/png;base64," + base64_of(png);
}

}  // namespace tilewalk
