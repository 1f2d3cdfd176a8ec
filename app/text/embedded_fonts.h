// The font files inside the program, as bytes.
#pragma once

#include <cstddef>
#include <span>

namespace tilewalk {

// In the order of FontId (app/text/fonts.h).
std::span<const std::byte> embedded_font(int font);

}  // namespace tilewalk
