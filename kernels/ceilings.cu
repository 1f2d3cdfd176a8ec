// The roofs that every GPU from compute capability 8.0 up has. But for DRAM's and the launch, one thread block of 1024
// or 512 threads stays on each multiprocessor for the whole launch, with enough independent work in flight to hide
// every latency. The numbers of rounds make a launch of about 2 ms on a large GPU, so that its start and end do not
// count.
#include "kernels/ceilings.h"

#include "kernels/common/consume.cuh"
#include "kernels/common/ptx_sm80.cuh"

#include <algorithm>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 1024;

__device__ __forceinline__ uint32_t mix(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

// ---- memory --------------------------------------------------------------------------------------------------------

constexpr int64_t kDramBytes = int64_t{4} << 30;  // that one launch moves: far more than any L2 holds
constexpr int kDramThreads = 256;
constexpr int kInFlight = 4;  // loads of 16 bytes of one thread, where it has several

// Blocks come and go: they start in order, so that what is under way lies close together in memory, which is faster by
// some percent than loops over far-apart pieces. A thread copies 16 bytes, or reads 256.
__global__ void __launch_bounds__(kDramThreads) copy(const uint4* from, uint4* to) {
  const int64_t at = int64_t(blockIdx.x) * kDramThreads + threadIdx.x;
  __stcs(to + at, __ldcs(from + at));
}
constexpr int kReads = 4;  // times kInFlight
__global__ void __launch_bounds__(kThreads) read(const uint4* from, uint32_t* sink) {
  uint32_t sum = 0;
  for (int n = 0; n < kReads; ++n) {
    const uint4* const at = from + (int64_t(n) * gridDim.x + blockIdx.x) * kInFlight * kThreads;
    uint4 held[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) held[k] = __ldcs(at + k * kThreads + threadIdx.x);
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) sum ^= mix(held[k]);
  }
  consume(sum, sink);
}

// Every multiprocessor reads a share of its own, past L1, and all shares stay in L2. Lines that several multiprocessors
// ask for at the same time would come out of L2 once and count for each of them: that is another, higher rate.
constexpr int kL2Rounds = 1024;
constexpr int64_t kChunk = int64_t(kThreads) * kInFlight * 16;  // bytes that a block has in flight
__global__ void __launch_bounds__(kThreads) read_l2(const uint4* data, int64_t share, uint32_t* sink) {
  uint32_t sum = 0;
  for (int round = 0; round < kL2Rounds; ++round)
    for (int64_t at = blockIdx.x * share; at < (blockIdx.x + 1) * share; at += kThreads * kInFlight) {
      uint4 held[kInFlight];
#pragma unroll
      for (int k = 0; k < kInFlight; ++k) held[k] = __ldcg(data + at + k * kThreads + threadIdx.x);
#pragma unroll
      for (int k = 0; k < kInFlight; ++k) sum ^= mix(held[k]);
    }
  consume(sum, sink);
}

// A warp reads 512 consecutive bytes at a time: four passes over all 32 banks, without a conflict.
constexpr int kSharedRounds = 4096, kSharedLines = 2;
__global__ void __launch_bounds__(kThreads) read_shared(const uint4* data, uint32_t* sink) {
  __shared__ uint4 held[kSharedLines * kThreads];
  for (int k = 0; k < kSharedLines; ++k) held[k * kThreads + threadIdx.x] = data[k * kThreads + threadIdx.x];
  __syncthreads();
  const uint32_t mine = shared_address(held + threadIdx.x);
  uint32_t sum = 0;
  for (int round = 0; round < kSharedRounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      uint4 v;  // volatile: read again and again, though nothing has changed
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                   : "r"(mine + k % kSharedLines * kThreads * 16)
                   : "memory");
      sum ^= mix(v);
    }
  }
  consume(sum, sink);
}
constexpr double kSharedBytes = 8.0 * 16 * kThreads * kSharedRounds;

// ---- arithmetic ----------------------------------------------------------------------------------------------------

// mma.sync with every operand in registers: 2 x 4 tiles of 16 x 8 sums a warp, none of which waits for another.
constexpr int kMmaThreads = 512, kMmaRounds = 5000, kMmaRepeats = 4;
__global__ void __launch_bounds__(kMmaThreads) multiply(const uint32_t* data, uint32_t* sink) {
  constexpr int kRows = 2, kColumns = 4;
  uint32_t a[kRows][4], b[kColumns][2];
  float c[kRows][kColumns][4] = {};
  for (int k = 0; k < kRows * 4; ++k) a[k / 4][k % 4] = data[k * kMmaThreads + threadIdx.x];
  for (int k = 0; k < kColumns * 2; ++k) b[k / 2][k % 2] = data[(kRows * 4 + k) * kMmaThreads + threadIdx.x];
  __syncthreads();
  for (int round = 0; round < kMmaRounds; ++round)
#pragma unroll
    for (int repeat = 0; repeat < kMmaRepeats; ++repeat)
#pragma unroll
      for (int m = 0; m < kRows; ++m)
#pragma unroll
        for (int n = 0; n < kColumns; ++n) mma_m16n8k16<__half>(c[m][n], a[m], b[n][0], b[n][1]);
  uint32_t sum = 0;
  for (auto& row : c)
    for (auto& tile : row)
      for (float x : tile) sum ^= __float_as_uint(x);
  consume(sum, sink);
}
constexpr double kMmaFlop = 2.0 * 16 * 8 * 16 * 8 * kMmaRepeats * kMmaRounds * (kMmaThreads / 32);

// x = 2^-x, over and over, in 8 chains a thread; each settles near 0.64.
constexpr int kChains = 8, kExpRounds = 1000, kExpRepeats = 8;
__global__ void __launch_bounds__(kThreads) exponentiate(const __half* data, uint32_t* sink) {
  float x[kChains];
  for (int k = 0; k < kChains; ++k) x[k] = __half2float(data[k * kThreads + threadIdx.x]);
  __syncthreads();
  for (int round = 0; round < kExpRounds; ++round)
#pragma unroll
    for (int k = 0; k < kExpRepeats * kChains; ++k) x[k % kChains] = exp2_approx(-x[k % kChains]);
  uint32_t sum = 0;
  for (float one : x) sum ^= __float_as_uint(one);
  consume(sum, sink);
}
constexpr double kExponentials = double(kExpRepeats) * kChains * kExpRounds * kThreads;

// x = x a + b in 16 chains a thread, with |a| < 1 so that they stay finite.
constexpr int kSums = 16, kFmaRounds = 2000, kFmaRepeats = 16;
__global__ void __launch_bounds__(kThreads) multiply_add(const __half* data, uint32_t* sink) {
  float x[kSums];
  for (int k = 0; k < kSums; ++k) x[k] = __half2float(data[k * kThreads + threadIdx.x]);
  const float a = 1.f / (1.f + fabsf(__half2float(data[threadIdx.x]))), b = __half2float(data[kThreads + threadIdx.x]);
  __syncthreads();
  for (int round = 0; round < kFmaRounds; ++round)
#pragma unroll
    for (int k = 0; k < kFmaRepeats * kSums; ++k) x[k % kSums] = fmaf(x[k % kSums], a, b);
  uint32_t sum = 0;
  for (float one : x) sum ^= __float_as_uint(one);
  consume(sum, sink);
}
constexpr double kFmaFlop = 2.0 * kFmaRepeats * kSums * kFmaRounds * kThreads;

// ---- launches ------------------------------------------------------------------------------------------------------

// Nothing, in launches like attention's: a block on each multiprocessor, which has it to itself by the shared memory it
// asks for, with the threads of a producer and two consumer warpgroups, and the parameters of four tensor maps.
constexpr int kEmptyThreads = 384;
struct EmptyParameters {
  uint64_t words[64];
};
__global__ void __launch_bounds__(kEmptyThreads, 1) empty(__grid_constant__ const EmptyParameters) {}

cudaError_t launch_empty(int multiprocessors, cudaStream_t stream) {
  int device = 0, shared_bytes = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  if (const cudaError_t error = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
    return error;
  if (const cudaError_t error = cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes))
    return error;
  empty<<<unsigned(multiprocessors), kEmptyThreads, size_t(shared_bytes), stream>>>({});
  return cudaGetLastError();
}

// ---- random data ---------------------------------------------------------------------------------------------------

// Box-Muller over a hash of the place; two elements of fp16 a thread and step.
__global__ void fill(__half2* data, int64_t count) {
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += int64_t(gridDim.x) * blockDim.x) {
    uint64_t z = (uint64_t(k) + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    const float u = (float(uint32_t(z)) + 1) * 0x1p-32f, angle = float(uint32_t(z >> 32)) * 0x1p-31f;
    const float radius = sqrtf(-2 * logf(u));
    data[k] = __floats2half2_rn(radius * cospif(angle), radius * sinpif(angle));
  }
}

}  // namespace

int64_t roof_bytes(CeilingId id, int multiprocessors, int64_t l2_bytes, int64_t free) {
  switch (id) {
    case CeilingId::DramCopy:
    case CeilingId::DramRead: return std::min(kDramBytes, free / 2) / (kReads * kChunk) * (kReads * kChunk);
    case CeilingId::L2Read:  // a third of L2 in whole chunks: it may keep some lines twice
      return multiprocessors * std::max<int64_t>(1, l2_bytes / 3 / multiprocessors / kChunk) * kChunk;
    default: return int64_t{1} << 20;
  }
}

double roof_amount(CeilingId id, const Roof& roof) {
  const double sms = roof.multiprocessors;
  switch (id) {
    case CeilingId::DramCopy:
    case CeilingId::DramRead: return double(roof.bytes);
    case CeilingId::L2Read: return kL2Rounds * double(roof.bytes);
    case CeilingId::SharedRead: return sms * kSharedBytes;
    case CeilingId::Wgmma: return wgmma_flop(roof.multiprocessors);
    case CeilingId::MmaSync: return sms * kMmaFlop;
    case CeilingId::Exponential: return sms * kExponentials;
    case CeilingId::Fp32: return sms * kFmaFlop;
    case CeilingId::Launch: return 1;
  }
  return 0;
}

cudaError_t fill_normal(void* data, int64_t bytes, cudaStream_t stream) {
  fill<<<1024, 256, 0, stream>>>(static_cast<__half2*>(data), bytes / int64_t(sizeof(__half2)));
  return cudaGetLastError();
}

cudaError_t launch_roof(CeilingId id, const Roof& r, cudaStream_t stream) {
  auto* const data = static_cast<uint4*>(r.data);
  const int64_t count = r.bytes / int64_t(sizeof(uint4));
  const auto* const words = static_cast<const uint32_t*>(r.data);
  const auto* const halves = static_cast<const __half*>(r.data);
  const unsigned sms = unsigned(r.multiprocessors);
  switch (id) {
    case CeilingId::DramCopy:
      copy<<<unsigned(count / 2 / kDramThreads), kDramThreads, 0, stream>>>(data, data + count / 2);
      break;
    case CeilingId::DramRead: read<<<unsigned(r.bytes / kChunk / kReads), kThreads, 0, stream>>>(data, r.sink); break;
    case CeilingId::L2Read: read_l2<<<sms, kThreads, 0, stream>>>(data, count / r.multiprocessors, r.sink); break;
    case CeilingId::SharedRead: read_shared<<<sms, kThreads, 0, stream>>>(data, r.sink); break;
    case CeilingId::Wgmma: return launch_wgmma(r, stream);
    case CeilingId::MmaSync: multiply<<<sms, kMmaThreads, 0, stream>>>(words, r.sink); break;
    case CeilingId::Exponential: exponentiate<<<sms, kThreads, 0, stream>>>(halves, r.sink); break;
    case CeilingId::Fp32: multiply_add<<<sms, kThreads, 0, stream>>>(halves, r.sink); break;
    case CeilingId::Launch: return launch_empty(r.multiprocessors, stream);
  }
  return cudaGetLastError();
}

}  // namespace tilewalk::gpu
