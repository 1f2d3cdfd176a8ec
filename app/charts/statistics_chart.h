// m and l of one query row after every K/V tile: the kernel's, measured by its traced build, over the simulator's, with
// the difference at each tile. Tiles stand in the order in which the kernel visited them.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "core/run/run.h"

namespace tilewalk {

// How far two traces of m and l are apart over all rows and tiles that both have.
struct StatisticsGap {
  double m = 0;         // largest |m - m'| over the row's largest |m'|
  double l = 0;         // largest |l - l'| / l'
  int64_t compared = 0; // pairs of values
  int64_t missing = 0;  // visited by one alone
};
StatisticsGap statistics_gap(const RowStatistics& kernel, const RowStatistics& simulator);

// `row` counts from 0. Both have the same shape.
void layout_statistics_chart(Scene& scene, const RowStatistics& kernel, const RowStatistics& simulator, int64_t row,
                             bool last_to_first, Rect area, const Style& style);

}  // namespace tilewalk
