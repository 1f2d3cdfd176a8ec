// The way back from a stop that one went to out of turn: by a key that the presenter's window names, as long as one is
// there, and as the stop was left.
#include "app/session/overlays.h"
#include "app/session/overview.h"
#include "app/session/set_stops.h"
#include "app/session/typing.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace tilewalk::test_jumps {

namespace {

const char* const kStops =
    "tilewalk://lesson/6/beat/1\n"
    "tilewalk://lesson/6/beat/3\n"
    "tilewalk://walk/step/12?schedule=fa2&N=64&seed=7\n"
    "tilewalk://lesson/7/beat/2\n"
    "tilewalk://board/clocks\n";

struct Jumping : Talk {
  using Talk::Talk;
  std::string side() { return words_in(scene()); }
  bool says(std::string_view words) { return side().find(words) != std::string::npos; }
  bool says_way() { return says("Ctrl+Backspace returns"); }
  void go(std::string_view words) {  // as G, the words and Enter
    press("G");
    REQUIRE(is_open<GoTo>(view));
    view.go_to_text = words;
    finish_typing(session, view);
    REQUIRE_FALSE(overlay_open(view));
  }
};

}  // namespace

TEST_CASE(
    "From a stop that G or the overview led to Ctrl+Backspace leads back to where one was, and the side says so") {
  for (const bool overview : {false, true}) {
    CAPTURE(overview);
    Jumping talk(kStops);
    REQUIRE(open_set_item(talk.session, talk.view, 1));
    talk.press("Page Down");
    REQUIRE(talk.p().question);
    CHECK_FALSE(talk.says_way());
    if (overview)
      talk.press("O"), talk.press("4"), talk.press("Enter");
    else
      talk.go("7.2");
    REQUIRE(talk.p().place == 3);
    CHECK(talk.says("4 of 5. Ctrl+Backspace returns to stop 2."));
    talk.press("Ctrl+Backspace");
    CHECK(talk.p().place == 1);
    CHECK(talk.p().question);
    CHECK_FALSE(talk.says_way());
    CHECK(talk.says("2 of 5 in the set list"));
    talk.press("Ctrl+Backspace");
    CHECK(talk.p().place == 1);
  }
}

TEST_CASE("From the end and the beginning of a list, where End and Home lead, Ctrl+Backspace leads back") {
  for (const char* key : {"End", "Home"}) {
    CAPTURE(key);
    Jumping talk("slide: First\nslide: Second\nslide: Third\nslide: Fourth\n");
    REQUIRE(open_set_item(talk.session, talk.view, 1));
    talk.press(key);
    REQUIRE(talk.p().place == (key == std::string_view("End") ? 3 : 0));
    CHECK(talk.says("Ctrl+Backspace returns to stop 2."));
    talk.press("Ctrl+Backspace");
    CHECK(talk.p().place == 1);
    CHECK_FALSE(talk.says_way());
  }
}

TEST_CASE("A stop that was stepped or turned is put in order first, and once more leads back") {
  Jumping talk(kStops);
  talk.go("7.2");
  REQUIRE(talk.p().place == 3);
  const int64_t step = talk.view.playhead;
  talk.press("→");
  CHECK_FALSE(talk.says_way());
  talk.press("Ctrl+Backspace");
  CHECK(talk.p().place == 3);
  CHECK(talk.view.playhead == step);
  CHECK(talk.view.notice == "This stop is as it was prepared. Ctrl+Backspace once more returns to stop 1.");
  CHECK(talk.says_way());
  talk.press("Ctrl+Backspace");
  CHECK(talk.p().place == 0);
}

TEST_CASE("Of several leaps the first one's stop is come back to; who goes on from one has gone on from there") {
  Jumping talk(kStops);
  talk.go("7.2");
  talk.go("6.3");
  REQUIRE(talk.p().place == 1);
  CHECK(talk.says("Ctrl+Backspace returns to stop 1."));
  talk.go("9.2");  // off the list Page Down is the way
  CHECK_FALSE(talk.says_way());
  talk.press("Ctrl+Backspace");
  CHECK(talk.p().place == 1);
  CHECK_FALSE(off_set_list(talk.view));
  while (talk.p().place == 1) talk.press("Page Down");
  REQUIRE(talk.p().place == 2);
  CHECK_FALSE(talk.says_way());
  talk.press("Ctrl+Backspace");
  CHECK(talk.p().place == 2);
  CHECK(talk.view.notice == "Nothing of this stop was turned.");
  talk.press("Page Up");
  CHECK(talk.says("Ctrl+Backspace returns to stop 1."));
  while (talk.p().place > 0) talk.press("Page Up");
  while (talk.p().place < 1) talk.press("Page Down");
  CHECK_FALSE(talk.says_way());
  // Back where one was by G, too.
  talk.go("7.2");
  talk.go("6.3");
  CHECK(talk.p().place == 1);
  CHECK_FALSE(talk.says_way());
}

TEST_CASE("In a talk of a lesson G leads to another beat or lesson, and Ctrl+Backspace back") {
  Jumping talk({}, 7, 1);
  const int64_t step = talk.view.playhead;
  talk.go("7.4");
  REQUIRE(talk.view.lesson.beat == 3);
  CHECK(talk.says("Ctrl+Backspace returns to beat 2."));
  talk.go("9.1");
  REQUIRE(lesson_on_show(talk.view)->number == 9);
  CHECK(talk.says("Ctrl+Backspace returns to Lesson 7, beat 2."));
  talk.press("Ctrl+Backspace");
  CHECK(lesson_on_show(talk.view)->number == 7);
  CHECK(talk.view.lesson.beat == 1);
  CHECK(talk.view.playhead == step);
  CHECK_FALSE(talk.says_way());
  talk.press("O");
  talk.press("End");
  talk.press("Enter");
  REQUIRE(talk.view.lesson.beat > 1);
  CHECK(talk.says("Ctrl+Backspace returns to beat 2."));
}

}  // namespace tilewalk::test_jumps
