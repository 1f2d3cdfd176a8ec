#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>

namespace tilewalk {
namespace {

constexpr std::array kRecordings{"assets/recordings/h200.json", "assets/recordings/h200-backward.json",
                                 "assets/recordings/h200-pytorch.json", "assets/recordings/h200-pytorch-backward.json"};

// recording_text() gives every run's head, and each of its kernels, lines of their own.
constexpr std::string_view kRun = "{\"provenance\"", kKernel = " {\"kernel\"";

// Reads them a piece at a time: of the largest file a kernel, the others whole.
class Shipped {
 public:
  std::vector<RunResult> runs;
  std::array<size_t, kRecordings.size()> end{};  // of each file's runs

  bool piece() {
    if (file_ == kRecordings.size()) return false;
    const std::string_view path = kRecordings[file_];
    if (path != kLargeFile) {
      add(embedded_file(path));
      return close();
    }
    if (!begun_) {
      begun_ = true;
      rest_ = embedded_file(path);  // empty where it could not be brought
      head_ = line(), head_ += line();
    }
    while (!rest_.empty()) {
      const std::string_view next = line();
      if (next.starts_with(kKernel)) {
        add_kernel(next);
        return true;
      }
      if (next.starts_with(kRun)) run_.clear();
      run_ += next;
    }
    return close();
  }

 private:
  std::string_view line() {
    const std::string_view out = rest_.substr(0, rest_.find('\n') + 1);
    rest_.remove_prefix(out.empty() ? rest_.size() : out.size());
    return out;
  }
  // Behind a kernel stand a comma, or the end of its run, or with it that of the file.
  void add_kernel(std::string_view line) {
    const bool more = rest_.starts_with(kKernel);
    line.remove_suffix(std::min(line.size(), std::string_view(more            ? ",\n"
                                                              : rest_.empty() ? "]}]}\n"
                                                                              : "]},\n")
                                                 .size()));
    const size_t before = runs.size();
    add(fmt::format("{}{}{}]}}]}}", head_, run_, line));
    if (same_run_ && before > 0 && runs.size() > before) {
      runs[before - 1].kernels.push_back(std::move(runs.back().kernels.front()));
      runs.pop_back();
    }
    same_run_ = more;
  }
  void add(std::string_view text) {
    std::string fault;  // of our own files: a test says that there is none
    if (auto results = read_recording(text, fault)) std::ranges::move(*results, std::back_inserter(runs));
  }
  bool close() {
    end[file_++] = runs.size();
    return true;
  }

  size_t file_ = 0;
  bool begun_ = false, same_run_ = false;  // the next kernel is of the last run
  std::string_view rest_;                  // of the large file, not read yet
  std::string head_, run_;                 // of the file, and of the run that is being read
};

std::mutex reading;  // by whoever comes first
Shipped& so_far() {
  static Shipped all;
  return all;
}

const Shipped& shipped() {
  const std::lock_guard lock(reading);
  while (so_far().piece()) {
  }
  return so_far();
}

}  // namespace

const std::vector<RunResult>& shipped_recordings() { return shipped().runs; }

bool read_shipped_ahead() {
  const std::lock_guard lock(reading);
  return so_far().piece();
}

std::string_view shipped_file(size_t index) {
  const size_t file = size_t(std::ranges::upper_bound(shipped().end, index) - shipped().end.begin());
  const std::string_view path = kRecordings[std::min(file, kRecordings.size() - 1)];
  return path.substr(path.rfind('/') + 1);
}

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
  return std::ranges::any_of(kRecordings, is) || is(fmt::format("assets/recordings/{}", kShippedLadder));
}

}  // namespace tilewalk
