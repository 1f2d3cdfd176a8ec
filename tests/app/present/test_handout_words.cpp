// What a handout and a wall say in words: numbers as the wall has them, formulas whole, and what a curve's marks mean.
#include "app/export/talk_page.h"
#include "app/scene/layout_check.h"
#include "app/session/set_list.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <tuple>

namespace tilewalk::test_handout_words {

namespace {

std::string page_of(const char* stop, bool notes = false) {
  return talk_page(shipped_lessons(), read_set_list(stop, "a.set"), notes);
}
std::string answers_of(const char* stop) {
  const std::string page = page_of(stop);
  const size_t at = page.find("<h2>Answers</h2>");
  return at == std::string::npos ? std::string() : page.substr(at);
}

}  // namespace

TEST_CASE("A handout's numbers are in the form in which the wall shows them") {
  const std::string tiles = answers_of("tilewalk://lesson/2/beat/3\n");
  CHECK_MESSAGE(tiles.find("Q tile: 16 KiB") != std::string::npos, tiles);
  CHECK(tiles.find("kB") == std::string::npos);
  const std::string causal = answers_of("tilewalk://lesson/9/beat/1\n");
  CHECK_MESSAGE(causal.find("Extra work, then hidden: 3.10 %") != std::string::npos, causal);
  const std::string row = answers_of("tilewalk://lesson/6/beat/3\n");
  CHECK_MESSAGE(row.find("0.135335") != std::string::npos, row);
  CHECK(row.find("1.37") == std::string::npos);
}

TEST_CASE("A handout's numbers are of the picture that is printed, where a later question has another") {
  const std::string traffic = answers_of("tilewalk://lesson/1/beat/6\n");
  CHECK_MESSAGE(traffic.find("136 MB") != std::string::npos, traffic);
  CHECK(traffic.find("541 MB") == std::string::npos);
  const std::string row = answers_of("tilewalk://lesson/6/beat/6\n");
  CHECK_MESSAGE(row.find("(1.231059, 0.268941)") != std::string::npos, row);
  CHECK(row.find("(1.000000, 0.500000)") == std::string::npos);
  const std::string decoding = answers_of("tilewalk://lesson/F/beat/5\n");
  CHECK_MESSAGE(decoding.find("Thread blocks: 32") != std::string::npos, decoding);
  CHECK(decoding.find("Thread blocks: 128") == std::string::npos);
}

TEST_CASE("A short number that the wall keeps back is among the answers, though another answer has its digits") {
  const std::string flipped = answers_of("tilewalk://lesson/10/beat/3\n");
  CHECK_MESSAGE(flipped.find("Loads of O: 32") != std::string::npos, flipped);
}

TEST_CASE("A walk's picture is at a rescale of the row that it follows") {
  const std::string page = page_of("tilewalk://lesson/7/beat/2?N=32&d=16&Br=8&Bc=8&mask=causal&seed=7\n");
  CHECK(page.find("of O shrinks by α = 0.") != std::string::npos);
  CHECK(page.find("max did not change") == std::string::npos);
}

TEST_CASE("A handout's notes do not tell to set anything") {
  CHECK(page_of("tilewalk://lesson/2/beat/3\n", true).find("rows to 256") == std::string::npos);
}

TEST_CASE("A handout's notes stand behind the answers, in the talk's order, each linked from its stop") {
  const std::string page = page_of(
      "slide: Mine\nslide: Words | of mine  # Welcome them.\ntilewalk://lesson/8/beat/3\n"
      "tilewalk://lesson/8/beat/8 \"The <tile>\"  # [4 min] Wait.\n",
      true);
  size_t from = page.find("<h2>Answers</h2>");
  REQUIRE(from != std::string::npos);
  CHECK(page.find("Speaker's note</a>") < from);
  for (const char* words : {"<li>Question 3: ", "<h2>Speaker's notes</h2>",
                            "<p id=\"note-2\"><b>2. Words</b> Welcome them.</p>", "<p id=\"note-3\"><b>3. ",
                            "it is the commonest wrong answer", "<p id=\"note-4\"><b>4. The &lt;tile&gt;</b> Wait. "}) {
    CAPTURE(words);
    const size_t at = page.find(words);
    REQUIRE(at != std::string::npos);
    CHECK(at > from);
    from = at;
  }
  CHECK(page.find("id=\"note-1\"") == std::string::npos);  // nothing is said there
  CHECK(page.find("<p class=\"fine\"><a href=\"#note-2\">Speaker's note</a></p>") != std::string::npos);
  CHECK(page.find("\">tilewalk://lesson/8/beat/8</a> · <a href=\"#note-4\">Speaker's note</a></p>") !=
        std::string::npos);
  CHECK(page_of("slide: Words | of mine  # Welcome them.\n").find("Speaker's note") == std::string::npos);
}

TEST_CASE("A row that was not rescaled: the wall that shows what is right does not say that nothing does") {
  Talk talk("tilewalk://board/row?skip_rescale=on&step=2\n");
  const std::string wall = talk.room();
  CHECK(wall.find("✗") != std::string::npos);
  CHECK(wall.find("nothing gives it away") == std::string::npos);
}

TEST_CASE("A formula with a power stays on its line") {
  Talk talk("tilewalk://lesson/6/beat/3\n");
  for (int k = 0; k < 6 && talk.room().find("The max rises from") == std::string::npos; ++k) talk.press("Page Down");
  for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}}) {
    float opens = -1, closes = -2;
    for (const Item& item : layout_audience(talk.session, talk.view, size).items)
      if (const auto* label = std::get_if<Label>(&item)) {
        if (label->text.find("^(") != std::string::npos) opens = label->slot.center().y;
        if (label->text.starts_with(")") && closes < 0) closes = label->slot.center().y;
      }
    CHECK(opens == closes);
  }
}

TEST_CASE("The curves' wall is true at every N: of one sequence that is longer, and where standard does not fit") {
  for (const char* curve : {"time", "win", "dram"})
    for (const int n : {4096, 131072, 262144}) {
      CAPTURE(curve);
      CAPTURE(n);
      Talk talk(fmt::format("tilewalk://board/curves?gpu=h200-measured&d=128&curve={}&N={}\n", curve, n));
      const std::string wall = talk.room(), from = wall.substr(wall.find("At N = ")),
                        caption = from.substr(0, from.find('\n'));
      CAPTURE(wall);
      const auto has = [&](std::string_view words) { return wall.find(words) != std::string::npos; };
      const bool longer = n > 16384;
      CHECK(has("16 K tokens") == !longer);
      CHECK(has("B 1") == longer);
      CHECK(caption.find("standard attention") != std::string::npos);
      if (longer) CHECK(caption.ends_with(" if it fitted."));
      if (std::string_view(curve) == "time") CHECK(caption.find(" by the model, ") != std::string::npos);
      // Diamonds and the dotted part are drawn at every N.
      CHECK(has("◆ recorded"));
      CHECK(has("dotted: standard does not fit"));
      CHECK_FALSE(has("the dotted line"));
    }
}

TEST_CASE("The curves' wall says what its marks are, and that standard attention does not fit where it does not") {
  Talk talk("tilewalk://board/curves?gpu=h200-measured&d=128&curve=win&batch=tokens\n");
  const std::string wall = talk.room();
  CHECK_MESSAGE(wall.find("at N = 262,144 3.3× if it fitted") != std::string::npos, wall);
  CHECK_MESSAGE(wall.find("B × N = 16,384 up to N = 16,384, then B = 1") != std::string::npos, wall);
  // Each method's line and mark stand beside its numbers.
  const Scene scene = layout_audience(talk.session, talk.view, {1920, 1080});
  int gaps = 0, samples = 0;
  for (const Item& item : scene.items)
    if (const auto* line = std::get_if<Line>(&item); line && line->from.y == line->to.y && line->from.x > 1480)
      line->color == scene.background ? ++gaps : ++samples;
  CHECK(gaps == 1);     // FA1's
  CHECK(samples == 3);  // FA1, FA2, FA3
  CHECK(layout_faults(scene, kRoomText, room_scale(talk.view, {1920, 1080})).empty());
}

TEST_CASE("What a question on the wall begins with is no learner's") {
  for (const auto& [lesson, beat, words] :
       {std::tuple(1, 3, "again."), {6, 3, "The row of the start again."}, {9, 3, "Now 4,096 queries"}}) {
    CAPTURE(lesson);
    Talk talk({}, lesson, beat - 1);
    REQUIRE(talk.view.lesson.beat == beat - 1);
    for (int k = 0; k < 8 && talk.view.lesson.beat == beat - 1; ++k) {
      CHECK(talk.room().find(words) == std::string::npos);
      talk.press("Page Down");
    }
  }
}

}  // namespace tilewalk::test_handout_words
