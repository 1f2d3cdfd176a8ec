// Ring Attention as GPUs run it: which part of whose keys each device works on in which turn, under which mask, and
// how many bytes go over each link. A device keeps its tokens in parts of neighbours: one part, or two when the work of
// a causal mask is balanced (zigzag: part p and part 2 P - 1 - p of 2 P). What a kernel is asked for is always one part
// of queries against one part of keys: all of them, or the causal square on the diagonal.
#pragma once

#include "core/attention/problem.h"
#include "core/attention/ring.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewalk {

struct RingPlan {
  int64_t devices = 2;
  RingSplit split = RingSplit::Shards;  // Shards or Zigzag
  int64_t tokens = 0;                   // N, of all devices
  bool causal = false;

  int64_t parts() const { return split == RingSplit::Zigzag ? 2 : 1; }  // of one device
  int64_t part_tokens() const { return tokens / (devices * parts()); }  // of one part
  int64_t part_index(int64_t device, int64_t part) const {              // among the parts of all devices
    return part == 0 ? device : 2 * devices - 1 - device;
  }
  int64_t first_token(int64_t device, int64_t part) const { return part_index(device, part) * part_tokens(); }
};

// One kernel: a part of the device's own queries against a part of the shard that it holds in that turn.
struct RingBlock {
  int64_t q_part = 0, k_part = 0;
  bool causal = false;  // on the diagonal of a causal mask; else every key is seen
  bool operator==(const RingBlock&) const = default;
};
// What `device` computes in turn 0 .. P - 1; nothing where the mask hides all of it.
std::vector<RingBlock> ring_blocks(const RingPlan& plan, int64_t device, int64_t turn);
// Scores that a device computes in that turn: [turn][device], as ring_work() counts them.
RingWork ring_plan_work(const RingPlan& plan);

// The plan of a problem; or, in `fault`, why its tokens cannot be shared out so.
RingPlan ring_plan(const Problem& problem, int64_t devices, RingSplit split, std::string& fault);

// Bytes of K and V that each device sends to the next in one turn, all heads, d as the kernels pad it. There are P - 1
// such turns: B H (N / P) d 2 b each.
int64_t ring_step_bytes(const Problem& problem, int64_t devices);

}  // namespace tilewalk
