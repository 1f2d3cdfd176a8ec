#include "core/schedules/ladder.h"

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array kLadder{KernelId::Naive, KernelId::Tiled, KernelId::Fa1, KernelId::Fa2, KernelId::Fa3};

}  // namespace

std::span<const KernelId> ladder() { return kLadder; }

std::string_view idea_of(KernelId rung) {
  switch (rung) {
    case KernelId::Naive: return "S and P never in memory: a thread a row, m and l kept as keys pass";
    case KernelId::Tiled: return "K and V in tiles, loaded once for 128 rows; softmax a tile at a time";
    case KernelId::Fa1: return "tensor cores; copies under arithmetic; K/V tiles outside, O waits in memory";
    case KernelId::Fa2: return "Q tiles outside: O, m, l never leave the registers, O divided once";
    case KernelId::Fa3: return "TMA, wgmma, warps with roles: softmax under products, ping-pong";
    default: return "";
  }
}

std::vector<KernelId> with_neighbours(KernelId kernel) {
  const auto at = std::ranges::find(kLadder, kernel);
  if (kernel == KernelId::Fa3Fp8) return {KernelId::Fa3, kernel};
  if (at == kLadder.end()) return {kernel};
  return {at == kLadder.begin() ? at : at - 1, std::min(at + 2, kLadder.end())};
}

}  // namespace tilewalk
