// FA3, backward: the shapes of its thread block, what is in shared memory, and which Q tiles a block visits.
#pragma once

#include "kernels/common/ptx_sm90.cuh"
#include "kernels/common/tile.cuh"
#include "kernels/fa2_backward_rows.cuh"

namespace tilewalk::gpu::fa3_backward {

template <class T_, int D_>
struct Config {
  using T = T_;  // __half or __nv_bfloat16
  static constexpr int D = D_;
  static constexpr KernelShape kShape = kernel_shape(Method::Fa3Backward, D);
  static constexpr int Br = kShape.br, Bc = kShape.bc, kStages = kShape.stages, kConsumers = kShape.consumers;
  static constexpr int kThreads = 32 * kShape.warps, kBoth = 128 * kConsumers;  // threads of both consumers
  static constexpr int kKeys = Bc / kConsumers;                                 // of a consumer warpgroup
  static constexpr int kDQ = 64;  // rows and columns of a visit's dQ that a warpgroup sums: half of them
  static constexpr int kElement = int(sizeof(T)), kQueryBytes = Br * D * kElement, kKeyBytes = Bc * D * kElement;
  static constexpr int kScoreBytes = Bc * Br * kElement, kStatsBytes = 2 * Br * int(sizeof(float));
  // Per thread: what the launch receives, 168 for each of 384 threads, shared out anew.
  static constexpr int kProducerRegisters = 24, kConsumerRegisters = 240;
  static_assert(kConsumers == 2 && kThreads == 384 && kKeys == 64, "what the wgmma shapes and the registers expect");
  static_assert(Br * D == 2 * kDQ * kDQ && kStages == 2);
};

// Tiles are in swizzled panels (common/tile.cuh), each on a 1024-byte boundary.
template <class C>
struct Shared {
  typename C::T k[C::Bc * C::D], v[C::Bc * C::D];
  typename C::T q[C::kStages][C::Br * C::D], d_o[C::kStages][C::Br * C::D];
  typename C::T ds[C::kStages][C::Bc * C::Br];  // dS^T
  float stats[C::kStages][2][C::Br];            // L log2(e) of the rows, and D
  // `full`: TMA has filled the buffer. `empty`: both consumers have read it. L and D come and go with Q.
  Barrier kv_full;
  Barrier q_full[C::kStages], q_empty[C::kStages];
  Barrier do_full[C::kStages], do_empty[C::kStages];
};

struct Args {
  int n_q, n_k;
  int row_tiles, key_tiles;  // Tr, Tc
  bool causal;
  float scale, scale_log2;  // of the scores; times log2(e)
  Workspace space;
};

// Row r sees key c iff c <= r + diagonal.
TILEWALK_PTX int diagonal_of(const Args& args) { return args.causal ? args.n_k - args.n_q : args.n_k; }

// The Q tiles that meet K/V tile j, from the last to the first that sees a key of it: under a causal mask the tiles
// that are cut come last.
template <class C>
struct Visits {
  int count, last;  // Q tiles last, last - 1 ...
  int whole;        // those from here on need no mask
  TILEWALK_PTX Visits(const Args& args, int j) {
    const int first_key = j * C::Bc, first_row = max(0, first_key - diagonal_of(args));
    const int free_row = max(0, first_key + C::Bc - 1 - diagonal_of(args));
    last = args.row_tiles - 1;
    count = max(0, args.row_tiles - first_row / C::Br);
    whole = first_key + C::Bc > args.n_k ? args.row_tiles : (free_row + C::Br - 1) / C::Br;
  }
};

}  // namespace tilewalk::gpu::fa3_backward
