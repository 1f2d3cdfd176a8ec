// The screen is kept awake by whichever of the desktop's programs is there, for as long as the talk goes on and not a
// moment longer, whatever becomes of this program. A stand-in on PATH takes their place.
#include "app/shell/desktop/awake.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_awake {

namespace fs = std::filesystem;

namespace {

// A folder that is all of PATH but for the system's shell tools, with a stand-in that says how it was called, then runs
// the command at its end as the real one does.
struct Desktop {
  fs::path folder = fs::temp_directory_path() / ("tilewalk-awake-" + std::to_string(getpid()));
  std::string path_before = std::getenv("PATH") ? std::getenv("PATH") : "";
  explicit Desktop(const char* program) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const char* tool : {"cat", "rm", "sh"})
      for (const char* place : {"/bin/", "/usr/bin/"})
        if (!fs::exists(folder / tool) && fs::exists(std::string(place) + tool))
          fs::create_symlink(std::string(place) + tool, folder / tool);
    if (program) {
      std::ofstream(folder / program) << "#!/bin/sh\necho \"$@\" > " << said() << "\necho $$ > " << pid_file()
                                      << "\nfor last; do :; done\n$last\nrm -f " << pid_file() << "\n";
      fs::permissions(folder / program, fs::perms::owner_all);
    }
    setenv("PATH", folder.c_str(), 1);
  }
  ~Desktop() {
    setenv("PATH", path_before.c_str(), 1);
    fs::remove_all(folder);
  }
  fs::path said() const { return folder / "said"; }
  fs::path pid_file() const { return folder / "pid"; }
  std::string words() const {
    std::ostringstream text;
    text << std::ifstream(said()).rdbuf();
    return text.str();
  }
};

bool soon(const std::function<bool()>& happens) {
  for (int tries = 0; tries < 400; ++tries) {
    if (happens()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("The screen stays awake while it is asked to, and no longer") {
  const Desktop desktop("systemd-inhibit");
  Awake awake;
  CHECK_FALSE(fs::exists(desktop.said()));
  awake.hold(true);
  REQUIRE(soon([&] { return fs::exists(desktop.pid_file()); }));
  CHECK(desktop.words().find("--what=idle:sleep") != std::string::npos);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(fs::exists(desktop.pid_file()));
  awake.hold(false);
  CHECK(soon([&] { return !fs::exists(desktop.pid_file()); }));
}

TEST_CASE("A crash lets the screen sleep again") {
  const Desktop desktop("gnome-session-inhibit");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Awake awake;
    awake.hold(true);
    for (;;) pause();
  }
  const bool began = soon([&] { return fs::exists(desktop.pid_file()); });
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  REQUIRE(began);
  CHECK(soon([&] { return !fs::exists(desktop.pid_file()); }));
}

TEST_CASE("A desktop without such a program is quietly left alone") {
  const Desktop desktop(nullptr);
  Awake awake;
  awake.hold(true);
  CHECK(awake.held());
  awake.hold(false);
  CHECK_FALSE(awake.held());
}

}  // namespace tilewalk::test_awake
