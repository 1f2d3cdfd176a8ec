// A schedule as its pseudo-code: what a .walk text says, as plain data. docs/walk-language.md is its reference.
// A program is loops over tiles with statements in them. There are two axes, so that a program always comes to its end:
// at most a loop over K/V tiles within one over Q tiles, or the other way round.
#pragma once

#include "core/machine/step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewalk {

enum class TileAxis : uint8_t { Queries, Keys };
enum class Order : uint8_t { FirstToLast, LastToFirst, AsVariant };  // "in any order": the variant chooses

// "for each Q tile i that sees j, in parallel:"
struct LoopHead {
  TileAxis axis = TileAxis::Queries;
  Order order = Order::FirstToLast;
  bool parallel = false;   // a thread block for each turn
  bool of_block = false;   // only the Q tiles of this thread block of the head: i % blocks_of_head
  bool seen_only = false;  // tiles that see each other
  bool unseeing = false;   // Q tiles that see no key at all
  uint8_t splits = 0;      // an outermost loop over Q tiles and this many splits of the keys; or a loop over those
  bool of_split = false;   // only the K/V tiles of this thread block's split

  bool over_splits() const { return splits && axis == TileAxis::Keys; }
};

// "at the first visit:". A visit is one Q tile meeting one K/V tile; first and last are those of the Q tile.
enum class When : uint8_t { FirstVisit, LastVisit, FirstTurn, SeesKey };

struct WalkNode {
  enum class Type : uint8_t { Step, Loop, Condition };
  Type type = Type::Step;
  uint8_t line = 0;  // index into WalkProgram::code

  // A step.
  StepKind kind{};
  uint8_t flags = 0;        // Step::Flag, as far as they hold at every turn
  bool before = false;      // [j-1]: on the tile of the turn before
  bool again = false;       // Step::kAgain from the second turn of the outer loop on
  int8_t partner = -1;      // of a step in no inner loop: the next one, or the last; index into WalkNest::inner
  bool after = false;       // and whether it stands behind that loop
  bool needs_turn = false;  // left out where that loop has no turn

  LoopHead loop;
  bool streams = false;  // a loop that holds m' = max(m, ...): its steps know the first visit
  When when{};
  std::vector<WalkNode> body, otherwise;  // of a loop; of a condition, and behind its "else:"
};

// A loop that stands in no other, and what follows from its lines.
struct WalkNest {
  uint8_t pass = 0;
  WalkNode loop;
  struct Inner {
    LoopHead loop;
    bool streams = false;
  };
  std::vector<Inner> inner;  // loops in it, in order
  bool woven = false;        // something works on the tile before: two slots, taken in turn
  bool keeps_row = false;    // an inner loop reads what another one left: a slot a tile
  bool shared = false;       // has "of the block": one nest for each thread block of the head
  bool by_mask = false;      // which steps there are depends on the mask
};

struct WalkProgram {
  std::vector<std::string> passes;  // names, with their glyphs
  std::vector<std::string> code;    // lines without comments, with their glyphs
  std::vector<int> source_line;     // of each of them, from 1
  std::vector<WalkNest> nests;
  uint8_t splits = 0;  // of the keys, as many as its loops say; 0 without

  bool parallel() const { return !nests.empty() && nests.front().loop.loop.parallel; }
  // Whether the pass has K/V tiles outside and Q tiles inside.
  bool keys_outside(int pass) const {
    for (const WalkNest& nest : nests)
      if (nest.pass == pass && nest.loop.loop.axis == TileAxis::Keys && !nest.inner.empty()) return true;
    return false;
  }
};

}  // namespace tilewalk
