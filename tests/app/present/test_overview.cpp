// The overview of a talk: pictures of its stops, made one a frame, and chosen by keys, digits and the mouse.
#include "app/panels/room_overview.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/scene/svg_painter.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/overview.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/window/stop_pictures.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_overview {

namespace {

struct Talk {
  Session session;
  ViewState view;
  Scene scene;

  explicit Talk(int lesson = 7) {
    give_shipped_lessons(view);
    REQUIRE(open_lesson_numbered(session, view, lesson, 2));
    begin_presenting(session, view, false);
    view.present.screens = Screens::Two;
  }
  void press(std::string_view words) {
    scene = layout_presenter(session, view, {1920, 1080});
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, scene, session, view);
  }
  int beats() const { return int(lesson_on_show(view)->beats.size()); }
};

}  // namespace

TEST_CASE("Arrows and Enter choose a stop, and Home and End the first and the last") {
  Talk talk;
  talk.press("O");
  CHECK(talk.view.present.overview);
  CHECK(talk.view.present.overview_at == 2);
  talk.press("→");
  CHECK(talk.view.present.overview_at == 3);
  talk.press("↓");
  CHECK(talk.view.present.overview_at == 3 + overview_columns(talk.beats()));
  talk.press("End");
  CHECK(talk.view.present.overview_at == talk.beats() - 1);
  talk.press("Home");
  CHECK(talk.view.present.overview_at == 0);
  talk.press("←");
  CHECK(talk.view.present.overview_at == 0);
  CHECK(talk.view.lesson.beat == 2);  // nothing has moved in front of the room
  talk.press("→");
  talk.press("Enter");
  CHECK_FALSE(talk.view.present.overview);
  CHECK(talk.view.lesson.beat == 1);
  talk.press("O");
  talk.press("B");
  CHECK(talk.view.present.blank == Blank::Black);
  talk.press("O");
  CHECK_FALSE(talk.view.present.overview);
}

TEST_CASE("The overview holds up no clicker: the talk goes on, or back, from the stop that one is at") {
  Talk plain, open;
  for (const char* key : {"Page Down", "Page Down", "Page Down", "Page Up", "Page Up", "Page Up", "Page Up"}) {
    CAPTURE(key);
    plain.press(key);
    open.press("O");
    open.press("End");
    REQUIRE(open.view.present.overview);
    open.press(key);
    CHECK_FALSE(open.view.present.overview);
    CHECK(open.view.lesson.beat == plain.view.lesson.beat);
    CHECK(open.view.present.question == plain.view.present.question);
  }
}

TEST_CASE("Home and End choose the first and the last stop above a stepped board, and on it say where that is") {
  Talk talk;
  SetList list;
  for (const char* link : {"tilewalk://walk", "tilewalk://lesson/6/beat/2", "tilewalk://board/estimate"})
    list.items.push_back({link, "", int(list.items.size()) + 1});
  talk.view.present.set = list;
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  REQUIRE(what_moves(talk.session, talk.view) == Moves::Board);
  talk.press("End");
  CHECK_FALSE(can_go_forward(talk.session, talk.view));
  talk.press("End");
  CHECK(talk.view.notice == "That was the last step. In the overview (O) End chooses the last stop.");
  talk.press("Home");
  talk.press("Home");
  CHECK(talk.view.notice == "No step has been taken. In the overview (O) Home chooses the first stop.");
  talk.press("O");
  talk.press("End");
  CHECK(talk.view.present.overview_at == 2);
  talk.press("Home");
  CHECK(talk.view.present.overview_at == 0);
  talk.press("End");
  talk.press("Enter");
  CHECK(talk.view.present.place == 2);
}

TEST_CASE("Digits name a card and Enter goes there, to its picture, however many cards there are") {
  Talk talk;
  REQUIRE(talk.beats() < 10);
  talk.press("O");
  talk.press("3");
  CHECK(talk.view.present.overview);
  CHECK(talk.view.present.overview_at == 2);
  CHECK(talk.view.lesson.beat == 2);
  talk.press("5");  // there is no card 35
  CHECK(talk.view.present.overview_at == 4);
  talk.press("3");
  talk.press("Enter");
  CHECK_FALSE(talk.view.present.overview);
  CHECK(talk.view.lesson.beat == 2);
  REQUIRE(asked_now(talk.view).question);
  CHECK_FALSE(talk.view.present.question);
  talk.press("Enter");
  CHECK(talk.view.present.question);
  CHECK(talk.view.present.tool == Tool::Normal);
  SetList list;
  for (int k = 0; k < 30; ++k) list.items.push_back({"tilewalk://lesson/6/beat/1", "stop", k + 1});
  talk.view.present.set = list;
  talk.press("O");
  talk.press("1");
  CHECK(talk.view.present.overview);
  talk.press("7");
  CHECK(talk.view.present.overview);
  talk.press("Enter");
  CHECK_FALSE(talk.view.present.overview);
  CHECK(talk.view.present.place == 16);
  talk.press("O");
  talk.press("2");
  CHECK(talk.view.present.overview);
  talk.press("Enter");
  CHECK(talk.view.present.place == 1);
}

TEST_CASE("A shorter lesson or set list that is opened under the overview has the last card chosen") {
  Talk talk;
  SetList list;
  for (int k = 0; k < 30; ++k) list.items.push_back({"tilewalk://lesson/6/beat/1", "stop", k + 1});
  talk.view.present.set = list;
  talk.press("O");
  talk.press("End");
  REQUIRE(talk.view.present.overview_at == 29);
  talk.view.present.set = {};
  REQUIRE(talk.beats() < 24);
  const std::string last = "beat:" + std::to_string(talk.beats() - 1);
  CHECK(layout_presenter(talk.session, talk.view, {1920, 1080}).find(last));  // on the page that is open
  StopPicturesMaker maker;
  CHECK(maker.make_one(talk.view, {320, 180}));
  talk.press("Enter");
  CHECK_FALSE(talk.view.present.overview);
  CHECK(talk.view.lesson.beat == talk.beats() - 1);
  // From one lesson to another by the words of "Go to".
  talk.press("O");
  const int longer = talk.beats();
  int other = 1;
  while (true) {
    const auto lesson = talk.view.lesson.course->lesson_numbered(other);
    REQUIRE(lesson);
    if (int(lesson->beats.size()) < longer) break;
    ++other;
  }
  REQUIRE(present_go_to(std::to_string(other), talk.session, talk.view).empty());
  REQUIRE(talk.beats() < longer);
  CHECK(talk.view.present.overview);
  talk.press("Space");
  CHECK(talk.view.lesson.beat == talk.beats() - 1);
}

TEST_CASE("Pictures come one a frame, are those that the room will see, and leave the talk alone") {
  Talk talk;
  talk.press("O");
  const int64_t generation = talk.session.generation(), playhead = talk.view.playhead;
  StopPicturesMaker maker;
  int made = 0;
  while (maker.make_one(talk.view, {320, 180})) {
    CHECK(talk.view.present.pictures->size() == size_t(++made));
    REQUIRE(made <= 100);
  }
  CHECK(made == talk.beats());
  CHECK(talk.session.generation() == generation);
  CHECK(talk.view.playhead == playhead);
  CHECK(talk.view.lesson.beat == 2);
  for (const auto& [id, picture] : *talk.view.present.pictures) {
    CAPTURE(id);
    CHECK(picture.items.size() > 20);
    CHECK(picture.regions.empty());
    for (const Item& item : picture.items)
      if (const auto* label = std::get_if<Label>(&item)) CHECK(label->size >= 6);
  }
  // Each lies within its card.
  const Scene scene = layout_presenter(talk.session, talk.view, {1920, 1080});
  const Region *stage = scene.find("present:stage"), *card = scene.find("beat:0");
  REQUIRE(card);
  CHECK(card->rect.x >= stage->rect.x);
  CHECK(card->rect.bottom() <= stage->rect.bottom());
  CHECK(scene.find("lesson:9"));
  // Another theme asks for others.
  talk.view.present.theme = Theme::Dark;
  CHECK(maker.make_one(talk.view, {320, 180}));
  CHECK(talk.view.present.pictures->size() == 1);
}

TEST_CASE("Each stop's picture has its own foot, as the wall has it, in the overview and as the next stop") {
  Talk talk;
  SetList list;
  for (const char* link : {"slide: Attention, tile by tile", "tilewalk://lesson/7/beat/5", "slide: So far | one pass",
                           "tilewalk://lesson/4/beat/1", "slide: Thanks", "tilewalk://walk?preset=toy"})
    list.items.push_back({link, "", int(list.items.size()) + 1});
  talk.view.present.set = list;
  REQUIRE(open_set_item(talk.session, talk.view, 0));
  const Vec2 size{1280, 720};
  StopPicturesMaker maker, next;
  while (maker.make_one(talk.view, size)) {
  }
  const StopPictures pictures = *talk.view.present.pictures;
  REQUIRE(pictures.size() == list.items.size());
  for (int k = 0; k < int(list.items.size()); ++k) {
    CAPTURE(k);
    REQUIRE(open_set_item(talk.session, talk.view, k));
    const std::string wall = to_svg(layout_audience(talk.session, talk.view, size));
    CHECK(wall.find(std::to_string(k + 1) + " of 6") != std::string::npos);
    CHECK(to_svg(pictures.at("set:" + std::to_string(k))) == wall);
    if (k > 0) CHECK(to_svg(*talk.view.present.next_picture) == wall);
    CHECK(next.make_next(talk.view, size));
  }
  // One stop more is counted.
  talk.view.present.set.items.push_back({"slide: Questions", "", 7});
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  CHECK(next.make_next(talk.view, size));
  CHECK(to_svg(*talk.view.present.next_picture).find("3 of 7") != std::string::npos);
}

TEST_CASE("Over a beat a tool has the beat itself as what comes next, in its picture, too") {
  for (const auto& [lesson, beat] : {std::pair{1, 1}, {7, 1}})
    for (const char* key : {"Ctrl+1", "Ctrl+3", "Ctrl+4", "Ctrl+5", "Ctrl+6"}) {
      CAPTURE(lesson);
      CAPTURE(key);
      Talk talk(lesson);
      present_beat(talk.session, talk.view, beat);
      const std::string title = lesson_on_show(talk.view)->beats[size_t(beat)].title;
      const Vec2 size{1280, 720};
      const std::string wall = to_svg(layout_audience(talk.session, talk.view, size));
      StopPicturesMaker next;
      CHECK(next.make_next(talk.view, size));
      talk.press(key);
      CHECK(next_title(talk.view) == title);
      CHECK(next.make_next(talk.view, size));
      REQUIRE(talk.view.present.next_picture);
      CHECK(to_svg(*talk.view.present.next_picture) == wall);
    }
}

}  // namespace tilewalk::test_overview
