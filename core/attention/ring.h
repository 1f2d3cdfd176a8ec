// Ring Attention (arXiv:2310.01889): each of P devices keeps its shard of Q, and the shards of K and V go round. After
// P turns every query has met every key, and the parts were merged on the way.
#pragma once

#include "core/attention/merge.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewalk {

// Which device a token belongs to: shards of neighbours; striped, every P-th token (arXiv:2311.09431); or zigzag, of 2
// P parts of neighbours the p-th and the p-th from the end, as kernels take it, which work on neighbours.
enum class RingSplit : uint8_t { Shards, Striped, Zigzag };
std::string_view name_of(RingSplit split);  // "shards", "striped", "zigzag"
std::optional<RingSplit> ring_split_named(std::string_view name);

struct RingLayout {
  int64_t devices = 4;
  RingSplit split = RingSplit::Shards;
  int64_t device_of(int64_t token, int64_t tokens) const;
  // Of the first `count` tokens, those that the device has.
  int64_t tokens_of(int64_t device, int64_t count, int64_t tokens) const;
};

// The shard of K and V that `device` works on in turn `turn`, 0 .. P - 1: first its own, then its neighbours'.
constexpr int64_t shard_at(int64_t device, int64_t turn, int64_t devices) {
  return ((device - turn) % devices + devices) % devices;
}

// Query row `row` after 0 .. P turns: P + 1 parts, the last one whole.
std::vector<RowPart> ring_row(const Problem& problem, const Inputs& inputs, const RingLayout& layout, int64_t row);

// Scores that device p computes in turn h: work[h][p]. The turn lasts as long as its busiest device.
struct RingWork {
  std::vector<std::vector<int64_t>> work;  // [P][P]
  int64_t total = 0, lasts = 0;            // scores in all; scores of the busiest device, summed over the turns
  double busy() const { return lasts ? double(total) / (double(lasts) * double(work.size())) : 0; }
};
RingWork ring_work(const Problem& problem, const RingLayout& layout);

int64_t ring_bytes_of_device(const Problem& problem, int64_t devices);  // Q, K, V, O shards of one head on one device

}  // namespace tilewalk
