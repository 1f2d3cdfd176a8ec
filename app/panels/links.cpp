#include "app/panels/links.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::string_view kLink = "link:", kStep = "step:";

}  // namespace

std::string hover_of_stage(const Session& session, const ViewState& view) {
  if (!view.hover.starts_with(kLink)) return view.hover;
  const std::string target = view.hover.substr(kLink.size());
  if (!target.starts_with(kStep)) return target;
  const auto kind = step_named(target.substr(kStep.size()));
  const std::vector<Step>& steps = session.walk().replay.steps();
  const auto found = std::ranges::find_if(steps, [&](const Step& step) { return step.kind == kind; });
  return found == steps.end() ? std::string() : fmt::format("line:{}", found->line);
}

void ring_linked(Scene& scene, const ViewState& view, size_t first, size_t last, Rect stage, const Style& style) {
  if (!view.hover.starts_with(kLink)) return;
  const std::string target = view.hover.substr(kLink.size());
  std::vector<Rect> rings;
  for (size_t k = first; k < std::min(last, scene.regions.size()); ++k) {
    const Region& region = scene.regions[k];
    const bool named = region.id == target || region.id.starts_with(target + "/");
    if (named && region.rect.x >= stage.x && region.rect.y >= stage.y) rings.push_back(region.rect);
  }
  for (const Rect& rect : rings) {
    const float out = style.px(4);
    scene.box(rect.inset(-out), style.r_small() + out, {}, style[Role::Focus], style.px(3));
  }
}

}  // namespace tilewalk
