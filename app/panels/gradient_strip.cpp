// The followed query row of a backward walk as two charts, key by key: the weights P that are made again, and the dS
// that they lead to. A row's P add up to 1 and its dS to 0; what the walk has not reached yet is dashed.
#include "app/panels/column_parts.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

class GradientStrip {
 public:
  GradientStrip(const Column& column, const GradientTrace& trace, Rect card)
      : column_(column), scene_(column.scene), style_(column.style), trace_(trace), t_(column.tiling()), card_(card) {
    inner_ = card.inset(px(16), px(card.h >= px(200) ? 12 : 8));
    while (bar_width() < px(3.2f)) group_ *= 2;
    if (const Step* step = column.moment.step()) current_ = step->j;
  }

  void lay_out() {
    scene_.box(card_, style_.r_large(), style_[Role::Surface]);
    title();
    named_ = card_.h >= px(190);
    const float top = inner_.y + px(28), bottom = inner_.bottom() - px(named_ ? 21 : 0), gap = px(10);
    const float line = px(20), h = (bottom - top - gap) / 2;
    ground(top, bottom);
    chart("P", Tensor::P, {inner_.x + gutter(), top, inner_.w - gutter(), h}, line, false);
    chart("dS", Tensor::DS, {inner_.x + gutter(), top + h + gap, inner_.w - gutter(), h}, line, true);
    if (named_) tiles(bottom);
  }

 private:
  float px(float p) const { return style_.px(p); }
  float gutter() const { return px(30); }
  float x_of(int64_t key) const {
    return inner_.x + gutter() + (inner_.w - gutter()) * float(double(key) / double(t_.n_k));
  }
  float bar_width() const { return (inner_.w - gutter()) / float((t_.n_k + group_ - 1) / group_); }

  void title() {
    const int64_t row = column_.query_row();
    const float right = row_chevrons(column_, inner_);
    std::string words = fmt::format("Row {}, key by key", row + 1);
    const std::string note = fmt::format("L {}  D {}", number_words(trace_.lse), number_words(trace_.d));
    const float note_w = text_width(note, Face::Mono, style_.small()) + px(1);
    if (text_width(words, Face::SansBold, style_.number()) + note_w + px(14) > right - inner_.x)
      words = fmt::format("Row {}", row + 1);
    const float words_w = text_width(words, Face::SansBold, style_.number()) + px(1);
    scene_.label({inner_.x, inner_.y, words_w, px(24)}, words, Face::SansBold, style_.number(),
                 style_[Role::TextSecondary]);
    if (inner_.x + words_w + px(12) + note_w <= right)
      scene_.label({right - note_w, inner_.y, note_w, px(24)}, note, Face::Mono, style_.small(), style_[Role::Text],
                   Align::Right);
  }

  // The tile on chip, and the borders between tiles.
  void ground(float top, float bottom) {
    if (t_.tc > 48) return;
    if (current_ >= 0)
      scene_.box({x_of(current_ * t_.bc), top, x_of(current_ * t_.bc + t_.cols(current_)) - x_of(current_ * t_.bc),
                  inner_.bottom() - top},
                 style_.r_small(), style_[Role::SurfaceStrong]);
    for (int64_t j = 1; j < t_.tc; ++j)
      scene_.line({x_of(j * t_.bc), top}, {x_of(j * t_.bc), bottom}, style_[Role::Border], px(1), px(3));
  }

  void chart(std::string_view letter, Tensor tensor, Rect area, float line, bool gradient) {
    const auto value = [&](const GradientTrace::Key& key) { return gradient ? key.ds : key.p; };
    double low = 0, high = 0, sum = 0;
    bool all = true, any = false;
    for (const GradientTrace::Key& key : trace_.keys) {
      low = std::min(low, value(key));
      high = std::max(high, value(key));
      const bool made = gradient ? key.graded : key.weighed;
      if (made) sum += value(key);
      any |= made;
      all &= made || key.hidden;
    }
    if (high == low) high = low + 1;
    const Rect plot{area.x, area.y + line, area.w, area.h - line - px(4)};
    const auto y_of = [&](double v) { return plot.y + float((high - v) / (high - low)) * plot.h; };
    scene_.label({inner_.x, y_of(0) - px(10), gutter() - px(4), px(20)}, letter, Face::SansBold, style_.small(),
                 style_.palette.ink(tensor));
    scene_.region({inner_.x, y_of(0) - px(10), gutter() - px(4), px(20)}, fmt::format("word:{}", letter),
                  gradient ? "dS: how the loss changes with each score." : "P: the row's weights, made again.");
    // A rounded sum of nothing but rounding is 0.
    if (std::fabs(sum) < 1e-12) sum = 0;
    const std::string words = !any  ? "not made yet"
                              : all ? fmt::format("all add up to {}", num(sum))
                                    : fmt::format("add up to {} so far", num(sum));
    fitted_label(scene_, style_, {area.x, area.y, area.w, line}, words, Face::Sans, style_.small(),
                 style_[Role::TextSecondary], Align::Right);

    const Color strong = style_.palette.fill(tensor), past = mix(style_[Role::Surface], strong, 0.5f);
    const float gap = std::min(bar_width() * 0.16f, px(4));
    for (int64_t first = 0; first < t_.n_k; first += group_) {
      const int64_t end = std::min(t_.n_k, first + group_);
      double v = 0;
      bool made = true;
      for (int64_t c = first; c < end; ++c) {
        const GradientTrace::Key& key = trace_.keys[size_t(c)];
        if (std::fabs(value(key)) > std::fabs(v)) v = value(key);
        made &= gradient ? key.graded : key.weighed;
      }
      const float x0 = x_of(first) + gap / 2, x1 = x_of(end) - gap / 2;
      float top = std::min(y_of(v), y_of(0)), bottom = std::max(y_of(v), y_of(0));
      if (bottom - top < px(1.5f)) bottom = top + px(1.5f);
      const Rect bar{x0, top, std::max(x1 - x0, px(1)), bottom - top};
      const float radius = std::min({px(3), bar.w / 4, bar.h / 2});
      const bool now = trace_.keys[size_t(first)].tile == current_;
      if (made)
        scene_.box(bar, radius, now ? strong : past);
      else if (bar.w >= px(5) && bar.h >= px(4))
        scene_.box(bar, radius, {}, mix(style_[Role::Surface], strong, 0.75f), px(1.5f), px(3));
      else
        scene_.box(bar, 0, mix(style_[Role::Surface], strong, 0.25f));
    }
    scene_.line({plot.x, y_of(0)}, {plot.right(), y_of(0)}, style_[Role::TextSecondary], px(1));
  }

  void tiles(float y) {
    if (t_.tc > 48) return;
    for (int64_t j = 0; j < t_.tc; ++j) {
      const Rect cell{x_of(j * t_.bc), y, x_of(j * t_.bc + t_.cols(j)) - x_of(j * t_.bc), px(21)};
      const std::string name = "K" + subscript(j + 1);
      if (cell.w >= text_width(name, Face::SansBold, style_.small()) + px(4))
        scene_.label(cell, name, Face::SansBold, style_.small(), style_.palette.ink(Tensor::K), Align::Center);
      double p = 0, ds = 0;
      for (const GradientTrace::Key& key : trace_.keys)
        if (key.tile == j) p += key.p, ds += key.ds;
      scene_.region({cell.x, inner_.y + px(28), cell.w, inner_.bottom() - inner_.y - px(28)},
                    fmt::format("tile:K/{}", j),
                    fmt::format("K tile {}: the row's P there add up to {}, its dS to {}", j + 1, number_words(p, 6),
                                number_words(ds, 6)));
    }
  }

  const Column& column_;
  Scene& scene_;
  const Style& style_;
  const GradientTrace& trace_;
  const Tiling& t_;
  Rect card_, inner_;
  int64_t group_ = 1, current_ = -1;
  bool named_ = true;
};

}  // namespace

void layout_gradient_strip(const Column& column, const GradientTrace& trace, Rect card) {
  GradientStrip(column, trace, card).lay_out();
}

}  // namespace tilewalk
