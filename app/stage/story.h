// What the steps on show do to each tensor: which are read, which change, which travel between memories. Derived from
// the moment's steps alone, so that outlines, arrows, labels and moving tiles agree.
#pragma once

#include "app/stage/moment.h"
#include "core/walk/program.h"

#include <array>
#include <optional>
#include <vector>

namespace tilewalk {

enum class Part : uint8_t { Rest, Operand, Target };

struct Story {
  // Of the last line of the algorithm on show.
  std::array<Part, kTensorCount> parts{};
  Part of(Tensor tensor) const { return parts[size_t(tensor)]; }
  Part of_scores() const { return std::max(of(Tensor::S), of(Tensor::P)); }  // S and P share their registers
  bool does(StepKind kind) const { return kinds[size_t(kind)]; }
  std::array<bool, kStepKindCount> kinds{};

  // Tiles that travel. `hit`: the load found its tile in L2.
  struct Move {
    Tensor tensor;
    int32_t i, j;
    bool load, hit;
    int64_t bytes;
  };
  std::vector<Move> moves;
  bool leap = false;  // more than a part is on show: the picture fades over, nothing travels

  int32_t i = 0, j = 0, slot = 0;  // tiles the moment is about
  bool any = false;                // false before the first step
  const Move* move_of(Tensor tensor) const;
};

Story story_of(const Moment& moment);

// The tensors that a line of the schedule's pseudo-code reads or changes, at the visit on show.
std::array<bool, kTensorCount> tensors_of_line(const Moment& moment, int line);

// The kind of the newest step, at or before `playhead` and in the same block, for which `wanted` holds.
template <typename F>
std::optional<Step> newest(const Walk& walk, int64_t playhead, F&& wanted) {
  const std::vector<Step>& steps = walk.replay.steps();
  for (int64_t k = playhead - 1, looked = 0; k >= 0 && looked < 64; --k, ++looked)
    if (wanted(steps[size_t(k)])) return steps[size_t(k)];
  return std::nullopt;
}

// The buffer that the newest load of this kind went to: the tile there is the one to show.
inline int32_t newest_slot(const Walk& walk, int64_t playhead, StepKind load) {
  const auto step = newest(walk, playhead, [&](const Step& s) { return s.kind == load; });
  return step ? step->slot : 0;
}

// The nest of loops that the last step stands in; null before the first.
const WalkNest* nest_on_show(const Moment& moment);
// Where a whole row of tiles stays on chip, the buffer with the tile that the moment is about; else the newest.
int32_t shown_slot(const Moment& moment, const Story& story, Tensor tensor, StepKind load);

// How far along the animation is, from a moment's phase.
struct Progression {
  float travel = 1;  // of moving tiles, eased
  float values = 1;  // of values that change
  bool moving = false;
};
Progression timing_of(const Moment& moment, const Story& story, const ViewState& view);

}  // namespace tilewalk
