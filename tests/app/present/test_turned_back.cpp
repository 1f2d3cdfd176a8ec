// What is turned at a stop is as it was prepared when one comes back to it, and the speaker's side says so.
#include "app/boards/board.h"
#include "app/session/typing.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_turned_back {

namespace {

constexpr std::string_view kWords = "is as it was prepared";

bool says(const Talk& talk) { return talk.view.notice.find(kWords) != std::string::npos; }

// To the next stop that shows no question, and back.
void there_and_back(Talk& talk) {
  const int from = talk.p().set.items.empty() ? talk.view.lesson.beat : talk.p().place;
  const auto here = [&] { return talk.p().set.items.empty() ? talk.view.lesson.beat : talk.p().place; };
  for (int k = 0; k < 9 && here() == from; ++k) talk.press("Page Down");
  REQUIRE(here() == from + 1);
  talk.press("Page Up");
  REQUIRE(here() == from);
}

}  // namespace

TEST_CASE("A walk that was turned comes back as prepared, and the speaker reads so for some seconds") {
  for (const char* key : {"I", "C", "V", "Y"}) {
    CAPTURE(key);
    Talk talk({}, 4, 3);
    const uint64_t prepared = talk.session.input_hash();
    const Setup setup = talk.session.setup();
    talk.press(key);
    if (std::string_view(key) != "I" && talk.session.setup() == setup) continue;  // of two walks not all turns
    REQUIRE_MESSAGE(talk.session.setup() != setup, talk.view.notice);
    there_and_back(talk);
    CHECK(talk.session.input_hash() == prepared);
    CHECK_MESSAGE(says(talk), talk.view.notice);
    pass_presentation_time(talk.view, 5);
    pass_presentation_time(talk.view, 5);
    CHECK(talk.view.notice.empty());
    // Once: what is not turned again is not said again.
    there_and_back(talk);
    CHECK_FALSE(says(talk));
  }
}

TEST_CASE("Where nothing was turned, or all was turned back, nothing is said") {
  Talk talk({}, 4, 3);
  there_and_back(talk);
  CHECK(talk.view.notice.empty());
  talk.press("→");
  there_and_back(talk);
  CHECK(talk.view.notice.empty());
  for (const char* key : {"C", "C"}) talk.press(key);
  there_and_back(talk);
  CHECK_FALSE(says(talk));
}

TEST_CASE("Of a board, too, whichever way one comes back") {
  const char* set = "tilewalk://lesson/6/beat/1\ntilewalk://board/estimate?N=8192\ntilewalk://lesson/7/beat/2\n";
  Talk talk(set);
  const auto n = [&] { return knob_value(*board_named("estimate"), talk.view.board, "N"); };
  const auto at_estimate = [&] {
    while (talk.p().place < 1) talk.press("Page Down");
    REQUIRE(n() == 8192);
  };
  at_estimate();
  there_and_back(talk);
  CHECK_FALSE(says(talk));
  talk.drag("knob:N", {60, 0});
  REQUIRE(n() != 8192);
  there_and_back(talk);
  CHECK(n() == 8192);
  CHECK_MESSAGE(says(talk), talk.view.notice);
  // From the stop before it.
  talk.drag("knob:N", {60, 0});
  talk.press("Page Up");
  talk.press("Page Down");
  for (int k = 0; k < 9 && talk.p().place < 1; ++k) talk.press("Page Down");
  CHECK(n() == 8192);
  CHECK_MESSAGE(says(talk), talk.view.notice);
  // From a place off the list.
  talk.drag("knob:N", {60, 0});
  REQUIRE(n() != 8192);
  talk.press("G");
  typed_into(talk.view.editing, "9.1", talk.view);
  finish_typing(talk.session, talk.view);
  talk.press("Page Down");
  REQUIRE(talk.p().place == 1);
  CHECK(n() == 8192);
  CHECK_MESSAGE(says(talk), talk.view.notice);
}

}  // namespace tilewalk::test_turned_back
