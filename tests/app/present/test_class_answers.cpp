// How an answer to the class comes about: how sure is said, a card that has just come takes no press, a lost connection
// keeps what was answered, and wherever one is the bar leads to the question.
#include "app/boards/draw.h"
#include "app/panels/told.h"
#include "app/session/class_moves.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/typing.h"
#include "app/session/write_moves.h"

#include "tests/app/present/class_of_two.h"

namespace tilewalk::test_class_answers {

namespace {

int sent(const Class& c) { return c.teacher.view.classroom.with->count().votes; }

void lose(Class& c) { c.page.view.classroom.with->ended(c.now); }
void come_back(Class& c) {
  Attendance& with = *c.page.view.classroom.with;
  with.connecting();
  c.room.closed(2);
  REQUIRE(c.room.opened(2, "10.0.0.9", c.now));
  with.opened();
  c.turn();
}

}  // namespace

TEST_CASE("An answer goes once how sure was said, by pointer and by keys; a change of either goes at once") {
  Class c;
  c.to_the_question();
  c.page.click("vote:0");
  c.turn();
  CHECK(says(c.page, "Your answer is A. How sure are you?"));
  CHECK_FALSE(c.page.view.classroom.with->my_vote());
  c.page.click("sure:0");
  c.turn();
  REQUIRE(c.page.view.classroom.with->my_vote());
  CHECK(c.page.view.classroom.with->my_vote()->sure == int(Sure::Guess));
  CHECK(sent(c) == 1);
  c.page.press("B");
  c.turn();
  CHECK(says(c.page, "Your answer is B; you can change it."));
  c.page.press("S");
  c.turn();
  CHECK(c.page.view.classroom.with->my_vote()->sure == int(Sure::Sure));
  c.page.press("2");
  c.turn();
  CHECK(c.page.view.classroom.with->my_vote()->sure == int(Sure::Rather));
  // Another round begins unsaid.
  c.clicker("Page Down");
  c.clicker("Page Up");
  CHECK_FALSE(sure_in_class(c.page.view));
  c.page.press("A");
  c.turn();
  CHECK_FALSE(c.page.view.classroom.with->my_vote());
  c.page.press("G");
  c.turn();
  CHECK(c.page.view.classroom.with->my_vote());
  // And so is a number typed, Enter, and a letter.
  Class n;
  n.ask_number();
  n.page.type("44");
  n.turn();
  CHECK(says(n.page, "Your answer is 44. How sure are you?"));
  n.page.press("2");  // is no answer to how sure one is where a number is asked for
  n.turn();
  CHECK_FALSE(sure_in_class(n.page.view));
  n.page.press("R");
  n.turn();
  CHECK(says(n.page, "Your answer is 44; you can change it."));
  CHECK(sent(n) == 1);
}

TEST_CASE("A card that has just come, or has another question, takes no press and no letter") {
  Class c;
  c.to_the_question();
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.view.classroom.card_for = 0;
  c.page.click("vote:0");
  c.page.press("B");
  c.page.click("scrim");
  CHECK(is_open<ClassCard>(c.page.view));
  CHECK_FALSE(voted_place(c.page.view, c.page.session));
  c.turn();
  c.page.click("vote:0");
  CHECK(voted_place(c.page.view, c.page.session) == 0);
  // Asked again under the pointer: it begins to settle anew.
  c.answer(0);
  c.clicker("Page Down");
  c.page.view.classroom.card_for = 1000;
  c.clicker("Page Up");
  CHECK(c.page.view.classroom.card_for < 100);
}

TEST_CASE("A refused number keeps the keys, and nothing red stands there before anything was done") {
  Class c;
  c.ask_number();
  c.page.type("hello");
  CHECK(says(c.page, "is no number"));
  CHECK(c.page.view.editing == kClassNumber);
  typed_into(kClassNumber, "4", c.page.view);
  CHECK_FALSE(says(c.page, "is no number"));
  c.page.type("44");
  c.page.click("sure:1");
  c.turn();
  CHECK(says(c.page, "Your answer is 44"));
  // It stands there in the type in which it was typed.
  const Scene scene = c.page.scene();
  const Region* field = scene.find(kClassNumber);
  REQUIRE(field);
  bool stands = false;
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item); label && field->rect.contains(label->slot.center())) {
      stands = label->text == "44";
      CHECK(label->size == doctest::Approx(Style(Theme::Light, 1).body()));
    }
  CHECK(stands);
  c.clicker("Page Down");
  c.clicker("Page Up");
  REQUIRE(c.page.view.editing == kClassNumber);
  finish_typing(c.page.session, c.page.view);  // a press beside the empty field
  CHECK_FALSE(says(c.page, "Type a number first"));
  c.page.click("vote:number");
  CHECK(says(c.page, "Type a number first"));
}

TEST_CASE("While somebody writes a program the bar tells of the question, and leads to it and back") {
  Class c;
  c.clicker("F5");
  c.page.view.classroom.touched = true;
  begin_puzzle_named(c.page.session, c.page.view, "fuse-all");
  c.page.view.focus = kWriteText;
  c.turn();
  c.page.press("x");
  for (int k = 0; k < 4; ++k) c.clicker("Page Down");
  REQUIRE(c.teacher.view.present.question);
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
  CHECK(typing_in_program(c.page.view));
  CHECK(says(c.page, "A question is open."));
  CHECK(says(c.page, "Answer the question"));
  for (int k = 0; k < 2; ++k) {  // as often as one likes
    c.page.click("class:question");
    CHECK(is_open<ClassCard>(c.page.view));
    CHECK(c.page.view.write.open);
    c.page.press("Esc");
    REQUIRE_FALSE(is_open<ClassCard>(c.page.view));
    c.page.view.focus = kWriteText;
    c.turn();
    CHECK_FALSE(is_open<ClassCard>(c.page.view));
  }
  c.page.click("class:question");
  c.turn();
  c.answer(0);
  c.page.press("Esc");
  c.page.view.focus = kWriteText;
  c.clicker("Page Down");  // nor does what it came to
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
  CHECK(says(c.page, "The question"));
  c.page.view.focus.clear();
  c.turn();
  CHECK(is_open<ClassCard>(c.page.view));
}

TEST_CASE("The card takes the place of a list or a sheet; where a field has the keys the bar tells of it") {
  Class c;
  c.clicker("F5");
  for (int k = 0; k < 3; ++k) c.clicker("Page Down");
  c.page.view.over = Menu{};
  c.clicker("Page Down");
  CHECK(is_open<ClassCard>(c.page.view));
  Class d;
  d.clicker("F5");
  for (int k = 0; k < 3; ++k) d.clicker("Page Down");
  d.page.view.over = GoTo{};
  begin_typing("field:go-to", d.page.view);
  d.clicker("Page Down");
  CHECK(is_open<GoTo>(d.page.view));
  CHECK(says(d.page, "A question is open."));
  leave_typing(d.page.view);
  d.turn();
  CHECK(is_open<ClassCard>(d.page.view));
}

TEST_CASE("What is answered while the connection is lost goes when it is back, while the question is open") {
  Class c;
  c.to_the_question();
  lose(c);
  CHECK(says(c.page, "The connection to the class is lost"));
  c.page.click("vote:1");
  CHECK(says(c.page, "Your answer is B. How sure are you?"));
  c.page.click("sure:2");
  CHECK(says(c.page, "it goes when that is back"));
  CHECK(sent(c) == 0);
  come_back(c);
  REQUIRE(c.page.view.classroom.with->my_vote());
  CHECK(sent(c) == 1);
  CHECK(is_open<ClassCard>(c.page.view));
  CHECK(says(c.page, "Your answer is B; you can change it."));
  // Too late it is told so.
  Class late;
  late.to_the_question();
  lose(late);
  late.page.click("vote:1");
  late.page.click("sure:2");
  late.clicker("Page Down");
  come_back(late);
  CHECK(says(late.page, "The question was closed before your answer came."));
}

TEST_CASE("Who typed a number and did not send it is told that the question was closed before") {
  Class c;
  c.ask_number();
  typed_into(kClassNumber, "44", c.page.view);
  c.clicker("Page Down");
  REQUIRE(c.page.view.classroom.with->poll());
  REQUIRE_FALSE(c.page.view.classroom.with->poll()->open);
  CHECK(says(c.page, "The question was closed before your answer came."));
}

TEST_CASE("A page that the class has left behind keeps no card before the sentence that says why") {
  Class c;
  c.to_the_question();
  REQUIRE(is_open<ClassCard>(c.page.view));
  c.page.view.classroom.with->heard(line_of(ToPage(Refused{"This page was opened a second time.", 0})));
  CHECK(keep_up_with_class(c.page.session, c.page.view));
  CHECK_FALSE(is_open<ClassCard>(c.page.view));
  CHECK(says(c.page, "This page was opened a second time"));
}

TEST_CASE("A prediction that a page has locked is what it is told of when it comes back") {
  Class c;
  c.clicker("F5");
  REQUIRE(open_link("tilewalk://board/draw?given=4", c.teacher.session, c.teacher.view).there);
  c.turn();
  BoardState& board = c.page.view.board;
  REQUIRE(board.board == kDrawBoard.id);
  put_drawing({.roofs = {{Roof::Dram, 2e12}, {Roof::Tensor, 9e14}}, .points = {}}, board);
  const std::string word = sheet_of(board).lock_word();
  board.cells["time/" + word] = "40 µs";
  board.cells["win/" + word] = "3";
  board.cells["locked"] = word;
  c.turn();
  REQUIRE(sheet_of(board).locked);
  const Drawing mine = sheet_of(board).drawing;
  const auto same = [&] {
    const DrawSheet sheet = sheet_of(c.page.view.board);
    CHECK(sheet.locked);
    CHECK(predicted_of(sheet, c.page.view.board).win == doctest::Approx(3));
    CHECK(predicted_of(sheet, c.page.view.board).seconds == doctest::Approx(40e-6));
    CHECK(words_of_roofs(sheet.drawing) == words_of_roofs(mine));
    CHECK(words_of_points(sheet.drawing) == words_of_points(mine));
    CHECK(says(c.page, "Predicted 3×"));
  };
  // Who teaches draws on.
  put_drawing({.roofs = {{Roof::Dram, 7e11}}, .points = {}}, c.teacher.view.board);
  c.teacher.view.board.knobs["given"] = 2;
  c.teacher.view.board.knobs["reach"] = 0.5;
  c.turn();
  same();
  c.page.view.classroom.touched = true;
  REQUIRE(open_link("tilewalk://board/clocks", c.page.session, c.page.view).there);
  c.turn();
  REQUIRE(c.page.view.classroom.around);
  c.page.press("Ctrl+J");
  c.turn();
  same();
  // Where nothing was predicted nothing is off.
  c.page.view.board.cells.erase("win/" + word);
  c.page.view.board.cells["points"] = "";
  CHECK(says(c.page, "No win was predicted"));
  CHECK_FALSE(says(c.page, "inf"));
  CHECK_FALSE(says(c.page, "0×"));
}

TEST_CASE("A roofline that is locked after the truth was on show goes to no class") {
  Class c;
  c.clicker("F5");
  REQUIRE(open_link("tilewalk://board/draw", c.teacher.session, c.teacher.view).there);
  c.teacher.view.board.knobs["reveal"] = 1;
  c.turn();
  BoardState& board = c.page.view.board;
  REQUIRE(sheet_of(board).reveal);
  put_drawing({.roofs = {{Roof::Dram, 2e12}, {Roof::Tensor, 9e14}}, .points = {}}, board);
  c.turn();
  board.cells["locked"] = sheet_of(board).lock_word();
  c.turn();
  CHECK(c.page.view.notice.find("The truth was on show before") != std::string::npos);
  CHECK(class_drawings(c.teacher.view, sheet_of(c.teacher.view.board)).empty());
}

TEST_CASE("Who looks around is told where the class is, and the class is named") {
  Class c;
  c.clicker("F5");
  c.page.size = {1920, 1080};
  c.by_hand("→");
  c.by_hand("N");
  CHECK(says(c.page, "The class is at 1.1 A walk of nine steps."));
  REQUIRE(open_link("tilewalk://walk?N=64", c.teacher.session, c.teacher.view).there);
  c.turn();
  CAPTURE(class_state_words(c.page.view));
  CAPTURE(c.page.view.classroom.with->led().link);
  CHECK(says(c.page, "You look around. The class is at a walk."));
  REQUIRE(open_link("tilewalk://board/draw", c.teacher.session, c.teacher.view).there);
  c.turn();
  CHECK(says(c.page, "The class is at the board \"Draw the roofline\"."));
}

TEST_CASE("Where the class leaves the lesson for a walk there is a tab beside it") {
  Class c;
  c.clicker("F5");
  c.page.view.tab = Tab::Lesson;
  c.turn();
  REQUIRE(open_link("tilewalk://walk?N=64", c.teacher.session, c.teacher.view).there);
  c.turn();
  CHECK(c.page.view.tab == Tab::Explain);
}

TEST_CASE("A screen reader is told the card alone while it is open") {
  Class c;
  c.to_the_question();
  const Scene scene = c.page.scene();
  const std::vector<Told> told = tell_window(c.page.session, c.page.view, scene);
  bool asked = false;
  const Region* card = scene.find("panel:class");
  REQUIRE(card);
  for (const Told& one : told) asked |= one.name.find("Which one?") != std::string::npos;
  CHECK(asked);
  for (const Item& item : scene.items) {
    const Label* label = std::get_if<Label>(&item);
    if (!label || label->text.size() < 6 || card->rect.contains(label->slot.center())) continue;
    for (const Told& one : told) CHECK_MESSAGE(one.name != label->text, label->text);
  }
}

}  // namespace tilewalk::test_class_answers
