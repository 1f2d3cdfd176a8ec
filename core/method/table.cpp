#include "core/method/table.h"

#include <algorithm>

namespace tilewalk {
namespace {

using enum Method;
using enum KernelKind;
using enum Multiply;
using enum Blend;
using Walk = MethodInfo::Walk;
using Estimate = MethodInfo::Estimate;
using Kernel = MethodInfo::Kernel;
using Rung = MethodInfo::Rung;
constexpr Direction kForward = Direction::Forward, kBackward = Direction::Backward;
constexpr bool kSplits = true;
constexpr Way kLastToFirst{.last_to_first = true}, kRoundsDq{.rounds_dq = true};
constexpr Way kFa1Way{.last_to_first = true, .wide_o = true, .form = kFa1KernelForm};
constexpr auto kNone = std::nullopt;
constexpr int kAny = 999;

constexpr std::array<MethodInfo, kMethods> kTable{{
    {Eager, "eager", "Eager", kForward, StandardBackward, Walk{Standard}, Estimate{Eager, Wgmma, Free}},
    {Standard, "standard", "Standard", kForward, StandardBackward,
     Walk{Standard, "three kernels; S and P go through memory", Way{.p_over_s = true}}, Estimate{Standard, Wgmma, Free},
     Kernel{Usual, 80, kAny, "kernels/standard.cu"}},
    {Fa1, "fa1", "FA1", kForward, Fa1Backward,
     Walk{Fa1, "K/V tiles outside, Q tiles inside; O, m, l through memory", kFa1Way, {"fa1-kernel", "fa1-0.1"}},
     Estimate{Fa1, MmaSync, InWarp},
     Kernel{Usual, 80, kAny, "kernels/fa1.cu", "FA1, as released", "FA1 released", "FA1"},
     Rung{3, "tensor cores; copies under arithmetic; K/V tiles outside, O waits in memory"}},
    {Fa2, "fa2", "FA2", kForward, Fa2Backward,
     Walk{Fa2, "Q tiles outside, K/V tiles inside; O stays on chip", kLastToFirst},
     Estimate{Fa2, MmaSync, InWarp, kSplits}, Kernel{Usual, 80, kAny, "kernels/fa2.cu"},
     Rung{4, "Q tiles outside: O, m, l never leave the registers, O divided once"}},
    {Fa3, "fa3", "FA3", kForward, Fa3Backward, Walk{Fa3, "FA2 with the softmax under the next products", kLastToFirst},
     Estimate{Fa3, Wgmma, TwoGroups, kSplits}, Kernel{Usual, 90, 90, "kernels/fa3.cu"},
     Rung{5, "TMA, wgmma, warps with roles: softmax under products, ping-pong"}},
    // Other warps take FA3's steps: that changes when, not what.
    {Fa4, "fa4", "FA4", kForward, Fa3Backward, Walk{Fa3}, Estimate{Fa4, Tcgen05, Roles, kSplits}},
    {Fa1Small, "fa1-small", "FA1, 16-row tiles", kForward, kNone, Walk{Fa1}, Estimate{},
     Kernel{Usual, 80, kAny, "", "", "FA1, 16 rows", "FA1·16"}},
    {Fa2Small, "fa2-small", "FA2, 16-row tiles", kForward, kNone, Walk{Fa2}, Estimate{},
     Kernel{Usual, 80, kAny, "", "", "FA2, 16 rows", "FA2·16"}},
    {Fa1Paper, "fa1-paper", "FA1, Algorithm 1", kForward, kNone, Walk{Fa1}, Estimate{},
     Kernel{Usual, 90, kAny, "", "", "FA1 Alg. 1", "FA1·A1"}},
    {Naive, "naive", "Naive", kForward, kNone, Walk{Fa2}, Estimate{}, Kernel{Usual, 80, kAny, "kernels/naive.cu"},
     Rung{1, "S and P never in memory: a thread a row, m and l kept as keys pass"}},
    {Tiled, "tiled", "Tiled", kForward, kNone, Walk{Fa2}, Estimate{}, Kernel{Usual, 80, kAny, "kernels/tiled.cu"},
     Rung{2, "K and V in tiles, loaded once for 128 rows; softmax a tile at a time"}},
    {StandardBackward, "standard-backward", "Standard backward", kBackward, Standard,
     Walk{StandardBackward, "five kernels; P, dP and dS go through memory", kRoundsDq}, Estimate{Standard},
     Kernel{Usual, 80, kAny, "kernels/standard_backward.cu", "Standard, backward"}},
    {Fa1Backward, "fa1-backward", "FA1 backward", kBackward, Fa1,
     Walk{Fa1Backward, "K/V tiles outside; P made again, dQ through memory", kRoundsDq}, Estimate{Fa1}},
    {Fa2Backward, "fa2-backward", "FA2 backward", kBackward, Fa2,
     Walk{Fa2Backward, "a thread block per K/V tile; P made again, dQ added up", kLastToFirst}, Estimate{Fa2},
     Kernel{Usual, 80, kAny, "kernels/fa2_backward.cu", "FA2, backward"}},
    {Fa3Backward, "fa3-backward", "FA3, backward", kBackward, Fa3, Walk{Fa2Backward}, Estimate{Fa3},
     Kernel{Usual, 90, 90, "kernels/fa3_backward.cu"}},
    {Fa3Fp8, "fa3-fp8", "FA3, FP8", kForward, kNone, Walk{Fa3}, Estimate{Fa3},
     Kernel{Beside, 90, 90, "", "", "FP8 tile"}},
    {SplitKv, "split-kv", "Split KV", kForward, Fa2Backward,
     Walk{SplitKv, "FA2 with the keys of a row split over blocks, and merged",
          Way{.last_to_first = true, .wide_o = true}},
     Estimate{Fa2}, Kernel{Beside, 80, kAny, "", "Split-KV"}},
    {Fa1First, "fa1-0.1", "FA1 of Tilewalk 0.1", kForward, kNone, Walk{Fa1}, Estimate{},
     Kernel{Retired, 80, kAny, "", "", "FA1 (old)"}},
    {Own, "own", "Own", kForward, kNone, Walk{Own, "a schedule of your own"}},
}};

constexpr bool in_order() {
  for (size_t k = 0; k < kTable.size(); ++k)
    if (kTable[k].id != Method(k)) return false;
  return true;
}
static_assert(in_order(), "info_of() indexes the table by Method");

// Rows that lie apart, as one list; copied once for each question.
template <class Which>
std::span<const MethodInfo> those(Which which) {
  static const std::vector<MethodInfo> all = [&] {
    std::vector<MethodInfo> out;
    std::ranges::copy_if(kTable, std::back_inserter(out), which);
    return out;
  }();
  return all;
}

}  // namespace

std::span<const MethodInfo> all_methods() { return kTable; }
const MethodInfo& info_of(Method method) { return kTable[size_t(method)]; }

std::span<const MethodInfo> estimated_methods() { return all_methods().first(kEstimatedMethods); }
std::span<const MethodInfo> kernels() {
  return those([](const MethodInfo& m) { return m.kernel.kind == Usual && !m.backward(); });
}
std::span<const MethodInfo> compared_kernels() {
  return those([](const MethodInfo& m) { return m.is_compared(); });
}
std::span<const MethodInfo> backward_kernels() {
  return those([](const MethodInfo& m) { return m.kernel.kind == Usual && m.backward(); });
}
std::span<const MethodInfo> kernels_beside() {
  return those([](const MethodInfo& m) { return m.kernel.kind == Beside; });
}
std::span<const MethodInfo> all_kernels() {
  return those([](const MethodInfo& m) { return m.kernel.kind == Usual || m.kernel.kind == Beside; });
}

std::span<const Method> ladder() {
  static const auto all = [] {
    std::vector<Method> rungs;
    for (const MethodInfo& m : kTable)
      if (m.rung.number) rungs.push_back(m.id);
    std::ranges::sort(rungs, {}, [](Method m) { return info_of(m).rung.number; });
    return rungs;
  }();
  return all;
}

std::vector<Method> with_neighbours(Method kernel) {
  if (kernel == Fa3Fp8) return {Fa3, kernel};
  const auto all = ladder();
  const auto at = std::ranges::find(all, kernel);
  if (at == all.end()) return {kernel};
  return {at == all.begin() ? at : at - 1, at + 1 == all.end() ? all.end() : at + 2};
}

std::optional<Method> method_named(std::string_view key) {
  const auto all = estimated_methods();
  const auto found = std::ranges::find(all, key, &MethodInfo::key);
  return found == all.end() ? kNone : std::optional(found->id);
}
std::optional<Method> kernel_named(std::string_view key) {
  const auto found = std::ranges::find_if(
      kTable, [&](const MethodInfo& m) { return m.key == key && m.kernel.kind != KernelKind::None; });
  return found == kTable.end() ? kNone : std::optional(found->id);
}

}  // namespace tilewalk
