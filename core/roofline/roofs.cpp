#include "core/roofline/roofs.h"

#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

struct RoofInfo {
  std::string_view key, name, unit;
};
constexpr std::array<RoofInfo, kRoofCount> kInfo{{
    {"dram", "DRAM", "byte/s"},
    {"l2", "L2", "byte/s"},
    {"sram", "SRAM", "byte/s"},
    {"tensor", "tensor cores", "flop/s"},
    {"exponential", "exponentials", "1/s"},
    {"vector", "fp32", "1/s"},
}};
constexpr std::string_view kHopperMmaSyncWords = "a clock and multiprocessor as an H200's mma.sync, measured";
constexpr std::string_view kUnknownMmaSyncWords =
    "nobody says; a clock and multiprocessor as an H200's mma.sync, which was measured";
constexpr double kLeastRate = 1e6, kMostRate = 1e18;

}  // namespace

std::string_view name_of(Roof roof) { return kInfo[size_t(roof)].name; }
std::string_view key_of(Roof roof) { return kInfo[size_t(roof)].key; }
std::string_view unit_of(Roof roof) { return kInfo[size_t(roof)].unit; }

std::optional<Roof> roof_named(std::string_view key) {
  for (size_t k = 0; k < kInfo.size(); ++k)
    if (kInfo[k].key == key) return Roof(k);
  return std::nullopt;
}

double Roofs::ridge(Roof bandwidth, Multiply by) const {
  const auto& peak = tensor(by);
  const auto& bytes = (*this)[bandwidth];
  return peak && bytes ? peak->value / bytes->value : 0;
}

double Roofs::launch_time(size_t launches) const {
  if (!launch || launches == 0) return 0;
  return 1 / launch->value + double(launches - 1) / (next_launch ? next_launch : launch)->value;
}

Roofs roofs_of(const GpuSpec& gpu) {
  Roofs roofs;
  roofs.id = gpu.id;
  roofs.title = gpu.title;
  roofs.source = gpu.source;
  roofs.memory_bytes = gpu.dram_bytes;
  roofs.l2_bytes = gpu.l2_bytes;
  roofs.sms = gpu.sms;
  roofs.cc = gpu.cc;
  const auto rate = [&](double value, std::string_view field, std::string_view source) -> std::optional<Rate> {
    if (!(value > 0)) return std::nullopt;
    return Rate{value, std::string(source), std::ranges::find(gpu.unverified, field) == gpu.unverified.end()};
  };
  roofs[Roof::Dram] = rate(gpu.dram_rate, "dram_rate", gpu.source);
  roofs[Roof::L2] = rate(gpu.l2_rate, "l2_rate", gpu.source);
  roofs[Roof::Sram] = rate(gpu.sram_rate(), "sram_rate", "128 bytes a clock and multiprocessor");
  roofs[Roof::Tensor] = rate(gpu.tensor_rate, "tensor_rate", gpu.source);
  roofs[Roof::Exponential] = rate(gpu.exp_rate(), "exp_rate", "16 a clock and multiprocessor");
  roofs[Roof::Vector] =
      rate(gpu.fp32_rate(), "fp32_rate", fmt::format("{} a clock and multiprocessor", gpu.fp32_lanes()));
  roofs.fp8 = rate(gpu.fp8_rate, "fp8_rate", gpu.source);
  if (gpu.mma_sync_differs()) {
    roofs.mma_sync = rate(gpu.mma_sync_rate(), "mma_sync_rate",
                          gpu.mma_rate > 0       ? gpu.source
                          : gpu.mma_sync_known() ? kHopperMmaSyncWords
                                                 : kUnknownMmaSyncWords);
    if (!gpu.mma_sync_known()) roofs.mma_sync->verified = false;
  }
  return roofs;
}

Roofs roofs_of(const Ceilings& measured, Origin origin, Clocks clocks) {
  const Provenance& gpu = measured.provenance;
  Roofs roofs;
  roofs.id = "measured";
  roofs.title = fmt::format("{}, {}", gpu.gpu, clocks == Clocks::Rested ? "measured" : "measured without rests");
  roofs.source = fmt::format("tilewalk-gpu ceilings, {}", gpu.date.substr(0, 10));
  roofs.origin = origin;
  roofs.memory_bytes = double(gpu.memory_bytes);
  roofs.l2_bytes = double(gpu.l2_bytes);
  roofs.sms = gpu.multiprocessors;
  roofs.cc = 10 * gpu.major + gpu.minor;
  const auto rate_at = [&](CeilingId id, Clocks at, double each = 1) -> std::optional<Rate> {
    const Ceiling* ceiling = measured.find(id);
    const auto& found = at == Clocks::Rested || !ceiling || !ceiling->sustained
                            ? (ceiling ? ceiling->rested : std::nullopt)
                            : ceiling->sustained;
    if (!found || !(found->median > 0)) return std::nullopt;
    return Rate{found->median * each, fmt::format("{}, {}", info_of(id).name, roofs.source), true, found->clock * 1e6};
  };
  const auto rate = [&](CeilingId id, double each = 1) { return rate_at(id, clocks, each); };
  roofs.mma_sync = rate(CeilingId::MmaSync);
  const auto wgmma = rate(CeilingId::Wgmma);
  roofs[Roof::Tensor] = wgmma ? wgmma : roofs.mma_sync;
  roofs[Roof::Dram] = rate(CeilingId::DramCopy);
  roofs.dram_read = rate(CeilingId::DramRead);
  roofs[Roof::L2] = rate(CeilingId::L2Read);
  roofs[Roof::Sram] = rate(CeilingId::SharedRead);
  roofs[Roof::Exponential] = rate(CeilingId::Exponential);
  roofs[Roof::Vector] = rate(CeilingId::Fp32, 0.5);
  roofs.launch = rate(CeilingId::Launch);
  roofs.next_launch = rate_at(CeilingId::Launch, Clocks::Sustained);
  return roofs;
}

std::string fault_of_rate(Roof roof, double value) {
  if (value >= kLeastRate && value <= kMostRate) return {};  // what is no number is neither
  return fmt::format("{} a second is no rate of {}; it must lie between 10^6 and 10^18.",
                     std::isfinite(value) ? fmt::format("{:g}", value) : "That", name_of(roof));
}

}  // namespace tilewalk
