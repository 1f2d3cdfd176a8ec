// What lies around a drawing: the squared paper and its numbers, the legend, the tools, and the names of things.
#include "app/boards/draw_plot_parts.h"
#include "app/state/board_history.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {

// Squared paper: a line for each of 1 to 9 in every decade, the decades with their number.
void draw_squared_paper(const DrawPlot& p) {
  const Style& st = p.view.style;
  const bool projector = p.view.view.theme == Theme::Projector;  // whose lines are darker
  const Color fine = with_alpha(p.view[Role::Line], projector ? 0.3f : 0.55f), strong = p.view[Role::Border];
  const bool small = p.rect.w < st.px(380) || p.rect.h < st.px(220);
  const float line = st.px(20);
  for (const bool across : {true, false}) {
    const Axis& axis = across ? p.x : p.y;
    const int decades = int(std::lround(std::log10(axis.most / axis.least)));
    const float decade = std::fabs(axis.to - axis.from) / float(decades);
    for (int k = 0; k <= decades; ++k) {
      const double base = axis.least * std::pow(10, k);
      for (int n = 1; n <= 9; ++n) {
        if ((k == decades || decade < st.px(48)) && n > 1) break;
        const float at = axis.at(base * n);
        const Vec2 from = across ? Vec2{at, p.rect.y} : Vec2{p.rect.x, at};
        const Vec2 to = across ? Vec2{at, p.rect.bottom()} : Vec2{p.rect.right(), at};
        p.view.line(from, to, n == 1 ? with_alpha(strong, projector ? 0.4f : 0.6f) : fine, st.px(1));
      }
      const float at = axis.at(base);
      const std::string words = si_words(base);
      const Color ink = p.view[Role::TextSecondary];
      const float half = st.px(30);
      if (across)
        p.view.label(
            {std::min(at - half, p.rect.right() + st.px(8) - 2 * half), p.rect.bottom() + st.px(4), 2 * half, line},
            words, Face::Mono, st.small(), ink, k == decades ? Align::Right : Align::Center);
      else
        p.view.label({p.rect.x - st.px(58), at - line / 2, st.px(50), line}, words, Face::Mono, st.small(), ink,
                     Align::Right);
    }
  }
  const Color ink = p.view[Role::Text];
  p.view.line({p.rect.x, p.rect.y}, {p.rect.x, p.rect.bottom()}, ink, st.px(1.5f));
  p.view.line({p.rect.x, p.rect.bottom()}, {p.rect.right(), p.rect.bottom()}, ink, st.px(1.5f));
  p.view.text({p.rect.x - st.px(58), p.rect.y - st.px(34), st.px(60), line}, "FLOP/s", Face::SansBold, st.small(), ink);
  p.view.text({p.rect.x, p.rect.bottom() + st.px(small ? 20 : 24), p.rect.w + st.px(8), line}, "FLOP/byte",
              Face::SansBold, st.small(), ink, Align::Right);
}

// What the marks mean, over the plot.
void draw_legend(DrawPlot& p, Rect slot, const Truth& truth, size_t of_class) {
  const Style& st = p.view.style;
  const bool measured = truth.fused.measured.has_value();
  struct Entry {
    int mark;
    std::string words;
  };
  std::vector<Entry> entries{{0, "drawn"}, {1, "model"}};
  if (measured)
    entries.push_back(
        {2, fmt::format("{} {}", glyph_of(truth.fused.measured->kind), words_of(truth.fused.measured->kind))});
  if (of_class > 0) entries.push_back({3, fmt::format("the class: {}", of_class)});
  float x = slot.x;
  const float dot = st.px(12), mid = slot.center().y;
  for (const Entry& entry : entries) {
    const bool ink = entry.mark == 0 || entry.mark == 3;
    const Color color = with_alpha(p.view[ink ? Role::Text : Role::Accent], entry.mark == 3 ? 0.4f : 1);
    if (entry.mark != 2) {
      p.view.box({x, mid - dot / 2, dot, dot}, dot / 2, ink ? color : Color{}, color, st.px(3));
      x += dot + st.px(5);
    }
    const float w = text_width(entry.words, Face::Sans, st.small()) + st.px(1);
    if (x + w > slot.right()) break;
    p.view.label({x, slot.y, w, slot.h}, entry.words, Face::Sans, st.small(), ink ? Role::Text : Role::AccentText);
    x += w + st.px(10);
  }
}

void draw_names(DrawPlot& p) {
  const Style& st = p.view.style;
  const float size = p.rect.w < st.px(480) ? st.small() : st.number(), h = size * 1.3f;
  std::vector<NameWish> wishes;
  for (DrawPlot::Name& name : p.names) {
    name.wish.w = text_width(name.words, name.face, size) + st.px(2);
    name.wish.h = h;
    wishes.push_back(name.wish);
  }
  const Rect area = p.rect.inset(st.px(3));
  std::vector<NamePlace> places = place_names(wishes, area, p.kept, p.lines, st.px(3));
  // Where not all have room, all say less.
  const bool brief = std::ranges::any_of(places, [](const NamePlace& place) { return !place.found; });
  if (brief) {
    for (size_t k = 0; k < wishes.size(); ++k)
      if (!p.names[k].shorter.empty()) wishes[k].w = text_width(p.names[k].shorter, p.names[k].face, size) + st.px(2);
    places = place_names(wishes, area, p.kept, p.lines, st.px(2));
  }
  for (const NamePlace& place : places) {
    if (!place.found || !place.leader) continue;
    const Vec2 to{std::clamp(place.anchor.x, place.rect.x, place.rect.right()),
                  std::clamp(place.anchor.y, place.rect.y, place.rect.bottom())};
    p.view.line(place.anchor, to, Role::TextSecondary, st.px(1));
  }
  for (size_t k = 0; k < places.size(); ++k) {
    const NamePlace& place = places[k];
    if (!place.found) continue;
    const std::string& words = brief && !p.names[k].shorter.empty() ? p.names[k].shorter : p.names[k].words;
    p.view.box(place.rect.inset(-st.px(1), st.px(1)), st.px(4), {Role::Background, 0.8f});
    p.view.label(place.rect, words, p.names[k].face, size, p.names[k].color, Align::Center);
  }
}

// Undo, redo, the grid, and the way back to empty axes.
void draw_tools(DrawPlot& p, Rect row) {
  const Style& st = p.view.style;
  struct Tool {
    std::string id, words, tip;
    bool on;  // there is something to do, or it is switched on
  };
  const Tool tools[] = {{"command:undo", "↶", "Undo (Ctrl+Z)", can_undo(p.view.view)},
                        {"command:redo", "↷", "Redo (Ctrl+Shift+Z)", can_redo(p.view.view)},
                        {"board:snap", "✓ Snap", "What is dragged keeps to 24 marks a decade", p.sheet.snap},
                        {"board:reset", "Clear", "Back to empty axes; undo brings all back", true}};
  float x = row.right();
  for (auto tool = std::rbegin(tools); tool != std::rend(tools); ++tool) {
    std::string words = tool->words;
    if (!tool->on && words.starts_with("✓ ")) words.erase(0, std::string_view("✓ ").size());
    const float w = text_width(tool->words, Face::SansBold, st.small()) + st.px(18);
    const Rect slot{x - std::max(w, st.px(30)), row.y, std::max(w, st.px(30)), row.h};
    const bool hot = p.view.view.hover == tool->id;
    p.view.box(slot, st.r_small(), hot ? Role::Line : Role::SurfaceStrong);
    p.view.label(slot, words, tool->on ? Face::SansBold : Face::Sans, st.small(),
                 tool->on ? Role::Text : Role::TextSecondary, Align::Center);
    p.view.region(slot, tool->id, tool->tip, true, st.r_small());
    x = slot.x - st.px(5);
  }
}

}  // namespace tilewalk
