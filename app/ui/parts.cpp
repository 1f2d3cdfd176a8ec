#include "app/ui/parts.h"

#include <algorithm>
#include <utility>

namespace tilewalk::ui {

Node button(std::string words, Press press, Fill fill, Font font) {
  font.align = Align::Center;
  font.role = fill == Fill::Round ? Role::InverseText : Role::Text;
  const Surface surfaces[] = {{.hot = Role::SurfaceStrong, .radius = 10},
                              {.fill = Role::SurfaceStrong, .hot = Role::Line, .radius = 10},
                              {.fill = Role::Inverse, .radius = 999}};
  return text(std::move(words), font).on(surfaces[size_t(fill)]).pressed(std::move(press));
}

Node field(Press press, const std::string& words, std::string hint, bool typing) {
  const Font font{18, Face::Mono, words.empty() ? Role::TextSecondary : Role::Text};
  const Surface surface{.fill = Role::Background,
                        .border = typing ? Role::Focus : Role::Border,
                        .radius = 6,
                        .border_width = typing ? 2 : 1.5f};
  std::string shown = words.empty() ? std::move(hint) : typing ? std::string() : words;
  return text(std::move(shown), font).padding(10, 0).on(surface).pressed(std::move(press));
}

Node segments(std::vector<Choice> choices, size_t per_line, float line) {
  const float radius = line > 0 ? std::min(10.f, line / 4) : 10;
  per_line = std::min(per_line, choices.size());
  std::vector<Node> lines, cells;
  for (Choice& c : choices) {
    Font font{16, c.chosen ? Face::SansBold : Face::Sans, c.chosen ? Role::Text : Role::TextSecondary, Align::Center};
    font.shrinks = true, font.hot = Role::Text;
    const Surface chosen{
        .fill = Role::Background, .border = Role::Text, .radius = radius - 1, .border_width = 2, .inset = {3, 3}};
    if (c.press.tip.empty()) c.press.tip = c.title;
    cells.push_back(text(std::move(c.title), font)
                        .padding(4, 0)
                        .width(grow())
                        .on(c.chosen ? chosen : Surface{})
                        .pressed(std::move(c.press)));
    const bool last = lines.size() * per_line + cells.size() == choices.size();
    while (last && cells.size() < per_line) cells.push_back(spacer());
    if (cells.size() < per_line) continue;
    lines.push_back(row(std::exchange(cells, {})));
    if (line > 0)
      lines.back().h = px(line);
    else
      lines.back().h = grow();
  }
  return column(std::move(lines)).on({.fill = Role::SurfaceStrong, .radius = radius});
}

Node boxed(Node content, Pad pad) {
  return std::move(content)
      .padding(pad.x, pad.y)
      .on({.fill = Role::Background, .border = Role::Border, .radius = 12, .shadow = true})
      .pressed({"card", "An overlay; Esc closes it", {}, false});
}

Node card(Node content, Size width, Pad pad, float above) {
  Node box = boxed(std::move(content), pad).width(width);
  return column(of(spacer(grow(above)), row(of(spacer(), std::move(box), spacer())), spacer(grow(1 - above))))
      .padding(20, 10);
}

}  // namespace tilewalk::ui
