#include "core/attention/fp8.h"

#include "core/attention/format.h"
#include "core/attention/input_bits.h"
#include "core/attention/reference.h"
#include "core/attention/tiling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace tilewalk {
namespace {

constexpr std::array<Fp8Method, 4> kMethods{{
    {"tensor", "one scale per tensor", false, false, 2.4e-2},
    {"tile", "one scale per tile", true, false, 2.4e-2},
    {"incoherent", "incoherent", false, true, 9.3e-3},
    {"both", "incoherent, one scale per tile", true, true, 9.1e-3},
}};

constexpr double kWeightScale = 256;  // P is at most 1: the upper half of e4m3's range, with room for nothing larger
constexpr uint64_t kSigns = 8;        // stream of the random signs

// In place, without the division by sqrt(d).
void hadamard(double* row, int64_t d) {
  for (int64_t half = 1; half < d; half *= 2)
    for (int64_t first = 0; first < d; first += 2 * half)
      for (int64_t c = first; c < first + half; ++c) {
        const double a = row[c], b = row[c + half];
        row[c] = a + b;
        row[c + half] = a - b;
      }
}

}  // namespace

std::span<const double> e4m3_values() {
  static const std::array<double, 127> values = [] {
    std::array<double, 127> out{};
    for (int bits = 0; bits < 127; ++bits) {
      const int exponent = bits >> 3, mantissa = bits & 7;
      out[size_t(bits)] = exponent ? std::ldexp(8 + mantissa, exponent - 10) : std::ldexp(mantissa, -9);
    }
    return out;
  }();
  return values;
}

std::span<const Fp8Method> fp8_methods() { return kMethods; }

Matrix rounded_to_e4m3(const Matrix& x, int64_t rows, std::vector<double>* scales) {
  Matrix out = x;
  for (int64_t first = 0; first < x.rows; first += rows) {
    double* begin = out.row(first);
    double* end = out.row(std::min(x.rows, first + rows));
    double largest = 0;
    for (double* v = begin; v != end; ++v) largest = std::max(largest, std::fabs(*v));
    const double scale = largest > 0 ? largest / kLargestE4M3 : 1;
    for (double* v = begin; v != end; ++v) *v = round_to(Format::E4M3, *v / scale) * scale;
    if (scales) scales->push_back(scale);
  }
  return out;
}

Matrix rotated(const Matrix& x, uint64_t seed) {
  if (!std::has_single_bit(uint64_t(x.cols))) throw std::invalid_argument("a Hadamard matrix needs d = 2, 4, 8, ...");
  Matrix out = x;
  const double shrink = 1 / std::sqrt(double(x.cols));
  for (int64_t r = 0; r < x.rows; ++r) {
    double* row = out.row(r);
    for (int64_t c = 0; c < x.cols; ++c)
      if (input_bits::word(input_bits::scatter(seed ^ uint64_t(c)), kSigns) & 1) row[c] = -row[c];
    hadamard(row, x.cols);
    for (int64_t c = 0; c < x.cols; ++c) row[c] *= shrink;
  }
  return out;
}

Matrix fp8_attention(const Problem& problem, const Inputs& inputs, const Fp8Method& method) {
  const Tiling tiling(problem);
  const auto round = [&](const Matrix& x, int64_t tile) { return rounded_to_e4m3(x, method.per_tile ? tile : x.rows); };
  const Matrix q = round(method.incoherent ? rotated(inputs.q, problem.seed) : inputs.q, problem.br);
  const Matrix k = round(method.incoherent ? rotated(inputs.k, problem.seed) : inputs.k, problem.bc);
  const Matrix v = round(inputs.v, problem.bc);

  // The inner loops run over contiguous columns, as in core/machine/arithmetic.cpp.
  Matrix kt(problem.d, problem.n_k);
  for (int64_t c = 0; c < problem.n_k; ++c)
    for (int64_t e = 0; e < problem.d; ++e) kt.at(e, c) = k.at(c, e) * problem.softmax_scale();
  Matrix o(problem.n_q, problem.d);
  std::vector<double> p(static_cast<size_t>(problem.n_k));
  for (int64_t r = 0; r < problem.n_q; ++r) {
    std::ranges::fill(p, 0.0);
    for (int64_t e = 0; e < problem.d; ++e)
      for (int64_t c = 0; c < problem.n_k; ++c) p[size_t(c)] += q.at(r, e) * kt.at(e, c);
    double m = kMinusInfinity, l = 0;
    for (int64_t c = 0; c < problem.n_k; ++c) {
      if (!tiling.visible(r, c)) p[size_t(c)] = kMinusInfinity;
      m = std::max(m, p[size_t(c)]);
    }
    if (m == kMinusInfinity) continue;  // every key is hidden: O = 0
    for (int64_t c = 0; c < problem.n_k; ++c) {
      const double weight = std::exp(p[size_t(c)] - m);
      l += weight;
      const double rounded = round_to(Format::E4M3, kWeightScale * weight) / kWeightScale;
      if (rounded == 0) continue;
      for (int64_t e = 0; e < problem.d; ++e) o.at(r, e) += rounded * v.at(c, e);
    }
    for (int64_t e = 0; e < problem.d; ++e) o.at(r, e) /= l;
  }
  return o;
}

double rmse(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (size_t k = 0; k < a.values.size(); ++k) sum += (a.values[k] - b.values[k]) * (a.values[k] - b.values[k]);
  return a.values.empty() ? 0 : std::sqrt(sum / double(a.values.size()));
}

std::shared_ptr<const Fp8Study> fp8_study(Distribution distribution, uint64_t seed) {
  constexpr size_t kMostKept = 32;
  static std::mutex mutex;
  static std::map<std::pair<Distribution, uint64_t>, std::shared_ptr<const Fp8Study>> kept;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find({distribution, seed}); found != kept.end()) return found->second;
  if (kept.size() >= kMostKept) kept.clear();
  auto study = std::make_shared<Fp8Study>();
  study->problem = {.n_q = 512, .n_k = 512, .d = 64, .br = 128, .bc = 128, .distribution = distribution, .seed = seed};
  study->inputs = generate_inputs(study->problem);
  const Matrix o = reference(study->problem, study->inputs).o;
  for (const Fp8Method& method : fp8_methods())
    study->rmse.push_back(rmse(fp8_attention(study->problem, study->inputs, method), o));
  return kept[{distribution, seed}] = std::move(study);
}

}  // namespace tilewalk
