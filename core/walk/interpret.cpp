#include "core/walk/interpret.h"

#include <algorithm>
#include <optional>

namespace tilewalk {
namespace {

using Type = WalkNode::Type;

// The tiles of a loop, in the order in which it takes them.
struct Turns {
  int64_t begin = 0, apart = 1, count = 0;
  bool backwards = false;
  int64_t tile(int64_t n) const { return begin + (backwards ? count - 1 - n : n) * apart; }
};

bool backwards(const LoopHead& head, const Plan& plan) {
  return head.order == Order::LastToFirst || (head.order == Order::AsVariant && plan.variant.last_to_first);
}

Turns outer_turns(const LoopHead& head, const Plan& plan) {
  return {0, 1, head.axis == TileAxis::Queries ? plan.tiling.tr : plan.tiling.tc, backwards(head, plan)};
}

// Where a section stands.
struct Place {
  const WalkNest* nest;
  Turns outer;
  int64_t turn, block;  // of the outermost loop; of the head, or the split

  int64_t tile() const { return outer.tile(turn); }
};

// K/V tiles of a split, and how many splits have any.
int64_t split_tiles(int64_t asked, const Tiling& t) { return (t.tc + asked - 1) / asked; }
int64_t splits_made(int64_t asked, const Tiling& t) {
  return (t.tc + split_tiles(asked, t) - 1) / split_tiles(asked, t);
}

int64_t blocks_of(const WalkNest& nest, const Plan& plan) {
  if (const int64_t splits = nest.loop.loop.splits) return splits_made(splits, plan.tiling);
  return nest.shared ? plan.variant.blocks_of_head : 1;
}

Place place_of(const WalkProgram& program, const Plan& plan, int64_t section) {
  for (const WalkNest& nest : program.nests) {
    const Turns outer = outer_turns(nest.loop.loop, plan);
    const int64_t sections = outer.count * blocks_of(nest, plan);
    if (section < sections || &nest == &program.nests.back())
      return {&nest, outer, section % outer.count, section / outer.count};
    section -= sections;
  }
  return {};
}

// Q tiles that see no key come first.
int64_t unseeing_tiles(const Tiling& t) {
  if (!t.causal || t.visits(0) > 0) return 0;
  int64_t low = 0, high = t.tr;  // visits(low) == 0
  while (high - low > 1) (t.visits((low + high) / 2) == 0 ? low : high) = (low + high) / 2;
  return high;
}

Turns inner_turns(const LoopHead& head, int64_t splits, const Plan& plan, int64_t outer_tile, int64_t block) {
  const Tiling& t = plan.tiling;
  Turns turns{.backwards = backwards(head, plan)};
  if (head.axis == TileAxis::Keys) {
    turns.count = head.over_splits() ? splits_made(head.splits, t) : head.seen_only ? t.visits(outer_tile) : t.tc;
    if (!head.of_split) return turns;
    turns.begin = block * split_tiles(splits, t);
    turns.count = std::clamp<int64_t>(turns.count - turns.begin, 0, split_tiles(splits, t));
    return turns;
  }
  const int64_t from = head.seen_only ? t.first_row_tile(outer_tile) : 0;
  const int64_t end = head.unseeing ? unseeing_tiles(t) : t.tr;
  turns.apart = head.of_block ? plan.variant.blocks_of_head : 1;
  const int64_t first = head.of_block ? block : 0;
  turns.begin = from <= first ? first : first + (from - first + turns.apart - 1) / turns.apart * turns.apart;
  turns.count = turns.begin < end ? (end - turns.begin + turns.apart - 1) / turns.apart : 0;
  return turns;
}

class Taker {
 public:
  Taker(const Place& place, const Plan& plan, int64_t section, StepSink& sink)
      : place_(place), plan_(plan), t_(plan.tiling), sink_(sink), over_queries_(axis() == TileAxis::Queries) {
    step_.pass = place.nest->pass;
    step_.section = int32_t(section);
    stand_before(0);
  }

  void take(const std::vector<WalkNode>& nodes) {
    for (const WalkNode& node : nodes) {
      if (node.type == Type::Step)
        take(node);
      else if (node.type == Type::Loop)
        loop(node);
      else
        take(holds(node.when) ? node.body : node.otherwise);
    }
  }

 private:
  struct Visit {
    const WalkNode* loop;
    Turns turns;
    int64_t n = 0;
    int64_t alike_end = 0;  // turns from n up to here cost the same
  };

  TileAxis axis() const { return place_.nest->loop.loop.axis; }
  Turns turns_of(const LoopHead& loop) const {
    return inner_turns(loop, place_.nest->loop.loop.splits, plan_, place_.tile(), place_.block);
  }

  void at(int64_t outer, int64_t inner, int64_t visit, int64_t slot) {
    step_.i = int32_t(over_queries_ ? outer : inner);
    step_.j = int32_t(over_queries_ ? inner : outer);
    step_.visit = int32_t(visit);
    step_.slot = int32_t(slot);
  }

  // Before an inner loop: at its first tile. Without turns, at the first K/V tile or the last Q tile.
  void stand_before(size_t inner_loop) {
    int64_t inner = 0;
    if (inner_loop < place_.nest->inner.size()) {
      const Turns turns = turns_of(place_.nest->inner[inner_loop].loop);
      inner = turns.count ? turns.tile(0) : over_queries_ ? 0 : t_.tr - 1;
    }
    at(place_.tile(), inner, 0, 0);
  }

  // At turn `own` of the visited loop, taken in turn n.
  void stand_at(int64_t own) {
    const int64_t tile = visit_->turns.tile(own);
    if (visit_->loop->loop.unseeing) return at(0, tile, 0, 0);
    if (visit_->loop->loop.over_splits())
      return at(place_.tile(), tile * split_tiles(visit_->loop->loop.splits, t_), visit_->n, tile);
    at(place_.tile(), tile, visit_->n, place_.nest->woven ? own % 2 : place_.nest->keeps_row ? tile : 0);
  }

  void loop(const WalkNode& node) {
    visit_ = Visit{&node, turns_of(node.loop)};
    for (int64_t taken; visit_->n < visit_->turns.count; visit_->n += taken) {
      if (visit_->n >= visit_->alike_end) visit_->alike_end = visit_->n + alike();
      taken = sink_.fold(visit_->alike_end - visit_->n);
      stand_at(visit_->n);
      take(node.body);
    }
    visit_.reset();
    sink_.fold(1);
  }

  void take(const WalkNode& node) {
    using enum StepKind;
    int flags = node.flags;
    if (node.again && place_.turn > 0) flags |= Step::kAgain;
    if (visit_) {
      const int64_t n = visit_->n, own = n - node.before;
      if (own < 0) return;
      const bool first = first_at(own);
      if (first && node.kind == Rescale) return;  // O is still zero
      if (node.kind == Mask && !masked(own)) return;
      if (node.kind == DotP && n == 0) flags |= Step::kFresh;
      if (first && visit_->loop->streams) flags |= Step::kFirstVisit;
      if (node.before) stand_at(own);
      give(node, flags);
      if (node.before) stand_at(n);
      return;
    }
    if (node.partner >= 0) {
      const WalkNest::Inner& partner = place_.nest->inner[size_t(node.partner)];
      if (!node.after) stand_before(size_t(node.partner));
      if (node.needs_turn) {
        const int64_t turns = turns_of(partner.loop).count;
        if (turns == 0) return;
        if (node.after && turns == 1 && partner.streams && node.kind != Rescale) flags |= Step::kFirstVisit;
      }
    }
    if (node.kind == Mask && t_.kind(step_.i, step_.j) == TileKind::Full) return;
    give(node, flags);
  }

  void give(const WalkNode& node, int flags) {
    step_.kind = node.kind;
    step_.line = node.line;
    step_.flags = uint8_t(flags);
    const int32_t slot = step_.slot;
    if (is_part(node.kind) && place_.nest->loop.loop.splits) step_.slot = int32_t(place_.block);
    sink_.take(step_);
    step_.slot = slot;
  }

  int64_t tile_i(int64_t n) const { return over_queries_ ? place_.tile() : visit_->turns.tile(n); }
  int64_t tile_j(int64_t n) const { return over_queries_ ? visit_->turns.tile(n) : place_.tile(); }
  // Some key of the tile is hidden from some row: Tiling::kind without its divisions.
  bool masked(int64_t n) const {
    const int64_t i = tile_i(n), j = tile_j(n);
    return t_.causal && j * t_.bc + t_.cols(j) - 1 > t_.first_row(i) + t_.offset;
  }

  // Whether turn n is the first, or the last, at which its Q tile meets a K/V tile.
  bool first_at(int64_t n) const {
    if (over_queries_) return n == 0;
    if (!place_.outer.backwards) return place_.turn == 0;
    return place_.turn == t_.tc - seen(tile_i(n));
  }
  bool last_at(int64_t n) const {
    if (over_queries_) return n == visit_->turns.count - 1;
    return place_.turn == (place_.outer.backwards ? t_.tc : seen(tile_i(n))) - 1;
  }
  int64_t seen(int64_t i) const { return visit_->loop->loop.seen_only ? t_.visits(i) : t_.tc; }

  bool holds(When when) const {
    switch (when) {
      case When::FirstVisit: return first_at(visit_->n);
      case When::LastVisit: return last_at(visit_->n);
      case When::FirstTurn: return place_.turn == 0;
      case When::SeesKey: return t_.visits(visit_ ? tile_i(visit_->n) : place_.tile()) > 0;
    }
    return false;
  }

  // What the steps of a turn depend on: turns of equal keys take the same steps on tiles of equal sizes.
  uint64_t key_of(int64_t n) const {
    const auto sizes = [&](int64_t own) {
      return uint64_t(t_.rows(tile_i(own))) << 20 | uint64_t(t_.cols(tile_j(own))) << 4 | uint64_t(masked(own)) << 2 |
             uint64_t(first_at(own)) << 1 | uint64_t(last_at(own));
    };
    if (visit_->loop->loop.unseeing) return uint64_t(t_.rows(visit_->turns.tile(n)));
    if (visit_->loop->loop.over_splits()) return uint64_t(n == 0) << 1 | uint64_t(n == visit_->turns.count - 1);
    const uint64_t own = sizes(n) << 1 | uint64_t(n == 0);
    return place_.nest->woven && n > 0 ? own << 32 ^ sizes(n - 1) : own;
  }

  // How many turns from this one on have its key. Along a loop sizes, masks and visits change once at most, so that
  // turns between two of equal keys have it too.
  int64_t alike() const {
    const int64_t n = visit_->n, end = visit_->turns.count;
    const uint64_t key = key_of(n);
    if (n + 1 >= end || key_of(n + 1) != key) return 1;
    if (key_of(end - 1) == key) return end - n;
    int64_t same = n + 1, other = end - 1;
    while (other - same > 1) {
      const int64_t middle = same + (other - same) / 2;
      (key_of(middle) == key ? same : other) = middle;
    }
    return same - n + 1;
  }

  const Place& place_;
  const Plan& plan_;
  const Tiling& t_;
  StepSink& sink_;
  const bool over_queries_;
  Step step_;
  std::optional<Visit> visit_;
};

}  // namespace

int64_t walk_splits(const WalkProgram& program, const Plan& plan) {
  return program.splits ? splits_made(program.splits, plan.tiling) : 0;
}

int64_t walk_sections(const WalkProgram& program, const Plan& plan) {
  int64_t sections = 0;
  for (const WalkNest& nest : program.nests)
    sections += outer_turns(nest.loop.loop, plan).count * blocks_of(nest, plan);
  return sections;
}

uint64_t walk_shape(const WalkProgram& program, const Plan& plan, int64_t section) {
  const Place place = place_of(program, plan, section);
  const Tiling& t = plan.tiling;
  const uint64_t nest = uint64_t(place.nest - program.nests.data()) << 60;
  if (t.causal && place.nest->by_mask) return nest | uint64_t{1} << 59 | uint64_t(section);
  const uint64_t first = place.turn == 0, last = place.turn == place.outer.count - 1;
  const bool queries = place.nest->loop.loop.axis == TileAxis::Queries;
  uint64_t share = 0;  // of the Q tiles: how many the block has, and whether the ragged one
  if (place.nest->shared) {
    const int64_t blocks = plan.variant.blocks_of_head;
    share = uint64_t((t.tr - place.block + blocks - 1) / blocks) << 1 | uint64_t((t.tr - 1) % blocks == place.block);
  }
  if (const int64_t splits = place.nest->loop.loop.splits)
    share = uint64_t(place.block == splits_made(splits, t) - 1) + 1;
  return nest | first << 58 | last << 57 | share << 12 |
         uint64_t(queries ? t.rows(place.tile()) : t.cols(place.tile()));
}

void walk_section(const WalkProgram& program, const Plan& plan, int64_t section, StepSink& sink) {
  const Place place = place_of(program, plan, section);
  Taker(place, plan, section, sink).take(place.nest->loop.body);
}

}  // namespace tilewalk
