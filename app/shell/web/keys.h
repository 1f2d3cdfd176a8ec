// Keys as a browser names them (UI Events, KeyboardEvent.key), as the program understands them.
#pragma once

#include "app/session/commands.h"
#include "app/state/keys.h"

#include <span>
#include <string_view>

namespace tilewalk {

struct BrowserKey {
  std::string_view name;  // "ArrowLeft", "a", "é", "Dead"
  bool ctrl = false;      // Command on macOS too
  bool shift = false, alt = false, repeat = false;
};

// Key::None where it is none of the program's: a name, a dead key, anything with Alt that types no character.
KeyPress key_press(const BrowserKey& key);

// What browsers keep for themselves (Ctrl+N, T, W and Q, also with Shift; Firefox Ctrl+Shift+P too), and what stands
// there instead; a page is left by its tab, not by a command.
std::span<const OtherKeys> browser_keys();
// Those, and on a Mac ⌘ in place of Ctrl, in the table of commands; once, before anything else.
void take_browser_keys(bool mac);

}  // namespace tilewalk
