#include "core/walk/derive.h"

#include "core/machine/cost.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

using enum StepKind;
using Type = WalkNode::Type;
using Nodes = std::vector<WalkNode>;

Touched touched_by(const WalkNode& node) {
  Step step;
  step.kind = node.kind;
  step.flags = node.flags;
  return tilewalk::touched_by(step);
}

// Every step below these nodes, in the order of the lines.
template <class Visit>
void each_step(const Nodes& nodes, Visit&& visit) {
  for (const WalkNode& node : nodes) {
    if (node.type == Type::Step) visit(node);
    each_step(node.body, visit);
    each_step(node.otherwise, visit);
  }
}
template <class Which>
bool any_step(const Nodes& nodes, Which&& which) {
  bool any = false;
  each_step(nodes, [&](const WalkNode& node) { any = any || which(node); });
  return any;
}

bool is(const WalkNode& node, StepKind kind) { return node.kind == kind; }
bool streams(const WalkNode& node) {
  return is(node, MergeMax) || (is(node, RowMax) && !(node.flags & Step::kFinalMax));
}
bool moves(const WalkNode& node, Engine engine, Tensor tensor) {
  const auto moved = moved_tensors(node.kind);
  return !is_part(node.kind) && info_of(node.kind).engine == engine && (moved[0] == tensor || moved[1] == tensor);
}
bool reads_scores(const WalkNode& node) { return is(node, RowMax) || is(node, Exponentiate) || is(node, Recompute); }

class Deriver {
 public:
  explicit Deriver(WalkProgram& program) : program_(program) {}

  std::optional<WalkFault> derive() {
    try {
      for (WalkNest& nest : program_.nests) derive(nest);
      for (size_t n = 0; n < program_.nests.size(); ++n) settle_output(n, program_.nests[n].loop.body, false, false);
      return std::nullopt;
    } catch (const WalkFault& fault) {
      return fault;
    }
  }

 private:
  struct Around {
    const WalkNode* inner = nullptr;  // the loop within the nest's, if any
    int partner = -1;                 // of what stands in no inner loop
    bool after = false;
  };

  [[noreturn]] void refuse(const WalkNode& node, std::string message) const {
    throw WalkFault{program_.source_line[node.line], 1, std::move(message)};
  }

  void derive(WalkNest& nest) {
    const LoopHead& head = nest.loop.loop;
    if (head.seen_only || head.unseeing || head.of_block)
      refuse(nest.loop, "a loop that stands in no other goes over all tiles.");
    if (head.parallel != program_.parallel())
      refuse(nest.loop, "either every outermost loop is in parallel, or none is.");
    if (head.splits && head.axis == TileAxis::Keys)
      refuse(nest.loop, "splits are of one Q tile's keys: this loop stands in one over Q tiles.");
    splits(nest.loop);
    masks(nest);
    loops_in(nest.loop.body, [&](const WalkNode& loop) {
      splits(loop);
      nest.inner.push_back({loop.loop, any_step(loop.body, streams)});
    });
    int at = 0;
    shape(nest, nest.loop.body, {}, at);
    const auto scores_move = [](const WalkNode& node) {
      const auto moved = moved_tensors(node.kind);
      return moved[0] != kNoTensor && is_scores(moved[0]);
    };
    if (any_step(nest.loop.body, scores_move)) again(nest.loop.body, head.axis, false);
    nest.woven = any_step(nest.loop.body, [](const WalkNode& node) { return node.before; });
    nest.keeps_row = keeps_row(nest);
    nest.by_mask |= any_step(nest.loop.body, [](const WalkNode& node) { return is(node, Mask); });
    max_forms(nest);
  }

  // All loops of a program know the same splits.
  void splits(const WalkNode& loop) {
    if (!loop.loop.splits) return;
    if (program_.splits && program_.splits != loop.loop.splits)
      refuse(loop, fmt::format("the keys are cut into {} splits above, and into {} here.", program_.splits,
                               loop.loop.splits));
    program_.splits = loop.loop.splits;
  }

  // A mask hides keys wherever a nest makes or loads scores for the softmax, unless a line says where.
  void masks(WalkNest& nest) {
    if (!any_step(nest.loop.body, reads_scores)) return;
    if (any_step(nest.loop.body, [](const WalkNode& node) { return is(node, Mask); })) return;
    mask_in(nest.loop.body);
  }
  static void mask_in(Nodes& nodes) {
    for (size_t k = 0; k < nodes.size(); ++k) {
      mask_in(nodes[k].body);
      mask_in(nodes[k].otherwise);
      if (nodes[k].type != Type::Step || !(is(nodes[k], Score) || is(nodes[k], LoadS))) continue;
      WalkNode mask = nodes[k];
      mask.kind = Mask;
      nodes.insert(nodes.begin() + std::ptrdiff_t(k) + 1, std::move(mask));
    }
  }

  template <class Visit>
  static void loops_in(const Nodes& nodes, Visit&& visit) {
    for (const WalkNode& node : nodes) {
      if (node.type == Type::Loop) visit(node);
      if (node.type == Type::Condition) loops_in(node.body, visit), loops_in(node.otherwise, visit);
    }
  }

  // Loops, conditions and the tiles that steps name; `at` counts the inner loops met.
  void shape(WalkNest& nest, Nodes& nodes, Around around, int& at) {
    for (WalkNode& node : nodes) {
      if (node.type == Type::Loop) {
        inner_loop(nest, node, around);
        shape(nest, node.body, {&node}, at);
        ++at;
      } else if (node.type == Type::Condition) {
        condition(nest, node, around);
        shape(nest, node.body, around, at);
        shape(nest, node.otherwise, around, at);
      } else {
        const int loops = int(nest.inner.size());
        if (!around.inner && loops) {
          node.partner = int8_t(std::min(at, loops - 1));
          node.after = at == loops;
        }
        place(nest, node, around);
      }
    }
  }

  void inner_loop(WalkNest& nest, WalkNode& node, const Around& around) const {
    if (around.inner) refuse(node, "a loop within two others has no tiles left to go over.");
    if (node.loop.axis == nest.loop.loop.axis)
      refuse(node, fmt::format("this loop and the one around it both go over {} tiles.",
                               node.loop.axis == TileAxis::Queries ? "Q" : "K/V"));
    if (node.loop.parallel) refuse(node, "only an outermost loop can be in parallel.");
    const bool split = nest.loop.loop.splits;
    if (node.loop.of_split && !split)
      refuse(node, "there is no split s here: write for each Q tile i and split s of 4, in parallel.");
    if (node.loop.splits && split) refuse(node, "the loop around this one has a split s already.");
    nest.shared |= node.loop.of_block;
    nest.by_mask |= node.loop.seen_only || node.loop.unseeing;
    node.streams = any_step(node.body, streams);
  }

  void condition(WalkNest& nest, const WalkNode& node, const Around& around) const {
    const bool queries = nest.loop.loop.axis == TileAxis::Queries;
    if (node.when == When::FirstTurn && around.inner) refuse(node, "the first turn is that of the outermost loop.");
    if ((node.when == When::FirstVisit || node.when == When::LastVisit) && !around.inner)
      refuse(node, "a visit is a turn of the inner loop.");
    if (node.when == When::SeesKey && !queries && !around.inner) refuse(node, "there is no i here.");
    nest.by_mask = true;
  }

  // Which tiles a step may name where it stands.
  void place(const WalkNest& nest, WalkNode& node, const Around& around) const {
    const bool over_queries = nest.loop.loop.axis == TileAxis::Queries;
    if (node.before && !(around.inner && around.inner->loop.axis == TileAxis::Keys))
      refuse(node, "the tile before is that of a loop over K/V tiles.");
    const bool over_splits = around.inner && around.inner->loop.over_splits();
    if (is_part(node.kind) && !over_splits && !nest.loop.loop.splits)
      refuse(node, "there is no split s here: write for each split s of 4 around it.");
    const Touched touched = touched_by(node);
    for (const auto& tensors : {touched.reads, touched.writes})
      for (Tensor tensor : tensors)
        if (over_splits && tensor != kNoTensor && by_key_tile(tensor) && tensor != Tensor::Alpha)
          refuse(node,
                 fmt::format("{}[{}] stands in a loop over splits: which j?", walk_name(tensor), walk_index(tensor)));
    if (over_splits && node.before) refuse(node, "the tile before is that of a loop over K/V tiles.");
    if (around.inner) return;
    const auto look = [&](Tensor tensor) {
      if (tensor == kNoTensor) return;
      if (over_queries && by_key_tile(tensor) && !node.after)
        refuse(node,
               fmt::format("{}[{}] stands in no loop over K/V tiles: which j?", walk_name(tensor), walk_index(tensor)));
      if (!over_queries && by_query_tile(tensor))
        refuse(node,
               fmt::format("{}[{}] stands in no loop over Q tiles: which i?", walk_name(tensor), walk_index(tensor)));
      if (tensor == Tensor::K || tensor == Tensor::V || tensor == Tensor::Alpha || is_scores(tensor))
        node.needs_turn = node.partner >= 0;  // what a turn alone brings or makes
    };
    for (Tensor tensor : touched.reads) look(tensor);
    for (Tensor tensor : touched.writes) look(tensor);
  }

  // Where N x N matrices move, the papers count every other matrix once.
  static void again(Nodes& nodes, TileAxis outer, bool inside) {
    for (WalkNode& node : nodes) {
      const Tensor moved = node.type == Type::Step ? moved_tensors(node.kind)[0] : kNoTensor;
      const bool inner_tile = moved != kNoTensor && is_input(moved) && is_keyed(moved) == (outer == TileAxis::Queries);
      node.again = inside && inner_tile && info_of(node.kind).engine == Engine::Load;
      again(node.body, outer, inside || node.type == Type::Loop);
      again(node.otherwise, outer, inside);
    }
  }

  // Whether an inner loop reads tiles of a row that only a loop before it has made or loaded.
  static bool keeps_row(const WalkNest& nest) {
    std::array<bool, kTensorCount> there{};
    bool kept = false;
    loops_in(nest.loop.body, [&](const WalkNode& loop) {
      std::array<bool, kTensorCount> own{};
      each_step(loop.body, [&](const WalkNode& node) {
        const Touched touched = touched_by(node);
        for (Tensor t : touched.reads)
          if (t != kNoTensor && (is_scores(t) || t == Tensor::K || t == Tensor::V))
            kept |= there[size_t(t)] && !own[size_t(t)];
        for (Tensor t : touched.writes)
          if (t != kNoTensor) own[size_t(t)] = true;
      });
      for (size_t t = 0; t < there.size(); ++t) there[t] |= own[t];
    });
    return kept;
  }

  void max_forms(const WalkNest& nest) const {
    const bool streaming = any_step(nest.loop.body, streams);
    each_step(nest.loop.body, [&](const WalkNode& node) {
      const bool final_max = node.flags & Step::kFinalMax;
      if (is(node, Exponentiate) && streaming && final_max)
        refuse(node, "m is the max before this tile here, and S can lie above it: write P = exp(S - m').");
      if (is(node, Exponentiate) && !streaming && !final_max)
        refuse(node, "there is no m' here: make it by m' = max(m, rowmax(S)); alpha = exp(m - m').");
      if (is(node, RowMax) && streaming && final_max) refuse(node, "this loop has both m and m'; one max is enough.");
    });
  }

  // O and dQ have one format between visits and another one as the output.
  void settle_output(size_t nest, Nodes& nodes, bool inner, bool for_good) {
    for (WalkNode& node : nodes) {
      for (Tensor tensor : {Tensor::O, Tensor::DQ}) {
        if (node.type != Type::Step || is_part(node.kind)) break;
        const auto loads = [&](const WalkNode& other) { return moves(other, Engine::Load, tensor); };
        const auto stores = [&](const WalkNode& other) { return moves(other, Engine::Store, tensor); };
        bool loaded_later = false, stored = false;
        for (size_t n = 0; n < program_.nests.size(); ++n) {
          const Nodes& body = program_.nests[n].loop.body;
          loaded_later |= (n > nest || (n == nest && inner && !for_good)) && any_step(body, loads);
          stored |= any_step(body, stores);
        }
        if (stores(node) && node.kind != AddDQ && !loaded_later) node.flags |= Step::kOutput;
        if (loads(node) && !stored) node.flags |= Step::kOutput;
      }
      settle_output(nest, node.body, inner || node.type == Type::Loop,
                    for_good || node.loop.unseeing || (node.type == Type::Condition && node.when == When::LastVisit));
      settle_output(nest, node.otherwise, inner, for_good);
    }
  }

  WalkProgram& program_;
};

}  // namespace

std::optional<WalkFault> derive_walk(WalkProgram& program) { return Deriver(program).derive(); }

}  // namespace tilewalk
