// How long one launch takes: many launches, each between two events of its own, in bursts that are queued before they
// begin, so that the GPU does not wait for the processor; where a burst could not be held back so long (some 20 ms),
// its launches count as Timing::unheld. It rests between bursts, lest the power limit be measured; what a kernel does
// without rest is Timing::back_to_back. The SM clock is counted over each burst, from its first launch to its last, by
// the multiprocessors themselves; what NVML says of it is read just after the first and the last burst were let go.
#pragma once

#include "core/run/run.h"
#include "kernels/worker/buffer.h"
#include "kernels/worker/nvml.h"

#include <functional>
#include <span>
#include <vector>

namespace tilewalk::gpu {

// Empties L2 by reading more than twice what it holds. Reading rather than writing: dirty lines of a flush would have
// to be written back in the middle of the launch that is measured.
class L2Flush {
 public:
  void prepare(int64_t l2_bytes);
  void queue(cudaStream_t stream) const;
  size_t held() const { return buffer_.bytes(); }
  static size_t bytes(int64_t l2_bytes) { return size_t(l2_bytes) * 5 / 2; }

 private:
  Buffer buffer_;
  Buffer sink_;
};

struct TimingPlan {
  int warmups, launches;  // at least
  const L2Flush* flush;   // before every launch; null: caches stay as the launch before left them
  double least_ms = 300;  // more launches are made until this is filled,
  double most_ms = 2000;  // and fewer where this is passed
};
struct TimingHooks {
  std::function<void()> launch;                 // queues one on the stream; throws CudaError
  std::function<bool(int done, int of)> going;  // between launches; false ends the timing
  int each = 1;                                 // kernels that one call of `launch` queues, where they are many
};
// `timing` is filled unless `going` said stop; then the result is false.
bool time_launches(const TimingPlan& plan, const TimingHooks& hooks, cudaStream_t stream, const Nvml& nvml,
                   Timing& timing);

// One launch after the other until their times fill `settle_ms` and then `least_ms`, or there are a thousand; what is
// given back is of the latter, sorted, and empty if `going` said stop. `rest`: in bursts, as above; else without a
// pause, into the power limit.
struct EachTime {
  std::vector<double> ms;
  double clock = 0;  // MHz, the bursts' median; 0: not known
};
EachTime time_each(double settle_ms, double least_ms, bool rest, const TimingHooks& hooks, cudaStream_t stream);

// Of sorted values, between neighbours where it falls between two.
double quantile(std::span<const double> sorted, double q);

// The mean over a few launches, without anything around: for the slow-down of a traced build.
double mean_ms(int launches, const std::function<void()>& launch, cudaStream_t stream);

}  // namespace tilewalk::gpu
