// The runs that the board "curves" sets beside the model.
#include "app/boards/curves_parts.h"
#include "app/boards/roofs_knob.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace tilewalk {

std::vector<RecordedRun> all_recorded(const GpuView& gpu) {
  std::vector<RecordedRun> out;
  for (const BoardRun& from : board_runs(gpu)) {
    const RunResult& run = *from.run;
    const Problem& p = run.spec.problem;
    // Outliers among the inputs are a case of their own, and so are values that were typed or opened.
    if (p.n_q != p.n_k || p.n_k < 512 || p.distribution != Distribution::Normal) continue;
    for (const KernelResult& kernel : run.kernels) {
      const auto method = method_of(kernel);
      if (!method || !kernel.label.empty() || !kernel.timing) continue;
      Case asked;
      asked.problem = p;
      if (schedule_of(kernel.kernel).backward()) asked.pass = CasePass::Backward;
      RecordedRun now{from, &run, &kernel, *method, asked};
      // Of a person's own and of this session the last of a shape counts.
      if (now.from.kind != RunKind::Shipped)
        std::erase_if(out, [&](const RecordedRun& r) {
          return r.from.kind == now.from.kind && r.method == now.method && r.asked.pass == now.asked.pass &&
                 r.asked.problem == p;
        });
      out.push_back(std::move(now));
    }
  }
  return out;
}

std::vector<RecordedRun> recorded_on(const Roofs& roofs, const GpuView& gpu) {
  std::vector<RecordedRun> out = all_recorded(gpu);
  std::erase_if(out, [&](const RecordedRun& r) { return !same_gpu(roofs, r.run->provenance); });
  return out;
}

std::string_view suffix_of(RunKind kind) {
  return kind == RunKind::Measured ? "_measured" : kind == RunKind::Own ? "_own" : "_recorded";
}
bool same_call(const Case& a, const Case& b) {
  const Problem &p = a.problem, &q = b.problem;
  return p.n_q == q.n_q && p.n_k == q.n_k && p.d == q.d && p.batch == q.batch && p.heads == q.heads &&
         p.mask == q.mask && p.format == q.format && a.pass == b.pass;
}

std::string words_of_recordings(const std::vector<RecordedRun>& runs) {
  std::string words;
  for (const RunKind kind : kRunKinds) {
    std::string gpu;
    std::set<std::string> days;
    for (const RecordedRun& run : runs)
      if (run.from.kind == kind) gpu = run.run->provenance.gpu, days.insert(run.run->provenance.date.substr(0, 10));
    if (days.empty()) continue;
    const std::string when = days.size() == 1 ? *days.begin() : fmt::format("{} to {}", *days.begin(), *days.rbegin());
    words += fmt::format("{}{} {} on {}{}", words.empty() ? "" : "; ", glyph_of(kind), words_of(kind), gpu,
                         kind == RunKind::Measured ? " just now" : ", " + when);
  }
  return words.empty() ? "No runs on this GPU yet: every number is the model's." : words + ". All else is the model's.";
}

}  // namespace tilewalk
