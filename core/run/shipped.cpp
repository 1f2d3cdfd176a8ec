#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <span>

namespace tilewalk {
namespace {

constexpr std::array kRecordings{"assets/recordings/h200.json", "assets/recordings/h200-backward.json",
                                 "assets/recordings/h200-pytorch.json", "assets/recordings/h200-pytorch-backward.json"};

constexpr std::array kBeside{"assets/recordings/h200-fp8-methods.json", "assets/recordings/h200-decode-methods.json",
                             "assets/recordings/h200-groups-methods.json"};

// recording_text() gives every run's head, and each of its kernels, lines of their own.
constexpr std::string_view kRun = "{\"provenance\"", kKernel = " {\"kernel\"";

// Reads them a piece at a time: of the largest file a kernel, the others whole.
class Shipped {
 public:
  explicit Shipped(std::span<const char* const> files) : files_(files) {}

  // Of all of them.
  const std::vector<RunResult>& runs() {
    const std::lock_guard lock(reading_);
    while (piece()) {
    }
    return runs_;
  }
  std::string_view file_of(size_t index) {
    runs();
    const size_t file = size_t(std::ranges::upper_bound(end_, index) - end_.begin());
    const std::string_view path = files_[std::min(file, files_.size() - 1)];
    return path.substr(path.rfind('/') + 1);
  }
  bool read_ahead() {
    const std::lock_guard lock(reading_);
    return piece();
  }

 private:
  bool piece() {
    if (end_.size() == files_.size()) return false;
    const std::string_view path = files_[end_.size()];
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
  std::string_view line() {
    const std::string_view out = rest_.substr(0, rest_.find('\n') + 1);
    rest_.remove_prefix(out.empty() ? rest_.size() : out.size());
    return out;
  }
  // Behind a kernel stand a comma, or the end of its run, or with it that of the file.
  void add_kernel(std::string_view line) {
    const bool more = rest_.starts_with(kKernel);
    const size_t behind = more ? 2 : rest_.empty() ? 5 : 4;  // ",", "]}]}" or "]},", and the line's end
    line.remove_suffix(std::min(line.size(), behind));
    const size_t before = runs_.size();
    add(fmt::format("{}{}{}]}}]}}", head_, run_, line));
    if (same_run_ && before > 0 && runs_.size() > before) {
      runs_[before - 1].kernels.push_back(std::move(runs_.back().kernels.front()));
      runs_.pop_back();
    }
    same_run_ = more;
  }
  void add(std::string_view text) {
    std::string fault;  // of our own files: a test says that there is none
    if (auto results = read_recording(text, fault)) std::ranges::move(*results, std::back_inserter(runs_));
  }
  bool close() {
    end_.push_back(runs_.size());
    return true;
  }

  std::mutex reading_;  // by whoever comes first
  const std::span<const char* const> files_;
  std::vector<RunResult> runs_;
  std::vector<size_t> end_;                // of each file's runs
  bool begun_ = false, same_run_ = false;  // the next kernel is of the last run
  std::string_view rest_;                  // of the large file, not read yet
  std::string head_, run_;                 // of the file, and of the run that is being read
};

Shipped& shipped() {
  static Shipped all(kRecordings);
  return all;
}
Shipped& beside() {
  static Shipped all(kBeside);
  return all;
}

}  // namespace

const std::vector<RunResult>& shipped_recordings() { return shipped().runs(); }
bool read_shipped_ahead() { return shipped().read_ahead(); }
std::string_view shipped_file(size_t index) { return shipped().file_of(index); }

const std::vector<RunResult>& shipped_beside() { return beside().runs(); }
std::string_view shipped_beside_file(size_t index) { return beside().file_of(index); }

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
