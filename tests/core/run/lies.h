// What a worker or a file may say that is not so: each a change to an honest result of several kernels at a toy size,
// with O and L, traces and counters. None may be shown as measured.
#pragma once

#include "core/run/run.h"

#include <functional>
#include <string>
#include <vector>

namespace tilewalk {

struct Lie {
  std::string name;
  bool whole = false;  // of the run; else of FA2's result
  // Only a request or a hello gives it away: a file that says so is true to itself.
  bool needs_asking = false;
  std::function<void(RunResult&)> tell;
};
const std::vector<Lie>& lies();

}  // namespace tilewalk
