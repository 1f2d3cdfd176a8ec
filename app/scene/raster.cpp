#include "app/scene/raster.h"

#include "app/scene/coverage.h"
#include "app/scene/shape.h"
#include "app/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

uint8_t blended(uint8_t below, uint8_t above, float share) {
  return uint8_t(std::lround(float(below) + (float(above) - float(below)) * share));
}

class Painter {
 public:
  Painter(Pixels& out, GlyphCache& glyphs) : out_(out), coverage_(out.width, out.height), glyphs_(glyphs) {}

  void operator()(const Box& box) {
    const bool filled = box.fill.a > 0, stroked = box.stroke.a > 0 && box.stroke_width > 0;
    const bool dashed = box.dash > 0;
    // An opaque stroke hides the fill's edge, which then lies under its middle, as in the SVG.
    const bool hidden_edge = stroked && box.stroke.a == 255 && !dashed;
    if (filled) fill(hidden_edge ? stroke_path(box) : rounded(box.rect, box.radius), box.fill);
    if (!stroked) return;
    const RoundedRect path = stroke_path(box);
    if (dashed) {
      dashes(path, box.stroke_width, box.dash);
    } else {
      const float half = box.stroke_width / 2;
      loop_of({path.rect.inset(-half), path.radius > 0 ? path.radius + half : 0});
      const Rect hole = path.rect.inset(half);
      if (hole.w > 0 && hole.h > 0) {
        points_.clear();
        outline({hole, std::max(0.0f, path.radius - half)}, points_);
        std::reverse(points_.begin(), points_.end());
        coverage_.add(points_);
      }
    }
    pour(box.stroke);
  }

  void operator()(const Label& label) {
    if (label.color.a == 0 || !(label.size > 0) || label.size > GlyphCache::largest_em) return;
    line_.clear();
    const float width = place_glyphs(label.text, label.face, line_) * label.size;
    float x = label.slot.x;
    if (label.align == Align::Center) x += (label.slot.w - width) / 2;
    if (label.align == Align::Right) x += label.slot.w - width;
    if (!(std::abs(x) < 1e6f) || !(std::abs(label.slot.y) < 1e6f)) return;
    const int baseline = int(baseline_in(label.slot, label.face, label.size)), steps = GlyphCache::steps(label.size);
    for (const PlacedGlyph& placed : line_) {
      const int pen = int(std::floor((x + placed.x * label.size) * float(steps) + 0.5f));
      const int whole = pen >= 0 ? pen / steps : (pen - steps + 1) / steps;
      glyph(placed.glyph, label, whole, pen - whole * steps, baseline);
    }
  }

  void operator()(const Line& given) {
    if (given.color.a == 0) return;
    const Line line = crisp(given);
    const ArrowHead head = line.arrow ? arrow_head(line) : ArrowHead{{}, {}, {}, line.to};
    const float dx = head.line_end.x - line.from.x, dy = head.line_end.y - line.from.y, length = std::hypot(dx, dy);
    const float dash = dash_of_line(length, line.dash);
    const int pieces = dash > 0 && length / dash < 20000 ? int(std::lround(length / dash)) : 1;
    for (int k = 0; k < pieces; k += 2) {
      const float a = float(k) / float(pieces), b = float(k + 1) / float(pieces);
      bar({line.from.x + dx * a, line.from.y + dy * a}, {line.from.x + dx * b, line.from.y + dy * b}, line.width);
    }
    pour(line.color);
    if (line.arrow) (*this)(Polygon{{head.tip, head.left, head.right}, line.color});
  }

  void operator()(const Polygon& polygon) {
    if (polygon.fill.a == 0) return;
    coverage_.add(polygon.points);
    pour(polygon.fill);
  }

  // On whole pixels. Each is the mean of those that it covers; where there are fewer they are drawn out.
  void operator()(const Image& image) {
    const int left = int(std::lround(image.rect.x)), top = int(std::lround(image.rect.y));
    const int w = int(std::lround(image.rect.right())) - left, h = int(std::lround(image.rect.bottom())) - top;
    if (!image.pixels || image.pixels->rgba.empty() || w < 1 || h < 1) return;
    const Pixels part = shrunk(*image.pixels, w, h);
    for (int y = std::max(0, -top); y < h && top + y < out_.height; ++y)
      for (int x = std::max(0, -left); x < w && left + x < out_.width; ++x) {
        const size_t from =
            size_t(int64_t(y) * part.height / h) * size_t(part.width) + size_t(int64_t(x) * part.width / w);
        const size_t to = size_t(top + y) * size_t(out_.width) + size_t(left + x);
        std::copy_n(part.rgba.data() + from * 4, 4, out_.rgba.data() + to * 4);
      }
  }

 private:
  void fill(const RoundedRect& shape, Color color) {
    if (!(shape.rect.w > 0) || !(shape.rect.h > 0)) return;
    loop_of(shape);
    pour(color);
  }

  void loop_of(const RoundedRect& shape) {
    points_.clear();
    outline(shape, points_);
    coverage_.add(points_);
  }

  // A straight stroke with square ends, always walked the same way round.
  void bar(Vec2 from, Vec2 to, float width) {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (!(length > 0) || !(width > 0)) return;
    const float nx = -dy / length * width / 2, ny = dx / length * width / 2;
    coverage_.add(std::array<Vec2, 4>{Vec2{from.x + nx, from.y + ny}, Vec2{from.x - nx, from.y - ny},
                                      Vec2{to.x - nx, to.y - ny}, Vec2{to.x + nx, to.y + ny}});
  }

  // Along the outline, a dash and a gap by turns; a dash bends round a corner.
  void dashes(const RoundedRect& path, float width, float wanted) {
    const float dash = dash_of_loop(perimeter(path), wanted);
    if (!(dash > 0)) return;
    points_.clear();
    outline(path, points_);
    float walked = 0;  // along the outline
    for (size_t k = 0; k < points_.size(); ++k) {
      const Vec2 a = points_[k], b = points_[(k + 1) % points_.size()];
      const float length = std::hypot(b.x - a.x, b.y - a.y);
      if (!(length > 0) || length / dash > 20000) continue;
      for (float at = 0; at < length - 1e-4f;) {
        const float turn = std::fmod(walked + at, 2 * dash);
        const float rest = std::max(1e-3f, turn < dash ? dash - turn : 2 * dash - turn);
        const float end = std::min(length, at + rest);
        const auto on = [&](float t) { return Vec2{a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length}; };
        if (turn < dash) bar(on(at), on(end), width);
        at = end;
      }
      walked += length;
    }
  }

  void glyph(const Glyph& wanted, const Label& label, int pen, int step, int baseline) {
    const CachedGlyph* g = &glyphs_.get(wanted.font, wanted.index, label.size, step);
    if (glyphs_.overflowed()) {
      glyphs_.clear();
      g = &glyphs_.get(wanted.font, wanted.index, label.size, step);
    }
    const int left = pen + g->left, top = baseline - g->top;
    for (int y = std::max(0, -top); y < g->h && top + y < out_.height; ++y) {
      const uint8_t* cover = glyphs_.pixels().data() + size_t(g->y + y) * GlyphCache::width + g->x;
      for (int x = std::max(0, -left); x < g->w && left + x < out_.width; ++x)
        if (cover[x]) blend(left + x, top + y, label.color, float(cover[x]) / 255);
    }
  }

  void blend(int x, int y, Color color, float share) {
    uint8_t* pixel = out_.rgba.data() + (size_t(y) * size_t(out_.width) + size_t(x)) * 4;
    share *= float(color.a) / 255;
    pixel[0] = blended(pixel[0], color.r, share);
    pixel[1] = blended(pixel[1], color.g, share);
    pixel[2] = blended(pixel[2], color.b, share);
  }

  void pour(Color color) {
    coverage_.take([&](int y, int x, std::span<const float> shares) {
      for (const float share : shares) {
        if (share > 0.001f) blend(x, y, color, share);
        ++x;
      }
    });
  }

  Pixels& out_;
  Coverage coverage_;
  GlyphCache& glyphs_;
  std::vector<PlacedGlyph> line_;
  std::vector<Vec2> points_;
};

}  // namespace

Pixels Rasterizer::paint(const Scene& scene) {
  Pixels out;
  out.width = std::max(0, int(scene.size.x)), out.height = std::max(0, int(scene.size.y));
  out.rgba.resize(size_t(out.width) * size_t(out.height) * 4);
  const Color ground = scene.background.a > 0 ? scene.background : rgb(0xFFFFFF);
  for (size_t k = 0; k < out.rgba.size(); k += 4)
    out.rgba[k] = ground.r, out.rgba[k + 1] = ground.g, out.rgba[k + 2] = ground.b, out.rgba[k + 3] = 255;
  Painter painter(out, glyphs_);
  for (const Item& item : scene.items) std::visit(painter, item);
  return out;
}

}  // namespace tilewalk
