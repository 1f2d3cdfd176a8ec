// Keys as the program understands them, whichever library reports them, and the words by which the key sheet names
// them. The words are the definition: "Ctrl+→", "F1 or ?".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewalk {

// Character stands for whatever the layout prints; the others are keys by themselves.
enum class Key : uint8_t {
  None,
  Character,
  Space,
  Left,
  Right,
  Up,
  Down,
  PageUp,
  PageDown,
  Home,
  End,
  Backspace,
  Delete,
  Tab,
  Enter,
  Escape,
  F1,
  F5,
  F6,
  F8,
  F11,
};

struct KeyPress {
  Key key = Key::None;
  char32_t character = 0;  // with Ctrl: what the key prints without it
  bool shift = false, ctrl = false;
  bool repeat = false;  // held down
};

// The same key with the same modifiers; letters in any case, and Shift only where it does not change the character.
bool same_key(const KeyPress& a, const KeyPress& b);

// The presses that the words name, in order; a word that is no key gives a press of Key::None.
std::vector<KeyPress> parse_keys(std::string_view words);

}  // namespace tilewalk
