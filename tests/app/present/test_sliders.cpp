// Sliders under a pointer, before a room and in study: their number.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

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
  void hold(Vec2 at) { pressed(at, now(), session, view); }
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

}  // namespace tilewalk::test_sliders
