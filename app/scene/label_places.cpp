#include "app/scene/label_places.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

bool touch(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool within(const Rect& inner, const Rect& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() && inner.bottom() <= outer.bottom();
}

// Liang-Barsky: whether any of the segment lies in the rectangle.
bool crosses(const Rect& r, Vec2 a, Vec2 b) {
  float from = 0, to = 1;
  const auto clip = [&](float d, float low, float high) {
    if (d == 0) return low <= 0 && high >= 0;
    float t0 = low / d, t1 = high / d;
    if (t0 > t1) std::swap(t0, t1);
    from = std::max(from, t0);
    to = std::min(to, t1);
    return from <= to;
  };
  return clip(b.x - a.x, r.x - a.x, r.right() - a.x) && clip(b.y - a.y, r.y - a.y, r.bottom() - a.y);
}

// Directions from a thing to its name, the best ones first: right above, left above, right, left, ...
constexpr std::array<Vec2, 12> kWays{{{1, -1},
                                      {-1, -1},
                                      {1, 1},
                                      {-1, 1},
                                      {1, 0},
                                      {-1, 0},
                                      {0, -1},
                                      {0, 1},
                                      {0.5f, -1},
                                      {-0.5f, -1},
                                      {0.5f, 1},
                                      {-0.5f, 1}}};
constexpr std::array<float, 9> kRings{0, 0.8f, 1.6f, 2.6f, 3.8f, 5.2f, 7, 9, 12};  // heights of a name
constexpr float kPerLine = 110, kPerAnchor = 14, kPerWay = 1.5f, kPerLeader = 60;  // cost, in pixels of distance

Rect beside(const NameWish& wish, Vec2 anchor, Vec2 way, float ring) {
  const float out = wish.clear * (way.x != 0 && way.y != 0 ? 0.75f : 1) + ring * wish.h;
  const Vec2 center{anchor.x + way.x * (out + wish.w / 2), anchor.y + way.y * (out + wish.h / 2)};
  return {center.x - wish.w / 2, center.y - wish.h / 2, wish.w, wish.h};
}

// The point of the rectangle that is closest to the anchor.
Vec2 edge_of(const Rect& r, Vec2 to) { return {std::clamp(to.x, r.x, r.right()), std::clamp(to.y, r.y, r.bottom())}; }

}  // namespace

std::vector<NamePlace> place_names(std::span<const NameWish> wishes, Rect area, std::vector<Rect> kept,
                                   std::span<const std::pair<Vec2, Vec2>> lines, float gap) {
  std::vector<NamePlace> places;
  std::vector<std::pair<Vec2, Vec2>> leaders;
  for (const NameWish& wish : wishes) {
    NamePlace best;
    float least = 1e30f;
    for (size_t a = 0; a < wish.anchors.size(); ++a)
      for (size_t k = 0; k < kRings.size(); ++k) {
        const float floor = float(a) * kPerAnchor + kRings[k] * wish.h;
        if (floor >= least) break;
        for (size_t w = 0; w < kWays.size(); ++w) {
          const Rect rect = beside(wish, wish.anchors[a], kWays[w], kRings[k]);
          if (!within(rect, area)) continue;
          const Rect held = rect.inset(-gap);
          if (std::ranges::any_of(kept, [&](const Rect& other) { return touch(held, other); })) continue;
          const Vec2 near = edge_of(rect, wish.anchors[a]);
          const float away = std::hypot(near.x - wish.anchors[a].x, near.y - wish.anchors[a].y);
          const bool leader = away > wish.clear + 0.75f * wish.h;
          float cost = away + float(a) * kPerAnchor + float(w) * kPerWay;
          for (const auto& [from, to] : lines) cost += crosses(rect, from, to) ? kPerLine : 0;
          for (const auto& [from, to] : leaders) cost += crosses(rect, from, to) ? kPerLeader : 0;
          if (leader)
            for (const NamePlace& other : places)
              cost += other.found && crosses(other.rect, wish.anchors[a], near) ? kPerLeader : 0;
          if (cost < least) least = cost, best = {rect, wish.anchors[a], true, leader};
        }
      }
    if (best.found) {
      kept.push_back(best.rect);
      if (best.leader) leaders.emplace_back(best.anchor, edge_of(best.rect, best.anchor));
    }
    places.push_back(best);
  }
  return places;
}

}  // namespace tilewalk
