// The knob that chooses a GPU of the catalogue, the same on every board that needs one.
#pragma once

#include "app/boards/board.h"
#include "core/machine/gpus.h"

#include <array>
#include <string_view>

namespace tilewalk {

inline constexpr std::array<std::string_view, 5> kGpuWords{"A100", "4090", "H100", "H200", "B200"};
inline constexpr std::array<std::string_view, 5> kGpuIds{"a100-80", "rtx4090", "h100", "h200", "b200"};
inline constexpr Knob kGpuKnob = choice_knob("gpu", "GPU", kGpuWords, 0, "Whose datasheet is used", kGpuIds);

// What the knob "gpu" is set to.
inline const GpuSpec& gpu_of(const Exhibit& view) { return *gpu_named(kGpuIds[size_t(view.knob("gpu"))]); }

}  // namespace tilewalk
