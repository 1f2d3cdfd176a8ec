#include "core/model/dram.h"

#include "core/io/effort.h"
#include "core/kernel/launch_order.h"
#include "core/model/accesses.h"
#include "core/model/in_turns.h"
#include "core/model/l2_cache.h"
#include "core/schedules/count.h"

#include <algorithm>

namespace tilewalk {
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

// A thread block: sections of a head, one after the other.
struct Block {
  int64_t head;
  int64_t section, end;
  Accesses work;
  size_t turn = 0;
};

// Of all heads: what kMostL2Steps and kMostL2Bytes let through has fewer.
constexpr int64_t kMostL2Tiles = int64_t{1} << 25;

// Where tiles lie: a head's one behind the other, head behind head; those that are smaller than a chunk, such as a
// tile's statistics, behind all of these, a chunk each.
class Layout {
 public:
  // kMostL2Tiles tiles a head at most.
  Layout(const Schedule& schedule, const Plan& plan, const TileNumbers& numbers, int64_t tiles, int64_t heads)
      : heads_(heads), places_(size_t(tiles)) {
    Accesses all(plan, numbers);
    for (int64_t section = 0, end = schedule.sections(plan); section < end; ++section) {
      all.accesses.clear();
      all.turns.clear();
      schedule.emit(plan, section, all);
      for (const Access& access : all.accesses) {
        int32_t& bytes = places_[size_t(access.tile)];
        bytes = std::max(bytes, access.bytes);
      }
    }
    for (int32_t& tile : places_) {
      const int32_t bytes = tile;
      tile = int32_t(bytes < L2Cache::kChunk ? -++small_ : large_);
      if (tile >= 0) large_ += (bytes + L2Cache::kChunk - 1) / L2Cache::kChunk;
    }
  }

  int64_t chunks() const { return heads_ * (large_ + small_); }
  int64_t chunk(int64_t head, int64_t tile) const {
    const int32_t place = places_[size_t(tile)];
    return place >= 0 ? head * large_ + place : heads_ * large_ + head * small_ - place - 1;
  }

 private:
  int64_t heads_, large_ = 0, small_ = 0;  // chunks of a head
  std::vector<int32_t> places_;            // within the head; below zero: counted from -1 on, among the small ones
};

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
  if (total.steps > kMostL2Steps / heads || total.fill_bytes() + total.drain_bytes() > kMostL2Bytes / heads) {
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

  const TileNumbers numbers(plan.tiling, schedule.splits(plan));
  const int64_t tiles = schedule.scores_in_memory ? numbers.size() : numbers.without_scores();
  if (tiles > kMostL2Tiles / heads) {
    out.modelled = false;
    return out;
  }
  const Layout layout(schedule, plan, numbers, tiles, heads);
  spend(layout.chunks() / 8);
  L2Cache cache(spec.l2_bytes, spec.l2, layout.chunks());

  const auto advance = [&](Block& block, int multiprocessor) {
    while (block.turn == block.work.turns.size()) {
      if (block.section == block.end) return false;
      block.work.accesses.clear();
      block.work.turns.clear();
      block.turn = 0;
      schedule.emit(plan, block.section++, block.work);
    }
    size_t at = block.turn ? block.work.turns[block.turn - 1].end : 0;
    for (const size_t end = block.work.turns[block.turn].end; at < end; ++at) {
      const Access& access = block.work.accesses[at];
      spend(10 + 5 * (access.bytes / L2Cache::kChunk));  // units: what a chunk takes, about
      int64_t chunk = layout.chunk(block.head, access.tile);
      for (int32_t left = access.bytes; left > 0; left -= L2Cache::kChunk, ++chunk) {
        const int32_t bytes = std::min(left, L2Cache::kChunk);
        access.store ? cache.store(multiprocessor, chunk, bytes, access.adds)
                     : cache.load(multiprocessor, chunk, bytes);
      }
    }
    ++block.turn;
    return true;
  };

  for (size_t pass = 0; pass < schedule.passes.size(); ++pass) {
    const int64_t sections = begin[pass + 1] - begin[pass];
    if (sections == 0) continue;
    const int64_t per_block = schedule.section_is_block ? 1 : sections / plan.variant.blocks_of_head;
    const int64_t per_head = sections / per_block;
    const auto launch = [&](int64_t n) {
      const Launched block = launched_as(n, heads, per_head, order.group, order.rest_last);
      const int64_t first = begin[pass] + block.place * per_block;
      return Block{block.head, first, first + per_block, Accesses(plan, numbers)};
    };
    in_turns(heads * per_head, spec.multiprocessors, order.resident, launch, advance, order.ahead, order.turns_lost);
  }
  out.read_bytes = cache.read();
  out.written_bytes = cache.written();
  out.left_dirty_bytes = cache.dirty();
  return out;
}

}  // namespace tilewalk
