// What the window begins with, where the command line asks for what is not there.
#include "app/session/tools.h"
#include "app/window/beginning.h"
#include "tests/app/learner.h"

namespace tilewalk::test_beginning {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("a lesson or a board that is not there is said, with what there is") {
  Learner l;
  WindowOptions options;
  options.lesson = "99";
  begin(options, l.session, l.view);
  CHECK(l.view.notice == "Lesson 99 is not there: the path has lessons 1 to 4.");
  CHECK(l.view.lesson.id.empty());

  ViewState bare;
  begin(options, l.session, bare);
  CHECK(has(bare.notice, "no lessons were found"));

  options = {};
  options.board = "x?N=4";
  ViewState view;
  begin(options, l.session, view);
  CHECK(has(view.notice, "There is no board called \"x\"; there are clocks"));
  CHECK_FALSE(tool_open(view));

  options.board = "clocks?N=1024&bogus=1";
  begin(options, l.session, view = {});
  CHECK(tool_open(view));
  CHECK(view.board.knobs.at("N") == 1024);
  CHECK(has(view.notice, "bogus"));
}

TEST_CASE("what the command line asks for in vain is handed back, each thing once; what it got is not") {
  Learner l;
  WindowOptions options;
  options.files = {"/nowhere/mine.npy"};
  options.set_list = "/nowhere/talk.set";
  options.commands = {"nosuch"};
  options.link = "tilewalk://nowhere/at/all";
  options.at = "tile of nothing";
  const std::vector<std::string> undone = begin(options, l.session, l.view);
  REQUIRE(undone.size() == 5);
  CHECK(l.view.notice == undone.back());
  CHECK(has(undone[1], "/nowhere/mine.npy"));
  CHECK(has(undone[3], "/nowhere/talk.set"));
  CHECK(undone[4] == "The command \"nosuch\" is not there, or not now.");

  options = {};
  options.preset = "causal";
  options.link = "tilewalk://walk/step/12?seed=9";
  options.commands = {"tab-numbers"};
  CHECK(begin(options, l.session, l.view).empty());
}

TEST_CASE("--present begins at the place that a link or a beat names, else with the lesson's first beat") {
  const auto begun = [](auto set) {
    Learner l;
    WindowOptions options;
    options.lesson = "1";
    options.present = true;
    set(options);
    CHECK(begin(options, l.session, l.view).empty());
    CHECK(l.view.present.on);
    return l.view.lesson.beat;
  };
  CHECK(begun([](WindowOptions&) {}) == 0);
  CHECK(begun([](WindowOptions& options) { options.link = "tilewalk://lesson/1/beat/2"; }) == 1);
  CHECK(begun([](WindowOptions& options) { options.files = {"tilewalk://lesson/1/beat/2"}; }) == 1);
  CHECK(begun([](WindowOptions& options) { options.beat = 2; }) == 1);
}

}  // namespace tilewalk::test_beginning
