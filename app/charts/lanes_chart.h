// Who waits for whom: one lane for each warp or warpgroup of a traced thread block, a bar for each step from its begin
// to its end in clock cycles of the multiprocessor. Asynchronous matrix products have a row of their own in their lane,
// as they run under the steps below them. Waiting is a dashed outline. The times are the traced build's: the chart says
// by how much tracing slowed the kernel down, and the untraced time beside it.
//
// Region ids: stamp:<n> (its tip names the step, the tile and the cycles; a click zooms to that K/V tile), zoom:all.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "core/run/run.h"

namespace tilewalk {

struct LanesView {
  int64_t tile = -1;  // the K/V tile that is zoomed to; -1 shows the whole block
};

void layout_lanes_chart(Scene& scene, const KernelTrace& trace, const LanesView& view, Rect area, const Style& style);

}  // namespace tilewalk
