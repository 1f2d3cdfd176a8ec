// The presenter's keys: the clicker from beat to beat, blank and freeze, tools, Esc twice; and that a talk leaves the
// learner's own answers and progress as they were.
#include "app/panels/presenter.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace tilewalk::test_presenting {

namespace {

struct Talk {
  Session session;
  ViewState view;
  Scene scene;

  explicit Talk(int lesson = 6) {
    give_shipped_lessons(view);
    REQUIRE(open_lesson_numbered(session, view, lesson, 2));
    // The window's part: a picture of 1600 x 900 in its corner.
    scene.size = {1920, 1080};
    scene.region({0, 0, 1600, 900}, "present:stage", "The stage");
  }
  bool press(std::string_view words) {
    bool done = false;
    for (const KeyPress& key : parse_keys(words)) {
      done = key_pressed(key, scene, session, view);
      pass_presentation_time(view, 0.2f);
    }
    return done;
  }
  Presentation& p() { return view.present; }
};

}  // namespace

TEST_CASE("Ctrl and Shift and F5 begin at the first beat, Shift and F5 where one is") {
  Talk talk;
  CHECK(talk.view.lesson.beat == 2);
  talk.press("Shift+F5");
  CHECK(talk.p().on);
  CHECK(talk.view.lesson.beat == 2);
  end_presenting(talk.session, talk.view);
  CHECK_FALSE(talk.p().on);
  talk.press("Ctrl+Shift+F5");
  CHECK(talk.p().on);
  CHECK(talk.view.lesson.beat == 0);
  CHECK(talk.p().theme == Theme::Projector);
}

TEST_CASE("While studying, a presenter's keys mean what they always did") {
  Talk talk;
  for (const char* key : {"B", "W", "F", "Z", "K"}) {
    CAPTURE(key);
    CHECK((command_for(parse_keys(key).at(0)) == nullptr || command_for(parse_keys(key).at(0))->mode == Mode::Any));
  }
  CHECK(command_for(parse_keys("Page Down").at(0))->id == "tile-forward");
  CHECK(command_for(parse_keys("Page Down").at(0), true)->id == "present-next");
  CHECK(command_for(parse_keys("Esc").at(0))->id == "escape");
  CHECK(command_for(parse_keys("Esc").at(0), true)->id == "present-escape");
  CHECK(command_for(parse_keys("→").at(0), true)->id == "part-forward");
}

TEST_CASE("Page Down alone teaches lessons 6 and 7 from beginning to end, and Page Up comes back") {
  for (const int lesson : {6, 7}) {
    CAPTURE(lesson);
    Talk talk(lesson);
    talk.press("F5");
    const auto shown = lesson_on_show(talk.view);
    std::set<int> beats;
    size_t asked = 0, revealed = 0, questions = 0;
    for (const Beat& beat : shown->beats) questions += beat.questions.size();
    for (int stop = 0; stop < 100; ++stop) {
      beats.insert(talk.view.lesson.beat);
      const AskedQuestion now = asked_now(talk.view);
      if (talk.p().question) (settled(talk.view, now) ? revealed : asked) += 1;
      talk.view.notice.clear();
      talk.press("Page Down");
      CHECK_FALSE(talk.view.notice.find("leads nowhere") != std::string::npos);
      if (talk.view.notice == "That was the last beat of the lesson.") break;
    }
    CHECK(beats.size() == shown->beats.size());
    CHECK(asked == questions);
    CHECK(revealed == questions);
    CHECK(talk.p().on);
    // At the end nothing happens any more.
    const int last = talk.view.lesson.beat;
    talk.press("Page Down");
    CHECK(talk.view.lesson.beat == last);
    for (int stop = 0; stop < 100 && talk.view.lesson.beat > 0; ++stop) talk.press("Page Up");
    CHECK(talk.view.lesson.beat == 0);
  }
}

TEST_CASE("Ctrl+P polls: the question alone, Enter reveals, Ctrl+P again goes back") {
  Talk talk(7);
  talk.press("Shift+F5");
  while (questions_on_show(talk.view).empty()) talk.press("Page Down");
  REQUIRE_FALSE(talk.p().question);
  talk.p().strokes.push_back({{{0.1f, 0.1f}}, false});
  talk.press("Ctrl+P");
  CHECK(talk.p().question);
  CHECK(talk.p().strokes.empty());
  CHECK_FALSE(settled(talk.view, asked_now(talk.view)));
  talk.press("Enter");
  CHECK(talk.p().question);
  CHECK(settled(talk.view, asked_now(talk.view)));
  talk.press("Ctrl+P");
  CHECK_FALSE(talk.p().question);
}

TEST_CASE("A question is covered until it is revealed, and asked again by who comes back") {
  Talk talk;
  talk.press("F5");
  const auto lesson = lesson_on_show(talk.view);
  while (lesson->beats[size_t(talk.view.lesson.beat)].questions.empty()) talk.press("Page Down");
  const int beat = talk.view.lesson.beat;
  CHECK_FALSE(talk.p().question);
  talk.press("Space");
  CHECK(talk.p().question);
  CHECK_FALSE(settled(talk.view, asked_now(talk.view)));
  talk.press("Enter");
  CHECK(settled(talk.view, asked_now(talk.view)));
  CHECK(talk.view.lesson.beat == beat);
  for (const bool question : {true, false}) {
    talk.press("Page Up");
    CHECK(talk.view.lesson.beat == beat);
    CHECK(talk.p().question == question);
    CHECK_FALSE(settled(talk.view, asked_now(talk.view)));
  }
}

TEST_CASE("Black, white and frozen each have one key, and Esc takes them back") {
  Talk talk;
  talk.press("F5");
  talk.press("B");
  CHECK(talk.p().blank == Blank::Black);
  talk.press(".");
  CHECK(talk.p().blank == Blank::None);
  talk.press("W");
  CHECK(talk.p().blank == Blank::White);
  talk.press("B");
  CHECK(talk.p().blank == Blank::Black);
  talk.press("F");
  CHECK(talk.p().frozen);
  pass_presentation_time(talk.view, 5);
  talk.press("Esc");
  CHECK(talk.p().on);
  CHECK(talk.p().blank == Blank::None);
  CHECK(talk.p().frozen);
  talk.press("Esc");
  CHECK_FALSE(talk.p().frozen);
}

TEST_CASE("Esc undoes one thing at a time, and only two that undo nothing end a talk") {
  Talk talk;
  talk.press("F5");
  talk.view.selection = "row:0";
  for (const char* key : {"F", "B", "3", "Z", "O"}) talk.press(key);
  talk.view.selection = "row:0";
  const auto on = [&] {
    const Presentation& p = talk.p();
    return int(p.overview) + int(p.lens) + int(p.tool != Tool::Normal) + int(p.blank != Blank::None) + int(p.frozen) +
           int(!talk.view.selection.empty());
  };
  // However quickly they come.
  for (int left = 6; left > 0; --left) {
    CHECK(on() == left);
    talk.press("Esc");
    CHECK(talk.p().on);
  }
  CHECK(on() == 0);
  talk.press("Esc");
  CHECK(talk.p().on);
  CHECK(talk.view.notice.starts_with("Esc twice, quickly, ends the presentation"));
  // Something undone in between: it is not twice any more.
  talk.press("F");
  talk.press("Esc");
  CHECK_FALSE(talk.p().frozen);
  talk.press("Esc");
  CHECK(talk.p().on);
  talk.press("Esc");
  CHECK_FALSE(talk.p().on);
}

TEST_CASE("On one screen a frame tells the one who talks that the picture is frozen") {
  Talk talk;
  talk.press("F5");
  pass_presentation_time(talk.view, 5);
  const auto marks = [&] { return layout_home_room(talk.session, talk.view, {1920, 1080}).items.size(); };
  CHECK(marks() == 0);
  talk.press("F");
  CHECK(marks() == 1);
  talk.press("B");  // over black there is nothing at all
  CHECK(marks() == 0);
}

TEST_CASE("One Esc does not end a talk, two within a second do") {
  Talk talk;
  talk.press("F5");
  pass_presentation_time(talk.view, 5);
  talk.press("Esc");
  CHECK(talk.p().on);
  pass_presentation_time(talk.view, 1.2f);
  talk.press("Esc");
  CHECK(talk.p().on);
  talk.press("Esc");
  CHECK_FALSE(talk.p().on);
  // The first one only puts the tool down.
  talk.press("F5");
  talk.press("3");
  pass_presentation_time(talk.view, 5);
  talk.press("Esc");
  CHECK(talk.p().on);
  CHECK(talk.p().tool == Tool::Normal);
}

TEST_CASE("Tools have the keys 1 to 5, and options of questions none") {
  Talk talk;
  talk.press("F5");
  const std::pair<const char*, Tool> tools[] = {
      {"5", Tool::Spotlight}, {"4", Tool::Eraser}, {"3", Tool::Pen}, {"2", Tool::Pointer}, {"1", Tool::Normal}};
  for (const auto& [key, tool] : tools) {
    talk.press(key);
    CHECK(talk.p().tool == tool);
  }
  talk.press("Z");
  CHECK(talk.p().lens);
  const float zoom = talk.p().lens_zoom;
  talk.press("+");
  CHECK(talk.p().lens_zoom > zoom);
  for (int k = 0; k < 30; ++k) talk.press("+");
  CHECK(talk.p().lens_zoom == kMostLens);
  for (int k = 0; k < 30; ++k) talk.press("-");
  CHECK(talk.p().lens_zoom == kLeastLens);
  talk.press("Z");
  talk.press("5");
  for (int k = 0; k < 30; ++k) talk.press("-");
  CHECK(talk.p().spot == kLeastSpot);
}

TEST_CASE("The pen draws in the picture; its strokes go when the stage goes on, unless they are kept") {
  Talk talk;
  talk.press("F5");
  talk.press("3");
  const auto draw = [&] {
    CHECK(pressed({400, 450}, talk.scene, talk.session, talk.view));
    pointer_moved({800, 450}, talk.scene, talk.session, talk.view);
    released(talk.view);
    pointer_moved({900, 500}, talk.scene, talk.session, talk.view);
  };
  draw();
  REQUIRE(talk.p().strokes.size() == 1);
  REQUIRE(talk.p().strokes[0].points.size() == 2);
  CHECK(talk.p().strokes[0].points[0].x == doctest::Approx(0.25));
  CHECK(talk.p().strokes[0].points[1].y == doctest::Approx(0.5));
  talk.press("Page Down");
  CHECK(talk.p().strokes.empty());
  draw();
  talk.press("K");
  talk.press("Page Down");
  CHECK(talk.p().strokes.size() == 1);
  talk.press("4");
  pressed({800, 450}, talk.scene, talk.session, talk.view);
  released(talk.view);
  CHECK(talk.p().strokes.empty());
}

TEST_CASE("A talk leaves the learner's answers and progress as they were, and scores nothing") {
  Talk talk;
  while (!asked_now(talk.view).question) show_beat(talk.session, talk.view, talk.view.lesson.beat + 1);
  choose_option(talk.view, 0);
  lock_answer(talk.session, talk.view);
  talk.view.lesson.progress_changed = false;
  const LearnerProgress before = talk.view.lesson.progress;
  const size_t answers = talk.view.lesson.questions.size();
  REQUIRE_FALSE(before.lessons.empty());
  talk.press("F5");
  for (int k = 0; k < 60; ++k) talk.press("Page Down");
  end_presenting(talk.session, talk.view);
  const LearnerProgress& after = talk.view.lesson.progress;
  REQUIRE(after.lessons.size() == before.lessons.size());
  for (const auto& [id, record] : before.lessons) {
    CHECK(after.lessons.at(id).furthest == record.furthest);
    CHECK(after.lessons.at(id).answers.size() == record.answers.size());
  }
  CHECK(talk.view.lesson.questions.size() == answers);
  CHECK_FALSE(talk.view.lesson.progress_changed);
}

TEST_CASE("Beginning again in the middle of a talk loses nothing of the learner's") {
  Talk talk;
  REQUIRE_FALSE(talk.view.lesson.progress.lessons.empty());
  const int furthest = talk.view.lesson.progress.lessons.begin()->second.furthest;
  REQUIRE(furthest > 0);
  talk.press("F5");
  run_command("reset", talk.session, talk.view);
  CHECK_FALSE(talk.p().on);
  REQUIRE_FALSE(talk.view.lesson.progress.lessons.empty());
  CHECK(talk.view.lesson.progress.lessons.begin()->second.furthest == furthest);
}

TEST_CASE("G goes to a lesson and a beat, and says what is not there") {
  Talk talk;
  talk.press("F5");
  CHECK(present_go_to("7.3", talk.session, talk.view).empty());
  CHECK(lesson_on_show(talk.view)->number == 7);
  CHECK(talk.view.lesson.beat == 2);
  CHECK(present_go_to("7.end", talk.session, talk.view).empty());
  CHECK(talk.view.lesson.beat + 1 == int(lesson_on_show(talk.view)->beats.size()));
  CHECK_FALSE(present_go_to("99", talk.session, talk.view).empty());
  CHECK_FALSE(present_go_to("7.99", talk.session, talk.view).empty());
  CHECK(lesson_on_show(talk.view)->number == 7);
}

TEST_CASE("The overview leads to beats and lessons, and closes") {
  Talk talk;
  talk.press("F5");
  talk.press("O");
  CHECK(talk.p().overview);
  CHECK(activate("beat:4", {}, talk.scene, talk.session, talk.view));
  CHECK_FALSE(talk.p().overview);
  CHECK(talk.view.lesson.beat == 4);
  talk.press("O");
  CHECK(activate("lesson:9", {}, talk.scene, talk.session, talk.view));
  CHECK_FALSE(talk.p().overview);
  CHECK(lesson_on_show(talk.view)->number == 9);
  CHECK(talk.view.lesson.beat == 0);
  CHECK(talk.p().on);
}

TEST_CASE("Nothing is waited for in front of a room but the clock and a pointer at rest") {
  Talk talk;
  CHECK(std::isinf(seconds_to_presentation_change(talk.view)));
  talk.press("F5");
  pass_presentation_time(talk.view, 10);
  CHECK(std::isinf(seconds_to_presentation_change(talk.view)));
  talk.p().screens = Screens::Two;
  CHECK(seconds_to_presentation_change(talk.view) <= 1);
  tool_moved(talk.view, {0.5f, 0.5f});
  talk.p().screens = Screens::One;
  CHECK(seconds_to_presentation_change(talk.view) == doctest::Approx(kPointerSeconds));
}

TEST_CASE("Lens and spotlight put each other away; the other tools stay in the hand") {
  Talk talk;
  talk.press("F5");
  talk.press("5");
  talk.press("Z");
  CHECK(talk.p().lens);
  CHECK(talk.p().tool == Tool::Normal);
  talk.press("5");
  CHECK_FALSE(talk.p().lens);
  CHECK(talk.p().tool == Tool::Spotlight);
  talk.press("2");
  talk.press("Z");
  CHECK(talk.p().lens);
  CHECK(talk.p().tool == Tool::Pointer);
  talk.press("Z");
  CHECK_FALSE(talk.p().lens);
  CHECK(talk.p().tool == Tool::Pointer);
}

}  // namespace tilewalk::test_presenting
