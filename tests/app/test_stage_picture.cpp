// What is on the stage as a picture and as a table: every board, the walk, the review.
#include "app/boards/knob_row.h"
#include "app/boards/board.h"
#include "app/panels/stage_picture.h"
#include "app/scene/layout_check.h"
#include "app/scene/svg_painter.h"
#include "app/session/commands.h"
#include "app/stage/moment.h"
#include "core/io/csv.h"
#include "tests/app/shipped_lessons.h"
#include "tests/app/xml.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

namespace tilewalk::test_stage_picture {

namespace {

// Rows of cells, undoing what csv_cell does.
std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (size_t k = 0; k < csv.size(); ++k) {
    const char c = csv[k];
    if (quoted && c == '"' && k + 1 < csv.size() && csv[k + 1] == '"')
      rows.back().back() += c, ++k;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\n')
      rows.push_back({""});
    else
      rows.back().back() += c;
  }
  CHECK_FALSE(quoted);
  rows.pop_back();
  return rows;
}

ViewState view_of(std::string_view board) {
  ViewState view;
  view.board = read_board_state(board);
  return view;
}

}  // namespace

TEST_CASE("Cells with commas, quotes and line ends come back whole") {
  const std::vector<std::string> cells{"plain", "a,b", "say \"hi\"", "two\nlines", ""};
  CHECK(csv_row(cells) == "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\n");
  CHECK(rows_of(csv_row(cells)).at(0) == cells);
}

TEST_CASE("Every board is a picture of its own: XML, its text as text, nothing cut or covered") {
  Session session;
  for (const Board* board : boards()) {
    CAPTURE(board->id);
    ViewState view = view_of(board->id);
    give_shipped_lessons(view);  // one of them shows the path
    const StagePicture picture = stage_picture(session, view, {1920, 1080});
    for (const std::string& fault : layout_faults(picture.scene, 14, 1.35f)) FAIL_CHECK(fault);
    const std::string svg = to_svg(picture.scene, {.title = picture.title, .description = picture.description});
    CHECK(well_formed(svg));
    CHECK(svg.find("<image") == std::string::npos);
    CHECK(svg.find(xml_escape(picture.title)) != std::string::npos);
    CHECK(count(svg, "<text") >= 3);
    CHECK_FALSE(picture.description.empty());
    // The knobs' values stand in words, but those that are as they always are.
    const auto told =
        std::ranges::find_if(board->knobs, [&](const Knob& knob) { return !is_usual(knob, knob.initial); });
    if (told != board->knobs.end()) CHECK(svg.find(xml_escape(told->label)) != std::string::npos);
    CHECK(stage_name(session, view) == board->id);
  }
}

TEST_CASE("A board's table has its readings, but none that is covered") {
  Session session;
  ViewState view = view_of("clocks?N=4096&gpu=a100-80&d=64");
  auto rows = rows_of(stage_numbers(session, view));
  REQUIRE(rows.size() > 5);
  CHECK(rows[0] == std::vector<std::string>{"id", "label", "value", "unit", "origin", "source"});
  const auto of = [&](std::string_view id) {
    for (const auto& row : rows)
      if (row[0] == id) return row;
    return std::vector<std::string>(6);
  };
  CHECK(of("bytes")[2] == "136314880");
  CHECK(of("bytes")[3] == "byte");
  CHECK(of("bytes")[4] == "computed");
  CHECK(of("ridge")[4] == "model");
  view.board.covered = {"bytes"};
  rows = rows_of(stage_numbers(session, view));
  CHECK(of("bytes")[2].empty());
  CHECK_FALSE(of("flop")[2].empty());
}

TEST_CASE("Every board's table is even") {
  Session session;
  for (const Board* board : boards()) {
    CAPTURE(board->id);
    const auto rows = rows_of(stage_numbers(session, view_of(board->id)));
    REQUIRE(rows.size() > 1);
    for (const auto& row : rows) CHECK(row.size() == rows[0].size());
  }
}

TEST_CASE("A file's picture of FA3's lanes has the recorded ones below where they are switched on") {
  Session session;
  for (const bool on : {false, true}) {
    const StagePicture picture = stage_picture(session, view_of(on ? "lanes?trace=1" : "lanes?trace=0"), {1280, 760});
    const std::string svg = to_svg(picture.scene, {.title = picture.title, .description = picture.description});
    CHECK((svg.find(">warpgroup 3<") != std::string::npos) == on);
  }
}

TEST_CASE("The walk is a picture with its caption, and a table of what has moved so far") {
  Session session;
  ViewState view;
  run_command("part-forward", session, view);
  const StagePicture picture = stage_picture(session, view, {1280, 800});
  CHECK(picture.title.find("step ") != std::string::npos);
  CHECK(well_formed(to_svg(picture.scene, {.title = picture.title, .description = picture.description})));
  CHECK(stage_name(session, view) == fmt::format("fa2-step-{}", view.playhead));
  const auto rows = rows_of(stage_numbers(session, view));
  CHECK(rows.at(1).at(0) == "step");
  CHECK(rows.at(1).at(2) == fmt::format("{}", view.playhead));
  CHECK(rows.at(3).at(0) == "l2_to_sm");
  CHECK(rows.at(3).at(2) == fmt::format("{}", moment_of(session.walk(), view).after.meters.fill_bytes()));
}

TEST_CASE("The review has a picture and no numbers") {
  Session session;
  ViewState view;
  view.lesson.review = true;
  CHECK(stage_numbers(session, view).empty());
  CHECK(stage_name(session, view) == "review");
  CHECK(stage_picture(session, view, {1280, 800}).scene.items.size() > 0);
}

}  // namespace tilewalk::test_stage_picture
