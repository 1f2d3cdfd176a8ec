// Tiles on their way between memories: an outlined copy that leaves one place and arrives at the next. On a hit in L2 a
// load starts there; stores end there, and reach DRAM's picture at once, since memory is what is addressed.
#include "app/stage/pieces.h"
#include "core/machine/words.h"

#include <algorithm>

namespace tilewalk {
namespace {

float mixed(float a, float b, float t) { return a + (b - a) * t; }
Rect between(const Rect& a, const Rect& b, float t) {
  return {mixed(a.x, b.x, t), mixed(a.y, b.y, t), mixed(a.w, b.w, t), mixed(a.h, b.h, t)};
}

}  // namespace

std::vector<Rect> travel_path(const Canvas& canvas, const Story::Move& move) {
  const int64_t index = tile_index(move.tensor, move.i, move.j, canvas.tiling);
  std::vector<Rect> path;
  const auto add = [&](Level level, int64_t n) {
    if (const Rect* rect = canvas.spot(level, move.tensor, n)) path.push_back(*rect);
  };
  add(Level::Sram, 0);
  add(Level::L2, index);
  if (!move.load || !move.hit || path.size() < 2) add(Level::Dram, index);
  if (move.load) std::reverse(path.begin(), path.end());
  return path;
}

void layout_motion(Canvas& canvas) {
  if (!canvas.timing.moving) return;
  const Style& st = canvas.style;
  for (const Story::Move& move : canvas.story.moves) {
    const std::vector<Rect> path = travel_path(canvas, move);
    if (path.size() < 2) continue;
    const float at = canvas.timing.travel * float(path.size() - 1);
    const auto leg = std::min(size_t(at), path.size() - 2);
    const Rect rect = between(path[leg], path[leg + 1], at - float(leg));
    const bool stat = is_statistic(move.tensor);
    const Color color = stat ? st[Role::Inverse] : st.palette.fill(move.tensor);
    canvas.scene.box(rect.shifted(0, st.px(4)), st.r_small(), with_alpha(rgb(0x000000), 0.14f));
    canvas.scene.box(rect, st.r_small(), with_alpha(color, 0.82f), st[Role::Text], st.px(3));
    const std::string name = stat ? std::string(symbol_of(move.tensor)) : tile_name(move.tensor, move.i, move.j);
    const float size = std::clamp(rect.h * 0.5f, st.small(), st.heading());
    if (rect.h >= st.px(18))
      canvas.fit(rect.inset(st.px(3), 0), {name, ""}, Face::SansBold, size,
                 stat ? st[Role::InverseText] : st.palette.label_on(move.tensor), Align::Center);
  }
}

}  // namespace tilewalk
