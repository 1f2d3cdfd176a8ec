// Kernels beside the ladder, as `tilewalk-gpu record --set decode`, `fp8` and `groups` measure them: what was asked for
// and what was measured. Plain data, and its JSON, checked and versioned as recordings are (run_json.h):
//
//   {"tilewalk_methods": {"major": 1, "minor": 0},
//    "results": [{"provenance": {...}, "spec": {...}, "errors": {...}, ...}, ...]}
//
// with the names of the members below. Bytes are of one launch, all heads.
#pragma once

#include "core/run/run.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// split-kv: one query a head (Flash-Decoding). fa3-fp8: FA3 in e4m3. fa2, fa3: with grouped queries.
inline constexpr std::array<std::string_view, 4> kMethods{"split-kv", "fa3-fp8", "fa2", "fa3"};

struct MethodSpec {
  std::string method;    // one of kMethods
  Problem problem{};     // heads are those of Q; br and bc are not used
  int64_t kv_heads = 0;  // of K and V, of one sequence; 0: as many as of Q
  // split-kv. Asked for, 0: by the rule (core/attention/split_kv.h); in a result, as many as were made.
  int64_t splits = 0;
  bool by_rule = false;
  // fa3-fp8: a scale for each tile, else for each tensor; and whether Q and K are rotated.
  bool tile_scales = false, rotated = false;
};
int64_t group_of(const MethodSpec& spec);  // heads of Q that share a head of K and V

// What eight bits cost: O against float64 on the inputs before they were rounded.
struct RoundingCost {
  double whole = 0;    // relative L2 error, all sampled rows
  double rmse = 0;     // root of the mean squared error of an element
  double lse = 0;      // largest error of L
  double seconds = 0;  // median time of the rounding itself, which no launch of the kernel contains
};

struct MethodResult {
  static constexpr int kSchemaMajor = 1, kSchemaMinor = 0;
  Provenance provenance;
  MethodSpec spec;
  Errors errors;  // fa3-fp8: on the rounded inputs, which is what the kernel was given
  std::optional<RoundingCost> rounding;
  std::optional<Timing> timing;  // only after the errors passed
  // Between L2 and the multiprocessors, predicted; and from DRAM at least: each tensor once.
  int64_t l2_to_sm = 0, sm_to_l2 = 0, dram_least = 0;
  std::optional<Counters> counters;
  std::string no_counters;  // why there are none
  double roof = 0;          // split-kv: byte/s of reading DRAM, measured just before; 0: not measured
};

// Of K and V, read once: what a decoding step cannot do without. 16 bits an element.
double kv_bytes(const MethodSpec& spec);
// FLOP/s over the median, as the papers count them; 0 without a time.
double flop_rate(const MethodResult& result);

std::string methods_text(const std::vector<MethodResult>& results);
// Or what is wrong, as a sentence without its stop that begins with the place.
std::optional<std::vector<MethodResult>> read_methods(std::string_view text, std::string& fault);
// IoError: the file cannot be read or written, or what is wrong with it: "<path>: <fault>."
std::vector<MethodResult> load_methods(const std::filesystem::path& path);
void save_methods(const std::filesystem::path& path, const std::vector<MethodResult>& results);
// Such files lie among the recordings, under names that end so.
constexpr std::string_view kMethodsEnding = "methods.json";

}  // namespace tilewalk
