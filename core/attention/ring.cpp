#include "core/attention/ring.h"

#include "core/attention/reference.h"
#include "core/attention/tiling.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 3> kSplits{"shards", "striped", "zigzag"};

int64_t part_of(int64_t tokens, int64_t parts) { return (tokens + parts - 1) / parts; }

}  // namespace

std::string_view name_of(RingSplit split) { return kSplits[size_t(split)]; }
std::optional<RingSplit> ring_split_named(std::string_view name) {
  for (size_t k = 0; k < kSplits.size(); ++k)
    if (kSplits[k] == name) return RingSplit(k);
  return std::nullopt;
}

int64_t RingLayout::device_of(int64_t token, int64_t tokens) const {
  if (split == RingSplit::Striped) return token % devices;
  if (split == RingSplit::Shards) return token / part_of(tokens, devices);
  const int64_t part = token / part_of(tokens, 2 * devices);
  return std::min(part, 2 * devices - 1 - part);
}

int64_t RingLayout::tokens_of(int64_t device, int64_t count, int64_t tokens) const {
  if (split == RingSplit::Striped) return std::max<int64_t>(0, (count - device + devices - 1) / devices);
  const auto within = [&](int64_t part, int64_t each) {
    return std::clamp(std::min(count, tokens) - part * each, int64_t{0}, each);
  };
  if (split == RingSplit::Shards) return within(device, part_of(tokens, devices));
  const int64_t each = part_of(tokens, 2 * devices);
  return within(device, each) + within(2 * devices - 1 - device, each);
}

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
      const int64_t keys = layout.tokens_of(shard_at(home, turn, layout.devices), sees, t.n_k);
      out.work[size_t(turn)][size_t(home)] += keys;
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
