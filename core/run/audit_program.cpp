// What a worker says of a program that it ran, against what it was asked and what the chip can do.
#include "core/run/chip_limits.h"
#include "core/run/nominal.h"
#include "core/run/program_run.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {

std::string program_fault(const ProgramRun& said, const ProgramSpec& asked, const Provenance& hello, double seconds) {
  const Provenance& gpu = said.provenance;
  if (gpu.gpu != hello.gpu || gpu.major != hello.major || gpu.multiprocessors != hello.multiprocessors)
    return fmt::format("The worker said hello from {} and ran the program on {}.", hello.gpu, gpu.gpu);
  if (said.spec.text.words != asked.text.words || said.spec.problem != asked.problem)
    return "The worker ran another program, or another problem, than it was asked for.";
  if (!said.refused.empty()) return {};
  if (said.tensors.empty()) return "The worker said nothing of the program's answer.";
  if (said.right() != said.timing.has_value())
    return said.right() ? "The worker gave no time of a right answer." : "The worker timed a wrong answer.";
  if (!said.timing) return {};
  const Timing& t = *said.timing;
  const bool ordered = t.best > 0 && t.best <= t.median && t.p10 <= t.median && t.median <= t.p90 && t.count > 0;
  if (!ordered || t.best < kLeastLaunch || t.p90 > kMostLaunch)
    return "The worker's times of the program are not in order.";
  if (t.median * t.count / 1e3 > seconds + 1)
    return fmt::format(
        "The worker's {} launches of {:.3g} ms are longer than the {:.3g} s between question and answer.", t.count,
        t.median, seconds);
  const ChipLimits chip = chip_limits(gpu, t.clock);
  if (nominal_flop(asked.problem) / (t.median / 1e3) > chip.flop)
    return "The worker's time of the program is shorter than its products can take.";
  if (said.counters)
    for (const auto& [bytes, most] :
         {std::pair(said.counters->l2_to_sm, chip.l2), std::pair(said.counters->dram_read, chip.dram),
          std::pair(said.counters->dram_written, chip.dram)})
      if (bytes && !(*bytes >= 0 && *bytes / (t.p90 / 1e3) <= 2 * most))
        return "The worker counted more bytes than the chip can move in that time.";
  return {};
}

}  // namespace tilewalk
