// The sheet of paper beside the plot: the roofs as numbers, a point's arithmetic step by step, the prediction and what
// it is worth (draw_score.cpp). One of them at a time.
#include "app/boards/draw_paper_parts.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tilewalk {

void paper_button(const GraphPaper& p, Rect slot, std::string_view words, std::string id, std::string tip, bool on,
                  bool enabled) {
  if (!p.view.hands) return;
  const Style& st = p.view.style;
  const bool hot = p.view.view.hover == id && enabled;
  p.view.box(slot, st.r_small(), on ? Role::Inverse : hot ? Role::Line : Role::SurfaceStrong);
  p.view.text(slot.inset(st.px(2), 0), words, Face::SansBold, std::min(st.number(), slot.h * 0.56f),
              on        ? Role::InverseText
              : enabled ? Role::Text
                        : Role::TextSecondary,
              Align::Center);
  p.view.region(slot, std::move(id), std::move(tip), enabled, st.r_small());
}

void paper_switch(const GraphPaper& p, Rect slot, std::string_view words, std::string id, std::string tip, bool on,
                  bool enabled) {
  if (p.view.hands) return paper_button(p, slot, words, std::move(id), std::move(tip), on, enabled);
  const Style& st = p.view.style;
  if (on) p.view.text(slot, words, Face::SansBold, std::min(st.number(), slot.h * 0.56f), Role::Text);
}

void paper_field(const GraphPaper& p, Rect slot, std::string_view cell, std::string_view words, std::string_view faint,
                 FieldMark mark, std::string tip, bool enabled) {
  const Style& st = p.view.style;
  if (!p.view.hands) mark = FieldMark::None;  // who looks on drew nothing
  const std::string id = fmt::format("field:board/{}", cell);
  const bool refused = !field_fault(cell, p.view.state).empty(), typing = p.view.view.editing == id;
  const bool wrong = refused || mark == FieldMark::Wrong, tick = mark == FieldMark::Right;
  const bool hot = p.view.view.hover == id || typing;
  const Role edge = wrong ? Role::Wrong : tick ? Role::Right : hot ? Role::Text : Role::Border;
  if (p.view.hands) p.view.box(slot, st.r_small(), Role::Background, edge, st.px(wrong || tick ? 2.5f : 1.5f));
  const auto typed = p.view.state.cells.find(cell);
  const std::string_view shown = typed != p.view.state.cells.end() ? std::string_view(typed->second) : words;
  const Rect in = slot.inset(std::min(st.px(10), slot.w * 0.08f), 0);
  if (!typing) {
    const float size = std::min(st.body(), slot.h * 0.56f);
    const float side = mark != FieldMark::None ? st.px(20) : 0;
    if (!shown.empty())
      p.view.text({in.x, in.y, in.w - side, in.h}, shown, Face::MonoBold, size, wrong ? Role::WrongText : Role::Text);
    else
      p.view.text(in, faint, Face::Sans, std::min(st.number(), size), Role::TextSecondary);
    if (mark != FieldMark::None)
      p.view.label({in.right() - side, in.y, side, in.h}, tick ? "✓" : "✕", Face::SansBold, size,
                   tick ? Role::RightText : Role::WrongText, Align::Right);
  }
  p.view.region(slot, id, std::move(tip), enabled, st.r_small());
}

void paper_fault(GraphPaper& p, std::string_view cell) {
  const std::string fault = field_fault(cell, p.view.state);
  if (fault.empty() || p.left() < p.px(20)) return;
  const float size = p.view.style.small();
  const Rect area{p.area.x, p.y + p.px(2), p.area.w, std::min(p.left(), size * kLinePitch * 3)};
  p.y += text_block(p.view, area, fault, Face::Sans, size, Role::WrongText) + p.px(4);
}

namespace {

void layout_tabs(GraphPaper& p) {
  const Style& st = p.view.style;
  const std::array<std::string_view, 4> kWords{"Roofs", "Points", p.sheet.locked ? "Score" : "Predict", "Missing"};
  const int count = p.sheet.locked ? 4 : 3;
  const Rect row = p.take(p.px(34));
  const float gap = p.px(14);
  float x = row.x;
  for (int k = 0; k < count; ++k) {
    const bool on = int(p.sheet.tab) == k;
    const std::string id = fmt::format("board:tab/{}", k);
    const float w = text_width(kWords[size_t(k)], Face::SansBold, st.number()) + st.px(2);
    if (!p.view.hands && !on) continue;
    const Rect slot{x, row.y, w, row.h - p.px(6)};
    p.view.label(slot, kWords[size_t(k)], on ? Face::SansBold : Face::Sans, st.number(),
                 on || p.view.view.hover == id ? Role::Text : Role::TextSecondary);
    if (!p.view.hands) continue;
    if (on) p.view.box({slot.x, slot.bottom() - p.px(2), w, p.px(3)}, 0, Role::Text);
    p.view.region(slot, id, fmt::format("{} on the paper", kWords[size_t(k)]), true, st.r_small());
    x += w + gap;
  }
  p.view.line({row.x, row.bottom() - p.px(6)}, {row.right(), row.bottom() - p.px(6)}, Role::Border, p.px(1));
  p.y += p.px(4);
}

// "989 T / 3.35 T = 295 FLOP/byte": the rule above, small, its result large where there is room for two lines.
void step(GraphPaper& p, std::string_view name, const std::string& rule, const std::string& result, float h,
          std::string id = {}, std::string tip = {}) {
  if (p.left() < h - p.px(1)) return;
  const Style& st = p.view.style;
  const Rect row = p.take(h);
  if (h >= p.px(38)) {
    const Rect top{row.x, row.y, row.w, h * 0.46f}, low{row.x, row.y + h * 0.46f, row.w, h * 0.52f};
    p.view.text(top, fmt::format("{} = {}", name, rule), Face::Sans, std::min(st.number(), h * 0.38f),
                Role::TextSecondary);
    p.view.text(low, result, Face::MonoBold, std::min(st.body(), h * 0.4f), Role::Text);
  } else {
    const float w = std::min(row.w * 0.5f, text_width(result, Face::MonoBold, st.number()) + st.px(3));
    const float room = row.w - w - st.px(6);
    std::string words = fmt::format("{} = {}", name, rule);
    if (text_width(words, Face::Sans, st.small()) > room) words = name;
    p.view.text({row.x, row.y, room, h}, words, Face::Sans, st.number(), Role::TextSecondary);
    p.view.text({row.right() - w, row.y, w, h}, result, Face::MonoBold, st.number(), Role::Text, Align::Right);
  }
  if (!id.empty()) p.view.region(row, std::move(id), std::move(tip));
}

void layout_roofs(GraphPaper& p) {
  const Style& st = p.view.style;
  const Drawing& drawing = p.sheet.drawing;
  const float step_h = p.px(p.left() > p.px(420) ? 56 : p.left() > p.px(300) ? 40 : 26);
  const float faults = p.px(24);
  p.row = std::clamp((p.left() - step_h - faults) / float(kRoofOrder.size()), p.px(30), p.px(52));
  const float name_w = p.px(62), gap = p.px(6);
  for (const Roof kind : kRoofOrder) {
    if (p.left() < p.row) return;
    const DrawnRoof* roof = drawing.find(kind);
    if (!roof && !p.view.hands && p.view.view.present.on) continue;  // to a room it says nothing
    const Rect row = p.take(p.row).inset(0, p.px(3));
    const std::string key(key_of(kind));
    const Rect name{row.x, row.y, name_w, row.h};
    p.view.text(name, short_name(kind), roof ? Face::SansBold : Face::Sans, st.number(),
                roof ? Role::Text : Role::TextSecondary);
    const Rect rest{name.right() + gap, row.y, row.right() - name.right() - gap, row.h};
    const std::string full(name_of(kind));
    if (!roof && !p.view.hands) {
      p.view.label(rest, kNothingYet, Face::Sans, st.number(), Role::TextSecondary);
      continue;
    }
    if (!roof) {
      const float low = std::min(rest.h, p.px(32));
      paper_button(p, {rest.x, rest.center().y - low / 2, std::min(rest.w, p.px(84)), low}, "Add", "board:add/" + key,
                   fmt::format("Draw a roof for {}: {}", full, is_bandwidth(kind) ? "a slope" : "a ceiling"), false,
                   !p.sheet.locked);
      continue;
    }
    const float side = std::max(p.px(24), std::min(rest.h, p.px(32)));
    const Rect box{rest.x, rest.y, rest.w - side - gap, rest.h};
    const auto& rate = p.truth.roofs[kind];
    const std::string cell = "roof/" + key;
    paper_field(p, box, cell, rate_words(kind, roof->rate), {},
                rate && is_close(roof->rate, rate->value) ? FieldMark::Right : FieldMark::None,
                fmt::format("{}, {}. Enter to type: 3.35 TB/s, 989 T; a bare number is in 10^12 a second", full,
                            rate_words(kind, roof->rate)),
                !p.sheet.locked);
    paper_button(p, {rest.right() - side, rest.center().y - side / 2, side, side}, "×", "board:remove/" + cell,
                 fmt::format("Remove {}", full), false, !p.sheet.locked);
    paper_fault(p, cell);
  }
  const double ridge = ridge_of(drawing);
  p.y += p.px(4);
  if (ridge > 0 && !p.view.covered("ridge"))
    step(p, "ridge", fmt::format("{} / {}", si_words(ceiling_of(drawing)), si_words(bandwidth_of(drawing))),
         intensity_words(ridge) + " FLOP/byte", step_h);
}

void layout_points(GraphPaper& p) {
  const Style& st = p.view.style;
  const Drawing& drawing = p.sheet.drawing;
  const bool roomy = p.left() > p.px(430);
  const float h = p.px(roomy ? 40 : 30), gap = p.px(5);
  const bool locked = p.sheet.locked;
  {
    constexpr std::array<std::pair<Method, std::string_view>, 5> kMethods{{{Method::Standard, "+ Std"},
                                                                           {Method::Fa1, "+ FA1"},
                                                                           {Method::Fa2, "+ FA2"},
                                                                           {Method::Fa3, "+ FA3"},
                                                                           {Method::Fa4, "+ FA4"}}};
    const Rect row = p.take(h);
    const float close = p.px(3), w = (row.w - float(kMethods.size() - 1) * close) / float(kMethods.size());
    for (size_t k = 0; k < kMethods.size(); ++k)
      paper_button(p, {row.x + float(k) * (w + close), row.y, w, row.h}, kMethods[k].second,
                   fmt::format("board:add/{}", info_of(kMethods[k].first).key),
                   fmt::format("Place a point for {}", info_of(kMethods[k].first).name), false, !locked);
    p.y += p.px(roomy ? 12 : 4);
  }
  if (p.sheet.point < 0) {
    const Rect rest{p.area.x, p.y, p.area.w, p.left()};
    const bool hidden = p.view.covered("win") || p.view.covered("fused_time") || p.view.covered("standard_intensity");
    text_block(p.view, rest,
               hidden ? "The points are hidden: they would answer the question. They come back with its answer."
               : says_what_to_do(p.view) ? "No point yet. Add one, then fill in its FLOP and bytes, or drag it."
                                         : "No point yet.",
               Face::Sans, st.number(), Role::TextSecondary);
    return;
  }
  const DrawnPoint& point = drawing.points[size_t(p.sheet.point)];
  {
    const Rect row = p.take(h);
    const float side = std::min(row.h, p.px(34));
    const std::string key = fmt::format("point/{}", p.sheet.point);
    float right = row.right();
    paper_button(p, {right - side, row.y, side, row.h}, "×", "board:remove/" + key,
                 fmt::format("Remove {}", name_of(point)), false, !locked);
    right -= side + gap;
    if (drawing.points.size() > 1) {
      paper_button(p, {right - side, row.y, side, row.h}, "›", "board:next", "The next point");
      right -= side + gap;
      paper_button(p, {right - side, row.y, side, row.h}, "‹", "board:previous", "The point before");
      right -= side + gap;
    }
    p.view.text({row.x, row.y, right - row.x, row.h}, name_of(point), Face::SansBold, st.body(), Role::Text);
    p.y += gap;
    const Rect toggles = p.take(p.px(roomy ? 36 : 28));
    const float w = (toggles.w - gap) / 2;
    const bool back = point.direction == Direction::Backward, causal = point.mask == Mask::Causal;
    paper_switch(p, {toggles.x, toggles.y, w, toggles.h}, "backward", "board:backward", "Forward or backward pass",
                 back, !locked);
    paper_switch(p, {toggles.x + w + gap, toggles.y, w, toggles.h}, "causal", "board:causal",
                 "With or without a causal mask", causal, !locked);
    p.y += p.px(roomy ? 10 : 4);
  }
  const TruePoint& truth = p.truth.points[size_t(p.sheet.point)];
  // Below both, so that neither moves: what may be pressed instead of typed, as wide as its words ask.
  const auto choices_row = [&](std::string_view what, std::span<const std::string_view> choices) {
    if (locked || !p.view.hands || p.left() < p.px(28)) return;
    Rect row = p.take(p.px(roomy ? 36 : 28));
    const auto width = [&](std::string_view words) {
      return text_width(words, Face::SansBold, st.number()) + p.px(12);
    };
    float words = 0;
    for (const std::string_view choice : choices) words += width(choice);
    if (const float label = p.px(56); row.w - label >= words + 2 * gap) {
      p.view.text({row.x, row.y, label, row.h}, fmt::format("{}:", what == "flop" ? "FLOP" : what), Face::Sans,
                  st.number(), Role::TextSecondary);
      row = {row.x + label, row.y, row.w - label, row.h};
    }
    float x = row.x;
    for (size_t k = 0; k < choices.size(); ++k) {
      const float w = width(choices[k]) * (row.w - 2 * gap) / words;
      paper_button(p, {x, row.y, w, row.h}, choices[k], fmt::format("board:fill/{}/{}", what, k),
                   fmt::format("{} = {}", what == "flop" ? "FLOP" : "bytes", choices[k]));
      x += w + gap;
    }
    p.y += gap;
  };
  const auto amount_row = [&](std::string_view label, std::string_view what, double value, double right) {
    if (p.left() < h || (!p.view.hands && value <= 0)) return;  // a room sees no empty fields
    const Rect row = p.take(h);
    const float w = p.px(50);
    const std::string cell = fmt::format("point/{}/{}", p.sheet.point, what);
    p.view.text({row.x, row.y, w, row.h}, label, Face::SansBold, st.number(), Role::Text);
    paper_field(p, {row.x + w, row.y, row.w - w, row.h}, cell, value > 0 ? si_words(value, 4) : "",
                what == "flop"                ? "4 N² d …"
                : point.method >= Method::Fa1 ? "8 N d …"
                                              : "8 N² + 8 N d …",
                value <= 0               ? FieldMark::None
                : is_close(value, right) ? FieldMark::Right
                : p.sheet.l2             ? FieldMark::Wrong
                                         : FieldMark::None,
                fmt::format("{} of one head. Enter to type: a number, or in N and d", label), !locked);
    p.y += gap;
    paper_fault(p, cell);
  };
  amount_row("FLOP", "flop", point.flop, truth.point.flop);
  amount_row("bytes", "bytes", point.bytes, truth.point.bytes);
  // One under the other: a press too many falls on no chip of the next row. They are back where one was wrong.
  const auto missing = [](double value, double right) { return value <= 0 || !is_close(value, right); };
  if (missing(point.flop, truth.point.flop)) {
    choices_row("flop", kFlopChoices);
  } else if (missing(point.bytes, truth.point.bytes)) {
    const float row = p.px(roomy ? 36 : 28) + gap;
    if (p.left() >= row + p.px(28)) p.y += row;
    choices_row("bytes", kByteChoices);
  }

  p.y += p.px(2);
  const float line = std::clamp(p.left() / 4 - p.px(0.5f), p.px(22), p.px(56));
  const bool both = point.flop > 0 && point.bytes > 0;
  if (!p.view.hands && !both) return;  // nor what follows from where a point happens to stand
  step(p, "intensity", both ? fmt::format("{} / {}", si_words(point.flop), si_words(point.bytes)) : "FLOP / bytes",
       intensity_words(point.intensity) + " FLOP/byte", line);
  const double rate = attainable(drawing, point), ceiling = ceiling_of(drawing), slope = bandwidth_of(drawing);
  if (rate <= 0) return;
  const double eta = is_fused(point.method) ? drawing.eta : 1;
  const std::string top = eta < 1 ? fmt::format("η {}", si_words(ceiling)) : si_words(ceiling);
  step(p, "roof",
       ceiling > 0 && slope > 0
           ? fmt::format("min({}, {} × {})", top, intensity_words(point.intensity), si_words(slope))
       : ceiling > 0 ? top
                     : fmt::format("{} × {}", intensity_words(point.intensity), si_words(slope)),
       si_words(rate) + "FLOP/s", line);
  const double seconds = seconds_of(drawing, point);
  if (seconds <= 0) return;
  step(p, "time", fmt::format("{} / {}", si_words(point.flop), si_words(rate)), time_words(seconds), line);
  const DrawnPoint* standard = drawn_standard(drawing, point.direction, point.mask);
  if (!standard || !is_fused(point.method)) return;
  const double slow = seconds_of(drawing, *standard);
  if (slow > 0 && !p.view.covered("win"))
    step(p, "win", fmt::format("{} / {}", time_words(slow), time_words(seconds)), si_words(slow / seconds, 3) + "×",
         line, "reading:win", "Standard's time over this one's");
}

}  // namespace

void layout_graph_paper(const BoardView& view, Rect area, const DrawSheet& sheet, const Truth& truth) {
  GraphPaper p{view, sheet, truth, area, area.y, 0};
  layout_tabs(p);
  switch (sheet.tab) {
    case DrawTab::Roofs: layout_roofs(p); break;
    case DrawTab::Points: layout_points(p); break;
    case DrawTab::Predict: sheet.locked ? layout_score(p) : layout_prediction(p); break;
    case DrawTab::Missing: layout_missing(p); break;
  }
}

}  // namespace tilewalk
