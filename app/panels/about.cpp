// The about box: version, licences of what is inside, where the program keeps its files, diagnostics to copy.
#include "app/gpu/diagnostics.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/text/text.h"
#include "core/io/embedded.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

// One line of the box; what leads it is set bold.
struct AboutLine {
  std::string lead, text;
  bool mono = false;
};

std::vector<AboutLine> lines_of(const ViewState& view, const Style& s, float width) {
  std::vector<AboutLine> lines;
  std::string_view rest = embedded_file("assets/licences.txt");
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t colon = line.ends_with(':') ? std::string_view::npos : line.find(": ");
    const std::string lead(colon == std::string_view::npos ? "" : line.substr(0, colon));
    const float indent = lead.empty() ? 0 : text_width(lead + "  ", Face::SansBold, s.number());
    const std::string_view text = colon == std::string_view::npos ? line : line.substr(colon + 2);
    if (text.empty()) lines.emplace_back();
    for (const std::string& part : wrap_text(text, Face::Sans, s.number(), width - indent))
      lines.push_back({lines.empty() || lines.back().lead != lead ? lead : std::string(), part});
  }
  if (!view.about_facts.places.empty()) lines.emplace_back();
  for (const auto& [what, place] : view.about_facts.places) lines.push_back({what, place, true});
  return lines;
}

}  // namespace

void layout_about(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  scrim(scene, s, window, 0.25f);
  const float w = std::min(s.px(760), window.w - s.px(40)), side = s.px(28), rim = s.px(22);
  const float pitch = s.px(24), gap = s.px(10), head = s.px(52), button = s.px(44), foot = button + s.px(18);
  const std::vector<AboutLine> lines = lines_of(view, s, w - 2 * side);
  float content = 0;
  for (const AboutLine& line : lines) content += line.lead.empty() && line.text.empty() ? gap : pitch;
  const float h = std::min(2 * rim + head + content + foot, window.h - s.px(24));
  const Rect box{window.center().x - w / 2, window.center().y - h / 2, w, h};
  card(scene, s, box);
  const Rect inner = box.inset(side, rim);
  fitted(scene, {inner.x, inner.y, inner.w - s.px(50), s.px(36)}, fmt::format("Tilewalk {}", program_version()),
         Face::SansBold, s.title(), s[Role::Text]);
  icon_button(scene, view, s, {inner.right() - s.px(36), inner.y, s.px(36), s.px(36)}, Icon::Close, "escape",
              Look::Plain);

  float y = inner.y + head;
  for (const AboutLine& line : lines) {
    if (line.lead.empty() && line.text.empty()) {
      y += gap;
      continue;
    }
    if (y + pitch > inner.bottom() - foot + s.px(1)) break;
    const float lead = line.lead.empty() ? 0 : text_width(line.lead + "  ", Face::SansBold, s.number());
    if (lead > 0) scene.label({inner.x, y, lead, pitch}, line.lead, Face::SansBold, s.number(), s[Role::Text]);
    fitted(scene, {inner.x + lead, y, inner.w - lead, pitch}, line.text, line.mono ? Face::Mono : Face::Sans,
           s.number(), s[Role::Text]);
    y += pitch;
  }

  const float width = std::min(s.px(230), inner.w / 2);
  text_button(scene, view, s, {inner.right() - width, inner.bottom() - button, width, button}, "Copy diagnostics",
              "command:diagnostics", tip_of("diagnostics"), Look::Solid, Face::SansBold, s.body());
}

}  // namespace tilewalk
