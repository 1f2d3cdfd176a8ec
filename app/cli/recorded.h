// `tilewalk predict --recorded`: the model's time beside what was measured, for every run of the recordings.
#pragma once

#include "app/cli/console.h"
#include "core/roofline/rest.h"

#include <string>
#include <vector>

namespace tilewalk {

void print_recorded(const std::vector<RunResult>& runs, const Roofs& roofs, Console& console);
std::string recorded_json(const std::vector<RunResult>& runs, const Roofs& roofs);

}  // namespace tilewalk
