#include "app/gpu/ladder.h"

#include <algorithm>
#include <ranges>

namespace tilewalk {
namespace {

const KernelResult* result_of(const RunResult& run, Method kernel, Switch with) {
  const auto found = std::ranges::find_if(run.kernels, [&](const KernelResult& k) {
    return k.kernel == kernel && k.with == with && k.label.empty() && k.refused.empty() && k.disbelieved.empty();
  });
  return found == run.kernels.end() ? nullptr : &*found;
}

// Whether the run holds the kernel with the switch; then the row is of it.
bool take(SwitchRow& row, const std::shared_ptr<const RunResult>& run, const RunSpec& wanted, bool recorded) {
  if (!run || serves(*run, wanted) == Serves::No) return false;
  const KernelResult* with = result_of(*run, row.info->kernel, row.info->id);
  const KernelResult* plain = result_of(*run, row.info->kernel, Switch::None);
  if (!with || !plain) return false;
  row.run = run;
  row.plain = plain;
  row.with = with;
  row.recorded = recorded;
  return true;
}

}  // namespace

std::vector<SwitchRow> switch_rows(Method kernel, const RunSpec& ladder,
                                   const std::vector<std::shared_ptr<const RunResult>>& measured,
                                   const Recordings* recordings, bool recorded, RecordedGpu on) {
  const Problem& p = ladder.problem;
  std::vector<SwitchRow> rows;
  for (const SwitchInfo& info : switches()) {
    if (info.kernel != kernel || switch_of(kernel, info.id, p.d, p.mask == Mask::Causal) != &info) continue;
    RunSpec wanted = ladder;
    wanted.switches = {info.id};
    SwitchRow row{&info, nullptr, nullptr, nullptr, false, std::nullopt};
    bool found = false;
    if (!recorded)
      for (const auto& run : measured | std::views::reverse)
        if (found = take(row, run, wanted, false); found) break;
    for (const bool meant : {true, false})
      if (!found && recordings)
        for (const Recording& recording : recordings->all)
          if (is_of(recording, on) == meant && (found = take(row, recording.result, wanted, true))) break;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tilewalk
