// A set list: the way through a talk, as a text file. One link per line, and after " # " a note for the speaker; empty
// lines and lines that begin with # are skipped. A line that is no link is said once, with file and line; the others
// work.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct SetItem {
  std::string link, note;
  int line = 0;  // from 1
};

struct SetList {
  std::filesystem::path file;  // empty: there is none
  std::vector<SetItem> items;
  std::vector<std::string> faults;  // one sentence each
};

SetList read_set_list(std::string_view text, const std::filesystem::path& file);
// The file's; where it cannot be read, one fault says why and there are no items.
SetList open_set_list(const std::filesystem::path& file);
bool is_set_list(const std::filesystem::path& file);  // by its name: *.tilewalk or *.set

// The text with another note on the item's line; nothing where that line is not the item's link any more.
std::optional<std::string> with_note(std::string_view text, const SetItem& item, std::string_view note);

// The file's text with one line more.
std::string with_item(std::string_view text, std::string_view link, std::string_view note);

}  // namespace tilewalk
