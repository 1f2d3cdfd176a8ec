// A picture as a tree: rows, columns, tables, text, and what is drawn by hand. A node says how large it likes to be and
// what pressing it means; nobody computes a rectangle. Lengths are design pixels, colours are roles. Nothing here knows
// what the picture is of.
#pragma once

#include "app/scene/style.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilewalk::ui {

// How long a node is along its parent. `grow` shares out what the others leave; else it is as long as it wants, and no
// shorter than `least` until the room is out. Without numbers it is as long as its content.
struct Size {
  float want = -1, least = -1, grow = 0;
};
constexpr Size px(float v) { return {v, v}; }
constexpr Size between(float least, float want) { return {want, least}; }
constexpr Size grow(float weight = 1) { return {-1, -1, weight}; }

struct Pad {
  float x = 0, y = 0;
};

// Of what can be pointed at: its name, for focus, links and tests; what is said of it; and what pressing it means.
struct Press {
  std::string name = {}, tip = {};
  std::shared_ptr<const Action> action = {};
  bool focusable = true;
};

struct Surface {
  std::optional<Role> fill = {}, hot = {}, border = {};  // hot: under the pointer
  float radius = 0, border_width = 1;
  Pad inset = {};  // what is filled is smaller than the node, or larger
  bool shadow = false;
};

// Type and colour of text, without the text.
struct Font {
  float size = 16;
  Face face = Face::Sans;
  Role role = Role::Text;
  Align align = Align::Left;
  float pitch = 0;               // of a line; 0: one and a half times its size
  bool shrinks = false;          // is set smaller before it is cut
  std::optional<Role> hot = {};  // under the pointer
};
struct Text {
  std::vector<std::string> forms;  // the longest that fits is shown; the last is cut with "…"
  Font font;
  int lines = 1;  // wraps into as many at most
};

// Side by side, one below the other, on top of each other; side by side in as many lines as it takes.
enum class Way : uint8_t { Right, Down, Over, Flow };
enum class Across : uint8_t { Stretch, Start, Center, End };  // across the way

struct Node;
struct Children {
  Way way = Way::Down;
  float gap = 0;
  Across place = Across::Stretch;
  std::vector<Node> nodes;
  // A list may lose its last nodes, down to so many of them; `more` then says how many are not there.
  int keep = -1;
  std::function<Node(int left_out)> more = {};
  int only = -1;  // of pages on top of each other the one that is seen; all take part in the size
};
// Drawn by hand into the room that it is given.
struct Canvas {
  std::function<void(Scene&, Rect, const Style&)> draw;
};
// The first form that fits the room that it is given; the last if none does.
struct FirstThatFits {
  std::vector<std::function<Node()>> forms;
};

struct Node {
  std::variant<Children, Text, Canvas, FirstThatFits> what;
  Size w, h;
  Pad pad;
  Surface surface;
  Press press;

  // So that a tree reads from the outside in: text("Keys", title).width(px(120)).
  Node width(Size s) && { return w = s, std::move(*this); }
  Node height(Size s) && { return h = s, std::move(*this); }
  Node padding(float x, float y) && { return pad = {x, y}, std::move(*this); }
  Node on(Surface s) && { return surface = s, std::move(*this); }
  Node pressed(Press p) && { return press = std::move(p), std::move(*this); }
};

// Of nodes in place; unlike braces, it copies none.
template <class... N>
std::vector<Node> of(N&&... nodes) {
  std::vector<Node> all;
  all.reserve(sizeof...(nodes));
  (all.push_back(std::forward<N>(nodes)), ...);
  return all;
}

Node row(std::vector<Node> nodes, float gap = 0, Across = Across::Stretch);
Node column(std::vector<Node> nodes, float gap = 0, Across = Across::Stretch);
Node over(std::vector<Node> nodes);
Node flow(std::vector<Node> nodes, float gap);
// Loses its last nodes where the room is short.
Node list(std::vector<Node> nodes, int keep, std::function<Node(int left_out)> more = {});
Node pages(std::vector<Node> nodes, int seen);  // as large as the largest
Node text(std::vector<std::string> forms, Font);
Node text(std::string words, Font);
Node wrapped(std::string words, Font, int lines = 99);
Node spacer(Size = grow());
Node rule(Role = Role::Line);
Node canvas(std::function<void(Scene&, Rect, const Style&)> draw);
Node first_that_fits(std::vector<std::function<Node()>> forms);

}  // namespace tilewalk::ui
