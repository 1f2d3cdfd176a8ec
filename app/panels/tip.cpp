// What is said of a thing: of the one under the pointer once it has rested there, of the one that J points at, with a
// ring round it, and of what Enter presses on a board once it has the focus. Placed where it covers least.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/panels/overlays.h"
#include "app/scene/layout_check.h"
#include "app/session/element.h"
#include "app/session/focus.h"
#include "app/session/lesson_hands.h"
#include "app/text/text.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tilewalk {
namespace {

constexpr float kLarge = 0.1f;            // of the window: a ground that things stand on, not a thing
constexpr float kText = 8;                // as much worse is it to cover words
constexpr int kColumns = 40, kRows = 24;  // places that are tried where none beside the thing is free

float area_of(Rect r) { return r.w * r.h; }
float common_area(Rect a, Rect b) {
  const float w = std::min(a.right(), b.right()) - std::max(a.x, b.x),
              h = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}
float gap_between(Rect a, Rect b) {
  return std::max({0.0f, a.x - b.right(), b.x - a.right()}) + std::max({0.0f, a.y - b.bottom(), b.y - a.bottom()});
}
bool holds(Rect outer, Rect inner) {
  return outer.x <= inner.x && outer.y <= inner.y && outer.right() >= inner.right() && outer.bottom() >= inner.bottom();
}

// What says all of it itself, or is only ground, needs no words beside the pointer.
bool wants_tip(const ViewState& view, std::string_view id) {
  return !is_open<Menu>(view) && !is_open<KeySheet>(view) && !is_open<ExportSheet>(view) && view.editing.empty() &&
         id != "scrim" && id != "card" && !id.starts_with("panel:") && !id.starts_with("write:line/") &&
         id != "write:text";
}

struct Thing {
  Rect rect;
  float weight;
};

// Text, and things that are drawn or pointed at, but for the grounds they stand on.
std::vector<Thing> things_in(const Scene& scene, Rect about) {
  const float large = kLarge * scene.size.x * scene.size.y;
  std::vector<Thing> out;
  const auto add = [&](Rect r, float weight = 1) {
    if (area_of(r) > 0 && area_of(r) < large && !holds(r, about)) out.push_back({r, weight});
  };
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item))
      add(label_ink(*label), kText);
    else if (const auto* box = std::get_if<Box>(&item); box && (box->fill.a > 0 || box->stroke.a > 0))
      add(box->rect);
  for (const Region& region : scene.regions)
    if (!region.id.starts_with("panel:")) add(region.rect);
  return out;
}

// Beside what it speaks of: below it, but above a control of a form, under which its fault may stand, and right of a
// row, as others follow below; else where it covers least. `anywhere`: a ring says what is spoken of, so it may stand
// apart.
Rect tip_place(const Scene& scene, const Region& region, Vec2 pointer, float w, float h, Rect window, const Style& s,
               bool anywhere) {
  const float gap = s.px(10), edge = s.px(6);
  const Rect about = region.rect, room = window.inset(edge);
  const float middle = about.w > s.px(160) ? std::clamp(pointer.x, about.x, about.right()) : about.center().x;
  const float x = std::clamp(middle - w / 2, room.x, std::max(room.x, room.right() - w));
  const float y = std::clamp(about.center().y - h / 2, room.y, std::max(room.y, room.bottom() - h));
  const Rect below{x, about.bottom() + gap, w, h}, above{x, about.y - h - gap, w, h};
  const Rect right{about.right() + gap, y, w, h}, left{about.x - w - gap, y, w, h};
  const Rect under{x, pointer.y + s.px(28), w, h}, over{x, pointer.y - gap - h, w, h};  // beside the pointer
  const bool form = region.id.starts_with("field:") || region.id.starts_with("choice:");
  const bool row = region.id.starts_with("lesson:");
  std::vector<Rect> places = form  ? std::vector{above, left, below, right}
                             : row ? std::vector{right, below, above, left}
                                   : std::vector{below, above, right, left};
  if (area_of(about) > kLarge * area_of(window)) places.insert(places.end(), {under, over});
  std::erase_if(places, [&](Rect place) { return !holds(room, place); });
  if (places.empty()) places.push_back(holds(room, under) ? under : over);

  const std::vector<Thing> things = things_in(scene, about);
  const auto covered = [&](Rect place) {
    float sum = 0;
    for (const Thing& thing : things) sum += thing.weight * common_area(place, thing.rect);
    return sum;
  };
  Rect best = places.front();
  float least = std::numeric_limits<float>::max();
  for (const Rect& place : places)
    if (const float cost = covered(place); cost < least) best = place, least = cost;
  if (!anywhere || least == 0) return best;
  float nearest = std::numeric_limits<float>::max();
  for (int k = 0; k < kColumns * kRows; ++k) {
    const Rect place{room.x + (room.w - w) * float(k % kColumns) / (kColumns - 1),
                     room.y + (room.h - h) * float(k / kColumns) / (kRows - 1), w, h};
    const float far = gap_between(place, about);
    if (far < gap || (least == 0 && far >= nearest)) continue;
    if (const float cost = covered(place); cost < least || (cost == least && far < nearest))
      best = place, least = cost, nearest = far;
  }
  return best;
}

// The stage says what a tile is; the window adds what can be done with it.
std::string tip_words(const Region& region) {
  return input_tile(region.id) ? region.tip + " Double-click to type over a number." : region.tip;
}

// What Enter presses on a board, such as a chip: what it does is written nowhere else.
bool pressed_on_board(const ViewState& view) {
  if (view.focus.starts_with("board:")) return on_board_button(view);
  const Board* board = board_named(view.board.board);
  return board && view.focus.starts_with("knob:") && !has_slider(*board, view.focus);
}

const Region* told(const Scene& scene, const ViewState& view) {
  if (view.hover_for >= kTipDelay && view.held.empty()) {
    // What lies in several memories is told of where the pointer is.
    const Region* region = scene.hit(view.pointer);
    if (region && region->id == view.hover) return region;
  }
  return view.focus_ring && view.held.empty() && pressed_on_board(view) ? reachable_region(scene, view.focus) : nullptr;
}

// Between two of the ground, so that it is seen on any colour; drawn inwards at the window's edge.
void ring(Scene& scene, const Region& region, const Style& s) {
  const float ground = s.px(1.5f), width = s.px(3), out = s.px(2) + width + ground;
  const Rect around = region.rect.inset(-out);
  const float x = std::max(around.x, 0.0f), y = std::max(around.y, 0.0f);
  const Rect seen{x, y, std::min(around.right(), scene.size.x) - x, std::min(around.bottom(), scene.size.y) - y};
  const float radius = region.focus_radius + out;
  scene.box(seen, radius, {}, s[Role::Background], width + 2 * ground);
  scene.box(seen.inset(ground), radius - ground, {}, s[Role::Focus], width);
}

}  // namespace

void layout_tip(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const Region* region = told(scene, view);
  if (!region || region->tip.empty() || !wants_tip(view, region->id)) return;
  const float pad = s.px(10), most = std::min(s.px(420), window.w - s.px(40)), line_h = s.px(22);
  const std::vector<std::string> lines = wrap_text(tip_words(*region), Face::Sans, s.number(), most);
  float w = 0;
  for (const std::string& line : lines) w = std::max(w, text_width(line, Face::Sans, s.number()));
  w += 2 * pad + 1;
  const float h = float(lines.size()) * line_h + 2 * pad;

  const bool by_mouse = region->id == view.hover && !view.pointed;
  const Vec2 at = by_mouse ? view.pointer : region->rect.center();
  const Rect box = tip_place(scene, *region, at, w, h, window, s, !by_mouse);
  if (view.pointed) ring(scene, *region, s);
  scene.box(box, s.r_small(), s[Role::Inverse]);
  for (size_t k = 0; k < lines.size(); ++k)
    scene.label({box.x + pad, box.y + pad + float(k) * line_h, w - 2 * pad, line_h}, lines[k], Face::Sans, s.number(),
                s[Role::InverseText]);
}

void layout_focus(Scene& scene, const ViewState& view, const Style& s) {
  if (!view.focus_ring || view.focus.empty()) return;
  if (const Region* region = reachable_region(scene, view.focus)) ring(scene, *region, s);
}

}  // namespace tilewalk
