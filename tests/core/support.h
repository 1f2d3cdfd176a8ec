// What the tests of the simulator share: a random source that is the same everywhere, generated problems that lean
// towards the edges, a machine that refuses nothing, and a way to run a program to its end.
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/tiling.h"
#include "core/machine/machine.h"
#include "core/machine/machine_spec.h"
#include "core/schedules/schedule.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewalk::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t word();
  int64_t between(int64_t low, int64_t high) { return low + int64_t(word() % uint64_t(high - low + 1)); }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  double unit() { return double(word() >> 11) * 0x1p-53; }  // [0, 1)

 private:
  uint64_t state_;
};

enum class Scores { Ordinary, Equal, Huge, MinusInfinity };

struct Case {
  Problem problem;
  Inputs inputs;
  Scores scores = Scores::Ordinary;
};

// Small exact problems: ragged, one-row and one-column tiles, both masks and alignments, tiles larger than the problem,
// odd scales; equal scores, scores of 1e4 to 1e300, scores of -inf. The same number gives the same case everywhere.
Case make_case(uint64_t number);
std::string words_of(const Case& c);
std::string words_of(const Schedule& schedule, VariantId variant);

inline constexpr std::array kVariants{VariantId::Paper, VariantId::Kernel};

// N queries and N keys.
Problem square(int64_t n, int64_t d, int64_t br, int64_t bc, Mask mask = Mask::Full);

const MachineSpec& roomy();  // refuses nothing
MachineState run(const Schedule& schedule, const Plan& plan, const Inputs& inputs);

// The tiles of a row tensor in memory, put together: [n_q, cols]. A missing tile fails the test.
Matrix gathered(const TileTable& table, const Tiling& tiling, int64_t cols);

// All bits of a state, -0 and 0 apart.
uint64_t fingerprint(const MachineState& state);

}  // namespace tilewalk::test
