// A set list whose file another program writes while a talk is prepared: it is read again wherever it is used, and what
// both wrote stays. And a stop that is taken out where one stands.
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/talk_time.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "app/session/typing.h"
#include "core/io/file.h"

#include "tests/app/shipped_lessons.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_changed_outside {

namespace {

const char* const kTalk =
    "# mine\n"
    "tilewalk://lesson/6/beat/1 \"One\"  # first\n"
    "tilewalk://lesson/7/beat/2 \"Two\"  # second\n"
    "slide: Three | a line  # third\n";

struct Talk {
  ScratchFolder folder;
  std::filesystem::path file = folder / "talk.set";
  Session session;
  ViewState view;
  Scene scene;

  Talk() {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    put(file, kTalk);
    REQUIRE(use_set_list(session, view, file).empty());
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, scene, session, view);
    pass_presentation_time(view, 2);
  }
  void type(std::string_view words) {
    REQUIRE_FALSE(view.editing.empty());
    typed_into(view.editing, std::string(words), view);
    finish_typing(session, view);
  }
  // What a text editor does.
  void outside(std::string_view what, std::string_view with) {
    std::string text = read_file(file);
    const size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    put(file, text.replace(at, what.size(), with));
  }
  std::string text() const { return read_file(file); }
  const SetItem& item(int k) { return view.present.set.items.at(size_t(k)); }
  Presentation& p() { return view.present; }
};

}  // namespace

TEST_CASE("F5 and the overview show the set list as its file is now, and one stands where one stood") {
  Talk talk;
  talk.outside("\"One\"  # first", "\"Another\"  # ask who knows it");
  talk.press("F5");
  REQUIRE(talk.p().on);
  CHECK(talk.item(0).title == "Another");
  CHECK(talk.item(0).note == "ask who knows it");
  CHECK(notes_on_show(talk.view).stop == "ask who knows it");
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  talk.outside("# mine\n", "slide: Before all\n\n");
  talk.press("O");
  REQUIRE(talk.p().set.items.size() == 4);
  CHECK(talk.p().place == 2);
  CHECK(talk.p().overview_at == 2);
  CHECK_FALSE(off_set_list(talk.view));
  CHECK(stop_cards(talk.view)[0].title == "Before all");
  talk.press("O");
  // A talk that goes on, too; where its stop is gone, at the next.
  talk.press("Ctrl+F5");
  talk.outside("tilewalk://lesson/7/beat/2 \"Two\"  # second\n", "");
  talk.press("F5");
  CHECK(talk.p().place == 2);
  CHECK_FALSE(off_set_list(talk.view));
  REQUIRE(slide_on_show(talk.view));
  CHECK(slide_of(*slide_on_show(talk.view)).title == "Three");
  // A file that is empty for a moment or away takes nothing.
  put(talk.file, "");
  talk.press("O");
  CHECK(talk.p().set.items.size() == 3);
  std::filesystem::remove(talk.file);
  talk.press("O");
  talk.press("O");
  CHECK(talk.p().set.items.size() == 3);
}

TEST_CASE("What is written in the window leaves what another program wrote, of the same stop as well") {
  Talk talk;
  talk.press("F5");
  talk.press("O");
  talk.outside("# first", "# written outside");
  talk.press("R");
  talk.type("By hand");
  CHECK(talk.item(0).title == "By hand");
  CHECK(talk.item(0).note == "written outside");
  CHECK(talk.text().find("tilewalk://lesson/6/beat/1 \"By hand\"  # written outside\n") != std::string::npos);
  // While its field is open, too; and a line before it moves it.
  talk.press("Ctrl+N");
  talk.outside("# mine\n", "# mine\n# another thought\n");
  talk.outside("\"By hand\"", "\"From outside\"");
  talk.type("a note of mine");
  CHECK(talk.text().find("tilewalk://lesson/6/beat/1 \"From outside\"  # a note of mine\n") != std::string::npos);
  CHECK(talk.text().find("# another thought\n") != std::string::npos);
  // What was opened and left as it was changes nothing of the file's.
  talk.press("R");
  talk.outside("\"From outside\"", "\"Outside again\"");
  talk.type("From outside");
  CHECK(talk.text().find("\"Outside again\"  # a note of mine\n") != std::string::npos);
  CHECK(talk.item(0).title == "Outside again");
  // A stop moves with what was written of it.
  talk.outside("# a note of mine", "# theirs");
  talk.press("Ctrl+→");
  CHECK(talk.item(1).note == "theirs");
  CHECK(talk.p().place == 1);
  // And the note that is written at the stop itself.
  talk.press("O");
  talk.outside("\"Outside again\"", "\"Last\"");
  talk.press("Ctrl+N");
  talk.type("mine");
  CHECK(talk.text().find("tilewalk://lesson/6/beat/1 \"Last\"  # mine\n") != std::string::npos);
  CHECK(talk.item(1).title == "Last");
}

TEST_CASE("Where the stop that is being written is gone from the file, no other stop gets its words") {
  Talk talk;
  talk.press("F5");
  talk.press("O");
  for (const char* key : {"R", "Ctrl+N"}) {
    CAPTURE(key);
    put(talk.file, kTalk);
    talk.press("O");
    talk.press("O");
    talk.p().overview_at = 1;
    talk.press(key);
    talk.outside("tilewalk://lesson/7/beat/2 \"Two\"  # second\n", "");
    const std::string theirs = talk.text();
    talk.type("of the second");
    CHECK(talk.text() == theirs);
    CHECK(talk.view.notice.find("nothing was changed") != std::string::npos);
  }
  talk.press("O");
  put(talk.file, kTalk);
  talk.press("O");
  talk.press("O");
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  talk.press("Ctrl+N");
  talk.outside("tilewalk://lesson/7/beat/2 \"Two\"  # second\n", "");
  const std::string theirs = talk.text();
  talk.type("of the second");
  CHECK(talk.text() == theirs);
  CHECK(talk.view.notice.find("is not in it any more") != std::string::npos);
  CHECK(talk.view.editing == "field:note");  // what was typed is still there
  CHECK(talk.p().own_notes.empty());
}

TEST_CASE("Ctrl+Z in the overview takes back what the window changed, never what another program wrote") {
  Talk talk;
  talk.press("F5");
  talk.press("O");
  talk.press("Ctrl+D");
  REQUIRE(talk.p().set.items.size() == 4);
  talk.outside("# second", "# theirs");
  talk.press("Ctrl+Z");
  CHECK(talk.text().find("# theirs") != std::string::npos);
  CHECK(talk.view.notice.find("talk.set was changed by another program") == 0);
}

TEST_CASE("The stop that one stands at is taken out: the room sees the next, of the last the one before") {
  Talk talk;
  talk.press("F5");
  talk.press("O");
  talk.press("Delete");
  CHECK(talk.p().overview);
  CHECK(talk.p().place == 0);
  CHECK_FALSE(off_set_list(talk.view));
  REQUIRE(lesson_on_show(talk.view));
  CHECK(lesson_on_show(talk.view)->number == 7);
  CHECK(talk.view.notice == "Stop 1 is out of the list. Ctrl+Z takes it back.");
  talk.press("Ctrl+Z");
  CHECK(talk.p().overview_at == 0);  // what came back
  CHECK(talk.p().place == 1);
  CHECK_FALSE(off_set_list(talk.view));
  talk.press("O");
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  talk.press("O");
  talk.press("Delete");
  CHECK(talk.p().place == 1);
  CHECK_FALSE(off_set_list(talk.view));
  CHECK_FALSE(slide_on_show(talk.view));
  CHECK(lesson_on_show(talk.view)->number == 7);
  // Another stop than one's own leaves the room's picture alone.
  talk.press("←");
  talk.press("Delete");
  CHECK(talk.p().place == 0);
  CHECK_FALSE(off_set_list(talk.view));
  CHECK(lesson_on_show(talk.view)->number == 7);
}

TEST_CASE("The time at this stop goes on while stops are put in order, and begins anew where the stop is another") {
  Talk talk;
  talk.press("F5");
  talk.press("Page Down");
  while (talk.view.present.place < 1) talk.press("Page Down");
  const auto here = [&] { return time_at_stop(talk.view); };
  pass_presentation_time(talk.view, 60);
  const double before = here();
  REQUIRE(before >= 60);
  talk.press("O");
  for (const char* key : {"Ctrl+→", "Ctrl+←", "Ctrl+←", "Ctrl+Z"}) {
    CAPTURE(key);
    const int place = talk.view.present.place;
    talk.press(key);
    CHECK(talk.view.present.place != place);
    CHECK(here() > before);
  }
  // Another stop that changes places with it, and one that goes.
  talk.press("Home");
  talk.press("Ctrl+→");
  CHECK(here() > before);
  talk.press("Ctrl+Z");
  CHECK(here() > before);
  talk.press("Home");
  talk.press("→");
  talk.press("Delete");
  CHECK(here() < 10);
}

TEST_CASE("A slide that was begun with A is gone again with Esc") {
  Talk talk;
  talk.press("F5");
  talk.press("O");
  const std::string before = talk.text();
  talk.press("A");
  REQUIRE(talk.view.editing == "field:stop-title");
  leave_typing(talk.view);  // Esc
  CHECK(talk.view.editing.empty());
  CHECK(talk.text() == before);
  CHECK(talk.p().set.items.size() == 3);
  CHECK(talk.p().overview_at == 0);
  // Once it is called something it stays, whatever is left later.
  talk.press("A");
  talk.type("Mine");
  talk.press("R");
  leave_typing(talk.view);
  CHECK(talk.p().set.items.size() == 4);
  CHECK(talk.item(1).link == "slide: Mine");
  // Behind bars stand its lines, as in the list's file; a title alone leaves them.
  talk.press("R");
  talk.type("To take home | one pass # 1 | | no S in memory");
  CHECK(talk.item(1).link == "slide: To take home | one pass No.  1 | no S in memory");
  talk.press("R");
  talk.type("Take home");
  CHECK(talk.item(1).link == "slide: Take home | one pass No.  1 | no S in memory");
}

}  // namespace tilewalk::test_changed_outside
