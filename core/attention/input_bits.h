// The integer half of the input generator: which bits an element is made of. Everything is a constant expression over
// 64-bit integers and includes nothing but plain data, so that the simulator and CUDA code compile the same source and
// make the same Q, K and V. Elements come in units of 2^-16, before they are rounded to the problem's format.
#pragma once

#include "core/attention/problem.h"

#include <cstdint>

namespace tilewalk::input_bits {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters consecutive counters.
constexpr uint64_t scatter(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// A key for each row of each tensor, and from it one for each element. tensor: 0 is Q, 1 is K, 2 is V.
constexpr uint64_t row_key(uint64_t seed, uint64_t tensor, uint64_t batch, uint64_t head, uint64_t row) {
  uint64_t key = scatter(seed);
  key = scatter(key ^ (tensor + 1));
  key = scatter(key ^ batch);
  key = scatter(key ^ head);
  return scatter(key ^ row);
}
constexpr uint64_t element_key(uint64_t row_key, uint64_t col) { return scatter(row_key ^ col); }

// The random words of one element; `stream` keeps their uses apart.
constexpr uint64_t word(uint64_t key, uint64_t stream) { return scatter(key + scatter(stream)); }

// Twelve uniforms of 16 bits, four from each of three words, summed and centred: variance 1 after scaling by 2^-16.
constexpr int64_t nearly_normal(uint64_t key, uint64_t first_stream) {
  int64_t sum = 0;
  for (uint64_t s = 0; s < 3; ++s) {
    const uint64_t bits = word(key, first_stream + s);
    for (int part = 0; part < 4; ++part) sum += int64_t((bits >> (16 * part)) & 0xFFFF);
  }
  return sum - 6 * 65535;
}

// In units of 2^-16; below 2^23, so that float holds it exactly. Custom inputs are not generated; they count as Normal.
constexpr int64_t element(Distribution distribution, uint64_t key) {
  if (distribution == Distribution::SmallIntegers) return (int64_t(word(key, 0) % 5) - 2) * 65536;
  int64_t value = nearly_normal(key, 0);
  if (distribution == Distribution::Outliers && word(key, 6) % 1000 == 0) value += 10 * nearly_normal(key, 3);
  return value;
}

}  // namespace tilewalk::input_bits
