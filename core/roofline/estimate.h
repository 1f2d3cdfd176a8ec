// How long a method takes under a GPU's roofs: each roof's time alone, their sum and their largest, and what the
// method's own schedule makes of them. No constant here is fitted to attention.
//
// A pass takes, from the times t of its amounts of work under each roof:
//   Free       max of all (cuBLAS, softmax rows: many blocks to a multiprocessor)
//   Waits      FA1 backward: a block stops for every load, and its products and exponentials follow each other:
//              max(DRAM, L2) + max(tensor, SRAM) + exp + fp32
//   InWarp     FA1 forward, FA2: cp.async, and FA1's loads of O, run under the arithmetic; mma.sync holds its warp,
//   which fetches the next operands
//              meanwhile, and the warp's softmax waits for its products (kernels/fa2.cu: one warp does both):
//              max(DRAM, L2, max(tensor, SRAM) + exp + fp32)
//   TwoGroups  FA3: a producer loads, and one warpgroup's softmax runs under another's products (arXiv:2407.08608
//              section 3.1): max(DRAM, L2, SRAM, tensor, exp + fp32), and the shorter of the last two once more for
//              the one tile of each block that has no neighbour (n tiles through two stations: n max + min); a block
//              has its multiprocessor to itself, so nothing runs under its first loads and its last stores
//   Roles      FA4: warps of their own for loads, products, softmax and rescaling, two Q tiles at work, and products
//              that leave their warps free (arXiv:2603.05451): max(DRAM, L2, SRAM, tensor, exp, fp32), and the ends
//              as FA3's
// Backward passes are taken alike, but there is no kernel here to read their structure off: operands in shared memory
// are counted once a product, so a backward time is a bound more than a forecast.
// Each pass is a launch of its own, which takes time beside its work where that was measured (Roofs::launch_time).
// Everything that happens on a multiprocessor is longer by Blocks::spread, as the busiest one sets the time, and its
// arithmetic by Blocks::padding as well.
#pragma once

#include "core/roofline/roofs.h"
#include "core/roofline/work.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What stands between the multiprocessors and DRAM: L2, or nothing, as in the papers.
enum class Levels : uint8_t { WithL2, TwoLevel };

struct PassTime {
  std::string_view name;
  std::array<double, kRoofCount> under{};  // s, all multiprocessors busy; 0: nothing to do, or the rate is not known
  Roof binds = Roof::Dram;                 // the longest of them
  double serial = 0, overlapped = 0;       // s: their sum, their largest
  double spread = 1, padding = 1;          // see Blocks
  double alone = 0;                        // s: of `time`, the first and last tiles' part that nothing runs under
  double time = 0;                         // s: as the schedule overlaps them, both included
};

struct Estimate {
  Method method{};
  Levels levels = Levels::WithL2;
  std::vector<PassTime> passes;
  std::array<double, kRoofCount> under{};  // s, of all passes
  Roof binds = Roof::Dram;                 // the roof whose time is the largest part of `overlapped`
  double launch = 0;                       // s: of the times below, what the launches take; 0: not known
  double serial = 0;                       // s: everything one after the other
  double overlapped = 0;                   // s: in each pass everything at once
  double time = 0;                         // s: as the method's schedule has it; what a run is held against
  double rate = 0;                         // FLOP/s: nominal FLOP / time, as benchmarks say it
  double dram_bytes = 0;
  double memory_bytes = 0;                     // needed
  bool fits = true;                            // into the GPU's memory, where that is known
  int64_t blocks = 0, waves = 0;               // of the longest pass; 0: not known
  double spread = 1;                           // of the longest pass
  double tail = 0;                             // share of `time` by which spread and padding lengthen it
  std::array<double, kRoofCount> intensity{};  // matrix FLOP/byte at DRAM, L2, SRAM; 0 where nothing moves
  std::vector<Roof> unknown;                   // work there is, but no rate: left out of every time
  std::string why_not;                         // why the kernel does not run there; the numbers are as if it did

  double operator[](Roof roof) const { return under[size_t(roof)]; }
  // Its blocks all run at once, and more than half of the time is there because they leave multiprocessors idle.
  bool short_of_blocks() const { return waves == 1 && tail > 0.5; }
};

std::string idle_words(const Estimate& estimate, int sms);  // "its 24 blocks are too few for 132 multiprocessors"

// `even`: as if every launch filled all multiprocessors to its end, so that spread is 1.
Estimate estimate(const Work& work, const Roofs& roofs, Levels levels = Levels::WithL2, bool even = false);
// The same roofs with what is not known at the least that it can be: L2's and shared memory's rate at that of the level
// below, through which every byte reaches them; fp32 at that of exponentials, which no multiprocessor takes faster.
// What has no such floor stays unknown.
Roofs at_least(Roofs roofs);
// Seconds: what `time` is with the rates that are not known at the least that they can be (at_least()); the same
// as `time` where all are known, infinite where one has no such floor.
double most_time(const Estimate& made, const Work& work, const Roofs& roofs);
// The same with the counting.
Estimate estimate(Method method, const Problem& problem, const Roofs& roofs, Direction direction = Direction::Forward,
                  Levels levels = Levels::WithL2, KernelVersion version = KernelVersion::Now);

}  // namespace tilewalk
