// FlashAttention-3 in e4m3, forward, on Hopper. What fa3.cu does, in the same order and with the same roles, on numbers
// of eight bits: the tensor cores take twice as many of them in a clock, and they are half the bytes. What is new:
//   1. Scales. The numbers of a tile share one (fp8_round.cu). S_j is scaled where it was scaled before, in the
//      exponential: scale log2(e) times the scale of Q_i times that of K_j. O is kept in units of V_j's scale, so the
//      factor alpha by which O is rescaled also goes over to the next tile's unit.
//   2. P in e4m3. Its largest number is 448: P is taken 2^8 times as large, and so is l, and what is divided in the end
//      is O by l.
//   3. wgmma takes e4m3 only where a row holds consecutive numbers of the dimension that is summed: V comes transposed,
//      its keys in the order in which P's registers hold them (kernels/common/wgmma_fp8.cuh).
//
// One thread block: a producer warpgroup and 2 consumer warpgroups of 64 rows each.
//
//   Q_i [Br, d]   shared memory, 64 rows for each consumer; read by wgmma
//   K_j [Bc, d]   shared memory, two buffers; read by wgmma
//   V_j [Bc, d]   shared memory, transposed: [Bc / 16][d][16], two buffers; read by wgmma
//   S_j [64, Bc]  registers of a consumer warpgroup, fp32
//   P_j [64, Bc]  registers, e4m3: the left operand of P V
//   O_i [64, d]   registers, fp32, not normalised; at the end 16 bits in shared memory, for TMA to store
//   m_i, l_i, L_i registers, two rows a thread, m as a power of two; L goes straight to memory
//
// Shah et al., "FlashAttention-3", arXiv:2407.08608, section 3.3.
#include "kernels/common/ptx_sm90.cuh"
#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/wgmma_fp8.cuh"
#include "kernels/fa3_fp8_plan.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu {
namespace fa3 {
namespace {

// RowMax, where tiles have scales of their own: m is a power of two, c times a raw score. P is taken 2^8 times as
// large.
constexpr float kWeightPower = 8.f;
template <int N>
TILEWALK_PTX void row_max_scaled(const float (&s)[N], float (&m)[2], float (&alpha)[2], float (&shift)[2], float c,
                                 bool masked) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float most = -INFINITY;
#pragma unroll
    for (int n = 0; n < N / 4; ++n) most = fmaxf(most, fmaxf(s[4 * n + 2 * h], s[4 * n + 2 * h + 1]));
    const float old = m[h];
    m[h] = fmaxf(old, quad_max(most) * c);
    const float now = masked && m[h] == -INFINITY ? 0.f : m[h];
    alpha[h] = exp2_approx(old - now);
    shift[h] = now - kWeightPower;
  }
}

// ---- Producer: one thread ---------------------------------------------------------------------------------------

template <class C>
TILEWALK_PTX void produce(Fp8Shared<C>& shared, const CUtensorMap& q_map, const CUtensorMap& k_map,
                          const Fp8Args& args) {
  constexpr bool kTraced = C::kTraced;
  [[maybe_unused]] Tracer<kTraced> trace({}, 0, true);
  const uint64_t keep = l2_evict_last(), once = l2_evict_first();
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
    STEP(LoadV, j) {  // a tile lies in memory as it does here
      const uint8_t* const tile = args.tensors.v + (int64_t(head) * args.key_tiles + j) * C::kTileBytes;
      shared.v_full[v_ring.stage].arrive_and_expect(C::kTileBytes);
      bulk_load(shared.v[v_ring.stage], tile, shared.v_full[v_ring.stage], C::kTileBytes);
      v_ring.next();
    }
  };

  for (Tiles<C> tile; tile.next(args); q_parity ^= 1) {
    int j = visits_of<C>(args, tile.i) - 1;
    tile.begins(j);
    load_k(j, tile.head);
    STEP(Wait, j) { shared.q_empty.wait(q_parity ^ 1); }
    STEP(LoadQ, j) {
      shared.i = tile.i;
      shared.head = tile.head;
      const int boxes = min(C::kConsumers, (args.n_q - tile.i * C::Br + C::kRows - 1) / C::kRows);
      shared.q_full.arrive_and_expect(boxes * C::kRows * C::D);
      for (int w = 0; w < boxes; ++w)
        tma_load(shared.q[w], q_map, shared.q_full, tile.i * C::Br + w * C::kRows, tile.head, once);
    }
    for (; j >= 0; --j) {
      if (j > 0) load_k(j - 1, tile.head);
      load_v(j, tile.head);
      tile.visited(j);
    }
  }
  shared.q_empty.wait(q_parity ^ 1);
  shared.i = -1;
  shared.q_full.arrive();
}

// ---- Consumer: a warpgroup, 64 rows of Q_i ----------------------------------------------------------------------

template <class C>
TILEWALK_PTX void consume(Fp8Shared<C>& shared, const CUtensorMap& o_map, const Fp8Args& args) {
  using T = typename C::T;
  constexpr int D = C::D, Bc = C::Bc;
  constexpr bool kTraced = C::kTraced;
  const int w = __shfl_sync(~0u, threadIdx.x / 128, 0) - 1;  // which consumer
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const bool lead = threadIdx.x % 128 == 0;
  [[maybe_unused]] Tracer<kTraced> trace({}, 1 + w, lead);

  // Ping-pong, as in fa3.cu.
  auto my_turn = [&] {
    if (C::kPingPong) named_barrier_sync(1 + w, 256);
  };
  auto pass_turn = [&] {
    if (C::kPingPong) named_barrier_arrive(1 + (w + 1) % C::kConsumers, 256);
  };
  if (w == 0 && C::kPingPong) named_barrier_arrive(1, 256);
  const int own_barrier = 1 + C::kConsumers + w;

  const uint64_t q_tile = descriptor_k_major(shared.q[w]);
  const uint64_t k_tiles = descriptor_k_major(shared.k);
  const uint64_t v_tiles = descriptor_sixteens(shared.v, D);
  Ring<C::kStages> k_ring, v_ring;

  for (int q_parity = 0;; q_parity ^= 1) {
    STEP(Wait, 0) { shared.q_full.wait(q_parity); }
    const int i = __shfl_sync(~0u, lane == 0 ? shared.i : 0, 0);
    const int head = __shfl_sync(~0u, lane == 0 ? shared.head : 0, 0);
    if (i < 0) break;
    const int first_row = i * C::Br + w * C::kRows;    // of the warpgroup
    const int row = first_row + warp * 16 + lane / 4;  // of this thread: row and row + 8
    const int whole = whole_of<C>(args, first_row);
    int j = visits_of<C>(args, i) - 1;

    // Of Q_i with the softmax's scale; of K_j and V_j, fetched before the tile's product is waited for.
    const float q_scale = args.scale_log2 * args.tensors.q_scale[head * args.tr + i];
    const float* const k_scales = args.tensors.k_scale + head * args.key_tiles;
    const float* const v_scales = args.tensors.v_scale + head * args.key_tiles;
    float c = q_scale * k_scales[j], v_scale = v_scales[j];

    float o[D / 2];      // O_i [64, D], in units of v_scale
    uint32_t p[Bc / 8];  // P_j [64, Bc], e4m3
    RowStats stats;      // m_i, l_i
    float alpha[2], shift[2];
    STEP(InitStats, j) { stats = {}; }

    auto issue_score = [&](float(&s)[Bc / 2]) {  // S_j [64, Bc] = Q K_j^T
      wgmma_fence();
      const uint64_t k_tile = k_tiles + k_ring.stage * (C::kTileBytes / 16);
#pragma unroll
      for (int x = 0; x < D / 32; ++x)  // 32 columns of d: 32 bytes within a row of 128
        WgmmaE4M3<Bc>::shared(s, q_tile + x * 32 / 16, k_tile + x * 32 / 16, x > 0);
      wgmma_commit();
    };
    auto issue_accumulate = [&] {  // O [64, D] += P_j V_j
      pin(p);
      pin(o);
      wgmma_fence();
      const uint64_t v_tile = v_tiles + v_ring.stage * (C::kTileBytes / 16);
#pragma unroll
      for (int x = 0; x < Bc / 32; ++x)  // 32 keys: two sixteens
        WgmmaE4M3<D>::registers(o, &p[4 * x], v_tile + x * 32 * D / 16, 1);
      wgmma_commit();
    };
    auto release_k = [&] {
      if (lead) shared.k_empty[k_ring.stage].arrive();
      k_ring.next();
    };
    auto release_v = [&] {
      if (lead) shared.v_empty[v_ring.stage].arrive();
      v_ring.next();
    };
    auto release_q_after = [&](int j) {
      if (j == 0 && lane == 0) shared.q_empty.arrive();
    };
    auto softmax = [&](float(&s)[Bc / 2], int j, bool masked) {
      if (masked) {
        STEP(Mask, j) { mask_scores<C::kCausal>(s, row, j * Bc, args.n_k, args.n_k - args.n_q); }
      }
      STEP(RowMax, j) { row_max_scaled(s, stats.m, alpha, shift, c, masked); }
      STEP(Exponentiate, j) { exponentiate(s, shift, c); }
      STEP(RowSum, j) { row_sum(s, stats.l, alpha); }
    };

    // The last K/V tile: there is no P V yet to run beside.
    {
      float s[Bc / 2];  // S_j [64, Bc]
      STEP(Wait, j) { shared.k_full[k_ring.stage].wait(k_ring.parity); }
      STEP(Score, j) {
        issue_score(s);
        wgmma_wait<0>();
        pin(s);
      }
      release_k();
      release_q_after(j);
      if (j >= whole) {
        softmax(s, j, true);
      } else {
        softmax(s, j, false);
      }
      pack_rows_e4m3(p, s);
    }
    STEP(InitO, j) {
#pragma unroll
      for (int x = 0; x < D / 2; ++x) o[x] = 0.f;
    }

    // One K/V tile j: S_j is under way first, O += P_{j+1} V_{j+1} behind it, and the softmax of S_j runs beside that.
    auto visit = [&](int j, bool masked) {
      float s[Bc / 2];  // S_j [64, Bc], while p still holds P_{j+1}
      c = q_scale * k_scales[j];
      const float next_v_scale = v_scales[j];
      STEP(Wait, j) {
        shared.k_full[k_ring.stage].wait(k_ring.parity);
        my_turn();
      }
      STEP_BEGIN(Score, j) { issue_score(s); }
      STEP(Wait, j + 1) { shared.v_full[v_ring.stage].wait(v_ring.parity); }
      STEP_BEGIN(Accumulate, j + 1) { issue_accumulate(); }
      pass_turn();

      wgmma_wait<1>();  // S_j is done, P V may be under way
      pin(s);
      STEP_END(Score, j);
      release_k();
      release_q_after(j);
      softmax(s, j, masked);

      wgmma_wait<0>();
      pin(o);
      pin(p);
      STEP_END(Accumulate, j + 1);
      release_v();
      pack_rows_e4m3(p, s);  // not sooner: the product was still reading P_{j+1}
      STEP(Rescale, j) {     // to the new max, and to V_j's unit
        const float unit = __fdividef(v_scale, next_v_scale);
        const float factor[2] = {alpha[0] * unit, alpha[1] * unit};
        scale_rows(o, factor);
        v_scale = next_v_scale;
      }
    };
    for (--j; j >= whole; --j) visit(j, true);
    for (; j >= 0; --j) visit(j, false);

    // P_0 V_0 is still owed.
    STEP(Wait, 0) { shared.v_full[v_ring.stage].wait(v_ring.parity); }
    STEP(Accumulate, 0) {
      issue_accumulate();
      wgmma_wait<0>();
      pin(o);
      pin(p);
    }
    release_v();

    float lse[2];
    STEP(LogSumExp, 0) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        stats.l[h] = quad_sum(stats.l[h]);
        lse[h] = log_sum_exp(stats.m[h] - kWeightPower, stats.l[h], 1.f);
      }
    }
    STEP(StoreLse, 0) {
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if (lane % 4 == 0 && row + 8 * h < args.n_q) args.lse[size_t(head) * args.n_q + row + 8 * h] = lse[h];
    }
    STEP(Normalize, 0) {
      const float inverse[2] = {reciprocal(stats.l[0]) * v_scale, reciprocal(stats.l[1]) * v_scale};
      scale_rows(o, inverse);
    }
    STEP(Wait, 0) {
      if (lead) tma_store_wait_read();
      named_barrier_sync(own_barrier, 128);
    }
    STEP(Convert, 0) {
      const uint32_t buffer = shared_address(shared.o[w]);
#pragma unroll
      for (int x = 0; x < D / 4; ++x) {
        const uint32_t at = buffer + chunk_offset<C::kRows>(warp * 16 + lane / 4 + x % 2 * 8, x / 2) + lane % 4 * 4;
        asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(pack<T>(o[2 * x], o[2 * x + 1])) : "memory");
      }
    }
    STEP(StoreO, 0) {
      fence_shared_for_async();
      named_barrier_sync(own_barrier, 128);
      if (lead && first_row < args.n_q) tma_store(o_map, shared.o[w], first_row, head);
    }
  }
  if (lead) tma_store_wait();
}

// ---- The kernel -------------------------------------------------------------------------------------------------

template <class C>
__global__ void __launch_bounds__(C::kThreads, 1)
    fa3_fp8_forward(const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
                    const __grid_constant__ CUtensorMap o_map, const __grid_constant__ Fp8Args args) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Fp8Shared<C>& shared = *reinterpret_cast<Fp8Shared<C>*>(raw);
  if (threadIdx.x == 0) shared.init();
  __syncthreads();
  if (__shfl_sync(~0u, threadIdx.x / 128, 0) == 0) {
    give_registers_back<C::kProducerRegisters>();
    if (threadIdx.x == 0) produce<C>(shared, q_map, k_map, args);
  } else {
    take_registers<C::kConsumerRegisters>();
    consume<C>(shared, o_map, args);
  }
}

// ---- Host -------------------------------------------------------------------------------------------------------

template <class Use>
cudaError_t with_instance(const Request& f, const Use& use) {
  const auto by_mask = [&]<class T, int Bc>() {
    return f.causal ? use.template operator()<Fp8Config<T, Bc, true>>()
                    : use.template operator()<Fp8Config<T, Bc, false>>();
  };
  const auto by_keys = [&]<class T>() {
    return fp8_keys(f.n_k) == 128 ? by_mask.template operator()<T, 128>() : by_mask.template operator()<T, 192>();
  };
  return f.element == Element::Half ? by_keys.template operator()<__half>()
                                    : by_keys.template operator()<__nv_bfloat16>();
}

}  // namespace
}  // namespace fa3

size_t workspace_bytes_fa3_fp8(const Request& request) { return fp8_tensors(request).bytes; }

bool prepare_fa3_fp8(const Request& f, const char** why) {
  if (!is_hopper(why)) return false;
  if (!fa3::takes_fp8(f)) return *why = "FA3 in e4m3 takes d = 128, and at least one head, query and key.", false;
  const cudaError_t error = fa3::with_instance(f, [&]<class C>() {
    return cudaFuncSetAttribute(fa3::fa3_fp8_forward<C>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                int(sizeof(fa3::Fp8Shared<C>)));
  });
  if (error) *why = "FA3's shared memory was refused: the GPU gives a thread block too little.";
  return error == cudaSuccess;
}

// Launches must not overlap one another: causal ones draw their tiles from one counter on the device.
cudaError_t launch_fa3_fp8(const Request& f, cudaStream_t stream) {
  if (!fa3::takes_fp8(f)) return cudaErrorInvalidValue;
  const fa3::Fp8Plan* plan = nullptr;
  if (const cudaError_t error = fa3::plan_for(f, plan)) return error;
  return fa3::with_instance(f, [&]<class C>() {
    fa3::fa3_fp8_forward<C>
        <<<plan->blocks(), C::kThreads, sizeof(fa3::Fp8Shared<C>), stream>>>(plan->q, plan->k, plan->o, plan->args);
    return cudaGetLastError();
  });
}

cudaError_t resident_blocks_fa3_fp8(const Request& f, int* blocks) {
  return fa3::with_instance(f, [&]<class C>() {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, fa3::fa3_fp8_forward<C>, C::kThreads,
                                                         sizeof(fa3::Fp8Shared<C>));
  });
}

}  // namespace tilewalk::gpu
