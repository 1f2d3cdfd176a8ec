#include "core/attention/selected_blocks.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewalk {
namespace {

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
};

// What one chooser takes of `blocks`; how many there are is given back.
int64_t choose(int64_t blocks, Random random, std::array<int64_t, kChosenBlocks>& out) {
  int64_t count = 0;
  const auto add = [&](int64_t block) {
    if (std::find(out.begin(), out.begin() + count, block) == out.begin() + count) out[size_t(count++)] = block;
  };
  if (blocks <= kChosenBlocks) {
    for (int64_t block = 0; block < blocks; ++block) add(block);
    return count;
  }
  for (const int64_t block : {int64_t{0}, blocks - 1, blocks - 2}) add(block);
  while (count < kChosenBlocks) add(int64_t(random.next() % uint64_t(blocks)));
  return count;
}

}  // namespace

int64_t keys_seen(const BlockChoice& c, int64_t query) {
  return c.causal ? std::clamp<int64_t>(query + c.n_k - c.n_q + 1, 0, c.n_k) : c.n_k;
}

BlockLists choose_blocks(const BlockChoice& c) {
  BlockLists lists;
  lists.first.push_back(0);
  std::vector<std::pair<int64_t, uint32_t>> seen;  // block, heads
  std::array<int64_t, kChosenBlocks> chosen{};
  const uint32_t everyone = (1u << c.group) - 1;
  for (int64_t kv_head = 0; kv_head < c.kv_heads; ++kv_head)
    for (int64_t query = 0; query < c.n_q; ++query) {
      const int64_t blocks = (keys_seen(c, query) + kBlockKeys - 1) / kBlockKeys;
      seen.clear();
      for (int chooser = 0; chooser < (c.apart ? c.group : 1); ++chooser) {
        Random random{c.seed};
        random.state = random.next() + uint64_t((kv_head * c.n_q + query) * 16 + chooser);
        random.state = random.next();
        const int64_t count = choose(blocks, random, chosen);
        for (int64_t k = 0; k < count; ++k) seen.emplace_back(chosen[size_t(k)], c.apart ? 1u << chooser : everyone);
      }
      std::ranges::sort(seen, [](const auto& a, const auto& b) { return a.first > b.first; });
      for (size_t k = 0; k < seen.size(); ++k) {
        if (k == 0 || seen[k].first != seen[k - 1].first) lists.entries.push_back(uint32_t(seen[k].first));
        lists.entries.back() |= seen[k].second << 16;
      }
      lists.first.push_back(int32_t(lists.entries.size()));
    }
  return lists;
}

KeysLoaded keys_loaded(const BlockChoice& c, const BlockLists& lists) {
  KeysLoaded out;
  for (int64_t at = 0; at < c.kv_heads * c.n_q; ++at) {
    const int64_t keys = keys_seen(c, at % c.n_q);
    out.all += keys;
    for (int32_t k = lists.first[size_t(at)]; k < lists.first[size_t(at) + 1]; ++k)
      out.chosen += std::clamp<int64_t>(keys - int64_t(lists.entries[size_t(k)] & 0xFFFF) * kBlockKeys, 0, kBlockKeys);
  }
  return out;
}

}  // namespace tilewalk
