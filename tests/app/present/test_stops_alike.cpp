// A stop shows the room the same, whatever was before it: each alone, all in order with everything turned between, and
// in any order.
#include "app/panels/audience.h"
#include "app/scene/svg_painter.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/set_stops.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace tilewalk::test_stops_alike {

namespace {

std::string wall_of(Session& session, ViewState& view) {
  for (int k = 0; view.playing && k < 2000; ++k) pass_time_on_stage(session, view, 1);
  REQUIRE_FALSE(view.playing);
  view.phase = view.lesson.lift = 1;
  return to_svg(layout_audience(session, view, {1280, 720}));
}

// Every beat of every lesson.
std::string all_beats() {
  ViewState view;
  give_shipped_lessons(view);
  std::string list;
  for (int number = 1; const auto lesson = view.lesson.course->lesson_numbered(number); ++number)
    for (size_t beat = 0; beat < lesson->beats.size(); ++beat)
      list += fmt::format("tilewalk://lesson/{}/beat/{}\n", number, beat + 1);
  return list;
}

struct Alone {
  Session session;
  ViewState view;
  explicit Alone(const std::string& list) {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    view.present.set = read_set_list(list, "a.set");
  }
};

// What the wall shows of each stop of the list where nothing was before it.
std::vector<std::string> walls_alone(const std::string& list) {
  std::vector<std::string> walls;
  const size_t count = read_set_list(list, "a.set").items.size();
  for (size_t k = 0; k < count; ++k) {
    Alone alone(list);
    begin_presenting(alone.session, alone.view, false);
    alone.view.present.screens = Screens::Two;
    REQUIRE(open_set_item(alone.session, alone.view, int(k)));
    walls.push_back(wall_of(alone.session, alone.view));
  }
  return walls;
}

// What a person does at a stop before going on.
const char* const kTouches[] = {"→", "↓", "↑", "C", "I", "D", "End", "V", "X", "Y", "Shift+→", "Ctrl+→"};

}  // namespace

TEST_CASE("The row that is followed at a stop is the stop's, not the one of the stop before") {
  const std::string list = "tilewalk://lesson/4/beat/4\ntilewalk://lesson/7/beat/2\ntilewalk://lesson/4/beat/4\n";
  Talk talk(list);
  const std::string first = talk.room();
  CHECK(first.find("Row 1") != std::string::npos);
  while (talk.p().place < 2) talk.press("Page Down");
  CHECK(talk.view.row == 0);
  CHECK(talk.room().find("Row 1") != std::string::npos);
  CHECK(talk.room().find("Row 2") == std::string::npos);
}

TEST_CASE("Every stop looks the same alone, in order and in any order, whatever was turned before it") {
  const std::string list = all_beats();
  const std::vector<std::string> alone = walls_alone(list);
  REQUIRE(alone.size() > 60);
  std::mt19937 random(5);
  for (const bool in_order : {true, false}) {
    CAPTURE(in_order);
    std::vector<int> order(alone.size());
    std::iota(order.begin(), order.end(), 0);
    if (!in_order) std::ranges::shuffle(order, random);
    Talk talk(list);
    int differ = 0;
    for (const int place : order) {
      if (!in_order) {
        REQUIRE(open_set_item(talk.session, talk.view, place));
      } else {
        for (int k = 0; talk.p().place < place && k < 30; ++k) talk.press("Page Down");
      }
      REQUIRE(talk.p().place == place);
      CAPTURE(talk.p().set.items[size_t(place)].link);
      const bool same = wall_of(talk.session, talk.view) == alone[size_t(place)];
      CHECK(same);
      differ += !same;
      for (int k = 0; k < 3; ++k) {
        talk.press(kTouches[random() % std::size(kTouches)]);
        if (!talk.p().on || off_stop(talk.view) || talk.p().place != place)
          REQUIRE(open_set_item(talk.session, talk.view, place));
      }
    }
    CHECK(differ == 0);
  }
}

TEST_CASE("Without a set list a lesson's beats look the same too, however one came to them") {
  ViewState shipped;
  give_shipped_lessons(shipped);
  std::mt19937 random(6);
  for (int number = 1; const auto lesson = shipped.lesson.course->lesson_numbered(number); ++number) {
    CAPTURE(number);
    Talk talk({}, number, 0);
    for (int beat = 0; beat < int(lesson->beats.size()); ++beat) {
      Alone alone("");
      begin_presenting(alone.session, alone.view, false);
      alone.view.present.screens = Screens::Two;
      present_lesson(alone.session, alone.view, *lesson, beat);
      CAPTURE(beat);
      for (int k = 0; talk.view.lesson.beat < beat && k < 30; ++k) talk.press("Page Down");
      REQUIRE(talk.view.lesson.beat == beat);
      CHECK((wall_of(talk.session, talk.view) == wall_of(alone.session, alone.view)));
      talk.press(kTouches[random() % 3]);
    }
  }
}

}  // namespace tilewalk::test_stops_alike
