// On one monitor: the window is the room's, and still what is typed and said can be seen; swapping shows the
// presenter's side in it.
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/panels/room_overlay.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/typing.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk::test_one_screen {

namespace {

constexpr Vec2 kWindow{1600, 900};

struct OneScreen {
  Session session;
  ViewState view;
  Scene scene;

  OneScreen() {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(session, view, 1, 0));
    press("Shift+F5");
    REQUIRE(view.present.screens == Screens::One);
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, scene, session, view);
    pass_presentation_time(view, 0.01f);
  }
  std::string words() {
    std::string all;
    for (const Item& item : layout_home_room(session, view, kWindow).items)
      if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  }
  const Region* field(std::string_view id) {
    scene = layout_home_room(session, view, kWindow);
    return scene.find(id);
  }
};

}  // namespace

TEST_CASE("On one screen a note is typed in a field that is there to be seen") {
  OneScreen talk;
  talk.press("Ctrl+N");
  CHECK(talk.view.editing == "field:note");
  const Region* field = talk.field("field:note");
  REQUIRE(field);
  CHECK(field->rect.w > kWindow.x / 3);
}

TEST_CASE("On one screen the clicker keeps a note that is half typed at its stop, closes the field and goes on") {
  for (const char* key : {"Page Down", "Page Up"}) {
    CAPTURE(key);
    OneScreen talk;
    talk.press("Page Down");
    const std::string there = beat_on_show(talk.view)->title;
    talk.press("Ctrl+N");
    typed_into("field:note", "half ty", talk.view);
    const bool asked = talk.view.present.question;
    talk.press(key);
    CHECK((beat_on_show(talk.view)->title != there || talk.view.present.question != asked));
    CHECK(talk.view.editing.empty());
    CHECK_FALSE(talk.field("field:note"));
    REQUIRE(talk.view.present.own_notes.size() == 1);
    CHECK(talk.view.present.own_notes.begin()->first.ends_with(" / " + there));
    CHECK(talk.view.present.own_notes.begin()->second == "half ty");
  }
}

TEST_CASE("On one screen hands are typed in a field that is there to be seen") {
  OneScreen talk;
  while (!can_count_hands(talk.view) && talk.view.lesson.beat + 1 < int(lesson_on_show(talk.view)->beats.size()))
    talk.press("Page Down");
  REQUIRE(can_count_hands(talk.view));
  talk.press("Ctrl+H");
  CHECK(talk.view.editing == "field:hands");
  CHECK(talk.field("field:hands"));
  // A countdown, of the two monitors that there were before, stays beside it.
  for (const bool question : {true, false}) {
    talk.view.present.question = question;
    talk.view.present.countdown = 20;
    const Region* field = talk.field("field:hands");
    REQUIRE(field);
    const Rect plate = std::get<Box>(layout_room_overlay(talk.view.present, kWindow).items.at(0)).rect;
    CHECK(intersection(field->rect, plate).w <= 0);
    CHECK(field->rect.w > kWindow.x / 4);
  }
}

TEST_CASE(
    "On one screen a key that does nothing says so at the foot for a while, and never over black or a frozen one") {
  OneScreen talk;
  CHECK(talk.words().empty());
  talk.press("C");  // a board is on the stage
  const std::string said = talk.view.notice;
  REQUIRE_FALSE(said.empty());
  CHECK(talk.words().find(said) != std::string::npos);
  for (const char* hides : {"B", "F"}) {
    CAPTURE(hides);
    talk.press(hides);
    talk.press("C");
    CHECK(talk.view.notice == said);
    CHECK(talk.words().empty());
    talk.press(hides);
  }
  talk.press("C");
  CHECK(seconds_to_presentation_change(talk.view) <= kNoticeSeconds);
  talk.view.notice = "Another one.";  // at once, with nothing else that moves
  CHECK(seconds_to_presentation_change(talk.view) == 0);
  talk.view.notice = said;
  pass_presentation_time(talk.view, kNoticeSeconds + 0.1f);
  CHECK(talk.view.notice.empty());
  CHECK(talk.words().empty());
  talk.press("C");
  CHECK(talk.words().find(said) != std::string::npos);
}

TEST_CASE("On one screen swapping makes the window the presenter's, where what is said stays") {
  OneScreen talk;
  CHECK_FALSE(talk.view.present.presenters_window());
  talk.press("S");
  CHECK(talk.view.present.presenters_window());
  talk.press("C");
  pass_presentation_time(talk.view, 20);
  CHECK_FALSE(talk.view.notice.empty());
  talk.press("S");
  CHECK_FALSE(talk.view.present.presenters_window());
}

TEST_CASE("On one screen nothing is drawn on a frozen picture, where nobody would see it") {
  OneScreen talk;
  talk.press("3");
  talk.press("F");
  CHECK(tool_pressed(talk.view, {0.5f, 0.5f}));
  tool_released(talk.view);
  CHECK(talk.view.present.strokes.empty());
  talk.press("S");
  CHECK(tool_pressed(talk.view, {0.5f, 0.5f}));
  CHECK(talk.view.present.strokes.size() == 1);
}

TEST_CASE("End and Home go to the last and the first stop of a set list where nothing is stepped") {
  OneScreen talk;
  talk.view.present.set = read_set_list(
      "slide: A title\ntilewalk://board/clocks\ntilewalk://walk/step/4?schedule=fa2\nslide: The end\n", "a.set");
  REQUIRE(open_set_item(talk.session, talk.view, 0));
  talk.press("→");
  CHECK(talk.view.present.place == 1);
  talk.press("End");
  CHECK(talk.view.present.place == 3);
  talk.press("Home");
  CHECK(talk.view.present.place == 0);
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  talk.press("End");  // a walk is stepped
  CHECK(talk.view.present.place == 2);
  CHECK(talk.view.playhead == talk.session.walk().replay.length());
}

TEST_CASE("After a talk a question that the room was told has its stage as the learner left it") {
  OneScreen talk;
  Session& session = talk.session;
  ViewState& view = talk.view;
  int told = 0;
  for (int lesson = 1; lesson <= 14; ++lesson) {
    CAPTURE(lesson);
    if (view.present.on) end_presenting(session, view);
    REQUIRE(open_lesson_numbered(session, view, lesson, 0));
    const int beats = int(lesson_on_show(view)->beats.size());
    for (int beat = 0; beat < beats; ++beat) {
      show_beat(session, view, beat);
      if (questions_on_show(view).empty()) continue;
      const BoardState before = view.board;
      begin_presenting(session, view, false);
      for (int k = 0; k < 3 && view.lesson.beat == beat; ++k) present_next(session, view);
      if (view.lesson.beat != beat) present_back(session, view);
      if (view.lesson.beat != beat) present_beat(session, view, beat);
      told += view.board.knobs != before.knobs;
      end_presenting(session, view);
      CAPTURE(beat);
      CHECK(view.lesson.beat == beat);
      CHECK(view.board.knobs == before.knobs);
    }
  }
  CHECK(told > 3);
}

TEST_CASE("On one screen what is said lies over nothing that the room reads: no word, no line, no picture of a slide") {
  OneScreen talk;
  ViewState& view = talk.view;
  const std::string sentence = "A sentence for the one who talks, of some length, that the room has no need of.";
  const auto hidden = [&](Vec2 window) {
    pass_presentation_time(view, 0.01f);  // the old sentence goes
    view.notice = sentence;
    pass_presentation_time(view, 0.01f);
    const Rect picture = room_picture(window);
    const Vec2 size{picture.w, picture.h};
    const Scene room = layout_audience(talk.session, view, size);
    Rect strip{};
    std::string shown;
    for (const Item& item : layout_home_room(talk.session, view, window).items) {
      if (const auto* box = std::get_if<Box>(&item)) strip = box->rect.shifted(-picture.x, -picture.y);
      if (const auto* label = std::get_if<Label>(&item)) shown += label->text;
    }
    CHECK(shown == sentence);
    CHECK(strip.h > size.y / 45);
    CHECK(strip.y > -1);
    CHECK(strip.bottom() < size.y + 1);
    const auto meets = [&](const Rect& r) {
      return r.w > 0 && r.x < strip.right() && r.right() > strip.x && r.y < strip.bottom() && r.bottom() > strip.y;
    };
    return std::ranges::count_if(room.items, [&](const Item& item) {
      if (const auto* label = std::get_if<Label>(&item)) return meets(label_ink(*label));
      if (const auto* image = std::get_if<Image>(&item)) return meets(image->rect);
      if (const auto* box = std::get_if<Box>(&item)) return meets(box->rect);
      if (const auto* line = std::get_if<Line>(&item))
        return meets({std::min(line->from.x, line->to.x), std::min(line->from.y, line->to.y),
                      std::abs(line->to.x - line->from.x) + 1, std::abs(line->to.y - line->from.y) + 1});
      return false;
    });
  };
  const std::vector<Vec2> windows{{1280, 720}, {1600, 900}, {1920, 1200}, {3840, 2160}};
  int pictures = 0;
  for (const int lesson : {1, 2, 7, 11, 12, 14}) {
    CAPTURE(lesson);
    const auto shown = view.lesson.course->lesson_numbered(lesson);
    for (int beat = 0; beat < int(shown->beats.size()); ++beat) {
      CAPTURE(beat);
      present_lesson(talk.session, view, *shown, beat);
      for (const bool question : {false, true}) {
        if (question && !asked_now(view).question) continue;
        view.present.question = question;
        view.phase = 1;
        CHECK(hidden(windows[size_t(pictures++) % windows.size()]) == 0);
      }
    }
  }
  REQUIRE(pictures > 40);
  // With and without a title, as wide as the wall and as high.
  for (const char* slide : {"slide: a.png", "slide: What we measured | a.png", "slide: Words | of a slide"})
    for (const Vec2 pixels : {Vec2{16, 9}, Vec2{4, 3}, Vec2{3, 1}})
      for (const Vec2 window : windows) {
        CAPTURE(std::string(slide));
        CAPTURE(pixels.x);
        CAPTURE(window.x);
        view.present.set = read_set_list(fmt::format("{}\n", slide), "a.set");
        REQUIRE(open_set_item(talk.session, view, 0));
        if (std::string_view(slide).ends_with("png"))
          view.present.slide_pixels = std::make_shared<const Pixels>(
              Pixels{int(pixels.x), int(pixels.y), std::vector<uint8_t>(size_t(pixels.x * pixels.y * 4), 255)});
        CHECK(hidden(window) == 0);
      }
}

TEST_CASE("On one screen a note is not to be read, on no picture") {
  OneScreen talk;
  talk.press("Ctrl+N");
  for (const Blank blank : {Blank::None, Blank::Black, Blank::White}) {
    talk.view.present.blank = blank;
    CHECK(hides_typed(talk.view));
  }
  talk.view.present.screens = Screens::Two;
  CHECK_FALSE(hides_typed(talk.view));
}

TEST_CASE("On one screen Tab shows the knobs of a stop alone, without notes and answers, until it is gone on") {
  OneScreen talk;
  const auto turned = [&] { return talk.view.board.knobs; };
  CHECK_FALSE(talk.field("label:N"));
  talk.press("Tab");
  REQUIRE(talk.view.present.knobs);
  const Region* knob = talk.field("knob:N");
  REQUIRE(knob);
  CHECK(knob->rect.y > kWindow.y * 0.85f);
  const std::string shown = talk.words();
  CHECK(shown.find("Sequence length N") != std::string::npos);
  const Beat* beat = beat_on_show(talk.view);
  REQUIRE(beat);
  if (beat->note.size() > 12) CHECK(shown.find(beat->note.substr(0, 12)) == std::string::npos);
  CHECK(shown.find("Answer") == std::string::npos);
  for (const std::string& fault : layout_faults(talk.scene, 14, 1)) FAIL_CHECK(fault);
  const auto before = turned();
  talk.press("Tab");
  CHECK_MESSAGE((talk.view.focus.starts_with("knob:") && talk.view.focus != "knob:more/"), talk.view.focus);
  // Which one it is that arrows turn is seen.
  const auto boxes = [&] { return layout_home_room(talk.session, talk.view, kWindow).items.size(); };
  const size_t ringed = boxes();
  talk.view.focus_ring = false;
  CHECK(boxes() < ringed);
  talk.view.focus = "knob:N";
  talk.press("→");
  CHECK(turned() != before);
  talk.press("Esc");
  CHECK_FALSE(talk.view.present.knobs);
  CHECK_FALSE(talk.field("label:N"));
  talk.press("Tab");
  talk.press("Page Down");
  CHECK_FALSE(talk.view.present.knobs);
  // Where the speaker has a side of his own Tab goes through it.
  talk.view.present.screens = Screens::Two;
  talk.press("Tab");
  CHECK_FALSE(talk.view.present.knobs);
}

TEST_CASE("On one screen a countdown that the room sees is not told beside it") {
  OneScreen talk;
  talk.press("H");
  CHECK(talk.view.present.countdown > 0);
  CHECK(talk.view.notice.empty());
  CHECK(talk.words().empty());
}

}  // namespace tilewalk::test_one_screen
