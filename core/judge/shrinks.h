// Whether a program shrinks by alpha what it has summed, when a row's max rises: the papers' do, one that is still
// being written may not. Read off its lines, so that nobody has to wait for wrong numbers.
#pragma once

#include "core/machine/program.h"

namespace tilewalk {

struct Shrinks {
  bool sums_l = false, sums_o = false;  // in the loop in which the max rises
  bool l = false, o = false;            // and is multiplied by alpha there

  bool sums() const { return sums_l || sums_o; }
  bool all() const { return sums() && (l || !sums_l) && (o || !sums_o); }
};

// Of the loop that holds this step, which takes scores into m.
Shrinks shrinks_of(const Schedule& schedule, const Variant& variant, const Step& row_max);

// What becomes of alpha in a program as a whole.
enum class AlphaUse : uint8_t { None, Unused, Used };
AlphaUse alpha_use(const Schedule& schedule, const Variant& variant);

}  // namespace tilewalk
