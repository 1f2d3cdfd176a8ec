#include "core/run/audit.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/machine/words.h"
#include "core/run/audit_numbers.h"
#include "core/run/audit_rows.h"
#include "core/run/chip_limits.h"
#include "core/run/run_json.h"
#include "core/run/shipped.h"
#include "core/run/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr double kSlack = 2;  // rows that the worker did not compare may lie a little further off than those it did

std::string name_of(const KernelResult& kernel) {
  const std::string name = kernel.label.empty() ? std::string(info_of(kernel.kernel).kernel_name()) : kernel.label;
  return kernel.with == Switch::None ? name : fmt::format("{} switched by \"{}\"", name, key_of(kernel.with));
}

bool measured_anything(const KernelResult& k) {
  return k.errors || k.timing || k.counters || k.trace || !k.o.empty() || !k.lse.empty();
}

std::string shape_words(const Problem& p) {
  return fmt::format("B {}, H {}, N {}{}, d {}, {} mask, {}, {} inputs of seed {}, scale {:.4g}", p.batch, p.heads,
                     with_commas(p.n_q), p.n_q == p.n_k ? "" : " by " + with_commas(p.n_k), p.d, name_of(p.mask),
                     name_of(p.format), name_of(p.distribution), p.seed, p.softmax_scale());
}

class Audit {
 public:
  Audit(const RunResult& said, const AskedRun& asked, AuditBudget& budget)
      : said_(said), spec_(said.spec), asked_(asked), budget_(budget) {
    if (asked.spec) answers_ = answers_of(*asked.spec);
  }

  std::vector<RunFault> run() {
    check_gpu();
    check_request();
    check_inputs();
    const bool whole = std::ranges::any_of(out_, [](const RunFault& f) { return f.of == RunFault::Of::Run; });
    for (size_t k = 0; k < said_.kernels.size() && !whole; ++k) {
      Sentences sentences;
      check_kernel(k, sentences);
      for (std::string& what : sentences) out_.push_back({RunFault::Of::Kernel, int(k), std::move(what)});
    }
    return std::move(out_);
  }

 private:
  void refuse(std::string what) { out_.push_back({RunFault::Of::Run, -1, std::move(what)}); }

  void check_gpu() {
    const Provenance& gpu = said_.provenance;
    if (gpu.gpu.empty()) refuse("It is not said on which GPU this was measured.");
    if (!asked_.gpu || gpu.gpu.empty()) return;
    const Provenance& hello = *asked_.gpu;
    if (gpu.gpu != hello.gpu)
      refuse(fmt::format("The worker said hello from {} and answers from {}.", hello.gpu, gpu.gpu));
    else if (gpu.major != hello.major || gpu.minor != hello.minor || gpu.multiprocessors != hello.multiprocessors ||
             gpu.memory_bytes != hello.memory_bytes || gpu.l2_bytes != hello.l2_bytes)
      refuse(
          fmt::format("The {} that the worker said hello from and the one that it answers from differ in what "
                      "they are made of.",
                      gpu.gpu));
  }

  void check_request() {
    if (!asked_.spec) return;
    const RunSpec& asked = *asked_.spec;
    if (!(spec_.problem == asked.problem)) {
      const std::string did = shape_words(spec_.problem), wanted = shape_words(asked.problem);
      refuse(did == wanted ? "The GPU worker measured a problem cut or computed in another way than was asked for."
                           : fmt::format("The GPU worker measured {}; asked for was {}.", did, wanted));
    }
    if (spec_.inputs.hash != asked.inputs.hash || spec_.inputs.kind != asked.inputs.kind)
      refuse("The GPU worker measured other inputs than those on the stage.");
    if (spec_.kv_heads != asked.kv_heads || spec_.splits != asked.splits)
      refuse("The GPU worker measured other heads of K and V, or other splits, than were asked for.");
    if (spec_.flush_l2 != asked.flush_l2 || spec_.trace_head != asked.trace_head ||
        spec_.trace_rows != asked.trace_rows)
      refuse("The GPU worker measured in another way than was asked for: another head, other rows, or L2 otherwise.");
  }

  // Of a file, nobody asked: its inputs are made again from its seed, or are its values.
  void check_inputs() {
    if (asked_.spec) return;
    if (spec_.inputs.kind == RunInputs::Kind::Generated && spec_.problem.distribution == Distribution::Custom)
      return refuse("The inputs of this run are neither in the file nor made from a seed.");
    if (spec_.inputs.hash == 0) return;
    const Inputs inputs = inputs_of(spec_, 0, budget_);
    if (inputs.q.values.empty())
      out_.push_back({RunFault::Of::Inputs, -1,
                      "The inputs of this run are too many to be made again here, so they count as others."});
    else if (hash_of(inputs) != spec_.inputs.hash)
      refuse(fmt::format("The inputs of this run have the hash {:016x}, and it says {:016x}.", hash_of(inputs),
                         spec_.inputs.hash));
  }

  void check_kernel(size_t index, Sentences& out) {
    const KernelResult& k = said_.kernels[index];
    const std::string name = name_of(k);
    for (size_t other = 0; other < index; ++other)
      if (said_.kernels[other].kernel == k.kernel && said_.kernels[other].with == k.with &&
          said_.kernels[other].label == k.label)
        return out.push_back(fmt::format("{} is there twice.", name));
    if (asked_.spec && !k.label.empty())
      return out.push_back(fmt::format("The worker calls its {} {}, by another program's name.",
                                       info_of(k.kernel).kernel_name(), k.label));
    if (asked_.spec && std::ranges::find(answers_, Answer{k.kernel, k.with}) == answers_.end())
      return out.push_back(fmt::format("{} was not asked for.", name));
    if (!measured_anything(k)) return;
    if (!k.refused.empty())
      return out.push_back(fmt::format("{} says both that it did not run and what came of it.", name));
    if (!k.errors)
      return out.push_back(fmt::format("{} says what was measured, and not whether its answer was right.", name));
    if (k.label.empty()) check_can_run(k, name, out);
    if (const std::string fault = size_fault(k, spec_.problem); !fault.empty())
      return out.push_back(fmt::format("{}: {}.", name, fault));

    const Problem& p = spec_.problem;
    const LeastWork least = k.label.empty() ? least_work(spec_, k.kernel) : least_work(p, p.d);
    check_errors(name, k, spec_, out);
    if (k.with != Switch::None && !recorded_switch_of(k.kernel, k.with, p.d, p.mask == Mask::Causal))
      out.push_back(fmt::format("{} has no such switch for this problem.", info_of(k.kernel).kernel_name()));
    if (!k.errors->passed) return;  // nothing else of it is shown
    if (k.timing) check_timing(name, *k.timing, spec_, said_.provenance, least, out);
    if (k.counters) check_counters(name, k, spec_, said_.provenance, least, out);
    if (k.trace) check_trace(name, k, spec_, said_.provenance, out);
    if (k.label.empty() && out.empty() && (!k.o.empty() || !k.lse.empty())) check_answer(k, name, out);
  }

  void check_can_run(const KernelResult& k, const std::string& name, Sentences& out) const {
    const MethodInfo::Kernel& kernel = info_of(k.kernel).kernel;
    const Provenance& gpu = said_.provenance;
    const int has = 10 * gpu.major + gpu.minor, least = kernel.least_cc;
    if (has < least || has > kernel.most_cc)
      out.push_back(fmt::format("{} cannot have run: it needs compute capability {}.{}{}, and {} has {}.{}.", name,
                                least / 10, least % 10, kernel.most_cc == least ? "" : " or more", gpu.gpu, gpu.major,
                                gpu.minor));
    if (spec_.problem.format != Format::Float16 && spec_.problem.format != Format::BFloat16)
      out.push_back(fmt::format("{} cannot have run: it computes in fp16 and bf16.", name));
    if (spec_.problem.d > most_d(k.kernel))
      out.push_back(fmt::format("{} cannot have run: it takes d up to {}.", name, most_d(k.kernel)));
  }

  // O and L of a kernel that passed, against float64.
  void check_answer(const KernelResult& k, const std::string& name, Sentences& out) {
    const Problem& p = spec_.problem;
    const std::shared_ptr<const ComparedRows> rows = compared_rows_of(spec_, budget_);
    if (!rows) {
      for (const std::vector<float>* list : {&k.o, &k.lse})
        for (const float value : *list)
          if (std::isnan(value)) return out.push_back(fmt::format("{}'s O or L holds what is no number.", name));
      if (!asked_.spec) out.push_back(fmt::format("{}'s O is more than is checked of one file.", name));
      return;
    }
    const bool rounded = k.kernel == Method::Standard && !keeps_wide_scores(p);
    const RowGaps gaps = gaps_of(k, *rows, rounded);
    const double limit = kSlack * error_limits(p.format).row;
    if (gaps.no_number >= 0)
      out.push_back(fmt::format("{}'s row {} holds what is no number, and it says that its answer is right.", name,
                                gaps.no_number + 1));
    else if (!(gaps.worst_row <= limit))
      out.push_back(
          fmt::format("{}'s O is off by {:.2g} of a row's length, compared here with float64, and it says "
                      "{:.2g}.",
                      name, gaps.worst_row, k.errors->worst_row));
    else if (gaps.lse_off)
      out.push_back(fmt::format("{}'s L is not that of these inputs, compared here with float64.", name));
    else if (const bool all = p.batch * p.heads == 1 && int64_t(rows->rows.size()) == p.n_q && !k.o.empty();
             all && std::fabs(gaps.worst_row - k.errors->worst_row) > 0.1 * gaps.worst_row + 1e-6)
      out.push_back(fmt::format("{} says that its worst row is off by {:.2g}; compared here it is off by {:.2g}.", name,
                                k.errors->worst_row, gaps.worst_row));
  }

  const RunResult& said_;
  const RunSpec& spec_;
  const AskedRun& asked_;
  std::vector<Answer> answers_;  // that were asked for
  AuditBudget& budget_;
  std::vector<RunFault> out_;
};

}  // namespace

std::vector<RunFault> run_faults(const RunResult& said, const AskedRun& asked, AuditBudget& budget) {
  return Audit(said, asked, budget).run();
}

std::vector<RunFault> elapsed_faults(const RunResult& said, double seconds) {
  constexpr double kMisread = 1.05, kBegun = 0.1;  // of the two clocks; s of what had begun before
  double all = 0;
  std::vector<RunFault> out;
  for (size_t k = 0; k < said.kernels.size(); ++k) {
    if (!said.kernels[k].timing) continue;
    // Half of the launches took the median or longer.
    const Timing& t = *said.kernels[k].timing;
    const double took = 1e-3 * (0.5 * t.count * t.median + std::max(0, t.queued) * t.back_to_back);
    all += took;
    if (!(all <= kMisread * seconds + kBegun)) {
      out.push_back({RunFault::Of::Kernel, int(k),
                     fmt::format("{} says {} launches of {:.4g} ms; the whole run took {} s.", name_of(said.kernels[k]),
                                 t.count, t.median, number_words(seconds))});
      all -= took;
    }
  }
  return out;
}

RunResult believed(RunResult said, const std::vector<RunFault>& faults) {
  const auto disbelieve = [](KernelResult& kernel, const std::string& why) {
    if (!kernel.disbelieved.empty()) return;
    KernelResult left;
    left.kernel = kernel.kernel;
    left.with = kernel.with;
    left.label = kernel.label;
    left.disbelieved = why;
    kernel = std::move(left);
  };
  for (const RunFault& fault : faults) switch (fault.of) {
      case RunFault::Of::Inputs: said.spec.inputs.hash = 0; break;
      case RunFault::Of::Run:
        for (KernelResult& kernel : said.kernels) disbelieve(kernel, fault.what);
        break;
      case RunFault::Of::Kernel: disbelieve(said.kernels[size_t(fault.kernel)], fault.what); break;
    }
  for (KernelResult& kernel : said.kernels) {
    if (kernel.errors && kernel.errors->passed) continue;
    kernel.timing.reset();
    kernel.counters.reset();
    kernel.trace.reset();
  }
  return said;
}

std::vector<std::string> sentences_of(const std::vector<RunFault>& faults) {
  std::vector<std::string> out;
  for (const RunFault& fault : faults) out.push_back(fault.what);
  return out;
}

std::vector<RunResult> believed_file(std::vector<RunResult> said, std::vector<std::string>& refused) {
  AuditBudget budget;
  for (RunResult& run : said) {
    const std::vector<RunFault> faults = run_faults(run, {}, budget);
    for (const RunFault& fault : faults)
      if (fault.of != RunFault::Of::Inputs) refused.push_back(fault.what);
    run = believed(std::move(run), faults);
  }
  return said;
}

std::vector<RunResult> load_believed(const std::filesystem::path& file, std::vector<std::string>& refused,
                                     std::string* left_out) {
  const std::string text = read_file(file, kMostRecording);
  std::string fault;
  auto said = read_recording(text, fault, left_out);
  if (!said) throw IoError(fmt::format("{}: {}.", printable_path(file), fault));
  return is_shipped(text) ? std::move(*said) : believed_file(std::move(*said), refused);
}

}  // namespace tilewalk
