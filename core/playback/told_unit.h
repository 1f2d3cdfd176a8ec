// One unit of a walk on its way into words: the steps taken, the machine before and after, and the row that is
// followed. Private to the narrate*.cpp files.
#pragma once

#include "core/machine/words.h"
#include "core/playback/narrate.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

namespace tilewalk {

struct ToldUnit {
  std::span<const Step> steps;  // never empty
  const MachineState &before, &after;
  const Plan& plan;
  const Schedule& schedule;
  int64_t row;  // within the Q tile, and in it

  const Step& last() const { return steps.back(); }
  bool did(StepKind kind) const {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& s) { return s.kind == kind; });
  }
  std::string name(Tensor t) const { return tile_name(t, last().i, last().j); }
  // The row over the whole of Q, from 1.
  int64_t row_number() const { return last().i * plan.tiling.br + row + 1; }
};

// Loads, stores and first values.
Narration narrate_moves(const ToldUnit& unit);

// What a mistake made on purpose does in this unit, with its own sentence; nothing where the unit is as it should be.
std::optional<Narration> narrate_mistake(const ToldUnit& unit);

}  // namespace tilewalk
