#include "core/io/settings.h"

#include "tests/core/io_helpers.h"
#include "tests/core/processes.h"

#include <sys/stat.h>

namespace tilewalk::test_settings {
namespace fs = std::filesystem;

namespace {

Settings unusual() {
  Settings s;
  s.theme = Theme::Projector;
  s.scale = 1.25;
  s.speed = 0.1;
  s.window_width = 1920;
  s.window_height = 1080;
  s.window_maximized = true;
  s.monitor = "DELL \"U2720Q\" \\ 27\n";
  s.gpu_worker = "ssh -p 22 me@\"lab\" tilewalk-gpu serve";
  s.rail_folded = true;
  s.right_column_hidden = true;
  s.reduced_motion = true;
  s.coach_seen = true;
  s.left_on_walk = true;
  s.last_problem = {{"N", "64"}, {"file", "/home/a/my \"heads\".npy"}, {"a key", ""}, {"\xC3\xA9", "\xE2\x82\xAC"}};
  return s;
}

}  // namespace

TEST_CASE("settings come back as they were saved") {
  const ScratchFolder folder;
  const fs::path file = folder / "deep/er/settings.toml";
  for (const Settings& settings : {Settings{}, unusual()}) {
    CHECK(save_settings(file, settings));
    const LoadedSettings loaded = load_settings(file, "1");
    CHECK(loaded.notices.empty());
    CHECK(loaded.settings == settings);
  }
  CHECK(read_file(file).find("# Speed of playing") != std::string::npos);
}

TEST_CASE("settings are written only when they change") {
  const ScratchFolder folder;
  const fs::path file = folder / "settings.toml";
  CHECK(save_settings(file, unusual()));
  struct stat before {
  }, after{};
  REQUIRE(::stat(file.c_str(), &before) == 0);
  CHECK(!save_settings(file, unusual()));
  REQUIRE(::stat(file.c_str(), &after) == 0);
  CHECK(before.st_ino == after.st_ino);
  CHECK(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
  Settings other = unusual();
  other.scale = 2;
  CHECK(save_settings(file, other));
  CHECK(!save_settings("", other));
  check_words(sentence_of("/proc/none", [&] { save_settings("/proc/none/settings.toml", other); }),
              {"could not be made"});
}

TEST_CASE("a missing settings file is no news") {
  const ScratchFolder folder;
  for (const fs::path& file : {folder / "settings.toml", folder / "none/settings.toml", fs::path()}) {
    const LoadedSettings loaded = load_settings(file, "1");
    CHECK(loaded.settings == Settings{});
    CHECK(loaded.notices.empty());
  }
  put(folder / "settings.toml", "");
  CHECK(load_settings(folder / "settings.toml", "1").notices.empty());
  CHECK(folder.names() == std::set<std::string>{"settings.toml"});
}

TEST_CASE("a damaged settings file is set aside and named once") {
  struct Bad {
    std::string text;
    std::vector<std::string> words;
  };
  const Bad list[] = {
      {"theme = \"dark\nscale = 2", {"damaged at line 1", "set aside as settings.toml.bad-7"}},
      {"scale = 1\nscale = 2\n", {"damaged at line 2"}},
      {std::string("\0\xFF\x13", 3), {"damaged at line 1"}},
      {std::string(2'000'000, '#'), {"too large", "set aside"}},
      {"version = 2\ntheme = \"dark\"", {"newer Tilewalk", "version 2", "set aside"}},
  };
  for (const Bad& bad : list) {
    const ScratchFolder folder;
    const fs::path file = put(folder / "settings.toml", bad.text);
    const LoadedSettings loaded = load_settings(file, "7");
    CHECK(loaded.settings == Settings{});
    REQUIRE(loaded.notices.size() == 1);
    check_words(loaded.notices[0], {file.string(), "defaults"});
    check_words(loaded.notices[0], bad.words);
    CHECK(loaded.notices[0].ends_with("."));
    CHECK(loaded.notices[0] == printable(loaded.notices[0]));
    CHECK(folder.names() == std::set<std::string>{"settings.toml.bad-7"});
    CHECK(read_file(folder / "settings.toml.bad-7") == bad.text);
    CHECK(load_settings(file, "7").notices.empty());
  }
  // A folder in its place moves too.
  const ScratchFolder folder;
  fs::create_directory(folder / "settings.toml");
  check_words(load_settings(folder / "settings.toml", "7").notices.at(0), {"is a folder", "set aside"});
  CHECK(save_settings(folder / "settings.toml", Settings{}));
}

TEST_CASE("single bad values fall back, with the line named") {
  const ScratchFolder folder;
  const fs::path file = put(folder / "settings.toml",
                            "theme = \"pink\"\n"
                            "scale = 9\n"
                            "speed = 0.01\n"
                            "window_width = -5\n"
                            "window_height = 1e300\n"
                            "window_maximized = 1\n"
                            "monitor = 7\n"
                            "reduced_motion = true\n"
                            "[last_problem]\n"
                            "N = 64\n"
                            "x = 0.5\n"
                            "causal = true\n"
                            "tile = [4, 4]\n"
                            "when = 2026-11-20\n");
  const LoadedSettings loaded = load_settings(file, "1");
  const Settings& s = loaded.settings;
  CHECK(s.theme == Theme::Light);
  CHECK(s.scale == 3);
  CHECK(s.speed == 0.1);
  CHECK(s.window_width == 640);
  CHECK(s.window_height == 16384);
  CHECK(!s.window_maximized);
  CHECK(s.monitor.empty());
  CHECK(s.reduced_motion);
  CHECK(s.last_problem == std::map<std::string, std::string>{{"N", "64"}, {"causal", "true"}, {"x", "0.5"}});
  std::string all;
  for (const std::string& notice : loaded.notices) {
    CHECK(notice.starts_with(file.string()));
    CHECK(notice.ends_with("."));
    all += notice + "\n";
  }
  CHECK(loaded.notices.size() == 9);
  check_words(all, {"line 1: theme is not \"light\", \"dark\" or \"projector\"",
                    "line 2: scale is outside 0.75 to 3 and was taken as 3", "line 3: speed is outside 0.1 to 8",
                    "line 4: window_width is outside 640 to 16384 and was taken as 640",
                    "line 5: window_height is outside 360 to 16384", "line 6: window_maximized is not true or false",
                    "line 7: monitor is not a text", "line 13: last_problem.tile", "line 14: last_problem.when"});
  CHECK(fs::exists(file));
  put(file, "scale = nan\nspeed = inf\nlast_problem = 3\nversion = \"x\"\n");
  CHECK(load_settings(file, "1").settings.scale == 1);
  CHECK(load_settings(file, "1").settings.speed == 8);
  CHECK(load_settings(file, "1").notices.size() == 3);
}

TEST_CASE("keys of other versions are kept without a word") {
  const ScratchFolder folder;
  const fs::path file = put(folder / "settings.toml",
                            "scale = 2\nfuture = \"yes\"\nlist = [1, 2]\n[remote]\nhost = \"gpubox\"\nport = 22\n"
                            "[last_problem]\nN = \"64\"\n");
  LoadedSettings loaded = load_settings(file, "1");
  CHECK(loaded.notices.empty());
  loaded.settings.scale = 1.5;
  CHECK(save_settings(file, loaded.settings));
  const LoadedSettings again = load_settings(file, "1");
  CHECK(again.notices.empty());
  CHECK(again.settings == loaded.settings);
  CHECK(again.settings.last_problem.at("N") == "64");
  check_words(read_file(file), {"future = ", "yes", "list = [ 1, 2 ]", "[remote]", "gpubox", "port = 22"});
  CHECK(!save_settings(file, again.settings));
}

TEST_CASE("a name that cannot be written so that it is read again is left out, with a word") {
  const ScratchFolder folder;
  const fs::path file = put(folder / "settings.toml", "\"n'''_q\" = 64\ntheme = \"dark\"\n");
  const LoadedSettings loaded = load_settings(file, "1");
  REQUIRE(loaded.notices.size() == 1);
  check_words(loaded.notices[0], {file.string(), "another version", "could not be kept"});
  CHECK(loaded.settings.theme == Theme::Dark);
  save_settings(file, loaded.settings);
  CHECK(load_settings(file, "1").notices.empty());
  CHECK(load_settings(put(folder / "nan.toml", "later = nan\n"), "1").settings.unknown == "later = nan");
}

TEST_CASE("a name of very many parts is refused before it takes the stack") {
  std::string name = "a";
  for (int k = 0; k < 200'000; ++k) name += ".b";
  const ScratchFolder folder;
  for (const std::string& text :
       {"[[" + name + "]]\n", "x = 1\n[" + name + "]\n", "y = { " + name + " = 1 }\n", name + " = 1\n"}) {
    const LoadedSettings loaded = load_settings(put(folder / "settings.toml", text), "1");
    REQUIRE(loaded.notices.size() == 1);
    check_words(loaded.notices[0], {"a name has too many parts", "set aside"});
    fs::remove(folder / "settings.toml.bad-1");
  }
  // Numbers and words with dots are no names.
  std::string numbers = "later = [1.5";
  for (int k = 0; k < 500; ++k) numbers += ", 2.5";
  CHECK(load_settings(put(folder / "numbers.toml", numbers + "]\n"), "1").notices.empty());
  CHECK(load_settings(put(folder / "words.toml", "later = \"" + std::string(500, '.') + "\"\n"), "1").notices.empty());
}

TEST_CASE("text that TOML cannot hold is made fit") {
  const ScratchFolder folder;
  Settings s;
  s.monitor = "bad \xFF byte";
  s.last_problem = {{"\x01", "\t\x7F"}};
  save_settings(folder / "settings.toml", s);
  const LoadedSettings loaded = load_settings(folder / "settings.toml", "1");
  CHECK(loaded.notices.empty());
  CHECK(loaded.settings.monitor == "bad ? byte");
  CHECK(loaded.settings.last_problem == s.last_problem);
}

TEST_CASE("mutated settings never throw") {
  const ScratchFolder folder;
  const fs::path file = folder / "settings.toml";
  std::mt19937 random(20261122);
  const std::string text = settings_text(unusual());
  int aside = 0;
  for (int i = 0; i < 3000; ++i) {
    put(file, mutated(text.substr(static_cast<size_t>(i) % text.size()), random));
    const LoadedSettings loaded = load_settings(file, "1");
    if (!fs::exists(file)) {
      ++aside;
      CHECK(!loaded.notices.empty());
      fs::remove(folder / "settings.toml.bad-1");
    }
    CHECK(loaded.settings.scale >= 0.75);
    CHECK(loaded.settings.scale <= 3);
    for (const std::string& notice : loaded.notices) CHECK(notice == printable(notice));
    // What was loaded can be saved and read again without complaint; now and then, as each save waits for the disk.
    if (i % 30 != 0) continue;
    save_settings(file, loaded.settings);
    const LoadedSettings again = load_settings(file, "1");
    CHECK(again.notices.empty());
    CHECK(again.settings == loaded.settings);
  }
  CHECK(aside > 500);
  CHECK(aside < 2900);
}

TEST_CASE("two windows keep each what it has changed") {
  // Every setting takes part.
  CHECK(merged(Settings{}, unusual(), Settings{}) == unusual());
  CHECK(merged(Settings{}, Settings{}, unusual()) == unusual());
  CHECK(merged(unusual(), Settings{}, unusual()) == Settings{});

  const ScratchFolder folder;
  const fs::path file = folder / "settings.toml";
  const Settings start;
  Settings one = start, two = start;
  one.theme = Theme::Dark;
  one.last_problem["N"] = "64";
  two.speed = 2;
  two.last_problem["d"] = "8";
  CHECK(keep_settings(file, start, one, "1", 1).empty());
  CHECK(keep_settings(file, start, two, "1", 1).empty());
  const Settings kept = load_settings(file, "1").settings;
  CHECK(kept.theme == Theme::Dark);
  CHECK(kept.speed == 2);
  CHECK(kept.last_problem == std::map<std::string, std::string>{{"N", "64"}, {"d", "8"}});
  // The window's place is one thing.
  Settings moved = one;
  moved.window_width = 700;
  keep_settings(file, start, moved, "1", 1);
  CHECK(load_settings(file, "1").settings.window_width == 700);

  // What is damaged meanwhile is set aside and said, and nothing of ours is lost.
  put(file, "theme = \"dark");
  check_words(keep_settings(file, start, two, "7", 1), {"damaged at line 1", "set aside as settings.toml.bad-7"});
  CHECK(load_settings(file, "1").settings == two);
  put(file, "version = 2\nshape = \"round\"");
  check_words(keep_settings(file, start, two, "8", 1), {"newer Tilewalk", "set aside as settings.toml.bad-8"});
  CHECK(read_file(folder / "settings.toml.bad-8") == "version = 2\nshape = \"round\"");
}

TEST_CASE("ten windows that set ten things at once lose none of them") {
  const ScratchFolder folder;
  const fs::path file = folder / "settings.toml";
  constexpr int kWindows = 10, kChanges = 20;
  in_processes(kWindows, [&](int k) {
    Settings known, now;
    for (int change = 0; change < kChanges; ++change, known = now) {
      now.last_problem[std::to_string(k)] = std::to_string(change);
      now.last_problem[std::to_string(k) + "/" + std::to_string(change)] = "set";
      keep_settings(file, known, now, "1", 60);
    }
  });
  const auto kept = load_settings(file, "1").settings.last_problem;
  CHECK(kept.size() == size_t(kWindows * (kChanges + 1)));
  for (int k = 0; k < kWindows; ++k) CHECK(kept.at(std::to_string(k)) == std::to_string(kChanges - 1));
  CHECK(folder.names() == std::set<std::string>{"settings.toml"});
}

TEST_CASE("what hides in a setting comes back as it was and is not written as it is") {
  const ScratchFolder folder;
  Settings s;
  s.monitor = "\u202E\u009B31m\x1B]0;x\x07";
  save_settings(folder / "settings.toml", s);
  CHECK(read_file(folder / "settings.toml") == printable(read_file(folder / "settings.toml"), "\n"));
  CHECK(load_settings(folder / "settings.toml", "1").settings == s);
}

}  // namespace tilewalk::test_settings
