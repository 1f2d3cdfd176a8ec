// Ring Attention on the GPUs of one host (`tilewalk-gpu ring`): what is asked for and what was measured. Plain data,
// and its JSON, checked and versioned as recordings are (run_json.h):
//
//   {"tilewalk_ring": {"major": 1, "minor": 0},
//    "results": [{"provenance": {...}, "spec": {...}, ..., "times": {...}}, ...]}
//
// with the names of the members below. Times are milliseconds, bytes are of one device and one whole ring unless a name
// says otherwise. Devices, turns and parts count from 0.
#pragma once

#include "core/run/ring_plan.h"
#include "core/run/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// How K and V travel. Copy engines write into the next GPU's memory and take no multiprocessor; NCCL's send and receive
// are a kernel, which takes some.
enum class RingTransfer : uint8_t { CopyEngines, Nccl };
std::string_view name_of(RingTransfer transfer);  // "copy-engines", "nccl"
std::optional<RingTransfer> ring_transfer_named(std::string_view name);

struct RingSpec {
  Problem problem;  // N tokens of all devices together; br and bc are not used
  int gpus = 2;
  RingSplit split = RingSplit::Shards;
  Method kernel = Method::Fa3;  // or FA2
  RingTransfer transfer = RingTransfer::CopyEngines;
  int spare = 0;    // multiprocessors that FA3 leaves free; NCCL's kernel then gets half as many blocks
  int rounds = 15;  // of each: together, attention alone, transfer alone, in turns
};

// Of some rounds, each a whole ring.
struct Spread {
  double median = 0, p10 = 0, p90 = 0;
  int count = 0;
};

// One turn; medians over the rounds, one entry a device. The last turn sends nothing: its lists of transfers are empty.
struct RingStep {
  std::vector<double> attention;  // kernels and merge, without any transfer
  std::vector<double> together;   // the same with the transfers under way, the wait for the shard included
  std::vector<double> waited;     // of that, the wait for the shard
  std::vector<double> transfer;   // to the next device, without any attention
  std::vector<double> beside;     // to the next device, beside attention
};

// What the NVLinks' own counters saw of rings that only transferred and computed, a device each; bytes of one ring.
struct RingLink {
  int links = 0;    // of a GPU
  double rate = 0;  // bytes a second and direction, all links of a GPU, as the driver says; 0: not known
  int rings = 0;    // that were counted
  std::vector<double> sent, received;
};

// The same problem on one of the GPUs.
struct RingAlone {
  Spread time;
  Errors errors;
  double difference = 0;  // relative L2 difference of the ring's O from it, all elements
  double largest = 0;     // of one element
};

// Of a whole ring: the device that took longest.
struct RingTimes {
  Spread together, attention, transfer;
  // What the transfer costs: together less attention alone, of neighbouring rounds, at the SM clock of the latter. Of
  // long rings the power limit moves the clock, and with it the time, by more than the whole transfer takes.
  Spread exposed;
  double together_clock = 0, attention_clock = 0;  // MHz, medians, as the SMs counted their cycles; 0: not known
  std::vector<RingStep> steps;                     // P turns
};

struct RingResult {
  static constexpr int kSchemaMajor = 1, kSchemaMinor = 0;
  Provenance provenance;  // of the first GPU
  RingSpec spec;
  uint64_t hash = 0;      // of head 0 of the inputs, as RunInputs::hash
  std::string transport;  // "NCCL 2.28.9", "copy engines"
  bool peer = false;      // each GPU reaches the next one's memory without the host
  Errors errors;          // of the ring's O and L against float64
  std::optional<RingAlone> alone;
  std::optional<RingTimes> times;  // only after the errors passed
  std::optional<RingLink> link;
  std::string no_link;  // why there is none
};

// What the transfers of a ring take alone, ms. The first after a rest takes some 100 us to get going, which one beside
// attention hardly shows; so of three GPUs and more it counts as long as those behind it.
double transfer_ms(const RingTimes& times);
// The share of that which lies under the attention: 1 - exposed / transfer. Below zero where the two together take
// longer than one after the other.
double hidden_share(const RingTimes& times);
int64_t ring_bytes(const RingSpec& spec);  // that a device sends in one ring: P - 1 turns

std::string ring_text(const std::vector<RingResult>& results);
// Or what is wrong, as a sentence without its stop that begins with the place.
std::optional<std::vector<RingResult>> read_ring(std::string_view text, std::string& fault);
// IoError: the file cannot be written.
void save_ring(const std::filesystem::path& path, const std::vector<RingResult>& results);
// Files of rings lie among the recordings, under names that end so.
constexpr std::string_view kRingEnding = "ring.json";

}  // namespace tilewalk
