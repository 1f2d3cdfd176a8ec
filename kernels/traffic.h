// Hardware counters of whatever is launched between two marks, through CUPTI's range profiler. The library is opened at
// run time; where it is missing or refuses, one sentence says why and what to do about it.
//
// A counter is a sum over the whole GPU, so nothing else should run on it. The launches are repeated, once for each
// pass: the hardware counts only a few things at a time. L2 is emptied before each pass, so that all passes see the
// same launch. Counting changes no clock.
// Source: CUPTI documentation, "CUPTI Range Profiling API" and "CUPTI Profiler Host API", CUDA 12.6 and later.
#pragma once

#include "core/run/run.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tilewalk::gpu {

class Traffic {
 public:
  // For the current device. Cheap until measure() is called the first time, except for opening the library.
  Traffic();
  ~Traffic();
  Traffic(const Traffic&) = delete;

  // Empty, or why there are no counters here, with the remedy.
  const std::string& unavailable() const { return why_; }

  struct Launches {
    std::function<void()> flush;                 // empties L2, and waits
    std::function<void()> launch;                // what is counted, and waits
    std::function<bool(int done, int of)> pass;  // before each pass; false ends the measurement
  };
  // Nothing where unavailable() has a reason, where `pass` said stop, or where counting failed; then `fault` says why.
  std::optional<Counters> measure(const Launches& launches, std::string& fault);

 private:
  struct Profiler;
  std::unique_ptr<Profiler> profiler_;
  std::string why_;
};

}  // namespace tilewalk::gpu
