#include "kernels/worker/timing.h"

#include "kernels/worker/gate.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tilewalk::gpu {

double quantile(std::span<const double> sorted, double q) {
  const double at = q * double(sorted.size() - 1);
  const size_t low = size_t(at), high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - double(low));
}

namespace {

__global__ void read_all(const uint4* data, int64_t count, uint32_t* sink) {
  uint32_t sum = 0;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < count; at += int64_t(gridDim.x) * blockDim.x) {
    const uint4 four = __ldg(data + at);
    sum += four.x ^ four.y ^ four.z ^ four.w;
  }
  if (sum == 0x12345678) *sink = sum;  // never, but the compiler cannot know
}

// How many launches are queued at a time: enough to hide the processor, few enough to hear a wish to stop. Between two
// such bursts the GPU rests: without, the largest GPUs run into their power limit and take their clocks back by a
// fifth, and what is timed is the cooling.
constexpr int kMostQueued = 32;
constexpr double kQueuedMs = 10;
constexpr int kMostLaunches = 1000;   // of which a median is taken
constexpr int kMostBackToBack = 300;  // without a rest: fewer than a stream's queue holds, three each for standard
constexpr auto kRest = std::chrono::milliseconds(10);

class Stopwatch {
 public:
  Stopwatch(const L2Flush* flush, bool rest, const TimingHooks& hooks, cudaStream_t stream)
      : flush_(flush), rest_(rest), hooks_(hooks), stream_(stream) {}

  // `count` launches one behind the other; their times are appended. `running` is called while they run. False where
  // the gate gave up, so that some may have waited for the processor.
  bool run(
      int count, std::vector<double>& times, const std::function<void()>& running = [] {}) {
    if (rest_) std::this_thread::sleep_for(kRest);
    gate_.close(stream_);
    meter_.start(stream_);
    for (int k = 0; k < count; ++k) {
      if (flush_) flush_->queue(stream_);
      starts_[k].record(stream_);
      hooks_.launch();
      stops_[k].record(stream_);
    }
    meter_.stop(stream_);
    const bool held = gate_.open();
    running();
    check(cudaStreamSynchronize(stream_), "The launch");
    for (int k = 0; k < count; ++k) times.push_back(stops_[k].ms_since(starts_[k]));
    if (const double mhz = meter_.mhz(); mhz > 0) clocks_.push_back(mhz);
    return held;
  }
  void forget_clocks() { clocks_.clear(); }
  double clock() {  // MHz, the bursts' median; 0: not known
    std::sort(clocks_.begin(), clocks_.end());
    return clocks_.empty() ? 0 : quantile(clocks_, 0.5);
  }

 private:
  const L2Flush* flush_;
  bool rest_;
  const TimingHooks& hooks_;
  cudaStream_t stream_;
  Gate gate_;
  ClockMeter meter_;
  std::vector<double> clocks_;
  Event starts_[kMostQueued], stops_[kMostQueued];
};

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

}  // namespace

void L2Flush::prepare(int64_t l2_bytes) {
  const size_t size = bytes(l2_bytes);
  if (buffer_.bytes() >= size) return;
  check(cudaMemset(buffer_.hold(size), 1, size), "Preparing to empty L2");
  sink_.hold(sizeof(uint32_t));
}

void L2Flush::queue(cudaStream_t stream) const {
  read_all<<<1024, 256, 0, stream>>>(buffer_.as<const uint4>(), int64_t(buffer_.bytes() / sizeof(uint4)),
                                     sink_.as<uint32_t>());
}

bool time_launches(const TimingPlan& plan, const TimingHooks& hooks, cudaStream_t stream, const Nvml& nvml,
                   Timing& timing) {
  Stopwatch watch(plan.flush, true, hooks, stream);
  std::vector<double> warm;
  while (int(warm.size()) < plan.warmups) {
    if (!hooks.going(0, plan.launches)) return false;
    // One at a time until it is known how long one takes.
    const double each = warm.empty() ? kQueuedMs : *std::min_element(warm.begin(), warm.end());
    if (sum_of(warm) > plan.least_ms && warm.size() >= 2) break;
    const int room = int(std::clamp(kQueuedMs / each, 1.0, double(kMostQueued)));
    watch.run(std::min(room, plan.warmups - int(warm.size())), warm);
  }
  const double each = std::max(1e-4, *std::min_element(warm.begin(), warm.end()));
  constexpr int kLeastLaunches = 3;
  const double wanted = std::max(double(plan.launches), plan.least_ms / each);
  const int of = int(std::clamp(std::min(wanted, plan.most_ms / each), double(kLeastLaunches), double(kMostLaunches)));
  const int queued = int(std::clamp(kQueuedMs / each, 1.0, double(kMostQueued)));

  timing = {.warmups = int(warm.size()), .flushed = plan.flush != nullptr};
  watch.forget_clocks();
  std::vector<double> times;
  while (int(times.size()) < of) {
    if (!hooks.going(int(times.size()), of)) return false;
    const int count = std::min(queued, of - int(times.size()));
    const bool first = times.empty(), last = int(times.size()) + count == of;
    const bool held = watch.run(count, times, [&] {
      if (first) timing.clock_before = nvml.sm_clock();
      if (last) timing.clock_after = nvml.sm_clock();
    });
    if (!held) timing.unheld += count;
  }
  if (!plan.flush) {
    timing.queued = int(std::clamp(plan.least_ms / each, 2.0, double(kMostBackToBack)));
    timing.back_to_back = mean_ms(timing.queued, hooks.launch, stream);
  }
  std::sort(times.begin(), times.end());
  timing.count = int(times.size());
  timing.clock = watch.clock();
  timing.best = times.front();
  timing.p10 = quantile(times, 0.1);
  timing.median = quantile(times, 0.5);
  timing.p90 = quantile(times, 0.9);
  return true;
}

EachTime time_each(double settle_ms, double least_ms, bool rest, const TimingHooks& hooks, cudaStream_t stream) {
  Stopwatch watch(nullptr, rest, hooks, stream);
  std::vector<double> times;
  watch.run(1, times);  // the first may load the kernel
  const double most = std::clamp(3.0 * kMostBackToBack / hooks.each, 1.0, double(kMostQueued));
  const int burst = int(std::clamp(kQueuedMs / std::max(1e-3, times.front()), 1.0, most));
  for (const double least : {settle_ms, least_ms}) {
    times.clear();
    watch.forget_clocks();
    while (sum_of(times) < least && times.size() < kMostLaunches) {
      if (!hooks.going(int(times.size()), 0)) return {};
      watch.run(burst, times);
    }
  }
  std::sort(times.begin(), times.end());
  return {times, watch.clock()};
}

double mean_ms(int launches, const std::function<void()>& launch, cudaStream_t stream) {
  Event start, stop;
  Gate gate;
  gate.close(stream);
  start.record(stream);
  for (int k = 0; k < launches; ++k) launch();
  stop.record(stream);
  gate.open();
  check(cudaStreamSynchronize(stream), "The launch");
  return stop.ms_since(start) / launches;
}

}  // namespace tilewalk::gpu
