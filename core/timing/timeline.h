// When each step of a thread block runs: one pass for all schedules. It lays the schedule's steps on the units of a
// multiprocessor in whole ticks, by what each step reads and writes, and by nothing else. FA3's overlap is not drawn:
// its own order leaves the softmax of one K/V tile nothing to wait for while the products of the next run.
//
// The model. A tick is one clock cycle. Each lane takes one step at a time, in the order in which it was asked. Each
// warpgroup goes through the schedule's steps in their order and asks for the next one when the last is done; matrix
// products may be asked for and left to run (wgmma), and stores are. A block's warpgroups share a Q tile by rows.
// Latencies, launches, and exponentials of alpha (1 in Bc) are left out, as is the vector unit unless Rates name it.
// Every tick is a modelled one.
#pragma once

#include "core/schedules/schedule.h"
#include "core/timing/rates.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewalk {

// A unit of the multiprocessor that steps are laid on.
enum class Lane : uint8_t { Copy, Tensor, Exponential, Vector };
constexpr int kLaneCount = 4;
std::string_view name_of(Lane lane);  // "copies", "tensor cores", "exponentials", "vector"
Lane lane_of(StepKind kind);

struct Overlap {
  // On: a warpgroup of its own fills shared memory, ahead of the others by as many tiles as there are buffers. Off: the
  // warpgroups that compute load in their order, and wait for what they load.
  bool warp_specialized = true;
  // On: the warpgroups take turns at the tensor cores, the products between two softmaxes together, so that one's
  // softmax falls under another's products. Off: they ask for everything at the same time, share every lane, and keep
  // step, as if they were one.
  bool ping_pong = true;
  // On: a warpgroup asks for its products and goes on to the next step that does not need them. Off: it waits for each.
  bool products_run_on = true;
  int stages = 2;      // buffers each of K and V in shared memory
  int warpgroups = 2;  // that compute
  bool operator==(const Overlap&) const = default;
};

// What an interval waited for last.
enum class Wait : uint8_t {
  Nothing,
  Order,   // its warpgroup was at an earlier step
  Data,    // a tile that it reads
  Buffer,  // a place that it writes, still to be read
  Turn,    // another warpgroup's turn at the tensor cores
  Busy,    // the lane
};
std::string_view name_of(Wait wait);

constexpr int kTogether = -1;  // all warpgroups that compute, as one
constexpr int kProducer = -2;  // the warpgroup that fills shared memory

struct Interval {
  int32_t step = 0;  // index into Timeline::steps
  Lane lane{};
  int warpgroup = 0;           // 0 .. warpgroups - 1, kTogether or kProducer
  int64_t ready = 0;           // its warpgroup came to the step
  int64_t start = 0, end = 0;  // of the work; equal where the step takes no time
  Wait waited = Wait::Nothing;
  int32_t for_interval = -1;  // the one whose end it waited for (of a turn: the last product of that turn), or -1
};

struct Timeline {
  std::vector<Step> steps;
  std::vector<Interval> intervals;  // by the tick at which they were asked for
  int64_t ticks = 0;                // until the last step is done
  std::array<int64_t, kLaneCount> busy{};

  const Step& step_of(const Interval& interval) const { return steps[size_t(interval.step)]; }
  double idle(Lane lane) const { return ticks ? 1 - double(busy[size_t(lane)]) / double(ticks) : 0; }
};

// One thread block: see block_steps in core/timing/needs.h. Throws std::invalid_argument for fewer than one stage or
// warpgroup.
Timeline lay(const Schedule& schedule, const Plan& plan, int64_t block, const Rates& rates, const Overlap& overlap);

// Ticks that a step takes on its lane for all rows of its Q tile shared by this many warpgroups.
int64_t ticks_of(const Step& step, const Plan& plan, const Rates& rates, int warpgroups);

}  // namespace tilewalk
