// Write in a window without a display: what is typed comes to its text, and what is written is kept.
#include "app/session/commands.h"
#include "app/session/write_moves.h"
#include "core/puzzle/puzzle.h"
#include "app/window/draft.h"
#include "core/io/file.h"
#include "tests/app/null_screen.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace tilewalk::test_write_window {

namespace {

struct Typed {
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window{textures};

  Typed() {
    screen.pixels = {1280, 720};
    frame(window, screen);
    run_command("write", window.session, window.view);
    begin_program(window.session, window.view, "fa2");
    window.view.write.program.caret = window.view.write.program.anchor = 0;
    window.redraw = 1;
    frame(window, screen);
  }
  void press(KeyPress key) {
    for (const auto kind : {InputEvent::KeyDown, InputEvent::KeyUp}) {
      InputEvent event;
      event.kind = kind;
      event.key = key;
      screen.next.push_back(std::move(event));
    }
    for (int k = 0; k < 4; ++k) frame(window, screen);
  }
  void type(std::string_view words) {
    for (const char c : words)
      press(c == ' ' ? KeyPress{.key = Key::Space} : KeyPress{.key = Key::Character, .character = char32_t(c)});
  }
  const std::string& text() const { return window.view.write.program.text; }
};

}  // namespace

TEST_CASE("letters, copies and pastes come to the text of Write") {
  Typed t;
  t.type("# why ");
  CHECK(t.text().starts_with("# why # FlashAttention-2"));
  t.press({.key = Key::Home, .shift = true});
  t.press({.key = Key::Character, .character = U'c', .ctrl = true});
  CHECK(std::string(ImGui::GetClipboardText()) == "# why ");
  t.press({.key = Key::Home});
  t.press({.key = Key::Character, .character = U'v', .ctrl = true});
  CHECK(t.text().starts_with("# why # why # Fl"));
  t.press({.key = Key::Character, .character = U'z', .ctrl = true});
  CHECK(t.text().starts_with("# why # Fl"));
  CHECK(t.window.view.editing.empty());
}

TEST_CASE("Ctrl+S in the text saves it to a file of its own") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tilewalk-write-window";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Typed t;
  t.window.pictures = folder;
  t.type("#x ");
  CHECK_FALSE(is_written_saved(t.window.view));
  t.press({.key = Key::Character, .character = U's', .ctrl = true});
  CHECK(t.window.view.notice.find("Saved") == 0);
  CHECK(is_written_saved(t.window.view));
  CHECK(read_file(folder / "program.walk") == t.text());
  t.type("y");
  t.press({.key = Key::Character, .character = U's', .ctrl = true});
  CHECK(read_file(folder / "program.walk") == t.text());  // the same one
  t.type("z");
  t.press({.key = Key::Escape});
  t.press({.key = Key::Character, .character = U's', .ctrl = true});  // and with the focus elsewhere
  CHECK(is_written_saved(t.window.view));
  CHECK(read_file(folder / "program.walk") == t.text());
  std::filesystem::remove_all(folder);
}

TEST_CASE("what is written is there at the next start, and a damaged file of it is left alone") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tilewalk-write-draft";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  {
    Typed t;
    t.type("# mine ");
    t.window.view.write.solved = {"keep-p"};
    Draft draft(folder / "write.json");
    CHECK(draft.keep(t.window.view, 10).empty());
    CHECK(std::filesystem::exists(folder / "write.json"));
  }
  Typed t;
  Draft draft(folder / "write.json");
  ViewState view;
  draft.open(view);
  CHECK(view.write.program.text.starts_with("# mine # Flash"));
  CHECK(view.write.solved.contains("keep-p"));
  CHECK_FALSE(is_written_saved(view));
  Session session;
  open_write(session, view);
  CHECK(view.write.program.text.starts_with("# mine # Flash"));
  // Each text that was left is there, too, and the puzzle that was tried is tried on.
  REQUIRE(begin_puzzle_named(session, view, "streaming-max"));
  replace_all(view.write.program, "# streams");
  REQUIRE(begin_puzzle_named(session, view, "fuse-all"));
  replace_all(view.write.program, "# fuses");
  view.write.hints = 2;
  CHECK(draft.keep(view, 100).empty());
  {
    ViewState next;
    Session fresh;
    Draft again(folder / "write.json");
    again.open(next);
    open_write(fresh, next);
    REQUIRE(next.write.puzzle);
    CHECK(next.write.puzzle->id == "fuse-all");
    CHECK(next.write.program.text == "# fuses");
    CHECK(next.write.hints == 2);
    CHECK(fresh.problem().n_q == next.write.puzzle->problem.n_q);
    REQUIRE(begin_puzzle_named(fresh, next, "streaming-max"));
    CHECK(next.write.program.text == "# streams");
    back_to_own_text(fresh, next);
    CHECK(next.write.program.text.starts_with("# mine # Flash"));
    CHECK_FALSE(next.write.puzzle);
  }
  for (const char* damaged : {"", "[", "[1]", "{\"program\": 3, \"solved\": [1, \"no\"]}"}) {
    write_file(folder / "write.json", damaged);
    ViewState fresh;
    Draft other(folder / "write.json");
    other.open(fresh);
    CHECK(fresh.write.program.text.empty());
    CHECK(fresh.write.solved.empty());
  }
  Draft nowhere(folder / "not" / "there" / "write.json");
  std::filesystem::remove_all(folder);
  write_file(folder.string() + ".file", "x");
  Draft blocked(std::filesystem::path(folder.string() + ".file") / "write.json");
  CHECK_FALSE(blocked.keep(view, 10).empty());
  CHECK(blocked.keep(view, 20).empty());  // said once
  std::filesystem::remove(folder.string() + ".file");
}

}  // namespace tilewalk::test_write_window
