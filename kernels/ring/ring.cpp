#include "kernels/ring/ring.h"

#include "core/kernel/kernel_shapes.h"
#include "kernels/ring/ring_kernels.h"
#include "kernels/ring/watchdog.h"
#include "kernels/worker/device_inputs.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/request_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace tilewalk::gpu {
namespace {

using Clock = std::chrono::steady_clock;

void use(int device) { check(cudaSetDevice(device), "Turning to a GPU"); }

char* bytes_of(const Buffer& buffer, size_t offset) { return buffer.as<char>() + offset; }

// Making a ring takes seconds; what takes longer than this and the limit besides is stuck.
constexpr double kMakingSeconds = 60;

}  // namespace

void RingSetup::end_process(const std::string& why) {
  fmt::print(stderr, "tilewalk-gpu: {}\n", why);
  std::fflush(stderr);
  std::_Exit(kContextLost);
}

Ring::Ring(const RingSpec& spec, const RingSetup& setup)
    : spec_(spec),
      setup_(setup),
      gpus_(spec.gpus),
      heads_(int(spec.problem.batch * spec.problem.heads)),
      d_(int(padded_d(spec.problem.d))) {
  std::string fault;
  plan_ = ring_plan(spec.problem, spec.gpus, spec.split, fault);
  if (!fault.empty()) throw Refused("problem", fault);
  const Watchdog watchdog(kMakingSeconds + setup.limit, "Making the ring", setup.lost);
  rows_ = int(plan_.part_tokens());
  kv_bytes_ = size_t(ring_step_bytes(spec.problem, spec.gpus));
  check(cudaHostAlloc(reinterpret_cast<void**>(&go_on_), sizeof *go_on_, cudaHostAllocMapped | cudaHostAllocPortable),
        "Making a ring");
  *go_on_ = 0;
  for (int device = 0; device < gpus_; ++device) {
    use(device);  // events belong to the device that is current when they are made
    places_.push_back(std::make_unique<Place>());
    places_.back()->device = device;
    make_place(*places_.back());
  }
  if (spec_.transfer == RingTransfer::Nccl) {
    try {
      nccl_ = std::make_unique<NcclRing>(gpus_, setup_.nccl, spec_.spare / 2);
    } catch (const std::runtime_error& error) {
      throw Refused("nccl", std::string(error.what()) + ".");
    }
  }
  use(0);
}

Ring::~Ring() {
  nccl_.reset();
  for (const auto& place : places_) {
    cudaSetDevice(place->device);
    cudaStreamDestroy(place->compute);
    cudaStreamDestroy(place->transfer);
  }
  cudaSetDevice(0);
  cudaFreeHost(go_on_);
}

size_t Ring::bytes(const RingSpec& spec) {
  const Problem& p = spec.problem;
  const size_t rows = size_t(p.batch * p.heads * (p.n_q / spec.gpus)), wide = rows * size_t(padded_d(p.d));
  return wide * (3 * 2 + sizeof(float)) + rows * 2 * sizeof(float) + 3 * size_t(ring_step_bytes(p, spec.gpus));
}

void Ring::make_place(Place& place) {
  use(place.device);
  const int next = (place.device + 1) % gpus_;
  int reaches = 0;
  check(cudaDeviceCanAccessPeer(&reaches, place.device, next), "Asking for peer access");
  if (reaches) {
    const cudaError_t error = cudaDeviceEnablePeerAccess(next, 0);
    if (error != cudaErrorPeerAccessAlreadyEnabled) check(error, "Enabling peer access");
    cudaGetLastError();
  }
  peer_ = peer_ && reaches;

  // Where the transfer is a kernel, its blocks go first.
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "Making a stream");
  check(cudaStreamCreateWithPriority(&place.compute, cudaStreamNonBlocking, least), "Making a stream");
  check(cudaStreamCreateWithPriority(&place.transfer, cudaStreamNonBlocking, greatest), "Making a stream");
  for (int turn = 0; turn < gpus_; ++turn)
    for (std::deque<Event>* events : {&place.arrived, &place.done, &place.sends, &place.sent}) events->emplace_back();

  const Problem& p = spec_.problem;
  const size_t rows = size_t(heads_) * size_t(rows_) * size_t(plan_.parts()), tensor = rows * size_t(d_) * 2;
  place.q.hold(tensor);
  place.o.hold(tensor);
  place.part.hold(tensor / size_t(plan_.parts()));
  place.sum.hold(tensor * 2);
  place.lse.hold(rows * sizeof(float));
  place.part_lse.hold(rows * sizeof(float));
  for (Buffer* buffer : {&place.home, &place.travel[0], &place.travel[1]}) buffer->hold(kv_bytes_);
  for (int64_t part = 0; part < plan_.parts(); ++part) {
    const size_t offset = size_t(part) * tensor / size_t(plan_.parts());
    const int64_t first = plan_.first_token(place.device, part);
    make_rows(p, InputTensor::Q, first, rows_, bytes_of(place.q, offset));
    make_rows(p, InputTensor::K, first, rows_, bytes_of(place.home, offset));
    make_rows(p, InputTensor::V, first, rows_, bytes_of(place.home, kv_bytes_ / 2 + offset));
  }
  check(cudaDeviceSynchronize(), "Making the inputs");

  Forward forward = forward_of(p);
  forward.n_q = forward.n_k = rows_;
  for (const bool causal : {false, true}) {
    forward.causal = causal;
    if (const char* why = ""; !prepare(spec_.kernel, forward, &why)) throw Refused("problem", why);
  }
}

std::string Ring::transport() const { return nccl_ ? "NCCL " + nccl_->version() : "copy engines"; }

void Ring::poison() {
  for (const auto& place : places_) {
    use(place->device);
    for (const Buffer* buffer :
         {&place->o, &place->part, &place->sum, &place->lse, &place->part_lse, &place->travel[0], &place->travel[1]})
      check(cudaMemset(buffer->data(), 0xFF, buffer->bytes()), "Overwriting a ring's buffers");
    check(cudaDeviceSynchronize(), "Overwriting a ring's buffers");
  }
  use(0);
}

const void* Ring::shard(const Place& place, int turn) const {
  return turn == 0 ? place.home.data() : place.travel[turn % 2].data();
}

void Ring::queue_send(int turn, bool attends) {
  std::vector<NcclRing::Shift> shifts;
  for (const auto& place : places_) {
    use(place->device);
    const Place& next = at(place->device + 1);
    void* const to = next.travel[(turn + 1) % 2].data();
    if (turn > 0 && nccl_) {
      // The buffer that fills now was read in the turn before. That the next GPU's is free, NCCL sees to itself.
      if (attends) place->done[size_t(turn) - 1].hold(place->transfer);
    } else if (turn > 0) {
      at(place->device - 1).sent[size_t(turn) - 1].hold(place->transfer);  // what is sent on has come
      next.sent[size_t(turn) - 1].hold(place->transfer);                   // and the next GPU needs the buffer no more:
      if (attends) next.done[size_t(turn) - 1].hold(place->transfer);      // neither to send from nor to compute on
    }
    place->sends[size_t(turn)].record(place->transfer);
    if (nccl_) {
      shifts.push_back({shard(*place, turn), place->travel[(turn + 1) % 2].data(), place->transfer});
    } else {
      check(cudaMemcpyPeerAsync(to, next.device, shard(*place, turn), place->device, kv_bytes_, place->transfer),
            "Sending a shard");
      place->sent[size_t(turn)].record(place->transfer);
    }
  }
  if (!nccl_) return;
  nccl_->shift(shifts, kv_bytes_);
  for (const auto& place : places_) {
    use(place->device);
    place->sent[size_t(turn)].record(place->transfer);
  }
}

void Ring::queue_attention(Place& place, int turn, bool waits, std::vector<int>& met) {
  use(place.device);
  if (turn > 0 && waits) (nccl_ ? place : at(place.device - 1)).sent[size_t(turn) - 1].hold(place.compute);
  place.arrived[size_t(turn)].record(place.compute);
  if (setup_.fault && warm_ && setup_.fault->device == place.device && setup_.fault->turn == turn)
    fail_on_purpose(place, turn);

  const size_t part_rows = size_t(heads_) * size_t(rows_), part_bytes = part_rows * size_t(d_) * 2;
  const char* const kv = static_cast<const char*>(shard(place, turn));
  const std::vector<RingBlock> blocks = ring_blocks(plan_, place.device, turn);
  for (const RingBlock& block : blocks) {
    const auto q = size_t(block.q_part);
    int of = 0;  // blocks that this part of the queries meets in all
    for (int t = 0; t < gpus_; ++t)
      for (const RingBlock& each : ring_blocks(plan_, place.device, t)) of += each.q_part == block.q_part;
    const int before = met[q]++;
    Forward forward = forward_of(spec_.problem);
    forward.n_q = forward.n_k = rows_;
    forward.causal = block.causal;
    forward.spare = spec_.spare;
    forward.q = bytes_of(place.q, q * part_bytes);
    forward.k = kv + size_t(block.k_part) * part_bytes;
    forward.v = kv + kv_bytes_ / 2 + size_t(block.k_part) * part_bytes;
    void* const o = bytes_of(place.o, q * part_bytes);
    float* const lse = place.lse.as<float>() + q * part_rows;
    forward.o = before ? place.part.data() : o;
    forward.lse = before ? place.part_lse.as<float>() : lse;
    check(launch(spec_.kernel, forward, place.compute),
          fmt::format("{}'s launch", info_of(spec_.kernel).kernel_name()));
    if (before == 0) continue;
    check(launch_merge({.o = o,
                        .sum = place.sum.as<float>() + q * part_rows * size_t(d_),
                        .lse = lse,
                        .part = forward.o,
                        .part_lse = forward.lse,
                        .rows = int64_t(part_rows),
                        .d = d_,
                        .element = forward.element,
                        .first = before == 1,
                        .last = before + 1 == of},
                       place.compute),
          "Merging");
  }
  place.done[size_t(turn)].record(place.compute);
}

void Ring::fail_on_purpose(Place& place, int turn) {
  fmt::print(stderr, "GPU {} fails in turn {}, as asked.\n", place.device, turn);
  check(setup_.fault->kind == RingFault::Kind::Trap ? launch_trap(place.compute) : launch_stall(go_on_, place.compute),
        "Failing on purpose");
}

void Ring::queue(Work work) {
  const bool sends = work != Work::Attention, attends = work != Work::Transfer;
  for (const auto& place : places_) {
    use(place->device);
    gate_.close(place->compute);
    place->meter.start(place->compute);
    place->start.record(place->compute);
    place->start.hold(place->transfer);
  }
  // The first transfer after a rest takes some 100 us to get going, which one beside attention hardly shows: transfers
  // alone are timed in a second ring right behind a first.
  if (!attends)
    for (int turn = 0; turn + 1 < gpus_; ++turn) queue_send(turn, false);
  std::vector<std::vector<int>> met(places_.size(), std::vector<int>(size_t(plan_.parts()), 0));
  for (int turn = 0; turn < gpus_; ++turn) {
    if (sends && turn + 1 < gpus_) queue_send(turn, attends);
    if (attends)
      for (const auto& place : places_) queue_attention(*place, turn, sends, met[size_t(place->device)]);
  }
  for (const auto& place : places_) {
    use(place->device);
    if (!attends) place->sent[size_t(gpus_) - 2].hold(place->compute);
    place->meter.stop(place->compute);
    place->over.record(place->compute);
  }
}

void Ring::queue_or_stop(Work work) {
  try {
    queue(work);
  } catch (const CudaError& error) {
    gate_.open();
    if (!error.dead) throw;
    throw RingStopped(std::string(error.what()) + ": a GPU of the ring failed.");
  } catch (const RingStopped&) {
    throw;
  } catch (const std::runtime_error& error) {  // NCCL's
    gate_.open();
    throw RingStopped(std::string(error.what()) + ".");
  }
}

Ring::Times Ring::run(Work work) {
  const Watchdog watchdog(5 + 2 * setup_.limit, "A ring", setup_.lost);
  queue_or_stop(work);
  const bool held = gate_.open();
  wait(work);
  use(0);
  Times out = times(work);
  out.held = held;
  warm_ = warm_ || work == Work::Both;
  return out;
}

void Ring::wait(Work work) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(setup_.limit);
  for (;;) {
    bool ready = true;
    for (const auto& place : places_) {
      use(place->device);
      const cudaError_t state = place->over.state();
      if (state != cudaSuccess && state != cudaErrorNotReady) throw RingStopped(stopped(work, false));
      ready = ready && state == cudaSuccess;
    }
    if (ready) return;
    if (nccl_)
      if (const std::string fault = nccl_->fault(); !fault.empty()) throw RingStopped(fault + ".");
    if (Clock::now() > deadline) {
      const std::string what = stopped(work, true);
      *static_cast<volatile int*>(go_on_) = 1;
      throw RingStopped(what);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// Which GPU it was: those that failed, or else the one that is furthest behind. Where each reaches the next one's
// memory, a fault takes all of them along, and nobody can be asked any more.
std::string Ring::stopped(Work work, bool late) const {
  std::string failed, fault;
  int slowest = 0, least = gpus_ + 1, faults = 0;
  for (const auto& place : places_) {
    cudaSetDevice(place->device);
    const std::deque<Event>& events = work == Work::Transfer ? place->sent : place->done;
    int turn = 0;
    cudaError_t state = cudaSuccess;
    while (turn < gpus_ && (state = events[size_t(turn)].state()) == cudaSuccess) ++turn;
    if (turn < least) {
      least = turn;
      slowest = place->device;
    }
    if (state == cudaSuccess || state == cudaErrorNotReady) continue;
    fault = fmt::format("{} ({}, {})", cudaGetErrorString(state), cudaGetErrorName(state), int(state));
    failed += fmt::format("{}{}", faults++ ? " and " : "", place->device);
  }
  if (faults == gpus_)
    return fmt::format(
        "A GPU of the ring failed: {}. The others, which reach its memory, are lost with it; the "
        "driver's log (dmesg, Xid) says which it was.",
        fault);
  if (faults) return fmt::format("GPU {} of the ring failed: {}.", failed, fault);
  return late ? fmt::format("GPU {} of the ring did not finish turn {} within {:g} s; the others wait for it.", slowest,
                            least, setup_.limit)
              : "A GPU of the ring failed.";
}

Ring::Times Ring::times(Work work) const {
  Times out;
  out.steps.resize(size_t(gpus_));
  for (const auto& place : places_) {
    use(place->device);
    const bool attends = work != Work::Transfer;
    out.whole.push_back(attends ? place->done[size_t(gpus_) - 1].ms_since(place->start)
                                : place->sent[size_t(gpus_) - 2].ms_since(place->sends[0]));
    out.clock.push_back(place->meter.mhz());
    for (int turn = 0; turn < gpus_; ++turn) {
      RingStep& step = out.steps[size_t(turn)];
      const auto t = size_t(turn);
      if (attends) {
        const Event& before = turn ? place->done[t - 1] : place->start;
        (work == Work::Both ? step.together : step.attention).push_back(place->done[t].ms_since(before));
        if (work == Work::Both) step.waited.push_back(place->arrived[t].ms_since(before));
      }
      if (work != Work::Attention && turn + 1 < gpus_)
        (work == Work::Both ? step.beside : step.transfer).push_back(place->sent[t].ms_since(place->sends[t]));
    }
  }
  use(0);
  return out;
}

void Ring::gather(void* o, float* lse) const {
  const size_t row = size_t(d_) * 2, count = size_t(rows_);
  const auto tokens = size_t(plan_.tokens);
  for (const auto& place : places_)
    for (int64_t part = 0; part < plan_.parts(); ++part)
      for (size_t head = 0; head < size_t(heads_); ++head) {
        const size_t from = (size_t(part) * size_t(heads_) + head) * count;
        const size_t to = head * tokens + size_t(plan_.first_token(place->device, part));
        check(cudaMemcpyPeer(static_cast<char*>(o) + to * row, 0, bytes_of(place->o, from * row), place->device,
                             count * row),
              "Gathering O");
        check(cudaMemcpyPeer(lse + to, 0, place->lse.as<float>() + from, place->device, count * sizeof(float)),
              "Gathering L");
      }
  for (const auto& place : places_) {
    use(place->device);
    check(cudaDeviceSynchronize(), "Gathering O");
  }
  use(0);
}

}  // namespace tilewalk::gpu
