#include "app/session/commands.h"
#include "app/shell/web/keys.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

namespace tilewalk {

TEST_CASE("A browser's names of keys are the program's keys") {
  CHECK(key_press({"ArrowRight"}).key == Key::Right);
  CHECK(key_press({"ArrowRight", true}).ctrl);
  CHECK(key_press({" "}).key == Key::Space);
  CHECK(key_press({"F5", false, true}).shift);
  for (const char* name : {"Dead", "Shift", "Control", "F12", "Unidentified", "", "AudioVolumeUp"})
    CHECK(key_press({name}).key == Key::None);
}

TEST_CASE("Characters come as they are printed, letters with Ctrl without their Shift") {
  const KeyPress plus = key_press({"+", false, true});
  CHECK(plus.character == U'+');
  CHECK_FALSE(plus.shift);
  CHECK(key_press({"é"}).character == U'é');
  CHECK(key_press({"𝛼"}).character == U'𝛼');
  CHECK(key_press({"ab"}).key == Key::None);
  const KeyPress save = key_press({"S", true, true});
  CHECK(save.character == U's');
  CHECK(save.shift);
  CHECK(key_press({"a", true, false, true}).key == Key::None);           // Ctrl+Alt+A is the system's
  CHECK(key_press({"ArrowLeft", false, false, true}).key == Key::None);  // Alt+Left goes back
  CHECK(key_press({"@", false, false, true}).character == U'@');         // as macOS types it
}

TEST_CASE("Every key of the key sheet can come from a browser") {
  for (const Command& command : commands())
    for (const KeyPress& wanted : parse_keys(command.keys)) {
      if (wanted.key != Key::Character) continue;
      std::string name;
      if (wanted.character < 128) name = char(wanted.character);
      if (name.empty()) continue;
      CAPTURE(command.id);
      CHECK(same_key(key_press({name, wanted.ctrl, wanted.shift}), wanted));
    }
}

TEST_CASE("No command needs a key that browsers keep for themselves, and each has keys of its own") {
  std::map<std::string, std::string> keys;
  for (const Command& command : commands()) keys[std::string(command.id)] = command.keys;
  for (const OtherKeys& change : browser_keys()) {
    CAPTURE(change.id);
    REQUIRE(keys.count(std::string(change.id)) == 1);
    keys[std::string(change.id)] = change.keys;
  }
  CHECK(keys.at("quit").empty());
  for (const auto& [id, words] : keys) {
    CAPTURE(id);
    for (const KeyPress& press : parse_keys(words)) {
      for (const char* kept : {"Ctrl+N", "Ctrl+T", "Ctrl+W", "Ctrl+Q", "Ctrl+Shift+N", "Ctrl+Shift+T", "Ctrl+Shift+W",
                               "Ctrl+Shift+Q", "Ctrl+Shift+P", "F5", "Shift+F5", "Ctrl+F5", "Ctrl+R", "Ctrl+Shift+R"})
        CHECK_FALSE(same_key(press, parse_keys(kept).front()));
      // Present mode's keys stand before the others on purpose; a new one stands before none.
      const bool fresh = std::ranges::any_of(browser_keys(), [&](const OtherKeys& c) { return c.id == id; });
      for (const auto& [other, others] : keys)
        for (const KeyPress& taken : parse_keys(others)) CHECK_FALSE((fresh && other != id && same_key(press, taken)));
    }
  }
}

TEST_CASE("F5 presents in a browser only where a clicker may send it, and what names the key says which") {
  const std::pair<const char*, std::string_view> all[] = {{"present", keys_of("present")},
                                                          {"present-here", keys_of("present-here")},
                                                          {"present-end", keys_of("present-end")}};
  take_clicker_keys(false);
  CHECK(keys_of("present") == "F8");
  for (const char* words : {"F5", "Shift+F5", "Ctrl+F5"})
    CHECK(command_for(parse_keys(words).front(), true) == nullptr);
  take_clicker_keys(true);
  CHECK(keys_of("present") == "F8 or F5");
  CHECK(key_of("present") == "F8");
  CHECK(command_for(key_press({"F5"}))->id == "present");
  CHECK(command_for(key_press({"F5", false, true}))->id == "present-here");
  CHECK(command_for(key_press({"F5", true}), true)->id == "present-end");
  CHECK(command_for(key_press({"F8"}))->id == "present");
  take_clicker_keys(false);
  CHECK(command_for(key_press({"F5"})) == nullptr);
  for (const auto& [id, keys] : all) {
    const OtherKeys as_before{id, keys};
    change_keys({&as_before, 1});
  }
}

TEST_CASE("A Mac's ⌘ is Ctrl") {
  const KeyPress press = parse_keys("⌘+Shift+E").front();
  CHECK(press.ctrl);
  CHECK(press.shift);
  CHECK(press.character == U'e');
}

}  // namespace tilewalk
