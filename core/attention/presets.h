// Problems with a name: the ones that lessons, the menu and the command line start from.
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/problem.h"

#include <optional>
#include <span>
#include <string_view>

namespace tilewalk {

struct Preset {
  std::string_view id;     // "micro"
  std::string_view title;  // "One row on paper"
  Problem problem;
};

std::span<const Preset> presets();
const Preset* preset_named(std::string_view id);  // or null

// Inputs of a preset: generated, or written down where the problem's distribution is Custom.
Inputs inputs_of(const Preset& preset);

}  // namespace tilewalk
