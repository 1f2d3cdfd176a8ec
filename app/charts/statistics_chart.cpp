#include "app/charts/statistics_chart.h"

#include "app/scene/fitted_label.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

double value(const std::vector<float>& all, const RowStatistics& s, int64_t tile, int64_t row) {
  return double(all[size_t(tile * s.rows + row)]);
}

// One visit of the row, as a line of the table.
struct Visit {
  int64_t tile;
  double m, m_simulated, l, l_simulated;
};

std::vector<Visit> visits_of(const RowStatistics& kernel, const RowStatistics& simulator, int64_t row,
                             bool last_to_first) {
  std::vector<Visit> out;
  for (int64_t n = 0; n < kernel.tiles; ++n) {
    const int64_t j = last_to_first ? kernel.tiles - 1 - n : n;
    const Visit v{j, value(kernel.m, kernel, j, row), value(simulator.m, simulator, j, row),
                  value(kernel.l, kernel, j, row), value(simulator.l, simulator, j, row)};
    if (!std::isnan(v.m) || !std::isnan(v.m_simulated)) out.push_back(v);
  }
  return out;
}

std::string apart(double a, double b) {
  if (a == b) return "0";
  return std::isfinite(a - b) ? number_words(a - b, 2) : "–";
}
std::string shown(double v) { return std::isnan(v) ? "–" : number_words(v, 6); }

}  // namespace

StatisticsGap statistics_gap(const RowStatistics& kernel, const RowStatistics& simulator) {
  StatisticsGap gap;
  const int64_t rows = std::min(kernel.rows, simulator.rows), tiles = std::min(kernel.tiles, simulator.tiles);
  for (int64_t row = 0; row < rows; ++row) {
    double largest = 0, worst = 0;
    for (int64_t j = 0; j < tiles; ++j) {
      const double m = value(kernel.m, kernel, j, row), m_simulated = value(simulator.m, simulator, j, row);
      const double l = value(kernel.l, kernel, j, row), l_simulated = value(simulator.l, simulator, j, row);
      if (std::isnan(m) != std::isnan(m_simulated)) {
        ++gap.missing;
        continue;
      }
      if (std::isnan(m)) continue;
      ++gap.compared;
      if (m != m_simulated) worst = std::max(worst, std::fabs(m - m_simulated));  // equal infinities do not differ
      if (std::isfinite(m_simulated)) largest = std::max(largest, std::fabs(m_simulated));
      if (l != l_simulated) gap.l = std::max(gap.l, std::fabs(l - l_simulated) / std::max(1e-30, std::fabs(l_simulated)));
    }
    if (worst > 0) gap.m = std::max(gap.m, worst / std::max(largest, 1e-30));
  }
  return gap;
}

void layout_statistics_chart(Scene& scene, const RowStatistics& kernel, const RowStatistics& simulator, int64_t row,
                             bool last_to_first, Rect area, const Style& style) {
  const auto px = [&](float p) { return style.px(p); };
  const std::vector<Visit> visits = visits_of(kernel, simulator, row, last_to_first);
  const StatisticsGap gap = statistics_gap(kernel, simulator);
  fitted_label(scene, style, {area.x, area.y, area.w, px(26)}, fmt::format("m and l of row {} after each tile", row + 1),
               Face::SansBold, style.number(), style[Role::Text]);
  const std::string words =
      gap.missing ? fmt::format("{} visits are in one of the two only.", with_commas(gap.missing))
                  : fmt::format("Over all rows: m within {} of the row's largest, l within {} of itself.",
                                number_words(gap.m, 2), number_words(gap.l, 2));
  fitted_label(scene, style, {area.x, area.y + px(26), area.w, px(24)}, words, Face::Sans, style.small(),
               gap.missing ? style[Role::WrongText] : style[Role::TextSecondary]);

  // Columns: tile, m on the GPU, in the simulator, their difference; the same of l. Narrow: the simulator's are left out.
  const bool wide = area.w >= px(620);
  struct ColumnOf {
    std::string_view head;
    float share;
  };
  const std::vector<ColumnOf> columns =
      wide ? std::vector<ColumnOf>{{"tile", 0.7f}, {"m, GPU", 1.3f}, {"m, simulator", 1.3f}, {"difference", 1},
                                   {"l, GPU", 1.3f}, {"l, simulator", 1.3f}, {"difference", 1}}
           : std::vector<ColumnOf>{{"tile", 0.6f}, {"m, GPU", 1.2f}, {"Δm", 1}, {"l, GPU", 1.2f}, {"Δl", 1}};
  float total = 0;
  for (const ColumnOf& c : columns) total += c.share;
  const float pitch = px(24);
  const auto put = [&](float y, const std::vector<std::string>& cells, Face face, Color color) {
    float x = area.x;
    for (size_t c = 0; c < columns.size(); ++c) {
      const float w = area.w * columns[c].share / total;
      if (!cells[c].empty())
        fitted_label(scene, style, {x, y, w - px(6), pitch}, cells[c], face, style.small(), color, Align::Right);
      x += w;
    }
  };
  float y = area.y + px(56);
  std::vector<std::string> heads;
  for (const ColumnOf& c : columns) heads.emplace_back(c.head);
  put(y, heads, Face::Sans, style[Role::TextSecondary]);
  y += pitch;
  scene.line({area.x, y}, {area.right(), y}, style[Role::Line], px(1));

  const int64_t room = std::max<int64_t>(1, int64_t((area.bottom() - y) / pitch));
  const int64_t count = int64_t(visits.size());
  const int64_t first = count <= room ? 0 : count - (room - 1);  // the last ones matter: they end in l
  if (first > 0) {
    fitted_label(scene, style, {area.x, y, area.w, pitch}, fmt::format("… {} tiles before", first), Face::Sans,
                 style.small(), style[Role::TextSecondary], Align::Left);
    y += pitch;
  }
  for (int64_t n = first; n < count; ++n, y += pitch) {
    const Visit& v = visits[size_t(n)];
    const std::string tile = std::to_string(v.tile + 1);
    put(y,
        wide ? std::vector<std::string>{tile, shown(v.m), shown(v.m_simulated), apart(v.m, v.m_simulated), shown(v.l),
                                        shown(v.l_simulated), apart(v.l, v.l_simulated)}
             : std::vector<std::string>{tile, shown(v.m), apart(v.m, v.m_simulated), shown(v.l),
                                        apart(v.l, v.l_simulated)},
        Face::Mono, style[Role::Text]);
  }
}

}  // namespace tilewalk
