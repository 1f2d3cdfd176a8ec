// An address as a QR code for a terminal: two rows of modules a line, in half blocks.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

// Empty where this build has no libqrencode, or the text is too long.
std::string qr_lines(std::string_view text);

}  // namespace tilewalk
