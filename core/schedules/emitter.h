// Helps a schedule to write its steps: remembers pass, section, visit and tile, so that the schedule's own lines read
// like the algorithm.
#pragma once

#include "core/schedules/schedule.h"

namespace tilewalk {

class Emitter {
 public:
  Emitter(StepSink& sink, int pass, int64_t section) : sink_(sink) {
    step_.pass = uint8_t(pass);
    step_.section = int32_t(section);
  }

  void at(int64_t i, int64_t j, int64_t visit) {
    step_.i = int32_t(i);
    step_.j = int32_t(j);
    step_.visit = int32_t(visit);
  }
  int64_t fold(int64_t alike) { return sink_.fold(alike); }
  void slot(int64_t slot) { step_.slot = int32_t(slot); }

  void operator()(int line, StepKind kind, int flags = 0) {
    step_.kind = kind;
    step_.line = uint8_t(line);
    step_.flags = uint8_t(flags);
    sink_.take(step_);
  }

 private:
  StepSink& sink_;
  Step step_;
};

}  // namespace tilewalk
