// What a screen reader is told: at every beat of every lesson, under each overlay and in each tab, whatever Tab stops
// at is told once, under a name; and a lesson can be taken by what is told alone, its questions included.
#include "app/panels/panels.h"
#include "app/panels/told.h"
#include "app/panels/window_grid.h"
#include "app/session/commands.h"
#include "app/session/focus.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tilewalk::test_told {

namespace {

struct Listener {
  Session session;
  ViewState view;
  Vec2 size{1600, 900};
  Scene scene;
  std::vector<Told> told;
  Listener() {
    give_shipped_lessons(view);
    fit(view, size);
  }
  void listen() {
    scene = layout_window(session, view, size);
    told = tell_window(session, view, scene);
  }
  const Told* find(std::string_view id) const {
    const auto found = std::ranges::find(told, id, &Told::id);
    return found == told.end() ? nullptr : &*found;
  }
  bool says(std::string_view words) const {
    return std::ranges::any_of(told, [&](const Told& t) { return t.name.find(words) != std::string::npos; });
  }
  std::string all() const {
    std::string out;
    for (const Told& t : told) out += std::to_string(int(t.role)) + " " + t.id + ": " + t.name + " = " + t.value + "\n";
    return out;
  }
};

bool pressable(Told::Role role) { return role >= Told::Role::Button && role != Told::Role::Choices; }

void check(const Listener& l) {
  std::set<std::string> ids;
  for (const Told& t : l.told) {
    CHECK_MESSAGE(!t.name.empty(), t.id);
    if (!t.id.empty()) CHECK_MESSAGE(ids.insert(t.id).second, t.id);
    if (pressable(t.role)) CHECK_MESSAGE(!t.id.empty(), t.name);
    if (t.role == Told::Role::Slider) {
      CHECK_MESSAGE(!t.value.empty(), t.id);
      CHECK_MESSAGE((t.now >= 0 && t.now <= t.most), t.id);
    }
  }
  for (const Region& region : l.scene.regions)
    if (region.focusable && reachable_region(l.scene, region.id)) {
      const Told* told = l.find(region.id);
      CHECK_MESSAGE((told && pressable(told->role)), region.id);
    }
}

template <class Act>
void at_every_beat(Listener& l, Act act) {
  for (const CourseEntry& entry : l.view.lesson.course->entries()) {
    if (!entry.lesson) continue;
    for (size_t beat = 0; beat < entry.lesson->beats.size(); ++beat) {
      REQUIRE(open_lesson(l.session, l.view, entry.lesson->id));
      show_beat(l.session, l.view, int(beat));
      l.listen();
      CAPTURE(entry.lesson->id);
      CAPTURE(beat + 1);
      act();
    }
  }
}

}  // namespace

TEST_CASE("At every beat whatever Tab stops at is told once, under a name") {
  for (const Vec2 size : {Vec2{1600, 900}, Vec2{1024, 768}}) {
    Listener l;
    l.size = size;
    fit(l.view, size);
    int stops = 0;
    at_every_beat(l, [&] {
      check(l);
      CHECK(l.find("told:lesson"));
      CHECK(l.find("caption"));
      for (const Told& t : l.told) stops += pressable(t.role) ? 1 : 0;
    });
    CHECK(stops > 1000);
  }
}

TEST_CASE("So it is in each tab, on a walk, on each board and under each overlay") {
  Listener l;
  open_link("tilewalk://walk/step/12?N=16&d=4&Br=4&Bc=4", l.session, l.view);
  for (const Tab tab : {Tab::Explain, Tab::Numbers, Tab::Problem, Tab::Gpu}) {
    l.view.tab = tab;
    l.listen();
    check(l);
    const Told* it = l.find(id_of(tab));
    REQUIRE(it);
    CHECK((it->role == Told::Role::Toggle && it->on));
    const Told* scrubber = l.find("scrubber");
    REQUIRE(scrubber);
    CHECK(scrubber->now == 12);
  }
  for (const std::string_view command : {"menu", "keys", "words", "go-to", "take-away", "about", "element"}) {
    CAPTURE(command);
    REQUIRE(run_command(command, l.session, l.view));
    l.listen();
    check(l);
    REQUIRE(!l.told.empty());
    const auto first = std::ranges::find(l.told, Told::Role::Dialog, &Told::role);
    CHECK(first != l.told.end());
    CHECK(!l.find("scrubber"));  // it lies under it
    run_command("escape", l.session, l.view);
  }
}

TEST_CASE("A knob is told with its name and its value") {
  Listener l;
  open_link("tilewalk://lesson/4/beat/2", l.session, l.view);
  l.listen();
  const auto knob = std::ranges::find_if(
      l.told, [](const Told& t) { return t.id.starts_with("knob:") && t.role == Told::Role::Slider; });
  REQUIRE_MESSAGE(knob != l.told.end(), l.all());
  const std::string before = knob->value, id = knob->id;
  l.view.focus = id;
  l.view.focus_ring = true;
  key_pressed({.key = Key::Right}, l.scene, l.session, l.view);
  l.listen();
  CHECK(l.find(id)->value != before);
}

TEST_CASE("Lesson 6 is taken by what is told and by keys") {
  Listener l;
  open_link("tilewalk://lesson/6/beat/1", l.session, l.view);
  int questions = 0, beats = 1, steps = 0;
  std::string heading;
  for (l.listen(); steps < 200; l.listen(), ++steps) {
    const auto beat = std::ranges::find_if(l.told, [](const Told& t) { return t.name.starts_with("Beat "); });
    REQUIRE(beat != l.told.end());
    if (!heading.empty() && beat->name != heading) ++beats;
    heading = beat->name;
    const auto choice = std::ranges::find(l.told, Told::Role::Choice, &Told::role);
    const bool settled = l.find("verdict") != nullptr;
    if (!settled && choice != l.told.end() &&
        std::ranges::none_of(l.told, [](const Told& t) { return t.role == Told::Role::Choice && t.on; })) {
      key_pressed({.key = Key::Character, .character = U'1'}, l.scene, l.session, l.view);
      continue;
    }
    if (const Told* field = l.find("field:answer"); field && field->value.empty()) {
      key_pressed({.key = Key::Character, .character = U'2'}, l.scene, l.session, l.view);
      finish_typing(l.session, l.view);
      ++questions;
      continue;
    }
    const Told* next = l.find("command:lesson-next");
    if (!next) break;
    if (choice != l.told.end() && !settled) ++questions;
    const bool last = l.view.lesson.beat + 1 == int(lesson_on_show(l.view)->beats.size());
    if (last && (settled || choice == l.told.end()) && !next->name.starts_with("Check")) break;
    l.view.focus.clear();
    key_pressed({.key = Key::Enter}, l.scene, l.session, l.view);
  }
  CAPTURE(l.all());
  CHECK(beats == 7);
  CHECK(questions >= 3);
  CHECK(steps < 200);
}

}  // namespace tilewalk::test_told
