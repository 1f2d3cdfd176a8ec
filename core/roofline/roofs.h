// The roofs of one GPU: how much of each thing it can do in a second. From a datasheet, or from ceilings that were
// measured without any attention kernel. What is not known is absent, never zero.
//
// Source: Williams, Waterman, Patterson, "Roofline", 2009: attainable FLOP/s = min(peak, intensity * bandwidth).
#pragma once

#include "core/machine/gpus.h"
#include "core/method/table.h"
#include "core/quantity/quantity.h"
#include "core/run/ceilings.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

enum class Roof : uint8_t {
  Dram,         // byte/s, read and written together
  L2,           // byte/s, between L2 and the multiprocessors
  Sram,         // byte/s, shared memory to registers and tensor cores
  Tensor,       // FLOP/s of matrix products with fp32 sums
  Exponential,  // exponentials/s
  Vector,       // fp32 operations/s; a multiply-add is one
};
constexpr int kRoofCount = 6;
constexpr bool is_bandwidth(Roof roof) { return roof <= Roof::Sram; }
constexpr bool is_arithmetic(Roof roof) {
  return roof == Roof::Tensor || roof == Roof::Exponential || roof == Roof::Vector;
}
std::string_view name_of(Roof roof);  // "DRAM", "L2", "SRAM", "tensor cores", "exponentials", "fp32"
std::string_view key_of(Roof roof);   // "dram", ..., "vector": command line and JSON
std::string_view unit_of(Roof roof);  // "byte/s", "flop/s", "1/s"
std::optional<Roof> roof_named(std::string_view key);

struct Rate {
  double value = 0;  // a second; > 0
  std::string source;
  bool verified = true;  // false: no source we could read confirms it; shown with a mark
  double clock = 0;      // Hz of the multiprocessors when it was measured; 0: not known, or of a datasheet
};

struct Roofs {
  std::string id, title;  // "h100", "H100 SXM"
  std::string source;
  Origin origin = Origin::Published;                  // Recorded or Measured: ceilings that were measured
  std::array<std::optional<Rate>, kRoofCount> rates;  // by Roof; the tensor cores' is the best instruction's
  // The tensor cores' by mma.sync where it is another: measured, or assumed and not verified (GpuSpec::mma_sync_rate).
  std::optional<Rate> mma_sync;
  std::optional<Rate> fp8;        // FLOP/s
  std::optional<Rate> dram_read;  // byte/s of reading alone, where that was measured; rates has the copy's
  // Launches/s of a kernel that does nothing: between two events as attention is timed, and one behind the other. Of a
  // GPU's own ceilings alone; absent: not measured, and launches take no time in the model.
  std::optional<Rate> launch, next_launch;
  double memory_bytes = 0;  // of DRAM; 0: not known
  double l2_bytes = 0;      // 0: not known
  int sms = 0;              // 0: not known
  int cc = 0;               // compute capability times ten; 0 is not NVIDIA's

  const std::optional<Rate>& operator[](Roof roof) const { return rates[size_t(roof)]; }
  std::optional<Rate>& operator[](Roof roof) { return rates[size_t(roof)]; }
  // What products by that instruction reach.
  const std::optional<Rate>& tensor(Multiply by) const {
    return by == Multiply::MmaSync && mma_sync ? mma_sync : rates[size_t(Roof::Tensor)];
  }
  // s that so many launches, one behind the other, take beside their work.
  double launch_time(size_t launches) const;
  // FLOP/byte where the roof over the tensor cores meets a bandwidth; 0 where one of the two is not known.
  double ridge(Roof bandwidth = Roof::Dram, Multiply by = Multiply::Wgmma) const;
};

Roofs roofs_of(const GpuSpec& gpu);

// Measured: DRAM's is the copy's, a multiply-add of fp32 is one operation here. `origin` is Recorded or Measured.
// Rested is what runs in short bursts reach (Timing::median), Sustained what the power limit leaves of it after half a
// second (Timing::back_to_back, where every launch is behind another).
enum class Clocks : uint8_t { Rested, Sustained };
Roofs roofs_of(const Ceilings& measured, Origin origin = Origin::Recorded, Clocks clocks = Clocks::Rested);

// A rate that a person typed or dragged: empty, or one sentence that says why it cannot be. Rates are between 1e6 and
// 1e18 a second.
std::string fault_of_rate(Roof roof, double value);

}  // namespace tilewalk
