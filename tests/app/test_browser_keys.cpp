#include "app/session/commands.h"
#include "app/shell/web/keys.h"

#include <doctest/doctest.h>

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

}  // namespace tilewalk
