// Recordings: run results as a JSON file, so that a machine without a GPU can show what a GPU did.
//
//   {"tilewalk_recording": {"major": 1, "minor": 2},
//    "results": [{"provenance": {...}, "spec": {...}, "kernels": [{...}, ...]}, ...]}
//
// Every object of a result, and every kernel in it, is one line, so that two recordings can be compared line by line.
// Numbers are written so that every bit comes back; lists of floats (inputs, O, L, m, l) are base64 of little-endian
// float32, 5.3 bytes a value; the hash of the inputs is 16 hex digits; members that are empty are left out. The names
// are those of run.h (core/run/run_fields.h lists them). A minor version adds members that may be missing, which older
// programs skip; a major version changes what is there, and older programs refuse it.
//
// What is read is checked: types, ranges, sizes against the problem. Limits keep a damaged or hostile file from filling
// memory: 64 MiB of text, 2^20 values, 2^22 floats a list, 2^14 clock stamps a launch.
// FP8, split-KV and grouped queries were files of their own before 1.6, which open as runs too: method_run.h.
#pragma once

#include "core/run/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr uint64_t kMostRecording = uint64_t{64} << 20;  // bytes

std::string recording_text(const std::vector<RunResult>& results);
// Or what is wrong, as a sentence without its stop that begins with the place: "results[0].spec.problem.d must be ...".
// A trace may hold more clock stamps than are shown: the lanes behind are then left out, their names say so, and one
// sentence goes to `left_out`.
std::optional<std::vector<RunResult>> read_recording(std::string_view text, std::string& fault,
                                                     std::string* left_out = nullptr);

// Whether the lists of one kernel's result have the sizes that the problem gives them: empty, or what is wrong, as a
// sentence without its stop. Recordings and Done are checked already; a Partial comes without its problem.
std::string size_fault(const KernelResult& result, const Problem& problem);

// IoError: the file cannot be read, or what is wrong with it: "<path>: <fault>."
std::vector<RunResult> load_recording(const std::filesystem::path& path);
void save_recording(const std::filesystem::path& path, const std::vector<RunResult>& results);

}  // namespace tilewalk
