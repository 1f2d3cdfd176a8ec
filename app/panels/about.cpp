// The about box: version, licences of what is inside, where the program keeps its files, diagnostics to copy.
#include "app/gpu/diagnostics.h"
#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "core/io/embedded.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

using namespace ui;

Node about_line(const std::string& lead, std::string_view words, Face face) {
  Node said = wrapped(std::string(words), {16, face}).width(grow());
  return lead.empty() ? column(of(std::move(said)))
                      : row(of(text(lead, {16, Face::SansBold}), std::move(said)), 9, Across::Start);
}

std::vector<Node> about_lines(const ViewState& view) {
  std::vector<Node> lines;
  for (std::string_view rest = embedded_file("assets/licences.txt"); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t colon = line.ends_with(':') ? std::string_view::npos : line.find(": ");
    if (line.empty())
      lines.push_back(spacer(px(10)));
    else if (colon == std::string_view::npos)
      lines.push_back(about_line("", line, Face::Sans));
    else
      lines.push_back(about_line(std::string(line.substr(0, colon)), line.substr(colon + 2), Face::Sans));
  }
  if (!view.about_facts.places.empty()) lines.push_back(spacer(px(10)));
  for (const auto& [what, place] : view.about_facts.places) lines.push_back(about_line(what, place, Face::Mono));
  return lines;
}

}  // namespace

void layout_about(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  Node diagnostics = button("Copy diagnostics", runs("diagnostics"), Fill::Solid).width(between(0, 230));
  show_overlay(scene, view, window, s, 0.25f,
               card(column(of(title_row(fmt::format("Tilewalk {}", program_version())), spacer(px(16)),
                              list(about_lines(view), 0), spacer(px(18)),
                              row(of(spacer(), std::move(diagnostics))).height(px(44)))),
                    between(0, 760), {28, 22}));
}

}  // namespace tilewalk
