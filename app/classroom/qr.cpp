#include "app/classroom/qr.h"

#include <qrencode.h>

#include <memory>

namespace tilewalk {

std::vector<std::string> qr_rows(std::string_view text) {
  const std::string whole(text);
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(QRcode_encodeString8bit(whole.c_str(), 0, QR_ECLEVEL_M),
                                                             QRcode_free);
  std::vector<std::string> rows(code ? size_t(code->width) : 0);
  for (size_t y = 0; y < rows.size(); ++y)
    for (int x = 0; x < code->width; ++x) rows[y] += (code->data[int(y) * code->width + x] & 1) != 0 ? '#' : ' ';
  return rows;
}

std::string qr_lines(std::string_view text) {
  const std::vector<std::string> rows = qr_rows(text);
  if (rows.empty()) return {};
  constexpr int kQuiet = 2;  // light modules around it
  const int width = int(rows.size());
  const auto dark = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < width && rows[size_t(y)][size_t(x)] == '#';
  };
  // On a dark terminal the light modules are what is drawn.
  std::string lines;
  for (int y = -kQuiet; y < width + kQuiet; y += 2) {
    for (int x = -kQuiet; x < width + kQuiet; ++x) {
      const bool above = !dark(x, y), below = y + 1 < width + kQuiet && !dark(x, y + 1);
      lines += above && below ? "█" : above ? "▀" : below ? "▄" : " ";
    }
    lines += '\n';
  }
  return lines;
}

}  // namespace tilewalk
