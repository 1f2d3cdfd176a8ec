// What stands on the wall reads as a slide does: headings without a word left alone, numbers once they are whole, marks
// that are explained, nothing underlined that nobody there can press.
#include "app/session/breaking.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/typing.h"
#include "app/text/text.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk::test_wall_words {

namespace {

constexpr Vec2 kWall{1920, 1080};

std::vector<Label> labels_of(const Scene& scene, Face face, float least) {
  std::vector<Label> all;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->face == face && label->size >= least)
      all.push_back(*label);
  return all;
}

}  // namespace

TEST_CASE("Balanced lines are as many as others, and the last one is no word alone") {
  const std::string words =
      "Three kernels, and the one in the middle moves the most bytes through the memory of all of them.";
  for (float width = 300; width < 1200; width += 37) {
    CAPTURE(width);
    const auto greedy = wrap_text(words, Face::SansBold, 40, width);
    const float balanced = balanced_width(words, Face::SansBold, 40, width);
    const auto lines = wrap_text(words, Face::SansBold, 40, balanced);
    CHECK(balanced <= width);
    CHECK(lines.size() == greedy.size());
    float longest = 0, longest_greedy = 0;
    for (const std::string& line : lines) longest = std::max(longest, text_width(line, Face::SansBold, 40));
    for (const std::string& line : greedy)
      longest_greedy = std::max(longest_greedy, text_width(line, Face::SansBold, 40));
    CHECK(longest <= longest_greedy);
    CHECK(text_width(lines.back(), Face::SansBold, 40) >= text_width(greedy.back(), Face::SansBold, 40));
  }
  CHECK(balanced_width("One line", Face::SansBold, 40, 800) == 800);
}

TEST_CASE("A question before a room ends with no word alone") {
  Talk talk("tilewalk://lesson/3/beat/6\n");
  talk.press("Page Down");
  REQUIRE(talk.p().question);
  const std::string all = talk.room();
  CHECK_MESSAGE(all.find("kept\n") != std::string::npos, all);
  CHECK_MESSAGE(all.find("\nkept\n") == std::string::npos, all);
}

TEST_CASE("Nothing in a question before a room is underlined") {
  Talk talk("tilewalk://lesson/9/beat/7\n");
  int questions = 0;
  for (int k = 0; k < 8; ++k) {
    talk.press("Page Down");
    if (!talk.p().question) continue;
    ++questions;
    const Scene scene = layout_audience(talk.session, talk.view, kWall);
    for (const Item& item : scene.items)
      if (const auto* line = std::get_if<Line>(&item)) CHECK(line->dash == 0);
  }
  CHECK(questions > 0);
}

TEST_CASE("A number that is half typed into a board is not on the wall; it comes with Enter") {
  for (const char* stop : {"tilewalk://lesson/14/beat/2\n", "tilewalk://board/estimate\n"}) {
    CAPTURE(stop);
    Talk talk(stop);
    const std::string before = talk.room();
    std::string field;
    for (const Region& region : talk.scene().regions)
      if (region.id.starts_with("field:board/") && field.empty()) field = region.id;
    if (field.empty() && talk.scene().find("board:add/dram")) {
      talk.click("board:add/dram");
      for (const Region& region : talk.scene().regions)
        if (region.id.starts_with("field:board/") && field.empty()) field = region.id;
    }
    if (field.empty()) continue;
    const std::string shown = talk.room();
    begin_typing(field, talk.view);
    typed_into(field, "3.", talk.view);
    CHECK(talk.room() == shown);
    typed_into(field, "7", talk.view);
    CHECK(talk.room() == shown);
    finish_typing(talk.session, talk.view);
    CHECK(talk.room() != shown);
  }
}

TEST_CASE("Where Enter led to the next cell of a sheet, digits go there, and a clicker's period is black") {
  Talk talk("tilewalk://lesson/7/beat/5\n");
  std::string field;
  for (const Region& region : talk.scene().regions)
    if (region.id.starts_with("field:board/") && field.empty()) field = region.id;
  REQUIRE_FALSE(field.empty());
  talk.click(field);
  REQUIRE(talk.view.editing == field);
  typed_into(field, "0.368", talk.view);
  finish_typing(talk.session, talk.view);
  REQUIRE(talk.view.focus.starts_with("field:board/"));
  REQUIRE(talk.view.focus != field);
  talk.press("5");
  CHECK(talk.view.editing == talk.view.focus);
  CHECK(talk.p().tool == Tool::Normal);
  CHECK_FALSE(talk.p().lens);
  finish_typing(talk.session, talk.view);
  talk.press(".");
  CHECK(talk.p().blank == Blank::Black);
}

TEST_CASE("What to draw next is said to the one who draws, not to the room") {
  Talk talk("tilewalk://lesson/14/beat/2\n");
  CHECK(talk.room().find("Empty axes") != std::string::npos);
  CHECK_MESSAGE(talk.room().find("Add a roof") == std::string::npos, talk.room());
  CHECK_MESSAGE(Talk::words_in(talk.scene()).find("Add a roof") != std::string::npos, Talk::words_in(talk.scene()));
  // On one screen the wall has buttons while the pointer moves, and says no more than before.
  talk.p().screens = Screens::One;
  talk.p().since_pointer = 0;
  CHECK_MESSAGE(talk.room().find("type it, or draw") == std::string::npos, talk.room());
  CHECK(talk.room().find("Add a roof") == std::string::npos);
}

TEST_CASE("A mark on the wall is explained at its foot") {
  Talk published("tilewalk://lesson/5/beat/6\ntilewalk://lesson/13/beat/4\n");
  CHECK(published.room().find("◇ published") == std::string::npos);
  published.press("Page Down");
  REQUIRE(published.p().question);
  CHECK_MESSAGE(published.room().find("◇ published") != std::string::npos, published.room());
  for (int k = 0; k < 20 && published.p().place < 1; ++k) published.press("Page Down");
  CHECK_MESSAGE(published.room().find("◆ recorded") != std::string::npos, published.room());
}

TEST_CASE("A slide of a title alone is large and stands in the middle of the wall") {
  Talk talk("slide: Pause\nslide: Take home | One pass is enough\n");
  const auto title_of = [&] { return labels_of(layout_audience(talk.session, talk.view, kWall), Face::SansBold, 60); };
  const auto alone = title_of();
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].align == Align::Center);
  CHECK(alone[0].size > 150);
  CHECK(alone[0].slot.center().x == doctest::Approx(kWall.x / 2).epsilon(0.01));
  CHECK(alone[0].slot.center().y > kWall.y * 0.35f);
  CHECK(alone[0].slot.center().y < kWall.y * 0.5f);
  talk.press("Page Down");
  const auto above_lines = title_of();
  REQUIRE(above_lines.size() == 1);
  CHECK(above_lines[0].align == Align::Left);
  CHECK(above_lines[0].size < 100);
}

TEST_CASE("The one who talks reads which key breaks what, and which mends it") {
  Talk talk("tilewalk://lesson/6/beat/5\ntilewalk://lesson/6/beat/4\n");
  const auto said = [&] { return Talk::words_in(talk.scene()); };
  CHECK_MESSAGE(said().find("X: Break it: the rescale is skipped") != std::string::npos, said());
  talk.press("X");
  CHECK(said().find("X: Break it: the max is skipped") != std::string::npos);
  talk.press("X");
  CHECK(said().find("X: Mend it") != std::string::npos);
  talk.press("X");
  talk.press("Page Down");
  CHECK(said().find("X: ") == std::string::npos);
}

TEST_CASE("Behind a question nothing breaks that the room does not see") {
  Talk talk("tilewalk://lesson/1/beat/1\n");
  int asked = 0;
  for (int lesson = 1; lesson <= 14; ++lesson)
    for (int beat = 1; beat <= 12; ++beat) {
      const std::string place = std::to_string(lesson) + "." + std::to_string(beat);
      if (!present_go_to(place, talk.session, talk.view).empty()) break;
      if (questions_on_show(talk.view).empty() || break_words(talk.view).empty()) continue;
      CAPTURE(place);
      talk.press("Ctrl+P");
      REQUIRE(talk.p().question);
      CHECK(break_words(talk.view).empty());
      const std::string wall = talk.room();
      talk.press("X");
      CHECK(talk.view.lesson.broken == 0);
      CHECK(talk.room() == wall);
      CHECK(talk.view.notice.find("The room sees a question") == 0);
      talk.press("Ctrl+P");
      talk.press("X");
      CHECK(talk.view.lesson.broken == 1);
      ++asked;
    }
  CHECK(asked > 0);
}

TEST_CASE("Before a room the row of knobs has its width: those of the stop, then the board's others") {
  Talk talk("tilewalk://lesson/5/beat/3\n");
  const Scene scene = talk.scene();
  const auto knobs = std::ranges::count_if(scene.regions, [](const Region& r) { return r.id.starts_with("label:"); });
  CHECK(knobs == 3);
  const Region* first = scene.find("label:d");
  REQUIRE(first);
  for (const Region& region : scene.regions)
    if (region.id.starts_with("label:")) CHECK(region.rect.x >= first->rect.x);
}

TEST_CASE("What was revealed in a beat stays on the wall where it is not the next answer") {
  Talk talk("tilewalk://lesson/1/beat/6\n");
  CHECK(talk.room().find("67.1 MB") == std::string::npos);
  bool answered = false;
  for (int k = 0; k < 4 && !answered; ++k) {
    talk.press("Page Down");
    answered = talk.p().question && settled(talk.view, asked_now(talk.view));
  }
  REQUIRE(answered);
  talk.press("Page Down");
  REQUIRE_FALSE(talk.p().question);
  CHECK_MESSAGE(talk.room().find("softmax: 67.1 MB") != std::string::npos, talk.room());
}

TEST_CASE("Of a tile of small numbers more is written than one digit") {
  Talk weights("tilewalk://lesson/8/beat/4\n"), gradient("tilewalk://lesson/8/beat/6\n");
  CHECK(weights.room().find("\n0.09\n") != std::string::npos);
  CHECK(weights.room().find("<0.1") == std::string::npos);
  CHECK_MESSAGE(gradient.room().find("0.04\n") != std::string::npos, gradient.room());
}

TEST_CASE("What a board's wall shows is named on it") {
  const auto wall_of = [](const char* stop) { return Talk(std::string(stop) + "\n").room(); };
  for (const auto& [stop, words] :
       {std::pair{"tilewalk://lesson/9/beat/2", "Which tiles are skipped, which masked, which whole?\n"},
        {"tilewalk://lesson/latent-attention/beat/2", "512 + 64"},
        {"tilewalk://lesson/ring-attention/beat/2", "m, a row of 16 tokens"},
        {"tilewalk://board/estimate?gpu=a100-80&method=fa2", "η a share of the peak"},
        {"tilewalk://board/estimate?gpu=h100&method=fa3&mask=causal", "η a share of the peak"},
        {"tilewalk://board/curves?batch=tokens&N=4096", "\nN = 4,096\nfrom here on B = 1\n"},
        {"tilewalk://board/row?skip_rescale=on&step=2", "\np 1.000\n"}}) {
    CAPTURE(stop);
    const std::string wall = wall_of(stop);
    CHECK_MESSAGE(wall.find(words) != std::string::npos, wall);
  }
  CHECK(wall_of("tilewalk://lesson/latent-attention/beat/1").find("512 + 64") == std::string::npos);  // covered
  CHECK(wall_of("tilewalk://board/row?step=2").find("\nwas p 1.000\n") != std::string::npos);
}

TEST_CASE("A wall has the same numbers in every theme") {
  for (int beat = 3; beat <= 8; ++beat) {
    CAPTURE(beat);
    Talk talk({}, 8, beat - 1);
    std::vector<std::string> walls;
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      talk.p().theme = theme;
      walls.push_back(talk.room());
    }
    CHECK(walls[0] == walls[1]);
    CHECK(walls[0] == walls[2]);
  }
}

}  // namespace tilewalk::test_wall_words
