#include "app/window/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tilewalk {

namespace {

// Unit quarter circles from straight up to the right, by their number of chords.
using Arc = std::array<Vec2, max_corner_chords + 1>;

const Arc& arc(int chords) {
  static const auto all = [] {
    std::vector<Arc> arcs(max_corner_chords + 1);
    for (int n = 1; n <= max_corner_chords; ++n) {
      for (int i = 0; i <= n; ++i) {
        const float angle = std::numbers::pi_v<float> / 2 * static_cast<float>(i) / static_cast<float>(n);
        arcs[static_cast<size_t>(n)][static_cast<size_t>(i)] = {std::sin(angle), std::cos(angle)};
      }
    }
    return arcs;
  }();
  return all[static_cast<size_t>(chords)];
}

ImU32 faded(ImU32 color, float by) {
  const auto alpha = static_cast<float>(color >> IM_COL32_A_SHIFT & 255);
  return (color & ~IM_COL32_A_MASK) | static_cast<ImU32>(alpha * by + 0.5f) << IM_COL32_A_SHIFT;
}

ImU32 clear_of(ImU32 color) { return color & ~IM_COL32_A_MASK; }

}  // namespace

void Mesh::vertex(Vec2 p, ImU32 color) {
  *list_._VtxWritePtr++ = ImDrawVert{place(p), white_, color};
  ++list_._VtxCurrentIdx;
}

void Mesh::index(size_t i) { *list_._IdxWritePtr++ = static_cast<ImDrawIdx>(i); }

// The outline of `centre` moved outwards by `by`, with the same number of points for every `by`.
void Mesh::ring(const RoundedRect& centre, int chords, float by, ImU32 color) {
  const float in = std::min(-by, std::min(centre.rect.w, centre.rect.h) / 2);
  const Rect b = centre.rect.inset(in);
  if (chords == 0) {
    vertex({b.x, b.y}, color);
    vertex({b.right(), b.y}, color);
    vertex({b.right(), b.bottom()}, color);
    vertex({b.x, b.bottom()}, color);
    return;
  }
  const float r = std::clamp(centre.radius + by, 0.0f, std::min(b.w, b.h) / 2);
  const float left = b.x + r, top = b.y + r, right = b.right() - r, bottom = b.bottom() - r;
  const Arc& unit = arc(chords);
  const auto n = static_cast<size_t>(chords);
  for (size_t i = 0; i <= n; ++i) vertex({right + r * unit[i].x, top - r * unit[i].y}, color);
  for (size_t i = 0; i <= n; ++i) vertex({right + r * unit[i].y, bottom + r * unit[i].x}, color);
  for (size_t i = 0; i <= n; ++i) vertex({left - r * unit[i].x, bottom + r * unit[i].y}, color);
  for (size_t i = 0; i <= n; ++i) vertex({left - r * unit[i].y, top - r * unit[i].x}, color);
}

// Two triangles between each pair of neighbours on two rows of `points` vertices.
void Mesh::between(size_t row, size_t next_row, size_t points, bool closed) {
  for (size_t i = 0; i + (closed ? 0 : 1) < points; ++i) {
    const size_t k = i + 1 == points ? 0 : i + 1;
    index(row + i);
    index(row + k);
    index(next_row + k);
    index(row + i);
    index(next_row + k);
    index(next_row + i);
  }
}

void Mesh::fill(const RoundedRect& shape, ImU32 color, bool soft_edge) {
  const Rect& b = shape.rect;
  if (!(b.w > 0) || !(b.h > 0)) return;
  const int chords = corner_chords(shape.radius);
  const size_t points = 4 * static_cast<size_t>(chords + 1);
  const float soft = soft_edge ? 0.5f : 0.0f;
  // What is thinner than a pixel covers that part of it.
  if (soft_edge && (b.w < 1 || b.h < 1)) color = faded(color, std::min(b.w, 1.0f) * std::min(b.h, 1.0f));
  list_.PrimReserve(static_cast<int>(3 * (points - 2) + (soft_edge ? 6 * points : 0)),
                    static_cast<int>(points * (soft_edge ? 2 : 1)));
  const size_t base = list_._VtxCurrentIdx;
  ring(shape, chords, -soft, color);
  for (size_t i = 2; i < points; ++i) {
    index(base);
    index(base + i - 1);
    index(base + i);
  }
  if (!soft_edge) return;
  ring(shape, chords, soft, clear_of(color));
  between(base + points, base, points, true);
}

void Mesh::stroke(const RoundedRect& centre, float width, ImU32 color) {
  if (!(width > 0) || !(centre.rect.w >= 0) || !(centre.rect.h >= 0)) return;
  // The corner that is largest on the screen decides how many chords are needed.
  const int chords = centre.radius > 0 ? corner_chords(centre.radius + width / 2) : 0;
  const size_t points = 4 * static_cast<size_t>(chords + 1);
  if (width < 1) color = faded(color, width);
  const float half = std::max(width, 1.0f) / 2;
  list_.PrimReserve(static_cast<int>(18 * points), static_cast<int>(4 * points));
  const size_t base = list_._VtxCurrentIdx;
  ring(centre, chords, half + 0.5f, clear_of(color));
  ring(centre, chords, half - 0.5f, color);
  ring(centre, chords, 0.5f - half, color);
  ring(centre, chords, -half - 0.5f, clear_of(color));
  for (size_t row = 0; row < 3; ++row) between(base + row * points, base + (row + 1) * points, points, true);
}

void Mesh::convex(const Vec2* points, size_t count, ImU32 color) {
  if (count < 3) return;
  float area = 0;
  for (size_t i = 0; i < count; ++i) {
    const Vec2 a = points[i], b = points[i + 1 == count ? 0 : i + 1];
    area += a.x * b.y - b.x * a.y;
  }
  if (area == 0) return;
  const float side = area > 0 ? 1.0f : -1.0f;
  list_.PrimReserve(static_cast<int>(3 * (count - 2) + 6 * count), static_cast<int>(2 * count));
  const size_t base = list_._VtxCurrentIdx;

  // Rows of inner and outer points, half a pixel to each side of the edge, along the middle of the two edges' normals.
  scratch_.clear();
  for (size_t i = 0; i < count; ++i) {
    const Vec2 before = points[i == 0 ? count - 1 : i - 1], at = points[i], after = points[i + 1 == count ? 0 : i + 1];
    const float x0 = at.x - before.x, y0 = at.y - before.y, x1 = after.x - at.x, y1 = after.y - at.y;
    const float l0 = side / std::max(std::hypot(x0, y0), 1e-6f), l1 = side / std::max(std::hypot(x1, y1), 1e-6f);
    const float nx = (y0 * l0 + y1 * l1) / 2, ny = (-x0 * l0 - x1 * l1) / 2;
    const float spread = std::min(1 / std::max(nx * nx + ny * ny, 1e-6f), 6.0f);  // a very sharp tip is cut
    scratch_.push_back({nx * spread * 0.5f, ny * spread * 0.5f});
  }
  for (size_t i = 0; i < count; ++i) vertex({points[i].x - scratch_[i].x, points[i].y - scratch_[i].y}, color);
  for (size_t i = 0; i < count; ++i)
    vertex({points[i].x + scratch_[i].x, points[i].y + scratch_[i].y}, clear_of(color));
  for (size_t i = 2; i < count; ++i) {
    index(base);
    index(base + i - 1);
    index(base + i);
  }
  between(base + count, base, count, true);
}

void Mesh::line(Vec2 from, Vec2 to, float width, ImU32 color) {
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0) || !(width > 0)) return;
  if (width < 1) color = faded(color, width);
  const float half = std::max(width, 1.0f) / 2, nx = dy / length * half, ny = -dx / length * half;
  const std::array<Vec2, 4> corners = {Vec2{from.x + nx, from.y + ny}, Vec2{to.x + nx, to.y + ny},
                                       Vec2{to.x - nx, to.y - ny}, Vec2{from.x - nx, from.y - ny}};
  convex(corners.data(), corners.size(), color);
}

// An open path with square ends; its bends are slight, as the chords of a corner are.
void Mesh::path(const Vec2* points, size_t count, float width, ImU32 color) {
  if (count < 3) {
    if (count == 2) line(points[0], points[1], width, color);
    return;
  }
  if (width < 1) color = faded(color, width);
  const float half = std::max(width, 1.0f) / 2;
  const std::array<float, 4> offsets = {half + 0.5f, half - 0.5f, 0.5f - half, -half - 0.5f};
  const size_t columns = count + 2;  // each end fades out over one pixel
  list_.PrimReserve(static_cast<int>(18 * (columns - 1)), static_cast<int>(4 * columns));
  const size_t base = list_._VtxCurrentIdx;
  for (size_t column = 0; column < columns; ++column) {
    const bool first = column <= 1, last = column + 2 >= columns, tip = column == 0 || column + 1 == columns;
    const size_t i = first ? 0 : last ? count - 1 : column - 1;
    const Vec2 before = points[i == 0 ? 0 : i - 1], after = points[i + 1 == count ? i : i + 1];
    const float dx = after.x - before.x, dy = after.y - before.y, length = std::max(std::hypot(dx, dy), 1e-6f);
    const float ux = dx / length, uy = dy / length;
    const float along = first ? (tip ? -0.5f : 0.5f) : last ? (tip ? 0.5f : -0.5f) : 0;
    for (size_t row = 0; row < offsets.size(); ++row) {
      const bool opaque = !tip && (row == 1 || row == 2);
      vertex({points[i].x + ux * along + uy * offsets[row], points[i].y + uy * along - ux * offsets[row]},
             opaque ? color : clear_of(color));
    }
  }
  for (size_t column = 0; column + 1 < columns; ++column) between(base + 4 * column, base + 4 * column + 4, 4, false);
}

void Mesh::dashes(const RoundedRect& centre, float width, float dash, ImU32 color) {
  loop_.clear();
  outline(centre, loop_);
  loop_.push_back(loop_.front());
  // Of the curve, not of its chords: which is nearest, one dash more or fewer, must not depend on who draws it.
  const float length = perimeter(centre);
  dash = dash_of_loop(length, dash);
  if (!(dash > 0) || length / dash > 20000) return;

  // Walk the loop; at every multiple of `dash` a piece begins or ends.
  float walked = 0, next = dash;
  bool drawing = true;
  piece_.assign(1, loop_.front());
  for (size_t i = 1; i < loop_.size(); ++i) {
    const Vec2 a = loop_[i - 1], b = loop_[i];
    const float edge = std::hypot(b.x - a.x, b.y - a.y);
    for (; next <= walked + edge && edge > 0; next += dash) {
      const float t = (next - walked) / edge;
      const Vec2 cut{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
      if (drawing) {
        piece_.push_back(cut);
        path(piece_.data(), piece_.size(), width, color);
      }
      drawing = !drawing;
      piece_.assign(1, cut);
    }
    walked += edge;
    if (drawing) piece_.push_back(b);
  }
}

void Mesh::reserved_quad(Rect rect, ImVec2 uv0, ImVec2 uv1, ImU32 color) {
  list_.PrimRectUV(place({rect.x, rect.y}), place({rect.right(), rect.bottom()}), uv0, uv1, color);
}

}  // namespace tilewalk
