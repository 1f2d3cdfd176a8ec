// Set lists: read, walked with the clicker, and what a bad line does.
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"

#include "app/session/set_list.h"
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
