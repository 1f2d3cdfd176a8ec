// A talk for tests: over the shipped lessons, of a set list or of a lesson, on two screens.
#pragma once

#include "app/panels/audience.h"
#include "app/panels/panels.h"
#include "app/panels/presenter.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace tilewalk {

struct Talk {
  Session session;
  ViewState view;

  explicit Talk(std::string_view set = {}, int lesson = 7, int beat = 1, bool present = true) {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(session, view, lesson, beat));
    if (!set.empty()) view.present.set = read_set_list(set, "a.set");
    if (!present) return;
    press(set.empty() ? "Shift+F5" : "F5");
    view.present.screens = Screens::Two;
  }
  Presentation& p() { return view.present; }
  Scene scene() { return layout_presenter(session, view, {1920, 1080}); }
  void press(std::string_view words) {
    const Scene now = view.present.on ? scene() : Scene{};
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, now, session, view);
    pass_presentation_time(view, 2);
    view.phase = 1;
  }
  void click(std::string_view id) { drag(id, {}); }
  void drag(std::string_view id, Vec2 by) {
    const Scene now = scene();
    const Region* region = now.find(id);
    CAPTURE(id);
    REQUIRE(region);
    const Vec2 from = region->rect.center();
    pressed(from, now, session, view);
    if (by.x != 0 || by.y != 0) pointer_moved({from.x + by.x, from.y + by.y}, now, session, view);
    released(view);
    view.phase = 1;
  }
  static std::string words_in(const Scene& scene) {
    std::string all;
    for (const Item& item : scene.items)
      if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  }
  std::string room() { return words_in(layout_audience(session, view, {1920, 1080})); }
};

}  // namespace tilewalk
