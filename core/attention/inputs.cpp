#include "core/attention/inputs.h"

#include "core/attention/input_bits.h"

#include <fmt/format.h>

#include <bit>

namespace tilewalk {
namespace {

Matrix generate(const Problem& p, InputTensor tensor, int64_t rows, int64_t batch, int64_t head) {
  Matrix m(rows, p.d);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < p.d; ++c) m.at(r, c) = generated_element(p, tensor, batch, head, r, c);
  return m;
}

}  // namespace

double generated_element(const Problem& p, InputTensor tensor, int64_t batch, int64_t head, int64_t row, int64_t col) {
  const uint64_t key = input_bits::row_key(p.seed, uint64_t(tensor), uint64_t(batch), uint64_t(head), uint64_t(row));
  const int64_t fixed = input_bits::element(p.distribution, input_bits::element_key(key, uint64_t(col)));
  return round_to(p.format, double(fixed) * 0x1p-16);  // exact until it is rounded
}

Inputs generate_inputs(const Problem& p, int64_t batch, int64_t head) {
  return {generate(p, InputTensor::Q, p.n_q, batch, head),
          generate(p, InputTensor::K, p.n_k, batch, head),
          generate(p, InputTensor::V, p.n_k, batch, head),
          fmt::format("{}, seed {}", name_of(p.distribution), p.seed),
          {}};
}

void round_inputs(Inputs& inputs, Format format) {
  for (Matrix* m : {&inputs.q, &inputs.k, &inputs.v, &inputs.d_o})
    for (double& x : m->values) x = round_to(format, x);
}

uint64_t hash_of(const Inputs& inputs) {
  uint64_t hash = 0;
  for (const Matrix* m : {&inputs.q, &inputs.k, &inputs.v}) {
    hash = input_bits::scatter(hash ^ uint64_t(m->rows));
    hash = input_bits::scatter(hash ^ uint64_t(m->cols));
    for (double x : m->values) hash = input_bits::scatter(hash ^ std::bit_cast<uint64_t>(x == 0 ? 0.0 : x));
  }
  return hash;
}

}  // namespace tilewalk
