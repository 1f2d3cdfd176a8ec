#include "app/shell/web/keys.h"

#include "app/text/utf8.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

Key named(std::string_view name) {
  constexpr std::pair<std::string_view, Key> kKeys[] = {{" ", Key::Space},
                                                        {"ArrowLeft", Key::Left},
                                                        {"ArrowRight", Key::Right},
                                                        {"ArrowUp", Key::Up},
                                                        {"ArrowDown", Key::Down},
                                                        {"PageUp", Key::PageUp},
                                                        {"PageDown", Key::PageDown},
                                                        {"Home", Key::Home},
                                                        {"End", Key::End},
                                                        {"Backspace", Key::Backspace},
                                                        {"Delete", Key::Delete},
                                                        {"Tab", Key::Tab},
                                                        {"Enter", Key::Enter},
                                                        {"Escape", Key::Escape},
                                                        {"F1", Key::F1},
                                                        {"F5", Key::F5},
                                                        {"F6", Key::F6},
                                                        {"F8", Key::F8},
                                                        {"F11", Key::F11}};
  for (const auto& [its, key] : kKeys)
    if (its == name) return key;
  return Key::None;
}

char32_t only_character(std::string_view text) {
  size_t at = 0;
  if (text.empty()) return 0;
  const char32_t first = next_code_point(text, at);
  return at == text.size() && first > 32 ? first : 0;
}

constexpr OtherKeys kBrowserKeys[] = {{"quit", ""},
                                      {"hint", ""},
                                      {"note-write", "Ctrl+I"},
                                      {"rehearse", "Ctrl+Shift+H"},
                                      {"export-progress", "Ctrl+Shift+Y"},
                                      {"present", "F8"},
                                      {"present-here", "Shift+F8"},
                                      {"present-end", "Ctrl+F8"},
                                      {"present-anew", "Ctrl+Shift+F8"},
                                      {"real-head", "Ctrl+G"},
                                      {"reset", "Ctrl+U"}};
constexpr OtherKeys kClickerKeys[] = {
    {"present", "F8 or F5"}, {"present-here", "Shift+F8 or Shift+F5"}, {"present-end", "Ctrl+F8 or Ctrl+F5"}};
bool names_command_key = false;  // as a Mac does

std::string as_a_mac_names(std::string_view keys) {
  constexpr std::string_view kCtrl = "Ctrl+";
  std::string out(keys);
  for (size_t at = 0; (at = out.find(kCtrl, at)) != out.npos;) out.replace(at, kCtrl.size(), "⌘+");
  return out;
}

void take_as_a_mac_names(std::span<const Command> all) {
  static std::set<std::string> words;  // outlive the table
  std::vector<OtherKeys> changes;
  for (const Command& command : all)
    if (command.keys.find("Ctrl+") != command.keys.npos)
      changes.push_back({command.id, *words.insert(as_a_mac_names(command.keys)).first});
  change_keys(changes);
}

}  // namespace

std::span<const OtherKeys> browser_keys() { return kBrowserKeys; }

void take_browser_keys(bool mac) {
  names_command_key = mac;
  change_keys(kBrowserKeys);
  if (mac) take_as_a_mac_names(commands());
}

void take_clicker_keys(bool takes) {
  for (const OtherKeys& keys : takes ? std::span<const OtherKeys>(kClickerKeys) : browser_keys())
    if (std::ranges::find(kClickerKeys, keys.id, &OtherKeys::id) != std::end(kClickerKeys)) change_keys({&keys, 1});
  if (names_command_key) take_as_a_mac_names(commands());
}

KeyPress key_press(const BrowserKey& key) {
  KeyPress press;
  press.key = named(key.name);
  press.ctrl = key.ctrl;
  press.shift = key.shift;
  press.repeat = key.repeat;
  if (press.key != Key::None) return key.alt ? KeyPress{} : press;
  press.character = only_character(key.name);
  if (!press.character || (key.alt && key.ctrl && press.character < 128)) return {};
  press.key = Key::Character;
  if (!key.ctrl) {  // Shift is in the character
    press.shift = press.repeat = false;
  } else if (press.character >= U'A' && press.character <= U'Z') {
    press.character += U'a' - U'A';  // what the key prints without modifiers
  }
  return press;
}

}  // namespace tilewalk
