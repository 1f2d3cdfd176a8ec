// Files of kernels beside the ladder as they were recorded before they had their place among the runs (run_json.h,
// until format 1.5), FP8, split-KV and grouped queries:
//
//   {"tilewalk_methods": {"major": 1, "minor": 0},
//    "results": [{"provenance": {...}, "spec": {"method": "split-kv", ...}, "errors": {...}, ...}, ...]}
//
// They are read as runs: those of one problem together, each way of rounding or splitting as a switch of its kernel.
#pragma once

#include "core/run/json_values.h"
#include "core/run/run.h"

#include <vector>

namespace tilewalk {

bool holds_methods(const Json& json);
// JsonFault: what is wrong with it, with the place.
std::vector<RunResult> runs_of_methods(const Json& json);

}  // namespace tilewalk
