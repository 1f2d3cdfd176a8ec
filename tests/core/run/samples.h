// A run and its result with every member filled in, for tests of their JSON.
#pragma once

#include "core/run/protocol.h"
#include "core/run/ring_run.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace tilewalk {

RunSpec sample_spec();
RunResult sample_result();
Hello sample_hello();
Ceilings sample_ceilings();
ProgramRun sample_program();
RingResult sample_ring();  // of two GPUs
// One message of each type.
std::vector<FromWorker> samples_from_worker();
std::vector<ToWorker> samples_to_worker();

// Calls `body` for each place of the value (a JSON pointer such as "/spec/problem/d"), objects and their members,
// list entries, and all below.
void each_place(const nlohmann::ordered_json& value, const std::function<void(const std::string& pointer)>& body);

}  // namespace tilewalk
