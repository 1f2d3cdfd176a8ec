// The roofline of a GPU with attention's points on it, as a picture: the drawing board's plot alone, drawn by the
// model.
#pragma once

#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "core/attention/problem.h"
#include "core/machine/gpus.h"

#include <string>

namespace tilewalk {

struct RooflinePicture {
  Scene scene;
  std::string title, description;
};

// Points: standard attention and the newest fused kernel that runs there, forward, at their DRAM bytes; tokens and
// columns as in benchmarks (benchmark_problem). `gpu` must be the catalogue's.
RooflinePicture roofline_picture(const GpuSpec& gpu, int64_t n, int64_t d, Mask mask, Theme theme, Vec2 size);

}  // namespace tilewalk
