#include "core/roofline/held.h"

#include "core/io/date.h"
#include "core/machine/words.h"
#include "core/quantity/published.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/rest.h"
#include "core/run/prediction.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>

namespace tilewalk {
namespace {

constexpr int64_t kLeastN = 512;     // shorter calls are launches and latencies, which datasheets do not know
constexpr int64_t kFewQueries = 16;  // decode: no class of its own, as nothing here measured it

// FA1 gives a head 30 thread blocks at most, so one head leaves most of a chip idle, and how long a block waits for its
// loads sets the time, which no roof tells: such a call is in no class, and nothing is expected of one.
bool waits_alone(Method method, const Problem& p) { return method == Method::Fa1 && p.batch * p.heads == 1; }
constexpr std::string_view kShippedGpu = "h200";  // whose ceilings are part of the program

int64_t d_class(int64_t d) { return d <= 64 ? 64 : d <= 96 ? 96 : d <= 128 ? 128 : 256; }

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('_', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

int64_t number_of(std::string_view digits) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
}

// "512", "16k"
int64_t length_of(std::string_view at) {
  return at.ends_with('k') ? 1024 * number_of(at.substr(0, at.size() - 1)) : number_of(at);
}

// METHOD_GPU_DIRECTION_dD[_causal]; the standard implementation of the papers is a framework's.
struct Key {
  Method method;
  HeldPass pass;
  int64_t d = 0;
  bool causal = false;
};
std::optional<Key> read_key(std::string_view key) {
  const std::vector<std::string_view> parts = split(key);
  const auto method = parts.front() == "pytorch" ? std::optional(Method::Eager) : method_named(parts.front());
  // "fa3_fp8_..." is none of ours; "fa2_torch_..." is PyTorch's copy of FA2.
  if (!method || std::ranges::find(parts, "fp8") != parts.end()) return std::nullopt;
  Key out{*method, HeldPass::Forward};
  bool passed = false;
  for (const std::string_view part : parts) {
    if (part == "fwd" || part == "bwd" || part == "fwdbwd") {
      out.pass = part == "fwd" ? HeldPass::Forward : part == "bwd" ? HeldPass::Backward : HeldPass::Both;
      passed = true;
    } else if (passed && part.starts_with('d')) {
      out.d = number_of(part.substr(1));
    } else if (part == "causal") {
      out.causal = true;
    }
  }
  return passed ? std::optional(out) : std::nullopt;
}

double flop_of(const Problem& problem, HeldPass pass) {
  const double forward = double(nominal_flop_of(problem));
  return forward * (pass == HeldPass::Forward ? 1 : pass == HeldPass::Backward ? kBackwardFlop : 1 + kBackwardFlop);
}

std::vector<HeldCell> recorded_cells() {
  std::vector<HeldCell> out;
  const auto roofs = shipped_roofs(kShippedGpu);
  if (!roofs) return out;
  std::vector<Compared> rows = compare(shipped_recordings(), *roofs);
  std::ranges::move(compare(shipped_lesson_runs(), *roofs), std::back_inserter(rows));
  for (const Compared& row : rows) {
    const Problem& p = row.run->spec.problem;
    if (p.n_q != p.n_k || p.n_k < kLeastN || waits_alone(row.method, p)) continue;
    const HeldPass pass = row.direction == Direction::Backward ? HeldPass::Backward : HeldPass::Forward;
    out.push_back({row.method, pass, p, std::string(kShippedGpu), row.measured, Origin::Recorded,
                   fmt::format("{} at N = {}", row.name, p.n_k),
                   fmt::format("recorded on an H200, {}", row.run->provenance.date.substr(0, 10)), true,
                   version_of(row.run->provenance)});
  }
  return out;
}

HeldClass class_of(const HeldCell& cell, bool ceilings) {
  const GpuSpec* gpu = gpu_named(cell.gpu);
  return {cell.method, cell.pass, d_class(cell.problem.d), gpu ? family_of(gpu->cc) : 0, ceilings};
}

double rounded(double value, bool up) {
  const double scale = value < 10 ? 10 : 1;
  return (up ? std::ceil(value * scale - 1e-9) : std::floor(value * scale + 1e-9)) / scale;
}

}  // namespace

std::string_view name_of(HeldPass pass) {
  return pass == HeldPass::Forward ? "forward" : pass == HeldPass::Backward ? "backward" : "forward and backward";
}

std::vector<HeldCell> cells_of(const PublishedTable& table) {
  std::vector<HeldCell> out;
  if (!table.calls || (table.unit != "s" && table.unit != "flop/s")) return out;
  const PublishedCalls& calls = *table.calls;
  for (const PublishedRow& row : table.rows) {
    const auto key = read_key(row.key);
    const int64_t d = key && key->d > 0 ? key->d : calls.d;
    if (!key || d <= 0) continue;
    for (size_t k = 0; k < row.values.size(); ++k) {
      const int64_t n = length_of(table.at[k]);
      if (!(row.values[k] > 0) || n < kLeastN) continue;  // out of memory is not a number
      Problem p;
      p.n_q = p.n_k = n;
      p.d = d;
      p.batch = calls.batch > 0 ? calls.batch : std::max<int64_t>(1, calls.tokens / n);
      p.heads = calls.heads > 0 ? calls.heads : std::max<int64_t>(1, calls.columns / d);
      p.mask = key->causal ? Mask::Causal : Mask::Full;
      const double seconds = table.unit == "s" ? row.values[k] : flop_of(p, key->pass) / row.values[k];
      out.push_back({key->method, key->pass, p, calls.gpu, seconds, table.origin, row.key + "_" + table.at[k],
                     table.source, calls.gpu == kShippedGpu, KernelVersion::V0_1});
    }
  }
  return out;
}

std::span<const HeldCell> held_cells() {
  static const std::vector<HeldCell> all = [] {
    std::vector<HeldCell> out = recorded_cells();
    for (const PublishedTable& table : published_figures().tables)
      for (HeldCell& cell : cells_of(table)) out.push_back(std::move(cell));
    return out;
  }();
  return all;
}

double held_ratio(const HeldCell& cell, bool ceilings) {
  const auto roofs = shipped_roofs(ceilings ? kShippedCeilings : std::string_view(cell.gpu));
  if (!roofs) return 0;
  const auto time_of = [&](Direction direction) {
    return estimate(cell.method, cell.problem, *roofs, direction, Levels::WithL2, cell.version).time;
  };
  double model = 0;
  if (cell.pass != HeldPass::Backward) model += time_of(Direction::Forward);
  if (cell.pass != HeldPass::Forward) model += time_of(Direction::Backward);
  return model > 0 ? cell.seconds / model : 0;
}

int family_of(int cc) { return cc == 75 || cc == 80 ? cc : cc / 10 == 8 ? 86 : cc / 10 * 10; }

std::string family_words(int family) {
  if (family == 0) return "GPUs that are not NVIDIA's";
  if (family == 86) return "compute capability 8.6 and 8.9";
  if (family == 75 || family == 80) return fmt::format("compute capability {}.{}", family / 10, family % 10);
  return fmt::format("compute capability {}.x", family / 10);
}

std::optional<Band> band_of(const HeldClass& of, std::span<const HeldCell> cells) {
  Band band;
  band.of = of;
  for (const HeldCell& cell : cells) {
    if ((of.ceilings && !cell.under_ceilings) || class_of(cell, of.ceilings) != of) continue;
    const double ratio = held_ratio(cell, of.ceilings);
    if (!(ratio > 0)) continue;
    band.least = band.cells ? std::min(band.least, ratio) : ratio;
    band.most = std::max(band.most, ratio);
    band.least_n = band.cells ? std::min(band.least_n, cell.problem.n_k) : cell.problem.n_k;
    band.most_n = std::max(band.most_n, cell.problem.n_k);
    const auto roofs = shipped_roofs(of.ceilings ? kShippedCeilings : std::string_view(cell.gpu));
    band.rates_known &= std::ranges::all_of(roofs->rates, [](const auto& rate) { return rate.has_value(); });
    ++band.cells;
    if (std::ranges::find(band.sources, cell.source) == band.sources.end()) band.sources.push_back(cell.source);
  }
  return band.cells ? std::optional(std::move(band)) : std::nullopt;
}

std::optional<Band> band_of(Method method, const Problem& problem, HeldPass pass, const Roofs& roofs) {
  if (problem.n_q < kFewQueries || waits_alone(method, problem)) return std::nullopt;
  const bool ceilings = roofs.origin != Origin::Published;
  // What is kept is of the program's own data alone, and there are few classes.
  thread_local std::map<HeldClass, std::optional<Band>> kept;
  const HeldClass of{method, pass, d_class(problem.d), family_of(roofs.cc), ceilings};
  auto found = kept.find(of);
  if (found == kept.end()) found = kept.emplace(of, band_of(of, held_cells())).first;
  const std::optional<Band>& band = found->second;
  return band && std::min(problem.n_q, problem.n_k) >= band->least_n ? band : std::nullopt;
}

Expected expected_of(const Band& band, double time, double most) {
  return {band.least * time, band.most * (band.rates_known && std::isfinite(most) ? most : time)};
}

std::string times_words(const Band& band) {
  const double least = rounded(band.least, false), most = rounded(band.most, true);
  const auto words = [](double value) { return fmt::format("{:.{}f}", value, value < 10 ? 1 : 0); };
  return least == most ? words(least) : fmt::format("{} to {}", words(least), words(most));
}

std::string words_of(const Band& band) {
  return fmt::format("{} calls of N {} to {}, {}, d up to {}, {}", with_commas(int64_t(band.cells)),
                     with_commas(band.least_n), with_commas(band.most_n), name_of(band.of.pass), band.of.d,
                     family_words(band.of.family));
}

std::vector<const HeldCell*> far_off(std::span<const HeldCell> cells, bool ceilings, double margin) {
  struct Held {
    const HeldCell* cell;
    double ratio;
  };
  std::map<HeldClass, std::vector<Held>> classes;
  for (const HeldCell& cell : cells)
    if (!ceilings || cell.under_ceilings)
      classes[class_of(cell, ceilings)].push_back({&cell, held_ratio(cell, ceilings)});
  std::vector<const HeldCell*> out;
  for (const auto& [of, all] : classes) {
    if (all.size() < 3) continue;
    for (const Held& one : all) {
      double least = 0, most = 0;
      for (const Held& other : all) {
        if (other.cell == one.cell) continue;
        least = least > 0 ? std::min(least, other.ratio) : other.ratio;
        most = std::max(most, other.ratio);
      }
      if (one.ratio < least / margin || one.ratio > most * margin) out.push_back(one.cell);
    }
  }
  return out;
}

}  // namespace tilewalk
