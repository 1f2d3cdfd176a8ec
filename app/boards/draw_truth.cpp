// What the model says to a drawing, and what was recorded or measured of the same shape on the same GPU.
#include "app/boards/board_runs.h"
#include "app/boards/draw.h"
#include "app/boards/roofs_knob.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

bool same_shape(const Problem& a, const Problem& b) {
  return a.batch == b.batch && a.heads == b.heads && a.n_q == b.n_q && a.n_k == b.n_k && a.d == b.d &&
         a.mask == b.mask && a.format == b.format;
}

const KernelResult* timed(const RunResult& run, const DrawnPoint& of) {
  for (const KernelResult& kernel : run.kernels)
    if (method_of(kernel) == of.method && schedule_of(kernel.kernel).direction == of.direction &&
        kernel.label.empty() && kernel.timing)
      return &kernel;
  return nullptr;
}

// The last of the runs that has it: this session's before a person's own before the shipped ones.
void measure(TruePoint& truth, const DrawSheet& sheet, const std::vector<BoardRun>& runs) {
  const DrawnPoint& of = truth.point;
  const Problem wanted = benchmark_problem(sheet.n, sheet.d(), of.mask);
  const KernelResult* kernel = nullptr;
  const BoardRun* from = nullptr;
  for (const BoardRun& each : runs) {
    if (!same_shape(each.run->spec.problem, wanted) || !same_gpu(sheet.roofs, each.run->provenance)) continue;
    if (const KernelResult* found = timed(*each.run, of)) kernel = found, from = &each;
  }
  if (!kernel) return;
  DrawSheet with_l2 = sheet;
  with_l2.l2 = true;
  const double behind_l2 = sheet.l2 ? of.intensity : true_point(with_l2, sheet.roofs, of).point.intensity;
  const double heads = double(wanted.batch * wanted.heads), scale = 1e-3 / heads;
  const Timing& t = *kernel->timing;
  truth.measured = MeasuredTime{t.median * scale,
                                t.p10 * scale,
                                t.p90 * scale,
                                behind_l2,
                                from->kind,
                                fmt::format("{}, {} heads", words_of(*from), wanted.batch * wanted.heads),
                                t};
}

}  // namespace

TruePoint true_point(const DrawSheet& sheet, const Roofs& roofs, const DrawnPoint& of) {
  const Problem problem = benchmark_problem(sheet.n, sheet.d(), of.mask);
  const double heads = double(problem.batch * problem.heads);
  const Work work = work_of(of.method, problem, of.direction);
  TruePoint out;
  out.point = of;
  out.estimate = estimate(work, roofs, sheet.l2 ? Levels::WithL2 : Levels::TwoLevel);
  out.point.flop = work.nominal_flop / heads;
  set_bytes(out.point, out.estimate.dram_bytes / heads);
  out.seconds = out.estimate.time / heads;
  return out;
}

Truth truth_of(const DrawSheet& sheet) {
  Truth truth;
  truth.roofs = sheet.roofs;
  DrawnPoint standard, fused;
  fused.method = best_fused(truth.roofs);
  truth.standard = true_point(sheet, truth.roofs, standard);
  truth.fused = true_point(sheet, truth.roofs, fused);
  for (const DrawnPoint& point : sheet.drawing.points) truth.points.push_back(true_point(sheet, truth.roofs, point));
  return truth;
}

void add_measured(Truth& truth, const DrawSheet& sheet, const GpuView& gpu) {
  const std::vector<BoardRun> runs = board_runs(gpu);
  measure(truth.standard, sheet, runs);
  measure(truth.fused, sheet, runs);
  for (TruePoint& point : truth.points) measure(point, sheet, runs);
}

RooflineScore score_of(const DrawSheet& sheet, const Truth& truth, const Predicted& predicted) {
  const auto roof = [&](Roof kind) -> std::optional<Drawn> {
    const DrawnRoof* drawn = sheet.drawing.find(kind);
    const auto& rate = truth.roofs[kind];
    return drawn && rate ? std::optional(Drawn{drawn->rate, rate->value}) : std::nullopt;
  };
  const DrawnPoint* fused = drawn_fused(sheet.drawing);
  return score_roofline(
      roof(Roof::Dram), roof(Roof::Tensor),
      fused ? std::optional(Drawn{fused->intensity, truth.fused.point.intensity}) : std::nullopt,
      predicted.seconds > 0 ? std::optional(Drawn{predicted.seconds, truth.fused.best_seconds()}) : std::nullopt);
}

}  // namespace tilewalk
