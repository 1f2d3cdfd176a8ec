// A kernel's own source, as it was compiled, and which of its lines carry out a step of the stage. The STEP headings
// (kernels/common/step.cuh) are the map: tests/kernels/test_step_headings.cpp holds them against the schedules.
#pragma once

#include "core/machine/step.h"
#include "core/kernel/kernel_shapes.h"

#include <string_view>
#include <vector>

namespace tilewalk {

// What stands behind one STEP heading; lines count from 0.
struct SourceBlock {
  StepKind kind;
  int first, last;  // the heading's line and that of its closing brace
  bool in_visit;    // within the kernel's `visit`, which meets one tile of the inner loop
};

struct KernelSource {
  Method kernel;
  std::string_view file;  // "kernels/fa2.cu"
  std::vector<std::string_view> lines;
  std::vector<SourceBlock> blocks;  // in the order of their lines
  int visit = 0;                    // the line on which `visit` begins; 0 where there is none
};

// Parsed once; null for a kernel that has no file of its own.
const KernelSource* source_of(Method kernel);

// The kernels whose steps are those of the schedule, from the lowest rung up; empty where none runs it.
std::vector<Method> rungs_of(Method schedule);

// The block that carries out the step; null where a library does (cuBLAS for standard attention's products), or where
// the kernel has no such step.
const SourceBlock* block_of(const KernelSource& source, const Step& step);

}  // namespace tilewalk
