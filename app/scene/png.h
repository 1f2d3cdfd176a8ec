// A picture of pixels as the bytes of a PNG or a JPEG file. Writing the file is the caller's (core/io/file.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tilewalk {

// `rgba` holds width * height pixels of 4 bytes, rows from the top, straight alpha. Empty if the sizes do not agree.
std::string encode_png(int width, int height, std::span<const uint8_t> rgba);

// The same as JPEG, whose pixels are opaque.
std::string encode_jpeg(int width, int height, std::span<const uint8_t> rgba);

}  // namespace tilewalk
