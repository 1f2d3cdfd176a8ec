#include "app/state/keys.h"

#include "app/text/utf8.h"

#include <array>
#include <utility>

namespace tilewalk {
namespace {

constexpr std::array<std::pair<std::string_view, Key>, 19> kNames{{
    {"Space", Key::Space},
    {"←", Key::Left},
    {"→", Key::Right},
    {"↑", Key::Up},
    {"↓", Key::Down},
    {"Page Up", Key::PageUp},
    {"Page Down", Key::PageDown},
    {"Home", Key::Home},
    {"End", Key::End},
    {"Backspace", Key::Backspace},
    {"Delete", Key::Delete},
    {"Tab", Key::Tab},
    {"Enter", Key::Enter},
    {"Esc", Key::Escape},
    {"F1", Key::F1},
    {"F5", Key::F5},
    {"F6", Key::F6},
    {"F8", Key::F8},
    {"F11", Key::F11},
}};

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

KeyPress parse_one(std::string_view words) {
  KeyPress press;
  const auto take = [&](std::string_view modifier, bool& flag) {
    if (words.size() > modifier.size() && words.starts_with(modifier)) {
      words.remove_prefix(modifier.size());
      flag = true;
    }
  };
  take("Ctrl+", press.ctrl);
  take("⌘+", press.ctrl);  // as a Mac names it
  take("Shift+", press.shift);
  for (const auto& [name, key] : kNames)
    if (words == name) press.key = key;
  if (press.key != Key::None || words.empty()) return press;
  size_t end = 0;
  const char32_t character = next_code_point(words, end);
  if (end == words.size()) {
    press.key = Key::Character;
    press.character = lower(character);
  }
  return press;
}

}  // namespace

bool same_key(const KeyPress& a, const KeyPress& b) {
  if (a.key != b.key || a.ctrl != b.ctrl) return false;
  if (a.key == Key::Character) return lower(a.character) == lower(b.character) && (!a.ctrl || a.shift == b.shift);
  return a.shift == b.shift;
}

std::vector<KeyPress> parse_keys(std::string_view words) {
  std::vector<KeyPress> presses;
  while (!words.empty()) {
    const size_t end = words.find(" or ");
    presses.push_back(parse_one(words.substr(0, end)));
    words = end == std::string_view::npos ? std::string_view{} : words.substr(end + 4);
  }
  return presses;
}

}  // namespace tilewalk
