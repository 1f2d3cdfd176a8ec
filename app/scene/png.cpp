#include "app/scene/png.h"

// Kept to this file, in case another library brings its own copy.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace tilewalk {
namespace {

constexpr int kJpegQuality = 88;  // of 100

bool agree(int width, int height, std::span<const uint8_t> rgba) {
  return width > 0 && height > 0 && rgba.size() == size_t{4} * static_cast<size_t>(width) * static_cast<size_t>(height);
}

void append(void* to, void* data, int size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<size_t>(size));
}

}  // namespace

std::string encode_png(int width, int height, std::span<const uint8_t> rgba) {
  std::string bytes;
  if (!agree(width, height, rgba)) return bytes;
  if (!stbi_write_png_to_func(append, &bytes, width, height, 4, rgba.data(), 4 * width)) bytes.clear();
  return bytes;
}

std::string encode_jpeg(int width, int height, std::span<const uint8_t> rgba) {
  std::string bytes;
  if (!agree(width, height, rgba)) return bytes;
  if (!stbi_write_jpg_to_func(append, &bytes, width, height, 4, rgba.data(), kJpegQuality)) bytes.clear();
  return bytes;
}

}  // namespace tilewalk
