#include "app/gpu/recorded_board.h"

#include "app/gpu/board.h"

#include <mutex>

namespace tilewalk {

RunPlan plan_of(const OnStage& stage, const GpuChoice& choice) {
  switch (choice.shape) {
    case GpuShape::Benchmark:
      return choice.group > 1 ? grouped_run(stage.problem, choice.benchmark_n, choice.group)
                              : benchmark_run(stage.problem, choice.benchmark_n);
    case GpuShape::Fp8: return fp8_run(stage.problem, choice.benchmark_n);
    case GpuShape::Decode: return decode_run(choice.decode_n, choice.group);
    case GpuShape::Backward: return benchmark_run(stage.problem, choice.benchmark_n, Direction::Backward);
    case GpuShape::Ladder: return ladder_run(choice.ladder_d, choice.ladder_mask);
    case GpuShape::Stage: break;
  }
  return stage_run(stage.problem, stage.inputs, stage.hash);
}

std::shared_ptr<const GpuBoard> recorded_board(const OnStage& stage, const GpuView& view) {
  static std::mutex mutex;
  static DeskWork work;  // what was counted once stays
  const std::lock_guard lock(mutex);
  static const auto shipped = std::make_shared<const Recordings>(shipped_as_recordings());
  work.recordings = view.recordings ? view.recordings : shipped;
  GpuView asked;
  static_cast<GpuChoice&>(asked) = view;
  asked.recorded = true;
  const RunPlan plan = plan_of(stage, asked);
  std::shared_ptr<const GpuBoard> board = make_board(plan, asked, work);
  if (!board->fault.empty()) return board;
  const bool drawn_beside = asked.chart == GpuChart::Statistics || asked.chart == GpuChart::Difference;
  count_now(*board, plan.inputs, drawn_beside ? std::optional(asked.kernel) : std::nullopt, work);
  board = make_board(plan, asked, work);
  work.recordings = nullptr;
  return board;
}

}  // namespace tilewalk
