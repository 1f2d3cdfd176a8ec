#include "app/scene/icon.h"

#include "app/scene/palette.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr int kAcross = 3, kAtHand = 4;  // tiles in a row; the one at hand, in reading order
constexpr float kMargin = 7, kTile = 15, kGap = 2.5f, kSide = 2 * kMargin + 3 * kTile + 2 * kGap;
constexpr int kSamples = 8;  // a side of a pixel

bool inside(const Rect& r, float radius, Vec2 p) {
  if (!r.contains(p)) return false;
  const float dx = std::max({r.x + radius - p.x, p.x - (r.right() - radius), 0.0f});
  const float dy = std::max({r.y + radius - p.y, p.y - (r.bottom() - radius), 0.0f});
  return dx * dx + dy * dy <= radius * radius;
}

// What of the pixel the box covers, 0..1.
float coverage(const Rect& r, float radius, int x, int y) {
  int hits = 0;
  for (int v = 0; v < kSamples; ++v)
    for (int u = 0; u < kSamples; ++u)
      hits += inside(r, radius, {float(x) + (float(u) + 0.5f) / kSamples, float(y) + (float(v) + 0.5f) / kSamples});
  return float(hits) / (kSamples * kSamples);
}

}  // namespace

Scene icon_scene(float side) {
  const Palette& p = palette(Theme::Light);
  const float s = side / kSide;
  Scene scene;
  scene.size = {side, side};
  scene.box({0, 0, side, side}, 13 * s, p[Role::Border]);
  scene.box(Rect{0, 0, side, side}.inset(1 * s), 12 * s, p[Role::Background]);
  for (int k = 0; k < kAcross * kAcross; ++k) {
    const Rect tile{(kMargin + float(k % kAcross) * (kTile + kGap)) * s,
                    (kMargin + float(k / kAcross) * (kTile + kGap)) * s, kTile * s, kTile * s};
    const Color fill = k < kAtHand ? p[Role::Inverse] : k == kAtHand ? p[Role::Accent] : p[Role::Line];
    scene.box(tile, 3 * s, fill);
  }
  return scene;
}

std::vector<uint8_t> icon_pixels(int side) {
  const Scene scene = icon_scene(float(side));
  std::vector<uint8_t> pixels(size_t(side) * size_t(side) * 4);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      float rgb[3] = {0, 0, 0}, alpha = 0;  // premultiplied
      for (const Item& item : scene.items) {
        const Box& box = std::get<Box>(item);
        const float a = coverage(box.rect, box.radius, x, y);
        const uint8_t fill[3] = {box.fill.r, box.fill.g, box.fill.b};
        for (int c = 0; c < 3; ++c) rgb[c] = rgb[c] * (1 - a) + float(fill[c]) * a;
        alpha = alpha * (1 - a) + a;
      }
      uint8_t* out = &pixels[(size_t(y) * size_t(side) + size_t(x)) * 4];
      for (int c = 0; c < 3; ++c) out[c] = alpha > 0 ? uint8_t(std::lround(rgb[c] / alpha)) : 0;
      out[3] = uint8_t(std::lround(alpha * 255));
    }
  return pixels;
}

}  // namespace tilewalk
