#include "app/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {

Color with_alpha(Color c, float alpha) {
  c.a = static_cast<uint8_t>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255));
  return c;
}

Color mix(Color from, Color to, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  const auto blend = [t](uint8_t a, uint8_t b) { return static_cast<uint8_t>(std::lround(a + (b - a) * t)); };
  return {blend(from.r, to.r), blend(from.g, to.g), blend(from.b, to.b), blend(from.a, to.a)};
}

void Scene::box(Rect r, float radius, Color fill, Color stroke, float stroke_width, float dash) {
  items.emplace_back(Box{r, radius, fill, stroke, stroke_width, dash});
}

void Scene::label(Rect slot, std::string_view text, Face face, float size, Color color, Align align) {
  items.emplace_back(Label{slot, std::string(text), face, size, color, align});
}

void Scene::line(Vec2 from, Vec2 to, Color color, float width, float dash, bool arrow) {
  items.emplace_back(Line{from, to, color, width, dash, arrow});
}

void Scene::polygon(std::vector<Vec2> points, Color fill) { items.emplace_back(Polygon{std::move(points), fill}); }

void Scene::image(Rect r, std::shared_ptr<const Pixels> pixels) { items.emplace_back(Image{r, std::move(pixels)}); }

void Scene::region(Rect r, std::string id, std::string tip, bool focusable, float focus_radius) {
  regions.push_back({r, std::move(id), std::move(tip), focusable, focus_radius});
}

const Region* Scene::hit(Vec2 p) const {
  for (auto it = regions.rbegin(); it != regions.rend(); ++it) {
    if (it->rect.contains(p)) return &*it;
  }
  return nullptr;
}

const Region* Scene::find(std::string_view id) const {
  const auto it = std::find_if(regions.begin(), regions.end(), [id](const Region& r) { return r.id == id; });
  return it == regions.end() ? nullptr : &*it;
}

}  // namespace tilewalk
