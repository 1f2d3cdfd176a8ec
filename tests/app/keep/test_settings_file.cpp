// Settings while a window is open: kept at once, once a second, and tried again where they could not be.
#include "app/window/settings_file.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_settings_file {
namespace fs = std::filesystem;

TEST_CASE("a setting is in its file as soon as it is changed, and one a moment later within the second") {
  const ScratchFolder folder;
  const fs::path path = folder / "config/settings.toml";
  SettingsFile file(path, [] { return std::string("1"); });
  std::vector<std::string> notices;
  Settings now = file.open(notices);
  CHECK(notices.empty());
  CHECK(file.look(now, 0).empty());
  CHECK_FALSE(fs::exists(path));
  CHECK(std::isinf(file.seconds_to_look(0)));
  now.speed = 2;
  CHECK(file.look(now, 5).empty());
  CHECK(load_settings(path, "1").settings.speed == 2);
  now.speed = 3;
  CHECK(file.look(now, 5.2).empty());
  CHECK(load_settings(path, "1").settings.speed == 2);
  CHECK(file.seconds_to_look(5.2) == doctest::Approx(0.8));
  CHECK(file.look(now, 6).empty());
  CHECK(load_settings(path, "1").settings.speed == 3);
  CHECK(std::isinf(file.seconds_to_look(6)));
}

TEST_CASE("what cannot be kept is said once, tried again and again, and kept when it can be") {
  const ScratchFolder folder;
  const fs::path path = folder / "config/settings.toml";
  put(folder / "config", "a file where the folder should be");
  SettingsFile file(path, [] { return std::string("1"); });
  std::vector<std::string> notices;
  Settings now = file.open(notices);
  now.speed = 2;
  check_words(file.look(now, 0), {"Settings are not kept.", "is a file where a folder is needed"});
  CHECK(file.look(now, 0.1).empty());
  CHECK(file.look(now, 1).empty());
  CHECK(file.seconds_to_look(1) == doctest::Approx(0.25));
  check_words(file.finish(now), {"Settings are not kept."});
  fs::remove(folder / "config");
  CHECK(file.look(now, 2).empty());
  CHECK(load_settings(path, "1").settings.speed == 2);
  CHECK(file.finish(now).empty());
}

TEST_CASE("two windows' settings stand side by side, and a hand that edits the file is respected") {
  const ScratchFolder folder;
  const fs::path path = folder / "settings.toml";
  SettingsFile one(path, [] { return std::string("1"); }), two(path, [] { return std::string("1"); });
  std::vector<std::string> notices;
  Settings first = one.open(notices), second = two.open(notices);
  first.theme = Theme::Dark;
  one.look(first, 0);
  second.scale = 1.5;
  two.look(second, 0);
  CHECK(load_settings(path, "1").settings.theme == Theme::Dark);
  put(path, read_file(path) + "\nown = 1\n");
  first.speed = 4;
  one.look(first, 5);
  const Settings kept = load_settings(path, "1").settings;
  CHECK(kept.scale == 1.5);
  CHECK(kept.speed == 4);
  CHECK(kept.unknown.find("own") != std::string::npos);
}

}  // namespace tilewalk::test_settings_file
