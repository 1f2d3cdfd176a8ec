#include "app/scene/exif.h"

#include <cstddef>
#include <cstdint>

namespace tilewalk {
namespace {

// Numbers of 2 or 4 bytes; 0 past the end.
struct Reader {
  std::string_view bytes;
  bool little = false;

  uint32_t number(size_t at, size_t count) const {
    if (at > bytes.size() || bytes.size() - at < count) return 0;
    uint32_t value = 0;
    for (size_t k = 0; k < count; ++k)
      value |= uint32_t(static_cast<unsigned char>(bytes[at + k])) << 8 * (little ? k : count - 1 - k);
    return value;
  }
};

int orientation_in(std::string_view tiff) {
  constexpr uint32_t kOrientation = 0x0112;
  const Reader in{tiff, tiff.starts_with("II")};
  const size_t list = in.number(4, 4);
  const size_t entries = in.number(list, 2);
  for (size_t k = 0; k < entries && list + 2 + 12 * k < tiff.size(); ++k) {
    const size_t entry = list + 2 + 12 * k;
    if (in.number(entry, 2) != kOrientation) continue;
    const uint32_t value = in.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? int(value) : 1;
  }
  return 1;
}

}  // namespace

int orientation_of_jpeg(std::string_view bytes) {
  using namespace std::string_view_literals;
  const Reader in{bytes, false};
  if (in.number(0, 2) != 0xFFD8) return 1;
  // Segments until the picture begins.
  for (size_t at = 2; in.number(at, 1) == 0xFF && in.number(at, 2) != 0xFFDA;) {
    const size_t length = in.number(at + 2, 2);
    if (length < 2) return 1;
    const std::string_view segment = bytes.substr(at + 4, length - 2);
    if (in.number(at, 2) == 0xFFE1 && segment.starts_with("Exif\0\0"sv)) return orientation_in(segment.substr(6));
    at += 2 + length;
    if (at >= bytes.size()) break;
  }
  return 1;
}

}  // namespace tilewalk
