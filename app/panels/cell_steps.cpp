// The steps below a number of Q, K or V that is in hand: to change it with a pointer alone.
#include "app/panels/overlays.h"
#include "app/session/element.h"
#include "app/session/region_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {

void layout_cell_steps(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& style) {
  const std::string& cell = view.editing.empty() ? view.focus : view.editing;
  const Region* region = kind_of(cell) == "cell" && element_of_cell(cell, session) ? scene.find(cell) : nullptr;
  if (!region) return;
  constexpr std::array<std::string_view, 4> kSteps{"-1", "-0.1", "+0.1", "+1"};
  const float w = style.px(56), h = style.px(36), gap = style.px(4), wide = float(kSteps.size()) * (w + gap) + gap;
  // Below the whole tile, or above it where another tile lies below: the numbers round the cell stay in sight.
  Rect tile = region->rect;
  const auto is_tile = [](const Region& r) { return kind_of(r.id) == "tile"; };
  for (const Region& each : scene.regions)
    if (is_tile(each) && each.rect.contains(region->rect.center())) tile = each.rect;
  // Within the stage, and not over what stands beside it.
  const Region* card_of_tile = scene.find("level:sram");
  const float least = std::max(window.x, card_of_tile ? card_of_tile->rect.x : window.x);
  const float x = std::clamp(region->rect.center().x - wide / 2, least, std::max(least, window.right() - wide));
  const Rect below{x, tile.bottom() + style.px(6), wide, h + 2 * gap},
      above{x, tile.y - style.px(6) - below.h, wide, below.h};
  const bool covers = std::ranges::any_of(scene.regions, [&](const Region& each) {
    return is_tile(each) && below.x < each.rect.right() && each.rect.x < below.right() &&
           below.y < each.rect.bottom() && each.rect.y < below.bottom();
  });
  const Rect card = covers || below.bottom() > window.bottom() ? above : below;
  scene.box(card, style.r_medium(), style[Role::Background], style[Role::Border], style.px(1.5f));
  scene.region(card, "cell-steps", "");
  for (size_t k = 0; k < kSteps.size(); ++k) {
    const std::string id = fmt::format("cell-step:{}/{}", rest_of(cell), kSteps[k]);
    const Rect key{card.x + gap + float(k) * (w + gap), card.y + gap, w, h};
    const std::string words =
        kSteps[k][0] == '-' ? "− " + std::string(kSteps[k].substr(1)) : "+ " + std::string(kSteps[k].substr(1));
    scene.box(key, style.r_small(), style[view.hover == id ? Role::Line : Role::SurfaceStrong]);
    scene.label(key, words, Face::MonoBold, style.number(), style[Role::Text], Align::Center);
    scene.region(key, id, fmt::format("Changes the number by {}", words));
  }
}

}  // namespace tilewalk
