#include "app/cli/prediction.h"

#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tilewalk {
namespace {

int64_t least_bytes(const Schedule& schedule, const Problem& p) {
  // Q, O and K, V; backward Q, O, dO, dQ and K, V, dK, dV.
  const int64_t tensors = (schedule.backward() ? 4 : 2) * (p.n_q + p.n_k) * p.d * bytes_of(p.format);
  return tensors + (schedule.section_is_block && !schedule.scores_in_memory ? p.n_q * kStatisticBytes : 0);
}

bool fits_in_whole_numbers(const Prediction& made) {
  const Meters& m = made.one.total;
  const int64_t largest = std::max({m.fill_bytes() + m.drain_bytes(), m.paper_bytes(), m.operand_bytes, m.matrix_flop,
                                    m.vector_flop, m.exponentials, m.steps, made.nominal_flop, made.least_bytes});
  return largest <= std::numeric_limits<int64_t>::max() / made.heads;
}

DramEstimate dram_of(const Schedule& schedule, const Asked& asked, int64_t batch, int64_t heads) {
  Problem p = asked.problem;
  p.batch = batch;
  p.heads = heads;
  return estimate_dram(schedule, make_plan(schedule, p, asked.variant), *asked.machine);
}

}  // namespace

double intensity(int64_t flop, int64_t bytes) { return bytes ? double(flop) / double(bytes) : 0; }

std::vector<Prediction> predict(const Asked& asked) {
  const Problem& p = asked.problem;
  const MachineSpec& machine = *asked.machine;
  std::vector<Prediction> out;
  std::vector<std::string> faults;
  for (const Schedule* schedule : asked.schedules) {
    const Plan plan = make_plan(*schedule, p, asked.variant);
    Prediction made;
    made.schedule = schedule;
    made.held = footprint(*schedule, plan, machine);
    // The softmax between two matrix products keeps whole rows of S. A kernel whose registers do not hold them reads S
    // a second time; the papers count it once, and so do we.
    const bool rows_overflow = schedule->scores_in_memory && made.held.sram_bytes <= machine.sram_bytes;
    if (const std::vector<Fault> unfit = fit_faults(*schedule, plan, machine); !unfit.empty() && rows_overflow) {
      made.remark = fmt::format(
          "{}'s softmax holds {} of whole rows, more than the {} of registers on {}: a kernel "
          "would read them twice. It is counted once, as in the papers.",
          schedule->name, bytes_words(made.held.register_bytes), bytes_words(machine.register_bytes), machine.title);
    } else {
      for (const Fault& fault : unfit)
        faults.push_back(asked.schedules.size() > 1 ? fmt::format("{}: {}", schedule->name, fault.message)
                                                    : fault.message);
    }
    if (!faults.empty()) continue;

    made.one = count(*schedule, plan);
    made.heads = p.batch * p.heads;
    // The papers count two products forward and five backward, for every method.
    made.nominal_flop = (schedule->backward() ? 10 : 4) * p.n_q * p.n_k * p.d / (p.mask == Mask::Causal ? 2 : 1);
    made.least_bytes = least_bytes(*schedule, p);
    if (!fits_in_whole_numbers(made)) {
      faults.push_back(
          fmt::format("B * H = {} heads of this size move more than whole numbers of 64 bits can count; take "
                      "fewer heads or a smaller N.",
                      with_commas(made.heads)));
      break;
    }
    made.all = made.one.total.times(made.heads);
    made.one_dram = dram_of(*schedule, asked, 1, 1);
    made.all_dram = made.heads == 1 ? made.one_dram : dram_of(*schedule, asked, p.batch, p.heads);
    out.push_back(std::move(made));
  }
  if (!faults.empty()) throw CommandError(kUsage, faults);
  return out;
}

}  // namespace tilewalk
