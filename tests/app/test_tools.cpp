// A tool takes the stage and gives it back as it was.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/tools.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tilewalk::test_tools {

namespace {

std::shared_ptr<const Course> course() {
  static const auto all = [] {
    auto made = std::make_shared<Course>();
    made->open({std::string(TILEWALK_SOURCE_DIR) + "/lessons/en"});
    return made;
  }();
  return all;
}

ViewState in_lesson(Session& session) {
  ViewState view;
  view.lesson.course = course();
  REQUIRE(open_lesson_numbered(session, view, 1, 2));
  REQUIRE(view.board.board == "clocks");
  turn_to(*board_named("clocks"), view.board, "N", 512);
  return view;
}

}  // namespace

TEST_CASE("Leaving a tool brings back the lesson, its beat and what was set on its board") {
  Session session;
  ViewState view = in_lesson(session);
  const ViewState before = view;
  REQUIRE(run_command("draw-roofline", session, view));
  CHECK(tool_open(view));
  CHECK(view.board.board == "draw");
  CHECK(view.lesson.id.empty());
  CHECK_FALSE(view.column_open);
  CHECK(back_words(view) == "Lesson 1");
  run_command("escape", session, view);
  CHECK_FALSE(tool_open(view));
  CHECK(view.lesson.id == before.lesson.id);
  CHECK(view.lesson.beat == before.lesson.beat);
  CHECK(view.board == before.board);
  CHECK(view.tab == before.tab);
  CHECK(view.column_open == before.column_open);
}

TEST_CASE("A tool keeps what was set on it, and its key closes it as well") {
  Session session;
  ViewState view;
  run_command("draw-roofline", session, view);
  turn_to(*board_named("draw"), view.board, "N", 512);
  run_command("draw-roofline", session, view);
  CHECK_FALSE(tool_open(view));
  CHECK(view.board.board.empty());
  run_command("draw-roofline", session, view);
  CHECK(knob_value(*board_named("draw"), view.board, "N") == 512);
  run_command("leave-tool", session, view);
  CHECK(view.board.board.empty());
  CHECK_FALSE(run_command("leave-tool", session, view));
}

TEST_CASE("Progress made before counts after a tool, and a lesson opened from a tool begins cleanly") {
  Session session;
  ViewState view = in_lesson(session);
  run_command("draw-roofline", session, view);
  view.lesson.progress.last = "kept";
  run_command("escape", session, view);
  CHECK(view.lesson.progress.last == "kept");

  run_command("draw-roofline", session, view);
  REQUIRE(open_lesson_numbered(session, view, 2, 0));
  CHECK_FALSE(tool_open(view));
  CHECK(view.board.board != "draw");
  // The walk of one's own is the one from before the first lesson, not the tool.
  run_command("free-walk", session, view);
  CHECK(view.board.board.empty());
}

TEST_CASE("The walk's presets, a free walk and beginning again end a tool") {
  for (const char* command : {"preset-micro", "free-walk", "reset"}) {
    CAPTURE(command);
    Session session;
    ViewState view;
    run_command("draw-roofline", session, view);
    REQUIRE(run_command(command, session, view));
    CHECK_FALSE(tool_open(view));
    CHECK(view.board.board.empty());
  }
}

TEST_CASE("The window offers the way back, and gives the transport's room to a tool without steps") {
  Session session;
  ViewState view;
  const Vec2 size{1920, 1080};
  const float before = window_grid(size, view).stage.h;
  run_command("draw-roofline", session, view);
  const Scene scene = layout_window(session, view, size);
  const Region* back = scene.find("command:leave-tool");
  REQUIRE(back);
  CHECK(back->tip.find("the walk") != std::string::npos);
  CHECK(window_grid(size, view).stage.h > before);
}

}  // namespace tilewalk::test_tools
