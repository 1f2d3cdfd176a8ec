#include "kernels/worker/l2_probe.h"

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 1024;

// Past L1, which would hide the second reading. The sum keeps the loads alive.
__device__ void read(const uint4* data, int64_t from, int64_t step, int64_t count, uint32_t* sink) {
  uint32_t sum = 0;
  for (int64_t at = from; at < count; at += step) {
    const uint4 four = __ldcg(data + at);
    sum += four.x ^ four.y ^ four.z ^ four.w;
  }
  if (sum == 0x12345678) *sink = sum;
}

__global__ void read_shares(const uint4* data, int64_t count, uint32_t* sink) {
  read(data, int64_t(blockIdx.x) * kThreads + threadIdx.x, int64_t(gridDim.x) * kThreads, count, sink);
}

__global__ void read_everything(const uint4* data, int64_t count, uint32_t* sink) {
  read(data, threadIdx.x, kThreads, count, sink);
}

// Pieces of 16 KiB, each block its own sequence of them.
constexpr int kRounds = 1024;
__global__ void read_at_random(const uint4* data, int64_t count, uint32_t* sink) {
  const uint32_t pieces = uint32_t(count / kThreads);
  uint32_t state = blockIdx.x * 0x9e3779b9u + 1;
  for (int round = 0; round < kRounds; ++round) {
    state = state * 1664525u + 1013904223u;
    const int64_t first = int64_t(__umulhi(state, pieces)) * kThreads;
    read(data, first + threadIdx.x, kThreads, first + kThreads, sink);
  }
}

__global__ void write_shares(uint4* data, int64_t count) {
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < count; at += int64_t(gridDim.x) * kThreads)
    data[at] = uint4{uint32_t(at), 1, 2, 3};
}

__global__ void change_shares(uint4* data, int64_t count) {
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < count; at += int64_t(gridDim.x) * kThreads) {
    const uint4 four = __ldcg(data + at);
    data[at] = uint4{four.x + 1, four.y, four.z, four.w};
  }
}

// Where the curve passes one half, between two points.
int64_t half_missed(const std::vector<L2Found::Point>& points) {
  for (size_t k = 1; k < points.size(); ++k) {
    const auto &low = points[k - 1], &high = points[k];
    if (low.missed >= 0.5 || high.missed < 0.5) continue;
    return low.bytes + int64_t((0.5 - low.missed) / (high.missed - low.missed) * double(high.bytes - low.bytes));
  }
  return 0;
}

}  // namespace

std::optional<L2Found> probe_l2(Traffic& traffic, const L2Flush& flush, const Provenance& gpu, cudaStream_t stream,
                                std::string& fault) {
  Buffer buffer, sink_buffer;
  const int64_t whole = gpu.l2_bytes;
  uint4* const data = static_cast<uint4*>(buffer.hold(size_t(2 * whole)));
  uint32_t* const sink = static_cast<uint32_t*>(sink_buffer.hold(sizeof(uint32_t)));
  check(cudaMemset(data, 1, size_t(2 * whole)), "Preparing the L2 measurement");
  const auto wait = [&] {
    check(cudaGetLastError(), "The L2 measurement");
    check(cudaStreamSynchronize(stream), "The L2 measurement");
  };
  const unsigned blocks = unsigned(gpu.multiprocessors);
  // What `launch` moves to and from DRAM after it has run twice already, or, cold, never.
  const auto counted = [&](bool cold, auto launch) {
    Traffic::Launches launches;
    launches.flush = [&] {
      flush.queue(stream);
      for (int k = 0; k < 2 && !cold; ++k) launch();
      wait();
    };
    launches.launch = [&] {
      launch();
      wait();
    };
    launches.pass = [](int, int) { return true; };
    return traffic.measure(launches, fault);
  };
  L2Found found;
  const auto curve = [&](auto launch, double from, double to, std::vector<L2Found::Point>& points, int64_t reads = 0) {
    constexpr double kStep = 0.025;
    for (double share = from; share < to + kStep / 2; share += kStep) {
      const int64_t count = int64_t(share * double(whole)) / int64_t(sizeof(uint4)), bytes = count * sizeof(uint4);
      const auto counters = counted(false, [&] { launch(count); });
      if (!counters || !counters->dram_read) return false;
      const auto share_of = [&](double moved) { return moved / double(reads ? reads : bytes); };
      points.push_back({bytes, share_of(*counters->dram_read), share_of(counters->dram_written.value_or(0))});
    }
    return true;
  };
  const auto all = [&](int64_t count) { read_everything<<<blocks, kThreads, 0, stream>>>(data, count, sink); };
  const auto one = [&](int64_t count) { read_shares<<<2 * blocks, kThreads, 0, stream>>>(data, count, sink); };
  const auto change = [&](int64_t count) { change_shares<<<2 * blocks, kThreads, 0, stream>>>(data, count); };
  const auto random = [&](int64_t count) { read_at_random<<<2 * blocks, kThreads, 0, stream>>>(data, count, sink); };
  const int64_t at_random = int64_t(2 * blocks) * kRounds * kThreads * int64_t(sizeof(uint4));
  if (!curve(all, 0.35, 1.05, found.all) || !curve(one, 0.5, 1.1, found.one) ||
      !curve(change, 0.35, 1.1, found.changed) || !curve(random, 0.35, 1.5, found.random, at_random))
    return std::nullopt;
  const int64_t count = 2 * whole / int64_t(sizeof(uint4));
  const auto written = counted(true, [&] { write_shares<<<2 * blocks, kThreads, 0, stream>>>(data, count); });
  if (!written || !written->dram_written) return std::nullopt;
  found.one_bytes = half_missed(found.one);
  found.all_bytes = half_missed(found.all);
  found.dirty_bytes = std::max<int64_t>(0, 2 * whole - int64_t(*written->dram_written));
  return found;
}

}  // namespace tilewalk::gpu
