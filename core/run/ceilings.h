// The roofs of one GPU as its own worker measured them (`tilewalk-gpu ceilings`): how fast data and arithmetic go when
// nothing else is in the way. None is measured with an attention kernel, so what a model says with them of attention is
// a prediction. Plain data, and its JSON:
//
//   {"tilewalk_ceilings": {"major": 1, "minor": 0},
//    "provenance": {...},
//    "ceilings": [{"ceiling": "dram-copy", "rested": {"median": 4.2e12, ...}, "sustained": {...}}, ...]}
//
// with the names of the members below, checked and versioned as recordings are (run_json.h). 1.1 added "launch"; a file
// of 1.0 is without it.
#pragma once

#include "core/run/run.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class CeilingId : uint8_t { DramCopy, DramRead, L2Read, SharedRead, Wgmma, MmaSync, Exponential, Fp32, Launch };
constexpr int kCeilingCount = 9;

// What is counted a second.
//   Bytes         a copy counts each byte twice: once read, once written
//   Flop          a multiply-add is two; matrix products of fp16 with sums in fp32, no sparsity
//   Exponentials  results of ex2.approx.f32, one of each thread
//   Launches      of a kernel that does nothing, with the blocks, threads and shared memory of attention's: rested each
//                 between two events, as attention's launches are timed, sustained one behind the other
enum class CeilingUnit : uint8_t { Bytes, Flop, Exponentials, Launches };

struct CeilingInfo {
  CeilingId id;
  std::string_view key;   // "dram-copy": command line and JSON
  std::string_view name;  // "DRAM, copy"
  CeilingUnit unit;
  bool on_chip;                  // a unit of each multiprocessor: its rate follows the SM clock
  int least_major, least_minor;  // compute capability
  bool exact_capability;         // there alone
};
std::span<const CeilingInfo> ceilings();
const CeilingInfo& info_of(CeilingId id);
std::optional<CeilingId> ceiling_named(std::string_view key);

// Of `count` launches, of 1 ms or longer but for Launch's own, each a rate of its own; units a second. p10 is slow, p90
// fast.
struct CeilingRate {
  double median = 0, p10 = 0, p90 = 0;
  int count = 0;
  double clock = 0;  // MHz of the SMs while they ran, the launches' median, as one SM counted its own cycles
};

struct Ceiling {
  CeilingId id{};
  std::string unavailable;  // why it was not measured, by compute capability; then the rest is empty
  // In short bursts with rests between, as attention's kernels are timed (Timing::median is to be held against it).
  std::optional<CeilingRate> rested;
  // Without a rest, after half a second: the clock is what the power limit leaves (for Timing::back_to_back).
  std::optional<CeilingRate> sustained;
};

struct Ceilings {
  static constexpr int kSchemaMajor = 1, kSchemaMinor = 1;
  Provenance provenance;
  std::vector<Ceiling> ceilings;
  const Ceiling* find(CeilingId id) const;  // null: not among them
};

// Units a clock and SM: what a unit does at any clock. 0 where the clock or the number of SMs is not known.
double per_clock(const CeilingRate& rate, const Provenance& gpu);

std::string ceilings_text(const Ceilings& measured);
// Or what is wrong, as a sentence without its stop that begins with the place.
std::optional<Ceilings> read_ceilings(std::string_view text, std::string& fault);
// IoError: the file cannot be read or written, or what is wrong with it: "<path>: <fault>."
Ceilings load_ceilings(const std::filesystem::path& path);
void save_ceilings(const std::filesystem::path& path, const Ceilings& measured);
// Files of ceilings lie among the recordings, under names that end so.
constexpr std::string_view kCeilingsEnding = "ceilings.json";

}  // namespace tilewalk
