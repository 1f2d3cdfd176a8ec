// A board alone in a place of some size and scale, for tests: its picture, and what the layout check finds in it.
#pragma once

#include "app/boards/board.h"
#include "app/scene/layout_check.h"
#include "app/state/session.h"

#include <string>

namespace tilewalk {

struct Size {
  Vec2 size;
  float scale;
};

inline Scene scene_of(const BoardState& state, const Size& at, Theme theme) {
  static const Session session;
  ViewState view;
  view.theme = theme;
  view.board = state;
  const Style style(theme, at.scale);
  Scene scene;
  scene.size = at.size;
  scene.background = style[Role::Background];
  layout_board(scene, session, view, state, {0, 0, at.size.x, at.size.y}, style);
  return scene;
}

// A line for each fault; empty for a good picture.
inline std::string faults_of(const BoardState& state, const Size& at, Theme theme) {
  std::string all;
  for (const std::string& fault : layout_faults(scene_of(state, at, theme), 14 * at.scale, at.scale))
    all += "\n  " + fault;
  return all;
}

}  // namespace tilewalk
