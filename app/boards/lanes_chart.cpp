// The timing pass as a chart: the whole block as a strip of the tensor cores' work, and under it a window of some K/V
// tiles, a lane for each unit, within it a row for each warpgroup. The scale stays when the switches turn, so that what
// gets faster gets shorter.
#include "app/boards/fill_label.h"
#include "app/boards/kit.h"
#include "app/boards/lanes.h"
#include "app/scene/hatch.h"
#include "app/scene/step_color.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr double kWindow = 5;  // in the time of one K/V tile's products

// The letters on a step, the longest first.
std::vector<std::string> names_of(const Step& step) {
  using enum StepKind;
  const std::string j = subscript(step.j + 1);
  switch (step.kind) {
    case Score: return {"Q K" + j + "ᵀ", "S" + j};
    case Accumulate: return {"P V" + j, "PV", "O"};
    case Exponentiate: return {"exp S" + j, "e" + j};
    case LoadQ: return {"Q"};
    case LoadK: return {"K" + j, "K"};
    case LoadV: return {"V" + j, "V"};
    case StoreO:
    case StoreLse:
    case Normalize:
    case Rescale: return {std::string(words_of_step(step.kind)), "O"};
    default: return {std::string(words_of_step(step.kind))};
  }
}

std::string_view wait_words(Wait wait) {
  switch (wait) {
    case Wait::Data: return "for what it reads";
    case Wait::Buffer: return "for a free buffer";
    case Wait::Turn: return "for its turn";
    case Wait::Busy: return "for the unit";
    case Wait::Nothing:
    case Wait::Order: break;
  }
  return "";
}

std::string tip_of(const Timeline& timeline, const Interval& in) {
  const Step& step = timeline.step_of(in);
  const std::string who = in.warpgroup == kProducer   ? "the producer"
                          : in.warpgroup == kTogether ? "all warpgroups"
                                                      : fmt::format("warpgroup {}", in.warpgroup + 1);
  std::string tip = fmt::format("{}, K/V tile {}, {}: {} clock ticks from {} (model)", words_of_step(step.kind),
                                step.j + 1, who, with_commas(in.end - in.start), with_commas(in.start));
  if (in.start > in.ready && !wait_words(in.waited).empty())
    tip += fmt::format("; waited {} {}", with_commas(in.start - in.ready), wait_words(in.waited));
  return tip;
}

struct LaneRow {
  Lane which;
  std::string_view name;
  float weight;
};

class Chart {
 public:
  Chart(const BoardView& view, Rect area, const LaidBlock& block)
      : view_(view), st_(view.style), area_(area), block_(block), t_(block.timeline) {
    name_ = std::min(st_.px(128), area.w * 0.2f);
  }

  void lay_out() {
    const float strip = st_.px(22), line = st_.px(22);
    choose_window();
    lay_strip({area_.x, area_.y, area_.w, strip});
    const Rect plot{area_.x + name_, area_.y + strip + st_.px(18), area_.w - name_,
                    area_.h - strip - st_.px(18) - line};
    const float y = lay_lanes(plot) + st_.px(2);
    view_.text({plot.x, y, plot.w / 2, line - st_.px(2)}, fmt::format("clock tick {}", with_commas(begin_)), Face::Mono,
               st_.small(), Role::TextSecondary);
    view_.text({plot.x + plot.w / 2, y, plot.w / 2, line - st_.px(2)}, fmt::format("{} · model", with_commas(end_)),
               Face::Mono, st_.small(), Role::TextSecondary, Align::Right);
  }

 private:
  // From the first product of the chosen tile on, as wide whatever the switches say.
  void choose_window() {
    const int64_t width = int64_t(kWindow * double(block_.products));
    const auto tile = std::clamp<int64_t>(view_.state.step, 0, block_.tiles() - 1);
    begin_ = 0;
    if (tile > 0) {
      int64_t first = t_.ticks;
      for (const Interval& in : t_.intervals)
        if (t_.step_of(in).kind == StepKind::Score && t_.step_of(in).j == tile) first = std::min(first, in.start);
      begin_ = std::max<int64_t>(0, std::min(first - width / 16, t_.ticks - width));
    }
    end_ = begin_ + width;
  }

  void lay_strip(Rect r) {
    view_.text({r.x, r.y, name_ - st_.px(10), r.h}, "Whole block", Face::Sans, st_.number(), Role::TextSecondary);
    const Rect track{r.x + name_, r.y, r.w - name_, r.h};
    const auto x = [&](int64_t tick) {
      return track.x + float(double(track.w) * double(tick) / double(block_.serial));
    };
    view_.box({track.x, track.y, x(t_.ticks) - track.x, track.h}, 0, Role::SurfaceStrong);
    for (const Interval& in : t_.intervals)
      if (in.lane == Lane::Tensor)
        view_.box({x(in.start), track.y, std::max(x(in.end) - x(in.start), st_.px(0.5f)), track.h}, 0,
                  fill_of_step(st_.palette, t_.step_of(in).kind));
    // What the lanes below show.
    const Rect window{x(begin_) - st_.px(2), track.y - st_.px(4),
                      x(std::min(end_, block_.serial)) - x(begin_) + st_.px(4), track.h + st_.px(8)};
    view_.box(window, st_.px(4), {}, Role::Text, st_.px(2.5f));
    view_.region(
        {track.x, track.y - st_.px(4), x(t_.ticks) - track.x, track.h + st_.px(8)}, "board:strip",
        fmt::format("The block's {} clock ticks; press or ← → to look at another K/V tile", with_commas(t_.ticks)),
        true);
  }

  // Returns where they end.
  float lay_lanes(Rect plot) {
    std::vector<LaneRow> lanes{
        {Lane::Copy, "Copies", 0.8f}, {Lane::Tensor, "Tensor cores", 1.5f}, {Lane::Exponential, "Exponentials", 1.2f}};
    if (t_.busy[size_t(Lane::Vector)] > 0) lanes.push_back({Lane::Vector, "Vector unit", 0.9f});
    float weights = 0;
    for (const LaneRow& lane : lanes) weights += lane.weight;
    const float gap = std::min(st_.px(10), plot.h * 0.03f);
    const float unit = std::min((plot.h - gap * float(lanes.size() - 1)) / weights, st_.px(150));
    float y = plot.y;
    for (const LaneRow& lane : lanes) {
      lay_lane(lane, {plot.x, y, plot.w, unit * lane.weight});
      y += unit * lane.weight + gap;
    }
    return y - gap;
  }

  float x_of(const Rect& lane, int64_t tick) const {
    return lane.x + float(double(lane.w) * double(std::clamp(tick, begin_, end_) - begin_) / double(end_ - begin_));
  }

  void lay_lane(const LaneRow& lane, Rect r) {
    const bool tensor = lane.which == Lane::Tensor;
    const int rows = lane.which == Lane::Copy || !block_.overlap.ping_pong ? 1 : block_.overlap.warpgroups;
    view_.text({r.x - name_, r.y, name_ - st_.px(rows > 1 ? 26 : 10), r.h}, lane.name,
               tensor ? Face::SansBold : Face::Sans, tensor ? st_.body() : st_.number(), Role::Text);
    view_.box(r, 0, Role::Surface);
    const float row = r.h / float(rows);
    for (int g = 0; g < rows && rows > 1 && row >= st_.small(); ++g)
      view_.label({r.x - st_.px(24), r.y + float(g) * row, st_.px(16), row}, std::to_string(g + 1), Face::Mono,
                  st_.small(), Role::TextSecondary, Align::Right);
    if (tensor)
      for (const Gap& gap : gaps(t_, Lane::Tensor)) lay_gap(r, gap);
    for (size_t k = 0; k < t_.intervals.size(); ++k) {
      const Interval& in = t_.intervals[k];
      if (in.lane != lane.which || in.end == in.start || in.end <= begin_ || in.start >= end_) continue;
      const float y = in.warpgroup >= 0 && rows > 1 ? r.y + float(in.warpgroup) * row : r.y;
      const bool all = in.warpgroup < 0 || rows == 1;
      lay_bar({x_of(r, in.start), y, x_of(r, in.end) - x_of(r, in.start), all ? r.h : row}, in, k);
    }
  }

  void lay_bar(Rect bar, const Interval& in, size_t index) {
    if (bar.w < 0.5f) return;
    const Step& step = t_.step_of(in);
    const Color fill = fill_of_step(st_.palette, step.kind);
    const std::string id = fmt::format("interval:{}", index);
    view_.box(bar, st_.px(3), fill, view_.view.hover == id ? Role::Text : Role::Background,
              view_.view.hover == id ? st_.px(2.5f) : std::min(st_.px(1.5f), bar.w / 4));
    const float size = bar.h >= st_.px(22) ? st_.number() : st_.small();
    for (const std::string& words : names_of(step))
      if (bar.h >= size * 1.15f && text_width(words, Face::SansBold, size) + st_.px(8) <= bar.w) {
        label_on_fill(view_, bar.inset(st_.px(3), 0), words, Face::SansBold, size, fill, text_on(fill));
        break;
      }
    if (bar.w >= st_.px(3)) view_.region(bar, id, tip_of(t_, in));
  }

  void lay_gap(Rect lane, const Gap& gap) {
    if (gap.end <= begin_ || gap.begin >= end_) return;
    const Rect r{x_of(lane, gap.begin), lane.y, x_of(lane, gap.end) - x_of(lane, gap.begin), lane.h};
    if (r.w < st_.px(2)) return;
    view_.hatch(r, Role::WrongText, st_.px(9), st_.px(1.5f));
    view_.region(
        r, fmt::format("gap:{}", gap.begin),
        fmt::format("The tensor cores wait {} clock ticks from {} for {} (model)", with_commas(gap.end - gap.begin),
                    with_commas(gap.begin), gap.for_copy ? "a copy" : "the softmax"));
    const std::string_view words = gap.for_copy ? "waits for a copy" : "waits for the softmax";
    const std::string_view brief = gap.for_copy ? "copy" : "softmax";
    // A room reads a short word that is large.
    const bool room = !view_.hands && !view_.file;
    const float size = room ? st_.number() : st_.small(), beside = st_.px(room ? 10 : 16);
    for (std::string_view text : {room ? brief : words, brief}) {
      const float w = text_width(text, Face::SansBold, size), h = std::max(st_.px(22), size * 1.4f);
      if (w + beside > r.w) continue;
      const Rect slot{r.center().x - w / 2 - st_.px(5), r.center().y - h / 2, w + st_.px(10), h};
      view_.box(slot, st_.px(4), Role::Background);
      view_.label(slot, text, Face::SansBold, size, Role::WrongText, Align::Center);
      break;
    }
  }

  const BoardView& view_;
  const Style& st_;
  Rect area_;
  const LaidBlock& block_;
  const Timeline& t_;
  float name_ = 0;
  int64_t begin_ = 0, end_ = 1;
};

}  // namespace

void layout_lanes(const BoardView& view, Rect area, const LaidBlock& block) { Chart(view, area, block).lay_out(); }

}  // namespace tilewalk
