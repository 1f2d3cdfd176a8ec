// Two schedules on the same inputs, side by side: each with its SRAM, its lanes of traffic and its DRAM. The lanes show
// what sets them apart: FA1 moves O, m and l at every visit, standard attention moves S and P, FA2 neither.
#include "app/stage/pieces.h"
#include "app/stage/room.h"
#include "app/stage/stage.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array kLanes{Tensor::Q, Tensor::K, Tensor::V, Tensor::O, Tensor::M, Tensor::S, Tensor::P};

struct Lane {
  int64_t up = 0, down = 0;
};

// What is counted here: bytes on and off the chip, whatever lies behind the link.
std::string link_words(const Canvas& canvas) { return left_out(canvas.view, "l2") ? "Memory ↔ chip" : "L2 ↔ SM"; }

// m, l and L share a lane.
Lane lane_of(const Meters& meters, Tensor tensor) {
  if (tensor != Tensor::M) return {meters.loaded[size_t(tensor)], meters.stored[size_t(tensor)]};
  Lane lane;
  for (Tensor t : {Tensor::M, Tensor::L, Tensor::Lse})
    lane = {lane.up + meters.loaded[size_t(t)], lane.down + meters.stored[size_t(t)]};
  return lane;
}

// What of them the walk moves: "m, l" where they come and go, "L" where that alone is kept.
std::string_view name_of_statistics(const Moment& moment) {
  const Meters& all = moment.walk->total.total;
  return all.loaded[size_t(Tensor::M)] + all.stored[size_t(Tensor::M)] ? "m, l" : "L";
}

// A broad arrow, up or down, as wide as its share of the bytes.
void broad_arrow(const Canvas& canvas, float x, Rect rect, float width, bool up, Color color) {
  const float head = std::min(rect.h * 0.4f, width * 0.7f + canvas.px(5)), wing = width / 2 + canvas.px(4);
  const float tip = up ? rect.y : rect.bottom(), neck = up ? rect.y + head : rect.bottom() - head;
  const float tail = up ? rect.bottom() : rect.y;
  canvas.scene.box({x - width / 2, std::min(neck, tail), width, std::fabs(tail - neck)}, 0, color);
  if (up)
    canvas.scene.polygon({{x, tip}, {x + wing, neck}, {x - wing, neck}}, color);
  else
    canvas.scene.polygon({{x, tip}, {x - wing, neck}, {x + wing, neck}}, color);
}

void layout_lanes(Canvas& canvas, Rect rect, int64_t most) {
  const Style& st = canvas.style;
  canvas.card(rect, st[Role::Surface], st[Role::Line], st.px(1.5f));
  canvas.scene.region(rect, "level:l2",
                      "What crosses between L2 and the multiprocessor, per tensor: up into SRAM, down to memory.");
  const Meters& meters = canvas.now.after.meters;
  const float line = st.px(20), name = st.px(74), w = (rect.w - st.px(24) - name) / float(kLanes.size());
  canvas.fit({rect.x + st.px(12), rect.y + st.px(6), name, line},
             {link_words(canvas), left_out(canvas.view, "l2") ? "↔ chip" : "L2"}, Face::SansBold, st.small(),
             st[Role::Text]);
  const bool numbers = rect.h >= st.px(78);
  for (size_t n = 0; n < kLanes.size(); ++n) {
    const Tensor tensor = kLanes[n];
    const Lane lane = lane_of(meters, tensor);
    const bool stat = is_statistic(tensor);
    if (stat && left_out(canvas.view, "statistics")) continue;
    const Rect column{rect.x + st.px(12) + name + float(n) * w, rect.y + st.px(6), w, rect.h - st.px(12)};
    const bool any = lane.up + lane.down > 0;
    const Color ink = any ? st.palette.ink(tensor) : st[Role::TextSecondary];
    canvas.fit({column.x, column.y, w, line}, {stat ? name_of_statistics(canvas.now) : symbol_of(tensor)},
               Face::SansBold, st.small(), ink, Align::Center);
    const Rect shaft{column.x, column.y + line + st.px(2), w, column.h - line - st.px(4) - (numbers ? line : 0)};
    const Color color = stat ? st[Role::Text] : st.palette.fill(tensor);
    const auto width = [&](int64_t bytes) {
      return st.px(4) +
             std::sqrt(float(double(bytes) / double(std::max<int64_t>(1, most)))) * std::min(w * 0.3f, st.px(22));
    };
    const bool both = lane.up && lane.down;
    if (lane.up) broad_arrow(canvas, column.center().x - (both ? w * 0.2f : 0), shaft, width(lane.up), true, color);
    if (lane.down)
      broad_arrow(canvas, column.center().x + (both ? w * 0.2f : 0), shaft, width(lane.down), false, color);
    if (!any) {
      const float x = column.center().x;
      canvas.scene.line({x, shaft.y}, {x, shaft.bottom()}, st[Role::Border], st.px(1.5f), st.px(4));
    }
    if (numbers && any)
      canvas.fit({column.x, column.bottom() - line, w, line}, {short_bytes(lane.up + lane.down), ""}, Face::Sans,
                 st.small(), st[Role::Text], Align::Center);
    canvas.scene.region(
        column, stat ? "stat-lane" : fmt::format("lane:{}", symbol_of(tensor)),
        fmt::format("{}: {} up into SRAM, {} down to memory so far.", stat ? "m, l and L" : symbol_of(tensor),
                    bytes_words(lane.up), bytes_words(lane.down)));
  }
}

int64_t widest_lane(const Moment& moment) {
  int64_t most = 1;
  for (Tensor tensor : kLanes) {
    const Lane lane = lane_of(moment.walk->total.total, tensor);
    most = std::max({most, lane.up, lane.down});
  }
  return most;
}

// Whole-walk bytes of both on one scale, this one's solid so far.
void layout_bytes(Canvas& canvas, Rect rect, int64_t most) {
  const Style& st = canvas.style;
  const Meters &now = canvas.now.after.meters, &all = canvas.now.walk->total.total;
  const int64_t so_far = now.fill_bytes() + now.drain_bytes(), total = all.fill_bytes() + all.drain_bytes();
  const float line = st.px(20), bar = st.px(10);
  const float y = rect.y + std::max(0.0f, (rect.h - line - bar - st.px(4)) / 2);
  canvas.runs({rect.x, y, rect.w, line},
              {{link_words(canvas), Face::SansBold, st.small(), st[Role::Text]},
               {fmt::format("{} of {}, computed", counted_bytes(so_far), counted_bytes(total)), Face::Sans, st.small(),
                st[Role::TextSecondary]}},
              st.px(8));
  const float scale = rect.w / float(double(std::max<int64_t>(1, most)));
  const Rect track{rect.x, y + line + st.px(4), std::max(bar, float(total) * scale), bar};
  canvas.scene.box(track, bar / 2, st[Role::Background], st[Role::Text], st.px(1.5f));
  if (so_far > 0)
    canvas.scene.box({track.x, track.y, std::max(bar, float(so_far) * scale), bar}, bar / 2, st[Role::Inverse]);
  canvas.scene.region(rect, "ledger:fill",
                      fmt::format("{}: {} of {} between L2 and the multiprocessor, computed from the steps.",
                                  canvas.now.walk->schedule.name, bytes_words(so_far), bytes_words(total)));
}

// Whether both say the same: nothing is on either yet, or both have done the same, on the same keys.
bool alike(const Moment& first, const Moment& second) {
  if (!first.step()) return true;
  return !second.waits && first.words.caption == second.words.caption;
}

int64_t link_bytes(const Moment& m) { return m.walk->total.total.fill_bytes() + m.walk->total.total.drain_bytes(); }

}  // namespace

void layout_stage_pair(Scene& scene, const Session& session, const Moment& first, const Moment& second,
                       const ViewState& view, Rect area, const Style& style) {
  const float s = style.scale, w = area.w / s, h = area.h / s;
  const float pad_x = w < 800 ? 12 : 24, pad_y = h < 560 ? 8 : 14, gap = (h < 560 ? 6 : 10) * s;
  const Rect in{area.x + pad_x * s, area.y + pad_y * s, area.w - 2 * pad_x * s, area.h - 2 * pad_y * s};
  const float between = (w < 800 ? 12 : 24) * s, half = (in.w - between) / 2;

  // One caption for both where they say the same.
  const bool both = alike(first, second);
  const float caption = caption_height(style, half, area.h);
  const float top = in.y + caption + gap, height = in.bottom() - top;
  const float head = (h < 640 ? 26 : 52) * s, lanes = (h >= 760 ? 112 : h >= 640 ? 80 : 56) * s;
  const float bytes = (h >= 640 ? 42 : h >= 480 ? 38 : 0) * s;
  const float rest = height - head - lanes - bytes - gap * (bytes > 0 ? 3 : 2);
  const float dram = std::clamp(rest * 0.36f, 100 * s, 260 * s), sram = rest - dram;
  const int64_t most_lane = std::max(widest_lane(first), widest_lane(second));
  const int64_t most_bytes = std::max(link_bytes(first), link_bytes(second));

  const Moment* moments[] = {&first, &second};
  for (int n = 0; n < 2; ++n) {
    Canvas canvas(scene, session, *moments[n], view, style);
    const float x = in.x + float(n) * (half + between);
    if (!both)
      layout_caption(canvas, {x, in.y, half, caption});
    else if (n == 0)
      layout_caption(canvas, {in.x, in.y, in.w, caption_height(style, in.w, area.h)}, !first.step());
    float y = top;
    const Schedule& schedule = moments[n]->walk->schedule;
    const Rect name{x, y, half, std::min(head, 28 * s)};
    const std::string where = whereabouts(*moments[n]);
    const std::string title = where.empty() ? std::string(schedule.title) : where;
    if (head > 40 * s) {
      canvas.fit(name, {schedule.name}, Face::SansBold, style.heading(), style[Role::Text]);
      canvas.fit({x, y + 28 * s, half, 22 * s}, {title}, Face::Sans, style.small(), style[Role::TextSecondary]);
    } else {
      const float used = canvas.fit(name, {schedule.name}, Face::SansBold, style.body(), style[Role::Text]);
      canvas.fit({x + used + 10 * s, y, half - used - 10 * s, name.h}, {title, title.substr(0, title.find(';'))},
                 Face::Sans, style.small(), style[Role::TextSecondary]);
    }
    y += head;
    layout_sram(canvas, {x, y, half, sram});
    y += sram + gap;
    layout_lanes(canvas, {x, y, half, lanes}, most_lane);
    y += lanes + gap;
    layout_dram(canvas, {x, y, half, dram});
    y += dram + gap;
    if (bytes > 0) layout_bytes(canvas, {x, y, half, bytes}, most_bytes);
    layout_motion(canvas);
  }
}

void layout_room_pair(Scene& scene, const Session& session, const Moment& first, const Moment& second,
                      const ViewState& view, Rect area, const Style& style) {
  const float caption = style.px(58), name = style.px(30), number = style.px(42), bar = style.px(14), gap = style.px(8),
              between = style.px(36), lanes = style.px(128);
  {
    // The sentence is the first walk's: it says so where the second one is at something else.
    Moment told = first;
    if (!alike(first, second))
      told.words.caption = fmt::format("{}: {}", first.walk->schedule.name, first.words.caption);
    Canvas canvas(scene, session, told, view, style);
    layout_room_caption(canvas, {area.x, area.y, area.w, caption});
  }
  const float half = (area.w - between) / 2, top = area.y + caption + gap;
  const float sram = area.bottom() - top - name - lanes - number - bar - 4 * gap;
  const int64_t most_lane = std::max(widest_lane(first), widest_lane(second));
  const int64_t most_bytes = std::max(link_bytes(first), link_bytes(second));
  const Moment* moments[] = {&first, &second};
  for (int n = 0; n < 2; ++n) {
    Canvas canvas(scene, session, *moments[n], view, style);
    const float x = area.x + float(n) * (half + between);
    float y = top;
    const Moment& moment = *moments[n];
    const float used =
        canvas.fit({x, y, half, name}, {moment.walk->schedule.name}, Face::SansBold, style.title(), style[Role::Text]);
    const std::string says = moment.waits ? moment.words.caption : whereabouts(moment);
    const float left = half - used - style.px(12);
    if (text_width(says, Face::Sans, style.small()) <= left)
      canvas.fit({x + used + style.px(12), y, left, name}, {says}, Face::Sans, style.small(),
                 style[moment.waits ? Role::AccentText : Role::Text]);
    y += name;
    layout_sram(canvas, {x, y, half, sram});
    y += sram + gap;
    layout_lanes(canvas, {x, y, half, lanes}, most_lane);
    y += lanes + gap;

    // What crossed so far, and its bar within the whole walk's on one scale.
    const Meters &now = moment.after.meters, &all = moment.walk->total.total;
    const int64_t so_far = now.fill_bytes() + now.drain_bytes(), total = all.fill_bytes() + all.drain_bytes();
    canvas.runs({x, y, half, number},
                {{counted_bytes(so_far), Face::SansBold, style.display(), style[Role::Text]},
                 {fmt::format("of {}, L2 ↔ SM", counted_bytes(total)), Face::Sans, style.small(), style[Role::Text]}},
                style.px(10));
    y += number + gap;
    const float scale = half / float(double(std::max<int64_t>(1, most_bytes)));
    const Rect track{x, y, std::max(bar, float(total) * scale), bar};
    scene.box(track, bar / 2, style[Role::Background], style[Role::Text], style.px(1.5f));
    if (so_far > 0) scene.box({x, y, std::max(bar, float(so_far) * scale), bar}, bar / 2, style[Role::Inverse]);
    layout_motion(canvas);
  }
}

}  // namespace tilewalk
