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
  // Turns of the inner loop.
  int64_t turns() const {
    int64_t count = 1;
    for (size_t k = 1; k < steps.size(); ++k)
      count += steps[k].section != steps[k - 1].section || steps[k].visit != steps[k - 1].visit;
    return count;
  }
  // "O[6, 1]": the first element of the followed row.
  std::string first_of(Tensor t) const {
    return std::string(symbol_of(t)) + "[" + std::to_string(row_number()) + ", 1]";
  }
  // Key c of the tile, over all keys, from 1.
  int64_t key_number(int64_t c) const { return last().j * plan.tiling.bc + c + 1; }
  // Which element of P, S and the like that is in the followed row: "₃", and from key 10 on with the row before it,
  // "₁‚₁₁", for "₁₁" would be read as row 1 and column 1.
  std::string element(int64_t c) const {
    const int64_t key = key_number(c);
    return key < 10 ? subscript(key) : subscript(row_number()) + "‚" + subscript(key);
  }
  std::string name(Tensor t) const { return tile_name(t, last().i, last().j); }
  // The row over the whole of Q, from 1.
  int64_t row_number() const { return last().i * plan.tiling.br + row + 1; }
};

// How captions write a number, a factor (negative ones in brackets), and "a − b" or "a + b".
std::string in_caption(double value);
std::string factor(double value);
std::string minus(double a, double b);
// The difference in an exponent, with as many digits as its reader needs to get the result that is shown.
std::string exponent(double a, double b, double result);
// "0.2369 × (2 − 1.205)", likewise.
std::string product(double weight, double a, double b, double result);

// Loads, stores and first values.
Narration narrate_moves(const ToldUnit& unit);
// A unit of a backward walk, but for scores and masks, which are told as in a forward one.
Narration narrate_backward(const ToldUnit& unit);

// A unit in which the row's max rises to m. `summed`: its l or its O has taken in weights already.
std::string narrate_rise(const ToldUnit& unit, double m, bool summed);

// What a mistake made on purpose does in this unit, with its own sentence; nothing where the unit is as it should be.
std::optional<Narration> narrate_mistake(const ToldUnit& unit);

}  // namespace tilewalk
