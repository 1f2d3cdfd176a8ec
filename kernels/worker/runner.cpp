#include "kernels/worker/runner.h"

#include "kernels/worker/beside_judge.h"
#include "kernels/worker/ceiling_meter.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/request_check.h"
#include "kernels/worker/tracer.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::gpu {
namespace {

constexpr auto kOwnWork = std::chrono::seconds(2);  // NVML's sampling period, during which it still shows our own

std::string name_of(Method kernel) { return std::string(info_of(kernel).kernel_name()); }

bool is_backward(Method kernel) { return schedule_of(kernel).backward(); }

// What the checker, which knows the problem's own heads and 16 bits, does not judge.
bool judged_beside(Method kernel, const RunSpec& spec) { return is_beside(kernel) || group_of(spec) > 1; }

}  // namespace

Runner::Runner(Gpu gpu) : gpu_(std::move(gpu)), nvml_(gpu_.pci) {
  check(cudaStreamCreate(&stream_), "Making a stream");
}

Runner::~Runner() { cudaStreamDestroy(stream_); }

Traffic& Runner::traffic() {
  if (!traffic_) traffic_ = std::make_unique<Traffic>();
  return *traffic_;
}

std::optional<L2Found> Runner::probe_l2(std::string& fault) {
  flush_.prepare(gpu_.what.l2_bytes);
  return gpu::probe_l2(traffic(), flush_, gpu_.what, stream_, fault);
}

double Runner::dram_read() {
  CeilingMeter meter(gpu_.what, stream_);
  const std::optional<Ceiling> read = meter.measure(CeilingId::DramRead, [] { return true; });
  last_work_ = std::chrono::steady_clock::now();
  return read && read->rested ? read->rested->median : 0;
}

int64_t Runner::memory_free() {
  size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "Asking for free GPU memory");
  return int64_t(free);
}

// Who else is on the GPU, in words; empty: nobody that is known. Throws Refused unless `anyway`.
std::string Runner::shared_with(bool anyway, bool lock_held) const {
  std::string who;
  const bool own = std::chrono::steady_clock::now() - last_work_ < kOwnWork;
  if (!lock_held)
    who = "Another Tilewalk worker is measuring on this GPU";
  else if (const double busy = own ? 0 : nvml_.busy(); busy > kDisturbed)
    who = fmt::format("Other programs keep the GPU {:.0f} % busy", busy * 100);
  if (!who.empty() && !anyway)
    throw Refused("busy", who + ", so that times would mean nothing; wait, or run anyway and have the result marked.");
  return who;
}

size_t Runner::held() const {
  return inputs_.held() + checker_.held() + gradient_checker_.held() + flush_.held() + o_.bytes() + lse_.bytes() +
         workspace_.bytes() + d_o_.bytes() + dq_.bytes() + dk_.bytes() + dv_.bytes();
}

void Runner::release() {
  inputs_.release();
  checker_.forget();
  gradient_checker_.forget();
  for (Buffer* buffer : {&o_, &lse_, &workspace_, &d_o_, &dq_, &dk_, &dv_}) buffer->release();
}

void Runner::make_inputs(const RunSpec& spec, int64_t width) {
  const bool others = !inputs_.holds(spec);
  if (others || inputs_.width() != width) inputs_.make(spec, width);
  if (others) {
    checker_.forget();
    gradient_checker_.forget();
  }
  if (spec.inputs.hash && spec.inputs.hash != inputs_.hash())
    throw Refused(
        "input-hash",
        fmt::format("The inputs made here have the hash {:016x}, and those on screen have {:016x}; the window "
                    "and the worker are of different versions.",
                    inputs_.hash(), spec.inputs.hash));
}

// For each kernel why it cannot run here, or nothing. Throws Refused where memory alone keeps all of them from it.
std::vector<std::string> Runner::refusals(const RunSpec& spec) const {
  std::vector<std::string> why;
  std::optional<Failure> memory;
  bool any = false;
  const size_t free = size_t(memory_free()) + held();
  for (Method kernel : spec.kernels) {
    why.push_back(capability_fault(kernel, gpu_.what));
    if (why.back().empty() && spec.problem.d > most_d(kernel))
      why.back() = fmt::format("{} takes d up to {}; this is {}.", name_of(kernel), most_d(kernel), spec.problem.d);
    if (!why.back().empty()) continue;
    if (const std::optional<Failure> fault = memory_fault(spec, kernel, gpu_.what, free)) {
      why.back() = fault->message;
      if (!memory) memory = fault;
    } else {
      any = true;
    }
  }
  if (!any && memory) throw Refused(*memory);
  return why;
}

// Everything that the kernels share: inputs as the first of them wants them, room for the answers, the reference.
void Runner::prepare_run(const RunSpec& spec, Method first) {
  const Problem& p = spec.problem;
  const size_t rows = size_t(p.batch * p.heads * p.n_q);
  make_inputs(spec, padded_d(first, p.d));
  o_.hold(rows * size_t(widest_d(p.d)) * 2);
  lse_.hold(rows * sizeof(float));
  if (spec.flush_l2 || spec.counters) flush_.prepare(gpu_.what.l2_bytes);
  if (!std::ranges::all_of(spec.kernels, [&](Method kernel) { return judged_beside(kernel, spec); }))
    checker_.prepare(p, inputs_);
}

Ran Runner::run(const RunSpec& spec, bool anyway, const RunHooks& hooks) {
  check_request(spec);
  const GpuLock lock(gpu_.pci);
  Ran ran;
  ran.result = {gpu_.what, spec, {}};
  if (const std::string who = shared_with(anyway, lock.held()); !who.empty())
    ran.result.provenance.note = "shared: " + who;
  ran.result.provenance.date = utc_now();

  if (!inputs_.holds(spec)) release();
  const std::vector<std::string> refused = refusals(spec);
  if (const auto runs = std::ranges::find(refused, ""); runs != refused.end()) {
    hooks.progress({spec.kernels.front()}, RunStage::Inputs, 0, 1);
    prepare_run(spec, spec.kernels[size_t(runs - refused.begin())]);
    ran.result.spec.inputs.hash = inputs_.hash();
    hooks.progress({spec.kernels.front()}, RunStage::Inputs, 1, 1);
  }
  for (const Answer& asked : answers_of(spec)) {
    if (ran.cancelled = ran.cancelled || hooks.cancelled(); ran.cancelled) break;
    KernelResult result;
    result.kernel = asked.kernel;
    result.with = asked.with;
    result.refused = refused[size_t(std::ranges::find(spec.kernels, asked.kernel) - spec.kernels.begin())];
    if (result.refused.empty()) result = run_kernel(asked, spec, hooks, ran.cancelled);
    last_work_ = std::chrono::steady_clock::now();
    if (ran.cancelled) break;
    hooks.partial(result);
    ran.result.kernels.push_back(std::move(result));
  }
  return ran;
}

Ceilings Runner::ceilings(bool anyway, const std::function<void(const Ceiling&, int done, int of)>& ready,
                          const std::function<bool()>& cancelled) {
  const GpuLock lock(gpu_.pci);
  Ceilings measured{gpu_.what, {}};
  if (const std::string who = shared_with(anyway, lock.held()); !who.empty())
    measured.provenance.note = "shared: " + who;
  measured.provenance.date = utc_now();
  release();
  CeilingMeter meter(gpu_.what, stream_);
  for (const CeilingInfo& info : tilewalk::ceilings()) {
    std::optional<Ceiling> ceiling = meter.measure(info.id, [&] { return !cancelled(); });
    last_work_ = std::chrono::steady_clock::now();
    if (!ceiling) break;
    measured.ceilings.push_back(std::move(*ceiling));
    ready(measured.ceilings.back(), int(measured.ceilings.size()), kCeilingCount);
  }
  return measured;
}

ProgramRun Runner::run_program(const ProgramSpec& spec, bool anyway, const GoOn& go_on) {
  const GpuLock lock(gpu_.pci);
  const std::string who = shared_with(anyway, lock.held());
  release();
  try {
    ProgramRun run = measure_program(spec, {}, gpu_, traffic(), flush_, nvml_, go_on);
    if (!who.empty()) run.provenance.note = "shared: " + who;
    last_work_ = std::chrono::steady_clock::now();
    return run;
  } catch (const CudaError&) {
    throw;
  } catch (const std::runtime_error& fault) {
    throw Refused("launch", fmt::format("{}.", fault.what()));
  }
}

KernelResult Runner::run_kernel(const Answer& asked, const RunSpec& spec, const RunHooks& hooks, bool& cancelled) {
  KernelResult result;
  const auto name_it = [&] { result.kernel = asked.kernel, result.with = asked.with; };
  name_it();
  with_ = asked.with;
  try {
    measure(asked.kernel, spec, hooks, result, cancelled);
  } catch (const CudaError& fault) {
    if (fault.dead) throw;
    result = {};
    name_it();
    result.refused = fmt::format("{}: {}.", name_of(asked.kernel), fault.what());
  }
  return result;
}

Request Runner::filled_request(const RunSpec& spec, Method kernel) {
  Request request = request_of(spec, {kernel, with_}, gpu_.what.multiprocessors);
  request.q = inputs_.q();
  request.k = inputs_.k();
  request.v = inputs_.v();
  request.o = o_.data();
  request.lse = lse_.as<float>();
  return request;
}

// What a backward kernel starts from: O and L as FA2 leaves them, compared with float64, and dO. False, with the reason
// in `result`, where there is no right O.
bool Runner::prepare_backward(const RunSpec& spec, Request& request, KernelResult& result) {
  const Problem& p = spec.problem;
  const size_t row = size_t(padded_d(p.d)) * 2, rows = size_t(p.batch * p.heads * p.n_q),
               keys = size_t(p.batch * p.heads * p.n_k);
  const char* why = "";
  checker_.poison(o_.data(), lse_.as<float>(), request.d);
  if (!prepare(Method::Fa2, request, &why)) {
    result.refused = fmt::format("Its forward pass, FA2, does not run: {}", why);
    return false;
  }
  check(launch(Method::Fa2, request, stream_), "The forward pass");
  check(cudaStreamSynchronize(stream_), "The forward pass");
  if (!checker_.compare(Method::Fa2, o_.data(), lse_.as<float>(), request.d).passed) {
    result.refused = "Its forward pass, FA2, gave a wrong answer.";
    return false;
  }
  request.direction = Direction::Backward;
  request.d_o = d_o_.hold(rows * row);
  request.dq = dq_.hold(rows * row);
  request.dk = dk_.hold(keys * row);
  request.dv = dv_.hold(keys * row);
  make_rows(p, InputTensor::DO, 0, p.n_q, d_o_.data());
  check(cudaDeviceSynchronize(), "Making dO");
  gradient_checker_.prepare(p, inputs_, d_o_.data());
  return true;
}

void Runner::poison(Method kernel, const Request& request) const {
  if (is_backward(kernel)) return gradient_checker_.poison(request);
  const size_t rows = size_t(request.heads) * size_t(request.n_q);
  check(cudaMemset(request.o, 0xFF, rows * size_t(request.d) * 2), "Overwriting O");
  check(cudaMemset(request.lse, 0xFF, rows * sizeof(float)), "Overwriting L");
}

Errors Runner::judge(Method kernel, const RunSpec& spec, const Request& request) const {
  if (is_backward(kernel)) return gradient_checker_.compare(request);
  if (judged_beside(kernel, spec)) return judge_beside(kernel, spec.problem.format, request);
  return checker_.compare(kernel, request.o, request.lse, request.d);
}

void Runner::measure(Method kernel, const RunSpec& spec, const RunHooks& hooks, KernelResult& result, bool& cancelled) {
  make_inputs(spec, padded_d(kernel, spec.problem.d));
  Request request = filled_request(spec, kernel);
  const bool backward = is_backward(kernel);
  hooks.progress({kernel, with_}, RunStage::Checking, 0, 1);
  if (backward && !prepare_backward(spec, request, result)) return;
  if (const size_t bytes = workspace_bytes(kernel, request)) request.workspace = workspace_.hold(bytes);
  if (const char* why = ""; !prepare(kernel, request, &why)) {
    result.refused = why;
    return;
  }
  const std::string what = name_of(kernel) + "'s launch";
  const auto queue = [&] { check(launch(kernel, request, stream_), what); };

  check(make_ready(kernel, request, stream_), "What " + name_of(kernel) + " starts from");
  poison(kernel, request);
  queue();
  check(cudaStreamSynchronize(stream_), what);
  result.errors = judge(kernel, spec, request);
  if (kernel == Method::SplitKv) result.splits = request.splits;
  if (kernel == Method::Fa3Fp8) result.rounding = rounding_cost(request, stream_, nvml_);
  if (spec.outputs && !backward && !is_beside(kernel)) take_outputs(spec, request.d, result);
  hooks.progress({kernel, with_}, RunStage::Checking, 1, 1);
  if (!result.errors->passed && with_ != Switch::None && !judged_beside(kernel, spec))
    result.wrong = checker_.first_wrong(o_.data(), lse_.as<float>(), request.d);
  if (!result.errors->passed) return;

  const auto going = [&](RunStage stage, int done, int of) {
    hooks.progress({kernel, with_}, stage, done, of);
    cancelled = cancelled || hooks.cancelled();
    return !cancelled;
  };
  Timing timing;
  const TimingPlan plan{spec.warmups, spec.launches, spec.flush_l2 ? &flush_ : nullptr};
  if (!time_launches(plan, {queue, [&](int done, int of) { return going(RunStage::Timing, done, of); }}, stream_, nvml_,
                     timing))
    return;
  result.timing = timing;
  if (spec.counters) count(kernel, request, hooks, result, cancelled);
  if (cancelled || !spec.trace || !can_trace(kernel)) return;
  if (!going(RunStage::Tracing, 0, 1)) return;
  result.trace = traced_run(kernel, request, spec.trace_head, gpu_.what.multiprocessors, stream_);
  keep_rows(result.trace->statistics, spec.trace_rows);
  hooks.progress({kernel, with_}, RunStage::Tracing, 1, 1);
}

void Runner::count(Method kernel, const Request& request, const RunHooks& hooks, KernelResult& result,
                   bool& cancelled) {
  const std::string what = name_of(kernel) + "'s launch";
  const auto wait = [&] { check(cudaStreamSynchronize(stream_), what); };
  Traffic::Launches launches;
  launches.flush = [&] {
    flush_.queue(stream_);
    wait();
  };
  launches.launch = [&] {
    check(launch(kernel, request, stream_), what);
    wait();
  };
  launches.pass = [&](int done, int of) {
    hooks.progress({kernel, with_}, RunStage::Counting, done, of);
    cancelled = cancelled || hooks.cancelled();
    return !cancelled;
  };
  result.counters = traffic().measure(launches, result.no_counters);
}

void Runner::take_outputs(const RunSpec& spec, int64_t pitch, KernelResult& result) const {
  const Problem& p = spec.problem;
  const std::vector<uint16_t> bits =
      o_.download<uint16_t>(size_t(p.n_q * pitch), size_t(spec.trace_head * p.n_q * pitch));
  for (int64_t r = 0; r < p.n_q; ++r)
    for (int64_t c = 0; c < p.d; ++c) {
      const uint16_t element = bits[size_t(r * pitch + c)];
      result.o.push_back(float(p.format == Format::BFloat16 ? bfloat16_to_double(element) : half_to_double(element)));
    }
  result.lse = lse_.download<float>(size_t(p.n_q), size_t(spec.trace_head * p.n_q));
}

}  // namespace tilewalk::gpu
