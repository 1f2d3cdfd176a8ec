// Takes a program's steps: one turn of an outermost loop is a section.
#pragma once

#include "core/machine/program.h"
#include "core/walk/program.h"

namespace tilewalk {

// Splits of the keys: whole K/V tiles, as evenly as they go, and none without one. 0 where the program has no splits.
int64_t walk_splits(const WalkProgram& program, const Plan& plan);
int64_t walk_sections(const WalkProgram& program, const Plan& plan);
// Sections of equal shape take the same steps on tiles of equal sizes.
uint64_t walk_shape(const WalkProgram& program, const Plan& plan, int64_t section);
void walk_section(const WalkProgram& program, const Plan& plan, int64_t section, StepSink& sink);

}  // namespace tilewalk
