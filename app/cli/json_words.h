// How problems, inputs and meters are written as JSON. Indices count from 0; minus infinity, which JSON lacks, is the
// string "-inf".
#pragma once

#include "app/cli/problem_options.h"
#include "core/machine/cost.h"

#include <nlohmann/json.hpp>

namespace tilewalk {

using Json = nlohmann::ordered_json;

Json json_of(double value);
Json json_of(const std::vector<double>& values);
Json json_of(const Problem& problem);
Json json_of(const Meters& meters);

// "inputs": where they come from, their hash and the head.
Json json_of(const Asked& asked, const Inputs& inputs);

}  // namespace tilewalk
