#include "core/model/l2.h"

#include "core/model/accesses.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tilewalk {
namespace {

constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

// Tiles in order of last use. The least recently used one gives way.
class Cache {
 public:
  // read, written: bytes that crossed to DRAM since the counters were last cleared.
  int64_t read = 0, written = 0;

  explicit Cache(int64_t capacity) : capacity_(capacity) { entries_.resize(1); }

  // True when the tile was there. `left(tile)` is told of every tile that is gone.
  template <class Left>
  bool touch(const Access& access, Left&& left) {
    const auto [tile, bytes, store, adds] = access;
    const size_t at = size_t(tile) + 1;
    if (tile >= std::numeric_limits<int32_t>::max()) throw std::length_error("tiles are numbered with 31 bits");
    if (at >= entries_.size()) entries_.resize(std::max(at + 1, entries_.size() * 2));
    if (bytes > capacity_) {  // passes through
      if (store) written += bytes;
      if (!store || adds) read += bytes;
      return false;
    }
    const bool there = entries_[at].bytes == bytes;
    if (there) {
      unlink(at);
    } else {
      if (!store || adds) read += bytes;
      used_ += bytes;
    }
    entries_[at].bytes = bytes;
    link(at);
    while (used_ > capacity_) evict(left);
    if (store) entries_[at].dirty = true;
    return there;
  }

  bool holds(int64_t tile) const { return size_t(tile) + 1 < entries_.size() && entries_[size_t(tile) + 1].bytes > 0; }

 private:
  // A ring through entry 0, which is no tile: its next is the tile used last, its previous the one that goes first.
  struct Entry {
    int32_t newer = 0, older = 0;
    int32_t bytes = 0;
    bool dirty = false;
  };

  void unlink(size_t at) {
    entries_[size_t(entries_[at].newer)].older = entries_[at].older;
    entries_[size_t(entries_[at].older)].newer = entries_[at].newer;
  }
  void link(size_t at) {
    const int32_t second = entries_[0].older;
    entries_[at].older = second;
    entries_[at].newer = 0;
    entries_[size_t(second)].newer = int32_t(at);
    entries_[0].older = int32_t(at);
  }

  template <class Left>
  void evict(Left&& left) {
    const size_t at = size_t(entries_[0].newer);
    Entry& oldest = entries_[at];
    if (oldest.dirty) written += oldest.bytes;
    used_ -= oldest.bytes;
    oldest.bytes = 0;
    oldest.dirty = false;
    unlink(at);
    left(int64_t(at) - 1);
  }

  int64_t capacity_, used_ = 0;
  std::vector<Entry> entries_;
};

int64_t splits_in(std::span<const Step> steps) {
  int64_t splits = 0;
  for (const Step& step : steps)
    if (is_part(step.kind)) splits = std::max<int64_t>(splits, step.slot + 1);
  return splits;
}

}  // namespace

L2Trace::L2Trace(std::span<const Step> steps, const Plan& plan, int64_t capacity_bytes)
    : numbers_(plan.tiling, splits_in(steps)) {
  Cache cache(capacity_bytes);
  std::vector<int32_t> stay_of;  // of each tile in L2, by number
  std::vector<int32_t> live;     // stays that may go on
  read_.reserve(steps.size() + 1);
  written_.reserve(steps.size() + 1);
  hit_.resize(steps.size());
  read_.push_back(0);
  written_.push_back(0);

  for (size_t index = 0; index < steps.size(); ++index) {
    const int64_t now = int64_t(index) + 1;
    bool all = true;
    each_access(steps[index], plan, numbers_, [&](const Access& access) {
      const bool was_there = cache.holds(access.tile);
      all &= cache.touch(access, [&](int64_t tile) { stays_[size_t(stay_of[size_t(tile)])].out = now; });
      if (!cache.holds(access.tile)) return;
      if (size_t(access.tile) >= stay_of.size()) stay_of.resize(size_t(access.tile) * 2 + 1);
      if (!was_there) {
        stay_of[size_t(access.tile)] = int32_t(stays_.size());
        live.push_back(int32_t(stays_.size()));
        stays_.push_back({int32_t(access.tile), access.bytes, now, kForever, kForever});
      }
      Stay& stay = stays_[size_t(stay_of[size_t(access.tile)])];
      if (access.store) stay.dirty_from = std::min(stay.dirty_from, now);
    });
    hit_[index] = all;
    read_.push_back(cache.read);
    written_.push_back(cache.written);

    // Snapshots are as far apart as they are large, so that all of them together take no more than the stays.
    const int64_t last = snapshots_.empty() ? 0 : snapshots_.back().next;
    const size_t apart = std::max<size_t>(64, snapshots_.empty() ? 0 : snapshots_.back().live.size());
    if (stays_.size() - size_t(last) > apart) {
      std::erase_if(live, [&](int32_t s) { return stays_[size_t(s)].out <= now; });
      snapshots_.push_back({int64_t(stays_.size()), live});
    }
  }

  by_tile_.resize(stays_.size());
  std::iota(by_tile_.begin(), by_tile_.end(), 0);
  std::stable_sort(by_tile_.begin(), by_tile_.end(),
                   [&](int32_t a, int32_t b) { return stays_[size_t(a)].tile < stays_[size_t(b)].tile; });
}

int64_t L2Trace::dram_read(int64_t step) const { return read_[size_t(step)]; }
int64_t L2Trace::dram_written(int64_t step) const { return written_[size_t(step)]; }

std::vector<L2Trace::Tile> L2Trace::contents(int64_t step) const {
  std::vector<Tile> tiles;
  const auto add = [&](int64_t index) {
    const Stay& stay = stays_[size_t(index)];
    if (step < stay.in || step >= stay.out) return;
    const TileNumbers::Name name = numbers_.name(stay.tile);
    tiles.push_back({name.tensor, name.i, name.j, step >= stay.dirty_from, stay.bytes, name.output});
  };

  // From the last snapshot whose stays have all begun, then those that begin after it.
  const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), step, [&](int64_t at, const Snapshot& s) {
    return at < stays_[size_t(s.next - 1)].in;
  });
  int64_t next = 0;
  if (after != snapshots_.begin()) {
    for (int32_t index : std::prev(after)->live) add(index);
    next = std::prev(after)->next;
  }
  for (; next < int64_t(stays_.size()) && stays_[size_t(next)].in <= step; ++next) add(next);
  return tiles;
}

bool L2Trace::holds(Tensor tensor, int32_t i, int32_t j, int64_t step) const {
  if (tensor == Tensor::Alpha) return false;
  for (bool output : {false, true}) {
    const int64_t tile = numbers_.of(tensor, i, j, output);
    const auto after = std::upper_bound(by_tile_.begin(), by_tile_.end(), std::pair(tile, step),
                                        [&](const std::pair<int64_t, int64_t>& wanted, int32_t index) {
                                          const Stay& stay = stays_[size_t(index)];
                                          return wanted < std::pair(int64_t(stay.tile), stay.in);
                                        });
    if (after == by_tile_.begin()) continue;
    const Stay& stay = stays_[size_t(*std::prev(after))];
    if (stay.tile == tile && step < stay.out) return true;
  }
  return false;
}

}  // namespace tilewalk
