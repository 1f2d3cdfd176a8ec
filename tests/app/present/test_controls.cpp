// The room sees the stage, not what is there to be pressed: a walk over every stop of every lesson.
#include "app/boards/board.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/transport.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

namespace tilewalk::test_controls {

namespace {

// What a stage is made of though it can be pressed or dragged too: tiles, points, bars, cards, the cells of a table.
// All else that has the keyboard or does something is a control.
bool of_the_stage(std::string_view id, const ViewState& view) {
  constexpr std::array<std::string_view, 23> kKnown{
      "tile:",        "cell:",         "row:",        "link:",       "field:board/",
      "board:plot",   "board:pad",     "board:time",  "board:strip", "board:grid",
      "board:cursor", "board:brush/",  "board:map/",  "board:item/", "board:candidate/",
      "board:winner", "board:member/", "board:bar/",  "board:card/", "board:row/",
      "board:picked", "board:memory",  "board:tensor"};
  if (view.board.board == "dispatch" && id.starts_with("knob:")) return true;  // the call itself
  return id.starts_with("board:method/") ||
         std::ranges::any_of(kKnown, [&](auto known) { return id.starts_with(known); });
}

bool acts(std::string_view id) {
  return id.starts_with("board:") || id.starts_with("command:") || id.starts_with("knob:");
}

std::vector<std::string> controls_in(const Scene& scene, const ViewState& view) {
  std::vector<std::string> found;
  for (const Region& region : scene.regions)
    if ((region.focusable || acts(region.id)) && !of_the_stage(region.id, view)) found.push_back(region.id);
  return found;
}

// Boxes to type in, of the drawing board.
int boxes_to_type_in(const Scene& scene) {
  int count = 0;
  for (const Region& region : scene.regions) {
    if (!region.id.starts_with("field:")) continue;
    for (const Item& item : scene.items)
      if (const auto* box = std::get_if<Box>(&item))
        count += box->rect.x == region.rect.x && box->rect.y == region.rect.y && box->rect.w == region.rect.w;
  }
  return count;
}

struct Talk {
  Session session;
  ViewState view;
  Talk() {
    auto course = std::make_shared<Course>();
    course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"});
    view.lesson.course = course;
    view.lesson.cache = std::make_shared<LessonCache>();
  }
};

}  // namespace

TEST_CASE("A room sees no button at any stop of any lesson; the one who talks does") {
  Talk talk;
  std::vector<std::string> pressed;
  int stops = 0, typed = 0;
  for (const CourseEntry& entry : talk.view.lesson.course->entries()) {
    REQUIRE(open_lesson(talk.session, talk.view, entry.lesson->id, 0));
    begin_presenting(talk.session, talk.view, true);
    talk.view.present.screens = Screens::Two;
    talk.view.notice.clear();
    for (int stop = 0; stop < 200; ++stop, ++stops) {
      talk.view.phase = 1;
      talk.view.playing = false;
      const Scene rooms = layout_audience(talk.session, talk.view, {1920, 1080});
      const Scene own = layout_audience(talk.session, talk.view, {1920, 1080}, Hands::On);
      for (const std::string& id : controls_in(rooms, talk.view))
        FAIL_CHECK(fmt::format("{} beat {}: {}", entry.lesson->id, talk.view.lesson.beat + 1, id));
      std::ranges::copy(controls_in(own, talk.view), std::back_inserter(pressed));
      if (talk.view.board.board == "draw") {
        CHECK(boxes_to_type_in(rooms) == 0);
        typed += boxes_to_type_in(own);
      }
      talk.view.notice.clear();
      present_next(talk.session, talk.view);
      if (talk.view.notice == "That was the last beat of the lesson.") break;
    }
  }
  CHECK(stops > 200);
  CHECK(typed > 10);
  for (const std::string_view id : {"board:add/dram", "board:lock", "board:tab/0", "board:reset", "board:digit/",
                                    "board:clear", "board:preset/0", "board:seam/0"})
    CHECK_MESSAGE(std::ranges::any_of(pressed, [&](const std::string& has) { return has.starts_with(id); }), id);
}

TEST_CASE("On one screen the room has the controls as long as the presenter's pointer moves, each thing in its place") {
  Talk talk;
  REQUIRE(open_lesson_numbered(talk.session, talk.view, 14));
  begin_presenting(talk.session, talk.view, true);
  talk.view.phase = 1;
  // The first beat on which a roof can be added, with one of them drawn.
  const auto worked_on = [&] { return layout_audience(talk.session, talk.view, {1920, 1080}, Hands::On); };
  for (int beat = 0, beats = int(lesson_on_show(talk.view)->beats.size()); beat < beats; ++beat) {
    present_beat(talk.session, talk.view, beat);
    if (worked_on().find("board:add/l2")) break;
  }
  REQUIRE(worked_on().find("board:add/l2"));
  if (!worked_on().find("board:plot/roof/dram"))
    CHECK(board_named(talk.view.board.board)->act("board:add/dram", {0.5f, 0.5f}, false, talk.view.board) == "");
  Presentation& p = talk.view.present;
  p.screens = Screens::One;
  p.since_pointer = 1000;
  const auto scene = [&] { return layout_audience(talk.session, talk.view, {1920, 1080}); };
  const Scene still = scene();
  CHECK(controls_in(still, talk.view).empty());
  p.since_pointer = 0;
  const Scene moved = scene();
  CHECK(moved.find("board:add/l2"));
  REQUIRE(still.find("board:plot/roof/dram"));
  CHECK(still.find("board:plot/roof/dram")->rect.x == moved.find("board:plot/roof/dram")->rect.x);
  CHECK(still.find("field:board/roof/dram")->rect.y == moved.find("field:board/roof/dram")->rect.y);
  p.tool = Tool::Pen;
  CHECK_FALSE(scene().find("board:add/l2"));
  p.tool = Tool::Normal;
  p.screens = Screens::Two;
  CHECK_FALSE(scene().find("board:add/l2"));
  CHECK(layout_presenter(talk.session, talk.view, {1920, 1080}).find("board:add/l2"));
}

}  // namespace tilewalk::test_controls
