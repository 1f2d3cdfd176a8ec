#include "kernels/ring/whole_problem.h"

#include "core/kernel/kernel_shapes.h"
#include "kernels/ring/ring_kernels.h"
#include "kernels/ring/watchdog.h"
#include "kernels/worker/request_check.h"
#include "kernels/worker/timing.h"

#include <cmath>

namespace tilewalk::gpu {
namespace {

size_t rows_of(const Problem& p) { return size_t(p.batch * p.heads * p.n_q); }

}  // namespace

WholeProblem::WholeProblem(const Problem& problem, Method kernel) : problem_(problem), kernel_(kernel) {
  RunSpec spec;
  spec.problem = problem;
  inputs_.make(spec, padded_d(problem.d));
  const size_t rows = rows_of(problem);
  for (Buffer* o : {&ring_o_, &o_}) o->hold(rows * size_t(padded_d(problem.d)) * 2);
  for (Buffer* lse : {&ring_lse_, &lse_}) lse->hold(rows * sizeof(float));
  checker_.prepare(problem, inputs_);
}

size_t WholeProblem::bytes(const Problem& p) {
  RunSpec spec;
  spec.problem = p;
  return DeviceInputs::bytes(spec, padded_d(p.d)) + 2 * rows_of(p) * (size_t(padded_d(p.d)) * 2 + sizeof(float)) +
         Checker::bytes(p);
}

Errors WholeProblem::check(Ring& ring) {
  ring.poison();
  checker_.poison(ring_o_.data(), ring_lse_.as<float>(), padded_d(problem_.d));
  ring.run(Ring::Work::Both);
  ring.gather(ring_o_.data(), ring_lse_.as<float>());
  return checker_.compare(kernel_, ring_o_.data(), ring_lse_.as<float>(), padded_d(problem_.d));
}

RingAlone WholeProblem::alone(const Gpu& gpu, bool timed) {
  if (!alone_ || (timed && !alone_->time.count)) run_alone(gpu, timed);
  RingAlone out = *alone_;
  const Gap gap = gap_between(ring_o_.data(), o_.data(), element_of(problem_.format),
                              int64_t(rows_of(problem_)) * padded_d(problem_.d));
  out.difference = gap.reference > 0 ? std::sqrt(gap.difference / gap.reference) : 0;
  out.largest = gap.largest;
  return out;
}

void WholeProblem::run_alone(const Gpu& gpu, bool timed) {
  Forward forward = forward_of(problem_);
  forward.q = inputs_.q();
  forward.k = inputs_.k();
  forward.v = inputs_.v();
  forward.o = o_.data();
  forward.lse = lse_.as<float>();
  cudaStream_t stream = nullptr;
  gpu::check(cudaStreamCreate(&stream), "Making a stream");
  const auto queue = [&] { gpu::check(launch(kernel_, forward, stream), "The launch on one GPU"); };
  checker_.poison(o_.data(), lse_.as<float>(), padded_d(problem_.d));
  queue();
  gpu::check(cudaStreamSynchronize(stream), "The launch on one GPU");
  alone_.emplace();
  alone_->errors = checker_.compare(kernel_, o_.data(), lse_.as<float>(), padded_d(problem_.d));
  if (timed) {
    Timing timing;
    const TimingPlan plan{.warmups = 2, .launches = 5, .flush = nullptr, .least_ms = 100, .most_ms = 700};
    time_launches(plan, {queue, [](int, int) { return true; }}, stream, Nvml(gpu.pci), timing);
    alone_->time = {timing.median, timing.p10, timing.p90, timing.count};
  }
  cudaStreamDestroy(stream);
}

}  // namespace tilewalk::gpu
