#include "app/window/box_mask.h"

#include "app/scene/shape.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

namespace {

constexpr int parts = 4;         // of a pixel, that edges are kept to
constexpr int whole_up_to = 48;  // pixels: a longer side is stretched from its middle
constexpr float largest_radius = 96, largest_stroke = 24, farthest = 30000;
constexpr int scanlines = 16;  // a pixel

// One side of a box in parts of a pixel, shortened to what has to be drawn.
struct Side {
  int start, end;  // on the target
  int pixel;       // that start lies in
  int pixels;      // touched
  int corner;      // pixels at each end that differ from the middle

  Side(float from, float to, float reach)
      : start(static_cast<int>(std::lround(from * parts))), end(static_cast<int>(std::lround(to * parts))) {
    pixel = start >= 0 ? start / parts : (start - parts + 1) / parts;
    pixels = (end + parts - 1 - pixel * parts) / parts;
    corner = static_cast<int>(std::ceil(reach)) + 1;
  }
  int phase() const { return start - pixel * parts; }
  bool stretched() const { return pixels > whole_up_to && pixels > 2 * corner + 1; }
  int drawn_pixels() const { return stretched() ? 2 * corner + 1 : pixels; }
  int drawn_length() const { return end - start - (pixels - drawn_pixels()) * parts; }
  MaskAxis axis(int texel) const {
    if (!stretched()) return {pixel, pixels, 0, 0, texel};
    return {pixel, corner, pixels - 2 * corner, corner, texel};
  }
};

// Adds the coverage of one shape, exact along rows and in scanlines down them.
void add_coverage(std::vector<float>& sum, int width, int height, const RoundedRect& shape, float weight) {
  const Rect& b = shape.rect;
  if (b.w <= 0 || b.h <= 0) return;
  for (int line = 0; line < height * scanlines; ++line) {
    // The part of this scanline that lies inside the box, for edges that fall between scanlines.
    const float top = static_cast<float>(line) / scanlines, bottom = static_cast<float>(line + 1) / scanlines;
    const float share = std::min(bottom, b.bottom()) - std::max(top, b.y);
    if (share <= 0) continue;
    const float y = (std::max(top, b.y) + std::min(bottom, b.bottom())) / 2;
    const float into = std::max({b.y + shape.radius - y, y - (b.bottom() - shape.radius), 0.0f});
    const float cut = shape.radius - std::sqrt(std::max(0.0f, shape.radius * shape.radius - into * into));
    const float left = b.x + cut, right = b.right() - cut;
    float* row = &sum[static_cast<size_t>(line / scanlines) * static_cast<size_t>(width)];
    for (int x = std::max(0, static_cast<int>(left)); x < width && static_cast<float>(x) < right; ++x) {
      const float from = std::max(left, static_cast<float>(x)), to = std::min(right, static_cast<float>(x + 1));
      row[x] += weight * share * std::max(0.0f, to - from);
    }
  }
}

}  // namespace

GlyphBitmap box_coverage(int width, int height, const Rect& box, float radius, float stroke) {
  std::vector<float> sum(static_cast<size_t>(width) * static_cast<size_t>(height), 0.0f);
  const RoundedRect outer = rounded(box, radius);
  add_coverage(sum, width, height, outer, 1);
  if (stroke > 0) add_coverage(sum, width, height, rounded(box.inset(stroke), outer.radius - stroke), -1);
  GlyphBitmap out;
  out.width = width;
  out.height = height;
  for (const float v : sum) out.alpha.push_back(static_cast<uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255)));
  return out;
}

std::optional<BoxMask> box_mask(GlyphCache& atlas, const Rect& box, float radius, float stroke) {
  const float reach = std::max({box.x, box.y, box.right(), box.bottom(), -box.x, -box.y});
  if (!(reach < farthest) || !(radius <= largest_radius) || !(stroke <= largest_stroke)) return {};
  const auto corner = static_cast<int>(std::lround(rounded(box, radius).radius * parts));
  const auto band = static_cast<int>(std::lround(stroke * parts * 2));
  const float r = static_cast<float>(corner) / parts, w = static_cast<float>(band) / (parts * 2);
  const Side across(box.x, box.right(), std::max(r, w)), down(box.y, box.bottom(), std::max(r, w));
  if (across.end <= across.start || down.end <= down.start) return {};

  const auto length = [](const Side& side) { return static_cast<uint64_t>(side.drawn_length()); };
  const auto bits = [](int value) { return static_cast<uint64_t>(value); };
  const uint64_t key = length(across) | length(down) << 12 | bits(across.phase()) << 24 | bits(down.phase()) << 26 |
                       bits(corner) << 28 | bits(band) << 40;
  const CachedGlyph* texels = atlas.find_other(key);
  if (!texels) {
    const Rect drawn{static_cast<float>(across.phase()) / parts, static_cast<float>(down.phase()) / parts,
                     static_cast<float>(across.drawn_length()) / parts,
                     static_cast<float>(down.drawn_length()) / parts};
    texels = &atlas.keep_other(key, box_coverage(across.drawn_pixels(), down.drawn_pixels(), drawn, r, w));
  }
  if (texels->w == 0) return {};
  return BoxMask{across.axis(texels->x), down.axis(texels->y), stroke > 0};
}

}  // namespace tilewalk
