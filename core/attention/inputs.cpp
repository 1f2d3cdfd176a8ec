#include "core/attention/inputs.h"

#include <fmt/format.h>

#include <bit>

namespace tilewalk {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters consecutive counters.
uint64_t scatter(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Four words a use; `stream` keeps the uses of one element apart.
struct Counter {
  uint64_t key;
  uint64_t word(uint64_t stream) const { return scatter(key + scatter(stream)); }
};

Counter counter_of(uint64_t seed, InputTensor tensor, int64_t batch, int64_t head, int64_t row, int64_t col) {
  uint64_t key = scatter(seed);
  key = scatter(key ^ (uint64_t(tensor) + 1));
  key = scatter(key ^ uint64_t(batch));
  key = scatter(key ^ uint64_t(head));
  key = scatter(key ^ uint64_t(row));
  key = scatter(key ^ uint64_t(col));
  return {key};
}

// Twelve uniforms of 16 bits, summed: mean 12 * 65535 / 2, variance 1 after scaling by 2^-16. Exact in double.
double nearly_normal(const Counter& counter, uint64_t first_stream) {
  int64_t sum = 0;
  for (uint64_t s = 0; s < 3; ++s) {
    const uint64_t word = counter.word(first_stream + s);
    for (int part = 0; part < 4; ++part) sum += int64_t((word >> (16 * part)) & 0xFFFF);
  }
  return double(sum - 6 * 65535) * 0x1p-16;
}

Matrix generate(const Problem& p, InputTensor tensor, int64_t rows, int64_t batch, int64_t head) {
  Matrix m(rows, p.d);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < p.d; ++c) m.at(r, c) = generated_element(p, tensor, batch, head, r, c);
  return m;
}

}  // namespace

double generated_element(const Problem& p, InputTensor tensor, int64_t batch, int64_t head, int64_t row, int64_t col) {
  const Counter counter = counter_of(p.seed, tensor, batch, head, row, col);
  double value = 0;
  switch (p.distribution) {
    case Distribution::Normal:
    case Distribution::Custom: value = nearly_normal(counter, 0); break;
    case Distribution::Outliers:
      value = nearly_normal(counter, 0);
      if (counter.word(6) % 1000 == 0) value += 10 * nearly_normal(counter, 3);
      break;
    case Distribution::SmallIntegers: value = double(counter.word(0) % 5) - 2; break;
  }
  return round_to(p.format, value);
}

Inputs generate_inputs(const Problem& p, int64_t batch, int64_t head) {
  return {generate(p, InputTensor::Q, p.n_q, batch, head), generate(p, InputTensor::K, p.n_k, batch, head),
          generate(p, InputTensor::V, p.n_k, batch, head), fmt::format("{}, seed {}", name_of(p.distribution), p.seed)};
}

void round_inputs(Inputs& inputs, Format format) {
  for (Matrix* m : {&inputs.q, &inputs.k, &inputs.v})
    for (double& x : m->values) x = round_to(format, x);
}

uint64_t hash_of(const Inputs& inputs) {
  uint64_t hash = 0;
  for (const Matrix* m : {&inputs.q, &inputs.k, &inputs.v}) {
    hash = scatter(hash ^ uint64_t(m->rows));
    hash = scatter(hash ^ uint64_t(m->cols));
    for (double x : m->values) hash = scatter(hash ^ std::bit_cast<uint64_t>(x == 0 ? 0.0 : x));
  }
  return hash;
}

}  // namespace tilewalk
