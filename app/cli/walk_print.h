// A walk on paper: text of at most console.columns columns, or one JSON document.
#pragma once

#include "app/cli/console.h"
#include "app/cli/walk_request.h"

namespace tilewalk {

void print_walk(AskedWalk& walk, Portion portion, Unit unit, Console& console);
void print_walk_json(AskedWalk& walk, Portion portion, Unit unit, Console& console);

// Six decimals, or fewer digits where the number is whole, very small or very large.
std::string precise(double value);

// Largest difference of the finished output and L from the float64 reference, where that is quick to compute.
struct Deviation {
  double o = 0, lse = 0;
  bool has_lse = false;
};
std::optional<Deviation> deviation(AskedWalk& walk);

}  // namespace tilewalk
