#include "kernels/worker/gate.h"

#include "kernels/worker/timing.h"

#include <algorithm>
#include <vector>

namespace tilewalk::gpu {

struct ClockSample {
  int64_t cycles, nanoseconds;
};

namespace {

constexpr int kSms = 256;

// Keeps the stream waiting until `gate` says so, or, where that never comes, for some 20 ms; then it says that.
enum GateState : int { kClosed, kOpen, kGaveUp };
__global__ void wait_for(volatile int* gate) {
  const long long start = clock64();
  while (*gate == kClosed) {
    if (clock64() - start > 40'000'000) {
      *gate = kGaveUp;
      return;
    }
    __nanosleep(200);
  }
}

// Where each multiprocessor's clock stands, at `sample[%smid]`. Blocks spread over all of them when nothing else runs.
__global__ void sample_clocks(ClockSample* sample, uint32_t count) {
  uint32_t sm;
  ClockSample now;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u64 %0, %%clock64;\n\tmov.u64 %1, %%globaltimer;" : "=l"(now.cycles), "=l"(now.nanoseconds));
  if (sm < count) sample[sm] = now;
}

}  // namespace

Gate::Gate() {
  check(cudaHostAlloc(&state_, sizeof *state_, cudaHostAllocMapped | cudaHostAllocPortable), "Making a gate");
}
Gate::~Gate() { cudaFreeHost(state_); }

void Gate::close(cudaStream_t stream) {
  *state_ = kClosed;
  wait_for<<<1, 1, 0, stream>>>(state_);
}

bool Gate::open() {
  volatile int* const state = state_;
  const bool held = *state != kGaveUp;
  *state = kOpen;
  return held;
}

ClockMeter::ClockMeter() {
  check(cudaHostAlloc(&samples_, 2 * kSms * sizeof *samples_, cudaHostAllocMapped), "Making a clock");
}
ClockMeter::~ClockMeter() { cudaFreeHost(samples_); }

void ClockMeter::start(cudaStream_t stream) {
  std::fill_n(samples_, 2 * kSms, ClockSample{});
  sample_clocks<<<kSms, 1, 0, stream>>>(samples_, kSms);
}
void ClockMeter::stop(cudaStream_t stream) { sample_clocks<<<kSms, 1, 0, stream>>>(samples_ + kSms, kSms); }

double ClockMeter::mhz() const {
  std::vector<double> each;
  for (int sm = 0; sm < kSms; ++sm)
    if (const ClockSample& a = samples_[sm], &b = samples_[kSms + sm]; a.nanoseconds && b.nanoseconds > a.nanoseconds)
      each.push_back(1e3 * double(b.cycles - a.cycles) / double(b.nanoseconds - a.nanoseconds));
  std::sort(each.begin(), each.end());
  return each.empty() ? 0 : quantile(each, 0.5);
}

}  // namespace tilewalk::gpu
