// wgmma's roof, on compute capability 9.0: two warpgroups a multiprocessor multiply tiles that lie in shared memory
// already, A[64, 128] of their own by B[128, 128] of both. While one waits for its products, the other's run.
#include "kernels/ceilings.h"

#include "kernels/common/consume.cuh"
#include "kernels/common/wgmma.cuh"

namespace tilewalk::gpu {
namespace {

constexpr int kGroups = 2, kThreads = kGroups * 128;
constexpr int kRowsA = 64, kRowsB = 128, kDepth = 128;  // one wgmma sums over 16 of the depth
constexpr int kRounds = 1000, kRepeats = 4;
constexpr int kTileA = kRowsA * kDepth, kTileB = kRowsB * kDepth;  // elements
constexpr int kSharedBytes = (kGroups * kTileA + kTileB) * 2;
constexpr double kFlop = 2.0 * kRowsA * kRowsB * kDepth * kRepeats * kRounds * kGroups;

__global__ void __launch_bounds__(kThreads, 1) multiply(const uint4* data, uint32_t* sink) {
  extern __shared__ __align__(1024) uint4 tiles[];
  for (int k = int(threadIdx.x); k < kSharedBytes / 16; k += kThreads) tiles[k] = data[k];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma reads what ordinary stores wrote
  __syncthreads();
  const uint64_t b = descriptor_k_major(tiles);
  const uint64_t a = descriptor_k_major(tiles + (kTileB + int(threadIdx.x) / 128 * kTileA) / 8);
  float d[kRowsB / 2] = {};
  for (int round = 0; round < kRounds; ++round) {
    pin(d);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < kRepeats * kDepth / 16; ++step) {
      const int k = step % (kDepth / 16), panel = k / 4, inside = k % 4 * 2;
      Wgmma<__half, kRowsB>::shared(d, a + uint64_t(panel * kRowsA * 8 + inside),
                                    b + uint64_t(panel * kRowsB * 8 + inside), 1);
    }
    wgmma_commit();
    wgmma_wait<0>();
    pin(d);
  }
  uint32_t sum = 0;
#pragma unroll
  for (float x : d) sum ^= __float_as_uint(x);
  consume(sum, sink);
}

}  // namespace

double wgmma_flop(int multiprocessors) { return multiprocessors * kFlop; }

cudaError_t launch_wgmma(const Roof& r, cudaStream_t stream) {
  if (const cudaError_t error =
          cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes))
    return error;
  multiply<<<unsigned(r.multiprocessors), kThreads, kSharedBytes, stream>>>(static_cast<const uint4*>(r.data), r.sink);
  return cudaGetLastError();
}

}  // namespace tilewalk::gpu
