// Proportions of the SRAM card.
#include "app/stage/pieces.h"
#include "app/text/text.h"

#include <algorithm>
#include <string>

namespace tilewalk {

SramPlan sram_plan(const Canvas& canvas, Rect card) {
  if (canvas.for_room) return room_sram_plan(canvas, card);
  const Style& st = canvas.style;
  const Tiling& t = canvas.tiling;
  const float s = st.scale, w = card.w / s, h = card.h / s;  // in design pixels
  const auto px = [&](float v) { return v * s; };
  const bool tight = h < 300;
  const float pad_x = w < 800 ? 12 : 20, pad_top = tight ? 6 : 12, pad_bottom = tight ? 13 : 10;
  const float label = tight ? 28 : 33, between = tight ? 34 : 41, foot = h < 240 ? 0 : 22;

  // Rows and columns of the full tiles, whatever the last one holds.
  const float rows = float(std::min(t.br, t.n_q)), keys = float(std::min(t.bc, t.n_k)), d = float(t.d);

  // Heights: K and V above, then everything that has a line per query row.
  const float tall = h - pad_top - pad_bottom - label - between - foot;
  const float row_most = rows <= 2 ? 110 : rows <= 4 ? 56 : 44;
  float low = std::min(tall * (tight ? 0.64f : 0.62f), rows * row_most);
  float high = std::min(tall - low, std::max(keys, d) * (std::max(keys, d) <= 2   ? 68
                                                         : std::max(keys, d) <= 4 ? 48
                                                                                  : 30));
  float slack = tall - low - high;

  // Widths: row numbers, Q, S, three statistics, O.
  const float gap_least = w < 620 ? 16 : w < 800 ? 20 : 34;
  const float stat = std::clamp(w * 0.078f, 50.0f, 100.0f), stat_gap = w < 620 ? 6 : w < 800 ? 8 : 14;
  const float digits =
      std::max(24.0f, text_width(std::string(std::to_string(t.n_q).size(), '8'), Face::SansBold, 14) + 13);
  const float stats = 3 * stat + 2 * stat_gap;
  const float room = w - 2 * pad_x - digits - stats - 3 * gap_least;
  const auto cell_most = [](float cells) { return cells <= 2 ? 96.0f : cells <= 4 ? 72.0f : 48.0f; };
  // A narrow card keeps the numbers of S and lets the inputs shrink.
  const float share_s = w < 620 ? 0.64f : w < 800 ? 0.44f : 0.38f, share_q = (1 - share_s) / 2;
  const float wq = std::min({room * share_q, d * cell_most(d), std::max(low, high) * 1.7f});
  const float ws = std::min({room * share_s, keys * cell_most(keys), low * 2.1f});
  const float wo = std::min({room * share_q, d * cell_most(d), std::max(low, high) * 1.7f});
  const float gap = gap_least + std::min((room - wq - ws - wo) / 3, 96.0f);
  const float used = digits + wq + ws + stats + wo + 3 * gap;
  const float x0 = pad_x + std::max(0.0f, (w - 2 * pad_x - used) / 2);

  const float y_high = pad_top + label + slack * 0.4f, y_between = y_high + high,
              y_low = y_between + between + slack * 0.3f;
  const float x_q = x0 + digits, x_s = x_q + wq + gap, x_m = x_s + ws + gap, x_o = x_m + stats + gap;
  const auto at = [&](float x, float y, float rw, float rh) {
    return Rect{card.x + px(x), card.y + px(y), px(rw), px(rh)};
  };

  SramPlan p;
  p.title = at(pad_x, pad_top, x_s - gap_least - pad_x, y_low - between - pad_top);
  p.q = at(x_q, y_low, wq, low);
  p.s = at(x_s, y_low, ws, low);
  p.o = at(x_o, y_low, wo, low);
  p.k = at(x_s, y_high, ws, high);
  p.v = at(x_o, y_high, wo, high);
  p.k_label = at(x_s, y_high - label, ws + gap + stats * 0.5f, label - 8);
  p.v_label = at(x_o, y_high - label, w - pad_x - x_o, label - 8);
  p.q_label = at(x_q, y_low - label, wq + gap - 10, label - 8);
  p.s_label = at(x_s, y_low - label, ws + gap - 8, label - 8);
  p.o_label = at(x_o, y_low - label, w - pad_x - x_o, label - 8);
  p.stat_labels = at(x_m, y_low - label, stats, label - 8);
  p.m = at(x_m, y_low, stat, low);
  p.alpha = at(x_m + stat + stat_gap, y_low, stat, low);
  p.l = at(x_m + 2 * (stat + stat_gap), y_low, stat, low);
  p.row_numbers = at(x_q - digits, y_low, digits, low);
  const bool o_outside = canvas.now.walk->spec.o_in_sram;
  p.registers = foot > 0 ? at(x_s, y_low + low + 5, (o_outside ? x_m + stats : x_o + wo) - x_s, foot - 5) : Rect{};
  return p;
}

}  // namespace tilewalk
