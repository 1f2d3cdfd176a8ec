// A picture as plain data: boxes, labels, lines and the places a person can point at. Layout code makes scenes; the
// ImGui painter and the SVG painter draw them; tests read them. Nothing here knows a screen.
//
// Units: pixels of the target image, y downwards. Text sizes are em sizes (CSS font-size), in the same pixels.
#pragma once

#include "app/scene/pixels.h"
#include "app/text/face.h"
#include "app/text/geometry.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewalk {

// 8 bits a channel, straight (not premultiplied) alpha. A colour with a == 0 paints nothing.
struct Color {
  uint8_t r = 0, g = 0, b = 0, a = 0;
  bool operator==(const Color&) const = default;
};
constexpr Color rgb(uint32_t hex, uint8_t alpha = 255) {
  return {uint8_t(hex >> 16), uint8_t(hex >> 8), uint8_t(hex), alpha};
}
Color with_alpha(Color c, float alpha);    // alpha 0..1 replaces the colour's own
Color mix(Color from, Color to, float t);  // t 0..1, in sRGB

enum class Align : uint8_t { Left, Center, Right };

struct Box {
  Rect rect;
  float radius = 0;
  Color fill;
  Color stroke;
  float stroke_width = 0;  // drawn inside the rectangle's edge
  float dash = 0;          // length of a dash and of a gap; 0 is a solid line
};

// One line of text. It must fit `slot`: the layout check measures it. It is set on the slot's vertical middle.
struct Label {
  Rect slot;
  std::string text;  // UTF-8
  Face face = Face::Sans;
  float size = 0;  // em
  Color color;
  Align align = Align::Left;
};

struct Line {
  Vec2 from, to;
  Color color;
  float width = 1;
  float dash = 0;
  bool arrow = false;  // a head at `to`
};

// A filled convex polygon (markers, play triangles, arrow heads).
struct Polygon {
  std::vector<Vec2> points;
  Color fill;
};

// A photo or a plot, all of it in the rectangle.
struct Image {
  Rect rect;
  std::shared_ptr<const Pixels> pixels;
};

using Item = std::variant<Box, Label, Line, Polygon, Image>;

struct Action;  // what pressing something means: app/state/action.h

// A place a person can point at, click, drag or reach with Tab. Later regions lie above earlier ones.
struct Region {
  Rect rect;
  std::string id;   // stable: "tile:K/2", "button:play", "scrubber"
  std::string tip;  // what a tooltip and a screen-less description say; names the key where there is one
  bool focusable = false;
  float focus_radius = 8;
  std::shared_ptr<const Action> press = {};  // null: the hands know it by its id
};

struct Scene {
  Vec2 size;
  Color background;
  std::vector<Item> items;  // painted in order
  std::vector<Region> regions;

  void box(Rect r, float radius, Color fill, Color stroke = {}, float stroke_width = 0, float dash = 0);
  void label(Rect slot, std::string_view text, Face face, float size, Color color, Align align = Align::Left);
  void line(Vec2 from, Vec2 to, Color color, float width, float dash = 0, bool arrow = false);
  void polygon(std::vector<Vec2> points, Color fill);
  void image(Rect r, std::shared_ptr<const Pixels> pixels);
  void region(Rect r, std::string id, std::string tip, bool focusable = false, float focus_radius = 8);
  const Region* hit(Vec2 p) const;                // topmost, or null
  const Region* find(std::string_view id) const;  // or null
};

}  // namespace tilewalk
