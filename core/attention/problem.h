// One attention problem as plain data: O = softmax(scale * Q K^T + mask) V for B * H independent heads.
// Shapes per head: Q, O [N_q, d]; K, V [N_k, d]; S, P [N_q, N_k]; m, l, L [N_q].
#pragma once

#include "core/attention/format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class Mask : uint8_t { Full, Causal };
// Which corner of S the causal diagonal runs into when N_q and N_k differ: bottom right (flash-attn since 2.1), or top
// left (PyTorch's is_causal).
enum class CausalAlign : uint8_t { BottomRight, TopLeft };
// Exact computes in float64. Kernel computes as tensor-core kernels do: inputs and P in `format`, sums in fp32.
enum class Arithmetic : uint8_t { Exact, Kernel };
// Custom inputs are not generated: they come from a file, a preset or the keyboard.
enum class Distribution : uint8_t { Normal, Outliers, SmallIntegers, Custom };

// A mistake made on purpose, to see what a line of the algorithm is there for. The reference never makes it.
enum class Mistake : uint8_t {
  None,
  NoRescale,    // alpha is taken for 1: l and O stay on the scale of the old max
  NoRescaleO,   // l shrinks by alpha, O does not
  NoMax,        // e^s instead of e^(s - m), rounded to the problem's format: fp16 overflows from s = 11.09 on
  NoEarlyExit,  // under a causal mask every tile is visited, those with no visible key as well
};
constexpr int kMistakeCount = 5;

struct Problem {
  int64_t batch = 1, heads = 1;
  int64_t n_q = 16, n_k = 16, d = 8;
  int64_t br = 4, bc = 4;  // rows of a Q tile, rows of a K/V tile
  Mask mask = Mask::Full;
  CausalAlign align = CausalAlign::BottomRight;
  Format format = Format::Float16;  // of Q, K, V, O (and S, P where they reach memory)
  Arithmetic arithmetic = Arithmetic::Exact;
  Distribution distribution = Distribution::Normal;
  uint64_t seed = 4;
  double scale = 0;  // softmax scale; 0 means 1/sqrt(d)
  Mistake mistake = Mistake::None;

  double softmax_scale() const;
  bool operator==(const Problem&) const = default;
};

// The values a whole-number member may have, both ends included: "n_q", "n_k", "d", "br", "bc", "batch" or "heads".
struct Range {
  int64_t least, most;
};
Range range_of(std::string_view field);

struct Fault {
  std::string field;    // the name of the Problem member, or of the option, at fault
  std::string message;  // one sentence: what is wrong and which values are allowed
};

// Every fault of the numbers themselves; empty when the problem can be counted. Whether a schedule's tiles fit a
// machine is asked of core/schedules/footprint.h.
std::vector<Fault> validate(const Problem& problem);

std::string_view name_of(Mask mask);                  // "full", "causal"
std::string_view name_of(CausalAlign align);          // "bottom-right", "top-left"
std::string_view name_of(Arithmetic arithmetic);      // "exact", "kernel"
std::string_view name_of(Distribution distribution);  // "normal", "outliers", "integers", "custom"
std::string_view name_of(Mistake mistake);            // "none", "no-rescale", "no-rescale-o", "no-max", "no-early-exit"
std::string_view words_of(Mistake mistake);           // "l and O are not rescaled"; empty for None
std::optional<Mask> mask_named(std::string_view name);
std::optional<CausalAlign> align_named(std::string_view name);
std::optional<Arithmetic> arithmetic_named(std::string_view name);
std::optional<Distribution> distribution_named(std::string_view name);
std::optional<Mistake> mistake_named(std::string_view name);

}  // namespace tilewalk
