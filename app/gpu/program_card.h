// A written program on a GPU, as Write shows it: what it will move, what was counted of it, live or recorded, and what
// was recorded of the shipped programs at the same problem. All of them by one kernel that runs any program
// (kernels/program.cu).
#pragma once

#include "core/run/program_run.h"
#include "core/run/shipped.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct DeskWork;

struct ProgramCard {
  ProgramSpec asked;
  std::string unfit;  // why a GPU does not run it, one sentence
  ProgramBytes predicted;
  std::shared_ptr<const ProgramRun> own;  // null: neither run here nor recorded
  bool recorded = false;                  // `own`: some recorded program takes the same steps
  struct Beside {
    std::string_view key;  // of its schedule
    const ProgramRun* run;
  };
  std::vector<Beside> beside;  // recorded, all on one GPU
};

// What takes longer than a frame is asked of `work`; null until it is there. `live`: the last run here, or null.
std::shared_ptr<const ProgramCard> program_card(const ProgramSpec& asked, const std::shared_ptr<const ProgramRun>& live,
                                                RecordedGpu preferred, DeskWork& work);

}  // namespace tilewalk
