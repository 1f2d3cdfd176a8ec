#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace tilewalk {
namespace {

constexpr std::array kRecordings{"assets/recordings/h200.json", "assets/recordings/h200-backward.json",
                                 "assets/recordings/h200-pytorch.json", "assets/recordings/h200-pytorch-backward.json"};

constexpr std::array kBeside{"assets/recordings/h200-fp8-methods.json", "assets/recordings/h200-decode-methods.json",
                             "assets/recordings/h200-groups-methods.json"};

struct Shipped {
  std::vector<RunResult> runs;
  std::vector<size_t> end;  // of each file's runs
};

Shipped read_all(std::span<const char* const> files) {
  Shipped out;
  for (const char* file : files) {
    std::string fault;  // of our own files: a test says that there is none
    if (auto results = read_recording(embedded_file(file), fault))
      std::ranges::move(*results, std::back_inserter(out.runs));
    out.end.push_back(out.runs.size());
  }
  return out;
}

std::string_view file_of(const Shipped& all, std::span<const char* const> files, size_t index) {
  const size_t file = size_t(std::ranges::upper_bound(all.end, index) - all.end.begin());
  const std::string_view path = files[std::min(file, files.size() - 1)];
  return path.substr(path.rfind('/') + 1);
}

const Shipped& shipped() {
  static const Shipped all = read_all(kRecordings);
  return all;
}
const Shipped& beside() {
  static const Shipped all = read_all(kBeside);
  return all;
}

}  // namespace

const std::vector<RunResult>& shipped_recordings() { return shipped().runs; }

std::string_view shipped_file(size_t index) { return file_of(shipped(), kRecordings, index); }

const std::vector<RunResult>& shipped_beside() { return beside().runs; }

std::string_view shipped_beside_file(size_t index) { return file_of(beside(), kBeside, index); }

const std::vector<RunResult>& shipped_ladder() {
  static const std::vector<RunResult> all = [] {
    std::string fault;  // likewise
    return read_recording(embedded_file(fmt::format("assets/recordings/{}", kShippedLadder)), fault)
        .value_or(std::vector<RunResult>{});
  }();
  return all;
}

std::optional<SwitchedTime> shipped_switch(KernelId kernel, Switch with, int64_t d, Mask mask) {
  constexpr int64_t kN = 4096;
  for (const RunResult& run : shipped_ladder()) {
    const Problem& p = run.spec.problem;
    if (p.n_q != kN || p.d != d || p.mask != mask) continue;
    const auto of = [&](Switch id) -> const KernelResult* {
      for (const KernelResult& k : run.kernels)
        if (k.kernel == kernel && k.with == id && k.timing) return &k;
      return nullptr;
    };
    const KernelResult *plain = of(Switch::None), *switched = of(with);
    if (plain && switched) return SwitchedTime{switched->timing->median / plain->timing->median, run.provenance.gpu};
  }
  return std::nullopt;
}

const std::vector<RingResult>& shipped_rings() {
  static const std::vector<RingResult> all = [] {
    std::string fault;  // likewise
    return read_ring(embedded_file("assets/recordings/h100-ring.json"), fault).value_or(std::vector<RingResult>{});
  }();
  return all;
}

const RingResult* shipped_ring(const RingSpec& wanted) {
  for (const RingResult& ring : shipped_rings()) {
    const Problem &a = ring.spec.problem, &b = wanted.problem;
    if (ring.times && ring.spec.gpus == wanted.gpus && ring.spec.split == wanted.split &&
        ring.spec.transfer == wanted.transfer && (ring.spec.spare > 0) == (wanted.spare > 0) && a.n_q == b.n_q &&
        a.d == b.d && a.mask == b.mask)
      return &ring;
  }
  return nullptr;
}

bool is_shipped(std::string_view text) {
  const auto is = [&](std::string_view file) { return embedded_file(file) == text; };
  return std::ranges::any_of(kRecordings, is) || std::ranges::any_of(kBeside, is) ||
         is(fmt::format("assets/recordings/{}", kShippedLadder));
}

}  // namespace tilewalk
