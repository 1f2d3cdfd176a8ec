// FlashAttention-3, forward, on Hopper. What FA2 computes, in the same order (but O is rescaled at every tile, under
// the other warpgroup's products, where to ask first does not pay), and nobody waits for what can run beside it:
//   1. Copies. In FA2 every thread works out addresses and issues cp.async. Here one thread of a producer warpgroup
//      issues one instruction a tile: TMA works out the addresses, swizzles, and tells an mbarrier when the bytes are
//      there. The next K and V tiles come into a second buffer of each while the first is worked on; nobody else loads.
//   2. Products. In FA2 a warp brings every fragment of Q, K and V into registers first (ldmatrix), and has
//      nothing else to do until S is there. wgmma reads shared memory itself, and the warps that issued it go on.
//   3. Softmax. K/V tiles are taken from the last to the first. A warpgroup takes the softmax of S_j while the tensor
//      cores still add the product of the tile before, P_{j+1} V_{j+1}, to O; and the warpgroups take turns
//      (ping-pong), so that one's products run under another's softmax. Taking turns is worth 1.5 % at d = 64, and
//      nothing at d = 128, which is half a percent faster without (README.md).
//
// One thread block: a producer warpgroup, and 3 (d = 64 and 96) or 2 (d = 128 and 256) consumer warpgroups of 64 rows
// each. The producer is one thread, but registers are given and taken by whole warpgroups: the other 127 end at once,
// and what theirs need not have the consumers take. At d = 256 O leaves through Q's buffer: two of Q's size, and K and
// V in two buffers each, find no room.
//
//   Q_i [Br, d]   shared memory, 64 rows for each consumer; read by wgmma, at d = 128 from registers
//   K_j, V_j      shared memory, [Bc, d], two buffers each; read by wgmma
//   S_j [64, Bc]  registers of a consumer warpgroup, fp32
//   P_j [64, Bc]  registers, 16 bits: the left operand of P V
//   O_i [64, d]   registers, fp32, not normalised; at the end 16 bits in shared memory, for TMA to store
//   m_i, l_i, L_i registers, two rows a thread; L goes straight to memory
//
// The last K/V tiles are those that need a mask: they come first, and the rest of the loop has none. A block stays and
// takes one Q tile after another (persistent, fa3_tiles.cuh), so that the next tile's loads run under this one's end.
//
//   tensor cores   | 0: Q K_j   | 0: P V_j+1 | 1: Q K_j   | 1: P V_j+1 | 0: Q K_j-1 ...     consumers 0 and 1
//   consumer 0     | waits, S_j | softmax S_j ........... | O *= alpha | waits, S_j-1
//   consumer 1     | softmax S_j+1 ......... | waits, S_j | softmax S_j ...........
//
// "waits, S_j": first for its turn, then for its product Q K_j.
//
// What limits it: the tensor cores, busy 84 % of the time at d = 128 (README.md). Sizes: fa3_tiles.cuh.
//
// Shah et al., "FlashAttention-3", arXiv:2407.08608. Algorithm 1's producer is produce(), its ring of buffers K and V
// with a Ring each and the barriers k_full to v_empty. Algorithm 2, a consumer with its softmax under its products, is
// consume(): before its loop the block "The last K/V tile", its loop visit(), after it what follows "P_0 V_0".
#include "kernels/common/ptx_sm90.cuh"
#include "kernels/common/rung.cuh"
#include "kernels/common/softmax.cuh"
#include "kernels/common/wgmma.cuh"
#include "kernels/fa3_feeder.cuh"
#include "kernels/fa3_instances.cuh"
#include "kernels/fa3_plan.cuh"
#include "kernels/fa3_tiles.cuh"

namespace tilewalk::gpu {
namespace fa3 {
namespace {

// ---- Producer: one thread ---------------------------------------------------------------------------------------

// TMA reports to the barriers, not to this thread: the stamps of its loads are those of their issue.
template <class C>
TILEWALK_PTX void produce(Shared<C>& shared, const CUtensorMap& q_map, const CUtensorMap& k_map,
                          const CUtensorMap& v_map, const Args& args, const TraceArgs<C::kTraced>& trace_args) {
  constexpr bool kTraced = C::kTraced;
  [[maybe_unused]] Tracer<kTraced> trace(trace_args, 0, true);
  const uint64_t keep = l2_evict_last();   // K and V are read again by the blocks of other Q tiles
  const uint64_t once = l2_evict_first();  // Q is not
  Ring<C::kStages> k_ring, v_ring;
  int q_parity = 0;

  auto load_k = [&](int j, int head) {
    STEP(Wait, j) { shared.k_empty[k_ring.stage].wait(k_ring.parity ^ 1); }
    STEP(LoadK, j) {
      shared.k_full[k_ring.stage].arrive_and_expect(C::kTileBytes);
      tma_load(shared.k[k_ring.stage], k_map, shared.k_full[k_ring.stage], j * C::Bc, head, keep);
      k_ring.next();
    }
  };
  auto load_v = [&](int j, int head) {
    STEP(Wait, j) { shared.v_empty[v_ring.stage].wait(v_ring.parity ^ 1); }
    STEP(LoadV, j) {
      shared.v_full[v_ring.stage].arrive_and_expect(C::kTileBytes);
      tma_load(shared.v[v_ring.stage], v_map, shared.v_full[v_ring.stage], j * C::Bc, head, keep);
      v_ring.next();
    }
  };

  for (Tiles<C> tile; tile.next(args); q_parity ^= 1) {
    int j = visits_of<C>(args, tile.i) - 1;
    tile.begins(j);
    const int kv_head = tile.head / args.sharing;
    load_k(j, kv_head);
    STEP(Wait, j) { shared.q_empty.wait(q_parity ^ 1); }
    STEP(LoadQ, j) {
      shared.i = tile.i;
      shared.head = tile.head;
      // A box is what one copy of TMA moves, here 64 rows. Where no query is, what stands there reaches no stored row.
      const int first = first_box<C>(args, tile.i);
      shared.q_full.arrive_and_expect((C::kConsumers - first) * C::kQBytes);
      for (int w = first; w < C::kConsumers; ++w)
        tma_load(shared.q[w], q_map, shared.q_full, first_row_of<C>(args, tile.i, w), tile.head, once);
    }
    // K_{j-1} before V_j: the consumers need it first.
    for (; j >= 0; --j) {
      if (j > 0) load_k(j - 1, kv_head);
      load_v(j, kv_head);
      tile.visited(j);
    }
  }
  shared.q_empty.wait(q_parity ^ 1);
  shared.i = -1;
  shared.q_full.arrive();
  trace.finish();
}

// ---- Consumer: a warpgroup, 64 rows of Q_i ----------------------------------------------------------------------

template <class C>
TILEWALK_PTX void consume(Shared<C>& shared, const CUtensorMap& o_map, const Args& args,
                          const TraceArgs<C::kTraced>& trace_args, Feeder<C> feeder) {
  using T = typename C::T;
  constexpr int D = C::D, Bc = C::Bc;
  constexpr bool kTraced = C::kTraced;
  // Which consumer. The shuffle shows the compiler that it is one number for the whole warp.
  const int w = __shfl_sync(~0u, threadIdx.x / 128, 0) - C::kProducer;
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const bool lead = threadIdx.x % 128 == 0;
  [[maybe_unused]] Tracer<kTraced> trace(trace_args, 1 + w, lead);

  // Ping-pong: the turns are drawn in fa3_tiles.cuh.
  auto my_turn = [&] {
    if (C::kPingPong) named_barrier_sync(1 + w, 256);
  };
  auto pass_turn = [&] {
    if (C::kPingPong) named_barrier_arrive(1 + (w + 1) % C::kConsumers, 256);
  };
  if (w == 0 && C::kPingPong) named_barrier_arrive(1, 256);
  const int own_barrier = 1 + C::kConsumers + w;

  const uint64_t q_tile = descriptor_k_major<C::kPanel>(shared.q[w]);
  const uint64_t k_tiles = descriptor_k_major<C::kPanel>(shared.k);
  const uint64_t v_tiles = descriptor_mn_major<C::kPanel>(shared.v, Bc * C::kRowBytes);
  Ring<C::kStages> k_ring, v_ring;
  feeder.next_tile();

  for (int q_parity = 0;; q_parity ^= 1) {
    STEP(Wait, 0) { shared.q_full.wait(q_parity); }
    // One lane reads for its warp; the same lane arrives at q_empty for it once the warp has read Q as well.
    const int i = __shfl_sync(~0u, lane == 0 ? shared.i : 0, 0);
    const int head = __shfl_sync(~0u, lane == 0 ? shared.head : 0, 0);
    if (i < 0) break;
    const int first_row = first_row_of<C>(args, i, w);  // of the warpgroup
    const int row = first_row + warp * 16 + lane / 4;   // of this thread: row and row + 8
    const int whole = whole_of<C>(args, first_row);     // K/V tiles 0 ... whole - 1 need no mask
    int j = visits_of<C>(args, i) - 1;

    float o[D / 2];      // O_i [64, D]
    uint32_t p[Bc / 4];  // P_j [64, Bc], 16 bits
    RowStats stats;      // m_i, l_i
    float alpha[2], shift[2];
    STEP(InitStats, j) { stats = {}; }
    [[maybe_unused]] uint32_t q[D / 4];  // Q_i [64, D], 16 bits, where there is room for it
    if constexpr (C::kHoldsQ) {
      const uint32_t buffer = shared_address(shared.q[w]);
#pragma unroll
      for (int x = 0; x < D / 16; ++x)  // 16 rows of two chunks; piece for piece as A wants them (softmax.cuh)
        load_matrices(reinterpret_cast<uint32_t(&)[4]>(q[4 * x]),
                      buffer + chunk_offset<C::kRows, C::kPanel>(warp * 16 + lane % 16, 2 * x + lane / 16));
      pin(q);
      __syncwarp();
      if (lane == 0) shared.q_empty.arrive();
    }

    auto issue_score = [&](float(&s)[Bc / 2]) {  // S_j [64, Bc] = Q K_j^T
      wgmma_fence();                             // no pin(s): the first product reads nothing of it
      const uint64_t k_tile = k_tiles + k_ring.stage * (C::kTileBytes / 16);
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {  // 16 columns of d: 32 bytes on in a panel, swizzled or not (wgmma.cuh)
        constexpr int kSteps = C::kPanel / 16;
        const int k_offset = x / kSteps * Bc * C::kRowBytes + x % kSteps * 32;
        if constexpr (C::kHoldsQ) {
          Wgmma<T, Bc>::template registers<Major::K>(s, &q[4 * x], k_tile + k_offset / 16, x > 0);
        } else {
          const int q_offset = x / kSteps * C::kRows * C::kRowBytes + x % kSteps * 32;
          Wgmma<T, Bc>::shared(s, q_tile + q_offset / 16, k_tile + k_offset / 16, x > 0);
        }
      }
      wgmma_commit();
    };
    auto issue_accumulate = [&] {  // O [64, D] += P_j V_j
      pin(p);
      pin(o);
      wgmma_fence();
      const uint64_t v_tile = v_tiles + v_ring.stage * (C::kTileBytes / 16);
#pragma unroll
      for (int x = 0; x < Bc / 16; ++x)  // 16 keys: 16 rows of a panel
        Wgmma<T, D>::registers(o, &p[4 * x], v_tile + x * 16 * C::kRowBytes / 16, 1);
      wgmma_commit();
    };
    // wgmma has read the buffer: one product of all four warps, over for all when the wait behind it ends. So one
    // thread arrives for its warpgroup. When each warpgroup has, the producer fills the buffer again.
    auto release_k = [&] {
      if (lead) shared.k_empty[k_ring.stage].arrive();
      k_ring.next();
    };
    auto release_v = [&] {
      if (lead) shared.v_empty[v_ring.stage].arrive();
      v_ring.next();
    };
    // After S_0 nobody reads Q_i again: the next Q tile can come while this one's last softmax and product still run.
    auto release_q_after = [&](int j) {
      if (j == 0 && lane == 0 && !C::kThroughQ && !C::kHoldsQ) shared.q_empty.arrive();
      if (j == 0) feeder.next_tile();
    };
    auto note_stats = [&](int j) {
      TRACED {
        const size_t at = size_t(j) * args.n_q;
        if (head == trace_args.to.head && trace_args.to.m)
          record_stats(stats, trace_args.to.m + at, trace_args.to.l + at, row, args.n_q, args.scale_log2);
      }
    };
    auto softmax = [&](float(&s)[Bc / 2], int j, bool masked, bool above_zero) {
      if (masked) {
        STEP(Mask, j) { mask_scores<C::kCausal>(s, row, j * Bc, args.n_k, args.n_k - args.n_q); }
      }
      STEP(RowMax, j) { row_max(s, stats.m, alpha, shift, args.scale_log2, masked, above_zero); }
      STEP(Exponentiate, j) { exponentiate(s, shift, args.scale_log2); }
      STEP(RowSum, j) { row_sum(s, stats.l, alpha); }
      note_stats(j);
    };

    // Three consumers have 192 rows, more than a K/V tile has keys, so under a causal mask the first, and often the
    // second, see nothing of the last tile: they leave it out. They still give K_j and V_j back, since the producer
    // counts every consumer, and take and pass a turn, since the others count on it. Two consumers multiply it and mask
    // it all: right, and seldom needed at d = 128, where the tile is as long as their rows.
    if (C::kCausal && C::kConsumers == 3 && j >= visits_to<C>(args, first_row + C::kRows)) {
      STEP(Wait, j) {
        shared.k_full[k_ring.stage].wait(k_ring.parity);
        feeder.feed(j);
        named_barrier_sync(own_barrier, 128);  // no product is waited for here: all four warps have seen K_j come
        release_k();
        shared.v_full[v_ring.stage].wait(v_ring.parity);
        named_barrier_sync(own_barrier, 128);
        release_v();
        note_stats(j);
        --j;
        my_turn();
        pass_turn();
      }
    }

    // The last K/V tile: there is no P V yet to run beside, and no turn is taken. From here on each consumer takes one
    // turn a tile, and all have as many tiles, so the turns come out even.
    {
      float s[Bc / 2];  // S_j [64, Bc]
      STEP(Wait, j) { shared.k_full[k_ring.stage].wait(k_ring.parity); }
      STEP(Score, j) {
        issue_score(s);
        feeder.feed(j);
        wgmma_wait<0>();
        pin(s);
      }
      release_k();
      release_q_after(j);
      const bool cut = j >= whole;
      if (C::kAsks || cut) {  // without kAsks two copies: in the first cut is true, in the second there is no mask
        softmax(s, j, cut, false);
      } else {
        softmax(s, j, false, false);
      }
      pack_rows<T>(p, s);
    }
    STEP(InitO, j) {
#pragma unroll
      for (int x = 0; x < D / 2; ++x) o[x] = 0.f;
    }

    // One K/V tile j: S_j is under way first, O += P_{j+1} V_{j+1} behind it, and the softmax of S_j runs beside that.
    auto visit = [&](int j, bool masked, bool above_zero) {
      float s[Bc / 2];                                              // S_j [64, Bc], while p still holds P_{j+1}
      [[maybe_unused]] const float late[2] = {alpha[0], alpha[1]};  // of the tile before: Switch::WrongOrder
      STEP(Wait, j) {
        shared.k_full[k_ring.stage].wait(k_ring.parity);
        my_turn();
      }
      STEP_BEGIN(Score, j) { issue_score(s); }
      STEP(Wait, j + 1) { shared.v_full[v_ring.stage].wait(v_ring.parity); }
      STEP_BEGIN(Accumulate, j + 1) { issue_accumulate(); }
      pass_turn();     // the tensor cores have this warpgroup's work; the next may queue behind it
      feeder.feed(j);  // nothing, where there is a producer

      wgmma_wait<C::kSwitch == Switch::Overlap ? 0 : 1>();  // S_j is done, P V may be under way
      pin(s);
      STEP_END(Score, j);
      release_k();
      release_q_after(j);
      softmax(s, j, masked, above_zero);

      wgmma_wait<0>();
      pin(o);
      pin(p);
      STEP_END(Accumulate, j + 1);
      release_v();
      pack_rows<T>(p, s);  // not sooner: the product was still reading P_{j+1}
      // alpha of tile j, after P_{j+1} V_{j+1}: that product was still on the old max.
      STEP(Rescale, j) { rescale<false>(o, alpha); }
      if constexpr (C::kSwitch == Switch::WrongOrder) scale_rows(o, late);
    };
    --j;
    if constexpr (C::kAsks) {
      // m only rises. Once it is above zero in all rows of the warpgroup, whose four warps must issue the same
      // products, the other tiles, none of which has a mask, take the quick way to their max. That is asked once,
      // behind the tiles with a mask; under a causal one, which leaves some rows one key, a tile later. After a no the
      // first loop goes on to the end. It has tiles with and without a mask: with a copy of visit() for each, three in
      // all, the compiler makes the second loop, which counts, 1 % slower (docs/measurements.md).
      const int left = min(j, whole - 1) - C::kCausal, ask = left >= 1 ? left : -1;
      for (; j >= 0 && (j != ask || !named_barrier_all(own_barrier, 128, above_zero(stats))); --j)
        visit(j, j >= whole, false);
      for (; j >= 0; --j) visit(j, false, true);
    } else {
      for (; j >= whole; --j) visit(j, true, false);
      for (; j >= 0; --j) visit(j, false, false);
    }

    // P_0 V_0 is still owed.
    STEP(Wait, 0) { shared.v_full[v_ring.stage].wait(v_ring.parity); }
    STEP(Accumulate, 0) {
      issue_accumulate();
      wgmma_wait<0>();
      pin(o);
      pin(p);
      if constexpr (C::kSwitch == Switch::WrongOrder) scale_rows(o, alpha);
    }
    release_v();

    float lse[2];
    STEP(LogSumExp, 0) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        stats.l[h] = quad_sum(stats.l[h]);
        lse[h] = log_sum_exp(stats.m[h], stats.l[h], args.scale_log2);
      }
    }
    STEP(StoreLse, 0) {
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if (lane % 4 == 0 && is_query(row + 8 * h, args.n_q)) args.lse[size_t(head) * args.n_q + row + 8 * h] = lse[h];
    }
    STEP(Normalize, 0) {
      const float inverse[2] = {reciprocal(stats.l[0]), reciprocal(stats.l[1])};
      scale_rows(o, inverse);
    }
    STEP(Wait, 0) {
      if (lead) tma_store_wait_read();       // the store of the tile before has read the buffer ...
      named_barrier_sync(own_barrier, 128);  // ... and the whole warpgroup knows
    }
    STEP(Convert, 0) {
      const uint32_t buffer = shared_address(shared.output(w));
#pragma unroll
      for (int x = 0; x < D / 4; ++x) {  // two columns of chunk x / 2, of the upper or the lower of the thread's rows
        const uint32_t at =
            buffer + chunk_offset<C::kRows, C::kPanel>(warp * 16 + lane / 4 + x % 2 * 8, x / 2) + lane % 4 * 4;
        store_shared(at, pack<T>(o[2 * x], o[2 * x + 1]));
      }
    }
    STEP(StoreO, 0) {
      fence_shared_for_async();              // each thread's own stores become visible to TMA ...
      named_barrier_sync(own_barrier, 128);  // ... of all 128 before one of them starts it
      if (lead && first_row >= 0) tma_store(o_map, shared.output(w), first_row, head);
    }
    if constexpr (C::kThroughQ) {  // Q's buffer is free when the store of O has read it
      if (lead) tma_store_wait_read();
      named_barrier_sync(own_barrier, 128);
      if (lane == 0) shared.q_empty.arrive();
    }
  }
  if (lead) tma_store_wait();  // the block, and its shared memory with it, ends: its last store must be complete
  trace.finish();
}

// ---- The kernel -------------------------------------------------------------------------------------------------

template <class C>
__global__ void __launch_bounds__(C::kThreads, 1)
    fa3_forward(const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
                const __grid_constant__ CUtensorMap v_map, const __grid_constant__ CUtensorMap o_map,
                const __grid_constant__ Args args, const __grid_constant__ TraceArgs<C::kTraced> trace_args) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared<C>& shared = *reinterpret_cast<Shared<C>*>(raw);
  if (threadIdx.x == 0) shared.init();
  __syncthreads();
  if (C::kProducer && __shfl_sync(~0u, threadIdx.x / 128, 0) == 0) {
    if constexpr (C::kSharesRegisters) give_registers_back<C::kProducerRegisters>();
    if (threadIdx.x == 0) produce<C>(shared, q_map, k_map, v_map, args, trace_args);
  } else {
    if constexpr (C::kSharesRegisters) take_registers<C::kConsumerRegisters>();
    consume<C>(shared, o_map, args, trace_args, Feeder<C>(shared, q_map, k_map, v_map, args));
  }
}

// ---- Host -------------------------------------------------------------------------------------------------------

template <bool traced>
cudaError_t allow_shared_memory(const Forward& f) {
  return with_instance<traced>(f, [&]<class C>() {
    return cudaFuncSetAttribute(fa3_forward<C>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Shared<C>)));
  });
}

template <bool traced>
cudaError_t launch(const Forward& f, const TraceArgs<traced>& trace_args, cudaStream_t stream) {
  if (!takes(f)) return cudaErrorInvalidValue;
  const Plan* plan = nullptr;
  if (const cudaError_t error = plan_for(f, switched_shape(Method::Fa3, f.d, kSwitch), plan)) return error;
  return with_instance<traced>(f, [&]<class C>() {
    fa3_forward<C><<<plan->blocks(f.spare), C::kThreads, sizeof(Shared<C>), stream>>>(plan->q, plan->k, plan->v,
                                                                                      plan->o, plan->args, trace_args);
    return cudaGetLastError();
  });
}
cudaError_t launch_plain(const Forward& f, cudaStream_t stream) { return launch<false>(f, {}, stream); }
cudaError_t launch_traced(const Forward& f, const Trace& trace, cudaStream_t stream) {
  return launch<true>(f, {trace}, stream);
}

cudaError_t resident_blocks(const Forward& f, int* blocks) {
  return with_instance<false>(f, [&]<class C>() {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, fa3_forward<C>, C::kThreads, sizeof(Shared<C>));
  });
}

bool prepare(const Forward& f, const char** why) {
  if (!is_hopper(why)) return false;
  if (!takes(f)) return *why = "FA3 takes d = 64, 96, 128 or 256, and at least one head, query and key.", false;
  if (allow_shared_memory<false>(f) != cudaSuccess ||
      (kSwitch == Switch::None && allow_shared_memory<true>(f) != cudaSuccess))
    return *why = "FA3's shared memory was refused: the GPU gives a thread block too little.", false;
  return true;
}

}  // namespace
}  // namespace fa3

// Launches must not overlap one another: causal ones draw their tiles from one counter on the device.
TILEWALK_CALLS(Method::Fa3, kFa3Calls) = {.prepare = fa3::prepare,
                                          .launch = fa3::launch_plain,
                                          .launch_traced = fa3::launch_traced,
                                          .resident_blocks = fa3::resident_blocks};

}  // namespace tilewalk::gpu
