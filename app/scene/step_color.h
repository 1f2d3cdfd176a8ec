// The colour of a step wherever steps are drawn as bars: the modelled lanes, the recorded ones, a run's clock stamps.
#pragma once

#include "app/scene/palette.h"

namespace tilewalk {

// That of the tensor which the step makes or moves. Matrix products and copies have it in full, exponentials are paler,
// and what the vector unit does in between is palest.
Color fill_of_step(const Palette& palette, StepKind kind);

}  // namespace tilewalk
