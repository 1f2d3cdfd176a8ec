// Q, K and V from 16 bits to e4m3, for fa3_fp8.cu: every number times 448 / largest, rounded, where `largest` is the
// largest magnitude of what shares a scale. A thread block a tile, which comes into shared memory once and is gone
// through twice, for the largest and for the rounding; where all tiles of a tensor share a scale, a kernel before finds
// the largest.
//
//   Q, K   a warp a row, E = d / 32 columns a lane. Where the rows are rotated, they are so both times: random signs,
//          then the Hadamard matrix, whose log2(d) stages add and subtract numbers 1, 2, 4 ... columns apart, within a
//          lane and then between lanes.
//   V      a thread a column of 16 keys: transposed on the way, since wgmma takes e4m3 with keys in one row only; and
//          in the order in which P's registers hold the keys (key_at()).
//
// Shah et al., "FlashAttention-3", arXiv:2407.08608, section 3.3: block quantization, incoherent processing. The
// paper's kernel transposes V in its producer warps; here the pass that reads all of V anyway does.
#include "core/attention/input_bits.h"
#include "kernels/common/wgmma_fp8.cuh"
#include "kernels/fa3_fp8.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr float kLargestE4M3 = 448.f;
constexpr uint64_t kSigns = 8;  // stream of the random signs, as in core/attention/fp8.cpp

__device__ float widened(__half x) { return __half2float(x); }
__device__ float widened(__nv_bfloat16 x) { return __bfloat162float(x); }

// One tensor and its tiles, a block each.
struct Tiled {
  const void* from;  // [heads, n, d]
  uint8_t* to;
  float* scales;  // [heads, tiles]
  int* largest;   // where all tiles share a scale
  int heads, n, rows, tiles;
  bool per_tile, rotate;
  uint64_t seed;

  __host__ __device__ unsigned blocks() const { return unsigned(heads) * unsigned(tiles); }
  __device__ int head() const { return blockIdx.x / tiles; }
  __device__ int first_row() const { return blockIdx.x % tiles * rows; }
  __device__ int end_row() const { return min(n, first_row() + rows); }
};

using Tensors = std::array<Tiled, 3>;  // Q, K, V: blockIdx.y

// The random signs of a lane's columns E t ... E t + E - 1, a bit each.
template <int E>
__device__ uint32_t signs_of(uint64_t seed) {
  uint32_t signs = 0;
#pragma unroll
  for (int e = 0; e < E; ++e) {
    const uint64_t column = threadIdx.x % 32 * E + e;
    signs |= uint32_t(input_bits::word(input_bits::scatter(seed ^ column), kSigns) & 1) << e;
  }
  return signs;
}

// x times its signs and the Hadamard matrix over sqrt(d); the warp holds the row, lane t its columns E t ... E t + E
// - 1.
template <int E>
__device__ void rotate(float (&x)[E], uint32_t signs) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int e = 0; e < E; ++e) x[e] = signs >> e & 1 ? -x[e] : x[e];
#pragma unroll
  for (int half = 1; half < E; half *= 2)
#pragma unroll
    for (int e = 0; e < E; ++e)
      if (!(e & half)) {
        const float a = x[e], b = x[e + half];
        x[e] = a + b;
        x[e + half] = a - b;
      }
#pragma unroll
  for (int half = 1; half < 32; half *= 2)
#pragma unroll
    for (int e = 0; e < E; ++e) {
      const float other = __shfl_xor_sync(~0u, x[e], half);
      x[e] = lane & half ? other - x[e] : x[e] + other;
    }
  const float shrink = rsqrtf(32.f * E);
#pragma unroll
  for (int e = 0; e < E; ++e) x[e] *= shrink;
}

// The block's tile as it is in memory, 16 bits a number, in shared memory.
template <class T>
__device__ const T* staged_tile(const Tiled& tensor, int d) {
  extern __shared__ uint4 staged[];
  const int eights = (tensor.end_row() - tensor.first_row()) * d / 8;
  const uint4* const from =
      static_cast<const uint4*>(tensor.from) + (int64_t(tensor.head()) * tensor.n + tensor.first_row()) * d / 8;
#pragma unroll 8
  for (int at = threadIdx.x; at < eights; at += kThreads) staged[at] = from[at];
  __syncthreads();
  return reinterpret_cast<const T*>(staged);
}

// Row `row` of the tile, rotated where the tensor is: a lane's E columns.
template <class T, int E>
__device__ void read_row(float (&x)[E], const T* tile, const Tiled& tensor, uint32_t signs, int row) {
  struct alignas(E * sizeof(T)) Columns {
    T of[E];
  };
  const Columns columns = reinterpret_cast<const Columns*>(tile)[row * 32 + threadIdx.x % 32];
#pragma unroll
  for (int e = 0; e < E; ++e) x[e] = widened(columns.of[e]);
  if (tensor.rotate) rotate(x, signs);
}

// The largest magnitude of the block's tile, for every thread of it.
template <class T, int E>
__device__ float largest_of_tile(const T* tile, const Tiled& tensor, uint32_t signs) {
  float most = 0;
#pragma unroll 4
  for (int row = threadIdx.x / 32; row < tensor.end_row() - tensor.first_row(); row += kWarps) {
    float x[E];
    read_row(x, tile, tensor, signs, row);
#pragma unroll
    for (int e = 0; e < E; ++e) most = fmaxf(most, fabsf(x[e]));
  }
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const int of_warp = __reduce_max_sync(~0u, __float_as_int(most));  // positive floats order as their bits do
  if (threadIdx.x % 32 == 0) atomicMax(&of_block, of_warp);
  __syncthreads();
  return __int_as_float(of_block);
}

// Where all tiles share a scale.
template <class T, int E>
__global__ void __launch_bounds__(kThreads) find_largest(const __grid_constant__ Tensors all) {
  const Tiled& tensor = all[blockIdx.y];
  if (blockIdx.x >= tensor.blocks()) return;
  const uint32_t signs = tensor.rotate ? signs_of<E>(tensor.seed) : 0;
  const float most = largest_of_tile<T, E>(staged_tile<T>(tensor, 32 * E), tensor, signs);
  if (threadIdx.x == 0) atomicMax(tensor.largest, __float_as_int(most));
}

template <class T, int E>
__device__ void round_rows(const T* tile, const Tiled& tensor, uint32_t signs, float shrink) {
  static_assert(E == 4, "a lane's columns are one word");
  uint32_t* const to = reinterpret_cast<uint32_t*>(tensor.to) +
                       (int64_t(tensor.head()) * tensor.n + tensor.first_row()) * 32 + threadIdx.x % 32;
#pragma unroll 4
  for (int row = threadIdx.x / 32; row < tensor.end_row() - tensor.first_row(); row += kWarps) {
    float x[E];
    read_row(x, tile, tensor, signs, row);
    to[row * 32] = pack_e4m3(x[0] * shrink, x[1] * shrink, x[2] * shrink, x[3] * shrink);
  }
}

// V: [heads, tiles * rows / 16, d, 16 bytes].
template <class T, int E>
__device__ void round_transposed(const T* tile, const Tiled& tensor, float shrink) {
  constexpr int D = 32 * E;
  const int rows = tensor.end_row() - tensor.first_row();
  uint4* const to = reinterpret_cast<uint4*>(tensor.to) + int64_t(blockIdx.x) * (tensor.rows / 16 * D);
  for (int at = threadIdx.x; at < tensor.rows / 16 * D; at += kThreads) {
    const int sixteen = at / D, column = at % D;
    float x[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const int key = sixteen / 2 * 32 + key_at(sixteen % 2 * 16 + i);
      x[i] = key < rows ? widened(tile[key * D + column]) * shrink : 0.f;
    }
    to[at] = {pack_e4m3(x[0], x[1], x[2], x[3]), pack_e4m3(x[4], x[5], x[6], x[7]), pack_e4m3(x[8], x[9], x[10], x[11]),
              pack_e4m3(x[12], x[13], x[14], x[15])};
  }
}

template <class T, int E>
__global__ void __launch_bounds__(kThreads) round_tiles(const __grid_constant__ Tensors all) {
  const Tiled& tensor = all[blockIdx.y];
  if (blockIdx.x >= tensor.blocks()) return;
  const T* const tile = staged_tile<T>(tensor, 32 * E);
  const uint32_t signs = tensor.rotate ? signs_of<E>(tensor.seed) : 0;
  const float most = tensor.per_tile ? largest_of_tile<T, E>(tile, tensor, signs) : __int_as_float(*tensor.largest);
  const float shrink = most > 0 ? kLargestE4M3 / most : 1.f;
  if (threadIdx.x == 0) tensor.scales[blockIdx.x] = 1.f / shrink;
  if (blockIdx.y < 2)
    round_rows<T, E>(tile, tensor, signs, shrink);
  else
    round_transposed<T, E>(tile, tensor, shrink);
}

template <class T>
cudaError_t round_all(const Request& f, const Fp8Rounding& how, cudaStream_t stream) {
  constexpr int E = 4;  // d = 128
  const Fp8Tensors to = fp8_tensors(f);
  const auto tiled = [&](const void* from, uint8_t* out, float* scales, int* largest, int n, int rows, bool rotate) {
    return Tiled{from, out, scales, largest, f.heads, n, rows, (n + rows - 1) / rows, how.per_tile, rotate, how.seed};
  };
  const int keys = fp8_keys(f.n_k);
  const Tensors all = {tiled(f.q, to.q, to.q_scale, to.largest, f.n_q, kFp8Rows, how.rotate),
                       tiled(f.k, to.k, to.k_scale, to.largest + 1, f.n_k, keys, how.rotate),
                       tiled(f.v, to.v, to.v_scale, to.largest + 2, f.n_k, keys, false)};
  const dim3 blocks(std::max(all[0].blocks(), all[1].blocks()), unsigned(all.size()));
  const size_t staged = size_t(std::max(kFp8Rows, keys)) * 32 * E * sizeof(T);
  for (const auto kernel : {find_largest<T, E>, round_tiles<T, E>})  // more than a kernel has unasked
    if (const cudaError_t error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(staged)))
      return error;
  if (!how.per_tile) {
    if (const cudaError_t error = cudaMemsetAsync(to.largest, 0, all.size() * sizeof(int), stream)) return error;
    find_largest<T, E><<<blocks, kThreads, staged, stream>>>(all);
  }
  round_tiles<T, E><<<blocks, kThreads, staged, stream>>>(all);
  return cudaGetLastError();
}

}  // namespace

Fp8Tensors fp8_tensors(const Request& f) {
  Fp8Tensors out;
  char* const base = static_cast<char*>(f.workspace);
  const auto take = [&](auto*& pointer, size_t count) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(base + out.bytes);
    out.bytes += (count * sizeof *pointer + 255) / 256 * 256;
  };
  const size_t heads = size_t(f.heads), d = size_t(f.d), row_tiles = heads * size_t((f.n_q + kFp8Rows - 1) / kFp8Rows),
               keys = size_t(fp8_keys(f.n_k)), key_tiles = heads * ((size_t(f.n_k) + keys - 1) / keys);
  take(out.q, heads * size_t(f.n_q) * d);
  take(out.k, heads * size_t(f.n_k) * d);
  take(out.v, key_tiles * keys * d);
  take(out.q_scale, row_tiles);
  take(out.k_scale, key_tiles);
  take(out.v_scale, key_tiles);
  take(out.largest, 3);
  return out;
}

cudaError_t round_to_fp8(const Request& request, const Fp8Rounding& how, cudaStream_t stream) {
  if (const char* why = ""; !prepare_fa3_fp8(request, &why)) return cudaErrorInvalidValue;
  return request.element == Element::Half ? round_all<__half>(request, how, stream)
                                          : round_all<__nv_bfloat16>(request, how, stream);
}

}  // namespace tilewalk::gpu
