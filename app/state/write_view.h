// Write: the place where a person writes a schedule. What is typed, what came of it, and the puzzle that is tried.
#pragma once

#include "app/state/edited_text.h"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace tilewalk {

struct Puzzle;   // core/puzzle/puzzle.h
struct Written;  // app/state/written.h

// A text that was left for another: a puzzle's, or one's own.
struct LeftText {
  EditedText program;
  std::filesystem::path file;
  std::string kept;
  int hints = 0;
};

// What "Begin again" keeps.
struct LastingWrite {
  EditedText program;
  std::filesystem::path file;            // where it was saved or opened; empty: nowhere yet
  std::string kept;                      // the text as that file, or what was begun from, has it
  std::set<std::string> solved;          // puzzles, by id
  std::map<std::string, LeftText> left;  // by the puzzle's id; of one's own text empty
  bool begun = false;                    // somebody was here before
};

struct WriteView : LastingWrite {
  bool open = false;
  size_t top = 0, shown = 12;  // the first line on show, and how many there is room for
  int64_t read_at = 0;         // the playhead when the text was turned or typed in last; from there it follows the walk
  std::shared_ptr<const Written> now;  // what came of the text; null before it was read
  std::shared_ptr<const Puzzle> puzzle;
  int hints = 0;  // of it that were asked for
};

}  // namespace tilewalk
