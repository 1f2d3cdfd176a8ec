#include "app/stage/canvas.h"

#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

Canvas::Canvas(Scene& scene, const Session& session, const Moment& now, const ViewState& view, const Style& style)
    : scene(scene),
      session(session),
      now(now),
      view(view),
      style(style),
      story(story_of(now)),
      timing(timing_of(now, story, view)),
      plan(now.walk->plan()),
      tiling(plan.tiling),
      alpha(alpha_use(now.walk->schedule, plan.variant)) {
  constexpr std::string_view kLine = "line:";
  if (view.hover.starts_with(kLine))
    line_tensors = tensors_of_line(now, number_or(std::string_view(view.hover).substr(kLine.size()), 0));
}

float Canvas::fit(Rect slot, std::initializer_list<std::string_view> texts, Face face, float size, Color color,
                  Align align) const {
  if (slot.w <= 0) return 0;
  for (std::string_view text : texts) {
    const float width = text_width(text, face, size);
    if (width > slot.w) continue;
    if (!text.empty()) scene.label(slot, text, face, size, color, align);
    return width;
  }
  const std::string shortened = ellipsize(*(texts.end() - 1), face, size, slot.w);
  const float width = text_width(shortened, face, size);
  if (width > slot.w || shortened.size() < 6) return 0;
  scene.label(slot, shortened, face, size, color, align);
  return width;
}

float Canvas::runs(Rect slot, std::initializer_list<Run> runs, float gap) const {
  float x = 0;
  for (const Run& run : runs) {
    if (run.text.empty()) continue;
    const float width = text_width(run.text, run.face, run.size), at = x > 0 ? x + gap : 0;
    if (at + width > slot.w) break;
    scene.label({slot.x + at, slot.y, slot.w - at, slot.h}, run.text, run.face, run.size, run.color);
    x = at + width;
  }
  return x;
}

void Canvas::card(Rect rect, Color fill, Color stroke, float width) const {
  scene.box(rect, style.r_large(), fill, stroke, width);
}

void Canvas::emphasis(Rect rect, float radius, Part part) const {
  if (part == Part::Rest) return;
  const float width = part == Part::Target ? px(4) : px(2);
  scene.box(rect.inset(-width), radius + width, {}, style[Role::Text], width);
}

void Canvas::lit(Rect rect, float radius, std::string_view id) const {
  if (!is_lit(id)) return;
  const float out = rect.h < px(40) ? px(3) : px(5), width = px(3);  // a strip has words close above it
  scene.box(rect.inset(-out), radius + out, {}, style[Role::Focus], width);
}

void Canvas::lit_by_line(Rect rect, float radius, Tensor tensor) const {
  if (!line_tensors[size_t(tensor)]) return;
  const float out = px(5);
  scene.box(rect.inset(-out), radius + out, {}, style[Role::Focus], px(3));
}

void Canvas::dirty_dot(Rect tile) const {
  const float d = std::min(px(9), tile.w * 0.7f);
  scene.box({tile.right() - d * 0.6f, tile.y - d * 0.4f, d, d}, d / 2, style[Role::Text], style[Role::Background],
            px(1.5f));
}

const Rect* Canvas::spot(Level level, Tensor tensor, int64_t index) const {
  const Spot* nearest = nullptr;
  for (const Spot& spot : spots)
    if (spot.level == level && spot.tensor == tensor && spot.index <= index &&
        (!nearest || spot.index > nearest->index))
      nearest = &spot;
  return nearest ? &nearest->rect : nullptr;
}

int64_t tile_index(Tensor tensor, int64_t i, int64_t j, const Tiling& tiling) {
  if (is_scores(tensor)) return i * tiling.tc + j;
  return by_query_tile(tensor) ? i : j;
}

std::string tile_id(Tensor tensor, int64_t i, int64_t j) {
  std::string id("tile:");
  id.append(symbol_of(tensor)).append("/").append(std::to_string(by_query_tile(tensor) ? i : j));
  if (is_scores(tensor)) id.append("/").append(std::to_string(j));
  return id;
}

std::string stat_id(Tensor tensor, int64_t row) {
  return fmt::format("stat:{}/{}", tensor == Tensor::Alpha ? "alpha" : symbol_of(tensor), row);
}

int64_t share(int64_t n, int64_t most) {
  int64_t f = 1;
  while ((n + f - 1) / f > std::max<int64_t>(1, most)) f *= 2;
  return f;
}

std::string counted_bytes(int64_t bytes) {
  if (bytes >= 1000000) return bytes_words(bytes);
  return fmt::format("{} {}", with_commas(bytes), bytes == 1 ? "byte" : "bytes");
}

std::string short_bytes(int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1000000) {
    const double kb = double(bytes) / 1000;
    return kb < 99.95 ? fmt::format("{:.1f} kB", kb) : fmt::format("{:.0f} kB", kb);
  }
  return bytes_words(bytes);
}

}  // namespace tilewalk
