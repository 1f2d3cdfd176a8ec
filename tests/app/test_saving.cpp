// Pictures and tables in files: where, under which name, and what is said when it cannot be.
#include "app/session/commands.h"
#include "app/window/lesson_files.h"
#include "app/window/wishes.h"
#include "tests/app/null_screen.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewalk::test_saving {
namespace fs = std::filesystem;

namespace {

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("tilewalk-saving-" + std::to_string(::getpid()));
  Scratch() { fs::create_directory(path); }
  ~Scratch() { fs::remove_all(path); }
};

std::string content(const fs::path& file) {
  std::stringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("What is on the stage is saved under its name, and never over a file that is there") {
  const Scratch scratch;
  Session session;
  ViewState view;
  view.board.board = "clocks";
  CHECK(has(save_svg(session, view, scratch.path), "tilewalk-clocks.svg"));
  CHECK(has(save_svg(session, view, scratch.path), "tilewalk-clocks-2.svg"));
  CHECK(has(content(scratch.path / "tilewalk-clocks.svg"), "<title>Two clocks</title>"));
  CHECK(has(save_csv(session, view, scratch.path), "tilewalk-clocks.csv"));
  CHECK(content(scratch.path / "tilewalk-clocks.csv").starts_with("id,label,value,unit,origin,source\n"));
  view.board = {};
  CHECK(has(save_svg(session, view, scratch.path), "tilewalk-fa2-step-0.svg"));
  CHECK(has(save_csv(session, view, scratch.path), "tilewalk-fa2-step-0.csv"));
}

TEST_CASE("A folder that cannot be written says so with its path, and leaves nothing behind") {
  Session session;
  const ViewState view;
  const fs::path nowhere = "/no/such/folder";
  for (const std::string& said : {save_svg(session, view, nowhere), save_csv(session, view, nowhere),
                                  save_png(session, view, nowhere, {1280, 720})}) {
    CHECK(has(said, "/no/such/folder/tilewalk-fa2-step-0"));
    CHECK(said.ends_with('.'));
    CHECK_FALSE(has(said, "Saved"));
  }
}

TEST_CASE("The commands save into the window's folder") {
  const Scratch scratch;
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window(textures);
  window.pictures = scratch.path;
  run_command("export", window.session, window.view);
  run_command("export-csv", window.session, window.view);
  carry_out_wishes(window, screen);
  CHECK(fs::exists(scratch.path / "tilewalk-fa2-step-0.svg"));
  CHECK(fs::exists(scratch.path / "tilewalk-fa2-step-0.csv"));
  CHECK(has(window.view.notice, scratch.path.string()));
}

TEST_CASE("Progress that cannot be kept is said at every change, and kept as soon as it can be") {
  const Scratch scratch;
  const fs::path folder = scratch.path / "data";
  LessonFiles files({fs::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"}, folder / "progress.json");
  std::ofstream(folder) << "a file where the folder should be";
  ViewState view;
  files.open(view);
  for (int change = 0; change < 2; ++change) {
    view.notice.clear();
    view.lesson.progress_changed = true;
    files.save(view, change);
    CHECK(has(view.notice, "Progress is not kept."));
    CHECK(has(view.notice, folder.string()));
  }
  CHECK(has(files.save_rest(), "Progress is not kept."));
  fs::remove(folder);
  fs::create_directory(folder);
  CHECK(files.save_rest().empty());
  CHECK(fs::exists(folder / "progress.json"));
}

}  // namespace tilewalk::test_saving
