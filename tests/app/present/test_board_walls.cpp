// Boards on the wall, and their knobs on the speaker's side: an estimate's result is the largest number there and each
// of its rows is read from the last one, and neither the speaker's knobs nor a learner's marks are on it.
#include "app/boards/board.h"
#include "app/boards/gpu_offer.h"
#include "app/panels/panels.h"
#include "app/scene/color_math.h"
#include "app/session/talk_time.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace tilewalk::test_board_walls {

namespace {

// Sizes in pixels of 1080 lines by what stands in that size; the largest where it stands twice.
std::map<std::string, float> sizes_on(const Scene& scene, Vec2 wall) {
  std::map<std::string, float> sizes;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item))
      sizes[label->text] = std::max(sizes[label->text], label->size * 1080 / wall.y);
  return sizes;
}

constexpr float kReadFromAfar = 46;  // seven of a sixth's 180 lines, and more

}  // namespace

TEST_CASE("Every row of an estimate is read where the wall is shrunk to a sixth") {
  for (const Vec2 wall : {Vec2{1280, 720}, Vec2{1920, 1080}})
    for (const char* stop : {"tilewalk://board/estimate?gpu=h200&method=fa3\n",
                             "tilewalk://board/estimate?gpu=h200-measured&method=eager&N=65536\n",
                             "tilewalk://board/estimate?gpu=a100-80&method=fa2&pass=backward&mask=causal\n"}) {
      CAPTURE(stop);
      Talk talk(stop);
      const auto sizes = sizes_on(layout_audience(talk.session, talk.view, wall), wall);
      float largest = 0;
      for (const auto& [words, size] : sizes) largest = std::max(largest, size);
      int wins = 0;
      for (const auto& [words, size] : sizes)
        if (words.ends_with("×") && size > 150 && size == largest) ++wins;
      CHECK(wins == 1);
      for (const char* row : {"Standard", "Eager", "tensor cores", "exponentials", "DRAM"}) {
        CAPTURE(std::string(row));
        REQUIRE(sizes.contains(row));
        CHECK(sizes.at(row) > kReadFromAfar);
      }
      int times = 0;
      for (const auto& [words, size] : sizes) {
        const bool time = words.ends_with(" µs") || words.ends_with(" ms") || words.ends_with(" s");
        if (!time || words.size() > 14) continue;
        ++times;
        CHECK_MESSAGE(size > kReadFromAfar, words);
      }
      CHECK(times >= 6);
    }
}

TEST_CASE("In a bright room what stands on coloured boxes of launches and lanes is read") {
  int boxed = 0;
  for (const char* stop :
       {"tilewalk://lesson/4/beat/1\n", "tilewalk://lesson/11/beat/1\n", "tilewalk://lesson/11/beat/4\n",
        "tilewalk://lesson/11/beat/5\n", "tilewalk://lesson/11/beat/6\n"}) {
    CAPTURE(std::string(stop));
    Talk talk(stop);
    const Scene wall = layout_audience(talk.session, talk.view, {1920, 1080});
    for (size_t k = 0; k < wall.items.size(); ++k) {
      const auto* label = std::get_if<Label>(&wall.items[k]);
      if (!label || label->text.empty()) continue;
      Color ground = wall.background;
      bool on_box = false;
      for (size_t below = 0; below < k; ++below)
        if (const auto* box = std::get_if<Box>(&wall.items[below]);
            box && box->fill.a == 255 && box->rect.contains(label->slot.center()))
          ground = box->fill, on_box = true;
      CAPTURE(label->text);
      boxed += on_box;
      // What is wrong is said in its colour, in large type.
      const bool wrong = label->color == palette(Theme::Projector)[Role::WrongText];
      CHECK(contrast(washed(label->color), washed(ground)) >= (wrong ? 3.0f : 4.5f));
    }
  }
  CHECK(boxed > 20);
}

TEST_CASE("On the wall the recorded points of FA1 are told from those of FA2: a gap goes through them") {
  Talk talk("tilewalk://board/curves?gpu=h200&d=128&curve=time&batch=tokens\n");
  const Scene wall = layout_audience(talk.session, talk.view, {1920, 1080});
  int crossed = 0, whole = 0;
  for (size_t k = 0; k < wall.items.size(); ++k) {
    const auto* diamond = std::get_if<Polygon>(&wall.items[k]);
    if (!diamond || diamond->points.size() != 4 || diamond->fill == wall.background) continue;
    const Vec2 at{diamond->points[0].x, diamond->points[1].y};
    const auto* gap = k + 1 < wall.items.size() ? std::get_if<Line>(&wall.items[k + 1]) : nullptr;
    const bool through = gap && gap->color == wall.background && gap->from.y == at.y && gap->from.x < at.x;
    ++(through ? crossed : whole);
  }
  CHECK(crossed > 2);
  CHECK(whole > crossed);
}

TEST_CASE("What the wall says does not change while the speaker turns the pages of knobs") {
  Talk talk("tilewalk://board/estimate?gpu=h200&method=fa3\n");
  const auto wall = [&] { return Talk::words_in(layout_audience(talk.session, talk.view, {1920, 1080})); };
  const std::string first = wall();
  for (int page = 1; page < 3; ++page) {
    talk.click("knob:more/");
    REQUIRE(talk.view.board.knob_page == page);
    CHECK(wall() == first);
  }
}

TEST_CASE("The wall has what was drawn beside what is so, and neither marks nor a learner's sentence") {
  Talk talk(
      "tilewalk://board/draw?gpu=h100&N=8192&roofs=dram:3.35e9,tensor:9.894e14&points=standard:34359738368:b545259520,"
      "fa3:34359738368:b8421376\n");
  talk.click("board:tab/2");
  talk.click("board:lock");
  const std::string wall = Talk::words_in(layout_audience(talk.session, talk.view, {1920, 1080}));
  CHECK(wall.find("datasheet") != std::string::npos);
  for (const char* mark : {"right?", "✕", "✓", "of 100"}) CHECK(wall.find(mark) == std::string::npos);
  talk.view.present.on = false;  // to one who learns it is said
  const std::string desk = Talk::words_in(layout_window(talk.session, talk.view, {1920, 1080}));
  CHECK(desk.find("is the unit right?") != std::string::npos);
}

TEST_CASE("On the wall a slope that ends early has its name before its end, not over the ceiling") {
  Talk talk(
      "tilewalk://board/draw?gpu=h200&N=8192&roofs=dram:4.8e12,tensor:1e14&points=standard:34359738368:b3435973836,"
      "fa2:34359738368:b1717986918\n");
  float slope = -1, ridge = -1;
  for (const Item& item : layout_audience(talk.session, talk.view, {1920, 1080}).items)
    if (const auto* label = std::get_if<Label>(&item)) {
      if (label->text.starts_with("DRAM 4.8 TB/s")) slope = label->slot.x;
      if (label->text.starts_with("ridge ") && label->text.find('=') == std::string::npos) ridge = label->slot.x;
    }
  REQUIRE(slope >= 0);
  CHECK(slope < ridge);
}

TEST_CASE("A knob within reach stands at one place at all stops of its board, and at their answers") {
  std::map<std::string, float> places;
  int moved = 0, same = 0;
  for (int lesson = 1; lesson <= 14; ++lesson) {
    Talk talk({}, lesson, 0);
    const int beats = int(lesson_on_show(talk.view)->beats.size());
    for (int k = 0; k < 80 && talk.view.lesson.beat < beats; ++k) {
      const Scene scene = talk.scene();
      for (const std::string& id : talk.view.board.show)
        if (const Region* label = scene.find("label:" + id)) {
          const auto [at, first] = places.try_emplace(talk.view.board.board + "/" + id, label->rect.x);
          if (!first) (std::fabs(at->second - label->rect.x) < 1 ? same : moved) += 1;
        }
      talk.press("Page Down");
      if (talk.view.notice.starts_with("That was the last")) break;
    }
  }
  CAPTURE(moved);
  CHECK(same > 300);
  CHECK(moved <= 1);  // where four are within reach of one board, two and two
}

TEST_CASE("A drawn roofline's wall has no handles, no empty rows, and each slope's name at its slope") {
  Talk talk(
      "tilewalk://board/draw?gpu=h200&N=8192&roofs=dram:4.8e12,tensor:9.894e14&points=standard:34359738368:b545259520,"
      "fa3:34359738368:b8421376\n");
  for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}}) {
    const Scene wall = layout_audience(talk.session, talk.view, size);
    const float unit = size.y / 540;
    Line slope{};
    for (const Item& item : wall.items)
      if (const auto* line = std::get_if<Line>(&item))
        if (line->width >= 3.9f * unit && std::fabs(line->from.y - line->to.y) > 20 * unit) slope = *line;
    REQUIRE(slope.to.x > slope.from.x);
    for (const Item& item : wall.items) {
      if (const auto* box = std::get_if<Box>(&item))
        CHECK_FALSE((box->rect.w == box->rect.h && box->rect.w == doctest::Approx(20 * unit) &&
                     box->fill == palette(Theme::Projector)[Role::Background]));
      const auto* label = std::get_if<Label>(&item);
      if (!label) continue;
      for (const char* row : {"L2", "SRAM", "fp32", "exp", "–"}) CHECK(label->text != row);
      if (!label->text.starts_with("DRAM 4.8")) continue;
      // From the name's nearer end down or across to the line, on the plot alone.
      if (label->slot.x > slope.to.x) continue;
      const float along = (label->slot.center().x - slope.from.x) / (slope.to.x - slope.from.x);
      const float y = slope.from.y + along * (slope.to.y - slope.from.y);
      CHECK(std::fabs(y - label->slot.center().y) < 75 * unit);
    }
  }
  // The one who talks has them.
  CHECK(talk.scene().find("board:plot/roof/dram"));
}

TEST_CASE("The heading of a prediction is not cut, whatever GPU it is for") {
  for (size_t gpu = 0; gpu < offered_count(); ++gpu) {
    if (!offered_gpu(gpu).roofs) continue;
    CAPTURE(offered_gpu(gpu).id);
    for (const bool locked : {false, true}) {
      Talk talk("tilewalk://lesson/14/beat/6\n");
      turn_to(*board_named("draw"), talk.view.board, "gpu", double(gpu));
      if (locked) talk.click("board:lock");
      for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}}) {
        const std::string wall = Talk::words_in(layout_audience(talk.session, talk.view, size));
        const size_t heading = wall.find("N = 8,192 ·");
        REQUIRE(heading != std::string::npos);
        const size_t begin = wall.rfind('\n', heading) + 1;
        const std::string words = wall.substr(begin, wall.find('\n', heading) - begin);
        CHECK_MESSAGE(words.ends_with("d = 128"), words);
        CHECK_MESSAGE((words.find(" · N") != std::string::npos || words.starts_with("N")), words);
      }
    }
  }
}

TEST_CASE("Handles that are dragged are the speaker's, not the wall's") {
  for (const char* stop : {"tilewalk://board/curves?curve=win\n", "tilewalk://lesson/1/beat/5\n"}) {
    CAPTURE(std::string(stop));
    Talk talk(stop);
    const auto grips = [](const Scene& scene) {
      return std::ranges::count_if(scene.items, [](const Item& item) {
        const auto* box = std::get_if<Box>(&item);
        return box && box->stroke.a > 0 && box->rect.h > 1.6f * box->rect.w && box->rect.h < 2.2f * box->rect.w &&
               box->radius >= box->rect.w * 0.49f;
      });
    };
    CHECK(grips(layout_audience(talk.session, talk.view, {1920, 1080})) == 0);
    CHECK(grips(layout_audience(talk.session, talk.view, {1920, 1080}, Hands::On)) > 0);
  }
}

TEST_CASE("The two products of lesson 1 keep their names while the tensor cores are faster") {
  Talk talk("tilewalk://lesson/1/beat/5\n");
  for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}}) {
    const std::string wall = Talk::words_in(layout_audience(talk.session, talk.view, size));
    CHECK(wall.find("\nQKᵀ\n") != std::string::npos);
    CHECK(wall.find("\nPV\n") != std::string::npos);
  }
}

TEST_CASE("A tile's rows stand on the wall before the answer, and lesson 6's row has its premises") {
  Talk tile("tilewalk://lesson/2/beat/3\n");
  CHECK_MESSAGE(tile.room().find("Rows of a tile 64") != std::string::npos, tile.room());
  for (int beat = 1; beat <= 6; ++beat) {
    CAPTURE(beat);
    Talk row({}, 6, beat);
    if (row.view.board.board != "row") continue;
    const std::string wall = row.room();
    for (const char* premise : {"Keys in a tile ", "Keys ", "one row, its scores given"})
      CHECK_MESSAGE(wall.find(premise) != std::string::npos, wall);
  }
}

TEST_CASE("A step beyond P of lesson 8 brings what it speaks of onto the wall") {
  Talk talk("tilewalk://lesson/8/beat/4\n");
  CHECK(talk.room().find("\ndK₁\n") == std::string::npos);
  talk.press("→");
  const std::string wall = talk.room();
  CHECK(wall.find("takes in") != std::string::npos);
  CHECK(wall.find("\ndK₁\n") != std::string::npos);
  talk.press("←");
  CHECK(talk.room().find("\ndK₁\n") == std::string::npos);
}

TEST_CASE("Q, K, V and O of the three kernels have the same bytes, and boxes as wide as each other that say so") {
  for (const char* board : {"launches?N=8192&d=64&first=on&second=on", "launches?N=8192&d=64"}) {
    Talk talk(std::string("tilewalk://board/") + board + "\n");
    CHECK_MESSAGE(talk.room().find("Q 1.05 MB") != std::string::npos, talk.room());
    const Scene wall = layout_audience(talk.session, talk.view, {1920, 1080});
    std::vector<float> widths;
    for (const Item& item : wall.items) {
      const auto* label = std::get_if<Label>(&item);
      if (!label || !label->text.ends_with(" 1.05 MB")) continue;
      float w = 0;  // of the box that it stands in
      for (const Item& other : wall.items)
        if (const auto* box = std::get_if<Box>(&other); box && box->fill.a > 0 && box->rect.h > 60 &&
                                                        box->rect.contains(label->slot.center()) &&
                                                        (w == 0 || box->rect.w < w))
          w = box->rect.w;
      widths.push_back(w);
    }
    REQUIRE(widths.size() == 4);
    CHECK(std::ranges::max(widths) - std::ranges::min(widths) < 1);
  }
}

TEST_CASE("A switch in the wall's foot is its name, and a walk that took the stage keeps the stop's number") {
  Talk talk("tilewalk://lesson/7/beat/6\ntilewalk://lesson/1/beat/1\n");
  CHECK_MESSAGE(talk.room().find("Last tile first on") == std::string::npos, talk.room());
  talk.press("Ctrl+3");
  const std::string wall = talk.room();
  CHECK(wall.find("Tilewalk") == std::string::npos);
  CHECK(wall.find("1 of 2") != std::string::npos);
}

TEST_CASE("A countdown goes when the picture is frozen, so that no number stands still") {
  Talk talk("tilewalk://lesson/1/beat/1\n");
  talk.press("H");
  REQUIRE(talk.p().countdown > 0);
  talk.press("F");
  CHECK(talk.p().countdown == 0);
}

TEST_CASE("When a countdown is over, the speaker's side does not say that it goes on") {
  Talk talk("tilewalk://lesson/1/beat/1\n");
  talk.press("H");
  REQUIRE(talk.view.notice.starts_with("The room sees 30 s"));
  pass_talk_time(talk.view, 20);
  CHECK(talk.view.notice.starts_with("The room sees 30 s"));
  pass_talk_time(talk.view, 20);
  CHECK(talk.view.notice == "The room's countdown is over.");
}

TEST_CASE("What the family tree says of the picked one is read from the last row") {
  for (const int beat : {1, 4}) {
    Talk talk({}, 13, beat);
    present_beat(talk.session, talk.view, beat);
    if (talk.view.board.board != "family") continue;
    const Scene wall = layout_audience(talk.session, talk.view, {1920, 1080});
    int lines = 0;
    for (const Item& item : wall.items)
      if (const auto* label = std::get_if<Label>(&item))
        if (label->face == Face::Sans && label->slot.y > 740 && label->slot.y < 980 && label->slot.w > 960) {
          CAPTURE(label->text);
          CHECK(label->size >= 35);
          ++lines;
        }
    CHECK(lines >= 2);
  }
}

}  // namespace tilewalk::test_board_walls
