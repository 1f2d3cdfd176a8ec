#include "core/roofline/estimate.h"

#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tilewalk {
namespace {

template <class Times>
Roof longest_of(const Times& under) {
  return Roof(std::ranges::max_element(under) - under.begin());
}

// Seconds of a pass as its blocks and warps overlap, and the part of it that nothing runs under.
void overlap(const PassWork& work, PassTime& pass) {
  using enum Roof;
  const auto t = [&](Roof roof) { return pass.under[size_t(roof)]; };
  const double l2 = t(L2) * pass.spread, busiest = pass.spread * pass.padding;
  const double products = std::max(t(Tensor), t(Sram)) * busiest, softmax = (t(Exponential) + t(Vector)) * busiest;
  switch (work.blend) {
    case Blend::Free: pass.time = pass.overlapped; break;
    case Blend::Waits: pass.time = std::max(t(Dram), l2) + products + softmax; break;
    case Blend::InWarp: pass.time = std::max({t(Dram), l2, products + softmax}); break;
    case Blend::Roles:
    case Blend::TwoGroups: {
      const bool roles = work.blend == Blend::Roles;
      const double beside = roles ? std::max(t(Exponential), t(Vector)) * busiest : softmax;
      const double visits = std::max(1.0, work.blocks.visits / double(std::max<int64_t>(1, work.blocks.count)));
      pass.alone = std::min(products, beside) / visits + l2 * work.edge_bytes / std::max(1.0, work.l2_bytes);
      pass.time = std::max({t(Dram), l2, std::max(products, beside) + pass.alone});
      break;
    }
  }
}

}  // namespace

std::string idle_words(const Estimate& estimate, int sms) {
  if (estimate.blocks == 1) return fmt::format("its one block leaves {} multiprocessors idle", sms - 1);
  return fmt::format("its {} blocks are too few for {} multiprocessors", with_commas(estimate.blocks), sms);
}

Estimate estimate(const Work& work, const Roofs& roofs, Levels levels, bool even_launch) {
  Estimate out;
  out.method = work.method;
  out.levels = levels;
  out.memory_bytes = work.memory_bytes;
  out.fits = roofs.memory_bytes <= 0 || work.memory_bytes <= roofs.memory_bytes;
  out.why_not = why_not(work.method, roofs, work.problem, work.direction);
  const Multiply by = info_of(work.method).estimate.multiply;
  std::array<double, kRoofCount> share{};
  out.launch = out.serial = out.overlapped = out.time = roofs.launch_time(work.passes.size());
  double longest = 0, even = out.launch;
  for (const PassWork& pass : work.passes) {
    PassTime& to = out.passes.emplace_back();
    to.name = pass.name;
    const double dram =
        levels == Levels::TwoLevel ? pass.two_level_bytes : pass.dram_behind(roofs.l2_bytes, roofs.sms, work.heads());
    out.dram_bytes += dram;
    for (int k = 0; k < kRoofCount; ++k) {
      const Roof roof = Roof(k);
      const double amount = roof == Roof::Dram ? dram : pass.amount(roof);
      const auto& rate = roof == Roof::Tensor ? roofs.tensor(by) : roofs[roof];
      if (rate)
        to.under[size_t(k)] = amount / rate->value;
      else if (amount > 0 && std::ranges::find(out.unknown, roof) == out.unknown.end())
        out.unknown.push_back(roof);
    }
    to.binds = longest_of(to.under);
    to.serial = std::accumulate(to.under.begin(), to.under.end(), 0.0);
    to.overlapped = to.under[size_t(to.binds)];
    overlap(pass, to);
    const double without = to.time;
    if (!even_launch) to.spread = pass.blocks.spread(roofs.sms), to.padding = pass.blocks.padding();
    overlap(pass, to);
    for (int k = 0; k < kRoofCount; ++k) out.under[size_t(k)] += to.under[size_t(k)];
    share[size_t(to.binds)] += to.overlapped;
    out.serial += to.serial;
    out.overlapped += to.overlapped;
    out.time += to.time;
    even += without;
    if (to.time > longest) {
      longest = to.time;
      out.blocks = pass.blocks.count, out.waves = pass.blocks.waves(roofs.sms), out.spread = to.spread;
    }
  }
  out.binds = longest_of(share);
  if (out.time > 0) out.rate = work.nominal_flop / out.time, out.tail = 1 - even / out.time;
  const double flop = work.total(Roof::Tensor);
  for (const Roof roof : {Roof::Dram, Roof::L2, Roof::Sram}) {
    const double bytes = roof == Roof::Dram ? out.dram_bytes : work.total(roof);
    out.intensity[size_t(roof)] = bytes > 0 ? flop / bytes : 0;
  }
  return out;
}

Roofs at_least(Roofs roofs) {
  constexpr std::pair<Roof, Roof> kFloors[] = {
      {Roof::L2, Roof::Dram}, {Roof::Sram, Roof::L2}, {Roof::Vector, Roof::Exponential}};
  for (const auto& [roof, floor] : kFloors)
    if (!roofs[roof] && roofs[floor])
      roofs[roof] = Rate{roofs[floor]->value, fmt::format("not known; no less than {}", name_of(floor)), false};
  return roofs;
}

double most_time(const Estimate& made, const Work& work, const Roofs& roofs) {
  if (made.unknown.empty()) return made.time;
  const Estimate slow = estimate(work, at_least(roofs), made.levels);
  return slow.unknown.empty() ? slow.time : std::numeric_limits<double>::infinity();
}

Estimate estimate(Method method, const Problem& problem, const Roofs& roofs, Direction direction, Levels levels,
                  KernelVersion version) {
  const int64_t splits = released_splits(method, problem, direction, roofs.sms);
  return estimate(work_of(method, problem, direction, splits, version), roofs, levels);
}

}  // namespace tilewalk
