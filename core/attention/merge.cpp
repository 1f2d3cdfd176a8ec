#include "core/attention/merge.h"

#include "core/attention/reference.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// e^(m_old - m), 0 where nothing was seen before.
double rescale(double old, double now) { return old == kMinusInfinity ? 0 : std::exp(old - now); }

}  // namespace

RowPart merge(const RowPart& a, const RowPart& b) {
  RowPart out;
  out.m = std::max(a.m, b.m);
  const double alpha = rescale(a.m, out.m), beta = rescale(b.m, out.m);
  out.l = alpha * a.l + beta * b.l;
  out.o.resize(std::max(a.o.size(), b.o.size()));
  for (size_t c = 0; c < out.o.size(); ++c)
    out.o[c] = (c < a.o.size() ? alpha * a.o[c] : 0) + (c < b.o.size() ? beta * b.o[c] : 0);
  return out;
}

RowPart partial_of(const Problem& problem, const Inputs& inputs, int64_t row, int64_t first, int64_t last) {
  RowPart out;
  out.o.resize(size_t(inputs.v.cols));
  for (int64_t c = first; c < last; ++c) out.m = std::max(out.m, reference_score(problem, inputs, row, c));
  if (out.m == kMinusInfinity) return out;
  for (int64_t c = first; c < last; ++c) {
    const double p = std::exp(reference_score(problem, inputs, row, c) - out.m);
    out.l += p;
    for (int64_t e = 0; e < inputs.v.cols; ++e) out.o[size_t(e)] += p * inputs.v.at(c, e);
  }
  return out;
}

Share normalized(const RowPart& part) {
  Share out{part.o, kMinusInfinity};
  if (part.l == 0) {
    std::ranges::fill(out.o, 0.0);
    return out;
  }
  for (double& x : out.o) x /= part.l;
  out.lse = part.m + std::log(part.l);
  return out;
}

Merged merge(std::span<const Share> shares) {
  Merged out;
  double largest = kMinusInfinity;
  for (const Share& s : shares) {
    largest = std::max(largest, s.lse);
    out.share.o.resize(std::max(out.share.o.size(), s.o.size()));
  }
  double sum = 0;
  for (const Share& s : shares) sum += rescale(s.lse, largest);
  if (sum > 0) out.share.lse = largest + std::log(sum);
  for (const Share& s : shares) {
    out.weights.push_back(sum > 0 ? rescale(s.lse, largest) / sum : 0);
    for (size_t c = 0; c < s.o.size(); ++c) out.share.o[c] += out.weights.back() * s.o[c];
  }
  return out;
}

}  // namespace tilewalk
