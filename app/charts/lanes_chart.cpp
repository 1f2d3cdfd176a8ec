#include "app/charts/lanes_chart.h"

#include "app/scene/fitted_label.h"
#include "app/text/text.h"
#include "core/machine/step.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilewalk {
namespace {

struct Look {
  Color fill, text;
};

// What the step's bar is painted in: the tensor it brings, makes or takes away; none for waiting.
std::optional<Look> look_of(const Stamp& stamp, const Palette& palette) {
  const auto kind = step_named(stamp.step);
  if (!kind) return std::nullopt;
  const auto tensor = [&](Tensor t) { return Look{palette.fill(t), palette.label_on(t)}; };
  switch (*kind) {
    case StepKind::LoadQ: return tensor(Tensor::Q);
    case StepKind::LoadK: return tensor(Tensor::K);
    case StepKind::LoadV: return tensor(Tensor::V);
    case StepKind::Score: return tensor(Tensor::S);
    case StepKind::Accumulate:
    case StepKind::Rescale:
    case StepKind::Denormalize:
    case StepKind::Normalize:
    case StepKind::LoadO:
    case StepKind::StoreO:
    case StepKind::Convert: return tensor(Tensor::O);
    default: return Look{palette[Role::Inverse], palette[Role::InverseText]};  // softmax: m, l, exponentials
  }
}

bool is_product(const Stamp& stamp) {
  const auto kind = step_named(stamp.step);
  return kind && info_of(*kind).engine == Engine::TensorCore;
}

struct Span {
  int64_t begin = 0, end = 1;
};

Span span_of(const KernelTrace& trace, int64_t tile) {
  std::optional<Span> span;
  for (const Stamp& s : trace.stamps) {
    if (tile >= 0 && s.tile != tile) continue;
    if (!span) span = Span{s.begin, s.end};
    span->begin = std::min(span->begin, s.begin);
    span->end = std::max(span->end, s.end);
  }
  if (!span) return {};
  span->end = std::max(span->end, span->begin + 1);
  return *span;
}

// 1, 2 or 5 times a power of ten, so that about `count` of them fill the span.
int64_t nice_step(int64_t span, int count) {
  const double raw = double(span) / std::max(1, count);
  const double power = std::pow(10, std::floor(std::log10(std::max(1.0, raw))));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return int64_t(factor * power);
  return int64_t(10 * power);
}

class Chart {
 public:
  Chart(Scene& scene, const KernelTrace& trace, const LanesView& view, Rect area, const Style& style)
      : scene_(scene), trace_(trace), view_(view), style_(style), area_(area), span_(span_of(trace, view.tile)) {
    float widest = 0;
    for (const std::string& lane : trace.lanes)
      widest = std::max(widest, text_width(lane, Face::Sans, style.small()));
    const float names = std::min(widest + px(14), area.w * 0.3f);
    plot_ = {area.x + names, area.y + px(34), area.w - names, area.h - px(34) - px(26) - px(26)};
  }

  void lay_out() {
    heading();
    const int lanes = int(trace_.lanes.size());
    if (!lanes || trace_.stamps.empty()) return;
    axis();
    const float pitch = std::min(plot_.h / float(lanes), px(96)), gap = std::min(px(12), pitch * 0.2f);
    for (int lane = 0; lane < lanes; ++lane)
      draw_lane(lane, {plot_.x, plot_.y + float(lane) * pitch, plot_.w, pitch - gap});
    legend();
  }

 private:
  float px(float p) const { return style_.px(p); }
  float x_of(int64_t clock) const {
    return plot_.x + plot_.w * float(double(clock - span_.begin) / double(span_.end - span_.begin));
  }

  void heading() {
    const Rect line{area_.x, area_.y, area_.w, px(26)};
    float right = line.right();
    if (view_.tile >= 0) {
      const std::string words = "Show all tiles";
      const float w = text_width(words, Face::SansBold, style_.small()) + px(24);
      const Rect button{line.right() - w, line.y - px(2), w, px(30)};
      scene_.box(button, style_.r_small(), style_[Role::SurfaceStrong]);
      scene_.label(button, words, Face::SansBold, style_.small(), style_[Role::Text], Align::Center);
      scene_.region(button, "zoom:all", "Back to the whole thread block", true);
      right = button.x - px(10);
    }
    const std::string slower =
        trace_.plain_ms > 0 ? fmt::format("; measured untraced {} ms, traced {} ms ({:.2f}×)", number_words(trace_.plain_ms),
                                          number_words(trace_.traced_ms), trace_.traced_ms / trace_.plain_ms)
                            : std::string();
    const std::string what = view_.tile >= 0 ? fmt::format("K/V tile {}", view_.tile + 1)
                                             : fmt::format("Q tile {}, all K/V tiles", trace_.block_row_tile + 1);
    fitted_label(scene_, style_, {line.x, line.y, right - line.x, line.h}, what + slower, Face::SansBold,
                 style_.number(), style_[Role::Text]);
  }

  void axis() {
    const int64_t step = nice_step(span_.end - span_.begin, int(plot_.w / px(150)) + 1);
    const float y = plot_.bottom();
    for (int64_t t = 0; t <= span_.end - span_.begin; t += step) {
      const float x = x_of(span_.begin + t);
      scene_.line({x, plot_.y}, {x, y}, style_[Role::Line], px(1));
      const std::string words = t == 0 ? "0 cycles" : with_commas(t);
      const float w = text_width(words, Face::Mono, style_.small());
      if (x + w + px(6) > plot_.right()) continue;
      scene_.label({x, y, w + px(2), px(24)}, words, Face::Mono, style_.small(), style_[Role::TextSecondary]);
    }
  }

  void draw_lane(int lane, Rect row) {
    fitted_label(scene_, style_, {area_.x, row.y, plot_.x - area_.x - px(10), row.h}, trace_.lanes[size_t(lane)],
                 Face::Sans, style_.small(), style_[Role::Text]);
    const bool both = std::any_of(trace_.stamps.begin(), trace_.stamps.end(),
                                  [&](const Stamp& s) { return s.lane == lane && is_product(s); });
    const float half = both ? (row.h - px(2)) / 2 : row.h;
    for (size_t n = 0; n < trace_.stamps.size(); ++n) {
      const Stamp& s = trace_.stamps[n];
      if (s.lane != lane || s.end < span_.begin || s.begin > span_.end) continue;
      const float left = std::max(plot_.x, x_of(s.begin)), right = std::min(plot_.right(), x_of(s.end));
      const bool lower = both && !is_product(s);
      bar(n, s, {left, lower ? row.bottom() - half : row.y, std::max(px(1), right - left), half});
    }
  }

  void bar(size_t n, const Stamp& s, Rect rect) {
    const auto look = look_of(s, style_.palette);
    const float radius = std::min(px(3), rect.w / 3);
    if (look)
      scene_.box(rect, radius, look->fill);
    else if (rect.w >= px(3))
      scene_.box(rect, radius, {}, style_[Role::Ghost], px(1.5f), px(4));
    const std::string name = look ? s.step : "waits";
    if (text_width(name, Face::Sans, style_.small()) + px(8) <= rect.w && rect.h >= px(18))
      scene_.label(rect, name, Face::Sans, style_.small(), look ? look->text : style_[Role::Text], Align::Center);
    scene_.region(rect, fmt::format("stamp:{}", n),
                  fmt::format("{}, K/V tile {}: {} cycles, from {} to {}", look ? s.step : "Waits", s.tile + 1,
                              with_commas(s.end - s.begin), with_commas(s.begin), with_commas(s.end)));
  }

  // What the colours mean, in the order of the algorithm, as far as there is room.
  void legend() {
    struct Entry {
      std::string_view words;
      std::optional<Color> fill;
    };
    const Palette& p = style_.palette;
    const Entry entries[] = {{"loads K", p.fill(Tensor::K)},      {"loads V", p.fill(Tensor::V)},
                             {"S = Q Kᵀ", p.fill(Tensor::S)},     {"softmax", p[Role::Inverse]},
                             {"O", p.fill(Tensor::O)}, {"waits", std::nullopt}};
    float x = plot_.x;
    const float y = plot_.bottom() + px(26);
    for (const Entry& e : entries) {
      const float w = text_width(e.words, Face::Sans, style_.small());
      if (x + px(20) + w > area_.right()) return;
      const Rect swatch{x, y + px(6), px(14), px(12)};
      if (e.fill)
        scene_.box(swatch, px(3), *e.fill);
      else
        scene_.box(swatch, px(3), {}, style_[Role::Ghost], px(1.5f), px(4));
      scene_.label({x + px(20), y, w + px(2), px(24)}, e.words, Face::Sans, style_.small(), style_[Role::Text]);
      x += px(20) + w + px(18);
    }
  }

  Scene& scene_;
  const KernelTrace& trace_;
  const LanesView& view_;
  const Style& style_;
  Rect area_, plot_;
  Span span_;
};

}  // namespace

void layout_lanes_chart(Scene& scene, const KernelTrace& trace, const LanesView& view, Rect area, const Style& style) {
  Chart(scene, trace, view, area, style).lay_out();
}

}  // namespace tilewalk
