// Keys as a browser names them (UI Events, KeyboardEvent.key), as the program understands them.
#pragma once

#include "app/state/keys.h"

#include <string_view>

namespace tilewalk {

struct BrowserKey {
  std::string_view name;  // "ArrowLeft", "a", "é", "Dead"
  bool ctrl = false;      // Command on macOS too
  bool shift = false, alt = false, repeat = false;
};

// Key::None where it is none of the program's: a name, a dead key, anything with Alt that types no character.
KeyPress key_press(const BrowserKey& key);

}  // namespace tilewalk
