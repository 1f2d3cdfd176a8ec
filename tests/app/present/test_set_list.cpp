// Set lists: read, walked with the clicker, and what a bad line does.
#include "app/session/lesson_moves.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "core/io/file.h"
#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace tilewalk;

namespace {

const char* const kTalk =
    "# A talk\n"
    "\n"
    "tilewalk://lesson/6/beat/1  # why a max runs\n"
    "tilewalk://lesson/7/beat/2#kept  \r\n"
    "see slide 12\n"
    "tilewalk://lesson/99  # gone\n"
    "tilewalk://lesson/7/beat/4\t# the row in numbers # twice\n";

}  // namespace

TEST_CASE("A set list is links and notes; a line that is none is said with file and line, the rest works") {
  const SetList list = read_set_list(kTalk, "talks/a.set");
  REQUIRE(list.items.size() == 4);
  CHECK(list.items[0].link == "tilewalk://lesson/6/beat/1");
  CHECK(list.items[0].note == "why a max runs");
  CHECK(list.items[0].line == 3);
  CHECK(list.items[1].note.empty());
  CHECK(list.items[3].note == "the row in numbers # twice");
  REQUIRE(list.faults.size() == 1);
  CHECK(list.faults[0].find("a.set line 5") != std::string::npos);
  CHECK(list.faults[0].find("see slide 12") != std::string::npos);
  CHECK(read_set_list("", "a.set").items.empty());
}

TEST_CASE("Page Down walks the list, past a line that leads nowhere") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  view.present.set = read_set_list(kTalk, "a.set");
  begin_presenting(session, view, true);
  CHECK(lesson_on_show(view)->number == 6);
  CHECK(view.lesson.beat == 0);
  const auto next = [&] {
    const int place = view.present.place;
    for (int k = 0; k < 20 && view.present.place == place; ++k) present_next(session, view);
  };
  next();
  CHECK(lesson_on_show(view)->number == 7);
  CHECK(view.lesson.beat == 1);
  next();
  CHECK(view.present.place == 3);
  CHECK(view.lesson.beat == 3);
  CHECK(presented_share(view) == 1);
  for (int k = 0; k < 20 && view.notice.empty(); ++k) present_next(session, view);
  CHECK(view.notice == "That was the last of the set list.");
  while (view.present.question) present_back(session, view);
  present_back(session, view);
  CHECK(view.present.place == 1);
}

TEST_CASE("A file that is not there keeps the list that was") {
  Session session;
  ViewState view;
  view.present.set = read_set_list("tilewalk://walk\n", "a.set");
  CHECK_FALSE(use_set_list(session, view, "no/such/list.set").empty());
  CHECK(view.present.set.items.size() == 1);
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-empty.set";
  std::ofstream(file) << "# nothing\n";
  CHECK(use_set_list(session, view, file).find("no links") != std::string::npos);
  std::filesystem::remove(file);
}

TEST_CASE("A view that is added is a line more") {
  CHECK(with_item("", "tilewalk://walk", "") == "tilewalk://walk\n");
  CHECK(with_item("a", "tilewalk://walk", "the end") == "a\ntilewalk://walk  # the end\n");
}

TEST_CASE("In the overview stops move, are there twice, go and come back, and the file follows with its comments") {
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-edit.set";
  const std::string text =
      "# my talk\ntilewalk://lesson/6/beat/1  # first\n\nslide: A title\n# a thought\ntilewalk://lesson/7/beat/2\n";
  write_file(file, text);
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(use_set_list(session, view, file).empty());
  begin_presenting(session, view, true);
  Presentation& p = view.present;
  toggle_overview(view);
  const auto press = [&](Key key, bool ctrl, char32_t character = 0) {
    KeyPress k;
    k.key = key, k.ctrl = ctrl, k.character = character;
    CHECK(overview_key(k, session, view));
  };
  press(Key::Right, true);
  CHECK(p.overview_at == 1);
  CHECK(p.place == 1);  // one stands where one stood
  CHECK(read_file(file) ==
        "# my talk\nslide: A title\n\ntilewalk://lesson/6/beat/1  # first\n# a thought\ntilewalk://lesson/7/beat/2\n");
  CHECK(p.set.items[1].note == "first");
  press(Key::Character, true, U'd');
  CHECK(p.set.items.size() == 4);
  CHECK(p.set.items[2].link == p.set.items[1].link);
  press(Key::Delete, false);
  CHECK(p.set.items.size() == 3);
  for (int k = 0; k < 3; ++k) press(Key::Character, true, U'z');
  CHECK(read_file(file) == text);
  CHECK(p.set.items.size() == 3);
  press(Key::Character, true, U'z');
  CHECK(view.notice == "Nothing was changed in the set list.");
  // Past the ends nothing is moved, and a file that somebody else has changed is left alone.
  p.overview_at = 0;
  press(Key::Left, true);
  CHECK(read_file(file) == text);
  write_file(file, "tilewalk://walk\n");
  press(Key::Right, true);
  CHECK(read_file(file) == "tilewalk://walk\n");
  CHECK(view.notice.find("nothing was changed") != std::string::npos);
  std::filesystem::remove(file);
}
