// What a GPU kernel will move and compute, before it runs: the steps of its schedule, in the kernel's variant and with
// the kernel's tiles (core/kernel/kernel_shapes.h), counted. For all B * H heads; exact integers but for DRAM, which
// is the L2 model's.
//
// Only real rows move: what a ragged last tile lacks is filled on chip. d is padded to 64 or 128 in memory already, so
// padding moves and is multiplied. Standard attention's matrix products are cuBLAS's and are counted by its tiles
// (core/kernel/product_tiles.h), where each operand counts once in the papers; its softmax pass (passes[1]) is this
// project's kernel and exact, L included. Backward, the kernels
// lay L beside D for the visits, where Algorithm 2 makes D alone: 4 bytes a row each way more. FA2's dQ is
// drained once a visit: every addition in memory carries a tile of fp32 from the multiprocessor to L2, and nothing
// comes back; what L2 reads and writes of its own to add is no traffic of the multiprocessors.
#pragma once

#include "core/model/dram.h"
#include "core/run/run.h"
#include "core/kernel/kernel_shapes.h"

#include <string_view>
#include <vector>

namespace tilewalk {

struct PassPrediction {
  std::string_view name;    // of Schedule::passes
  int64_t fill_bytes = 0;   // L2 -> SM
  int64_t drain_bytes = 0;  // SM -> L2
};

struct RunPrediction {
  bool counted = true;                 // false: more than 64 bits count; then all is zero
  int64_t fill_bytes = 0;              // L2 -> SM, all passes
  int64_t past_bytes = 0;              // of them, FA3's rows past the end, which TMA asks for in whole boxes
  int64_t drain_bytes = 0;             // SM -> L2
  std::vector<PassPrediction> passes;  // those that move anything
  int64_t matrix_flop = 0;   // of the tiles that are computed, padding of d and hidden halves of tiles included
  int64_t nominal_flop = 0;  // nominal_flop() of the kernel: what TFLOP/s are said of
  // fill_bytes is a model. Naive: a thread block fetches each row of K and V once, and what of it L1 really keeps for
  // other warps and blocks nobody can count from outside. Standard: of lengths at which cuBLAS's tiles are not known.
  bool fill_modelled = false;
  int64_t exponentials = 0;  // one per score of the tiles that are computed, and one per row and visit
  DramEstimate dram;
};

// The FLOP that benchmarks of attention count, all heads: 4 N_q N_k d; under a causal mask half of that where N_q =
// N_k, as is the custom, else 4 d for every visible pair of query and key.
int64_t nominal_flop_of(const Problem& problem);
// The backward pass for one forward: five matrix products for two, S being computed again (arXiv:2307.08691 section
// 4.1).
constexpr double kBackwardFlop = 2.5;
// What TFLOP/s of that kernel are said of: nominal_flop() of its direction.
double nominal_flop(const Problem& problem, Method kernel);

// The default machine with the multiprocessors and the L2 of that GPU: as the worker measured it, else as the default
// machine's where it is of that size, else one piece.
MachineSpec machine_of(const Provenance& gpu);
// Whose kernels made it, by the program's version. Where that is none, as of other programs, or cannot be read:
// today's.
KernelVersion version_of(const Provenance& made);

// A kernel that differs from the one of that name.
struct KernelChange {
  int64_t q_tile_rows = 0;   // 0: its own
  bool skips_hidden = true;  // false: causal, tiles without a visible key are computed all the same
  int64_t group = 1;         // heads of Q that share one of K and V
  int64_t splits = 0;        // split-KV: of the keys, at most; 0: by the rule (core/attention/split_kv.h)
  KernelVersion version = KernelVersion::Now;
};
// What a run asks of a kernel, or of it with a switch.
KernelChange change_of(const RunSpec& spec, Switch with, KernelVersion version = KernelVersion::Now);

// The problem must have passed validate(); d up to kMostKernelD. Without `dram` the L2 model is left out and the answer
// comes in milliseconds at any size; with it, within about a second (see kMostL2Steps).
RunPrediction predict_run(const Problem& problem, Method kernel, const MachineSpec& spec, bool dram = true,
                          const KernelChange& change = {});
// On the GPU that is named there, with the kernels of the version that is named there: what was counted by then is held
// against this.
inline RunPrediction predict_run(const Problem& problem, Method kernel, const Provenance& made, bool dram = true) {
  return predict_run(problem, kernel, machine_of(made), dram, {.version = version_of(made)});
}
inline RunPrediction predict_run(const RunSpec& spec, const Answer& asked, const Provenance& made, bool dram = true) {
  return predict_run(spec.problem, asked.kernel, machine_of(made), dram, change_of(spec, asked.with, version_of(made)));
}

// Splits that split-KV makes of that many asked for, 0: by the rule, with the group's queries as rows of a Q tile.
int64_t splits_of_run(const Problem& problem, const KernelChange& change, int multiprocessors);

}  // namespace tilewalk
