#include "core/kernel/switches.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tilewalk {
namespace {

constexpr bool kWith = true, kWithout = false, kCausal = true, kWrong = true;
constexpr Method kFa2 = Method::Fa2, kFa3 = Method::Fa3, kFp8 = Method::Fa3Fp8;

constexpr SwitchInfo kSwitches[] = {
    {Switch::Producer, kFa3, kWithout, "producer", 0, false, false, "a thread of the consumers starts the copies"},
    {Switch::PingPong, kFa3, kWithout, "pingpong", 0, false, false, "warpgroups take no turns"},
    {Switch::Overlap, kFa3, kWithout, "overlap", 0, false, false, "softmax waits until P V is done"},
    {Switch::OneStage, kFa3, kWith, "one-stage", 0, false, false, "one buffer for K and one for V"},
    {Switch::Skipping, kFa3, kWithout, "skipping", 0, kCausal, false, "hidden tiles are computed all the same"},
    {Switch::QTile64, kFa3, kWith, "q64", 0, false, false, "Q tiles of 64 rows: one consumer warpgroup"},
    {Switch::QTile128, kFa3, kWith, "q128", 64, false, false, "Q tiles of 128 rows: two consumer warpgroups"},
    {Switch::LongestFirst, kFa3, kWithout, "longest-first", 0, kCausal, false, "the shortest Q tiles are drawn first"},
    {Switch::Expf, kFa3, kWith, "expf", 0, false, false, "exponentials by expf, scaled beforehand"},
    {Switch::Polynomial, kFa3, kWith, "polynomial", 0, false, false, "every eighth exponential by a cubic (FA4)"},
    {Switch::Risen, kFa3, kWith, "risen", 0, false, false, "O rescaled only where a max has risen (FA4)"},
    {Switch::Raised, kFa3, kWith, "raised", 0, false, false, "m stays until it would rise by 2^8 (FA4)"},
    {Switch::NoRescale, kFa3, kWithout, "rescale", 0, false, kWrong, "alpha is taken for 1"},
    {Switch::WrongOrder, kFa3, kWith, "wrong-order", 0, false, kWrong, "O is rescaled after P V was added"},
    {Switch::NoMax, kFa3, kWithout, "max", 0, false, kWrong, "e^s in place of e^(s - m)"},
    {Switch::Skipping, kFa2, kWithout, "skipping", 0, kCausal, false, "hidden tiles are computed all the same"},
    {Switch::QTile64, kFa2, kWith, "q64", 0, false, false, "Q tiles of 64 rows: a warp has one slab of 16"},
    {Switch::LongestFirst, kFa2, kWithout, "longest-first", 0, kCausal, false, "the shortest Q tiles come first"},
    {Switch::Swizzle, kFa2, kWithout, "swizzle", 0, false, false,
     "chunks of a row lie in order: 8 rows hit the same 4 banks"},
    {Switch::Expf, kFa2, kWith, "expf", 0, false, false, "exponentials by expf, scaled beforehand"},
    {Switch::Polynomial, kFa2, kWith, "polynomial", 0, false, false, "every eighth exponential by a cubic (FA4)"},
    {Switch::AnyRise, kFa2, kWith, "any-rise", 0, false, false, "O rescaled wherever a max has risen, by 2^8 or less"},
    {Switch::EveryTile, kFa2, kWith, "every-tile", 0, false, false, "O rescaled at every tile, as in the paper"},
    {Switch::NoRescale, kFa2, kWithout, "rescale", 0, false, kWrong, "alpha is taken for 1"},
    {Switch::WrongOrder, kFa2, kWith, "wrong-order", 0, false, kWrong, "O is rescaled after P V was added"},
    {Switch::NoMax, kFa2, kWithout, "max", 0, false, kWrong, "e^s in place of e^(s - m)"},
    {Switch::TileScales, kFp8, kWithout, "tile-scales", 0, false, false, "one scale for each of Q, K and V"},
    {Switch::Rotation, kFp8, kWith, "rotation", 0, false, false, "Q and K rotated by signs and a Hadamard matrix"},
    {Switch::RotationAlone, kFp8, kWith, "rotation-alone", 0, false, false, "rotated, with one scale for each"},
    {Switch::Splitting, Method::SplitKv, kWithout, "splitting", 0, false, false,
     "one thread block for each head of K and V"},
};
// In recordings alone.
constexpr SwitchInfo kFormer[] = {
    {Switch::Risen, kFa2, kWith, "risen", 64, false, false, "O rescaled only where a max has risen (FA4)"},
    {Switch::Risen, kFa2, kWithout, "risen", 128, false, false, "O rescaled at every tile"},
    {Switch::Raised, kFa2, kWith, "raised", 0, false, false, "m stays until it would rise by 2^8 (FA4)"},
};

const SwitchInfo* find(std::span<const SwitchInfo> all, Method kernel, Switch id, int64_t d, bool causal) {
  if (padded_d(kernel, d) != padded_d(d)) return nullptr;
  const auto fits = [&](const SwitchInfo& info) {
    return info.kernel == kernel && info.id == id && (!info.d || info.d == padded_d(d)) && (causal || !info.causal);
  };
  const auto found = std::ranges::find_if(all, fits);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::span<const SwitchInfo> switches() { return kSwitches; }

const SwitchInfo* switch_of(Method kernel, Switch id, int64_t d, bool causal) {
  return find(kSwitches, kernel, id, d, causal);
}

const SwitchInfo* recorded_switch_of(Method kernel, Switch id, int64_t d, bool causal) {
  const SwitchInfo* now = switch_of(kernel, id, d, causal);
  return now ? now : find(kFormer, kernel, id, d, causal);
}

std::string_view key_of(Switch id) {
  const auto found = std::ranges::find(kSwitches, id, &SwitchInfo::id);
  return found == std::end(kSwitches) ? std::string_view() : found->key;
}

std::optional<Switch> switch_keyed(std::string_view key) {
  const auto found = std::ranges::find(kSwitches, key, &SwitchInfo::key);
  return found == std::end(kSwitches) ? std::nullopt : std::optional(found->id);
}

std::string words_of(const SwitchInfo& info) { return fmt::format("{} {}", info.with ? "with" : "without", info.key); }

std::string option_of(const SwitchInfo& info) { return "--" + words_of(info); }

}  // namespace tilewalk
