// Buttons and icons of the panels that compute their rectangles themselves. Each puts its shapes and its region into
// the scene.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

enum class Icon : uint8_t {
  Play,
  Pause,
  PartBack,
  PartForward,
  TileBack,
  TileForward,
  First,
  Last,
  Menu,
  Rail,
  Column,
  Close,
  Theme
};

void draw_icon(Scene& scene, Icon icon, Rect area, Color color);  // in the middle of a square

// What a control looks like at rest, under the pointer, and where it cannot be used.
enum class Look : uint8_t { Plain, Solid, Round };
struct ButtonState {
  bool enabled = true;
  bool on = false;  // it is what it stands for: play while playing, the chosen of a switch
};
void icon_button(Scene& scene, const ViewState& view, const Style& style, Rect rect, Icon icon,
                 std::string_view command, Look look, ButtonState state = {});
void text_button(Scene& scene, const ViewState& view, const Style& style, Rect rect, std::string_view text,
                 std::string id, std::string tip, Look look, Face face, float size);

// One label that is shortened to fit its slot; returns the width it took.
float fitted(Scene& scene, Rect slot, std::string_view text, Face face, float size, Color color,
             Align align = Align::Left);

}  // namespace tilewalk
