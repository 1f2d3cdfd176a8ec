// A walk on paper: text of at most console.columns columns, or one JSON document.
#pragma once

#include "app/cli/console.h"
#include "app/cli/walk_request.h"
#include "core/playback/deviation.h"

namespace tilewalk {

void print_walk(AskedWalk& walk, Portion portion, Unit unit, Console& console);
void print_walk_json(AskedWalk& walk, Portion portion, Unit unit, Console& console);

// Six decimals, or fewer digits where the number is whole, very small or very large.
std::string precise(double value);

// Of the whole walk, where the reference is quick to compute.
std::optional<Deviation> deviation(AskedWalk& walk);

}  // namespace tilewalk
