// The tools in the hand of the one who talks: pointer, pen, eraser, spotlight, lens.
#include "app/session/present_moves.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewalk {
namespace {

constexpr float kSpotStep = 1.15f, kLensStep = 0.25f, kErasePart = 0.02f;  // the last of the picture's width

float distance(Vec2 a, Vec2 b) { return std::hypot(a.x - b.x, (a.y - b.y) * 9 / 16); }  // in widths of the picture

void erase_at(Presentation& p, Vec2 at) {
  std::erase_if(p.strokes, [&](const PenStroke& stroke) {
    return std::ranges::any_of(stroke.points, [&](Vec2 point) { return distance(point, at) < kErasePart; });
  });
}

}  // namespace

void take_tool(ViewState& view, Tool tool) {
  view.present.tool = tool;
  if (tool == Tool::Spotlight) view.present.lens = false;  // it would be dark around the light and large within it
  view.present.drawing = false;
  view.present.since_pointer = 0;
}

void turn_lens(ViewState& view) {
  Presentation& p = view.present;
  p.lens = !p.lens;
  if (p.lens && p.tool == Tool::Spotlight) take_tool(view, Tool::Normal);
  p.since_pointer = 0;
}

void end_lights(ViewState& view) {
  Presentation& p = view.present;
  p.lens = false;
  if (p.tool == Tool::Spotlight) p.tool = Tool::Normal;
}

void resize_tool(ViewState& view, float by) {
  Presentation& p = view.present;
  if (p.lens)
    p.lens_zoom = std::clamp(p.lens_zoom + by * kLensStep, kLeastLens, kMostLens);
  else
    p.spot = std::clamp(p.spot * std::pow(kSpotStep, by), kLeastSpot, kMostSpot);
}

void pin_strokes(ViewState& view) {
  std::vector<PenStroke>& strokes = view.present.strokes;
  const bool pin = std::ranges::any_of(strokes, [](const PenStroke& s) { return !s.pinned; });
  for (PenStroke& stroke : strokes) stroke.pinned = pin;
}

void wipe_strokes(ViewState& view) {
  view.present.drawing = false;
  std::erase_if(view.present.strokes, [](const PenStroke& stroke) { return !stroke.pinned; });
}

bool tool_moved(ViewState& view, Vec2 at) {
  Presentation& p = view.present;
  p.pointing = at.x >= 0 && at.y >= 0 && at.x <= 1 && at.y <= 1;
  p.at = {std::clamp(at.x, 0.0f, 1.0f), std::clamp(at.y, 0.0f, 1.0f)};
  p.since_pointer = 0;
  if (p.drawing && p.tool == Tool::Pen && !p.strokes.empty()) {
    std::vector<Vec2>& points = p.strokes.back().points;
    if (distance(points.back(), p.at) > 0.001f) points.push_back(p.at);
  }
  if (p.drawing && p.tool == Tool::Eraser) erase_at(p, p.at);
  return p.drawing || (p.pointing && (p.tool != Tool::Normal || p.lens));
}

bool tool_pressed(ViewState& view, Vec2 at) {
  tool_moved(view, at);
  Presentation& p = view.present;
  if (!p.pointing || p.tool == Tool::Normal) return false;
  if (p.frozen && !p.presenters_window()) return true;  // it would be drawn on a picture that nobody sees
  p.drawing = true;
  if (p.tool == Tool::Pen) p.strokes.push_back({{p.at}, false});
  if (p.tool == Tool::Eraser) erase_at(p, p.at);
  return true;
}

void tool_released(ViewState& view) { view.present.drawing = false; }

}  // namespace tilewalk
