// What is left of a measured time after the model's terms, one after the other: where model and run differ, and what
// the model does not know. Data that the command line and boards print; nothing here is fitted.
#pragma once

#include "core/roofline/estimate.h"
#include "core/run/run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewalk {

struct RestTerm {
  std::string name;  // "tensor cores", ..., "last wave, padding", "launch"
  double model = 0;  // s: with this term and those before it
  double rest = 0;   // s: measured less that; negative where the model is longer
};

struct Rest {
  double measured = 0;               // s
  std::vector<RestTerm> terms;       // those that change the time; the last one's model is the estimate's time
  std::vector<std::string> reasons;  // one sentence each: what may be in the last rest, with its figures
};

// `timing` says at which clock the run was and how it was timed; without it those reasons are left out.
Rest rest_of(const Work& work, const Roofs& roofs, double measured, const Timing* timing = nullptr);

// One recorded kernel beside the model.
struct Compared {
  const RunResult* run = nullptr;
  const KernelResult* kernel = nullptr;
  Method method{};
  Direction direction{};
  std::string name;  // "FA3", "PyTorch FA2", "FA2 backward", "FA3 without pingpong", "FA3, FP8 with rotation"
  Work work;
  Roofs roofs;  // as the kernel meets them (core/roofline/beside.h)
  Estimate model;
  double measured = 0;  // s: the median
  double ratio() const { return model.time / measured; }
};
// Every timed kernel of these runs that a method stands for, in the runs' order; kernels with 16-row tiles and those
// that are no method's (memory-efficient attention) are left out. Keeps pointers into `runs`.
std::vector<Compared> compare(std::span<const RunResult> runs, const Roofs& roofs);
// Which method's algorithm a recorded kernel follows, forward or backward; nothing where it is none of them.
std::optional<Method> method_of(const KernelResult& kernel);

}  // namespace tilewalk
