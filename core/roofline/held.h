// What estimated times are held against: every attention call that a paper's table, a user's report or a recording of
// this program's own says the time of, each with its source; and the band that they span, measured over estimated, for
// the method, direction, head dimension and GPU family of another call. Nothing here is fitted: an estimate stays what
// the model says, and the band says how far such estimates were off.
//
// Cells are the tables of lessons/data/published.toml that say which calls they timed, and assets/recordings. Each is
// estimated under the roofs of its own GPU: its datasheet's, or, of the GPU whose ceilings are part of the program,
// those ceilings. A band under datasheets and one under ceilings are two.
#pragma once

#include "core/roofline/estimate.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class HeldPass : uint8_t { Forward, Backward, Both };  // Both: forward and backward together
std::string_view name_of(HeldPass pass);                    // "forward", "backward", "forward and backward"

struct HeldCell {
  Method method{};
  HeldPass pass = HeldPass::Forward;
  Problem problem;
  std::string gpu;                             // id of the catalogue
  double seconds = 0;                          // as measured
  Origin origin{};                             // Published or Recorded
  std::string key, source;                     // "fa3_h100_fwd_d64_1k"; who says so, with the date
  bool under_ceilings = false;                 // it was measured on the GPU whose ceilings are part of the program
  KernelVersion version = KernelVersion::Now;  // of the kernels that were timed
};

// Those of the program; tables without times of a method here (cuDNN, Triton, fp8) have none.
std::span<const HeldCell> held_cells();
// Those of a table that says which calls it timed.
struct PublishedTable;
std::vector<HeldCell> cells_of(const PublishedTable& table);

// Measured over estimated under roofs of that cell's GPU; `ceilings`: under the measured ones.
double held_ratio(const HeldCell& cell, bool ceilings);

// Which estimates a cell speaks for.
struct HeldClass {
  Method method{};
  HeldPass pass = HeldPass::Forward;
  int64_t d = 0;          // 64, 96, 128 or 256: heads up to that wide
  int family = 0;         // family_of()
  bool ceilings = false;  // under measured ceilings
  auto operator<=>(const HeldClass&) const = default;
};
// GPUs whose multiprocessors are alike: 80; 86 for 8.6 and 8.9; else the major version, 70, 90, 100, 120; 75 stands
// alone; 0 is not NVIDIA's.
int family_of(int cc);
std::string family_words(int family);  // "compute capability 9.x"

struct Band {
  HeldClass of;
  double least = 0, most = 0;  // measured over estimated
  size_t cells = 0;
  int64_t least_n = 0, most_n = 0;
  bool rates_known = true;           // all rates of the cells' GPUs are
  std::vector<std::string> sources;  // each once, in the cells' order
};
// Of the cells of a class; nothing where there is none.
std::optional<Band> band_of(const HeldClass& of, std::span<const HeldCell> cells);

// What such an estimate came to elsewhere. Nothing where nobody measured: few queries (decode), N below the shortest
// that was measured, a method or a family without cells. A time of forward and backward together says nothing of either
// alone: HeldPass::Both is a band of the model's two times added up.
std::optional<Band> band_of(Method method, const Problem& problem, HeldPass pass, const Roofs& roofs);
inline std::optional<Band> band_of(Method method, const Problem& problem, Direction direction, const Roofs& roofs) {
  return band_of(method, problem, direction == Direction::Forward ? HeldPass::Forward : HeldPass::Backward, roofs);
}

// Seconds to expect of an estimate of `time` that is at most `most` (most_time()): the two differ where a rate is not
// known. A band of GPUs whose rates all are is of either; one of GPUs that lack a rate too holds it already.
struct Expected {
  double least = 0, most = 0;
};
Expected expected_of(const Band& band, double time, double most);

// "1.1 to 1.5", rounded outwards; "1.2" where the two are alike.
std::string times_words(const Band& band);
// "24 calls of N 512 to 16,384, forward, d up to 128, compute capability 9.x"
std::string words_of(const Band& band);
constexpr std::string_view kNothingHeld = "no measurement to hold this against";

// Cells that lie farther than `margin` outside of what the other cells of their class span: a misread digit, or a model
// gone wrong. A class of fewer than three cells has none.
std::vector<const HeldCell*> far_off(std::span<const HeldCell> cells, bool ceilings, double margin = 1.5);

}  // namespace tilewalk
