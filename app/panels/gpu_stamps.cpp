// Who waits for whom: the clock stamps of one thread block, a lane for each warp group, a bar for each step in its
// tensor's colour, hatched where it waits. Zooms to one K/V tile. Beside it, what tracing cost.
#include "app/panels/gpu_parts.h"
#include "app/scene/step_color.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace tilewalk {
namespace {

std::string_view words_of(std::string_view step) {
  const std::optional<StepKind> kind = step_named(step);
  return kind ? info_of(*kind).name : std::string_view("Wait");
}

constexpr int64_t kMostTileButtons = 12;

}  // namespace

void layout_gpu_stamps(const Column& c, Rect area, const GpuRow& row) {
  if (!row.result || !row.result->trace || row.result->trace->stamps.empty())
    return layout_nothing(c, area, fmt::format("No clock stamps of {} at this shape", row.name),
                          by_a_run(c, "they are small enough to be traced"));
  const Style& s = c.style;
  const KernelTrace& trace = *row.result->trace;
  std::set<int64_t> tiles;
  int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const Stamp& stamp : trace.stamps)
    if (stamp.tile >= 0) tiles.insert(stamp.tile);
  const int64_t zoom = tiles.contains(c.view.gpu.tile) ? c.view.gpu.tile : -1;
  for (const Stamp& stamp : trace.stamps)
    if (zoom < 0 || stamp.tile == zoom) begin = std::min(begin, stamp.begin), end = std::max(end, stamp.end);
  if (end <= begin) return layout_nothing(c, area, "The stamps span no time", "Run the kernel again (R).");

  // Zoom, then the price of tracing.
  const float control = s.px(34);
  std::vector<Option> zooms{{"-1", "All tiles", "All that was stamped"}};
  int64_t shown = 0;
  for (int64_t tile : tiles)
    if (++shown <= kMostTileButtons)
      zooms.push_back({std::to_string(tile), fmt::format("K{}", subscript(tile + 1)),
                       fmt::format("Zooms to K/V tile {}", tile + 1)});
  const float wide = std::min(area.w, s.px(88) + float(zooms.size()) * s.px(56));
  const bool room = c.view.present.on;  // has no hands
  if (!room) layout_segments(c, {area.x, area.y, wide, control}, "gpu-tile", zooms, std::to_string(zoom), control);
  const float taken = room ? 0 : segments_height(c, zooms, wide, control);
  std::string cost;
  const double plain = trace.plain_ms;  // taken as the traced time is
  if (plain > 0 && trace.traced_ms > 0)
    cost =
        fmt::format("{}Traced {}, untraced {}: {:.2f}×. All other times are the untraced kernel's.",
                    row.recorded ? "◆ " : "", time_words(trace.traced_ms), time_words(plain), trace.traced_ms / plain);
  // The steps that are seen, and how many lines of legend they take.
  const auto in_view = [&](const Stamp& stamp) {
    return (zoom < 0 || stamp.tile == zoom) && stamp.lane >= 0 && size_t(stamp.lane) < trace.lanes.size();
  };
  std::vector<std::string_view> seen;
  for (const Stamp& stamp : trace.stamps)
    if (in_view(stamp) && std::ranges::find(seen, words_of(stamp.step)) == seen.end())
      seen.push_back(words_of(stamp.step));
  const auto entry_width = [&](std::string_view words) {
    return s.px(26) + text_width(words, Face::Sans, s.number()) + s.px(24);
  };
  float used = 0;
  int lines = 1;
  for (std::string_view words : seen) {
    if (used > 0 && used + entry_width(words) - s.px(24) > area.w) used = 0, ++lines;
    used += entry_width(words);
  }
  lines = std::min(lines, area.h > s.px(320) ? 3 : 1);
  const float line = s.px(28), legend = line * float(lines), price = cost.empty() ? 0 : s.px(28);
  const Rect chart{area.x, area.y + taken + s.px(14), area.w, area.h - taken - s.px(14) - legend - price};
  const float name = s.px(124), axis = s.px(26);
  const size_t lanes = std::max<size_t>(1, trace.lanes.size());
  const Rect plot{chart.x + name, chart.y, chart.w - name, chart.h - axis};
  const float pitch = std::min(plot.h / float(lanes), s.px(190));
  const float bottom = plot.y + pitch * float(lanes);
  const auto x_of = [&](int64_t cycle) {
    return plot.x + float(double(plot.w) * double(cycle - begin) / double(end - begin));
  };
  for (size_t lane = 0; lane < trace.lanes.size(); ++lane) {
    const Rect r{chart.x, plot.y + float(lane) * pitch, chart.w, pitch};
    c.scene.line({r.x, r.y}, {r.right(), r.y}, c.color(Role::Line), s.px(1));
    fitted_label(c.scene, s, {r.x, r.y, name - s.px(10), r.h}, trace.lanes[lane], Face::SansBold, s.number(),
                 c.color(Role::Text));
  }
  for (const Stamp& stamp : trace.stamps) {
    if (!in_view(stamp)) continue;
    const float x = x_of(stamp.begin), w = std::max(s.px(1), x_of(stamp.end) - x);
    const Rect bar{x, plot.y + float(stamp.lane) * pitch + s.px(8), w, pitch - s.px(16)};
    const std::optional<StepKind> kind = step_named(stamp.step);
    if (!kind) {
      c.scene.box(bar, 0, {}, c.color(Role::Ghost), s.px(1));
      if (bar.w > s.px(4)) hatch(c.scene, bar, c.color(Role::Ghost), s.px(8), s.px(1.4f));
    } else {
      // Steps on one tensor lie side by side: an edge in the ground's colour keeps them apart.
      c.scene.box(bar, s.px(2), fill_of_step(s.palette, *kind), c.color(Role::Background), std::min(s.px(1), w / 4));
      const std::string_view words = words_of(stamp.step);
      if (text_width(words, Face::SansBold, s.small()) + s.px(10) < bar.w && bar.h > s.px(20))
        c.scene.label(bar.inset(s.px(4), 0), words, Face::SansBold, s.small(), text_on(fill_of_step(s.palette, *kind)),
                      Align::Center);
    }
    if (bar.w >= s.px(3))
      c.scene.region(bar, fmt::format("gpu:stamp/{}/{}/{}", stamp.lane, stamp.tile, stamp.begin),
                     fmt::format("{}: {}{}, {} cycles from {}", trace.lanes[size_t(stamp.lane)], words_of(stamp.step),
                                 stamp.tile < 0 ? "" : fmt::format(" of tile {}", stamp.tile + 1),
                                 with_commas(stamp.end - stamp.begin), with_commas(stamp.begin)),
                     false);
  }
  c.scene.line({plot.x, bottom}, {plot.right(), bottom}, c.color(Role::Text), s.px(1.5f));
  fitted_label(c.scene, s, {plot.x, bottom, plot.w / 2, axis}, fmt::format("cycle {}", with_commas(begin)), Face::Mono,
               s.small(), c.color(Role::TextSecondary));
  fitted_label(c.scene, s, {plot.x + plot.w / 2, bottom, plot.w / 2, axis}, with_commas(end), Face::Mono, s.small(),
               c.color(Role::TextSecondary), Align::Right);

  // Legend: a swatch for each step that was seen.
  float x = area.x, y = bottom + axis + s.px(4);
  for (std::string_view words : seen) {
    const float w = text_width(words, Face::Sans, s.number());
    if (x > area.x && x + s.px(26) + w > area.right()) {
      if (--lines == 0) break;
      x = area.x, y += line;
    }
    const Rect swatch{x, y + s.px(7), s.px(18), s.px(16)};
    if (const std::optional<StepKind> kind = step_named(words)) {
      c.scene.box(swatch, s.px(2), fill_of_step(s.palette, *kind));
    } else {
      c.scene.box(swatch, 0, {}, c.color(Role::Ghost), s.px(1));
      hatch(c.scene, swatch, c.color(Role::Ghost), s.px(6), s.px(1.4f));
    }
    c.scene.label({x + s.px(26), y, w, s.px(30)}, words, Face::Sans, s.number(), c.color(Role::Text));
    x += entry_width(words);
  }
  if (!cost.empty())
    fitted_label(c.scene, s, {area.x, y + s.px(30), area.w, price}, cost, Face::SansBold, s.number(),
                 c.color(Role::Text));
}

}  // namespace tilewalk
