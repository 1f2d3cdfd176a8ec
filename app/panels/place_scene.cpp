#include "app/panels/place_scene.h"

#include <utility>

namespace tilewalk {
namespace {

struct Move {
  Vec2 by;
  void operator()(Box& box) const { box.rect = box.rect.shifted(by.x, by.y); }
  void operator()(Label& label) const { label.slot = label.slot.shifted(by.x, by.y); }
  void operator()(Line& line) const {
    for (Vec2* end : {&line.from, &line.to}) *end = {end->x + by.x, end->y + by.y};
  }
  void operator()(Image& image) const { image.rect = image.rect.shifted(by.x, by.y); }
  void operator()(Polygon& polygon) const {
    for (Vec2& point : polygon.points) point = {point.x + by.x, point.y + by.y};
  }
};

}  // namespace

void place_items(Scene& into, const Scene& part, Vec2 at) {
  for (Item item : part.items) {
    std::visit(Move{at}, item);
    into.items.push_back(std::move(item));
  }
}

void place_regions(Scene& into, const Scene& part, Vec2 at) {
  for (Region region : part.regions) {
    region.rect = region.rect.shifted(at.x, at.y);
    into.regions.push_back(std::move(region));
  }
}

}  // namespace tilewalk
