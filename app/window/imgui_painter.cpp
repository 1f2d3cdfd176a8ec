#include "app/window/imgui_painter.h"

#include "app/text/text.h"
#include "app/window/box_mask.h"
#include "app/window/mesh.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace tilewalk {

namespace {

constexpr float to_u = 1.0f / GlyphCache::width, to_v = 1.0f / GlyphCache::max_height;

ImU32 packed(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }

bool finite(const Rect& r) { return std::isfinite(r.x + r.y + r.w + r.h); }
bool finite(Vec2 p) { return std::isfinite(p.x + p.y); }

using TextureOf = std::function<uint64_t(const std::shared_ptr<const Pixels>&)>;

class ScenePainter {
 public:
  ScenePainter(Mesh& mesh, ImDrawList& list, GlyphCache& glyphs, std::vector<PlacedGlyph>& line, Rect visible,
               TextureOf texture_of)
      : mesh_(mesh), list_(list), glyphs_(glyphs), line_(line), visible_(visible), texture_of_(std::move(texture_of)) {}

  void operator()(const Box& box) {
    if (!seen(box.rect)) return;
    const bool filled = box.fill.a > 0, stroked = box.stroke.a > 0 && box.stroke_width > 0;
    const bool dashed = box.dash > 0;
    // An opaque stroke hides the fill's edge, which then lies under its middle, as in the SVG.
    const bool hidden_edge = stroked && box.stroke.a == 255 && !dashed;
    if (filled) fill(hidden_edge ? stroke_path(box) : rounded(box.rect, box.radius), packed(box.fill));
    if (!stroked) return;
    if (dashed) return mesh_.dashes(stroke_path(box), box.stroke_width, box.dash, packed(box.stroke));
    if (const auto mask = box_mask(glyphs_, box.rect, box.radius, box.stroke_width)) {
      masked(*mask, packed(box.stroke));
    } else {
      mesh_.stroke(stroke_path(box), box.stroke_width, packed(box.stroke));
    }
  }

  void fill(const RoundedRect& shape, ImU32 color) {
    const Rect& r = shape.rect;
    if (!(r.w > 0) || !(r.h > 0)) return;
    const auto whole = [](float v) { return v == std::round(v); };
    if (shape.radius < 0.1f && whole(r.x) && whole(r.y) && whole(r.w) && whole(r.h)) {
      constexpr float middle = GlyphCache::white_size / 2.0f;
      list_.PrimReserve(6, 4);
      mesh_.reserved_quad(r, {middle * to_u, middle * to_v}, {middle * to_u, middle * to_v}, color);
    } else if (const auto mask = box_mask(glyphs_, r, shape.radius, 0)) {
      masked(*mask, color);
    } else {
      mesh_.fill(shape, color);
    }
  }

  void operator()(const Label& label) {
    if (label.color.a == 0 || !(label.size > 0) || label.size > GlyphCache::largest_em) return;
    // Text may stand a little out of its slot; a slot's height of margin is plenty.
    if (!seen(label.slot.inset(-label.size * 2))) return;
    line_.clear();
    const float width = place_glyphs(label.text, label.face, line_) * label.size;
    float x = label.slot.x;
    if (label.align == Align::Center) x += (label.slot.w - width) / 2;
    if (label.align == Align::Right) x += label.slot.w - width;
    if (!(std::abs(x) < 1e6f) || !(std::abs(label.slot.y) < 1e6f)) return;

    const float baseline = baseline_in(label.slot, label.face, label.size);
    const int steps = GlyphCache::steps(label.size);
    const ImU32 color = packed(label.color);
    list_.PrimReserve(static_cast<int>(line_.size()) * 6, static_cast<int>(line_.size()) * 4);
    int left_out = 0;
    for (const PlacedGlyph& placed : line_) {
      const int pen = static_cast<int>(std::floor((x + placed.x * label.size) * static_cast<float>(steps) + 0.5f));
      const int whole = pen >= 0 ? pen / steps : (pen - steps + 1) / steps;
      const CachedGlyph& g = glyphs_.get(placed.glyph.font, placed.glyph.index, label.size, pen - whole * steps);
      if (g.w == 0) {
        ++left_out;
        continue;
      }
      const Rect at{static_cast<float>(whole + g.left), baseline - static_cast<float>(g.top), static_cast<float>(g.w),
                    static_cast<float>(g.h)};
      mesh_.reserved_quad(at, {static_cast<float>(g.x) * to_u, static_cast<float>(g.y) * to_v},
                          {static_cast<float>(g.x + g.w) * to_u, static_cast<float>(g.y + g.h) * to_v}, color);
    }
    if (left_out > 0) list_.PrimUnreserve(left_out * 6, left_out * 4);
  }

  void operator()(const Line& given) {
    if (given.color.a == 0 || !finite(given.from) || !finite(given.to)) return;
    const Line line = crisp(given);
    const ImU32 color = packed(line.color);
    const ArrowHead head = line.arrow ? arrow_head(line) : ArrowHead{{}, {}, {}, line.to};
    const float dx = head.line_end.x - line.from.x, dy = head.line_end.y - line.from.y, length = std::hypot(dx, dy);
    const float dash = dash_of_line(length, line.dash);
    if (dash > 0 && length / dash < 20000) {
      const int pieces = static_cast<int>(std::lround(length / dash));
      for (int i = 0; i < pieces; i += 2) {
        const float a = static_cast<float>(i) / static_cast<float>(pieces), b = a + 1 / static_cast<float>(pieces);
        mesh_.line({line.from.x + dx * a, line.from.y + dy * a}, {line.from.x + dx * b, line.from.y + dy * b},
                   line.width, color);
      }
    } else if (dx == 0 || dy == 0) {
      const float half = line.width / 2;
      const float left = std::min(line.from.x, head.line_end.x), top = std::min(line.from.y, head.line_end.y);
      const Rect bar =
          dx == 0 ? Rect{left - half, top, line.width, std::abs(dy)} : Rect{left, top - half, std::abs(dx), line.width};
      fill({bar, 0}, color);
    } else {
      mesh_.line(line.from, head.line_end, line.width, color);
    }
    if (line.arrow) {
      const Vec2 points[] = {head.tip, head.left, head.right};
      mesh_.convex(points, 3, color);
    }
  }

  void operator()(const Polygon& polygon) {
    if (polygon.fill.a == 0 ||
        !std::all_of(polygon.points.begin(), polygon.points.end(), [](Vec2 p) { return finite(p); })) {
      return;
    }
    mesh_.convex(polygon.points.data(), polygon.points.size(), packed(polygon.fill));
  }

  void operator()(const Image& image) {
    if (!image.pixels || image.pixels->rgba.empty() || !seen(image.rect)) return;
    const uint64_t texture = texture_of_(image.pixels);
    if (texture == 0) return;
    list_.PushTextureID((ImTextureID)(intptr_t)texture);
    list_.PrimReserve(6, 4);
    mesh_.reserved_quad(image.rect, {0, 0}, {1, 1}, IM_COL32_WHITE);
    list_.PopTextureID();
  }

 private:
  bool seen(const Rect& r) const {
    return finite(r) && r.x < visible_.right() + 1 && r.right() > visible_.x - 1 && r.y < visible_.bottom() + 1 &&
           r.bottom() > visible_.y - 1;
  }

  struct Span {
    float from, to, texel_from, texel_to;
  };
  // The pieces of one axis: copied, stretched from one texel, copied.
  static int spans(const MaskAxis& axis, Span (&out)[3]) {
    const auto start = static_cast<float>(axis.start), first = static_cast<float>(axis.first);
    const auto texel = static_cast<float>(axis.texel);
    out[0] = {start, start + first, texel, texel + first};
    if (axis.middle == 0) return 1;
    const float end = start + first + static_cast<float>(axis.middle), last = static_cast<float>(axis.last);
    out[1] = {start + first, end, texel + first + 0.5f, texel + first + 0.5f};
    out[2] = {end, end + last, texel + first + 1, texel + first + 1 + last};
    return 3;
  }

  void masked(const BoxMask& mask, ImU32 color) {
    Span across[3], down[3];
    const int columns = spans(mask.x, across), rows = spans(mask.y, down);
    const bool hole = mask.hollow && columns == 3 && rows == 3;
    const int quads = columns * rows - hole;
    list_.PrimReserve(6 * quads, 4 * quads);
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) {
        if (hole && x == 1 && y == 1) continue;
        const Span &h = across[x], &v = down[y];
        mesh_.reserved_quad({h.from, v.from, h.to - h.from, v.to - v.from}, {h.texel_from * to_u, v.texel_from * to_v},
                            {h.texel_to * to_u, v.texel_to * to_v}, color);
      }
    }
  }

  Mesh& mesh_;
  ImDrawList& list_;
  GlyphCache& glyphs_;
  std::vector<PlacedGlyph>& line_;
  Rect visible_;
  TextureOf texture_of_;
};

}  // namespace

ImguiPainter::ImguiPainter(AlphaTextures& textures)
    : textures_(textures), texture_(textures.create(GlyphCache::width, GlyphCache::max_height)) {}

ImguiPainter::~ImguiPainter() {
  textures_.destroy(texture_);
  for (const auto& [pixels, shown] : images_)
    if (shown.texture) textures_.destroy(shown.texture);
}

void ImguiPainter::begin_frame() {
  if (glyphs_.overflowed()) glyphs_.clear();
  std::erase_if(images_, [&](const auto& image) {
    if (!image.second.pixels.expired()) return false;
    if (image.second.texture) textures_.destroy(image.second.texture);
    return true;
  });
}

uint64_t ImguiPainter::texture_of(const std::shared_ptr<const Pixels>& pixels) {
  Shown& shown = images_[pixels.get()];
  // Other pixels may lie where some lay that are gone.
  if (shown.texture && shown.pixels.expired()) textures_.destroy(std::exchange(shown.texture, 0));
  if (!shown.texture) shown = {pixels, textures_.create_picture(*pixels)};
  return shown.texture;
}

void ImguiPainter::paint(const Scene& scene, ImDrawList& list, Vec2 origin, float pixels_per_unit, bool background) {
  // Glyphs are drawn on whole pixels, so the corner stands on one too.
  const Vec2 corner{std::round(origin.x), std::round(origin.y)};
  const ImVec2 clip_min = list.GetClipRectMin(), clip_max = list.GetClipRectMax();
  const Rect visible{clip_min.x * pixels_per_unit - corner.x, clip_min.y * pixels_per_unit - corner.y,
                     (clip_max.x - clip_min.x) * pixels_per_unit, (clip_max.y - clip_min.y) * pixels_per_unit};
  constexpr float middle = GlyphCache::white_size / 2.0f;

  list.PushTextureID((ImTextureID)(intptr_t)texture_);  // a pointer or an integer, by ImGui's version
  Mesh mesh(list, {middle * to_u, middle * to_v}, corner, pixels_per_unit);
  ScenePainter painter(mesh, list, glyphs_, line_, visible,
                       [this](const std::shared_ptr<const Pixels>& pixels) { return texture_of(pixels); });
  if (background && scene.background.a > 0) {
    painter.fill({{0, 0, scene.size.x, scene.size.y}, 0}, packed(scene.background));
  }
  for (const Item& item : scene.items) std::visit(painter, item);
  list.PopTextureID();
}

void ImguiPainter::upload() {
  const GlyphCache::Area area = glyphs_.take_dirty();
  if (area.w == 0) return;
  const uint8_t* first = glyphs_.pixels().data() + static_cast<size_t>(area.y) * GlyphCache::width + area.x;
  textures_.update(texture_, area.x, area.y, area.w, area.h, first, GlyphCache::width);
}

}  // namespace tilewalk
