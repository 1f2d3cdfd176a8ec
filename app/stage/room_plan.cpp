// Proportions of the SRAM picture in front of a room: the same places as in app/stage/sram_plan.cpp, but the statistics
// are wide enough for the numbers that carry the step, and there is no card around.
#include "app/stage/pieces.h"
#include "app/text/text.h"

#include <algorithm>
#include <string>

namespace tilewalk {

SramPlan room_sram_plan(const Canvas& canvas, Rect area) {
  const Tiling& t = canvas.tiling;
  const float s = canvas.style.scale, w = area.w / s, h = area.h / s;  // in design pixels
  const float rows = float(std::min(t.br, t.n_q)), keys = float(std::min(t.bc, t.n_k)), d = float(t.d);

  // K and V above; below, with the most room, everything that has a line per query row.
  const float name = 22, label = 26, between = 31;
  const float tall = h - label - between, row_most = rows <= 2 ? 76 : rows <= 4 ? 56 : 44;
  const float low = std::min(tall * 0.78f, rows * row_most);
  const float high = std::min(tall - low, 84.0f), slack = tall - low - high;

  const float digits =
      std::max(24.0f, text_width(std::string(std::to_string(t.n_q).size(), '8'), Face::SansBold, 14) + 13);
  const float stat = kRoomStatWidth, stat_gap = 8, stats = 3 * stat + 2 * stat_gap, gap_least = 22;
  const float room = w - digits - stats - 3 * gap_least;
  const float ws = std::min({room * 0.45f, keys * 64, low * 2.1f});
  const float wq = std::min({room * 0.25f, d * 64, std::max(low, high) * 1.7f}), wo = wq;
  const float gap = gap_least + std::max(0.0f, (room - wq - ws - wo) / 3);

  const float y_high = label + slack * 0.4f, y_low = y_high + high + between + slack * 0.3f;
  const float x_q = digits, x_s = x_q + wq + gap, x_m = x_s + ws + gap, x_o = x_m + stats + gap;
  const auto at = [&](float x, float y, float rw, float rh) {
    return Rect{area.x + x * s, area.y + y * s, rw * s, rh * s};
  };
  SramPlan p;
  p.title = at(0, 0, x_s - gap_least, y_low - between);
  p.q = at(x_q, y_low, wq, low);
  p.s = at(x_s, y_low, ws, low);
  p.o = at(x_o, y_low, wo, low);
  p.k = at(x_s, y_high, ws, high);
  p.v = at(x_o, y_high, wo, high);
  p.k_label = at(x_s, y_high - label, ws + gap + stats / 2, name);
  p.v_label = at(x_o, y_high - label, w - x_o, name);
  p.q_label = at(x_q, y_low - label, wq + gap - 8, name);
  p.s_label = at(x_s, y_low - label, ws + gap - 8, name);
  p.o_label = at(x_o, y_low - label, w - x_o, name);
  p.stat_labels = at(x_m, y_low - label - 4, stats, name + 4);
  p.m = at(x_m, y_low, stat, low);
  p.alpha = at(x_m + stat + stat_gap, y_low, stat, low);
  p.l = at(x_m + 2 * (stat + stat_gap), y_low, stat, low);
  p.row_numbers = at(0, y_low, digits, low);
  return p;
}

}  // namespace tilewalk
