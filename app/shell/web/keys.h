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

// What browsers keep for themselves (Ctrl+N, T, W and Q, also with Shift; Firefox Ctrl+Shift+P too), what everybody
// expects of them (F5 and Ctrl+R, with any modifier, reload the page), and what stands there instead; a page is left by
// its tab, not by a command.
std::span<const OtherKeys> browser_keys();
// Those, and on a Mac ⌘ in place of Ctrl, in the table of commands; once, before anything else.
void take_browser_keys(bool mac);
// A clicker's button that begins sends F5 or Shift+F5. Where a class is taught or a set list is open these present,
// too, and the key sheet says so; elsewhere they stay the browser's.
void take_clicker_keys(bool takes);

}  // namespace tilewalk
