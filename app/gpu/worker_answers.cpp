// What the worker says while it measures, and what becomes of it.
#include "app/gpu/worker_client.h"

#include "app/gpu/worker_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace tilewalk {
namespace {

// The first kernel whose answer was wrong, and was to be right.
const KernelResult* wrong_one(const RunResult& result) {
  const Problem& p = result.spec.problem;
  for (const KernelResult& kernel : result.kernels) {
    const SwitchInfo* info = switch_of(kernel.kernel, kernel.with, p.d, p.mask == Mask::Causal);
    if (kernel.errors && !kernel.errors->passed && !(info && info->wrong)) return &kernel;
  }
  return nullptr;
}

bool any_of(const std::vector<RunFault>& faults, RunFault::Of of) {
  return std::ranges::any_of(faults, [of](const RunFault& fault) { return fault.of == of; });
}

}  // namespace

// Whether it tells of more than any before it: kernels come as they were asked for, stages in their order.
bool WorkerClient::advances(const Progress& progress) const {
  if (!furthest_) return true;
  const auto place = [&](const Progress& p) {
    const std::vector<Answer> asked = answers_of(running_->spec);
    return std::tuple(std::ranges::find(asked, Answer{p.kernel, p.with}) - asked.begin(), p.stage, p.done);
  };
  return place(progress) > place(*furthest_);
}

void WorkerClient::hear(const Progress& progress) {
  if (!running_ || progress.id != running_->id) return;
  if (progress.done < 0 || progress.of < progress.done) return;  // tells of nothing
  if (advances(progress)) furthest_ = progress, advanced_ = heard_;
  status_.progress = progress;
  ++status_.changes;
}

void WorkerClient::hear(const Partial& partial, std::vector<RunFault> faults) {
  if (!running_ || partial.id != running_->id) return;
  advanced_ = heard_;
  auto so_far = std::make_shared<RunResult>(status_.result ? *status_.result : RunResult{});
  if (!status_.result) {
    so_far->provenance = status_.hello->gpu;
    so_far->spec = running_->spec;
  }
  if (so_far->kernels.size() >= answers_of(running_->spec).size())
    return lost("The GPU worker answered for more kernels than it was asked for, so it was ended.",
                std::string(kRunAgain));
  RunResult one{so_far->provenance, so_far->spec, {partial.result}};
  std::ranges::move(elapsed_faults(one, taken()), std::back_inserter(faults));
  so_far->kernels.push_back(std::move(believed(std::move(one), faults).kernels.front()));
  status_.result = std::move(so_far);
  ++status_.changes;
}

void WorkerClient::hear(const Done& done, std::vector<RunFault> faults) {
  if (!running_ || done.id != running_->id) return;
  const RunSpec asked = std::exchange(running_, {})->spec;
  cancelled_ = -1;
  messages_ = 0;
  pipe_->expect_large(false);
  status_.result.reset();
  if (!any_of(faults, RunFault::Of::Run))
    std::ranges::move(elapsed_faults(done.result, taken()), std::back_inserter(faults));
  if (!faults.empty()) refuse(done.result, sentences_of(faults));
  if (any_of(faults, RunFault::Of::Run))
    return set(GpuState::Failed, faults.front().what,
               "Nothing of it is shown as measured; install the same version of both.");
  auto result = std::make_shared<RunResult>(believed(done.result, faults));
  const KernelResult* wrong = wrong_one(*result);
  if (done.cancelled) {
    if (!result->kernels.empty()) status_.result = std::move(result);
    return set(status_.remote ? GpuState::Remote : GpuState::Ready, "The run was stopped.",
               status_.result ? "What was measured before is shown." : "R runs it again.");
  }
  std::string why;
  bool any_counters = false;
  for (const KernelResult& kernel : result->kernels) {
    any_counters = any_counters || kernel.counters;
    if (why.empty()) why = kernel.no_counters;
  }
  if (why.empty()) why = status_.hello->no_counters;
  if (!faults.empty()) {
    const bool others =
        std::ranges::any_of(result->kernels, [](const KernelResult& k) { return k.timing.has_value(); });
    set(GpuState::Failed, faults.front().what,
        others ? "It is not shown as measured; the other kernels' times stand."
               : "Nothing of it is shown as measured; the details that can be copied have all of it.");
  } else if (wrong) {
    set(GpuState::Failed,
        fmt::format("{} gave a wrong answer: its worst row is off by {:.2g} of its length.",
                    wrong->label.empty() ? std::string(info_of(wrong->kernel).kernel_name()) : wrong->label,
                    wrong->errors->worst_row),
        "Its time is not shown; the other kernels' stand.");
  } else if (std::ranges::none_of(result->kernels,
                                  [](const KernelResult& kernel) { return kernel.timing.has_value(); })) {
    const auto refused =
        std::ranges::find_if(result->kernels, [](const KernelResult& kernel) { return !kernel.refused.empty(); });
    set(GpuState::Failed, refused == result->kernels.end() ? "No kernel was measured." : sentence(refused->refused),
        "The lesson goes on; R runs it again.");
  } else if (asked.counters && !any_counters && !why.empty()) {
    set(GpuState::NoCounters, why, "The times are real; the bytes are predicted or recorded.");
  } else {
    set(GpuState::Result);
  }
  status_.result = std::move(result);
}

void WorkerClient::hear(const CeilingDone& done) {
  if (done.id != measuring_) return;
  advanced_ = heard_;
  auto so_far = std::make_shared<Ceilings>(status_.ceilings ? *status_.ceilings : Ceilings{status_.hello->gpu, {}});
  if (so_far->ceilings.size() >= size_t(kCeilingCount))
    return lost("The GPU worker measured more roofs than there are, so it was ended.", std::string(kRunAgain));
  so_far->ceilings.push_back(done.ceiling);
  if (!ceiling_faults(*so_far, &status_.hello->gpu).empty()) return;  // `ceilings` will say so
  status_.ceilings = std::move(so_far);
  ++status_.changes;
}

void WorkerClient::hear(const CeilingsDone& done) {
  if (done.id != measuring_) return;
  messages_ = 0;
  measuring_.reset();
  cancelled_ = -1;
  status_.measuring = 0;
  if (const std::vector<std::string> faults = ceiling_faults(done.result, &status_.hello->gpu); !faults.empty()) {
    status_.ceilings = whole_;
    return set(GpuState::Failed, faults.front(), "These roofs are not shown as measured.");
  }
  auto all = std::make_shared<const Ceilings>(done.result);
  if (all->ceilings.size() == size_t(kCeilingCount)) whole_ = all;
  status_.ceilings = whole_ ? whole_ : std::move(all);
  ++status_.changes;
}

void WorkerClient::hear(const ProgramDone& done) {
  if (!program_ || done.id != program_->id) return;
  const ProgramSpec asked = std::exchange(program_, {})->spec;
  messages_ = 0;
  cancelled_ = -1;
  status_.running_program = false;
  ++status_.changes;
  if (done.cancelled) return;
  const Provenance& gpu = status_.in_class ? done.run.provenance : status_.hello->gpu;  // a class may have several
  if (const std::string fault = program_fault(done.run, asked, gpu, taken()); !fault.empty())
    return set(GpuState::Failed, fault, "It is not shown as measured.");
  status_.program = std::make_shared<const ProgramRun>(done.run);
}

void WorkerClient::hear(const Failure& failure) {
  const bool of_run = running_ && failure.id == running_->id, of_ceilings = failure.id == measuring_;
  const bool of_program = program_ && failure.id == program_->id;
  if (failure.id != 0 && !of_run && !of_ceilings && !of_program) return;
  if (!at_work())  // of nothing that was asked
    return lost(sentence(failure.message), std::string(kRunAgain));
  drop_unconfirmed("The run failed before the GPU worker confirmed what it had said so far.");
  messages_ = 0;
  running_.reset();
  measuring_.reset();
  if (of_ceilings && whole_) status_.ceilings = whole_;
  status_.measuring = 0;
  program_.reset();
  status_.running_program = false;
  cancelled_ = -1;
  if (pipe_) pipe_->expect_large(false);
  if (failure.code == "memory") {
    status_.needed = failure.needed;
    status_.free = failure.free;
    status_.largest_n = failure.largest_n;
    return set(GpuState::NotEnoughMemory, failure.message, "Nothing was allocated.");
  }
  if (failure.code == "busy")
    return set(GpuState::Busy, failure.message,
               "Wait until they are done, or run anyway: the result is then marked as shared.");
  set(GpuState::Failed, sentence(failure.message), "The lesson goes on; R runs it again.");
}

}  // namespace tilewalk
