// Launches every kernel that measures a roof, and holds its rate against what compute capability 9.0 can do at most: a
// rate above that would mean that the compiler left work out.
//
//   roof_check [--small]     small: on one multiprocessor and few bytes, without times, for compute-sanitizer
// Leaves with 0 if all is right, 1 if not, 77 where there is no GPU.
#include "kernels/ceilings.h"
#include "tests/gpu/device_arrays.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tilewalk::gpu::check {
namespace {

// A clock and multiprocessor of 9.0, from the CUDA C++ programming guide's throughputs and NVIDIA's H100 whitepaper;
// what has no such bound (DRAM, L2) is 0.
double most_per_clock(CeilingId id) {
  switch (id) {
    case CeilingId::SharedRead: return 128;
    case CeilingId::Wgmma:
    case CeilingId::MmaSync: return 4096;
    case CeilingId::Exponential: return 16;
    case CeilingId::Fp32: return 256;
    default: return 0;
  }
}

double best_ms(CeilingId id, const Roof& roof) {
  cudaEvent_t start, stop;
  must(cudaEventCreate(&start), "cudaEventCreate");
  must(cudaEventCreate(&stop), "cudaEventCreate");
  float best = 1e9f;
  for (int k = 0; k < 5; ++k) {
    must(cudaEventRecord(start), "cudaEventRecord");
    must(launch_roof(id, roof, nullptr), "launch");
    must(cudaEventRecord(stop), "cudaEventRecord");
    must(cudaEventSynchronize(stop), "cudaEventSynchronize");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    best = std::min(best, ms);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return best;
}

int check(bool small) {
  cudaDeviceProp gpu;
  must(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  int khz = 0, faults = 0;
  must(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "cudaDeviceGetAttribute");
  const auto sink = device_array<uint32_t>(1);
  for (const CeilingInfo& info : ceilings()) {
    const int at = gpu.major * 10 + gpu.minor, least = info.least_major * 10 + info.least_minor;
    if (info.exact_capability ? at != least : at < least) continue;
    Roof roof;
    roof.multiprocessors = small ? 1 : gpu.multiProcessorCount;
    roof.bytes = roof_bytes(info.id, roof.multiprocessors, small ? 1 << 20 : gpu.l2CacheSize,
                            small ? 1 << 20 : int64_t(gpu.totalGlobalMem / 4));
    const auto data = device_array<char>(size_t(roof.bytes));
    roof.data = data.get();
    roof.sink = sink.get();
    must(fill_normal(roof.data, roof.bytes, nullptr), "fill_normal");
    must(launch_roof(info.id, roof, nullptr), "launch");
    must(cudaDeviceSynchronize(), std::string(info.key).c_str());
    if (small) continue;
    const double rate = roof_amount(info.id, roof) / best_ms(info.id, roof) * 1e3;
    const double each = rate / (khz * 1e3) / roof.multiprocessors, most = most_per_clock(info.id);
    const bool wrong = gpu.major == 9 && most > 0 && each > 1.01 * most;
    std::printf("%-12s %.4g a second, %.2f a clock and multiprocessor%s\n", std::string(info.key).c_str(), rate, each,
                wrong ? ": more than there can be" : "");
    faults += wrong;
  }
  return faults ? 1 : 0;
}

}  // namespace
}  // namespace tilewalk::gpu::check

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("roof_check: there is no NVIDIA GPU here\n");
    return 77;
  }
  return tilewalk::gpu::check::check(argc > 1 && std::strcmp(argv[1], "--small") == 0);
}
