// What GPUs can do, by the catalogue, and what the walk's machines hold.
#include "core/lesson/functions/arguments.h"

#include "core/io/printable.h"
#include "core/machine/gpus.h"
#include "core/machine/machine_spec.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

Evaluated gpu(std::span<const Argument> all) {
  const Arguments a(all);
  const GpuSpec* gpu = gpu_named(a.word(0));
  if (!gpu) {
    std::string known;
    for (const GpuSpec& each : gpus()) known += fmt::format("{}{}", known.empty() ? "" : ", ", each.id);
    return failed(fmt::format("{} is no GPU of the catalogue; there are {}.", in_quotes(a.word(0), 40), known));
  }
  struct Field {
    std::string_view name, unit;
    double value;
  };
  const Field fields[] = {
      {"tensor_rate", "flop/s", gpu->tensor_rate},
      {"fp8_rate", "flop/s", gpu->fp8_rate},
      {"dram_rate", "byte/s", gpu->dram_rate},
      {"dram_bytes", "byte", gpu->dram_bytes},
      {"l2_bytes", "byte", gpu->l2_bytes},
      {"sms", "", double(gpu->sms)},
      {"smem_per_sm", "byte", gpu->smem_per_sm},
      {"smem_per_block", "byte", gpu->smem_per_block},
      {"clock", "1/s", gpu->clock},
      {"cc", "", gpu->cc / 10.0},
      {"sram_rate", "byte/s", gpu->sram_rate()},
      {"exp_rate", "1/s", gpu->exp_rate()},
      {"ridge", "flop/byte", gpu->ridge()},
      {"l2_rate", "byte/s", gpu->l2_rate},
      {"fp32_rate", "1/s", gpu->fp32_rate()},
      {"mma_sync_rate", "flop/s", gpu->mma_sync_rate()},
  };
  for (const Field& field : fields) {
    if (field.name != a.word(1)) continue;
    const bool unverified = std::ranges::find(gpu->unverified, field.name) != gpu->unverified.end() ||
                            (field.name == "mma_sync_rate" && !gpu->mma_sync_known());
    if (field.value == 0 && field.name == "fp8_rate") return failed(fmt::format("{} has no fp8.", gpu->title));
    if (field.value == 0 && field.name != "cc")
      return failed(fmt::format("nothing is known of {}'s {}.", gpu->title, field.name));
    const std::string_view source = field.name == "dram_bytes" ? kMemorySource : std::string_view(gpu->source);
    return {Quantity{field.value, std::string(field.unit), Origin::Published,
                     fmt::format("{}: {}{}", gpu->title, source, unverified ? " (no source confirms it)" : "")},
            {}};
  }
  std::string known;
  for (const Field& field : fields) known += fmt::format("{}{}", known.empty() ? "" : ", ", field.name);
  return failed(fmt::format("{} is no field of a GPU; there are {}.", in_quotes(a.word(1), 40), known));
}

Evaluated machine(std::span<const Argument> all) {
  const Arguments a(all);
  const MachineSpec* machine = machine_named(a.word(0));
  if (!machine) return failed(fmt::format("{} is no machine of the walk.", in_quotes(a.word(0), 40)));
  const std::pair<std::string_view, int64_t> fields[] = {{"sram_bytes", machine->sram_bytes},
                                                         {"register_bytes", machine->register_bytes},
                                                         {"l2_bytes", machine->l2_bytes}};
  for (const auto& [name, bytes] : fields)
    if (name == a.word(1))
      return {
          Quantity{double(bytes), "byte", Origin::Published, fmt::format("{}: {}", machine->title, machine->source)},
          {}};
  return failed(
      fmt::format("{} is no field of a machine: sram_bytes, register_bytes or l2_bytes.", in_quotes(a.word(1), 40)));
}

constexpr QuantityFunction kMachineFunctions[] = {
    {"gpu", "GPU, FIELD",
     "A GPU's figure, by its datasheet or driver: tensor_rate, fp8_rate, dram_rate, dram_bytes, l2_bytes, sms, "
     "smem_per_sm, smem_per_block, "
     "clock, cc, sram_rate, exp_rate, l2_rate, fp32_rate, mma_sync_rate, ridge.",
     gpu},
    {"machine", "MACHINE, FIELD",
     "What a thread block has on a machine of the walk: sram_bytes, register_bytes, l2_bytes.", machine},
};

}  // namespace

std::span<const QuantityFunction> machine_functions() { return kMachineFunctions; }

}  // namespace tilewalk
