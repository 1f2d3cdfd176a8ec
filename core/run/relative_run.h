// Sparse, latent and differential attention on a GPU, each beside what it replaces (`tilewalk-gpu relatives`): what is
// asked for, what is predicted and what was measured. Plain data, and its JSON, checked and versioned as recordings
// are:
//
//   {"tilewalk_relatives": {"major": 1, "minor": 0},
//    "results": [{"provenance": {...}, "spec": {...}, ..., "timing": {...}}, ...]}
//
// with the names of the members below. Bytes are of one launch, all heads.
#pragma once

#include "core/attention/selected_blocks.h"
#include "core/model/dram.h"
#include "core/run/run.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class RelativeForm : uint8_t {
  SparseShared,       // selected blocks; the heads that share K and V choose as one
  SparseApart,        // the same, each head chooses alone: what any of them chose is loaded for all
  SparseFull,         // FA2 on the same heads: every key
  Latent,             // decoding on the compressed cache
  LatentHeads,        // split-KV on every head's own K and V
  Differential,       // both maps in one kernel
  DifferentialTwice,  // a call for each map and a subtraction
};
constexpr int kRelativeForms = 7;
std::string_view name_of(RelativeForm form);  // "sparse", "sparse-apart", "sparse-full", "latent", ...
std::optional<RelativeForm> relative_form_named(std::string_view name);
constexpr bool is_sparse(RelativeForm form) { return form <= RelativeForm::SparseFull; }
constexpr bool is_latent(RelativeForm form) {
  return form == RelativeForm::Latent || form == RelativeForm::LatentHeads;
}

struct RelativeSpec {
  RelativeForm form{};
  // d: 128 of sparse; 128 of latent, a head's own K and V, which the latent stands for; 64 of differential, a map's.
  Problem problem;
  int64_t kv_heads = 0;  // of K and V, of a sequence; sparse alone
  int64_t splits = 0;    // latent: of the tokens, as many as are made

  int64_t group() const { return kv_heads > 0 ? problem.heads / kv_heads : 1; }
};

constexpr int64_t kLatentRank = 512, kLatentRopeSize = 64;  // numbers of a token: arXiv:2405.04434, section 2.1

// Of sparse attention: which blocks its queries see.
BlockChoice choice_of(const RelativeSpec& spec);

struct RelativeBytes {
  double l2_to_sm = 0;  // what the blocks load, tile by tile
  double dram = 0;      // every tensor read or written once, as if L2 kept what is met again: relative_dram()
  double kv = 0;        // of K and V, or of the cache, as they lie in memory
  double share = 1;     // sparse: keys loaded for a query, of those that it may see
};
// Whole sectors of 32 bytes. Exact but for what L1 keeps of the lists, which is not predicted.
RelativeBytes relative_bytes(const RelativeSpec& spec);
// What L2 does not keep from DRAM, by its model: of sparse and differential attention. A cache is read once, which no
// L2 keeps: of latent attention relative_bytes() says it, and this is not modelled. Within a few seconds.
DramEstimate relative_dram(const RelativeSpec& spec, const MachineSpec& machine);

struct RelativeResult {
  static constexpr int kSchemaMajor = 1, kSchemaMinor = 0;
  Provenance provenance;
  RelativeSpec spec;
  Errors errors;
  std::optional<Timing> timing;  // only after the errors passed
  std::optional<Counters> counters;
  std::string no_counters;  // why there are none
};

std::string relatives_text(const std::vector<RelativeResult>& results);
// Or what is wrong, as a sentence without its stop that begins with the place.
std::optional<std::vector<RelativeResult>> read_relatives(std::string_view text, std::string& fault);

// Files of relatives lie among the recordings, under names that end so.
constexpr std::string_view kRelativesEnding = "relatives.json";

}  // namespace tilewalk
