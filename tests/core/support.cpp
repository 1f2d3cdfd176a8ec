#include "tests/core/support.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace tilewalk::test {

uint64_t Random::word() {  // SplitMix64
  uint64_t x = state_ += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

Case make_case(uint64_t number) {
  Random random(number);
  Case c;
  Problem& p = c.problem;
  p.seed = number;
  p.n_q = random.one_in(8) ? 1 : random.between(1, 21);
  p.n_k = random.one_in(3) ? p.n_q : random.one_in(8) ? 1 : random.between(1, 21);
  p.d = random.one_in(6) ? 1 : random.between(2, 9);
  p.br = random.one_in(5) ? 1 : random.between(2, 8);
  p.bc = random.one_in(5) ? 1 : random.between(2, 8);
  if (random.one_in(10)) p.br = p.n_q + random.between(0, 5);
  if (random.one_in(10)) p.bc = p.n_k + random.between(0, 5);
  p.mask = random.one_in(2) ? Mask::Causal : Mask::Full;
  p.align = random.one_in(2) ? CausalAlign::TopLeft : CausalAlign::BottomRight;
  p.format = random.one_in(2) ? Format::Float64 : Format::Float16;
  p.distribution = random.one_in(4) ? Distribution::SmallIntegers : Distribution::Normal;
  if (random.one_in(5)) p.scale = random.one_in(3) ? -0.7 : random.one_in(2) ? 1e-9 : 1.5;

  c.inputs = generate_inputs(p);
  c.scores = Scores(random.one_in(2) ? 0 : random.between(1, 3));
  if (c.scores == Scores::Equal) {
    for (int64_t r = 1; r < p.n_k; ++r)
      for (int64_t e = 0; e < p.d; ++e) c.inputs.k.at(r, e) = c.inputs.k.at(0, e);
  }
  if (c.scores == Scores::Huge) {
    const double factor = std::pow(10, 4 + 296 * random.unit());
    for (double& x : c.inputs.k.values) x *= factor;
  }
  if (c.scores == Scores::MinusInfinity) {  // q . k = -inf for every q when all of q lies above 0 and k holds a -inf
    p.scale = std::fabs(p.scale);
    for (double& x : c.inputs.q.values) x = std::fabs(x) + 0.125;
    const int64_t odds = random.one_in(8) ? 1 : random.between(2, 4);
    for (int64_t r = 0; r < p.n_k; ++r)
      if (random.one_in(odds)) c.inputs.k.at(r, random.between(0, p.d - 1)) = -std::numeric_limits<double>::infinity();
  }
  return c;
}

std::string words_of(const Case& c) {
  const Problem& p = c.problem;
  constexpr const char* kScores[] = {"ordinary", "equal", "huge", "-inf"};
  return fmt::format("case {}: N_q {} N_k {} d {} Br {} Bc {} {} {}, scale {}, {} scores", p.seed, p.n_q, p.n_k, p.d,
                     p.br, p.bc, name_of(p.mask), name_of(p.align), p.scale, kScores[int(c.scores)]);
}

std::string words_of(const Schedule& schedule, VariantId variant) {
  return fmt::format("{}, {}", schedule.key, name_of(variant));
}

Problem square(int64_t n, int64_t d, int64_t br, int64_t bc, Mask mask) {
  return {.n_q = n, .n_k = n, .d = d, .br = br, .bc = bc, .mask = mask};
}

const MachineSpec& roomy() {
  static const MachineSpec spec{"roomy", "Roomy", int64_t{1} << 60, 0, false, int64_t{1} << 60, 1, "tests"};
  return spec;
}

MachineState run(const Schedule& schedule, const Plan& plan, const Inputs& inputs) {
  const Machine machine(schedule, plan, roomy(), inputs);
  MachineState state = machine.start();
  for (const Step& step : steps_of(schedule, plan)) machine.apply(state, step);
  return state;
}

Matrix gathered(const TileTable& table, const Tiling& t, int64_t cols) {
  Matrix all(t.n_q, cols);
  for (int64_t i = 0; i < t.tr; ++i) {
    const TilePtr tile = table.get(i);
    REQUIRE(tile);
    REQUIRE(tile->rows == t.rows(i));
    REQUIRE(tile->cols == cols);
    for (int64_t r = 0; r < tile->rows; ++r)
      for (int64_t c = 0; c < cols; ++c) all.at(i * t.br + r, c) = tile->at(r, c);
  }
  return all;
}

uint64_t fingerprint(const MachineState& state) {
  uint64_t hash = 14695981039346656037u;
  const auto add = [&](uint64_t word) { hash = std::rotl((hash ^ word) * 0x9E3779B97F4A7C15u, 29); };
  const auto add_tile = [&](const TilePtr& tile) {
    add(tile ? 1 : 0);
    if (!tile) return;
    add(uint64_t(tile->rows));
    add(uint64_t(tile->cols));
    for (double x : tile->values) add(std::bit_cast<uint64_t>(x));
  };
  for (const Resident& r : state.chip) {
    for (int64_t x : {int64_t(r.tensor), int64_t(r.slot), int64_t(r.i), int64_t(r.j), int64_t(r.level), r.bytes})
      add(uint64_t(x));
    add_tile(r.data);
  }
  for (int64_t x :
       {state.sram_used, state.registers_used, int64_t(state.block_pass), int64_t(state.block_section), state.step})
    add(uint64_t(x));
  for (Tensor tensor : kStored) {
    const TileTable* table = state.memory(tensor);
    add(table->chunks().size());
    for (size_t index = 0; index < table->chunks().size() * TileTable::kChunk; ++index)
      add_tile(table->get(int64_t(index)));
  }
  const Meters& m = state.meters;
  for (size_t t = 0; t < kTensorCount; ++t) {
    add(uint64_t(m.loaded[t]));
    add(uint64_t(m.stored[t]));
  }
  for (int64_t x :
       {m.paper_loaded, m.paper_stored, m.operand_bytes, m.matrix_flop, m.vector_flop, m.exponentials, m.steps})
    add(uint64_t(x));
  return hash;
}

}  // namespace tilewalk::test
