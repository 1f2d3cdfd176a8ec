// A class in two windows: one teaches with the clicker, the other follows, answers, looks around and comes back.
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

#include "tests/app/learner.h"

#include <cstdlib>
#include <random>

using namespace tilewalk;

namespace {

constexpr const char* kSecret = "0123456789abcdef0123456789abcdef";

struct Class {
  std::mt19937_64 random{11};
  Room room{"k7m-2xq", kSecret, [this] { return random(); }};
  Learner teacher, page;
  double now = 0;

  Class() {
    room.invite("http://10.0.0.5:8660/ k7m-2xq", {"# ", " #"});
    join(teacher, 1, std::string("http://10.0.0.5:8660/#class/k7m-2xq/") + kSecret);
    join(page, 2, "10.0.0.5:8660 K7M2XQ");
    open_lesson_numbered(teacher.session, teacher.view, 1, 0);
    turn();
  }
  void join(Learner& who, ConnId conn, std::string_view invitation) {
    REQUIRE(join_class(who.view, invitation).empty());
    who.view.classroom.with->connecting();
    REQUIRE(room.opened(conn, "10.0.0.9", now));
    who.view.classroom.with->opened();
  }
  // What windows and server do within some seconds.
  void turn() {
    for (int k = 0; k < 3; ++k) {
      now += 0.5;
      keep_up_with_class(teacher.session, teacher.view);
      keep_up_with_class(page.session, page.view);
      for (const auto& [conn, who] : {std::pair{ConnId{1}, &teacher}, std::pair{ConnId{2}, &page}})
        if (who->view.classroom.with)
          for (const std::string& line : who->view.classroom.with->take_out()) room.said(conn, line, now);
      room.tick(now);
      for (const Room::Out& out : room.take_out())
        if (auto& with = (out.to == 1 ? teacher : page).view.classroom.with) with->heard(*out.text);
    }
    keep_up_with_class(page.session, page.view);
  }
  void clicker(std::string_view keys) {
    teacher.press(keys);
    turn();
  }
  // As the window marks it, since a hand was at work.
  void by_hand(std::string_view keys) {
    page.view.classroom.touched = true;
    page.press(keys);
    turn();
  }
  std::string wall() {
    std::string all;
    for (const Item& item : layout_audience(teacher.session, teacher.view, {1920, 1080}).items)
      if (const Label* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  }
  bool on_wall(std::string_view words) { return wall().find(words) != std::string::npos; }
};

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

TEST_CASE("With the clicker alone a question is asked, counted, asked again and told, on the wall and on the page") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 3; ++k) c.clicker("Page Down");
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
  c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  CHECK(c.on_wall("0 of 1 have answered"));
  // The letters of the page are those of the wall.
  const AskedQuestion asked = class_question(c.page.view);
  REQUIRE(asked.question);
  CHECK(instance_on_show(asked, c.page.session, c.page.view).order ==
        instance_on_show(asked_now(c.teacher.view), c.teacher.session, c.teacher.view).order);
  const int right = place_of(c.teacher, true), wrong = 1 - right;
  c.page.click(fmt::format("vote:{}", wrong));
  c.turn();
  CHECK(says(c.page, fmt::format("Your answer is {}", char('A' + wrong))));
  c.page.click("sure:2");
  c.turn();
  CHECK(c.on_wall("1 of 1 have answered"));
  CHECK(c.page.view.classroom.with->my_vote()->sure == 2);
  CHECK_FALSE(says(c.page, "Because it is"));

  c.clicker("Page Down");  // what it came to, without the answer
  CHECK(says(c.page, "What the class has answered"));
  CHECK_FALSE(c.on_wall("✓"));
  CHECK_FALSE(says(c.page, "✓"));
  CHECK(c.on_wall("rather sure"));
  c.clicker("Page Up");
  CHECK(says(c.page, "Asked again"));
  c.page.click(fmt::format("vote:{}", right));
  c.turn();
  c.clicker("Page Down");
  CHECK(c.on_wall("lower: after talking it over"));
  REQUIRE(c.teacher.view.classroom.with->poll()->rounds.size() == 2);
  c.clicker("Page Down");  // the answer
  CHECK(c.on_wall("✓"));
  CHECK(says(c.page, "✓"));
  CHECK(c.page.view.lesson.questions[asked.key].locked == false);
  CHECK(c.page.record("first").answers.empty());  // nothing of the class is the learner's own answer
  while (c.teacher.view.lesson.beat == 3) c.clicker("Page Down");
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
}

TEST_CASE("A number is typed, and where nobody answers the clicker goes on as it does without a class") {
  Class c;
  c.clicker("F5");
  c.clicker("G");
  c.teacher.type("1.5");
  c.turn();
  c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.click("field:class-number");
  c.page.type("many");
  CHECK(says(c.page, "is no number"));
  c.page.click("field:class-number");
  c.page.type("44");
  c.turn();
  CHECK(says(c.page, "Your answer is 44"));
  c.page.view.classroom.number = "45";  // typed, and not sent
  CHECK(says(c.page, "Your answer is 44"));
  c.clicker("Page Down");
  REQUIRE(c.teacher.view.classroom.with->poll()->rounds.size() == 1);
  CHECK(c.teacher.view.classroom.with->poll()->rounds[0].numbers == std::vector<double>{44});
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll());
  CHECK(c.page.view.classroom.with->poll()->asked.answer == answer_now(c.teacher));

  Class nobody;
  nobody.clicker("F5");
  nobody.clicker("G");
  nobody.teacher.type("1.4");
  nobody.turn();
  nobody.clicker("Page Down");
  nobody.clicker("Page Down");
  CHECK(nobody.on_wall("✓"));
}

TEST_CASE("While the wall is frozen or dark no vote is closed, shown or asked again") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.click("vote:0");
  c.turn();
  for (const char* key : {"F", "B"}) {
    CAPTURE(key);
    c.clicker(key);
    c.clicker("Page Down");
    c.clicker("Page Down");
    CHECK(c.page.view.classroom.with->poll()->open);
    CHECK(c.teacher.view.notice.find("the vote") != std::string::npos);
    c.clicker(key);
  }
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll()->counted);
  c.clicker("F");
  c.clicker("Page Up");
  CHECK(c.page.view.classroom.with->poll()->round == 1);
}

TEST_CASE("A vote that few have answered is closed by a second press alone") {
  Class c;
  for (const ConnId other : {ConnId{3}, ConnId{4}}) {
    REQUIRE(c.room.opened(other, "10.0.0.7", c.now));
    c.room.said(other, line_of(FromPage(Join{"k7m-2xq", "", ""})), c.now);
  }
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  c.page.click("vote:0");
  c.turn();
  c.clicker("Page Down");
  CHECK(c.page.view.classroom.with->poll()->open);
  CHECK(c.teacher.view.notice == "1 of 3 have answered. Once more closes the vote.");
  c.clicker("Page Down");
  CHECK(c.page.view.classroom.with->poll()->counted);
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

TEST_CASE("A letter answers, and a number's field has the keys when it comes") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.press("B");
  c.turn();
  CHECK(says(c.page, "Your answer is B"));
  Class number;
  number.clicker("F5");
  number.clicker("G");
  number.teacher.type("1.5");
  number.turn();
  number.clicker("Page Down");
  CHECK(number.page.view.editing == "field:class-number");
}

TEST_CASE("Who teaches is told what the next press brings, within a question, too") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 3; ++k) c.clicker("Page Down");
  CHECK(next_in_beat_words(c.teacher.view) == "The question");
  c.clicker("Page Down");
  CHECK(next_in_beat_words(c.teacher.view) == "The answer");
  c.page.click("vote:0");
  c.turn();
  CHECK(next_in_beat_words(c.teacher.view) == "What the class has answered");
  c.clicker("Page Down");
  c.clicker("Page Down");
  const std::string next = next_in_beat_words(c.teacher.view);
  const int beat = c.teacher.view.lesson.beat;
  c.clicker("Page Down");
  CHECK((c.teacher.view.lesson.beat == beat) == !next.empty());
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

TEST_CASE("A number goes by its button, is typed anew when it is asked again, and is marked among all") {
  Class c;
  c.clicker("F5");
  c.clicker("G");
  c.teacher.type("1.5");
  c.turn();
  c.clicker("Page Down");
  c.page.view.classroom.number = "44";
  c.page.click("vote:number");
  c.turn();
  CHECK(says(c.page, "Your answer is 44"));
  c.clicker("Page Down");
  const AskedQuestion asked = class_question(c.page.view);
  CHECK(class_votes(c.page.view, asked, {}).mine == 44);
  CHECK_FALSE(class_votes(c.teacher.view, asked, {}).mine);
  c.clicker("Page Up");
  CHECK(c.page.view.classroom.number.empty());
  CHECK(c.page.view.editing == "field:class-number");
  c.page.view.classroom.number = "44";
  c.page.click("vote:number");
  c.turn();
  CHECK(says(c.page, "Your answer is 44"));
}

TEST_CASE("One absurd number leaves the others their room on the wall, and is told") {
  ClassVotes votes;
  votes.rounds.resize(1);
  votes.rounds[0].numbers = {-1e300, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1e308};
  votes.rounds[0].votes = 8;
  votes.mine = 1.4;
  Scene scene;
  draw_numbers(scene, Style(Theme::Light, 1), {0, 0, 1000, 300}, votes, Question{}, 24);
  std::string words;
  float left = 1e9f, right = 0;
  int dots = 0;
  for (const Item& item : scene.items) {
    if (const Label* label = std::get_if<Label>(&item)) words += label->text + "\n";
    const Box* box = std::get_if<Box>(&item);
    if (!box || box->fill != Style(Theme::Light, 1)[Role::Inverse]) continue;  // those inside that are not one's own
    left = std::min(left, box->rect.x), right = std::max(right, box->rect.x), ++dots;
  }
  CHECK(dots == 5);
  CHECK(right - left > 800);
  CHECK(words.find("1 far below, 1.2") != std::string::npos);
  CHECK(words.find("1.7, 1 far above") != std::string::npos);
}

TEST_CASE("What the class is being asked is not answered in the lesson before all are told") {
  Class c;
  c.clicker("F5");
  c.clicker("G");
  c.teacher.type("1.5");
  c.turn();
  c.clicker("Page Down");
  const AskedQuestion asked = asked_now(c.page.view);
  REQUIRE(asked.question);
  const auto try_both = [&] {
    for (const bool skips : {false, true}) {
      close_overlays(c.page.view);
      c.page.view.lesson.questions[asked.key].typed = "44";
      skips ? skip_question(c.page.session, c.page.view) : (void)lock_answer(c.page.session, c.page.view);
      CHECK(is_open<ClassCard>(c.page.view));
      CHECK_FALSE(settled(c.page.view, asked));
    }
  };
  try_both();
  c.page.view.classroom.number = "44";
  c.page.click("vote:number");
  c.turn();
  c.clicker("Page Down");  // shown what all say, not the answer
  try_both();
  CHECK(says(c.page, "Your answer is 44, the violet dot."));
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll()->told);
  close_overlays(c.page.view);
  CHECK(lock_answer(c.page.session, c.page.view));
  CHECK(settled(c.page.view, asked));
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
      look_at_wall("asked");
      c.page.click("vote:1");
      c.turn();
      c.clicker("Page Down");
      c.clicker("Page Up");
      look("asked again", c.page);
      c.page.click("vote:0");
      c.turn();
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
      c.turn();
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

TEST_CASE("Who teaches sees votes as they come, on the desk alone, and after the class what each question came to") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  c.page.click("vote:1");
  c.turn();
  CHECK_FALSE(c.on_wall("So far"));
  c.clicker("Ctrl+J");
  REQUIRE(is_open<ClassDesk>(c.teacher.view));
  CHECK(says(c.teacher, "B 1"));
  CHECK_FALSE(c.on_wall("B 1"));
  c.clicker("Esc");
  c.clicker("Page Down");
  c.clicker("Page Down");
  c.clicker("Ctrl+F5");
  c.clicker("Ctrl+Shift+Home");
  c.teacher.click("class:really-end");
  c.turn();
  CHECK(says(c.teacher, "What it came to stays here"));
  CHECK_FALSE(c.page.view.classroom.with->left());
  c.teacher.click("command:class-summary");
  REQUIRE(is_open<ClassSummary>(c.teacher.view));
  CHECK(says(c.teacher, "1 vote"));
  c.teacher.click("summary:1");
  CHECK(std::get<ClassSummary>(c.teacher.view.over).page == 1);
  CHECK(says(c.teacher, "Question 1 of 1"));
  c.teacher.click("command:class-save");
  CHECK(c.teacher.view.wishes.class_summary);
  CHECK(summary_text(*c.teacher.view.classroom.with->left()).find("(right)") != std::string::npos);
}

TEST_CASE(
    "The summary says the question as the wall did: its words, each option under the wall's letter, the right one") {
  for (int seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Class c;
    c.clicker("F5");
    for (int k = 0; k < 3; ++k) c.clicker("Page Down");
    const AskedQuestion next = asked_now(c.teacher.view);
    REQUIRE(next.question);
    c.teacher.view.lesson.questions[next.key].seed = uint64_t(seed);
    c.clicker("Page Down");
    c.page.click("vote:1");  // B of the wall
    c.turn();
    const AskedQuestion asked = class_question(c.page.view);
    REQUIRE(asked.question);
    const Instance instance = instance_on_show(asked, c.page.session, c.page.view);
    REQUIRE(instance.order.size() > 1);
    c.clicker("Page Down");
    c.clicker("Page Down");
    const ClassLeft left = c.room.left();
    REQUIRE(left.polls.size() == 1);
    const PollAsked& kept = left.polls[0].asked;
    CHECK(kept.order == instance.order);
    CHECK_FALSE(kept.words.empty());
    REQUIRE(kept.said.size() == instance.order.size());
    const std::string text = summary_text(left), wall = c.wall();
    CAPTURE(text);
    const size_t row = text.find("| B ");
    REQUIRE(row != text.npos);
    const std::string b = text.substr(row, text.find('\n', row) - row);
    CHECK(b.find(" | 1 | 0 |") != std::string::npos);
    CHECK((b.find("(right)") != std::string::npos) == bool(instance.right[size_t(instance.order[1])]));
    const std::string& said = kept.said[size_t(instance.order[1])];
    CHECK(wall.find(said.substr(0, said.find(' '))) != std::string::npos);
  }
}

TEST_CASE("The summary of a number says the right one in its unit") {
  Class c;
  c.clicker("F5");
  bool found = false;
  for (int k = 0; k < 40 && !found; ++k) {
    c.clicker("Page Down");
    for (const PollLeft& poll : c.room.left().polls) {
      if (poll.asked.options > 0) continue;
      found = true;
      CHECK_FALSE(poll.asked.answer_words.empty());
      CHECK(poll.asked.one_unit.value_or(0) > 0);
      CHECK(summary_text(c.room.left()).find("right: ") != std::string::npos);
    }
  }
  CHECK(found);
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
  draw(n, 3e12);                                                            // the last one of a page holds
  CHECK(class_drawings(c.teacher.view, sheet_of(c.teacher.view.board)).size() == 1);
}
