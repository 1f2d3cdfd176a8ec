// Sliders under a pointer, before a room and in study: their number, their handle and their track.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tilewalk::test_sliders {

namespace {

// One board on the stage, of a talk or of one who studies.
struct Stage : Talk {
  explicit Stage(std::string_view board, bool talk)
      : Talk(fmt::format("tilewalk://board/{}\ntilewalk://lesson/6/beat/2\n", board)) {
    if (talk) return;
    end_presenting(session, view);
    view.column_open = view.rail_open = false;
    view.before_tool = std::make_shared<StageBefore>();  // of tools all knobs are at hand
  }
  const Board& board() const { return *board_named(view.board.board); }
  Scene now() { return view.present.on ? scene() : layout_window(session, view, {1920, 1080}); }
  std::vector<std::string> sliders() {
    std::vector<std::string> found;
    for (const Region& region : now().regions)
      if (region.id.starts_with("knob:") && region.id.find('/') == std::string::npos && has_slider(board(), region.id))
        found.push_back(region.id.substr(5));
    return found;
  }
  double value(std::string_view knob) const { return knob_value(board(), view.board, knob); }
  Rect handle(std::string_view knob) {
    const Scene scene = now();
    const Rect rect = scene.find(fmt::format("knob:{}", knob))->rect;
    for (const Item& item : scene.items)
      if (const auto* box = std::get_if<Box>(&item);
          box && std::fabs(box->rect.w - box->rect.h) < 0.01f && std::fabs(box->radius - box->rect.h / 2) < 0.01f &&
          std::fabs(box->rect.center().y - rect.center().y) < 1 && rect.inset(-2, -2).contains(box->rect.center()))
        return box->rect;
    FAIL("no handle");
    return {};
  }
  void hold(Vec2 at) { pressed(at, now(), session, view); }
  void move(Vec2 at) { pointer_moved(at, now(), session, view); }
  void let_go() { released(view), view.phase = 1; }
};

// Every page of every board's knobs that has sliders.
template <class See>
void on_all_sliders(See see) {
  int seen = 0;
  for (const Board* board : boards())
    for (const bool talk : {true, false}) {
      CAPTURE(std::string(board->id));
      CAPTURE(talk);
      Stage stage(board->id, talk);
      if (stage.view.board.board != board->id) continue;
      const size_t pages = (all_knobs(*board).size() + 2) / 3;
      for (size_t page = 0; page < pages; ++page) {
        for (const std::string& knob : stage.sliders()) {
          CAPTURE(knob);
          ++seen;
          see(stage, knob);
        }
        if (!stage.now().find("knob:more/")) break;
        turn_knob(stage.board(), stage.view.board, "knob:more/", {}, false);
      }
    }
  CHECK(seen > 40);
}

}  // namespace

TEST_CASE("The number over every slider is a field where it stands") {
  on_all_sliders([](Stage& stage, const std::string& knob) {
    const std::string field = "field:knob/" + knob;
    const Scene scene = stage.now();
    const Region* number = scene.find(field);
    REQUIRE(number);
    const Region* under = scene.hit(number->rect.center());
    REQUIRE(under);
    CHECK(under->id == field);
    stage.hold(number->rect.center());
    stage.let_go();
    CHECK(stage.view.editing == field);
    stage.view.editing.clear();
    stage.view.typed.clear();
  });
}

TEST_CASE("A press on a slider's handle changes nothing, and a drag moves it from where it was taken") {
  on_all_sliders([](Stage& stage, const std::string& knob) {
    const double value = stage.value(knob);
    const Rect handle = stage.handle(knob);
    const Vec2 middle = handle.center();
    stage.view.present.turned = false;
    for (const float x : {-0.45f, 0.0f, 0.45f}) {
      stage.hold({middle.x + x * handle.w, middle.y});
      CHECK(stage.value(knob) == value);
      stage.move({middle.x + x * handle.w, middle.y + 3});
      CHECK(stage.value(knob) == value);
      stage.let_go();
    }
    CHECK_FALSE(stage.view.present.turned);
    double moved[2];
    const Rect rect = stage.now().find("knob:" + knob)->rect;
    const float by = (rect.center().x > middle.x ? 0.57f : -0.57f) * (rect.w - handle.w);
    for (const bool edge : {false, true}) {
      const float x = edge ? 0.45f * handle.w : 0;
      stage.hold({middle.x + x, middle.y});
      stage.move({middle.x + x + by, middle.y});
      moved[edge] = stage.value(knob);
      stage.move({middle.x + x, middle.y});
      CHECK(stage.value(knob) == value);
      stage.let_go();
    }
    CHECK(moved[0] == moved[1]);
    CHECK(moved[0] != value);
  });
}

TEST_CASE("A press on the track brings the handle under the pointer") {
  on_all_sliders([](Stage& stage, const std::string& knob) {
    const Rect rect = stage.now().find("knob:" + knob)->rect;
    const float width = stage.handle(knob).w;
    for (const float share : {0.0f, 1.0f}) {
      stage.hold({rect.x + width / 2 + share * (rect.w - width), rect.center().y});
      stage.let_go();
      CHECK(std::fabs(stage.handle(knob).center().x - (rect.x + width / 2 + share * (rect.w - width))) < 0.6f);
    }
    // From one end to the other by the handle's edge.
    stage.hold({rect.right() - 1, rect.center().y});
    stage.move({rect.x - 500, rect.center().y});
    stage.let_go();
    CHECK(std::fabs(stage.handle(knob).center().x - rect.x - width / 2) < 0.6f);
  });
}

TEST_CASE("A number between two places of a slider stands as it was typed while its handle is only pressed") {
  Stage stage("estimate", true);
  turn_to(stage.board(), stage.view.board, "N", 5000);
  REQUIRE(stage.value("N") == 5000);
  const Rect handle = stage.handle("N");
  stage.hold({handle.x + 3, handle.center().y});
  stage.move({handle.x + 4, handle.center().y + 1});
  stage.let_go();
  CHECK(stage.value("N") == 5000);
}

TEST_CASE("From between two places of a slider a drag goes to the next one that way, and to none the other way") {
  for (const double from : {5080.0, 5000.0, 4650.0})  // between 4,608 and 5,120
    for (const float way : {-1.0f, 1.0f}) {
      CAPTURE(from);
      CAPTURE(way);
      Stage stage("estimate", true);
      turn_to(stage.board(), stage.view.board, "N", from);
      const Vec2 middle = stage.handle("N").center();
      stage.hold(middle);
      double stands = from;
      for (float by = 1; stands == from; ++by) {
        REQUIRE(by < 40);
        stage.move({middle.x + way * by, middle.y});
        stands = stage.value("N");
      }
      stage.let_go();
      CHECK(stands == (way < 0 ? 4608 : 5120));
    }
}

TEST_CASE("Knobs of one board are told apart by what stands over them") {
  for (const Board* board : boards())
    for (const Knob& one : board->knobs)
      for (const Knob& other : board->knobs)
        if (&one != &other && !one.label.empty())
          CHECK_MESSAGE(one.label != other.label, fmt::format("{}: {}", board->id, one.label));
}

}  // namespace tilewalk::test_sliders
