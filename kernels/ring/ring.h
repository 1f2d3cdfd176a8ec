// A ring of the host's first GPUs (Ring Attention, arXiv:2310.01889). Each keeps its part of the tokens' queries; K and
// V of a shard, one piece of memory, go to the next GPU while the kernels of the same turn read them here. A shard
// lands in one of two buffers, so that the one in use stays whole until the turn is over.
//
//   turn 0     attention on the own K, V        sends them on
//   turn t     waits for shard (p - t) mod P    sends it on, unless t = P - 1
//
// Answers of a turn are merged into fp32 sums by L (kernels/merge.h); the last one leaves O in 16 bits.
#pragma once

#include "core/run/ring_run.h"
#include "kernels/merge.h"
#include "kernels/ring/nccl.h"
#include "kernels/worker/buffer.h"
#include "kernels/worker/gate.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilewalk::gpu {

// A GPU failed, or did not answer in time: what() says which, in which turn. Its context is lost, so the process should
// end without waiting for it.
class RingStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A GPU that fails on purpose, to see what becomes of the others.
struct RingFault {
  enum class Kind : uint8_t { Stall, Trap } kind = Kind::Stall;
  int device = 0, turn = 0;
};

struct RingSetup {
  std::string nccl;                // the library's path; empty: wherever the loader finds it
  double limit = 60;               // seconds after which a ring counts as stopped
  std::optional<RingFault> fault;  // in the first ring after a whole one
  // Told, from another thread, that a call does not come back; must end the process.
  std::function<void(const std::string&)> lost = end_process;
  static void end_process(const std::string& why);
};

class Ring {
 public:
  // Makes streams, buffers and inputs on GPUs 0 .. P - 1. Throws CudaError, or Refused with one sentence.
  Ring(const RingSpec& spec, const RingSetup& setup);
  ~Ring();
  Ring(const Ring&) = delete;

  std::string transport() const;       // "copy engines", "NCCL 2.28.9"
  bool peer() const { return peer_; }  // every GPU reaches the next one's memory
  void poison();                       // everything that a ring writes

  // One ring, or only its attention (on whatever the buffers hold), or only its transfers; behind a gate, so that
  // nothing waits for the processor. Throws RingStopped.
  enum class Work : uint8_t { Both, Attention, Transfer };
  struct Times {
    bool held = true;           // false: some may have waited for the processor
    std::vector<double> whole;  // ms, a device each
    std::vector<double> clock;  // MHz of its SMs meanwhile; 0: not known
    std::vector<RingStep> steps;
  };
  Times run(Work work);

  // O [heads, N, d] and L [heads, N] of all devices, in the tokens' order, into memory of GPU 0.
  void gather(void* o, float* lse) const;
  static size_t bytes(const RingSpec& spec);  // of one GPU's memory

 private:
  struct Place {  // one device
    int device = 0;
    cudaStream_t compute = nullptr, transfer = nullptr;
    Buffer q, o, part, sum, lse, part_lse;  // of its own queries
    Buffer home, travel[2];                 // K and V of a shard: its own, and two that pass through
    Event start, over;
    ClockMeter meter;
    std::deque<Event> arrived, done;  // on `compute`: the shard of turn t is here; turn t is over
    std::deque<Event> sends, sent;    // on `transfer`
  };
  void make_place(Place& place);
  void queue_or_stop(Work work);
  const Place& at(int device) const { return *places_[size_t((device + gpus_) % gpus_)]; }
  const void* shard(const Place& place, int turn) const;  // K and V that it works on
  void queue(Work work);
  void queue_send(int turn, bool attends);
  void queue_attention(Place& place, int turn, bool waits, std::vector<int>& met);
  void fail_on_purpose(Place& place, int turn);
  void wait(Work work);
  std::string stopped(Work work, bool late) const;
  Times times(Work work) const;

  RingSpec spec_;
  RingPlan plan_;
  RingSetup setup_;
  int gpus_;
  int heads_, d_, rows_;  // rows of a part
  size_t kv_bytes_;       // of a shard
  bool peer_ = true;
  std::vector<std::unique_ptr<Place>> places_;
  std::unique_ptr<NcclRing> nccl_;
  Gate gate_;
  bool warm_ = false;     // a whole ring went round
  int* go_on_ = nullptr;  // ends a stall
};

}  // namespace tilewalk::gpu
