// A set list: the way through a talk, as a text file. One link per line, and after " # " a note for the speaker; empty
// lines and lines that begin with # are skipped. A line that is no link is said once, with file and line; the others
// work.
#pragma once

#include <filesystem>
#include <string>
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

}  // namespace tilewalk
