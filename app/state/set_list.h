// A set list: the way through a talk, as a text file. One stop per line, and after " # " a note for the speaker; empty
// lines and lines that begin with # are skipped. A stop is a link, or a slide of the speaker's own words:
//
//   slide: What to take home | Softmax can be taken tile by tile | Only O and L go back to memory
//
// a title, and lines below it, or a picture that lies beside the file or in a folder there, with a title or without:
//
//   slide: figures/setup.png
//   slide: What we measured | figures/times.jpg
//
// A link can have a title of the speaker's own: tilewalk://lesson/6/beat/3 "Why a max runs"
//
// One line says what the talk is called, on its handout, one how long it is to take, and a note can begin with what its
// stop may:
//
//   title: Attention, tile by tile
//   length: 40 min
//   tilewalk://lesson/6/beat/3  # [4 min] why a max runs
//
// A line that is none of these is said once, with file and line; the others work.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct SetItem {
  std::string link, note;  // a slide's line stands in `link` as it is written
  int line = 0;            // from 1
  std::string title = {};  // of the speaker's own; empty: what it leads to says it
  double seconds = 0;      // of the talk that its note gives it: "[4 min] why a max runs"; 0: its share
};

struct SetFault {
  std::string message;          // one sentence
  std::optional<int> line = 0;  // from 1; 0: of the list as a whole; none: the sentence names the file itself
};

struct SetList {
  std::filesystem::path file;  // empty: there is none
  std::vector<SetItem> items;
  std::string title = {};  // empty: not said
  double length = 0;       // seconds that the talk is to take; 0: not said
  std::vector<SetFault> faults;
  std::string text = {};  // of the file, as it was read
};

}  // namespace tilewalk
