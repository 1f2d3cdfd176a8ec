// The bars of the board "estimate": what each roof takes by itself, on one axis of time.
#include "app/boards/estimate_parts.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<Roof, kRoofCount> kOrder{Roof::Tensor, Roof::Exponential, Roof::Vector,
                                              Roof::Sram,   Roof::L2,          Roof::Dram};
constexpr float kBindingRow = 1.7f;  // of the others
constexpr std::string_view kNotConfirmed = " (not confirmed)";

// "1.07 G"
std::string thousands(double value) {
  constexpr std::array<std::string_view, 6> kPrefix{"", " k", " M", " G", " T", " P"};
  size_t k = 0;
  while (value >= 999.5 && k + 1 < kPrefix.size()) value /= 1000, ++k;
  return fmt::format("{}{}", number_words(value), kPrefix[k]);
}

struct Mark {
  double time;
  std::string words;
  bool own;  // the schedule's own time
};

// Overlapped and serial, and between them what the method's schedule makes of it; close ones become one.
std::vector<Mark> marks_of(const EstimateNow& now) {
  const Estimate& e = now.chosen;
  const auto time = [](double seconds) { return amount(seconds, "s"); };
  const std::string_view name = info_of(now.method).name;
  std::vector<Mark> out;
  if (e.time <= e.overlapped * 1.005) {
    out.push_back({e.overlapped, fmt::format("{} takes {}, all overlapped", name, time(e.time)), true});
  } else {
    out.push_back({e.overlapped, fmt::format("if all overlapped, {}", time(e.overlapped)), false});
    out.push_back({e.time, fmt::format("{} takes {}", name, time(e.time)), true});
  }
  if (e.serial > e.time * 1.005)
    out.push_back({e.serial, fmt::format("if one after the other, {}", time(e.serial)), false});
  return out;
}

}  // namespace

std::string work_words(Roof roof, double value) {
  if (is_bandwidth(roof)) return amount(value, "byte");
  return roof == Roof::Tensor ? amount(value, "flop") : thousands(value);
}

std::string rate_words(Roof roof, const Rate& rate) {
  const std::string words = is_bandwidth(roof)     ? amount(rate.value, "byte/s")
                            : roof == Roof::Tensor ? amount(rate.value, "flop/s")
                                                   : thousands(rate.value) + "/s";
  return rate.verified ? words : words + std::string(kNotConfirmed);
}

std::vector<EstimateRow> estimate_rows(const EstimateNow& now) {
  const Estimate& e = now.chosen;
  std::vector<EstimateRow> rows;
  for (const Roof roof : kOrder) {
    const double work = roof == Roof::Dram ? e.dram_bytes : now.work.total(roof);
    if (!(work > 0)) continue;
    const auto& rate = roof == Roof::Tensor ? now.roofs.tensor(info_of(now.method).estimate.multiply) : now.roofs[roof];
    if (rate)
      rows.push_back({name_of(roof), key_of(roof), e[roof],
                      fmt::format("= {} ÷ {}", work_words(roof, work), rate_words(roof, *rate)), rate->source,
                      roof == e.binds});
    else
      rows.push_back({name_of(roof), key_of(roof), std::nullopt, work_words(roof, work), "", roof == e.binds});
  }
  if (const size_t launches = e.passes.size(); e.launch > 0)
    rows.push_back(
        {"launch", "launch", e.launch,
         launches == 1 ? "of a kernel that does nothing" : fmt::format("of {} kernels that do nothing", launches),
         now.roofs.launch->source, false});
  return rows;
}

// What is counted, where the row's name does not say it (core/roofline/work.h).
static std::string_view meaning_of(const EstimateRow& row) {
  return row.key == key_of(Roof::Vector)
             ? "forward: scale, max, subtract and sum of each score, and O's rescale where it is rescaled; "
             : "";
}

void layout_estimate_bars(const BoardView& view, Rect area, const EstimateNow& now) {
  const Style& st = view.style;
  const Estimate& e = now.chosen;
  const std::vector<EstimateRow> rows = estimate_rows(now);
  const float name = st.px(area.w < st.px(900) ? 118 : 150);
  const float head = st.px(24), axis_room = st.px(28);
  const Rect plot{area.x + name, area.y + head, area.w - name - st.px(16), area.h - head - axis_room};
  const double most = std::max(e.serial, e.time) * 1.01;
  const auto x = [&](double time) { return plot.x + plot.w * float(time / most); };

  // The axis below, and where overlapped and serial work end.
  const Axis axis{0, most, Axis::Scale::Linear, plot.x, plot.right()};
  for (const double tick : axis.ticks(int(plot.w / st.px(150)))) {
    const float at = axis.at(tick);
    view.line({at, plot.bottom()}, {at, plot.bottom() + st.px(6)}, Role::Border, st.px(1.5f));
    const float w = st.px(110), from = std::min(at - w / 2, area.right() - w);
    view.label({tick == 0 ? at : from, plot.bottom() + st.px(8), w, st.px(20)}, amount(tick, "s"), Face::Mono,
               st.small(), Role::TextSecondary, tick == 0 ? Align::Left : Align::Center);
  }
  view.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, Role::Border, st.px(1.5f));
  const std::vector<Mark> marks = marks_of(now);
  std::vector<LabelPlace> wanted;
  for (const Mark& mark : marks) {
    const float w = text_width(mark.words, mark.own ? Face::SansBold : Face::Sans, st.number()) + st.px(4);
    wanted.push_back({x(mark.time) - w, w});  // its right end at the line
  }
  const std::vector<float> placed = place_apart(wanted, area.x, area.right(), st.px(20));
  for (size_t k = 0; k < marks.size(); ++k) {
    const Mark& mark = marks[k];
    view.line({x(mark.time), plot.y - st.px(2)}, {x(mark.time), plot.bottom()}, mark.own ? Role::Text : Role::Ghost,
              st.px(mark.own ? 3 : 2), mark.own ? 0 : st.px(6));
    view.label({placed[k], area.y, wanted[k].size, head}, mark.words, mark.own ? Face::SansBold : Face::Sans,
               st.number(), mark.own ? Role::Text : Role::TextSecondary);
  }

  float units = 0;
  for (const EstimateRow& row : rows) units += row.binds ? kBindingRow : 1;
  const float unit = std::min(plot.h / std::max(1.0f, units), st.px(66));
  float y = plot.y;
  for (const EstimateRow& row : rows) {
    const bool binds = row.binds;
    const float h = unit * (binds ? kBindingRow : 1);
    const Rect line{area.x, y, area.w, h};
    y += h;
    const Face bold = binds ? Face::SansBold : Face::Sans;
    const float text = h < st.number() * 1.5f ? st.small() : st.number();
    view.text({line.x, line.y, name - st.px(12), h}, row.name, bold,
              binds ? std::min(st.caption(), std::max(st.small(), h * 0.7f)) : text, Role::Text, Align::Right);
    if (!row.time) {
      view.text({plot.x + st.px(10), line.y, plot.w * 0.6f, h}, fmt::format("{}; its rate is not known here", row.how),
                Face::Sans, text, Role::TextSecondary);
      continue;
    }
    const float air = std::max(st.px(2), h * 0.14f), end = x(*row.time);
    const Rect bar_area{plot.x, line.y + air, std::max(st.px(6), end - plot.x), h - 2 * air};
    if (binds)
      view.box(bar_area, st.px(3), Role::Inverse);
    else
      bar(view, bar_area, 1, Role::Text, BarLook::Model);
    // The number behind the bar, or in it where the room is used up; then how it comes about.
    const std::string number = amount(*row.time, "s");
    const float size = binds ? std::clamp(h * 0.6f, st.small(), st.title()) : text;
    const float w = text_width(number, binds ? Face::MonoBold : Face::Mono, size) + st.px(4);
    const float how_w = text_width(row.how, Face::Sans, st.small()) + st.px(4);
    const auto clear = [&](float from, float to) {  // of the marks' lines
      return std::ranges::none_of(
          marks, [&](const Mark& m) { return x(m.time) > from - st.px(4) && x(m.time) < to + st.px(4); });
    };
    float from = end + st.px(10);
    // Neither lies on a line: what would goes behind it.
    const auto past_lines = [&](float at, float width) {
      for (const Mark& mark : marks)
        if (!clear(at, at + width) && x(mark.time) > at - st.px(4)) at = std::max(at, x(mark.time) + st.px(8));
      return at;
    };
    if (binds && bar_area.w > w + how_w + st.px(40)) {
      view.label({bar_area.x + st.px(12), line.y, w, h}, number, Face::MonoBold, size, Role::InverseText);
      view.label({bar_area.x + w + st.px(24), line.y, how_w, h}, row.how, Face::Sans, st.small(), Role::InverseText);
    } else {
      from = past_lines(from, w);
      if (from + w > area.right()) {  // in the bar, at its end
        view.label({end - st.px(10) - w, line.y, w, h}, number, binds ? Face::MonoBold : Face::Mono, size,
                   binds ? Role::InverseText : Role::Text);
      } else {
        view.label({from, line.y, w, h}, number, binds ? Face::MonoBold : Face::Mono, size, Role::Text);
        const float at = past_lines(from + w + st.px(10), how_w);
        if (at + how_w < area.right())
          view.label({at, line.y, how_w, h}, row.how, Face::Sans, st.small(), Role::TextSecondary);
      }
    }
    view.region(line, fmt::format("reading:time_{}", row.key),
                fmt::format("{}: {} {}, {}{}{}", row.name, number, row.how, meaning_of(row), row.source,
                            row.how.ends_with(kNotConfirmed) ? "; no source that could be read confirms it" : ""));
  }
}

}  // namespace tilewalk
