// The wall shows what a stop's note and title speak of, a tool comes as at first, and what is in the hand stays.
#include "app/boards/board.h"
#include "app/boards/ring_recorded.h"
#include "app/panels/room_overlay.h"
#include "app/scene/layout_check.h"
#include "app/session/home_knobs.h"
#include "app/session/talk_target.h"
#include "core/kernel/kernel_shapes.h"
#include "core/quantity/published.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tilewalk::test_wall_holds {

namespace {

bool has(const std::string& all, std::string_view part) { return all.find(part) != std::string::npos; }

// No label of the wall ends in dots that it was not written with.
void whole(const Talk& talk, const std::string& room) {
  CAPTURE(talk.view.board.board);
  CHECK_MESSAGE(room.find("…\n") == std::string::npos, room);
}

}  // namespace

TEST_CASE("The wall of an estimate holds the law with its eta, and mask, pass and format") {
  Talk talk({}, 14, 7);
  const std::string room = talk.room();
  CAPTURE(room);
  for (const char* words : {"η", "ridge ÷ d", "no mask", "forward", "fp16", "B 4", "H 32", "A100"})
    CHECK(has(room, words));
  CHECK_FALSE(has(room, "no measurement"));
}

TEST_CASE("At the foot of the wall what no knob turns stands apart from what one does") {
  for (const int beat : {0, 1, 2, 4}) {
    Talk talk({}, 6, beat);
    const std::string room = talk.room();
    CHECK_MESSAGE(has(room, " · one row"), room);
    CHECK_FALSE(has(room, "4one"));
  }
  const std::string fp8 = Talk({}, 11, 5).room();
  CHECK_MESSAGE((has(fp8, "tensor") && has(fp8, "normal")), fp8);
}

TEST_CASE("The wall's foot says the inputs' format, and what is broken on purpose") {
  const std::string overlaps = Talk({}, 11, 4).room();
  CHECK_MESSAGE(has(overlaps, " · fp16 · "), overlaps);
  CHECK(has(Talk("tilewalk://board/curves?N=8192&d=128\n").room(), " · fp16"));

  Talk talk({}, 11, 8);
  CHECK_FALSE(has(talk.room(), "Broken: "));
  talk.press("X");
  const std::string broken = talk.room();
  CHECK_MESSAGE(has(broken, "Broken: one buffer only · "), broken);
  CHECK_MESSAGE(has(broken, "fp16"), broken);
  CHECK_FALSE(has(broken, "Buffers of K and of V 1"));  // once is enough
  talk.press("Ctrl+X");
  CHECK_FALSE(has(talk.room(), "Broken: "));
}

// What is written at the foot of the wall, with its board's title.
std::string foot_of(Session& session, const ViewState& view, Vec2 size = {1920, 1080}) {
  const Board* board = board_named(view.board.board);
  std::string foot(board ? board->title : "");
  for (const Item& item : layout_audience(session, view, size).items)
    if (const auto* label = std::get_if<Label>(&item); label && label->slot.y > size.y * 25 / 27)
      foot += " · " + label->text;
  return foot;
}

// The walls that the key for the next stop leads to: pictures, questions, and what answers these.
template <typename Look>
void at_every_wall(const Look& look) {
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    CAPTURE(entry.lesson->id);
    begin_presenting(session, view, true);
    while (view.notice != "That was the last beat of the lesson.") {
      view.phase = 1;
      CAPTURE(view.lesson.beat + 1);
      look(session, view);
      view.notice.clear();
      present_next(session, view);
    }
  }
}

bool bytes_times_or_errors(const Session& session, const ViewState& view) {
  const Board& board = *board_named(view.board.board);
  if (board.id == "rounding" || board.id == "fp8" || board.id == "lanes") return true;
  return std::ranges::any_of(board.readings({view.board, session, view, board}), [](const Reading& reading) {
    return reading.quantity.unit == "byte" || reading.quantity.unit == "s";
  });
}

TEST_CASE("At every stop of every lesson the foot has what its bytes, times and errors depend on") {
  int stops = 0;
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      REQUIRE(open_lesson(session, view, entry.lesson->id, beat));
      begin_presenting(session, view, true);
      view.phase = 1;
      if (view.gpu.enlarged || view.board.board.empty() || !bytes_times_or_errors(session, view)) continue;
      const std::string foot = foot_of(session, view), board = view.board.board;
      CAPTURE(entry.lesson->id);
      CAPTURE(beat + 1);
      CAPTURE(foot);
      ++stops;
      const auto any = [&](std::initializer_list<const char*> words) {
        return std::ranges::any_of(words, [&](const char* each) { return has(foot, each); });
      };
      CHECK(any({" N ", ", N ", "N = "}));
      CHECK(any({" d ", "d = "}));
      if (board != "lanes") CHECK(any({"head", "Heads", " H ", "H = "}));         // "Whole block" stands in its picture
      if (board != "split" && board != "latent") CHECK(any({"mask", "causal"}));  // one query sees every key
      CHECK(any({"fp16", "fp32", "fp64", "bf16", "FP8"}));
      if (board == "tiles") CHECK((has(foot, "Threads") && has(foot, "Br ") && has(foot, "Bc ")));
      if (board == "launches" || board == "tape") CHECK(has(foot, "tiles 128 × 128"));
      if (board != "lanes") continue;
      const size_t off = std::min(foot.find("off: "), foot.find("all but "));
      for (const auto& [knob, words] :
           {std::pair{"producer", "Loads "}, {"pingpong", "Ping-pong"}, {"pipeline", "Softmax under"}}) {
        CAPTURE(std::string(knob));
        const bool on = knob_value(*board_named(board), view.board, knob) != 0;
        if (has(foot, "only ") && !on) continue;
        REQUIRE(has(foot, words));
        CHECK((foot.find(words) < off) == on);
      }
    }
  }
  CHECK(stops > 60);
}

// What a board's numbers follow from and no knob sets, as it stands.
std::vector<std::string> follows_from(const Session& session, const ViewState& view) {
  const Board* board = board_named(view.board.board);
  if (!board) {
    std::vector<std::string> names{std::string(session.walk().schedule.name)};
    if (const auto other = session.setup().compared) names.emplace_back(schedule_of(*other).name);
    return names;
  }
  const auto knob = [&](std::string_view id) { return knob_value(*board, view.board, id); };
  if (board->id == "lanes") {
    const KernelShape tile = kernel_shape(Method::Fa3, knob("d") != 0 ? 128 : 64);
    return {fmt::format("tiles {} × {}", tile.br, tile.bc)};
  }
  if (board->id == "latent") return {fmt::format("K/V heads of GQA {}", knob("groups"))};
  if (board->id == "sparse")
    return {fmt::format("window {}", published("nsa_window")->value),
            fmt::format("compressed {} every {}", published("nsa_compressed_block")->value,
                        published("nsa_compressed_stride")->value),
            fmt::format("selected {} × {}", published("nsa_selected_blocks")->value,
                        published("nsa_selected_block")->value)};
  if (board->id != "ring") return {};
  const auto recorded =
      recorded_rings(int64_t(knob("devices")), int64_t(knob("N")), knob("mask") != 0 ? Mask::Causal : Mask::Full);
  if (knob("time") == 0 || recorded.empty()) return {" · one head · "};
  return {fmt::format("times: {} heads", recorded.front().ring->spec.problem.heads)};
}

TEST_CASE("The foot of every wall has what no knob sets and the three overlaps, and nothing of it is cut") {
  int walls = 0;
  at_every_wall([&](Session& session, const ViewState& view) {
    if (view.gpu.enlarged) return;
    for (const Vec2 size : {Vec2{1280, 720}, {1920, 1080}}) {
      const std::string foot = foot_of(session, view, size);
      CAPTURE(foot);
      CHECK_FALSE(has(foot, "…"));
      for (const std::string& words : follows_from(session, view)) CHECK_MESSAGE((++walls, has(foot, words)), words);
      if (view.board.board == "lanes")
        for (const Knob& knob : board_named("lanes")->knobs.first(3)) {
          const bool named = has(foot, knob.label.substr(0, 5)),
                     on = knob_value(*board_named("lanes"), view.board, knob.id) != 0;
          CHECK((named || (has(foot, "only ") && !on) || (has(foot, "all but ") && on)));
        }
    }
  });
  CHECK(walls > 60);
}

TEST_CASE(
    "The foot of differential attention has layer, noise and seed at each of its stops, of lesson 9 and 10 the "
    "format") {
  for (const int beat : {0, 1, 2, 3}) {
    Talk talk(fmt::format("tilewalk://lesson/D/beat/{}\n", beat + 1));
    const std::string foot = foot_of(talk.session, talk.view);
    for (const char* words : {"Layer ", "Noise in both ", "Seed "}) CHECK_MESSAGE(has(foot, words), foot);
  }
  for (const auto& [lesson, beat] : {std::pair{9, 1}, {9, 4}, {10, 0}, {10, 7}}) {
    Talk talk({}, lesson, beat);
    CHECK_MESSAGE(has(foot_of(talk.session, talk.view), " · fp16"), foot_of(talk.session, talk.view));
  }
}

TEST_CASE("Under the plot of tiles a released kernel's tile is called so") {
  const std::string room = Talk({}, 5, 4).room();
  CHECK_MESSAGE(has(room, "The released kernel's tile: FA2 d 128"), room);
}

TEST_CASE("A drawn roofline's panel says that its numbers are one head's, as its foot does") {
  Talk talk({}, 14, 5);
  const std::string room = talk.room();
  CHECK_MESSAGE(has(room, "one head's numbers; 32 run at once"), room);
  CHECK(has(room, "one head · "));
}

TEST_CASE("The two times of a drawn win divide to it as it is written, and no name touches a point's dashed line") {
  for (const auto& [beat, standard, fused, win] :
       {std::tuple{4, "162.8 µs", "34.73 µs", "4.69×"}, {5, "113.6 µs", "34.73 µs", "3.27×"}}) {
    Talk talk({}, 14, beat);
    const std::string room = talk.room();
    for (const char* words : {standard, fused, win}) CHECK_MESSAGE(has(room, words), room);
    const Scene scene = layout_audience(talk.session, talk.view, {1920, 1080});
    int dashed = 0;
    for (const Item& item : scene.items) {
      const auto* line = std::get_if<Line>(&item);
      if (!line || line->dash <= 0 || line->from.x != line->to.x) continue;
      ++dashed;
      const Rect near{line->from.x - 5, std::min(line->from.y, line->to.y), 10, std::fabs(line->to.y - line->from.y)};
      for (const Item& other : scene.items)
        if (const auto* label = std::get_if<Label>(&other); label && label->text.starts_with("DRAM "))
          CHECK_MESSAGE(intersection(label_ink(*label), near).w <= 0, label->text);
    }
    CHECK(dashed >= 2);
  }
}

TEST_CASE("Nothing of Curves is cut on the wall, on none of its tabs") {
  Talk talk({}, 14, 7);
  talk.press("Ctrl+6");
  REQUIRE(talk.view.board.board == "curves");
  for (int tab = 0; tab < 6; ++tab)
    for (const double n : {8192.0, 65536.0}) {
      CAPTURE(tab);
      CAPTURE(n);
      turn_to(*board_named("curves"), talk.view.board, "curve", tab);
      turn_to(*board_named("curves"), talk.view.board, "N", n);
      const std::string room = talk.room();
      whole(talk, room);
      if (tab == 0 && n > 60000) CHECK_MESSAGE(has(room, "if it fitted"), room);
    }
}

TEST_CASE("In a talk a tool comes as at first, in study as it was left") {
  for (const bool talks : {true, false}) {
    CAPTURE(talks);
    Talk talk({}, 7, 1, talks);
    for (const char* key : {"Ctrl+5", "Ctrl+6"}) {
      talk.press(key);
      const Board& board = *board_named(talk.view.board.board);
      const double first = knob_value(board, talk.view.board, "N");
      turn_to(board, talk.view.board, "N", 65536);
      talk.press(talks ? "Esc" : key);
      REQUIRE(talk.view.board.board != board.id);
      talk.press(key);
      CHECK(knob_value(board, talk.view.board, "N") == (talks ? first : 65536));
      talk.press(talks ? "Esc" : key);
    }
  }
}

TEST_CASE("The answer to where fused attention turns shows its point, and the next stop shows it turned") {
  Talk talk({}, 14, 3);
  std::string room;
  const auto next = [&] { return talk.press("Page Down"), room = talk.room(); };
  for (int k = 0; k < 5 && talk.view.lesson.beat == 3; ++k)
    if (has(next(), "FA3 stands left")) break;
  CHECK_MESSAGE(has(room, "FA3 stands left of the ridge"), room);
  next();
  CHECK(talk.view.lesson.beat == 4);
  CHECK_MESSAGE(has(room, "FA3 stands right of the ridge"), room);
  // At a desk the point is the learner's to place.
  Talk desk({}, 14, 4, false);
  CHECK(knob_value(*board_named("draw"), desk.view.board, "given") == 3);
}

TEST_CASE("Where bytes fall the wall shows the bytes of both loops") {
  const std::string room = Talk({}, 10, 4).room();
  for (const char* words : {"FA1", "FA2", "L2 ↔ SM", "bytes"}) CHECK_MESSAGE(has(room, words), room);
}

TEST_CASE("Of two walks the sentence says whose it is where the other is at something else") {
  Talk talk({}, 4, 3);
  talk.press("I");
  CHECK(has(talk.room(), "\nRow 1 meets") != has(talk.room(), "\nStandard: "));
  talk.press("C");
  talk.press("V");
  const std::string room = talk.room();
  CHECK_MESSAGE((has(room, "FA1: ") || has("\n" + room, "\nFA1: ")), room);
}

TEST_CASE("A pointer stays on the wall as long as it is in the hand") {
  Presentation p;
  p.on = p.pointing = true;
  p.tool = Tool::Pointer;
  p.since_pointer = 100;
  CHECK_FALSE(layout_room_overlay(p, {1920, 1080}).items.empty());
  p.tool = Tool::Normal;
  CHECK(layout_room_overlay(p, {1920, 1080}).items.empty());
}

TEST_CASE("At the GPU's charts D does nothing and says so") {
  Talk talk("tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200\n");
  talk.press("D");
  CHECK(has(talk.view.notice, "no walk"));
  CHECK_FALSE(talk.session.setup().compared);
}

TEST_CASE("Esc that is meant for a tool which is the stop itself ends no talk") {
  Talk talk("tilewalk://board/estimate\n");
  talk.press("Ctrl+5");
  CHECK(has(talk.view.notice, "already"));
  const Scene now = talk.scene();
  for (int k = 0; k < 2; ++k)
    for (const KeyPress& key : parse_keys("Esc")) key_pressed(key, now, talk.session, talk.view);
  CHECK(talk.p().on);
}

TEST_CASE("On one screen Tab brings the knobs below a question, too") {
  Talk talk({}, 14, 3);
  talk.press("Ctrl+P");
  REQUIRE(talk.p().question);
  talk.p().screens = Screens::One;
  CHECK(has_home_knobs(talk.view));
}

TEST_CASE("A bare number behind G is a lesson's; the stop of that number is named, and found by its name") {
  Talk talk("tilewalk://lesson/7/beat/2\nslide: What we measured\ntilewalk://board/estimate\n", 5);
  const auto hits = talk_hits("2", talk.session, talk.view);
  REQUIRE(hits.size() >= 2);
  CHECK(hits[0].words.starts_with("Lesson 2"));
  CHECK(hits[1].words == "Stop 2: What we measured");
  CHECK(present_go_to("stop 2", talk.session, talk.view).empty());
  CHECK(talk.p().place == 1);
}

}  // namespace tilewalk::test_wall_holds
