#include "core/attention/ring.h"

#include "core/attention/reference.h"
#include "core/attention/tiling.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

std::vector<RowPart> ring_row(const Problem& problem, const Inputs& inputs, const RingLayout& layout, int64_t row) {
  const int64_t home = layout.device_of(row, problem.n_q);
  std::vector<RowPart> out(1);
  out[0].o.resize(size_t(inputs.v.cols));
  for (int64_t turn = 0; turn < layout.devices; ++turn) {
    const int64_t shard = shard_at(home, turn, layout.devices);
    RowPart part = out.back();
    for (int64_t key = 0; key < problem.n_k; ++key)
      if (layout.device_of(key, problem.n_k) == shard)
        part = merge(part, partial_of(problem, inputs, row, key, key + 1));
    out.push_back(std::move(part));
  }
  return out;
}

RingWork ring_work(const Problem& problem, const RingLayout& layout) {
  const Tiling t(problem);
  const auto p = size_t(layout.devices);
  RingWork out;
  out.work.assign(p, std::vector<int64_t>(p, 0));
  for (int64_t r = 0; r < t.n_q; ++r) {
    const int64_t home = layout.device_of(r, t.n_q);
    const int64_t sees = t.causal ? std::clamp(r + t.offset + 1, int64_t{0}, t.n_k) : t.n_k;
    // Keys 0 .. sees - 1 of each shard.
    for (int64_t turn = 0; turn < layout.devices; ++turn) {
      const int64_t shard = shard_at(home, turn, layout.devices), each = (t.n_k + layout.devices - 1) / layout.devices;
      const int64_t keys = layout.striped ? (sees - shard + layout.devices - 1) / layout.devices
                                          : std::clamp(sees - shard * each, int64_t{0}, each);
      out.work[size_t(turn)][size_t(home)] += std::max<int64_t>(0, keys);
    }
  }
  for (const auto& turn : out.work) {
    out.lasts += *std::ranges::max_element(turn);
    for (int64_t scores : turn) out.total += scores;
  }
  return out;
}

int64_t ring_bytes_of_device(const Problem& problem, int64_t devices) {
  const int64_t element = bytes_of(problem.format);
  const int64_t queries = (problem.n_q + devices - 1) / devices, keys = (problem.n_k + devices - 1) / devices;
  return (2 * queries + 2 * keys) * problem.d * element;
}

}  // namespace tilewalk
