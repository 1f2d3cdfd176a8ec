// What a run leaves behind that does not come to its end, and what the next start makes of it.
#include "app/panels/panels.h"
#include "app/scene/layout_check.h"
#include "app/session/overlays.h"
#include "app/session/commands.h"
#include "app/session/diagnostics.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/window/run_marker.h"
#include "core/io/file.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_run_marker {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLink = "tilewalk://lesson/7/beat/3";

struct Folder {
  fs::path path = fs::temp_directory_path() / ("tilewalk-marker-" + std::to_string(getpid()));
  Folder() { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
};

// Runs a process of its own that says where it is, and ends it that way.
template <typename End>
void run(const fs::path& folder, End&& end) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGTERM, SIG_DFL);  // as in the program
    {
      RunMarker marker(folder);
      marker.note("tilewalk://lesson/1");
      marker.note(kLink);
      end();
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

TEST_CASE("A crash leaves the last link for the next start, once") {
  const Folder folder;
  CHECK_FALSE(take_left_over(folder.path));
  run(folder.path, [] { raise(SIGKILL); });
  CHECK(take_left_over(folder.path).value_or("") == kLink);
  CHECK_FALSE(take_left_over(folder.path));
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("A run that ends, by itself or because it is asked to, leaves nothing") {
  const Folder folder;
  run(folder.path, [] {});
  CHECK_FALSE(take_left_over(folder.path));
  run(folder.path, [] { raise(SIGTERM); });
  CHECK_FALSE(take_left_over(folder.path));
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("A run that goes on is no crash, and a folder that cannot be written is no trouble") {
  const Folder folder;
  {
    RunMarker marker(folder.path);
    marker.note(kLink);
    CHECK_FALSE(take_left_over(folder.path));
    CHECK(fs::exists(folder.path / std::to_string(getpid())));
  }
  CHECK(fs::is_empty(folder.path));
  RunMarker nowhere("/proc/tilewalk");
  nowhere.note(kLink);
  CHECK_FALSE(take_left_over("/proc/tilewalk"));
}

TEST_CASE("The offer leads to where the last run was, has its log for who helps, and goes with Esc") {
  const auto begin = [&](ViewState& view) {
    give_shipped_lessons(view);
    view.over = LeftOverOffer{};
    view.left_over = {kLink, {"2026-11-20T21:03:11Z INFO the last words"}};
    view.focus = "left-over:go";
  };
  Session session;
  ViewState view;
  begin(view);
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}}) {
    Scene scene;
    scene.size = size;
    layout_left_over(scene, view, {0, 0, size.x, size.y}, Style(Theme::Light, 1));
    for (const std::string& fault : layout_faults(scene, 14, 1)) FAIL_CHECK(fault);
  }
  CHECK(overlay_open(view));
  const std::string diagnostics = program_diagnostics(session, view, {});
  CHECK(diagnostics.find(kLink) != std::string::npos);
  CHECK(diagnostics.find("the last words") != std::string::npos);
  key_pressed(parse_keys("Enter").at(0), layout_window(session, view, {1280, 720}), session, view);
  CHECK_FALSE(overlay_open(view));
  REQUIRE(lesson_on_show(view));
  CHECK(lesson_on_show(view)->number == 7);
  CHECK(view.lesson.beat == 2);

  ViewState other;
  begin(other);
  key_pressed(parse_keys("Esc").at(0), layout_window(session, other, {1280, 720}), session, other);
  CHECK_FALSE(overlay_open(other));
}

}  // namespace tilewalk::test_run_marker
