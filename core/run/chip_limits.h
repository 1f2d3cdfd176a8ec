// The most that a GPU can do in a second, to hold against it what is said to have been measured there. Not a model: a
// wall. Made of the catalogue (core/machine/gpus.h), by compute capability, with room for what people do to clocks; a
// capability that the catalogue lacks has four times the largest that it knows.
#pragma once

#include "core/run/run.h"

namespace tilewalk {

struct ChipLimits {
  double flop = 0;       // FLOP/s of 16-bit matrix products, no sparsity
  double dram = 0;       // byte/s, read and written together
  double l2 = 0;         // byte/s from L2 into the multiprocessors
  double clock = 0;      // MHz of the multiprocessors
  double sm_clocks = 0;  // multiprocessors times clocks a second: what rates on chip are a multiple of
};

// `clock` in MHz, as the multiprocessors counted it while they worked; 0: not known, then the catalogue's with a third
// more.
ChipLimits chip_limits(const Provenance& gpu, double clock = 0);

// No launch is shorter (a trip to DRAM and back takes five times that), none is waited for longer; ms.
constexpr double kLeastLaunch = 1e-4, kMostLaunch = 3.6e6;

}  // namespace tilewalk
