// What came of a program's text: faults, the judge's verdict, its meters, a puzzle's goals.
#pragma once

#include "core/puzzle/puzzle.h"
#include "core/walk/reader.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// What a schedule takes on the stage's problem. One's own stands first, without a name while none could be walked yet;
// where the text has faults it is the last good one's.
struct MeteredSchedule {
  std::string name;
  ProgramMeters meters;
};

// What the others' meters are of: made anew only where it changes.
struct MeteredOn {
  Problem problem;
  std::string machine;
  bool backward = false;
  bool operator==(const MeteredOn&) const = default;
};

struct Written {
  std::string text;
  std::vector<WalkFault> faults;
  std::string unfit;                // why it is not on the stage although it can be read
  std::optional<Verdict> verdict;   // where it can be read
  std::optional<Verdict> on_stage;  // where it broke: on the stage's problem alone, where that is small enough
  std::vector<int> line_of_code;    // of the program on the stage: the text's line of each line of code, from 1
  std::vector<MeteredSchedule> meters;
  MeteredOn on;
  int64_t generation = -1;  // of the session that they were made of
  Attempt tried;            // the puzzle's goals
};

}  // namespace tilewalk
