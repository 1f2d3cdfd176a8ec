// The board "estimate" in front of a room: what the last row is to read as large as it goes, and nothing that is read
// at a desk alone (the ruler, the rule of thumb, how each time comes about).
#include "app/boards/estimate_parts.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// Design pixels, of which the wall has 540: kEntry is 56 of 1080 lines, nine of those that a sixth of it has.
constexpr float kWin = 84, kWinLabel = 20, kEntry = 28, kRowPitch = 36, kLeastRow = 24;

// One method's line of the table: "FA3  556 µs  134 MB".
struct MethodLine {
  Method method;
  const Estimate* estimate;
  std::string_view time;  // the reading that a press on it tells; empty: none
  std::string_view memory;
};

std::vector<MethodLine> lines_of(const EstimateNow& now) {
  const bool fused = now.method == now.fused;
  return {{now.fused, &now.of_fused, fused ? "time" : "time_fused", fused ? "memory" : ""},
          {Method::Standard, &now.standard, "time_standard", "memory_standard"},
          {Method::Eager, &now.eager, "time_eager", "memory_eager"}};
}

void layout_methods(const BoardView& view, Rect area, const EstimateNow& now, const std::vector<Reading>& all) {
  const Style& st = view.style;
  const float head = st.px(kWinLabel) * kLinePitch, pitch = st.px(kRowPitch), name = area.w * 0.28f;
  const float each = (area.w - name) / 2;
  for (int k = 0; k < 2; ++k)
    view.text({area.x + name + each * float(k), area.y, each, head}, k == 0 ? "time, model" : "memory needed",
              Face::Sans, st.px(kWinLabel), Role::TextSecondary, Align::Right);
  float y = area.y + head;
  for (const MethodLine& line : lines_of(now)) {
    const Estimate& e = *line.estimate;
    const bool chosen = line.method == now.method;
    view.text({area.x, y, name, pitch}, info_of(line.method).name, chosen ? Face::SansBold : Face::Sans, st.px(kEntry),
              Role::Text);
    const auto cell = [&](int column, std::string_view id, const std::string& words, Role ink) {
      const Rect slot{area.x + name + each * float(column), y, each, pitch};
      if (!id.empty() && view.covered(id)) return plate(view, slot.inset(st.px(12), st.px(3)));
      view.text(slot, words, chosen ? Face::MonoBold : Face::Mono, st.px(kEntry), ink, Align::Right);
      if (!id.empty()) reading_region(view, slot, reading_of(all, id));
    };
    cell(0, line.time, (e.unknown.empty() ? "" : "≥ ") + amount(e.time, "s"), Role::Text);
    cell(1, line.memory, (e.fits ? "" : "✕ ") + amount(e.memory_bytes, "byte"), e.fits ? Role::Text : Role::WrongText);
    y += pitch;
  }
}

// As in a table: names, bars, times; the one that is waited for is inked.
void layout_rows(const BoardView& view, Rect area, const EstimateNow& now) {
  const Style& st = view.style;
  const std::vector<EstimateRow> rows = estimate_rows(now);
  const float pitch = std::min(st.px(52), area.h / float(std::max<size_t>(1, rows.size())));
  const float size = std::min(st.px(kEntry), pitch * 0.72f);
  double most = 0;
  float names = 0, times = 0;
  const auto words_of = [](const EstimateRow& row) { return row.time ? amount(*row.time, "s") : std::string("?"); };
  for (const EstimateRow& row : rows) {
    most = std::max(most, row.time.value_or(0));
    names = std::max(names, text_width(row.name, Face::SansBold, size) + st.px(2));
    times = std::max(times, text_width(words_of(row), Face::MonoBold, size) + st.px(2));
  }
  float y = area.y;
  for (const EstimateRow& row : rows) {
    const Rect line{area.x, y, area.w, pitch};
    y += pitch;
    view.label({line.x, line.y, names, pitch}, row.name, row.binds ? Face::SansBold : Face::Sans, size, Role::Text,
               Align::Right);
    view.label({line.right() - times, line.y, times, pitch}, words_of(row), row.binds ? Face::MonoBold : Face::Mono,
               size, Role::Text, Align::Right);
    const float x = line.x + names + st.px(14), air = pitch * 0.14f;
    const Rect track{x, line.y + air, line.right() - times - st.px(14) - x, pitch - 2 * air};
    if (!row.time)
      view.text(track, "its rate is not known here", Face::Sans, std::min(size, st.px(kLeastRow)), Role::TextSecondary);
    else if (row.binds)
      view.box({track.x, track.y, std::max(st.px(6), track.w * float(*row.time / most)), track.h}, st.px(3),
               Role::Inverse);
    else
      bar(view, track, most > 0 ? float(*row.time / most) : 0, Role::Text, BarLook::Model);
    view.region(line, fmt::format("reading:time_{}", row.key),
                fmt::format("{}: {} {}, {}", row.name, words_of(row), row.how, row.source));
  }
}

}  // namespace

void layout_estimate_room(const BoardView& view, Rect area, const EstimateNow& now) {
  const Style& st = view.style;
  const std::vector<Reading> all = view.board.readings(view);
  const bool hidden = view.covered("time") || view.covered("win");
  const float gap = st.px(10), head = st.px(kWinLabel) * kLinePitch + 3 * st.px(kRowPitch);
  const float left = std::min(area.w * 0.42f, st.px(380));
  const Reading& win = reading_of(all, "win");
  view.text({area.x, area.y, left, st.px(kWinLabel) * kLinePitch}, win.label, Face::Sans, st.px(kWinLabel),
            Role::TextSecondary);
  const Rect number{area.x, area.y + st.px(kWinLabel) * kLinePitch, left, 3 * st.px(kRowPitch)};
  if (view.covered("win"))
    plate(view, number.inset(0, st.px(6)));
  else
    view.text(number, amount(win.quantity.value, "", "ratio"), Face::MonoBold, st.px(kWin), Role::Text);
  reading_region(view, number, win);
  layout_methods(view, {area.x + left + st.px(20), area.y, area.w - left - st.px(20), head}, now, all);

  // At the foot the rule of thumb with its η, and below it what was measured, where anything was.
  const float line = st.caption() * kLinePitch;
  const bool law = !hidden && now.law > 0, measured = !hidden && anything_held(now);
  const float held = (float(law) + float(measured)) * line;
  if (measured) layout_estimate_held(view, {area.x, area.bottom() - line, area.w, line}, now, st.caption());
  if (law) layout_estimate_law(view, {area.x, area.bottom() - held, area.w, line}, now, st.caption());
  const Rect rest{area.x, area.y + head + gap, area.w, area.h - head - 2 * gap - held};
  if (hidden)
    plate(view, rest);
  else
    layout_rows(view, rest, now);
}

}  // namespace tilewalk
