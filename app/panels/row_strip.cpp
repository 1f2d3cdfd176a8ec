// The followed query row as a chart: a bar for each key's score, the running max m as a step line over them, and under
// each K tile what it did to alpha and l. Many keys are drawn several to a bar, thousands as an envelope.
#include "app/panels/column_parts.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/judge/shrinks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

// Neighbouring keys that share one bar.
struct Bar {
  int64_t first, count;
  int32_t tile;
  double low, high;  // of the keys that can be seen; high is -inf where all are masked
  bool seen;
};

class Strip {
 public:
  Strip(const Column& column, const RowTrace& trace, Rect card)
      : column_(column), scene_(column.scene), style_(column.style), trace_(trace), t_(column.tiling()), card_(card) {
    const float pad = column.px(16);
    inner_ = card.inset(pad, column.px(card.h >= column.px(200) ? 12 : 8));
    for (const Step& s : column.moment.steps) {
      if (s.i != column.moment.tile) continue;
      if (s.kind == StepKind::Score) scored_now_ = s.j;
      maxed_now_ = maxed_now_ || s.kind == StepKind::RowMax;
    }
    if (const Step* step = column.moment.step()) current_ = step->j;
    visits_ = trace.visits;
    if (trace.open) visits_.push_back(*trace.open);
  }

  void lay_out() {
    scene_.box(card_, style_.r_large(), style_[Role::Surface]);
    choose_rows();
    choose_scale();
    choose_bars();
    title();
    ground();
    bars();
    max_line();
    table();
    regions();
  }

 private:
  float px(float p) const { return style_.px(p); }
  float tile_left(int64_t j) const { return plot_.x + float(double(j * t_.bc) / double(t_.n_k)) * plot_.w; }
  float tile_right(int64_t j) const {
    return plot_.x + float(double(j * t_.bc + t_.cols(j)) / double(t_.n_k)) * plot_.w;
  }
  float tile_width() const { return tile_right(0) - tile_left(0); }
  float y_of(double value) const {
    const double v = std::clamp(value, low_, high_);
    return plot_.y + head_ + float((high_ - v) / (high_ - low_)) * (plot_.h - head_);
  }
  bool many_tiles() const { return t_.tc > 48; }
  bool takes_alpha() const {
    const Walk& walk = *column_.moment.walk;
    return alpha_use(walk.schedule, walk.plan().variant) != AlphaUse::None;
  }

  // The last visit of the row, at which the values in words stand.
  const RowTrace::Visit* last() const { return visits_.empty() ? nullptr : &visits_.back(); }
  bool open(size_t visit) const { return trace_.open && visit + 1 == visits_.size(); }
  std::string sum_words(size_t visit) const { return open(visit) ? "…" : num(visits_[visit].l); }

  // Which rows of numbers stand under the chart: per tile where they fit, else one line for the last tile.
  void choose_rows() {
    float widest = 0;
    for (size_t k = 0; k < visits_.size(); ++k) {
      widest = std::max(widest, text_width(sum_words(k), Face::Mono, style_.small()));
      widest = std::max(widest, text_width(num(visits_[k].alpha), Face::MonoBold, style_.small()));
    }
    gutter_ = px(26);
    plot_.x = inner_.x + gutter_;
    plot_.w = inner_.w - gutter_;
    widest = std::max(widest, text_width("0.000", Face::Mono, style_.small()));
    per_tile_ = tile_width() >= widest + px(8);
    named_tiles_ = card_.h >= px(190) &&
                   tile_width() >= text_width("K" + subscript(t_.tc), Face::SansBold, style_.small()) + px(6);
    const float number = text_width(std::to_string(t_.n_k), Face::Mono, style_.small());
    numbered_keys_ = card_.h >= px(214) && plot_.w / float(t_.n_k) >= number + px(4);

    const float title = px(26), row = px(21);
    float below = (per_tile_ ? (takes_alpha() ? 2.f : 1.f) : 1.f) * row + px(4);
    if (named_tiles_) below += row;
    if (numbered_keys_) below += px(19);
    plot_.y = inner_.y + title;
    plot_.h = inner_.h - title - below;
    head_ = px(20);
  }

  void choose_scale() {
    for (const RowTrace::Key& key : trace_.keys) {
      if (!std::isfinite(key.score)) continue;
      low_ = std::min(low_, key.score);
      high_ = std::max(high_, key.score);
    }
    if (high_ == low_) high_ = 1;
  }

  // As many keys to a bar as it takes to keep bars apart; a bar never spans two tiles unless tiles are thinner than
  // bars.
  void choose_bars() {
    const float least = px(3.2f);
    while (plot_.w / float((t_.n_k + group_ - 1) / group_) < least) group_ *= 2;
    const bool within_tiles = tile_width() >= least;
    for (int64_t c = 0; c < t_.n_k;) {
      const int64_t j = c / t_.bc;
      const int64_t stop = within_tiles ? std::min(c + group_, j * t_.bc + t_.cols(j)) : std::min(c + group_, t_.n_k);
      Bar bar{c, stop - c, int32_t(j), std::numeric_limits<double>::infinity(), kMinusInfinity, true};
      for (; c < stop; ++c) {
        const RowTrace::Key& key = trace_.keys[size_t(c)];
        bar.seen = bar.seen && key.seen;
        if (key.score == kMinusInfinity || std::isnan(key.score)) continue;
        bar.low = std::min(bar.low, key.score);
        bar.high = std::max(bar.high, key.score);
      }
      bars_.push_back(bar);
    }
    envelope_ = group_ >= 8;
  }

  void title() {
    const int64_t row = column_.query_row();
    std::string words = fmt::format("Row {}, score by score", row + 1);
    const Rect slot{inner_.x, inner_.y, inner_.w, px(24)};
    const float right = row_chevrons(column_, inner_);
    // Several keys to a bar must be said; the title gives way to it.
    const auto width = [&](const std::string& text) {
      return text_width(text, Face::SansBold, style_.number()) + px(1);
    };
    std::string note;
    if (group_ > 1)
      note = envelope_ ? fmt::format("low to high of {} keys", group_) : fmt::format("highest of {} keys", group_);
    const float note_width = group_ > 1 ? text_width(note, Face::Sans, style_.small()) + px(14) : 0;
    if (slot.x + width(words) + note_width > right) words = fmt::format("Row {}", row + 1);
    const float from = slot.x + width(words) + px(13);
    if (text_width(note, Face::Sans, style_.small()) > right - from) note = fmt::format("{} a bar", group_);
    scene_.label({slot.x, slot.y, width(words), slot.h}, words, Face::SansBold, style_.number(),
                 style_[Role::TextSecondary]);
    if (group_ > 1)
      fitted_label(scene_, style_, {from, slot.y, right - from, slot.h}, note, Face::Sans, style_.small(),
                   style_[Role::TextSecondary], Align::Right);
  }

  // What lies behind the bars: the tile on chip, borders between tiles, the line of zero.
  void ground() {
    if (!many_tiles())
      for (int64_t j = 0; j < t_.tc; ++j)
        if (column_.view.hover == fmt::format("tile:K/{}", j))
          scene_.box({tile_left(j), plot_.y, tile_right(j) - tile_left(j), inner_.bottom() - plot_.y}, style_.r_small(),
                     style_[Role::SurfaceStrong], style_[Role::Border], px(1));
    if (current_ >= 0 && current_ < t_.tc)
      scene_.box({tile_left(current_), plot_.y, std::max(tile_right(current_) - tile_left(current_), px(2)),
                  inner_.bottom() - plot_.y},
                 style_.r_small(), style_[Role::SurfaceStrong]);
    if (!many_tiles())
      for (int64_t j = 1; j < t_.tc; ++j)
        scene_.line({tile_left(j), plot_.y}, {tile_left(j), plot_.bottom()}, style_[Role::Border], px(1), px(3));
    scene_.line({plot_.x, y_of(0)}, {plot_.right(), y_of(0)}, style_[Role::TextSecondary], px(1));
    if (plot_.h >= px(60))
      scene_.label({inner_.x, y_of(0) - px(9), gutter_ - px(6), px(18)}, "0", Face::Mono, style_.small(),
                   style_[Role::TextSecondary], Align::Right);
  }

  void bars() {
    const Color strong = style_.palette.fill(Tensor::S), past = mix(style_[Role::Surface], strong, 0.5f);
    const float pitch = plot_.w / float(double(t_.n_k)) * float(group_);
    const float gap = envelope_ ? 0 : std::min(pitch * 0.16f, px(4));
    float masked_from = -1;
    for (const Bar& bar : bars_) {
      const float x0 = plot_.x + plot_.w * float(double(bar.first) / double(t_.n_k));
      const float x1 = plot_.x + plot_.w * float(double(bar.first + bar.count) / double(t_.n_k));
      if (bar.high == kMinusInfinity) {
        if (masked_from < 0) masked_from = x0;
        masked_to_ = x1;
        continue;
      }
      if (masked_from >= 0) masked(masked_from, masked_to_), masked_from = -1;

      // From zero, or from lowest to highest; a score that is coming in grows from zero.
      const bool now = bar.seen && bar.tile == current_;
      const float grow = scored_now_ == bar.tile ? column_.moment.phase : 1;
      const double from = envelope_ && bar.count > 1 ? bar.low : 0, to = bar.high;
      const float zero = y_of(0);
      float top = zero + (y_of(std::max(from, to)) - zero) * grow,
            bottom = zero + (y_of(std::min(from, to)) - zero) * grow;
      if (bottom - top < px(2)) bottom = top + px(2);
      const float width = std::min(std::max(x1 - x0 - gap, px(1)), px(56));
      const Rect r{(x0 + x1 - width) / 2, top, width, bottom - top};
      const float radius = envelope_ ? 0 : std::min(px(3), r.w / 4);
      if (bar.seen)
        scene_.box(r, radius, now ? strong : past);
      else if (r.w >= px(5))
        scene_.box(r, radius, {}, mix(style_[Role::Surface], strong, 0.75f), px(1.5f), px(3));
      else
        scene_.box(r, 0, mix(style_[Role::Surface], strong, 0.16f));
    }
    if (masked_from >= 0) masked(masked_from, masked_to_);
  }

  // A run of keys that the mask hides from the row.
  void masked(float x0, float x1) {
    const float y = y_of(0), key = plot_.w / float(double(t_.n_k));
    const Color color = style_[Role::TextSecondary];
    if (key >= px(11)) {
      for (float x = x0; x + key / 2 < x1; x += key) {
        const float cx = x + key / 2, d = px(4);
        scene_.line({cx - d, y - d - px(9)}, {cx + d, y + d - px(9)}, color, px(2));
        scene_.line({cx - d, y + d - px(9)}, {cx + d, y - d - px(9)}, color, px(2));
      }
      return;
    }
    const Rect r{x0, plot_.y + head_, x1 - x0, plot_.h - head_}, above{x0, r.y, r.w, y - r.y};
    scene_.box(r, style_.r_small(), {}, style_[Role::Ghost], px(1), px(4));
    if (r.w >= text_width("masked", Face::Sans, style_.small()) + px(12) && above.h >= px(24))
      scene_.label(above, "masked", Face::Sans, style_.small(), color, Align::Center);
  }

  // m after each visit, joined where visits are neighbours, and on to the keys that are still to come.
  void max_line() {
    std::vector<std::pair<int32_t, double>> levels;
    for (const RowTrace::Visit& v : visits_) levels.push_back({v.j, v.m});
    if (levels.empty()) {
      // Standard attention finds the max before any sum: it is on the chip but in no visit yet.
      const Resident* m = column_.moment.after.find(Tensor::M);
      if (!m || m->i != column_.moment.tile || !m->data) return;
      const double value = m->data->at(column_.moment.row, 0);
      if (value == kMinusInfinity) return;
      for (int32_t j = 0; j < t_.tc; ++j)
        if (trace_.keys[size_t(j * t_.bc)].seen) levels.push_back({j, value});
      if (levels.empty()) return;
    }
    const Color ink = style_[Role::Text];
    double before = kMinusInfinity;
    float before_y = 0;
    int32_t before_j = -2;
    for (size_t k = 0; k < levels.size(); ++k) {
      const auto [j, m] = levels[k];
      if (m == kMinusInfinity || std::isnan(m)) continue;
      const bool rises = before != kMinusInfinity && m > before, is_last = k + 1 == levels.size();
      float y = y_of(m);
      if (is_last && maxed_now_ && rises) y = before_y + (y - before_y) * column_.moment.phase;
      const float x0 = tile_left(j), x1 = tile_right(j);
      if (std::abs(j - before_j) == 1 && before != kMinusInfinity && y != before_y) {
        const float x = j > before_j ? x0 : x1;
        scene_.line({x, before_y + px(1.5f)}, {x, y - px(1.5f)}, ink, px(3));
      }
      scene_.line({x0, y}, {x1, y}, ink, px(3));
      label_max(j, m, y, x0, x1, is_last, before == kMinusInfinity || rises);
      if (is_last && levels.size() < size_t(t_.tc)) ahead(j, y);
      before = m;
      before_y = y;
      before_j = j;
    }
  }

  void label_max(int32_t, double m, float y, float x0, float x1, bool is_last, bool news) {
    const std::string words = "m " + num(m);
    const float size = style_.small(), width = text_width(words, Face::MonoBold, size) + px(2);
    const bool fits = width + px(4) <= x1 - x0;
    if (!is_last && !(news && fits)) return;
    float x = (x0 + x1 - width) / 2;
    x = std::clamp(x, plot_.x, plot_.right() - width);
    scene_.label({x, y - px(19), width, px(17)}, words, Face::MonoBold, size, style_[Role::Text]);
  }

  // The mark that keys still to come would have to beat.
  void ahead(int32_t j, float y) {
    const bool backwards = column_.plan().variant.last_to_first;
    const float x0 = backwards ? plot_.x : tile_right(j), x1 = backwards ? tile_left(j) : plot_.right();
    if (x1 - x0 > px(4)) scene_.line({x0, y}, {x1, y}, style_[Role::Ghost], px(1.5f), px(4));
  }

  void table() {
    float y = plot_.bottom() + px(4);
    const float row = px(21);
    const auto cell = [&](int64_t j) { return Rect{tile_left(j), y, tile_right(j) - tile_left(j), row}; };
    const auto head = [&](std::string_view words, Color color, Face face) {
      scene_.label({inner_.x, y, gutter_ - px(6), row}, words, face, style_.small(), color, Align::Right);
    };
    if (numbered_keys_) {
      for (int64_t c = 0; c < t_.n_k; ++c) {
        const float w = plot_.w / float(t_.n_k);
        scene_.label({plot_.x + float(c) * w, y, w, px(18)}, std::to_string(c + 1), Face::Mono, style_.small(),
                     style_[Role::TextSecondary], Align::Center);
      }
      y += px(19);
    }
    if (named_tiles_) {
      for (int64_t j = 0; j < t_.tc; ++j)
        scene_.label(cell(j), "K" + subscript(j + 1), Face::SansBold, style_.small(), style_.palette.ink(Tensor::K),
                     Align::Center);
      y += row;
    }
    if (!per_tile_) {
      if (!last()) return;
      const size_t k = visits_.size() - 1;
      std::string words = fmt::format("after {}:  ", "K" + subscript(last()->j + 1));
      if (takes_alpha()) words += fmt::format("α {}   ", num(last()->alpha));
      words += "l " + sum_words(k);
      fitted_label(scene_, style_, {plot_.x, y, plot_.w, row}, words, Face::Mono, style_.small(), style_[Role::Text]);
      return;
    }
    if (takes_alpha()) {
      head("α", style_[Role::AccentText], Face::MonoBold);
      for (size_t k = 1; k < visits_.size(); ++k) {
        const bool shrinks = visits_[k].alpha < 1 && visits_[k - 1].m != kMinusInfinity;
        scene_.label(cell(visits_[k].j), num(visits_[k].alpha), shrinks ? Face::MonoBold : Face::Mono, style_.small(),
                     style_[shrinks ? Role::AccentText : Role::TextSecondary], Align::Center);
      }
      y += row;
    }
    head("l", style_[Role::Text], Face::MonoBold);
    for (size_t k = 0; k < visits_.size(); ++k)
      scene_.label(cell(visits_[k].j), sum_words(k), k + 1 == visits_.size() ? Face::MonoBold : Face::Mono,
                   style_.small(), style_[Role::Text], Align::Center);
  }

  void regions() {
    if (many_tiles()) return;
    for (int64_t j = 0; j < t_.tc; ++j) {
      std::string tip = fmt::format("K tile {}", j + 1);
      for (size_t k = 0; k < visits_.size(); ++k)
        if (visits_[k].j == j)
          tip += fmt::format(": m {}, α {}, l {}", number_words(visits_[k].m, 6), number_words(visits_[k].alpha, 6),
                             open(k) ? "not yet" : number_words(visits_[k].l, 6));
      scene_.region({tile_left(j), plot_.y, tile_right(j) - tile_left(j), inner_.bottom() - plot_.y},
                    fmt::format("tile:K/{}", j), tip);
    }
  }

  const Column& column_;
  Scene& scene_;
  const Style& style_;
  const RowTrace& trace_;
  const Tiling& t_;
  Rect card_, inner_, plot_;
  std::vector<RowTrace::Visit> visits_;
  std::vector<Bar> bars_;
  double low_ = 0, high_ = 0;
  float gutter_ = 0, head_ = 0, masked_to_ = 0;
  int64_t group_ = 1;
  int32_t current_ = -1, scored_now_ = -1;
  bool maxed_now_ = false, per_tile_ = true, named_tiles_ = true, numbered_keys_ = false, envelope_ = false;
};

}  // namespace

void layout_row_strip(const Column& column, const RowTrace& trace, Rect card) { Strip(column, trace, card).lay_out(); }

}  // namespace tilewalk
