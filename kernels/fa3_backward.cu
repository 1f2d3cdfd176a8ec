// FlashAttention-3, the backward pass, on Hopper (arXiv:2407.08608, Appendix B.1; FlashAttention-2's Algorithm 2 by
// warpgroups with roles). What fa2_backward.cu computes, in the same order: K/V tiles outside, P made again from S and
// L, dQ added up in memory. Before and after come the same two launches (fa2_backward_rows.cuh).
//
// One thread block: a producer warpgroup, and two consumer warpgroups with 64 keys each.
//
//   where            what                                     d = 128            d = 64
//   shared memory    K tile, V tile  [Bc, d], one of each     128 x 128  64 KB   128 x 64  32 KB
//                    Q tile, dO tile  [Br, d], two of each     64 x 128  64 KB   128 x 64  64 KB
//                    dS^T  [Bc, Br], two                      128 x 64   32 KB  128 x 128  64 KB
//                    L, D  [Br], two of each                              1 KB              2 KB
//   registers of     S^T, later P^T, and dP^T, later dS^T      32 + 32 a thread   64 + 64 a thread
//   a consumer       dK, dV  [64 of Bc, d]  fp32               64 + 64            32 + 32
//                    dQ  fp32, of one visit                    32: [64, 64]       32: [64, 64]
//
// New against FA2's: TMA brings whole tiles while others compute; all five products are wgmma's and run while the warps
// that issued them go on. S and dP are computed transposed, a key a row, so that a warpgroup keeps its keys to itself:
// P^T and dS^T lie in its registers just as the left operands of P^T dO and dS^T Q want them. Only dQ = dS K needs the
// keys of both: each warpgroup writes its dS^T to shared memory, they meet at a barrier, and each sums half of dQ. That
// dS^T has two buffers saves a second barrier.
//
// dQ leaves the registers by atomic additions of four floats, with dK's product under way. A copy through shared memory
// that TMA adds was 1 to 10 % slower on an H200: shared memory is busy.
//
// What limits it: both warpgroups make P and dS at about the same time, and then no product is under way; registers for
// a product more there are none.
#include "kernels/fa3_backward.h"

#include "kernels/common/ptx_sm90.cuh"
#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/wgmma.cuh"
#include "kernels/fa3_backward_plan.cuh"
#include "kernels/fa3_backward_tiles.cuh"

#include <climits>

namespace tilewalk::gpu {
namespace fa3_backward {
namespace {

// ---- Producer: one thread ---------------------------------------------------------------------------------------

template <class C>
TILEWALK_PTX void produce(Shared<C>& shared, const CUtensorMap& q_map, const CUtensorMap& k_map,
                          const CUtensorMap& v_map, const CUtensorMap& do_map, const Args& args) {
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  const int head = int(blockIdx.x) / args.key_tiles, j = int(blockIdx.x) % args.key_tiles;
  const Visits<C> visits(args, j);
  const float* stats = args.space.stats + head * args.space.padded * 2;
  const uint64_t keep = l2_evict_last();   // Q and dO are read again by the blocks of other K/V tiles
  const uint64_t once = l2_evict_first();  // K and V are not
  STEP(LoadK, j) {
    shared.kv_full.arrive_and_expect(2 * C::kKeyBytes);
    tma_load(shared.k, k_map, shared.kv_full, j * C::Bc, head, once);
  }
  STEP(LoadV, j) { tma_load(shared.v, v_map, shared.kv_full, j * C::Bc, head, once); }
  for (int turn = 0; turn < visits.count; ++turn) {
    const int i = visits.last - turn, stage = turn % 2, parity = turn / 2 % 2;
    STEP(Wait, i) { shared.q_empty[stage].wait(parity ^ 1); }
    STEP(LoadQ, i) {
      shared.q_full[stage].arrive_and_expect(C::kQueryBytes + C::kStatsBytes);
      tma_load(shared.q[stage], q_map, shared.q_full[stage], i * C::Br, head, keep);
    }
    STEP(LoadLse, i) {
      STEP(LoadD, i) { bulk_load(shared.stats[stage], stats + i * 2 * C::Br, shared.q_full[stage], C::kStatsBytes); }
    }
    STEP(Wait, i) { shared.do_empty[stage].wait(parity ^ 1); }
    STEP(LoadDO, i) {
      shared.do_full[stage].arrive_and_expect(C::kQueryBytes);
      tma_load(shared.d_o[stage], do_map, shared.do_full[stage], i * C::Br, head, keep);
    }
  }
}

// ---- Consumer: a warpgroup, 64 keys -----------------------------------------------------------------------------

// S = -inf where a key is not seen. `seen_from` is the first query of the tile that sees the thread's first key, `left`
// how many keys there are from that one on; its second is 8 further on.
template <int N>
TILEWALK_PTX void mask_transposed(float (&s)[N], int seen_from, int left) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int hidden = (8 * h < left ? seen_from + 8 * h : INT_MAX / 2) - int(threadIdx.x) % 4 * 2;
#pragma unroll
    for (int n = 0; n < N / 4; ++n) {
      if (8 * n < hidden) s[4 * n + 2 * h] = -INFINITY;
      if (8 * n + 1 < hidden) s[4 * n + 2 * h + 1] = -INFINITY;
    }
  }
}

template <class C>
TILEWALK_PTX void consume(Shared<C>& shared, const CUtensorMap& dk_map, const CUtensorMap& dv_map, const Args& args) {
  using T = typename C::T;
  constexpr int D = C::D, Br = C::Br, Bc = C::Bc;
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  constexpr int kMeet = 1, kOwn = 2;  // barriers: of both consumers, of each
  // Which consumer. The shuffle tells the compiler that it is one number for the whole warp.
  const int w = __shfl_sync(~0u, threadIdx.x / 128, 0) - 1;
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const bool lead = threadIdx.x % 128 == 0;
  const int head = int(blockIdx.x) / args.key_tiles, j = int(blockIdx.x) % args.key_tiles;
  const Visits<C> visits(args, j);
  const int first_key = j * Bc + w * C::kKeys;       // of the warpgroup
  const int key = first_key + warp * 16 + lane / 4;  // of this thread: key and key + 8

  // Left operands of S^T and dP^T: the warpgroup's rows of K and V.
  const uint64_t k_rows = descriptor_k_major(shared.k) + w * C::kKeys * kPanelRowBytes / 16;
  const uint64_t v_rows = descriptor_k_major(shared.v) + w * C::kKeys * kPanelRowBytes / 16;
  // dQ = dS K: the warpgroup's panel of dS^T, 64 queries, or of K, 64 columns; and where it begins in memory.
  constexpr int kPanel = Bc * kPanelRowBytes;
  const int q_row = Br == 128 ? w * C::kDQ : 0, q_column = D == 128 ? w * C::kDQ : 0;
  const uint64_t ds_rows = descriptor_mn_major(shared.ds, kPanel) + q_row / kPanelColumns * kPanel / 16;
  const uint64_t k_columns = descriptor_mn_major(shared.k, kPanel) + q_column / kPanelColumns * kPanel / 16;
  float* const dq_sum =
      args.space.dq + (head * args.space.padded + q_row + 16 * warp) * D + fragment_offset<D>(q_column / 8, lane);
  // Where stmatrix puts the lane's row of dS^T.
  const uint32_t ds_lane = shared_address(shared.ds) + (w * C::kKeys + warp * 16 + lane % 16) * kPanelRowBytes;

  float dk[D / 2], dv[D / 2];  // [64, D]
  STEP(InitDK, j) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) dk[e] = 0.f;
  }
  STEP(InitDV, j) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) dv[e] = 0.f;
  }
  pin(dk);
  pin(dv);

  // [64 keys, Br] = 64 rows of K or V times a Q or dO tile, transposed.
  auto issue_rows = [&](float(&to)[Br / 2], uint64_t rows, const T* tile) {
    const uint64_t queries = descriptor_k_major(tile);
    wgmma_fence();
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {  // 16 columns of d: 32 bytes within a panel of 64
      const int row_offset = x / 4 * Bc * kPanelRowBytes + x % 4 * 32;
      const int query_offset = x / 4 * Br * kPanelRowBytes + x % 4 * 32;
      Wgmma<T, Br>::shared(to, rows + row_offset / 16, queries + query_offset / 16, x > 0);
    }
    wgmma_commit();
  };
  // [64 keys, D] += P^T or dS^T times a Q or dO tile.
  auto issue_sum = [&](float(&to)[D / 2], const uint32_t(&a)[Br / 4], const T* tile) {
    const uint64_t columns = descriptor_mn_major(tile, Br * kPanelRowBytes);
    wgmma_fence();
#pragma unroll
    for (int x = 0; x < Br / 16; ++x)  // 16 queries: 16 rows of 128 bytes
      Wgmma<T, D>::registers(to, &a[4 * x], columns + x * 16 * kPanelRowBytes / 16, 1);
    wgmma_commit();
  };

  STEP(Wait, j) { shared.kv_full.wait(0); }
  auto visit = [&](int turn) {
    const int i = visits.last - turn, stage = turn % 2, parity = turn / 2 % 2;
    float s[Br / 2], dp[Br / 2];     // S^T, later P^T, and dP^T, later dS^T: [64, Br]
    uint32_t p[Br / 4], ds[Br / 4];  // P^T and dS^T in 16 bits
    STEP(Wait, i) { shared.q_full[stage].wait(parity); }
    STEP_BEGIN(Score, i) { issue_rows(s, k_rows, shared.q[stage]); }
    STEP(Wait, i) { shared.do_full[stage].wait(parity); }
    STEP_BEGIN(GradientP, i) { issue_rows(dp, v_rows, shared.d_o[stage]); }
    // L of two queries every four; D of them is behind L.
    const auto* const lse = reinterpret_cast<const float2*>(shared.stats[stage][0]) + lane % 4;
    const auto* const dot = reinterpret_cast<const float2*>(shared.stats[stage][1]) + lane % 4;

    wgmma_wait<1>();  // S
    pin(s);
    STEP_END(Score, i);
    if (i < visits.whole) {
      STEP(Mask, i) { mask_transposed(s, key - diagonal_of(args) - i * Br, args.n_k - key); }
    }
    STEP(Recompute, i) {
#pragma unroll
      for (int n = 0; n < Br / 8; ++n) {
        const float2 l = lse[4 * n];
#pragma unroll
        for (int e = 4 * n; e < 4 * n + 4; ++e) s[e] = exp2_approx(s[e] * args.scale_log2 - (e % 2 ? l.y : l.x));
      }
      pack_rows<T>(p, s);
    }
    wgmma_wait<0>();
    pin(dp);
    STEP_END(GradientP, i);
    STEP(GradientS, i) {
#pragma unroll
      for (int n = 0; n < Br / 8; ++n) {
        const float2 d = dot[4 * n];
#pragma unroll
        for (int e = 4 * n; e < 4 * n + 4; ++e) dp[e] = s[e] * (dp[e] - (e % 2 ? d.y : d.x));
      }
      pack_rows<T>(ds, dp);
    }
    pin(ds);
    pin(p);
    STEP_BEGIN(AccumulateDV, i) { issue_sum(dv, p, shared.d_o[stage]); }
    STEP(Wait, i) {
      const uint32_t to = ds_lane + stage * C::kScoreBytes;
#pragma unroll
      for (int x = 0; x < Br / 16; ++x) {  // 16 queries: two chunks of a panel
        const int chunk = x % 4 * 2 + lane / 16;
        store_matrices(to + x / 4 * Bc * kPanelRowBytes + (chunk ^ lane % 8) * 16, &ds[4 * x]);
      }
      fence_shared_for_async();
      named_barrier_sync(kMeet, C::kBoth);  // dS^T of both is there, and nobody reads that of the visit before
    }
    float dq[C::kDQ / 2];  // [64, 64]
    STEP_BEGIN(AccumulateDQ, i) {
      const uint64_t rows = ds_rows + stage * (C::kScoreBytes / 16);
      wgmma_fence();
#pragma unroll
      for (int x = 0; x < Bc / 16; ++x) {
        const int keys = x * 16 * kPanelRowBytes / 16;
        Wgmma<T, C::kDQ>::template shared<Major::MN, Major::MN>(dq, rows + keys, k_columns + keys, x > 0);
      }
      wgmma_commit();
    }
    pin(ds);
    STEP_BEGIN(AccumulateDK, i) { issue_sum(dk, ds, shared.q[stage]); }
    wgmma_wait<1>();  // dV and dQ
    pin(p);
    pin(dq);
    STEP_END(AccumulateDV, i);
    STEP_END(AccumulateDQ, i);
    if (lead) shared.do_empty[stage].arrive();
    STEP(AddDQ, i) {
      float* const to = dq_sum + size_t(i) * Br * D;
#pragma unroll
      for (int n = 0; n < C::kDQ / 8; ++n) add_in_memory(to + fragment_offset<D>(n, 0), &dq[4 * n]);
    }
    wgmma_wait<0>();
    pin(ds);
    STEP_END(AccumulateDK, i);
    shared.q_empty[stage].arrive();  // every thread: each has read L and D
  };
  for (int turn = 0; turn < visits.count; ++turn) visit(turn);
  pin(dk);
  pin(dv);

  // All have read K and V: dK and dV take their place, 64 rows a warpgroup.
  STEP(Wait, j) {
    fence_shared_for_async();             // wgmma's reads, before ...
    named_barrier_sync(kMeet, C::kBoth);  // ... ordinary writes
  }
  auto put = [&](T* tile, const float(&x)[D / 2], float factor) {
    const uint32_t rows = shared_address(tile);
#pragma unroll
    for (int n = 0; n < D / 16; ++n) {
      uint32_t packed[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) packed[e] = pack<T>(x[8 * n + 2 * e] * factor, x[8 * n + 2 * e + 1] * factor);
      store_matrices(rows + chunk_offset<C::kKeys>(warp * 16 + lane % 16, 2 * n + lane / 16), packed);
    }
  };
  T *const dk_rows = shared.k + w * C::kKeys * D, *const dv_rows = shared.v + w * C::kKeys * D;
  STEP(Convert, j) {
    put(dk_rows, dk, args.scale);
    put(dv_rows, dv, 1.f);
    fence_shared_for_async();
    named_barrier_sync(kOwn + w, 128);
  }
  const bool stores = lead && first_key < args.n_k;
  STEP(StoreDK, j) {
    if (stores) tma_store(dk_map, dk_rows, first_key, head);
  }
  STEP(StoreDV, j) {
    if (stores) tma_store(dv_map, dv_rows, first_key, head);
  }
  if (lead) tma_store_wait();  // shared memory lives as long as the block
}

// ---- The kernel -------------------------------------------------------------------------------------------------

template <class C>
__global__ void __launch_bounds__(C::kThreads, 1)
    gradients(const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
              const __grid_constant__ CUtensorMap v_map, const __grid_constant__ CUtensorMap do_map,
              const __grid_constant__ CUtensorMap dk_map, const __grid_constant__ CUtensorMap dv_map,
              const __grid_constant__ Args args) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared<C>& shared = *reinterpret_cast<Shared<C>*>(raw);
  if (threadIdx.x == 0) {
    shared.kv_full.init(1);
    for (int s = 0; s < C::kStages; ++s) {
      shared.q_full[s].init(1);
      shared.do_full[s].init(1);
      shared.q_empty[s].init(C::kBoth);
      shared.do_empty[s].init(C::kConsumers);
    }
    fence_barrier_init();
  }
  __syncthreads();
  if (__shfl_sync(~0u, threadIdx.x / 128, 0) == 0) {
    give_registers_back<C::kProducerRegisters>();
    if (threadIdx.x == 0) produce<C>(shared, q_map, k_map, v_map, do_map, args);
  } else {
    take_registers<C::kConsumerRegisters>();
    consume<C>(shared, dk_map, dv_map, args);
  }
}

// ---- Host -------------------------------------------------------------------------------------------------------

// Calls use.operator()<Config>() for the instance that r needs.
template <class Use>
cudaError_t with_config(const Request& r, Use use) {
  if (!takes(r)) return cudaErrorInvalidValue;
  const auto of = [&]<class T>() {
    return r.d == 64 ? use.template operator()<Config<T, 64>>() : use.template operator()<Config<T, 128>>();
  };
  return r.element == Element::Half ? of.template operator()<__half>() : of.template operator()<__nv_bfloat16>();
}

}  // namespace
}  // namespace fa3_backward

size_t workspace_bytes_fa3_backward(const Request& r) {
  const int64_t rows = r.heads * padded_rows(r.n_q, kernel_shape(Method::Fa3Backward, r.d).br);
  return size_t(rows) * (size_t(r.d) + 2) * sizeof(float);
}

bool prepare_fa3_backward(const Request& r, const char** why) {
  using namespace fa3_backward;
  if (!is_hopper(why)) return false;
  if (!takes(r)) return *why = "FA3 takes d = 64 or 128, and at least one head, query and key.", false;
  const cudaError_t error = with_config(r, [&]<class C>() {
    return cudaFuncSetAttribute(gradients<C>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Shared<C>)));
  });
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

cudaError_t resident_blocks_fa3_backward(const Request& r, int* blocks) {
  using namespace fa3_backward;
  return with_config(r, [&]<class C>() {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, gradients<C>, C::kThreads, sizeof(Shared<C>));
  });
}

cudaError_t launch_fa3_backward(const Request& r, cudaStream_t stream) {
  using namespace fa3_backward;
  return with_config(r, [&]<class C>() {
    const Plan* plan = nullptr;
    if (const cudaError_t error = plan_for<C>(r, plan)) return error;
    const Workspace& space = plan->args.space;
    const int64_t rows = r.heads * space.padded;
    const auto blocks = [](int64_t threads) { return unsigned((threads + kRowThreads - 1) / kRowThreads); };
    dot_rows<typename C::T, C::D, C::Br><<<blocks(rows * (r.d / 8)), kRowThreads, 0, stream>>>(r, space);
    gradients<C><<<unsigned(r.heads * plan->args.key_tiles), C::kThreads, sizeof(Shared<C>), stream>>>(
        plan->q, plan->k, plan->v, plan->d_o, plan->dk, plan->dv, plan->args);
    convert_dq<typename C::T, C::D><<<blocks(rows / 16 * r.d), kRowThreads, 0, stream>>>(r, space);
    return cudaGetLastError();
  });
}

}  // namespace tilewalk::gpu
