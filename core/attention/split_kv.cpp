#include "core/attention/split_kv.h"

#include "core/attention/tiling.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

std::vector<Split> splits_of(const Problem& problem, int64_t splits) {
  const Tiling t(problem);
  const int64_t tiles = (t.tc + std::max<int64_t>(1, splits) - 1) / std::max<int64_t>(1, splits);
  std::vector<Split> out;
  for (int64_t j = 0; j < t.tc; j += tiles) out.push_back({j * t.bc, std::min(t.n_k, (j + tiles) * t.bc)});
  return out;
}

SplitRow split_row(const Problem& problem, const Inputs& inputs, int64_t row, int64_t splits) {
  SplitRow out;
  out.splits = splits_of(problem, splits);
  for (const Split& s : out.splits) out.shares.push_back(normalized(partial_of(problem, inputs, row, s.first, s.last)));
  out.merged = merge(out.shares);
  return out;
}

SplitTraffic split_traffic(const Problem& problem, int64_t splits) {
  const Tiling t(problem);
  const auto parts = int64_t(splits_of(problem, splits).size());
  const int64_t element = bytes_of(problem.format), heads = problem.batch * problem.heads;
  const int64_t q = t.n_q * t.d * element, kv = 2 * t.tr * t.n_k * t.d * element;
  SplitTraffic out;
  out.split_loads = heads * (parts * q + kv);
  if (parts == 1) {
    out.split_stores = heads * (q + 4 * t.n_q);
    return out;
  }
  const int64_t partial = parts * t.n_q * (4 * t.d + 4);
  out.split_stores = out.merge_loads = heads * partial;
  out.merge_stores = heads * (q + 4 * t.n_q);
  return out;
}

int64_t split_blocks(const Problem& problem, int64_t splits) {
  return Tiling(problem).tr * problem.batch * problem.heads * int64_t(splits_of(problem, splits).size());
}

int64_t chosen_splits(const Problem& problem, int multiprocessors, int64_t most) {
  const Tiling t(problem);
  const int64_t blocks = t.tr * problem.batch * problem.heads;
  if (double(blocks) >= 0.8 * multiprocessors) return 1;
  most = std::min({most, int64_t(multiprocessors), t.tc});
  // A count that leaves the largest split as long as the one before gains nothing.
  const auto longer = [&](int64_t s) { return s == 1 || (t.tc + s - 1) / s != (t.tc + s - 2) / (s - 1); };
  const auto filled = [&](int64_t s) {
    const double waves = double(blocks * s) / multiprocessors;
    return waves / std::ceil(waves);
  };
  double best = 0;
  for (int64_t s = 1; s <= most; ++s)
    if (longer(s)) best = std::max(best, filled(s));
  for (int64_t s = 1; s <= most; ++s)
    if (longer(s) && filled(s) >= 0.85 * best) return s;
  return 1;
}

}  // namespace tilewalk
