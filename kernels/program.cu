// Any program: the steps that a text takes, each by a whole thread block, one after the other. Nothing overlaps and
// nothing stays in registers between steps, so that it is slow; but every tile that the program loads comes from L2,
// past L1, and every tile that it stores goes there, and those bytes are the point. Compute capability 8.0 and up.
//
//   where            what
//   shared memory    every tile on chip: Q, K, V, dO in 16 bits, all else in fp32; seats by core/kernel/packed.cpp
//   memory           the words of the steps, some 30 bytes for a K/V tile: they come from L2 once for each block
//
// Products are made on tensor cores, by m16n8k16; those of tiles with fewer than 16 rows by multiply-adds, as a naive
// program would. What limits it: latency. Every step ends in a barrier.
#include "kernels/program.h"

#include "core/machine/cost.h"
#include "kernels/common/ptx_sm80.cuh"

#include <algorithm>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;

// What a launch of one pass knows.
struct Pass {
  DeviceProgram program;
  ProgramMemory memory;
  uint32_t first_block, blocks;
  uint32_t seat[kPackedSeats], apart[kPackedSeats];
  int n_q, n_k, d, br, bc, splits;
  int64_t offset;  // row r sees key c iff c <= r + offset
  float scale;
  bool narrow_o, narrow_dq;  // in memory between visits
};

// One thread block at one step.
struct Here {
  const Pass& p;
  uint8_t* chip;
  PackedStep step;
  int head, rows, cols;

  __device__ Here(const Pass& pass, uint8_t* on_chip, PackedStep s, int h)
      : p(pass),
        chip(on_chip),
        step(s),
        head(h),
        rows(min(p.br, p.n_q - s.i * p.br)),
        cols(min(p.bc, p.n_k - s.j * p.bc)) {}

  __device__ bool has(Step::Flag flag) const { return step.flags & flag; }
  __device__ uint8_t* seat(int at, int slot) const { return chip + p.seat[at] + size_t(slot) * p.apart[at]; }
  __device__ int slot(Tensor t) const { return is_scores(t) || t == Tensor::K || t == Tensor::V ? step.slot : 0; }
  __device__ float* wide(Tensor t) const { return reinterpret_cast<float*>(seat(packed_seat(t), slot(t))); }
  __device__ __half* narrow(Tensor t) const { return reinterpret_cast<__half*>(seat(int(t), slot(t))); }
  __device__ float* part_o() const { return reinterpret_cast<float*>(seat(kPartSeatO, 0)); }
  __device__ float* part_lse() const { return reinterpret_cast<float*>(seat(kPartSeatLse, 0)); }
};

template <class Visit>
__device__ void each(int count, Visit visit) {
  for (int e = int(threadIdx.x); e < count; e += kThreads) visit(e);
}
// A warp for each row.
template <class Visit>
__device__ void each_row(int rows, Visit visit) {
  for (int r = int(threadIdx.x) / 32; r < rows; r += kWarps) visit(r, int(threadIdx.x) % 32);
}
__device__ float warp_sum(float x) {
  for (int apart = 16; apart; apart /= 2) x += __shfl_xor_sync(~0u, x, apart);
  return x;
}
__device__ float warp_max(float x) {
  for (int apart = 16; apart; apart /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, apart));
  return x;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

__device__ float at_l2(const float* from) { return __ldcg(from); }
__device__ float at_l2(const __half* from) {
  return __half2float(__ushort_as_half(__ldcg(reinterpret_cast<const unsigned short*>(from))));
}
__device__ void put(float* to, float x) { *to = x; }
__device__ void put(__half* to, float x) { *to = __float2half_rn(x); }

// A tile of `rows` rows; in memory they are `apart` elements apart, on chip they follow one another.
template <class Chip, class Memory>
__device__ void bring(Chip* to, const Memory* from, int rows, int cols, int apart) {
  each(rows * cols,
       [&](int e) { put(to + e, at_l2(from + (apart == cols ? e : e / cols * int64_t(apart) + e % cols))); });
}
template <class Chip, class Memory>
__device__ void send(Memory* to, const Chip* from, int rows, int cols, int apart) {
  each(rows * cols,
       [&](int e) { put(to + (apart == cols ? e : e / cols * int64_t(apart) + e % cols), float(from[e])); });
}

// Calls use(memory, rows, cols, apart) with the tile's place there, in its format.
template <class Use>
__device__ void in_memory(const Here& h, Tensor t, Use use) {
  const Pass& p = h.p;
  const int64_t row = int64_t(h.head) * p.n_q + h.step.i * p.br, key = int64_t(h.head) * p.n_k + h.step.j * p.bc;
  void* const base = p.memory.tensor[int(t)];
  if (is_statistic(t)) return use(static_cast<float*>(base) + row, h.rows, 1, 1);
  if (is_scores(t)) return use(static_cast<__half*>(base) + row * p.n_k + h.step.j * p.bc, h.rows, h.cols, p.n_k);
  if (is_keyed(t)) return use(static_cast<__half*>(base) + key * p.d, h.cols, p.d, p.d);
  const bool between = (t == Tensor::O || t == Tensor::DQ) && !h.has(Step::kOutput);
  if (!between) return use(static_cast<__half*>(base) + row * p.d, h.rows, p.d, p.d);
  void* const kept = t == Tensor::O ? p.memory.o_between : p.memory.dq_between;
  if (t == Tensor::O ? p.narrow_o : p.narrow_dq) return use(static_cast<__half*>(kept) + row * p.d, h.rows, p.d, p.d);
  use(static_cast<float*>(kept) + row * p.d, h.rows, p.d, p.d);
}

__device__ void load(const Here& h, Tensor t) {
  in_memory(h, t, [&](auto* from, int rows, int cols, int apart) {
    packed_narrow(t) ? bring(h.narrow(t), from, rows, cols, apart) : bring(h.wide(t), from, rows, cols, apart);
  });
}
__device__ void store(const Here& h, Tensor t) {
  in_memory(h, t, [&](auto* to, int rows, int cols, int apart) { send(to, h.wide(t), rows, cols, apart); });
}
__device__ void add_to_memory(const Here& h, Tensor t) {
  in_memory(h, t, [&](auto* to, int rows, int cols, int) {
    const float* const from = h.wide(t);
    each(rows * cols, [&](int e) {
      if constexpr (sizeof(*to) == 4)
        atomicAdd(to + e, from[e]);
      else
        atomicAdd(to + e, __float2half_rn(from[e]));
    });
  });
}
template <class Use>
__device__ void part_in_memory(const Here& h, Use use) {
  const Pass& p = h.p;
  const int64_t row = (int64_t(h.head) * p.splits + h.step.slot) * p.n_q + h.step.i * p.br;
  if (p.narrow_o)
    use(static_cast<__half*>(p.memory.o_parts) + row * p.d, p.memory.lse_parts + row);
  else
    use(static_cast<float*>(p.memory.o_parts) + row * p.d, p.memory.lse_parts + row);
}

// ---- Products -------------------------------------------------------------------------------------------------------

// An operand on chip, element (r, k) at r * by_row + k * by_k.
template <class T>
struct Operand {
  const T* at;
  int by_row, by_k;
  __device__ float operator()(int r, int k) const { return float(at[r * by_row + k * by_k]); }
};

// c[m, n] = scale * sum over k of a(m, k) b(n, k), added to what is there or not; a and b rounded to 16 bits.
template <class A, class B>
__device__ void product(float* c, int m, int n, int depth, A a, B b, float scale, bool adds) {
  const auto keep = [&](int r, int e, float sum) {
    if (r < m && e < n) c[r * n + e] = adds ? c[r * n + e] + scale * sum : scale * sum;
  };
  if (m < 16) {  // no tile for a tensor core
    each(m * n, [&](int at) {
      float sum = 0;
      for (int k = 0; k < depth; ++k)
        sum = fmaf(__half2float(__float2half_rn(a(at / n, k))), __half2float(__float2half_rn(b(at % n, k))), sum);
      keep(at / n, at % n, sum);
    });
    return;
  }
  const int lane = int(threadIdx.x) % 32, row = lane / 4, pair = lane % 4 * 2, across = (n + 7) / 8;
  for (int tile = int(threadIdx.x) / 32; tile < (m + 15) / 16 * across; tile += kWarps) {
    const int r0 = tile / across * 16 + row, e0 = tile % across * 8;
    const auto two = [&](const auto& x, int r, int k, int end) {
      const bool inside = r < end;
      return pack<__half>(inside && k < depth ? x(r, k) : 0.f, inside && k + 1 < depth ? x(r, k + 1) : 0.f);
    };
    float sums[4] = {};
    for (int k = pair; k < depth + pair; k += 16) {
      const uint32_t left[4] = {two(a, r0, k, m), two(a, r0 + 8, k, m), two(a, r0, k + 8, m), two(a, r0 + 8, k + 8, m)};
      mma_m16n8k16<__half>(sums, left, two(b, e0 + row, k, n), two(b, e0 + row, k + 8, n));
    }
    keep(r0, e0 + pair, sums[0]), keep(r0, e0 + pair + 1, sums[1]);
    keep(r0 + 8, e0 + pair, sums[2]), keep(r0 + 8, e0 + pair + 1, sums[3]);
  }
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

// m takes in `highest` of a row; returns alpha.
__device__ float raise(float& m, float highest) {
  const float old = m;
  m = fmaxf(old, highest);
  return m == old ? 1.f : expf(old - m);
}
__device__ float weight(float s, float m) { return m == -INFINITY ? 0.f : expf(s - m); }
__device__ float log_sum(float m, float l) { return l == 0.f ? -INFINITY : m + logf(l); }

__device__ void weights(const Here& h, const float* max) {
  float* const s = h.wide(Tensor::S);
  each(h.rows * h.cols, [&](int e) { s[e] = weight(s[e], max[e / h.cols]); });
}
__device__ void scale_rows(const Here& h, float* x, int cols, const float* by, bool divide) {
  each(h.rows * cols, [&](int e) {
    const float factor = by[e / cols];
    x[e] = !divide ? x[e] * factor : factor == 0.f ? 0.f : x[e] / factor;
  });
}
__device__ void fill(float* x, int count, float value) {
  each(count, [&](int e) { x[e] = value; });
}
// D of each row: the sum of a b, added to what is there or not.
template <class A, class B>
__device__ void dot_rows(float* d, int rows, int cols, const A* a, const B* b, bool adds) {
  each_row(rows, [&](int r, int lane) {
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum = fmaf(float(a[r * cols + c]), float(b[r * cols + c]), sum);
    sum = warp_sum(sum);
    if (lane == 0) d[r] = adds ? d[r] + sum : sum;
  });
}

__device__ void take(const Here& h) {
  using enum StepKind;
  const Pass& p = h.p;
  const int rows = h.rows, cols = h.cols, d = p.d;
  const auto wide = [&](Tensor t) { return h.wide(t); };
  float *const o = wide(Tensor::O), *const m = wide(Tensor::M), *const l = wide(Tensor::L);
  float* const s = wide(Tensor::S);  // and P
  const auto q_rows = [&](const auto* x) { return Operand<std::remove_cvref_t<decltype(*x)>>{x, d, 1}; };
  const auto by_column = [&](const auto* x, int apart) {
    return Operand<std::remove_cvref_t<decltype(*x)>>{x, 1, apart};
  };
  switch (h.step.kind) {
    case LoadQ: return load(h, Tensor::Q);
    case LoadK: return load(h, Tensor::K);
    case LoadV: return load(h, Tensor::V);
    case LoadO: return load(h, Tensor::O);
    case LoadStats: return load(h, Tensor::M), load(h, Tensor::L);
    case LoadS: return load(h, Tensor::S);
    case LoadP: return load(h, Tensor::P);
    case LoadDO: return load(h, Tensor::DO);
    case LoadLse: return load(h, Tensor::Lse);
    case LoadD: return load(h, Tensor::D);
    case LoadDQ: return load(h, Tensor::DQ);
    case LoadDP: return load(h, Tensor::DP);
    case LoadDS: return load(h, Tensor::DS);
    case StoreS: return store(h, Tensor::S);
    case StoreP: return store(h, Tensor::P);
    case StoreO: return store(h, Tensor::O);
    case StoreStats: return store(h, Tensor::M), store(h, Tensor::L);
    case StoreLse: return store(h, Tensor::Lse);
    case StoreD: return store(h, Tensor::D);
    case StoreDP: return store(h, Tensor::DP);
    case StoreDS: return store(h, Tensor::DS);
    case StoreDQ: return store(h, Tensor::DQ);
    case StoreDK: return store(h, Tensor::DK);
    case StoreDV: return store(h, Tensor::DV);
    case AddDQ: return add_to_memory(h, Tensor::DQ);
    case LoadPart:
      return part_in_memory(h, [&](auto* from, const float* lse) {
        bring(h.part_o(), from, rows, d, d);
        bring(h.part_lse(), lse, rows, 1, 1);
      });
    case StorePart:
      return part_in_memory(h, [&](auto* to, float* lse) {
        send(to, o, rows, d, d);
        send(lse, wide(Tensor::Lse), rows, 1, 1);
      });
    case InitO: return fill(o, rows * d, 0.f);
    case InitStats: return fill(m, rows, -INFINITY), fill(l, rows, 0.f);
    case InitDQ: return fill(wide(Tensor::DQ), rows * d, 0.f);
    case InitDK: return fill(wide(Tensor::DK), cols * d, 0.f);
    case InitDV: return fill(wide(Tensor::DV), cols * d, 0.f);
    case Score:
      return product(s, rows, cols, d, q_rows(h.narrow(Tensor::Q)), q_rows(h.narrow(Tensor::K)), p.scale, false);
    case Mask:
      return each(rows * cols, [&](int e) {
        const int64_t r = h.step.i * int64_t(p.br) + e / cols, c = h.step.j * int64_t(p.bc) + e % cols;
        if (c > r + p.offset) s[e] = -INFINITY;
      });
    case RowMax:
      return each_row(rows, [&](int r, int lane) {
        float highest = -INFINITY;
        for (int c = lane; c < cols; c += 32) highest = fmaxf(highest, s[r * cols + c]);
        highest = warp_max(highest);
        if (lane) return;
        const float alpha = raise(m[r], highest);
        if (!h.has(Step::kFinalMax)) wide(Tensor::Alpha)[r] = alpha;
      });
    case Exponentiate: return weights(h, m);
    case Recompute: return weights(h, wide(Tensor::Lse));
    case RowSum:
      return each_row(rows, [&](int r, int lane) {
        float sum = 0;
        for (int c = lane; c < cols; c += 32) sum += s[r * cols + c];
        sum = warp_sum(sum);
        if (lane == 0) l[r] = h.has(Step::kFinalMax) ? l[r] + sum : fmaf(wide(Tensor::Alpha)[r], l[r], sum);
      });
    case Denormalize: return scale_rows(h, o, d, l, false);
    case Rescale: return scale_rows(h, o, d, wide(Tensor::Alpha), false);
    case Normalize: return scale_rows(h, o, d, l, true);
    case NormalizeP: return scale_rows(h, s, cols, l, true);
    case Accumulate:
      return product(o, rows, d, cols, Operand<float>{s, cols, 1}, by_column(h.narrow(Tensor::V), d), 1.f, true);
    case LogSumExp: return each(rows, [&](int r) { wide(Tensor::Lse)[r] = log_sum(m[r], l[r]); });
    case Convert: return each(rows * d, [&](int e) { o[e] = __half2float(__float2half_rn(o[e])); });
    case ConvertDQ:
      return each(rows * d, [&](int e) {
        float& x = wide(Tensor::DQ)[e];
        x = __half2float(__float2half_rn(x));
      });
    case DotO: return dot_rows(wide(Tensor::D), rows, d, h.narrow(Tensor::DO), o, false);
    case DotP: return dot_rows(wide(Tensor::D), rows, cols, s, wide(Tensor::DP), !h.has(Step::kFresh));
    case AccumulateDV:
      return product(wide(Tensor::DV), cols, d, rows, by_column(s, cols), by_column(h.narrow(Tensor::DO), d), 1.f,
                     true);
    case GradientP:
      return product(wide(Tensor::DP), rows, cols, d, q_rows(h.narrow(Tensor::DO)), q_rows(h.narrow(Tensor::V)), 1.f,
                     false);
    case GradientS:
      return each(rows * cols, [&](int e) {
        float& x = wide(Tensor::DP)[e];
        x = s[e] * (x - wide(Tensor::D)[e / cols]);
      });
    case AccumulateDQ:
      return product(wide(Tensor::DQ), rows, d, cols, Operand<float>{wide(Tensor::DS), cols, 1},
                     by_column(h.narrow(Tensor::K), d), p.scale, !h.has(Step::kFresh));
    case AccumulateDK:
      return product(wide(Tensor::DK), cols, d, rows, by_column(wide(Tensor::DS), cols),
                     by_column(h.narrow(Tensor::Q), d), p.scale, true);
    case MergeMax: return each(rows, [&](int r) { wide(Tensor::Alpha)[r] = raise(m[r], h.part_lse()[r]); });
    case MergeWeight: return each(rows, [&](int r) { h.part_lse()[r] = weight(h.part_lse()[r], m[r]); });
    case MergeSum: return each(rows, [&](int r) { l[r] = fmaf(wide(Tensor::Alpha)[r], l[r], h.part_lse()[r]); });
    case MergeOut: return each(rows * d, [&](int e) { o[e] = fmaf(h.part_lse()[e / d], h.part_o()[e], o[e]); });
  }
}

__global__ void __launch_bounds__(kThreads) run_pass(const __grid_constant__ Pass pass) {
  extern __shared__ __align__(16) uint8_t chip[];
  const uint32_t block = pass.first_block + blockIdx.x % pass.blocks;
  const int head = int(blockIdx.x / pass.blocks);
  const uint32_t end = __ldg(pass.program.begin + block + 1);
  const auto word = [&](uint32_t at) { return uint32_t(__ldg(pass.program.words + at)); };
  PackedStep step;
  for (uint32_t at = __ldg(pass.program.begin + block); at < end;) {
    next_packed(word, at, step);
    take(Here(pass, chip, step, head));
    __syncthreads();
  }
}

}  // namespace

cudaError_t launch_program(const PackedProgram& program, const DeviceProgram& on_device, const Plan& plan,
                           const ProgramMemory& memory, cudaStream_t stream) {
  const Tiling& t = plan.tiling;
  const auto narrow = [&](Tensor tensor) { return memory_format(tensor, false, plan) != Format::Float32; };
  const cudaError_t allowed =
      cudaFuncSetAttribute(run_pass, cudaFuncAttributeMaxDynamicSharedMemorySize, int(kProgramChipBytes));
  if (allowed) return allowed;
  for (const PackedPass& packed : program.passes) {
    if (!packed.blocks) continue;
    Pass pass{.program = on_device,
              .memory = memory,
              .first_block = packed.first_block,
              .blocks = packed.blocks,
              .seat = {},
              .apart = {},
              .n_q = int(t.n_q),
              .n_k = int(t.n_k),
              .d = int(t.d),
              .br = int(t.br),
              .bc = int(t.bc),
              .splits = int(program.splits),
              .offset = t.offset,
              .scale = float(plan.problem.softmax_scale()),
              .narrow_o = narrow(Tensor::O),
              .narrow_dq = narrow(Tensor::DQ)};
    std::copy(packed.seat.begin(), packed.seat.end(), pass.seat);
    std::copy(packed.apart.begin(), packed.apart.end(), pass.apart);
    const auto blocks = unsigned(packed.blocks * uint64_t(plan.problem.batch * plan.problem.heads));
    run_pass<<<blocks, kThreads, packed.chip_bytes, stream>>>(pass);
    if (const cudaError_t error = cudaGetLastError()) return error;
  }
  return cudaSuccess;
}

}  // namespace tilewalk::gpu
