// What `tilewalk walk` and `tilewalk export` are asked to show of a walk, and the walk itself. The words of the options
// become numbers here.
#pragma once

#include "app/cli/problem_options.h"
#include "core/playback/replay.h"
#include "core/playback/units.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tilewalk {

// A walk made from the options.
struct AskedWalk {
  Asked asked;
  Inputs inputs;
  std::unique_ptr<Replay> replay;
  int64_t row = 0;  // followed, from 0 over the whole of Q
};

// Throws CommandError where there are too many steps or numbers, naming the command that counts them, or where the
// tiles do not fit the machine.
void refuse_what_cannot_be_animated(const Asked& asked);
AskedWalk make_walk(const Asked& asked);

int64_t row_of(const std::string& text, const Problem& problem);  // --row, from 1, to 0 .. N_q - 1
Unit unit_of(const std::string& text);                            // --unit

// Steps taken before and after what is shown.
struct Portion {
  int64_t from, to;
};
Portion portion_of(const std::string& text, int64_t length);  // --steps a..b, counted from 1, both included
// --at: a query ("first rescale of Q tile 1") or a step's number. The playhead at which that step has been taken.
int64_t playhead_of(const std::string& text, const Replay& replay);

}  // namespace tilewalk
