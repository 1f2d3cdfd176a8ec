#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tilewalk {
namespace {

constexpr std::array kFiles{"assets/recordings/h200.json", "assets/recordings/h200-pytorch.json"};

struct Shipped {
  std::vector<RunResult> runs;
  std::array<size_t, kFiles.size()> end{};  // of each file's runs
};

const Shipped& shipped() {
  static const Shipped all = [] {
    Shipped out;
    for (size_t k = 0; k < kFiles.size(); ++k) {
      std::string fault;  // of our own files: a test says that there is none
      if (auto results = read_recording(embedded_file(kFiles[k]), fault))
        std::ranges::move(*results, std::back_inserter(out.runs));
      out.end[k] = out.runs.size();
    }
    return out;
  }();
  return all;
}

}  // namespace

const std::vector<RunResult>& shipped_recordings() { return shipped().runs; }

std::string_view shipped_file(size_t index) {
  const size_t file = size_t(std::ranges::upper_bound(shipped().end, index) - shipped().end.begin());
  const std::string_view path = kFiles[std::min(file, kFiles.size() - 1)];
  return path.substr(path.rfind('/') + 1);
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
  return std::ranges::any_of(kFiles, [&](const char* file) { return embedded_file(file) == text; });
}

}  // namespace tilewalk
