// Places that are kept and found during a talk: Ctrl+D behind the stop that one is at, and back; G to the speaker's own
// stop of a lesson first; and the foot of the wall, whose words stand in one order at all stops of a board.
#include "app/boards/board.h"
#include "app/session/set_reread.h"
#include "app/session/talk_target.h"
#include "app/state/board_history.h"
#include "app/window/wishes.h"

#include "core/io/file.h"

#include "tests/app/null_screen.h"
#include "tests/app/present/talk.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

namespace tilewalk::test_kept_places {

namespace {

std::string foot_of(const std::string& wall, std::string_view word) {
  const size_t at = wall.find(word);
  if (at == std::string::npos) return {};
  const size_t begin = wall.rfind('\n', at) + 1;
  return wall.substr(begin, wall.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("In a talk Ctrl+D keeps the place behind the stop, and Ctrl+Z takes it back as long as that is said") {
  const ScratchFolder folder;
  const std::filesystem::path file = folder.path / "talk.set";
  const std::string before = "# mine\ntilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/2\n";
  std::ofstream(file) << before;
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window(textures);
  give_shipped_lessons(window.view);
  window.pictures = folder.path;
  REQUIRE(use_set_list(window.session, window.view, file).empty());
  begin_presenting(window.session, window.view, true);
  window.view.present.screens = Screens::Two;
  const auto press = [&](std::string_view keys) {
    const Scene now = layout_presenter(window.session, window.view, {1920, 1080});
    for (const KeyPress& key : parse_keys(keys)) key_pressed(key, now, window.session, window.view);
    carry_out_wishes(window, screen);
  };
  press("Ctrl+5");
  press("Ctrl+D");
  const auto& items = window.view.present.set.items;
  REQUIRE(items.size() == 3);
  CHECK(items[1].link.starts_with("tilewalk://board/estimate"));
  CHECK(window.view.present.place == 0);
  CHECK_MESSAGE(window.view.notice.find("stop 2, Estimate. Ctrl+Z takes it back.") != std::string::npos,
                window.view.notice);
  press("Ctrl+Z");
  CHECK(read_file(file) == before);
  CHECK(items.size() == 2);
  CHECK(window.view.notice == "The set list is as it was before.");

  // With a knob turned, and the method that then runs: that is in the link, and is not what is taken back.
  const Board& estimate = *board_named("estimate");
  turn_to(estimate, window.view.board, "gpu", 0);
  const double gpu = knob_value(estimate, window.view.board, "gpu");
  note_work(window.view);
  press("Ctrl+D");
  CHECK_MESSAGE(window.view.notice.find("stays here") == std::string::npos, window.view.notice);
  press("Ctrl+Z");
  CHECK(read_file(file) == before);
  CHECK(knob_value(estimate, window.view.board, "gpu") == gpu);
}

TEST_CASE("G leads to the speaker's own stop of a lesson that is called so before any other of its beats") {
  Talk talk("tilewalk://lesson/6/beat/1\ntilewalk://lesson/8/beat/4\ntilewalk://lesson/9/beat/2\n");
  for (const char* words : {"backward", "Backward, no matrix"}) {
    CAPTURE(std::string(words));
    CHECK(talk_target(words, talk.session, talk.view).place == 1);
  }
  CHECK(talk_target("8.1", talk.session, talk.view).place == -1);
}

TEST_CASE("What a board's wall says at its foot stands in one order at all of its stops") {
  Talk talk("tilewalk://lesson/1/beat/3\ntilewalk://lesson/1/beat/5\n");
  std::string answered;
  while (talk.p().place == 0) {
    answered = foot_of(talk.room(), "Tensor cores faster");
    talk.press("Page Down");
  }
  REQUIRE_FALSE(answered.empty());
  CHECK(foot_of(talk.room(), "Tensor cores faster") == answered);
}

}  // namespace tilewalk::test_kept_places
