// The about box: version, licences of what is inside, where the program keeps its files, diagnostics to copy.
#include "app/gpu/diagnostics.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/text/text.h"
#include "core/io/embedded.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

void layout_about(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  scrim(scene, s, window, 0.25f);
  const float w = std::min(s.px(760), window.w - s.px(40)), h = std::min(s.px(660), window.h - s.px(40));
  const Rect box{window.center().x - w / 2, window.center().y - h / 2, w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(28), s.px(22));
  fitted(scene, {inner.x, inner.y, inner.w - s.px(50), s.px(36)}, fmt::format("Tilewalk {}", program_version()),
         Face::SansBold, s.title(), s[Role::Text]);
  icon_button(scene, view, s, {inner.right() - s.px(36), inner.y, s.px(36), s.px(36)}, Icon::Close, "escape", Look::Plain);
  const float button = s.px(44), low = inner.bottom() - button - s.px(12);

  // Paragraphs of the licences, then the places; as many lines as there is room for.
  float y = inner.y + s.px(46);
  const float pitch = s.px(21), gap = s.px(8);
  const auto paragraph = [&](std::string_view text, Color color) {
    for (const std::string& line : wrap_text(text, Face::Sans, s.small(), inner.w)) {
      if (y + pitch > low) return;
      scene.label({inner.x, y, inner.w, pitch}, line, Face::Sans, s.small(), color);
      y += pitch;
    }
  };
  std::string_view rest = embedded_file("assets/licences.txt");
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty())
      y += gap;
    else
      paragraph(line, s[Role::Text]);
  }
  y += gap;
  for (const auto& [what, place] : view.about_facts.places) {
    if (y + pitch > low) break;
    const float name = s.px(110);
    fitted(scene, {inner.x, y, name, pitch}, what, Face::Sans, s.small(), s[Role::TextSecondary]);
    fitted(scene, {inner.x + name, y, inner.w - name, pitch}, place, Face::Mono, s.small(), s[Role::Text]);
    y += pitch;
  }

  const float width = std::min(s.px(230), inner.w / 2);
  text_button(scene, view, s, {inner.right() - width, inner.bottom() - button, width, button}, "Copy diagnostics",
              "command:diagnostics", tip_of("diagnostics"), Look::Solid, Face::SansBold, s.body());
}

}  // namespace tilewalk
