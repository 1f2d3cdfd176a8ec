#include "core/timing/rates.h"

#include "core/machine/gpus.h"

#include <array>

namespace tilewalk {
namespace {

struct Speeds {
  std::string_view machine;
  int64_t tensor_flop16;  // dense, fp16 and bf16
  bool e4m3;              // at twice that rate
  int64_t lanes;          // fp32
  int64_t copy_bytes;
  std::string_view source;
};

// The catalogue's rates (core/machine/gpus.h) as whole numbers a clock; a test holds them against it. Bytes: 5120 of
// A100's L2 over 108 multiprocessors; 12 TB/s of H100's over 132 at 1.83 GHz.
constexpr std::string_view kHopper = "arXiv:2407.08608 section 3.1 and table 1";
constexpr std::array<Speeds, 4> kRows{{
    {"paper", 2048, false, 64, 47, "NVIDIA A100 whitepaper"},
    {"a100", 2048, false, 64, 47, "NVIDIA A100 whitepaper"},
    {"h100", 4096, true, 128, 49, kHopper},
    {"h200", 4096, true, 128, 49, kHopper},
}};

const Speeds* row_of(const MachineSpec& machine) {
  for (const Speeds& row : kRows)
    if (row.machine == machine.id) return &row;
  return nullptr;
}

}  // namespace

std::optional<Rates> rates_of(const MachineSpec& machine, Format format) {
  const Speeds* row = row_of(machine);
  if (!row || bytes_of(format) > 2 || (format == Format::E4M3 && !row->e4m3)) return std::nullopt;
  return Rates{row->tensor_flop16 * (format == Format::E4M3 ? 2 : 1), GpuSpec().exponentials, 0, row->copy_bytes,
               row->source};
}

std::optional<Rates> with_vector_unit(const MachineSpec& machine, Format format) {
  std::optional<Rates> rates = rates_of(machine, format);
  if (rates) rates->vector = row_of(machine)->lanes;
  return rates;
}

}  // namespace tilewalk
