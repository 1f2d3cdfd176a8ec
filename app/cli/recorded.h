// `tilewalk predict --recorded`: the model's time beside what was measured, for every run of the recordings.
#pragma once

#include "app/cli/console.h"
#include "core/roofline/rest.h"

#include <string>
#include <vector>

namespace tilewalk {

// `terms`: under each row the model's terms, what is left after each, and what may be in it.
void print_recorded(const std::vector<RunResult>& runs, const Roofs& roofs, bool terms, Console& console);
std::string recorded_json(const std::vector<RunResult>& runs, const Roofs& roofs);

}  // namespace tilewalk
