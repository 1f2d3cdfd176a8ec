// FA3: the shapes of its thread block, what is in shared memory, and which Q tile a block takes next.
#pragma once

#include "kernels/common/ptx_sm90.cuh"
#include "kernels/common/tile.cuh"
#include "core/kernel/launch_order.h"
#include "core/kernel/switches.h"

namespace tilewalk::gpu::fa3 {

//   d                              64         96          128         256
//   Br x Bc                        192 x 128  192 x 96    128 x 128   128 x 80
//   consumer warpgroups            3          3           2           2
//   shared: Q, and O               48 KB      72 KB       64 KB       64 KB, O in Q's place
//           K and V, two of each   64 KB      72 KB       128 KB      160 KB
//   registers a thread: S, P, O    64 32 32   48 24 48    64 32 64    40 20 128
//                       Q                                 32
template <class T_, int D_, bool causal, bool traced, Switch with>
struct Config {
  using T = T_;  // __half or __nv_bfloat16
  static constexpr int D = D_;
  static constexpr bool kCausal = causal, kTraced = traced;
  static constexpr Switch kSwitch = with;
  static constexpr KernelShape kShape = switched_shape(Method::Fa3, D, kSwitch);
  static constexpr int Br = kShape.br, Bc = kShape.bc, kStages = kShape.stages, kConsumers = kShape.consumers;
  static constexpr int kRows = Br / kConsumers;  // of a consumer warpgroup
  static constexpr int kThreads = 32 * kShape.warps;
  static constexpr bool kProducer = kThreads > 128 * kConsumers,
                        kPingPong = kSwitch != Switch::PingPong && kConsumers > 1;
  static constexpr int kTileBytes = Bc * D * int(sizeof(T)), kQBytes = kRows * D * int(sizeof(T));  // K_j, V_j; Q, O
  static constexpr int kPanel = D % kPanelColumns ? 32 : kPanelColumns, kRowBytes = 2 * kPanel;     // tile.cuh
  // At d = 128 registers are left: Q comes into them, wgmma reads it from there and not from shared memory at every
  // visit, and the buffer is free for the next Q at once. Alone that costs 1 %; with the quick way to a tile's max
  // (softmax.cuh) it pays (docs/measurements.md). A kernel that asks for that way has softmax and visits of tiles with
  // and without a mask in one copy.
  static constexpr bool kHoldsQ = D == 128, kAsks = D == 128;
  // At d = 256 there is no room for O beside Q: it leaves through Q's buffer, and the next Q waits for that.
  static constexpr bool kThroughQ = D == 256;
  // Per thread. The launch receives a multiple of 8, as much as 65,536 registers allow; the warpgroups share that out.
  static constexpr int kProducerRegisters = kConsumers == 3 ? 32 : 40, kConsumerRegisters = kConsumers == 3 ? 160 : 232;
  static constexpr bool kSharesRegisters = kProducer && kConsumers > 1;  // else all have as many as they can use
  static_assert(kRows == 64 && Bc % 16 == 0 && kThreads == 128 * (kProducer + kConsumers),
                "what the wgmma shapes expect");
  static_assert(!kSharesRegisters ||
                    kProducerRegisters + kConsumers * kConsumerRegisters <= 65536 / kThreads / 8 * 8 * (1 + kConsumers),
                "taking more registers than there are waits for ever");
};

// Tiles are in swizzled panels (tile.cuh). Their sizes are multiples of 1024 bytes, so each stays on such a boundary.
template <class C>
struct Buffers {
  using Rows = typename C::T[C::kQBytes / sizeof(typename C::T)];
  using Tile = typename C::T[C::kTileBytes / sizeof(typename C::T)];
  Rows q[C::kConsumers];
  Tile k[C::kStages], v[C::kStages];
};
template <class C, bool kThroughQ = C::kThroughQ>
struct Output {
  typename Buffers<C>::Rows o[C::kConsumers];
};
template <class C>
struct Output<C, true> {};
template <class C>
struct Barriers {
  // `full`: TMA has filled the buffer. `empty`: all consumers have read it. K and V have their own, so that Q K^T never
  // waits for V.
  //
  //   barrier            arrivals a phase                      made by                           waited for by
  //   q, k, v _full      1, and all bytes that it announced    the producer; TMA for its bytes   consumers
  //   k_empty, v_empty   one a consumer warpgroup              its first thread                  the producer
  //   q_empty            one a consumer warp                   its first lane                    the producer
  //
  // A phase ends with its last arrival (and byte), and the next begins; their parities are 0, 1, 0, ... wait(p) stands
  // still while the phase under way has parity p. So on a fresh barrier wait(1) goes on at once: all is empty. Both
  // sides count their uses of a buffer in a Ring, whose parity is that of the use; who fills waits for parity ^ 1. One
  // buffer of K (stage 0), from use to use:
  //
  //   use                    0                          1                          2
  //   Ring's parity          0                          1                          0
  //   producer    waits      empty.wait(1), at once     empty.wait(0)              empty.wait(1)
  //               fills      full's phase 0 ends        full's phase 1 ends        full's phase 2, of parity 0, ends
  //   consumers   wait       full.wait(0)               full.wait(1)               full.wait(0)
  //               release    empty's phase 0 ends ----> which the next empty.wait(0) above waits for, and so on
  Barrier q_full, q_empty;
  Barrier k_full[C::kStages], k_empty[C::kStages];
  Barrier v_full[C::kStages], v_empty[C::kStages];
  int i, head;  // the Q tile in q, under q's barriers; i = -1: there are no more

  TILEWALK_PTX void init() {
    q_full.init(1);
    q_empty.init(4 * C::kConsumers);  // every warp, since each also reads i and head, by itself and not by wgmma
    for (int s = 0; s < C::kStages; ++s) {
      k_full[s].init(1);
      v_full[s].init(1);
      k_empty[s].init(C::kConsumers);
      v_empty[s].init(C::kConsumers);
    }
    fence_barrier_init();
  }
};
template <class C>
struct Shared : Buffers<C>, Output<C>, Barriers<C> {  // of the block; it must begin on a 1024-byte boundary, too
  TILEWALK_PTX void* output(int w) {
    if constexpr (C::kThroughQ)
      return this->q[w];
    else
      return this->o[w];
  }
};

// Ping-pong goes over the block's numbered barriers, of which __syncthreads is number 0. Number 1 + w opens when 256
// threads have come: the 128 of consumer w, which wait at it, and the 128 of the one before, which only report. Two
// consumers:
//
//   consumer 0   waits at 1, issues products, reports at 2 | softmax ..................... | waits at 1, issues ...
//   consumer 1   waits at 2 .............................. | issues products, reports at 1 | softmax ...
//
// The first turn is nobody's to pass on: consumer 0 reports at barrier 1 itself as it begins. Number 1 + kConsumers + w
// joins the 128 threads of consumer w alone: around its store of O, and where it asks for the quick way to a max.

// What the kernel is told of the problem.
struct Args {
  int n_q, n_k, heads;
  int tr;            // Q tiles of a head
  int fewer;         // rows that its first Q tile has fewer than Br: those of whole consumers
  int group;         // heads that go side by side (core/kernel/launch_order.h)
  int sharing;       // heads of Q that read the same head of K and V
  float scale_log2;  // scale * log2(e)
  float* lse;        // [heads, n_q]
};

// The buffer in use, and the parity of that use (Barriers).
template <int stages>
struct Ring {
  int stage = 0, parity = 0;
  TILEWALK_PTX void next() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// Where the queries are no multiple of Br, the Q tile with fewer rows is the first of a head and not the last: under a
// causal mask the last meets every K/V tile, and takes as long with one consumer at work as with three. So Q tiles
// begin `fewer` rows above the first query, and the first tile's first consumers have rows that are none. Fewer than 64
// rows too many still lie past the last query; TMA neither reads nor writes those. Queries 0 to 319, Br = 192:
//
//   Q tile        0                           1
//   consumer      0        1        2         0         1          2
//   rows          -64..-1  0..63    64..127   128..191  192..255   256..319
template <class C>
TILEWALK_PTX int first_row_of(const Args& args, int i, int w) {
  return i * C::Br - args.fewer + w * C::kRows;
}
template <class C>
TILEWALK_PTX int first_box(const Args& args, int i) {
  return i == 0 ? args.fewer / C::kRows : 0;
}

// How many K/V tiles the rows before `end` meet: up to the last key that the last of them sees. At least one, also
// where no row sees any: its scores are masked, and the statistics come out as those of no key.
template <class C>
TILEWALK_PTX int visits_to(const Args& args, int end) {
  if (!C::kCausal || C::kSwitch == Switch::Skipping) return (args.n_k + C::Bc - 1) / C::Bc;
  const int keys = min(args.n_k, end + args.n_k - args.n_q);
  return max(1, (keys + C::Bc - 1) / C::Bc);
}
// That Q tile i meets.
template <class C>
TILEWALK_PTX int visits_of(const Args& args, int i) {
  return visits_to<C>(args, first_row_of<C>(args, i + 1, 0));
}
// How many of them, from the first key on, the rows from first_row on see whole: these need no mask.
template <class C>
TILEWALK_PTX int whole_of(const Args& args, int first_row) {
  if (!C::kCausal) return args.n_k / C::Bc;
  return max(0, first_row + args.n_k - args.n_q + 1) / C::Bc;
}

// Causal tiles differ in length: they are drawn from a counter, the longest first (core/kernel/launch_order.h). A block
// starts with the tile of its own number and draws one more for each that it takes, so a launch makes exactly as many
// draws as there are tiles; the last of them puts the counter back to 0 for the next launch. The
// answer comes from L2 while the tile's last visits run. Drawn as the tile before begins, a tile waits while other
// blocks are free, and blocks that should share K and V drift apart: at d = 256 up to 3.3 times the bytes read from
// DRAM, and 8 % more time (docs/measurements.md).
static __device__ int next_draw;

template <class C>
struct Tiles {
  int i = 0, head = 0;
  TILEWALK_PTX bool next(const Args& args) {
    const int tiles = args.tr * args.heads;
    if (C::kCausal && !first && drawn == tiles - 1) next_draw = 0;
    const int t = first ? blockIdx.x : drawn + gridDim.x;
    if (t >= tiles) return false;
    first = false;
    if (!C::kCausal) drawn = t;
    // Without a mask head by head: blocks that run together share a head, so its K and V come from L2.
    const auto [of, place] = launched_as(t, args.heads, args.tr, C::kCausal ? args.group : 0);
    head = of;
    i = C::kCausal && C::kSwitch == Switch::LongestFirst ? args.tr - 1 - place : place;
    return true;
  }
  // Of these one draws the next tile: as this one begins with visit j, and once K and V of visit j are asked for.
  TILEWALK_PTX void begins(int j) {
    if (j < kLast) draw();
  }
  TILEWALK_PTX void visited(int j) {
    if (j == kLast) draw();
  }

 private:
  TILEWALK_PTX void draw() {
    if (C::kCausal) drawn = atomicAdd(&next_draw, 1);
  }

  static constexpr int kLast = 4;  // visits left to load when it draws; a tile that never has as many draws at once
  bool first = true;
  int drawn = 0;
};

}  // namespace tilewalk::gpu::fa3
