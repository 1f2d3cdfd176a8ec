// Keys on boards in lessons: what has the focus takes them, and what is finished lets them go on.
#include "app/boards/board.h"
#include "app/session/playback.h"
#include "app/session/typing.h"
#include "app/stage/moment.h"
#include "tests/app/learner.h"
#include "tests/app/shipped_lessons.h"

namespace tilewalk::test_board_keys {

namespace {

// A learner before that board, as a lesson opens it.
void stand_before(Learner& l, const std::string& board) {
  l.folder.write("01-first.md", fmt::format("+++\nid = \"first\"\nnumber = 1\nphase = 1\ntitle = \"A\"\nbrief = \"A\"\n"
                                            "minutes = 1\n+++\n\n## hook: A\n\nText.\n\n```scene\n{}\n```\n\n---\n\n"
                                            "## explore: B\n\nMore.\n",
                                            board));
  auto course = std::make_shared<Course>();
  course->open({l.folder.path});
  l.view.lesson.course = course;
  REQUIRE(open_lesson_numbered(l.session, l.view, 1));
}

void focus(Learner& l, std::string_view id) {
  l.view.focus = id;
  l.view.focus_ring = true;
}

}  // namespace

TEST_CASE("A seam that is glued by a key hands the focus on, and with both glued Enter goes on") {
  Learner l;
  stand_before(l, "stage = \"launches\"");
  focus(l, "board:seam/0");
  l.press("Enter");
  CHECK(knob_value(*board_named("launches"), l.view.board, "first") == 1);
  CHECK(l.view.focus == "board:seam/1");
  l.press("Enter");
  CHECK(knob_value(*board_named("launches"), l.view.board, "second") == 1);
  CHECK(l.view.lesson.beat == 0);
  l.press("Enter");
  CHECK(knob_value(*board_named("launches"), l.view.board, "second") == 1);
  CHECK(l.view.lesson.beat == 1);
}

TEST_CASE("A call shows what its lesson speaks of, and the rest when it is asked for") {
  Learner l;
  stand_before(l, "stage = \"dispatch\"\nshow = [\"gpu\"]");
  CHECK(l.scene().find("knob:mask/+"));
  CHECK_FALSE(l.scene().find("knob:dropout/+"));
  l.click("board:more-chips");
  CHECK(l.scene().find("knob:dropout/+"));
  CHECK_FALSE(l.scene().find("board:more-chips"));
}

TEST_CASE("Enter paints no tile of a painting that is finished; it goes on") {
  Learner l;
  stand_before(l, "stage = \"causal\"\nknobs = { paint = true }");
  const Board& board = *board_named("causal");
  // Every tile by its truth: the brush is turned until the caption has nothing against it.
  focus(l, "board:cursor");
  for (int guard = 0; guard < 4000; ++guard) {
    const Exhibit shown{l.view.board, l.session, l.view, board};
    if (board.caption(shown).starts_with("All ")) break;
    const std::vector<Reading> readings = board.readings(shown);
    const double before = std::ranges::find(readings, "painted", &Reading::id)->quantity.value;
    board.act("board:cursor", {0.5f, 0.5f}, false, l.view.board);
    const std::vector<Reading> after = board.readings(shown);
    if (std::ranges::find(after, "painted", &Reading::id)->quantity.value <= before) continue;
    const std::string cursor = l.view.board.cells["cursor"];
    l.press("→");
    if (l.view.board.cells["cursor"] == cursor) {
      l.press("↓");
      for (int k = 0; k < 64; ++k) l.press("←");
    }
  }
  const std::map<std::string, std::string, std::less<>> painted = l.view.board.cells;
  l.press("Enter");
  CHECK(l.view.lesson.beat == 1);
  l.press("P");
  for (const auto& [name, text] : painted)
    if (name.starts_with("paint")) CHECK(l.view.board.cells[name] == text);
}

TEST_CASE("While N is dragged the sentence is about N, not about the tile that was stepped to") {
  Learner l;
  stand_before(l, "stage = \"matrix\"");
  l.view.board.step = 10;
  CHECK(says(l, "FlashAttention, tile 10 of 64"));
  const Scene scene = l.scene();
  const Rect plot = scene.find("board:plot")->rect;
  pressed(plot.center(), scene, l.session, l.view);
  CHECK_FALSE(says(l, "FlashAttention, tile 10 of 64"));
  released(l.view);
  CHECK(says(l, "FlashAttention, tile 10 of 64"));
}

TEST_CASE("A digit goes to the cell that the paper outlines, and opens no tab") {
  Learner l;
  give_shipped_lessons(l.view);
  for (int beat = 0; beat < 20; ++beat) {
    REQUIRE(open_lesson_numbered(l.session, l.view, 7, beat));
    const auto digit = [](const Region& region) { return region.id.starts_with("board:digit/"); };
    if (std::ranges::any_of(l.scene().regions, digit) && !asked_now(l.view).question) break;
  }
  REQUIRE(l.view.board.board == "paper");
  l.view.focus.clear();
  const BoardState before = l.view.board;
  l.press("2");
  CHECK(l.view.tab == Tab::Lesson);
  CHECK_FALSE(l.view.board.cells == before.cells);
  // Enter stays at a wrong number, and goes on from a right one to the next cell, not to the next beat.
  const std::string field = l.view.editing;
  REQUIRE(field.starts_with("field:board/"));
  const int beat = l.view.lesson.beat;
  typed_into(field, "77", l.view);
  finish_typing(l.session, l.view);
  CHECK(l.view.focus == field);
  l.press("Enter");  // to be put right
  CHECK(l.view.editing == field);
  const Board& paper = *board_named("paper");
  const std::vector<Reading> readings = paper.readings({l.view.board, l.session, l.view, paper});
  const auto asked = std::ranges::find_if(readings, [&](const Reading& r) { return field.ends_with("/" + r.id); });
  REQUIRE(asked != readings.end());
  typed_into(field, fmt::format("{:.4f}", asked->quantity.value), l.view);
  finish_typing(l.session, l.view);
  CHECK(l.view.focus.starts_with("field:board/"));
  CHECK(l.view.focus != field);
  CHECK(l.view.lesson.beat == beat);
}

TEST_CASE("→ on a focused thing of a picture that knows no arrows stays in the beat") {
  Learner l;
  stand_before(l, "stage = \"clocks\"");
  focus(l, "reading:time");
  l.press("→");
  CHECK(l.view.lesson.beat == 0);
  l.view.focus.clear();
  l.press("→");
  CHECK(l.view.lesson.beat == 1);
}

TEST_CASE("What was only clicked lets go of an arrow that does nothing for it") {
  Learner l;
  stand_before(l, "stage = \"clocks\"");
  l.view.focus = "knob:N";
  l.press("→");
  CHECK(l.view.lesson.beat == 0);
  CHECK(knob_value(*board_named("clocks"), l.view.board, "N") == 8192);
  l.press("→");
  CHECK(knob_value(*board_named("clocks"), l.view.board, "N") == 16384);
  l.press("→");  // at its end
  CHECK(l.view.lesson.beat == 1);

  // A thing that goes up and down knows no left.
  stand_before(l, "stage = \"hierarchy\"");
  l.view.focus = "board:item/1";
  l.press("→");
  CHECK(l.view.lesson.beat == 1);
}

TEST_CASE("A switch that leaves fewer steps leaves no step beyond the last, and ← steps back behind it") {
  Learner l;
  stand_before(l, "stage = \"desk\"\nseek = \"end\"");
  const int before = board_steps(l.session, l.view);
  REQUIRE(l.view.board.step == before);
  l.click("knob:flash");
  const int after = board_steps(l.session, l.view);
  CHECK(after < before);
  CHECK(l.view.board.step == after);
  l.press("←");
  CHECK(knob_value(*board_named("desk"), l.view.board, "flash") == 1);
  CHECK(l.view.board.step == after - 1);
}

TEST_CASE("On paper the cursor goes on from a right cell, and a number that is right elsewhere is told where") {
  Learner l;
  stand_before(l, "stage = \"paper\"\nknobs = { numbers = 0, given = \"all but three\" }");
  l.view.focus = "field:board/0.0.0/alpha2";
  l.press("0");
  l.type("0.135");
  CHECK(l.view.focus == "field:board/0.0.0/l2");
  l.press("1");
  l.type("1.553");
  CHECK(l.view.board.cells.at("0.0.0/alpha2") == "0.135");
  CHECK(l.view.board.cells.at("0.0.0/l2") == "1.553");

  stand_before(l, "stage = \"paper\"\nknobs = { numbers = 0, given = \"all but three\" }");
  l.view.focus = "field:board/0.0.0/alpha2";
  l.press("1");
  l.type("1.553");
  CHECK(l.view.focus == "field:board/0.0.0/alpha2");
  CHECK(says(l, "That is right for l of tile 2."));
}

TEST_CASE("Side by side each walk can go at its own pace, and says when it is done") {
  Learner l;
  give_shipped_lessons(l.view);
  REQUIRE(open_lesson_numbered(l.session, l.view, 4, 3));
  REQUIRE(l.session.other());
  const auto second = [&] { return matching_moment(*l.session.other(), moment_of(l.session.walk(), l.view), l.view); };
  REQUIRE(second().step()->kind == StepKind::Score);
  for (const StepKind kind : {StepKind::RowMax, StepKind::RowSum, StepKind::Accumulate}) {
    l.press("→");
    CHECK(second().step()->kind == kind);
  }
  CHECK(moment_of(l.session.walk(), l.view).step()->kind == StepKind::Score);  // standard has made its second tile
  l.view.playhead = l.session.walk().replay.length() - 1;
  l.view.from = l.view.playhead - 1;
  CHECK(second().waits);
  CHECK(second().words.caption == "FA2 is done: O is in memory.");
}

TEST_CASE("Digits on a knob that has the focus are its number, and open no tab") {
  Learner l;
  stand_before(l, "stage = \"clocks\"\nknobs = { N = 1024 }\nshow = [\"N\", \"d\", \"gpu\"]");
  const Board& board = *board_named("clocks");
  const auto now = [&](std::string_view knob) { return knob_value(board, l.view.board, knob); };
  focus(l, "knob:N");
  l.press("1");
  CHECK(l.view.tab == Tab::Lesson);
  REQUIRE(l.view.editing == "field:knob/N");
  CHECK(text_in(l.view.editing, l.session, l.view) == "1");
  CHECK(l.scene().find("field:knob/N"));
  l.type("16,384");
  CHECK(now("N") == 16384);
  CHECK(l.view.editing.empty());
  CHECK(l.view.focus == "knob:N");
  // Where it has no such place the nearest is taken, and that is said.
  l.press("5");
  l.type("5000");
  CHECK(now("N") == 4096);
  CHECK(l.view.notice.find("4,096 is taken") != std::string::npos);
  l.press("5");
  l.type("2^13");
  CHECK(now("N") == 8192);
  // Left with Esc, or no number, it stays as it was.
  l.press("5");
  leave_typing(l.view);
  CHECK(now("N") == 8192);
  l.press("5");
  l.type("many");
  CHECK(now("N") == 8192);
  CHECK_FALSE(l.view.notice.empty());
  // Tab goes on to the next knob; one of numbers to choose from takes one of them.
  l.press("4");
  typed_into(l.view.editing, "4096", l.view);
  next_field(l.scene(), l.session, l.view, false);
  CHECK(now("N") == 4096);
  CHECK(l.view.focus.starts_with("knob:d"));
  l.press("1");
  REQUIRE(l.view.editing == "field:knob/d");
  l.type("128");
  CHECK(knob_text(*std::ranges::find(board.knobs, "d", &Knob::id), now("d")) == "128");
  l.press("6");
  l.type("65");
  CHECK(knob_text(*std::ranges::find(board.knobs, "d", &Knob::id), now("d")) == "128");
  CHECK(l.view.notice.find("64") != std::string::npos);
  // Or the number itself is pressed, and typed over where it stands.
  l.click("field:knob/N");
  REQUIRE(l.view.editing == "field:knob/N");
  l.type("2048");
  CHECK(now("N") == 2048);
  l.click("field:knob/N");
  finish_typing(l.session, l.view);  // nothing was typed
  CHECK(now("N") == 2048);
  CHECK(l.view.notice.empty());
  // What knows no numbers leaves digits to the tabs.
  focus(l, "knob:gpu/0");
  l.press("2");
  CHECK(l.view.tab == Tab::Numbers);
}

}  // namespace tilewalk::test_board_keys
