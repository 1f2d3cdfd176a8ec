#include "core/attention/problem.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kMasks{"full", "causal"};
constexpr std::array<std::string_view, 2> kAligns{"bottom-right", "top-left"};
constexpr std::array<std::string_view, 2> kArithmetics{"exact", "kernel"};
constexpr std::array<std::string_view, 4> kDistributions{"normal", "outliers", "integers", "custom"};
constexpr std::array<std::string_view, kMistakeCount> kMistakes{"none", "no-rescale", "no-rescale-o", "no-max",
                                                                "no-early-exit"};
constexpr std::array<std::string_view, kMistakeCount> kMistakeWords{"", "l and O are not rescaled", "O is not rescaled",
                                                                    "no max is taken off", "no tile is skipped"};

template <class Enum, size_t Count>
std::optional<Enum> find_name(const std::array<std::string_view, Count>& names, std::string_view name) {
  for (size_t k = 0; k < Count; ++k)
    if (names[k] == name) return Enum(k);
  return std::nullopt;
}

void check_range(std::vector<Fault>& faults, const char* field, const char* label, int64_t value) {
  const Range range = range_of(field);
  if (value < range.least || value > range.most)
    faults.push_back(
        {field, fmt::format("{} is {}; it must lie between {} and {}.", label, value, range.least, range.most)});
}

}  // namespace

double Problem::softmax_scale() const { return scale != 0 ? scale : 1 / std::sqrt(double(d)); }

Range range_of(std::string_view field) {
  if (field == "n_q" || field == "n_k") return {1, int64_t{1} << 24};
  if (field == "batch" || field == "heads") return {1, 65535};
  return {1, 1024};  // d, Br, Bc
}

// More tiles than this along N would take seconds to count.
constexpr int64_t kMostTiles = int64_t{1} << 18;

void check_tiles(std::vector<Fault>& faults, const char* field, const char* label, int64_t n, int64_t tile) {
  if (const int64_t tiles = (n + tile - 1) / tile; tiles > kMostTiles)
    faults.push_back({field, fmt::format("{} = {} cuts N into {} tiles; up to {} are counted. Take larger ones.", label,
                                         tile, tiles, kMostTiles)});
}

std::vector<Fault> validate(const Problem& p) {
  std::vector<Fault> faults;
  check_range(faults, "n_q", "N (queries)", p.n_q);
  check_range(faults, "n_k", "N (keys)", p.n_k);
  check_range(faults, "d", "d", p.d);
  check_range(faults, "br", "Br", p.br);
  check_range(faults, "bc", "Bc", p.bc);
  check_range(faults, "batch", "B", p.batch);
  check_range(faults, "heads", "H", p.heads);
  if (faults.empty()) {
    check_tiles(faults, "br", "Br", p.n_q, p.br);
    check_tiles(faults, "bc", "Bc", p.n_k, p.bc);
  }
  if (!std::isfinite(p.scale)) faults.push_back({"scale", "The softmax scale must be a finite number."});
  if (p.format == Format::E4M3)
    faults.push_back({"format", "e4m3 inputs need per-tile scales, which no schedule here has; use fp16 or bf16."});
  return faults;
}

std::string_view name_of(Mask mask) { return kMasks[size_t(mask)]; }
std::string_view name_of(CausalAlign align) { return kAligns[size_t(align)]; }
std::string_view name_of(Arithmetic arithmetic) { return kArithmetics[size_t(arithmetic)]; }
std::string_view name_of(Distribution distribution) { return kDistributions[size_t(distribution)]; }
std::string_view name_of(Mistake mistake) { return kMistakes[size_t(mistake)]; }
std::string_view words_of(Mistake mistake) { return kMistakeWords[size_t(mistake)]; }
std::optional<Mask> mask_named(std::string_view name) { return find_name<Mask>(kMasks, name); }
std::optional<CausalAlign> align_named(std::string_view name) { return find_name<CausalAlign>(kAligns, name); }
std::optional<Arithmetic> arithmetic_named(std::string_view name) { return find_name<Arithmetic>(kArithmetics, name); }
std::optional<Distribution> distribution_named(std::string_view name) {
  return find_name<Distribution>(kDistributions, name);
}
std::optional<Mistake> mistake_named(std::string_view name) { return find_name<Mistake>(kMistakes, name); }

}  // namespace tilewalk
