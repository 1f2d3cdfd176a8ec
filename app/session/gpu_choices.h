// What a person chooses in the GPU panel: which problem is run, which kernel and which chart are shown.
#pragma once

#include "app/gpu/gpu_view.h"

#include <string>
#include <string_view>

namespace tilewalk {

// Fields and their values: "gpu-shape": "stage", "benchmark", "backward", "fp8", "decode" or "ladder"; "gpu-n": rows;
// "gpu-kernel": MethodInfo::key; "gpu-chart": "compare", "statistics", "difference", "waiting"; "gpu-tile": the K/V
// tile that is zoomed to, -1 for all; "gpu-ladder-d", "gpu-ladder-mask" and "gpu-switch": the ladder's problem, and the
// key of a switch; "gpu-on": "h200" or "h100", whose recordings are meant. Empty for a field that is none of them.
std::string gpu_choice(const GpuView& view, std::string_view field);
// What a field can be, for who wrote something else: "512, 1024 or 2048".
std::string gpu_choices_of(std::string_view field);
// A value that is none of the field's changes nothing.
void choose_gpu(GpuView& view, std::string_view field, std::string_view value);
// Shows what was recorded, and of the other GPU that has recordings in the program.
void show_other_recordings(GpuView& view);

}  // namespace tilewalk
