// Following who teaches, looking around, what lies on the wall, and the end of a class.
#include "app/boards/draw.h"
#include "app/panels/audience.h"
#include "app/panels/room_votes.h"
#include "app/scene/layout_check.h"
#include "app/scene/svg_painter.h"
#include "app/session/class_moves.h"
#include "app/session/class_puzzles.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/present_moves.h"
#include "app/session/write_moves.h"
#include "app/state/written.h"
#include "core/classroom/room.h"
#include "core/io/file.h"
#include "core/machine/words.h"

#include "tests/app/present/class_of_two.h"

#include <cstdlib>

namespace tilewalk::test_class {

namespace {

void open_puzzle(Learner& who, std::string_view id) {
  begin_puzzle_named(who.session, who.view, id);
  who.scene();
  REQUIRE(who.view.write.puzzle);
}

void solve_fuse_all(Learner& who) {
  open_puzzle(who, "fuse-all");
  replace_all(who.view.write.program, puzzle_named("fuse-all")->solution.text);
  run_written(who.session, who.view);
  meter_written(who.session, who.view);
}

}  // namespace

TEST_CASE("A page goes where the room is, looks around by itself and comes back with one key") {
  Class c;
  CHECK(says(c.teacher, "You teach. 1 is here"));
  CHECK(says(c.page, "It has not begun yet"));
  c.clicker("→");  // who prepares leads nobody
  CHECK(c.page.view.classroom.followed == 0);
  c.clicker("F5");
  CHECK(c.page.view.lesson.id == "first");
  CHECK(says(c.page, "You follow the class."));
  c.clicker("Page Down");
  CHECK(c.page.view.lesson.beat == 1);
  // A walk that plays by itself is no looking around.
  c.page.view.board.step += 1;
  c.turn();
  CHECK_FALSE(c.page.view.classroom.around);
  c.by_hand("P");
  CHECK(c.page.view.lesson.beat == 0);
  CHECK(says(c.page, "You look around"));
  c.clicker("Page Down");
  CHECK(c.page.view.lesson.beat == 0);
  c.page.press("Ctrl+J");
  CHECK(c.page.view.lesson.beat == 2);
  CHECK_FALSE(c.page.view.classroom.around);
  // A frozen picture leads nowhere.
  c.clicker("F");
  c.clicker("Page Down");
  CHECK(c.page.view.lesson.beat == 2);
  c.clicker("F");
  CHECK(c.page.view.lesson.beat == 3);
  c.by_hand("Ctrl+Shift+End");
  CHECK_FALSE(in_class(c.page.view));
  CHECK(c.page.view.lesson.beat == 3);
}

TEST_CASE("A clicker lifts the invitation from the wall, and goes on while the desk is open") {
  Class c;
  c.clicker("F5");
  for (const char* key : {"Page Down", "Page Up", "Esc"}) {
    CAPTURE(key);
    c.clicker("J");
    REQUIRE(c.on_wall("with the code"));
    c.clicker(key);
    CHECK_FALSE(c.on_wall("with the code"));
    CHECK(c.teacher.view.lesson.beat == 0);
    CHECK(c.teacher.view.present.on);
  }
  c.clicker("Ctrl+J");
  REQUIRE(is_open<ClassDesk>(c.teacher.view));
  c.clicker("Page Down");
  CHECK(c.teacher.view.lesson.beat == 1);
}

TEST_CASE("Drawing where the class draws is no looking around, and the class takes nothing of it away") {
  Class c;
  c.clicker("F5");
  REQUIRE(open_link("tilewalk://board/draw", c.teacher.session, c.teacher.view).there);
  put_drawing({.roofs = {{Roof::Dram, 9e11}}, .points = {}}, c.teacher.view.board);
  c.turn();
  REQUIRE(c.page.view.board.board == kDrawBoard.id);
  CHECK(sheet_of(c.page.view.board).drawing.roofs.empty());  // the wall's are who teaches' own
  put_drawing({.roofs = {{Roof::Dram, 2e12}}, .points = {}}, c.page.view.board);
  c.page.view.classroom.touched = true;
  c.turn();
  CHECK(says(c.page, "You follow the class."));
  c.teacher.view.board.knobs["N"] = 4096;
  c.turn();
  CHECK(sheet_of(c.page.view.board).n == 4096);
  REQUIRE(sheet_of(c.page.view.board).drawing.find(Roof::Dram));
  CHECK(sheet_of(c.page.view.board).drawing.find(Roof::Dram)->rate == doctest::Approx(2e12));
}

TEST_CASE("Another tab beside the stage is no looking around, and stays when the class goes on") {
  Class c;
  c.clicker("F5");
  c.by_hand("4");
  CHECK(c.page.view.tab == Tab::Gpu);
  CHECK(says(c.page, "You follow the class."));
  c.clicker("Page Down");
  CHECK(c.page.view.lesson.beat == 1);
  CHECK(c.page.view.tab == Tab::Gpu);
}

TEST_CASE("Who looks around at the class's own beat is not told that the class is elsewhere") {
  Class c;
  c.clicker("F5");
  c.by_hand("P");
  c.by_hand("N");
  c.page.view.classroom.around = true;
  CHECK(says(c.page, "You look around by yourself."));
  CHECK_FALSE(says(c.page, "elsewhere"));
}

TEST_CASE("Nothing of a class is cut or lies over another thing, at any size and in any theme") {
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}, Vec2{3840, 2160}})
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      CAPTURE(size.x);
      CAPTURE(int(theme));
      Class c;
      const auto look = [&](const std::string& what, Learner& who) {
        CAPTURE(what);
        who.size = size;
        who.view.theme = theme;
        who.view.monitor_scale = size.x >= 3000 ? 2 : 1;
        const float scale = shown_scale(size, who.view.scale * who.view.monitor_scale).scale;
        // What lies over the window alone, where something does.
        Scene scene;
        scene.size = size;
        if (overlay_open(who.view))
          layout_overlays(scene, who.session, who.view, {0, 0, size.x, size.y}, Style(theme, scale));
        else
          scene = who.scene();
        for (const std::string& fault : layout_faults(scene, 14 * scale, scale)) FAIL_CHECK(fault);
        if (const char* folder = std::getenv("TILEWALK_PICTURES"))
          write_file(std::filesystem::path(folder) / fmt::format("{}-{}-{}.svg", what, size.x, int(theme)),
                     to_svg(scene));
      };
      const auto look_at_wall = [&](const std::string& what) {
        CAPTURE(what);
        c.teacher.view.present.theme = theme == Theme::Light ? Theme::Projector : theme;
        const Scene scene = layout_audience(c.teacher.session, c.teacher.view, size);
        for (const std::string& fault : layout_faults(scene, 14 * size.y / 720, size.y / 720)) FAIL_CHECK(fault);
        if (const char* folder = std::getenv("TILEWALK_PICTURES"))
          write_file(std::filesystem::path(folder) / fmt::format("wall, {}-{}-{}.svg", what, size.x, int(theme)),
                     to_svg(scene));
      };
      look("the bar of who teaches", c.teacher);
      c.clicker("Ctrl+J");
      look("the desk", c.teacher);
      c.clicker("Esc");
      c.clicker("F5");
      c.clicker("J");
      look_at_wall("how it is joined");
      c.clicker("J");
      look("following", c.page);
      c.by_hand("→");
      c.by_hand("Enter");
      look("looking around", c.page);
      c.page.press("Ctrl+J");
      for (int k = 0; k < 4; ++k) c.clicker("Page Down");
      look("asked", c.page);
      c.page.press("Esc");
      c.page.view.classroom.around = true;
      look("asked while looking around", c.page);
      c.page.press("Ctrl+J");
      c.turn();
      look_at_wall("asked");
      c.page.click("vote:1");
      look("how sure is missing", c.page);
      c.answer(1);
      c.clicker("Page Down");
      c.clicker("Page Up");
      look("asked again", c.page);
      c.answer(0);
      c.clicker("Page Down");
      c.clicker("Page Down");
      look("told", c.page);
      look_at_wall("told");
      c.clicker("G");
      c.teacher.type("1.5");
      c.turn();
      c.clicker("Page Down");
      look("a number asked for", c.page);
      c.page.click("field:class-number");
      c.page.type("44");
      c.answer(-1);
      c.clicker("Page Down");
      c.clicker("Page Down");
      look("a number told", c.page);
      look_at_wall("a number told");
      c.clicker("Ctrl+F5");
      c.page.view.classroom.touched = true;
      solve_fuse_all(c.page);
      open_puzzle(c.teacher, "fuse-all");
      c.clicker("F5");
      look("the bar of who teaches a puzzle", c.teacher);
      look_at_wall("a puzzle");
      c.clicker("Ctrl+F5");
      c.clicker("Ctrl+J");
      look("the desk with puzzles", c.teacher);
      c.teacher.click("command:class-end");
      c.teacher.click("class:really-end");
      c.turn();
      look("the bar of a class that is over", c.teacher);
      c.teacher.click("command:class-summary");
      for (int page = 0; page <= 2; ++page) {
        std::get<ClassSummary>(c.teacher.view.over).page = page;
        look("what the class came to", c.teacher);
      }
    }
}

TEST_CASE("Beats that the class has not come to stay closed while who teaches says so") {
  Class c;
  c.clicker("F5");
  c.clicker("Page Down");
  c.clicker("Ctrl+Shift+6");
  c.turn();
  CHECK(says(c.page, "Beats ahead open when it comes to them"));
  c.by_hand("P");  // back is open
  CHECK(c.page.view.lesson.beat == 0);
  c.page.press("Ctrl+J");
  c.turn();
  REQUIRE(c.page.view.lesson.beat == 1);
  c.page.view.classroom.touched = true;
  REQUIRE(open_link("tilewalk://lesson/first/beat/3", c.page.session, c.page.view).there);
  c.turn();
  CHECK(c.page.view.lesson.beat == 1);
  CHECK(c.page.view.notice.find("has not come to that yet") != std::string::npos);
  CHECK_FALSE(c.page.view.classroom.around);
  // Nor where the address of a page led there, and no hand.
  c.page.view.classroom.touched = false;
  REQUIRE(open_link("tilewalk://lesson/first/beat/3", c.page.session, c.page.view).there);
  c.turn();
  CHECK(c.page.view.lesson.beat == 1);
  CHECK_FALSE(c.page.view.classroom.around);
  open_lesson_numbered(c.page.session, c.page.view, 2, 0);
  c.turn();
  CHECK(c.page.view.lesson.id == "first");
  REQUIRE(open_link("tilewalk://walk?N=64", c.page.session, c.page.view).there);  // what gives nothing away is open
  c.turn();
  CHECK(c.page.view.lesson.id.empty());
  c.page.press("Ctrl+J");
  c.turn();
  c.clicker("Page Down");  // it opens when the class comes to it
  CHECK(c.page.view.lesson.beat == 2);
  open_lesson_numbered(c.page.session, c.page.view, 2, 0);
  c.turn();
  CHECK(c.page.view.notice.find("has not come to that yet") != std::string::npos);
  c.clicker("Ctrl+Shift+6");
  c.turn();
  CHECK(c.page.view.notice.empty());  // it would not be true any more
  c.page.view.classroom.touched = true;
  open_lesson_numbered(c.page.session, c.page.view, 2, 0);
  c.turn();
  CHECK(c.page.view.lesson.id != "first");
}

TEST_CASE("A puzzle that pages solve is counted on the wall, with the best of them and no name") {
  Class c;
  c.clicker("F5");
  open_puzzle(c.teacher, "fuse-all");
  c.turn();
  open_puzzle(c.page, "fuse-all");
  c.turn();
  CHECK(c.on_wall("nobody has solved it yet, 1 is at it"));
  solve_fuse_all(c.page);
  c.turn();
  CHECK(c.on_wall("Fuse all three: 1 has solved it"));
  const PuzzleInClass said = puzzle_in_class(c.teacher.view);
  const GoalReached& goal = c.page.view.write.now->tried.goals.back();
  REQUIRE(goal.measure);
  CHECK(said.best.find(with_commas(goal.has)) != std::string::npos);
  CHECK(says(c.teacher, "of this puzzle: 1 has solved it"));
  c.page.view.write.open = false;
  c.turn();
  CHECK(c.on_wall("Fuse all three: 1 has solved it"));
  CHECK(puzzle_in_class(c.page.view).counts.empty());
}

TEST_CASE("How the class is joined comes on the wall; its end is told, and nothing of it stays") {
  Class c;
  c.clicker("F5");
  c.clicker("J");
  CHECK(c.on_wall("k7m-2xq"));
  CHECK(c.on_wall("http://10.0.0.5:8660/"));
  c.clicker("J");
  CHECK_FALSE(c.on_wall("k7m-2xq"));
  c.clicker("Ctrl+F5");
  c.clicker("Ctrl+J");
  REQUIRE(is_open<ClassDesk>(c.teacher.view));
  CHECK(says(c.teacher, "1 is here"));
  CHECK(says(c.teacher, "No GPU"));
  c.teacher.click("command:class-end");
  c.teacher.click("class:really-end");
  c.turn();
  CHECK(says(c.page, "The class is over"));
  CHECK(c.page.view.classroom.with->state() == Attendance::State::Over);
  // That is no fault.
  const Style style(c.page.view.theme, 1);
  for (const Item& item : c.page.scene().items)
    if (const Label* label = std::get_if<Label>(&item); label && label->text.starts_with("The class is over"))
      CHECK(label->color != style[Role::WrongText]);
  c.page.click("command:class-leave");
  CHECK_FALSE(in_class(c.page.view));
}

TEST_CASE("What is typed and is no invitation stays in the dialog with what to type") {
  Learner learner;
  learner.press("Ctrl+Shift+J");
  REQUIRE(is_open<JoinClass>(learner.view));
  learner.type("hello");
  CHECK(std::get<JoinClass>(learner.view.over).fault.find("as in 10.0.0.5:8660 k7m-2xq") != std::string::npos);
  CHECK(says(learner, "Type the address"));
  CHECK_FALSE(in_class(learner.view));
  learner.view.editing = "field:class";
  learner.type("10.0.0.5:8660 k7m-2xq");
  CHECK(in_class(learner.view));
  CHECK_FALSE(is_open<JoinClass>(learner.view));
  CHECK(says(learner, "Joining the class at http://10.0.0.5:8660/"));
}

TEST_CASE("Rooflines that pages lock lie lightly on the wall once the truth is shown, those for other numbers do not") {
  Class c;
  c.clicker("F5");
  REQUIRE(open_link("tilewalk://board/draw", c.teacher.session, c.teacher.view).there);
  c.turn();
  REQUIRE(c.page.view.board.board == kDrawBoard.id);
  const auto on_wall = [&] { return class_drawings_count(c.teacher.view, sheet_of(c.teacher.view.board)); };
  const auto draw = [&](int64_t n, double rate) {
    const size_t before = on_wall();
    BoardState& board = c.page.view.board;
    board.knobs["N"] = double(n);
    Drawing drawing;
    drawing.roofs = {{Roof::Dram, rate}, {Roof::Tensor, 1e15}};
    put_drawing(drawing, board);
    c.turn();
    CHECK(on_wall() == before);  // it is not locked yet
    board.cells[sheet_cell(board, "locked")] = sheet_of(board).lock_word();
    c.turn();
  };
  const int64_t n = sheet_of(c.teacher.view.board).n;
  draw(n * 2, 2e12);
  CHECK(class_drawings(c.teacher.view, sheet_of(c.teacher.view.board)).empty());
  draw(n, 2e12);
  CHECK(c.page.view.notice.find("without a name") != std::string::npos);
  const std::vector<Drawing> drawn = class_drawings(c.teacher.view, sheet_of(c.teacher.view.board));
  REQUIRE(drawn.size() == 1);
  CHECK(drawn[0].find(Roof::Dram)->rate == doctest::Approx(2e12));
  CHECK(class_state_words(c.teacher.view).find("1 of them has locked a roofline") != std::string::npos);
  CHECK_FALSE(c.on_wall("the class: 1"));
  c.teacher.view.board.knobs["reveal"] = 1;
  CHECK(c.on_wall("the class: 1"));
  CHECK(class_drawings(c.page.view, sheet_of(c.page.view.board)).empty());  // of who teaches alone
  // The first one that was locked holds: behind it the truth is known.
  draw(n, 3e12);
  CHECK(c.page.view.notice.find("stays with the class") != std::string::npos);
  const std::vector<Drawing> after = class_drawings(c.teacher.view, sheet_of(c.teacher.view.board));
  REQUIRE(after.size() == 1);
  CHECK(after[0].find(Roof::Dram)->rate == doctest::Approx(2e12));
}

}  // namespace tilewalk::test_class
