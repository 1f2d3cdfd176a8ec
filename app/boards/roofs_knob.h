// The knob that chooses whose roofs a board draws under: one of the GPUs that are offered (app/boards/gpu_offer.h).
#pragma once

#include "app/boards/board.h"
#include "app/boards/gpu_offer.h"
#include "core/roofline/roofs.h"
#include "core/run/run.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

// Its id is "gpu"; `initial` is one of its words in a lesson: "h100", "h200-measured", "this".
Knob roofs_knob(std::string_view initial);

// What the knob "gpu" is set to, and its roofs; nothing for this computer's GPU as long as nobody has measured it, and
// for an entry that could not be read.
const OfferedGpu& gpu_chosen(const Exhibit& view);
std::optional<Roofs> roofs_chosen(const Exhibit& view);
// Why there is nothing, and what to do: a sentence for the caption, and a button where there is a GPU to be measured.
std::string no_roofs(const OfferedGpu& chosen, const GpuStatus& gpu);
std::string no_roofs(const Exhibit& view);
void layout_no_roofs(const BoardView& view, Rect area);

// Whether a knob would lead to a GPU that has no roofs and that nobody can measure here: no GPU is connected, say.
bool leads_to_no_roofs(const Knob& knob, double value, const GpuStatus& gpu);

// Whether those roofs are of the GPU on which a run was made.
bool same_gpu(const Roofs& roofs, const Provenance& run);

}  // namespace tilewalk
