#include "app/classroom/qr.h"

#include <qrencode.h>

#include <memory>

namespace tilewalk {

std::string qr_lines(std::string_view text) {
  const std::string whole(text);
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(QRcode_encodeString8bit(whole.c_str(), 0, QR_ECLEVEL_M),
                                                             QRcode_free);
  if (!code) return {};
  constexpr int kQuiet = 2;  // light modules around it
  const auto dark = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < code->width && y < code->width && (code->data[y * code->width + x] & 1) != 0;
  };
  // On a dark terminal the light modules are what is drawn.
  std::string lines;
  for (int y = -kQuiet; y < code->width + kQuiet; y += 2) {
    for (int x = -kQuiet; x < code->width + kQuiet; ++x) {
      const bool above = !dark(x, y), below = y + 1 < code->width + kQuiet && !dark(x, y + 1);
      lines += above && below ? "█" : above ? "▀" : below ? "▄" : " ";
    }
    lines += '\n';
  }
  return lines;
}

}  // namespace tilewalk
