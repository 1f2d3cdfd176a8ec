#include "app/panels/said_strip.h"

#include "app/panels/widgets.h"
#include "app/text/text.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr float kHeight = 27, kType = 20, kPad = 12;  // pixels of 1080 lines; the margin has 28

}  // namespace

// Black, white and frozen pictures stay as they are.
bool is_said(const ViewState& view) {
  const Presentation& p = view.present;
  return p.on && !p.presenters_window() && !p.frozen && p.blank == Blank::None && !view.notice.empty() &&
         view.notice == p.noticed;
}

float said_height(float picture_height) { return std::ceil(kHeight * picture_height / 1080); }

void layout_said(Scene& scene, const ViewState& view, Rect picture, const Style& style) {
  if (!is_said(view)) return;
  const float unit = picture.h / 1080, size = kType * unit, pad = kPad * unit;
  const float w = std::min(picture.w - 2 * pad, text_width(view.notice, Face::Sans, size) + unit);
  const Rect strip{picture.x, picture.y, w + 2 * pad, said_height(picture.h)};
  scene.box(strip, 0, style[Role::Inverse]);
  fitted(scene, {strip.x + pad, strip.y, w, strip.h}, view.notice, Face::Sans, size, style[Role::InverseText]);
}

}  // namespace tilewalk
