// Slides of the speaker's own between the stops of a talk.
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_slides {

namespace {

const char* const kTalk =
    "slide: Attention, tile by tile | A course of two hours  # say hello\n"
    "tilewalk://lesson/6/beat/3\n"
    "slide: What to take home | Softmax can be taken tile by tile | Only O and L go back to memory\n"
    "tilewalk://lesson/6/beat/3\n";

struct Talk {
  Session session;
  ViewState view;
  Talk() {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    view.present.set = read_set_list(kTalk, "a.set");
    press("F5");
    view.present.screens = Screens::Two;
  }
  void press(std::string_view words) {
    const Scene scene = layout_presenter(session, view, {1920, 1080});
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, scene, session, view);
    pass_presentation_time(view, 2);
    view.phase = 1;
  }
  std::string words(const Scene& scene) {
    std::string all;
    for (const Item& item : scene.items)
      if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  }
  std::string room() { return words(layout_audience(session, view, {1920, 1080})); }
};

}  // namespace

TEST_CASE("A slide is a line of a set list: a title, and lines below it") {
  const SetList list = read_set_list(std::string(kTalk) + "slide:  \nslides are not\n", "a.set");
  REQUIRE(list.items.size() == 4);
  CHECK(list.items[0].note == "say hello");
  const Slide slide = slide_of(list.items[2].link);
  CHECK(slide.title == "What to take home");
  REQUIRE(slide.lines.size() == 2);
  CHECK(slide.lines[1] == "Only O and L go back to memory");
  REQUIRE(list.faults.size() == 2);
  CHECK(faults_of(list)[0] == "a.set line 5: the slide has no title and no picture: write it behind \"slide:\".");
  CHECK(faults_of(list)[1] ==
        "a.set line 6: \"slides are not\" is no link; one begins with tilewalk://, a slide with slide:.");
}

TEST_CASE("Slides stand between stops: shown, passed, come back to, and under no question") {
  Talk talk;
  CHECK(talk.room().find("Attention, tile by tile") != std::string::npos);
  CHECK(talk.words(layout_presenter(talk.session, talk.view, {1920, 1080})).find("say hello") != std::string::npos);
  CHECK_FALSE(off_set_list(talk.view));
  talk.press("Page Down");
  CHECK(talk.view.present.place == 1);
  CHECK(talk.room().find("Attention, tile by tile") == std::string::npos);
  for (int k = 0; k < 9 && talk.view.present.place < 2; ++k) talk.press("Page Down");
  const std::string home = talk.room();
  CHECK(home.find("What to take home") != std::string::npos);
  talk.press("Enter");
  talk.press("Ctrl+P");
  CHECK(talk.room() == home);
  talk.press("Ctrl+5");
  CHECK(off_set_list(talk.view));
  CHECK(talk.room() != home);
  talk.press("Page Down");
  CHECK(talk.room() == home);
  talk.press("Page Down");
  CHECK(talk.view.present.place == 3);
  CHECK(talk.room() != home);
  talk.press("Page Up");
  CHECK(talk.room() == home);
  talk.press("O");
  CHECK(stop_title(talk.view.present.set.items[2], talk.view) == "What to take home");
}

TEST_CASE("A slide is in the largest type in which it fits, and can be read from the last row") {
  Talk talk;
  for (const size_t lines : {0u, 3u, 9u}) {
    std::string stop = "slide: A title that is long enough to take more than one line of the wall in its largest type";
    for (size_t k = 0; k < lines; ++k) stop += " | A line with some words in it, as a speaker would write them down";
    talk.view.present.set = read_set_list(stop, "a.set");
    REQUIRE(open_set_item(talk.session, talk.view, 0));
    for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}, Vec2{3840, 2160}}) {
      CAPTURE(lines);
      const Scene scene = layout_audience(talk.session, talk.view, size);
      CHECK(layout_faults(scene, kRoomText * size.y / 1080, room_scale(talk.view, size)).empty());
      int shown = 0;
      for (const Item& item : scene.items)
        if (const auto* label = std::get_if<Label>(&item)) shown += label->text.starts_with("A line with");
      CHECK(shown == int(lines));
    }
    CHECK(layout_faults(layout_presenter(talk.session, talk.view, {1920, 1080}), 14, 1).empty());
  }
}

}  // namespace tilewalk::test_slides
