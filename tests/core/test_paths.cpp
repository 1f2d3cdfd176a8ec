#include "core/io/paths.h"

#include "core/io/file.h"
#include "tests/core/io_helpers.h"

#include <sys/stat.h>
#include <unistd.h>

namespace tilewalk::test_paths {
namespace fs = std::filesystem;

TEST_CASE("XDG folders come from the variables, else from HOME, else from the account") {
  Environment environment;
  environment.home = "/home/a";
  environment.passwd_home = "/home/b";
  environment.program = "/opt/tilewalk/bin/tilewalk";
  Folders folders = find_folders(environment, false);
  CHECK(folders.config == "/home/a/.config/tilewalk");
  CHECK(folders.data == "/home/a/.local/share/tilewalk");
  CHECK(folders.state == "/home/a/.local/state/tilewalk");
  CHECK(folders.cache == "/home/a/.cache/tilewalk");
  CHECK(folders.notice.empty());

  environment.xdg_config_home = "/x/config";
  environment.xdg_data_home = "/x/data/";
  environment.xdg_state_home = "/x/state";
  environment.xdg_cache_home = "/x/cache";
  folders = find_folders(environment, false);
  CHECK(folders.config == "/x/config/tilewalk");
  CHECK(folders.data == "/x/data/tilewalk");
  CHECK(folders.state == "/x/state/tilewalk");
  CHECK(folders.cache == "/x/cache/tilewalk");

  // Relative and empty values count as unset.
  environment.xdg_config_home = "config";
  environment.xdg_data_home = "";
  folders = find_folders(environment, false);
  CHECK(folders.config == "/home/a/.config/tilewalk");
  CHECK(folders.data == "/home/a/.local/share/tilewalk");
  for (const std::optional<std::string>& home :
       {std::optional<std::string>(), std::optional<std::string>(""), std::optional<std::string>("relative")}) {
    environment.home = home;
    CHECK(find_folders(environment, false).config == "/home/b/.config/tilewalk");
  }
}

TEST_CASE("without any home nothing is kept, and one sentence says so") {
  Environment environment;
  environment.program = "/opt/tilewalk";
  Folders folders = find_folders(environment, false);
  CHECK(folders.config.empty());
  CHECK(folders.data.empty());
  CHECK(folders.state.empty());
  CHECK(folders.cache.empty());
  check_words(folders.notice, {"not kept", "HOME", "--portable"});
  // What has a place of its own keeps it.
  environment.xdg_config_home = "/x";
  folders = find_folders(environment, false);
  CHECK(folders.config == "/x/tilewalk");
  CHECK(folders.data.empty());
  CHECK(!folders.notice.empty());
  environment.xdg_data_home = "/y";
  CHECK(find_folders(environment, false).notice.empty());
}

TEST_CASE("portable keeps everything beside the program") {
  Environment environment;
  environment.home = "/home/a";
  environment.xdg_config_home = "/x";
  environment.program = "/media/stick/tilewalk";
  Folders folders = find_folders(environment, true);
  CHECK(folders.config == "/media/stick/tilewalk-data/config");
  CHECK(folders.data == "/media/stick/tilewalk-data/data");
  CHECK(folders.state == "/media/stick/tilewalk-data/state");
  CHECK(folders.cache == "/media/stick/tilewalk-data/cache");
  environment.program.clear();
  folders = find_folders(environment, true);
  CHECK(folders.config.empty());
  check_words(folders.notice, {"not kept", "folder of the program"});
}

TEST_CASE("what is saved goes into the pictures' folder where one is named") {
  Environment environment;
  CHECK(find_pictures(environment).empty());
  environment.xdg_pictures_dir = "Pictures";
  CHECK(find_pictures(environment).empty());
  environment.xdg_pictures_dir = "/home/a/Pictures";
  CHECK(find_pictures(environment) == "/home/a/Pictures");
}

TEST_CASE("the environment is read") {
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string saved = before ? before : "";
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  const Environment environment = read_environment();
  CHECK(environment.xdg_state_home == "/somewhere");
  CHECK(fs::exists(environment.program));
  ::unsetenv("XDG_STATE_HOME");
  CHECK(!read_environment().xdg_state_home);
  if (before) ::setenv("XDG_STATE_HOME", saved.c_str(), 1);
}

TEST_CASE("folders are made for their owner alone") {
  const ScratchFolder folder;
  const mode_t old = ::umask(0);
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/d/");
  ::umask(old);
  for (const char* made : {"a", "a/b", "a/b/c", "a/b/d"}) {
    struct stat status {};
    REQUIRE(::stat((folder / made).c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0700);
  }
  put(folder / "file", "x");
  check_words(sentence_of(folder / "file", [&] { make_folder(folder / "file/below"); }), {"a file where a folder"});
  check_words(sentence_of("/proc/none/a", [&] { make_folder("/proc/none/a"); }), {"could not be made"});
}

TEST_CASE("a desktop's name of a file is its path") {
  CHECK(path_of_url("file:///home/a%20b/%C3%A9+.run.json") == "/home/a b/\xC3\xA9+.run.json");
  CHECK(path_of_url("file://localhost/a") == "/a");
  CHECK(path_of_url("file:///100%") == "/100%");
  CHECK(path_of_url("file:///%zz%4") == "/%zz%4");
  CHECK_FALSE(path_of_url("file://"));
  CHECK_FALSE(path_of_url("tilewalk://lesson/6"));
  CHECK_FALSE(path_of_url("/home/a"));
}

TEST_CASE("what comes with the program is looked for where it belongs, and nowhere else near it") {
  const ScratchFolder folder;
  const auto found = [&](const fs::path& program) { return program_data(program, "recordings", "assets/recordings"); };
  using Paths = std::vector<fs::path>;
  // Installed, or unpacked anywhere.
  const fs::path bin = folder / "tilewalk-1/bin", installed = folder / "tilewalk-1/share/tilewalk/recordings";
  fs::create_directories(bin);
  CHECK(found(bin).empty());
  fs::create_directories(installed);
  CHECK(found(bin) == Paths{installed});
  // Around it is anybody's folder.
  for (const char* place : {"assets/recordings", "share/tilewalk/recordings", "tilewalk-1/assets/recordings",
                            "tilewalk-1/bin/assets/recordings", "tilewalk-1/bin/share/tilewalk/recordings"})
    fs::create_directories(folder / place);
  CHECK(found(bin) == Paths{installed});
  CHECK(found({}).empty());
  CHECK(found("/").empty());
  CHECK(found(folder / "tilewalk-1").empty());
  // A checkout, for a program that was built in it.
  put(folder / "tilewalk-1/CMakeCache.txt", "");
  CHECK(found(bin) == Paths{folder / "assets/recordings", installed});

  // A folder that others may write to, where they may not write to the program's.
  ::chmod((folder / "assets").c_str(), 0777);
  CHECK(found(bin) == Paths{installed});
  ::chmod(bin.c_str(), 0777);  // where they may, there is nothing to protect: a disk without permissions
  CHECK(found(bin) == Paths{folder / "assets/recordings", installed});
  ::chmod(bin.c_str(), 0755);
  if (::geteuid() != 0) return;
  // A stranger's.
  REQUIRE(::chown(installed.c_str(), 65534, 65534) == 0);
  CHECK(found(bin).empty());
  REQUIRE(::chown(installed.c_str(), 0, 0) == 0);
  fs::rename(folder / "tilewalk-1/share", folder / "theirs");
  fs::create_symlink(folder / "theirs", folder / "tilewalk-1/share");
  CHECK(found(bin) == Paths{installed});
  REQUIRE(::lchown((folder / "tilewalk-1/share").c_str(), 65534, 65534) == 0);
  CHECK(found(bin).empty());
}

}  // namespace tilewalk::test_paths
