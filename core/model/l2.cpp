#include "core/model/l2.h"

#include "core/machine/cost.h"
#include "core/schedules/count.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace tilewalk {
namespace {

constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
constexpr int32_t kChunkBytes = 4096;

// One tile read from L2 or written to it.
struct Access {
  int64_t tile;  // number within the head, or over all heads
  int32_t bytes;
  bool store;
  bool adds = false;  // a store that needs the old value: an atomic add
};

// Calls visit(access) for every tile that a step moves.
template <class Visit>
void each_access(const Step& step, const Plan& plan, const TileNumbers& numbers, Visit&& visit) {
  for (Tensor tensor : moved_tensors(step.kind)) {
    if (tensor == kNoTensor) continue;
    const int64_t bytes = shape_of(tensor, step.i, step.j, plan.tiling).elements() * memory_bytes(tensor, step, plan);
    visit(Access{numbers.of(tensor, step.i, step.j, step.has(Step::kOutput)), int32_t(bytes),
                 info_of(step.kind).engine == Engine::Store, step.kind == StepKind::AddDQ});
  }
}

// Tiles in order of last use. The least recently used one gives way, `grain` bytes at a time; so only that one is ever
// there in part.
class Cache {
 public:
  // read, written: bytes that crossed to DRAM since the counters were last cleared.
  int64_t read = 0, written = 0;

  Cache(int64_t capacity, int32_t grain) : capacity_(capacity), grain_(grain) { entries_.resize(1); }

  // True when the tile was there as a whole. `left(tile)` is told of every tile that is gone.
  template <class Left>
  bool touch(const Access& access, Left&& left) {
    const auto [tile, bytes, store, adds] = access;
    const size_t at = size_t(tile) + 1;
    if (at >= entries_.size()) entries_.resize(std::max(at + 1, entries_.size() * 2));
    if (bytes > capacity_) {  // passes through
      if (store) written += bytes;
      if (!store || adds) read += bytes;
      return false;
    }
    const bool whole = entries_[at].bytes == bytes;
    if (whole) {
      unlink(at);
    } else {
      // What is left of a tile is what goes next: its own missing chunks push it out before they come to it.
      while (entries_[at].bytes > 0) evict(left);
      if (!store || adds) read += bytes;
      used_ += bytes;
    }
    entries_[at].bytes = bytes;
    link(at);
    while (used_ > capacity_) evict(left);
    if (store) entries_[at].dirty = bytes;
    return whole;
  }

  bool holds(int64_t tile) const { return size_t(tile) + 1 < entries_.size() && entries_[size_t(tile) + 1].bytes > 0; }

  int64_t dirty_bytes() const {
    return std::accumulate(entries_.begin(), entries_.end(), int64_t{0},
                           [](int64_t sum, const Entry& e) { return sum + e.dirty; });
  }

 private:
  // A ring through entry 0, which is no tile: its next is the tile used last, its previous the one that goes first.
  struct Entry {
    int32_t newer = 0, older = 0;
    int32_t bytes = 0, dirty = 0;
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
    const int32_t bytes = std::min(grain_, oldest.bytes);
    const int32_t dirty = std::min(bytes, oldest.dirty);
    oldest.bytes -= bytes;
    oldest.dirty -= dirty;
    used_ -= bytes;
    written += dirty;
    if (oldest.bytes > 0) return;
    unlink(at);
    left(int64_t(at) - 1);
  }

  int64_t capacity_, used_ = 0;
  int32_t grain_;
  std::vector<Entry> entries_;
};

}  // namespace

L2Trace::L2Trace(std::span<const Step> steps, const Plan& plan, int64_t capacity_bytes) : numbers_(plan.tiling) {
  Cache cache(capacity_bytes, std::numeric_limits<int32_t>::max());
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

namespace {

// Collects what the steps of a section move, in turns of one K/V tile.
class Accesses : public StepSink {
 public:
  struct Turn {
    size_t end;  // of its accesses
    int32_t visit;
  };
  Accesses(const Plan& plan, const TileNumbers& numbers) : plan_(&plan), numbers_(&numbers) {}

  void take(const Step& step) override {
    if (turns.empty() || turns.back().visit != step.visit) turns.push_back({accesses.size(), step.visit});
    each_access(step, *plan_, *numbers_, [&](Access access) {
      const bool p = step.kind == StepKind::LoadP || step.kind == StepKind::StoreP;
      if (p && plan_->variant.p_over_s) access.tile = numbers_->of(Tensor::S, step.i, step.j, false);
      accesses.push_back(access);
    });
    turns.back().end = accesses.size();
  }

  std::vector<Access> accesses;
  std::vector<Turn> turns;

 private:
  const Plan* plan_;
  const TileNumbers* numbers_;
};

// A thread block that is resident on a multiprocessor.
struct Block {
  int64_t first_tile;  // of its head
  int64_t section, end;
  Accesses work;
  size_t turn = 0;
};

// Which block of which head is launched as number `n`.
struct Launched {
  int64_t head, place;
};
Launched launched_as(int64_t n, int64_t heads, int64_t per_head, int64_t group) {
  if (group == 0) return {n / per_head, n % per_head};
  const int64_t first = n / (group * per_head) * group, within = n % (group * per_head);
  const int64_t size = std::min(group, heads - first);
  return {first + within % size, per_head - 1 - within / size};
}

// Which pass a section belongs to; none when it takes no step.
class PassOf : public StepSink {
 public:
  void take(const Step& step) override { pass = step.pass; }
  int64_t fold(int64_t alike) override { return alike; }
  int pass = -1;
};

}  // namespace

DramEstimate estimate_dram(const Schedule& schedule, const Plan& plan, const MachineSpec& spec,
                           const LaunchOrder& order) {
  DramEstimate out;
  const int64_t heads = plan.problem.batch * plan.problem.heads;
  const Meters total = count(schedule, plan).total;
  if (total.steps > kMostL2Steps / heads) {
    out.modelled = false;
    return out;
  }

  // Sections of each pass: [begin[pass], begin[pass + 1]).
  std::vector<int64_t> begin(schedule.passes.size() + 1, schedule.sections(plan));
  for (int64_t section = schedule.sections(plan) - 1; section >= 0; --section) {
    PassOf sink;
    schedule.emit(plan, section, sink);
    for (int pass = 0; pass <= sink.pass; ++pass) begin[size_t(pass)] = section;
  }

  const TileNumbers numbers(plan.tiling);
  const int64_t tiles = schedule.scores_in_memory ? numbers.size() : numbers.without_scores();
  Cache cache(spec.l2_bytes, kChunkBytes);

  // One turn of a block; false when there is none left.
  const auto advance = [&](Block& block) {
    while (block.turn == block.work.turns.size()) {
      if (block.section == block.end) return false;
      block.work.accesses.clear();
      block.work.turns.clear();
      block.turn = 0;
      schedule.emit(plan, block.section++, block.work);
    }
    size_t at = block.turn ? block.work.turns[block.turn - 1].end : 0;
    for (const size_t end = block.work.turns[block.turn].end; at < end; ++at) {
      Access access = block.work.accesses[at];
      access.tile += block.first_tile;  // over all heads
      cache.touch(access, [](int64_t) {});
    }
    ++block.turn;
    return true;
  };

  for (size_t pass = 0; pass < schedule.passes.size(); ++pass) {
    const int64_t sections = begin[pass + 1] - begin[pass];
    if (sections == 0) continue;
    const int64_t per_block = schedule.section_is_block ? 1 : sections, per_head = sections / per_block;
    int64_t launched = 0;
    const auto launch = [&] {
      const Launched block = launched_as(launched++, heads, per_head, order.group);
      const int64_t first = begin[pass] + block.place * per_block;
      return Block{block.head * tiles, first, first + per_block, Accesses(plan, numbers)};
    };

    std::vector<Block> resident;
    const int64_t room = int64_t(spec.multiprocessors) * order.resident;
    while (launched < heads * per_head && int64_t(resident.size()) < room) resident.push_back(launch());
    while (!resident.empty()) {
      for (Block& block : resident) {
        while (!advance(block)) {
          if (launched == heads * per_head) {
            block.first_tile = -1;  // gone
            break;
          }
          block = launch();
        }
      }
      std::erase_if(resident, [](const Block& block) { return block.first_tile < 0; });
    }
  }
  out.read_bytes = cache.read;
  out.written_bytes = cache.written;
  out.left_dirty_bytes = cache.dirty_bytes();
  return out;
}

}  // namespace tilewalk
