// The recorded runs that the board "curves" sets beside the model.
#include "app/boards/curves_parts.h"
#include "app/boards/roofs_knob.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <utility>

namespace tilewalk {

std::vector<RecordedRun> all_recorded() {
  std::vector<RecordedRun> out;
  for (const RunResult& run : shipped_recordings()) {
    const Problem& p = run.spec.problem;
    // Outliers among the inputs are a case of their own.
    if (p.n_q != p.n_k || p.n_k < 512 || p.distribution != Distribution::Normal) continue;
    for (const KernelResult& kernel : run.kernels) {
      const auto method = method_of(kernel);
      if (!method || !kernel.label.empty() || !kernel.timing) continue;
      Case asked;
      asked.problem = p;
      out.push_back({&run, &kernel, *method, asked, out.size()});
    }
  }
  return out;
}

std::vector<RecordedRun> recorded_on(const Roofs& roofs) {
  std::vector<RecordedRun> out = all_recorded();
  std::erase_if(out, [&](const RecordedRun& r) { return !same_gpu(roofs, r.run->provenance); });
  return out;
}

std::string words_of_recordings(const std::vector<RecordedRun>& runs) {
  if (runs.empty()) return "Nothing was recorded on this GPU: every number is the model's.";
  return fmt::format("◆ recorded on {}, {}. All else is the model's.", runs.front().run->provenance.gpu,
                     runs.front().run->provenance.date.substr(0, 10));
}

}  // namespace tilewalk
