#include "core/model/program_meters.h"

#include "core/model/dram.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace tilewalk {
namespace {

class PassOf : public StepSink {
 public:
  void take(const Step& step) override { pass = step.pass; }
  int64_t fold(int64_t alike) override { return alike; }
  int pass = -1;
};

// Sections of equal shape are of one pass.
int64_t blocks_at_once(const Schedule& schedule, const Plan& plan) {
  if (!schedule.section_is_block) return 1;
  std::map<uint64_t, int> pass_of_shape;
  std::vector<int64_t> blocks(schedule.passes.size());
  for (int64_t section = 0; section < schedule.sections(plan); ++section) {
    const auto [known, fresh] = pass_of_shape.try_emplace(schedule.shape(plan, section), -1);
    if (fresh) {
      PassOf sink;
      schedule.emit(plan, section, sink);
      known->second = sink.pass;
    }
    if (known->second >= 0) ++blocks[size_t(known->second)];
  }
  // The pass that has the most products, or fewer blocks than another one with as many.
  const std::vector<Meters> passes = count(schedule, plan).passes;
  size_t most = 0;
  for (size_t pass = 1; pass < passes.size(); ++pass)
    if (std::pair(passes[pass].matrix_flop, -blocks[pass]) > std::pair(passes[most].matrix_flop, -blocks[most]))
      most = pass;
  return blocks.empty() ? 0 : blocks[most];
}

using M = ProgramMeters;
constexpr auto kMeasures = std::to_array<Measure>({
    {"fill-bytes", "L2→SM", "Bytes that come into the multiprocessors, counted", &M::fill_bytes, true},
    {"drain-bytes", "SM→L2", "Bytes that leave the multiprocessors, counted", &M::drain_bytes, true},
    {"dram-bytes", "DRAM, model",
     "Bytes that L2 does not keep from DRAM, with those that wait in it at the end: the model of L2", &M::dram_bytes,
     true},
    {"sram-bytes", "SRAM", "What a thread block's tiles take at their fullest", &M::sram_bytes, true},
    {"register-bytes", "Registers", "What a thread block's accumulators take at their fullest", &M::register_bytes,
     true},
    {"exponentials", "Exponentials", "e to the power of something, counted", &M::exponentials},
    {"matrix-flop", "Products", "FLOP of matrix products, counted", &M::matrix_flop},
    {"blocks", "Blocks at once", "Thread blocks that wait for no other, in the pass that has most products", &M::blocks,
     false, true},
    {"passes", "Passes", "Kernels launched one after the other", &M::passes},
});

}  // namespace

ProgramMeters meters_of(const Schedule& schedule, const Plan& plan, const MachineSpec& spec) {
  const Meters total = count(schedule, plan).total;
  const Footprint held = footprint(schedule, plan, spec);
  Plan one_head = plan;
  one_head.problem.batch = one_head.problem.heads = 1;
  const DramEstimate dram = estimate_dram(schedule, one_head, spec);
  return {.fill_bytes = total.fill_bytes(),
          .drain_bytes = total.drain_bytes(),
          .dram_bytes = dram.read_bytes + dram.written_bytes + dram.left_dirty_bytes,
          .sram_bytes = held.sram_bytes,
          .register_bytes = held.register_bytes,
          .exponentials = total.exponentials,
          .matrix_flop = total.matrix_flop,
          .blocks = blocks_at_once(schedule, plan),
          .passes = int64_t(schedule.passes.size())};
}

std::span<const Measure> measures() { return kMeasures; }

const Measure* measure_named(std::string_view key) {
  const auto found = std::ranges::find(kMeasures, key, &Measure::key);
  return found == kMeasures.end() ? nullptr : &*found;
}

}  // namespace tilewalk
