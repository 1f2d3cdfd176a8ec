#include "app/session/focus.h"

#include "app/session/region_id.h"
#include "app/session/typing.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace tilewalk {
namespace {

// The regions that can be reached now: those of the overlay where one is open.
std::span<const Region> reachable(const Scene& scene) {
  size_t begin = 0;
  for (size_t k = 0; k < scene.regions.size(); ++k)
    if (scene.regions[k].id == kScrim) begin = k + 1;
  return std::span(scene.regions).subspan(begin);
}

// What Tab walks over, in its order: a panel that lies over the stage comes first, as it is what one looks at.
std::vector<const Region*> in_tab_order(const Scene& scene) {
  std::vector<const Region*> order;
  for (const Region& region : reachable(scene)) order.push_back(&region);
  const auto over = std::ranges::find_if(order, [](const Region* r) { return r->id == "panel:over"; });
  std::rotate(order.begin(), over, order.end());
  return order;
}

// Where a region lies on top, so that pointing there points at it.
std::optional<Vec2> open_point(const Scene& scene, const Region& region) {
  constexpr int kGrid = 7;
  for (int k = 0; k < kGrid * kGrid; ++k) {
    const int from_middle = (k + kGrid * kGrid / 2) % (kGrid * kGrid);
    const Vec2 at{region.rect.x + region.rect.w * (float(from_middle % kGrid) + 0.5f) / kGrid,
                  region.rect.y + region.rect.h * (float(from_middle / kGrid) + 0.5f) / kGrid};
    if (const Region* hit = scene.hit(at); hit && hit->id == region.id) return at;
  }
  return std::nullopt;
}

}  // namespace

bool is_selected_by_click(std::string_view id) {
  const std::string_view kind = kind_of(id);
  return kind == "tile" || kind == "line" || kind == "level" || kind == "ledger";
}

const Region* reachable_region(const Scene& scene, std::string_view id) {
  const std::span<const Region> all = reachable(scene);
  const auto found = std::ranges::find(all, id, &Region::id);
  return found == all.end() ? nullptr : &*found;
}

bool move_focus(const Scene& scene, ViewState& view, int by, bool fields_only) {
  std::vector<const Region*> stops;
  for (const Region* each : in_tab_order(scene)) {
    const Region& region = *each;
    // What lies in several memories is one stop.
    if (region.focusable && (!fields_only || is_field(region.id)) &&
        std::ranges::none_of(stops, [&](const Region* stop) { return stop->id == region.id; }))
      stops.push_back(&region);
  }
  if (stops.empty()) return false;
  const auto now = std::ranges::find_if(stops, [&](const Region* r) { return r->id == view.focus; });
  const auto count = std::ptrdiff_t(stops.size());
  const std::ptrdiff_t at = now == stops.end() ? (by > 0 ? 0 : count - 1) : (now - stops.begin() + by + count) % count;
  view.focus = stops[size_t(at)]->id;
  view.focus_ring = true;
  view.present.over_picture = false;  // one types into what one came to
  return true;
}

bool move_to_part(const Scene& scene, ViewState& view, int by) {
  std::vector<std::string> parts;  // the first stop of each
  bool fresh = true;
  std::ptrdiff_t now = -1;
  for (const Region* region : in_tab_order(scene)) {
    fresh = fresh || kind_of(region->id) == "begins" || region->id == "panel:over";
    if (!region->focusable) continue;
    if (fresh) parts.push_back(region->id);
    fresh = false;
    if (now < 0 && region->id == view.focus) now = std::ptrdiff_t(parts.size()) - 1;
  }
  if (parts.empty()) return false;
  const auto count = std::ptrdiff_t(parts.size());
  view.focus = parts[size_t(now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count)];
  view.focus_ring = true;
  view.present.over_picture = false;
  return true;
}

bool point_on(const Scene& scene, ViewState& view, int by) {
  std::vector<const Region*> told;
  for (const Region* region : in_tab_order(scene)) {
    const std::string_view kind = kind_of(region->id);
    if (region->focusable || kind == "begins" || kind == "panel" || kind == "scroll" || kind == "thumb") continue;
    if (std::ranges::none_of(told, [&](const Region* r) { return r->id == region->id; })) told.push_back(region);
  }
  const auto count = std::ptrdiff_t(told.size());
  const auto now = std::ranges::find_if(told, [&](const Region* r) { return r->id == view.hover; });
  std::ptrdiff_t at = now == told.end() ? (by > 0 ? -1 : count) : now - told.begin();
  for (std::ptrdiff_t tried = 0; tried < count; ++tried) {
    at = (at + by + count) % count;
    const Region& region = *told[size_t(at)];
    const auto point = open_point(scene, region);
    if (!point) continue;
    view.pointer = *point;
    view.hover = region.id;
    view.hover_for = kTipDelay;
    view.pointed = true;
    view.selection = is_selected_by_click(region.id) ? region.id : std::string();
    view.focus.clear();
    return true;
  }
  return false;
}

bool move_in_list(const Scene& scene, ViewState& view, int by) {
  if (!is_open<FileList>(view)) return move_focus(scene, view, by);
  Picker& picker = view.picker;
  const int last = int(picker.rows.size()) - 1;
  if (last < 0) return false;
  const bool on_row = kind_of(view.focus) == "pick";
  const int at = std::clamp(on_row ? number_or(rest_of(view.focus), 0) + by : picker.top, 0, last);
  picker.top = std::clamp(picker.top, at - picker.shown + 1, std::max(at, 0));
  view.focus = fmt::format("pick:{}", at);
  view.focus_ring = true;
  return true;
}

}  // namespace tilewalk
