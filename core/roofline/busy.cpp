#include "core/roofline/busy.h"

#include "core/machine/gpus.h"
#include "core/roofline/catalogue.h"
#include "core/run/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tilewalk {
namespace {

constexpr double kSchedulers = 4;  // of a multiprocessor, an instruction a clock each
constexpr double kNearLimit = 0.6;

// A GPU of the catalogue with that compute capability and as many multiprocessors, or null.
const GpuSpec* spec_of(const Provenance& gpu) {
  for (const GpuSpec& each : gpus())
    if (each.cc == 10 * gpu.major + gpu.minor && each.sms == gpu.multiprocessors &&
        gpu.gpu.find(each.title.substr(0, each.title.find(' '))) != std::string::npos)
      return &each;
  return nullptr;
}

Multiply multiply_of(Method kernel) {
  return kernel == Method::Fa3 || kernel == Method::Fa3Backward ? Multiply::Wgmma : Multiply::MmaSync;
}

}  // namespace

std::vector<Busy> busy_units(const KernelResult& kernel, const Problem& problem, const Provenance& gpu) {
  if (!kernel.timing || !kernel.counters || gpu.multiprocessors <= 0 || !(clock_of(*kernel.timing) > 0)) return {};
  const Counters& c = *kernel.counters;
  const double seconds = kernel.timing->median * 1e-3;
  const double clocks = seconds * clock_of(*kernel.timing) * 1e6 * gpu.multiprocessors;  // of all multiprocessors
  std::vector<Busy> units;
  const auto add = [&](const char* what, const std::optional<double>& amount, double most) {
    if (amount && most > 0) units.push_back({what, *amount / most});
  };
  add("issue slots", c.instructions, kSchedulers * clocks);
  add("shared memory", c.shared_wavefronts, clocks);
  if (const GpuSpec* spec = spec_of(gpu)) {
    // A warp's exponential is 32 of them.
    add("exponentials", c.exponentials ? std::optional(32 * *c.exponentials) : std::nullopt,
        double(spec->exponentials) * clocks);
    // Split-KV multiplies next to nothing, and how much depends on the group.
    if (c.tensor_instructions && *c.tensor_instructions > 0 && kernel.kernel != Method::SplitKv) {
      const double rate = kernel.kernel == Method::Fa3Fp8                 ? spec->fp8_rate
                          : multiply_of(kernel.kernel) == Multiply::Wgmma ? spec->tensor_rate
                                                                          : spec->mma_sync_rate();
      const RunPrediction work = predict_run(problem, kernel.kernel, gpu, false);
      add("tensor cores", double(work.matrix_flop), rate / (spec->sms * spec->clock) * clocks);
    }
    if (c.dram_read && c.dram_written) add("DRAM", *c.dram_read + *c.dram_written, spec->dram_rate * seconds);
  }
  const std::optional<Ceilings>& shipped = shipped_ceilings();
  if (shipped && shipped->provenance.gpu == gpu.gpu && c.l2_to_sm && c.sm_to_l2) {
    const Roofs roofs = roofs_of(*shipped);
    if (roofs[Roof::L2]) add("L2", *c.l2_to_sm + *c.sm_to_l2, roofs[Roof::L2]->value * seconds);
  }
  std::ranges::stable_sort(units, std::greater{}, &Busy::share);
  return units;
}

std::string limit_words(const std::vector<Busy>& units) {
  if (units.empty()) return {};
  const Busy& first = units.front();
  if (first.share < kNearLimit)
    return fmt::format("no unit is near its limit ({} lead with {:.0f} %): it waits for what is on its way", first.what,
                       100 * first.share);
  return fmt::format("it waits for {}, {:.0f} % of what there is", first.what, 100 * first.share);
}

}  // namespace tilewalk
