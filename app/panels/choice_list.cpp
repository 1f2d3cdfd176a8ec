// All that a knob can be, one a line.
#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "app/session/choice_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {

using namespace ui;

constexpr size_t kInColumn = 14;

void layout_choice_list(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  const ListedChoices choices = listed_choices(session, view);
  const std::vector<std::string_view>& words = choices.words;
  if (words.empty()) return;
  const auto line = [&](size_t k) {
    const bool now = k == choices.now, chosen = view.focus == fmt::format("choose:{}", k);  // by letters or arrows
    return row(of(text(now      ? "✓"
                       : chosen ? "›"
                                : "",
                       {16, Face::SansBold})
                      .width(px(24)),
                  text(std::string(words[k]), {17, now || chosen ? Face::SansBold : Face::Sans}).width(grow())))
        .padding(10, 0)
        .height(between(24, 36))
        .on({.fill = chosen ? std::optional(Role::SurfaceStrong)
                     : now  ? std::optional(Role::Surface)
                            : std::nullopt,
             .hot = Role::SurfaceStrong,
             .radius = 8})
        .pressed({fmt::format("choose:{}", k), fmt::format("{}: {}", choices.label, words[k]),
                  means(ChooseFromList{int(k)})});
  };
  // In as many columns as leave the smallest window its margins.
  const size_t columns = (words.size() + kInColumn - 1) / kInColumn, most = (words.size() + columns - 1) / columns;
  std::vector<Node> all;
  for (size_t first = 0; first < words.size(); first += most) {
    std::vector<Node> lines;
    for (size_t k = first; k < std::min(first + most, words.size()); ++k) lines.push_back(line(k));
    all.push_back(column(std::move(lines), 2).width(grow()));
  }
  Node title = row(of(text(std::string(choices.label), kCardTitle).width(grow()), close_button()), 14, Across::Center);
  const float width = columns == 1 ? 460.0f : std::min(960.0f, 330.0f * float(columns));
  show_overlay(scene, view, window, s, 0.25f,
               card(column(of(std::move(title), row(std::move(all), 12)), 8), between(0, width), {24, 18}));
}

}  // namespace tilewalk
