#include "app/boards/board_runs.h"

#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tilewalk {
namespace {

// The folder of recordings may hold the shipped files too.
bool same_run(const RunResult& a, const RunResult& b) {
  const auto key = [](const RunResult& r) {
    return std::tie(r.spec.inputs.hash, r.spec.problem, r.provenance.date,
                    r.provenance.gpu);  // what differs most, first
  };
  return key(a) == key(b) && std::ranges::equal(a.kernels, b.kernels, [](const KernelResult& x, const KernelResult& y) {
           return x.kernel == y.kernel && x.label == y.label && x.timing.has_value() == y.timing.has_value() &&
                  (!x.timing || x.timing->median == y.timing->median);
         });
}

// Of kernels as the methods of the boards are: without switches, FP8, decoding or shared heads of K and V.
bool is_plain(const RunResult& run) {
  return run.spec.switches.empty() && group_of(run.spec) == 1 &&
         std::ranges::none_of(run.kernels, [](const KernelResult& k) { return is_beside(k.kernel); });
}

}  // namespace

std::string_view words_of(RunKind kind) {
  return kind == RunKind::Measured ? "measured" : kind == RunKind::Own ? "recorded by you" : "recorded";
}
std::string_view glyph_of(RunKind kind) { return kind == RunKind::Measured ? "■" : kind == RunKind::Own ? "◇" : "◆"; }

std::vector<BoardRun> board_runs(const GpuView& gpu) {
  std::vector<BoardRun> out;
  const std::vector<RunResult>& shipped = shipped_recordings();
  for (const RunResult& run : shipped) out.push_back({&run, RunKind::Shipped, {}});
  if (gpu.recordings) {
    const std::vector<ShippedRun> all = shipped_runs();
    const auto is_shipped = [&](const RunResult& own) {
      return std::ranges::any_of(all, [&](const ShippedRun& each) { return same_run(*each.run, own); });
    };
    for (const Recording& own : gpu.recordings->all)
      if (is_plain(*own.result) && !is_shipped(*own.result)) out.push_back({own.result.get(), RunKind::Own, own.file});
  }
  std::stable_sort(out.begin() + std::ptrdiff_t(shipped.size()), out.end(), [](const BoardRun& a, const BoardRun& b) {
    return a.run->provenance.date < b.run->provenance.date;
  });
  for (const auto& run : gpu.measured)
    if (is_plain(*run)) out.push_back({run.get(), RunKind::Measured, {}});
  return out;
}

std::string words_of(const BoardRun& run) {
  const Provenance& from = run.run->provenance;
  if (run.kind == RunKind::Measured) return fmt::format("{}, measured just now", from.gpu);
  const std::string date = from.date.empty() ? "no date" : from.date.substr(0, 10);
  return run.kind == RunKind::Own ? fmt::format("{}, {}, your {}", from.gpu, date, run.file)
                                  : fmt::format("{}, {}", from.gpu, date);
}

}  // namespace tilewalk
