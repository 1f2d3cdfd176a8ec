// Q, K and V from 16 bits to e4m3, for fa3_fp8.cu. Two passes over each tensor, a thread block a tile: the largest
// magnitude of what shares a scale, then every number times 448 / largest, rounded.
//
//   Q, K   a warp a row, E = d / 32 columns a lane. Where the rows are rotated, they are so in both passes: random
//   signs,
//          then the Hadamard matrix, whose log2(d) stages add and subtract numbers 1, 2, 4 ... columns apart, within a
//          lane and then between lanes.
//   V      a thread a column of 16 keys: transposed on the way, since wgmma takes e4m3 with keys in one row only; and
//   in
//          the order in which P's registers hold the keys (key_at()).
//
// Shah et al., "FlashAttention-3", arXiv:2407.08608, section 3.3: block quantization, incoherent processing. The
// paper's kernel transposes V in its producer warps; here the pass that reads all of V anyway does.
#include "core/attention/input_bits.h"
#include "kernels/common/wgmma_fp8.cuh"
#include "kernels/fa3_fp8.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr float kLargestE4M3 = 448.f;
constexpr uint64_t kSigns = 8;  // stream of the random signs, as in core/attention/fp8.cpp

__device__ float widened(__half x) { return __half2float(x); }
__device__ float widened(__nv_bfloat16 x) { return __bfloat162float(x); }

// One tensor and its tiles: heads * tiles blocks.
struct Tiled {
  const void* from;  // [heads, n, d]
  uint8_t* to;
  float* scales;  // [heads, tiles]
  int* largest;   // [heads, tiles], or one
  int n, rows, tiles;
  bool per_tile, rotate;
  uint64_t seed;

  __device__ int* shared_largest() const { return largest + (per_tile ? blockIdx.x : 0); }
  // What the numbers of this tile are multiplied by; its inverse is the scale.
  __device__ float shrink() const {
    const float most = __int_as_float(*shared_largest());
    return most > 0 ? kLargestE4M3 / most : 1.f;
  }
  __device__ int head() const { return blockIdx.x / tiles; }
  __device__ int first_row() const { return blockIdx.x % tiles * rows; }
  __device__ int end_row() const { return min(n, first_row() + rows); }
};

// x times signs and the Hadamard matrix over sqrt(d); the warp holds the row, lane t its columns E t ... E t + E - 1.
template <int E>
__device__ void rotate(float (&x)[E], uint64_t seed) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int e = 0; e < E; ++e) {
    const uint64_t column = uint64_t(lane * E + e);
    if (input_bits::word(input_bits::scatter(seed ^ column), kSigns) & 1) x[e] = -x[e];
  }
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

template <class T, int E>
__device__ void read_row(float (&x)[E], const Tiled& tensor, int row) {
  const T* const from = static_cast<const T*>(tensor.from) + (int64_t(tensor.head()) * tensor.n + row) * (32 * E);
#pragma unroll
  for (int e = 0; e < E; ++e) x[e] = widened(from[threadIdx.x % 32 * E + e]);
  if (tensor.rotate) rotate(x, tensor.seed);
}

template <class T, int E>
__global__ void __launch_bounds__(kThreads) find_largest(Tiled tensor) {
  float most = 0;
  for (int row = tensor.first_row() + threadIdx.x / 32; row < tensor.end_row(); row += kWarps) {
    float x[E];
    read_row<T>(x, tensor, row);
#pragma unroll
    for (int e = 0; e < E; ++e) most = fmaxf(most, fabsf(x[e]));
  }
  atomicMax(tensor.shared_largest(), __float_as_int(most));  // positive floats order as their bits do
}

template <class T, int E>
__global__ void __launch_bounds__(kThreads) round_rows(Tiled tensor) {
  static_assert(E == 4, "a lane's columns are one word");
  const float shrink = tensor.shrink();
  if (threadIdx.x == 0) tensor.scales[blockIdx.x] = 1.f / shrink;
  for (int row = tensor.first_row() + threadIdx.x / 32; row < tensor.end_row(); row += kWarps) {
    float x[E];
    read_row<T>(x, tensor, row);
    uint32_t* const to = reinterpret_cast<uint32_t*>(tensor.to) + (int64_t(tensor.head()) * tensor.n + row) * 32;
    to[threadIdx.x % 32] = pack_e4m3(x[0] * shrink, x[1] * shrink, x[2] * shrink, x[3] * shrink);
  }
}

// V: [heads, tiles * rows / 16, d, 16 bytes].
template <class T, int E>
__global__ void __launch_bounds__(kThreads) round_transposed(Tiled tensor) {
  constexpr int D = 32 * E;
  const float shrink = tensor.shrink();
  if (threadIdx.x == 0) tensor.scales[blockIdx.x] = 1.f / shrink;
  const T* const from = static_cast<const T*>(tensor.from) + int64_t(tensor.head()) * tensor.n * D;
  uint4* const to = reinterpret_cast<uint4*>(tensor.to) + int64_t(blockIdx.x) * (tensor.rows / 16 * D);
  for (int at = threadIdx.x; at < tensor.rows / 16 * D; at += kThreads) {
    const int sixteen = at / D, column = at % D;
    float x[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const int key = tensor.first_row() + sixteen / 2 * 32 + key_at(sixteen % 2 * 16 + i);
      x[i] = key < tensor.n ? widened(from[int64_t(key) * D + column]) * shrink : 0.f;
    }
    to[at] = {pack_e4m3(x[0], x[1], x[2], x[3]), pack_e4m3(x[4], x[5], x[6], x[7]), pack_e4m3(x[8], x[9], x[10], x[11]),
              pack_e4m3(x[12], x[13], x[14], x[15])};
  }
}

template <class T>
cudaError_t round_all(const Request& f, const Fp8Rounding& how, cudaStream_t stream) {
  constexpr int E = 4;  // d = 128
  const Fp8Tensors to = fp8_tensors(f);
  const auto tiled = [&](const void* from, uint8_t* out, float* scales, int n, int rows) {
    const int tiles = (n + rows - 1) / rows;
    return Tiled{from, out, scales, to.largest, n, rows, tiles, how.per_tile, how.rotate, how.seed};
  };
  Tiled tensors[] = {tiled(f.q, to.q, to.q_scale, f.n_q, kFp8Rows),
                     tiled(f.k, to.k, to.k_scale, f.n_k, fp8_keys(f.n_k)),
                     tiled(f.v, to.v, to.v_scale, f.n_k, fp8_keys(f.n_k))};
  tensors[2].rotate = false;
  for (const Tiled& tensor : tensors) {
    const unsigned blocks = unsigned(f.heads) * unsigned(tensor.tiles);
    const size_t scales = how.per_tile ? blocks : 1;
    if (const cudaError_t error = cudaMemsetAsync(tensor.largest, 0, scales * sizeof(int), stream)) return error;
    find_largest<T, E><<<blocks, kThreads, 0, stream>>>(tensor);
    if (tensor.from == f.v)
      round_transposed<T, E><<<blocks, kThreads, 0, stream>>>(tensor);
    else
      round_rows<T, E><<<blocks, kThreads, 0, stream>>>(tensor);
    if (const cudaError_t error = cudaGetLastError()) return error;
  }
  return cudaSuccess;
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
  take(out.largest, row_tiles > key_tiles ? row_tiles : key_tiles);
  return out;
}

cudaError_t round_to_fp8(const Request& request, const Fp8Rounding& how, cudaStream_t stream) {
  if (const char* why = ""; !prepare_fa3_fp8(request, &why)) return cudaErrorInvalidValue;
  return request.element == Element::Half ? round_all<__half>(request, how, stream)
                                          : round_all<__nv_bfloat16>(request, how, stream);
}

}  // namespace tilewalk::gpu
