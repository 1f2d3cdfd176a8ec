#include "core/run/shipped.h"

#include "core/io/embedded.h"
#include "core/run/ceilings.h"
#include "core/run/recording_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace tilewalk {
namespace {

using enum RecordedGpu;
using enum RecordedSet;

struct File {
  std::string_view path;
  RecordedGpu gpu;
  RecordedSet set;
};
constexpr std::array kSets{Runs, Beside, Ladder, Lessons};
constexpr std::array kFiles{
    File{"assets/recordings/h200.json", H200, Runs},
    File{"assets/recordings/h200-widths.json", H200, Runs},
    File{"assets/recordings/h200-backward.json", H200, Runs},
    File{"assets/recordings/h200-pytorch.json", H200, Runs},
    File{"assets/recordings/h200-pytorch-backward.json", H200, Runs},
    File{"assets/recordings/h200-pytorch-widths.json", H200, Runs},
    File{"assets/recordings/h200-fp8.json", H200, Beside},
    File{"assets/recordings/h200-decode.json", H200, Beside},
    File{"assets/recordings/h200-groups.json", H200, Beside},
    File{"assets/recordings/h200-ladder.json", H200, Ladder},
    File{"assets/recordings/h200-lessons.json", H200, Lessons},
    File{"assets/recordings/h100.json", H100, Runs},
    File{"assets/recordings/h100-widths.json", H100, Runs},
    File{"assets/recordings/h100-backward.json", H100, Runs},
    File{"assets/recordings/h100-pytorch.json", H100, Runs},
    File{"assets/recordings/h100-pytorch-backward.json", H100, Runs},
    File{"assets/recordings/h100-pytorch-widths.json", H100, Runs},
    File{"assets/recordings/h100-fp8.json", H100, Beside},
    File{"assets/recordings/h100-decode.json", H100, Beside},
    File{"assets/recordings/h100-groups.json", H100, Beside},
    File{"assets/recordings/h100-ladder.json", H100, Ladder},
    File{"assets/recordings/h100-lessons.json", H100, Lessons},
};

std::string_view name_of(const File& file) { return file.path.substr(file.path.rfind('/') + 1); }

// The runs of one GPU's set, file after file, read a kernel at a time by whoever comes first.
class Shelf {
 public:
  Shelf(RecordedGpu gpu, RecordedSet set) {
    for (const File& file : kFiles)
      if (file.gpu == gpu && file.set == set) files_.push_back(&file);
  }

  bool piece() {
    const std::lock_guard lock(mutex_);
    while (at_ < files_.size()) {
      if (!reading_) reading_.emplace(embedded_file(files_[at_]->path));  // empty where it could not be brought
      const bool more = reading_->next(runs_);
      while (file_of_.size() < runs_.size()) file_of_.push_back(name_of(*files_[at_]));
      if (more) return true;
      reading_.reset();
      let_go_of_large_file(files_[at_]->path);
      ++at_;
    }
    return false;
  }
  const std::vector<RunResult>& runs() {
    while (piece()) {
    }
    return runs_;
  }
  std::string_view file_of(size_t run) const { return file_of_[run]; }

 private:
  std::mutex mutex_;
  std::vector<const File*> files_;
  size_t at_ = 0;
  std::optional<RecordingPieces> reading_;
  std::vector<RunResult> runs_;
  std::vector<std::string_view> file_of_;
};

Shelf& shelf(RecordedGpu gpu, RecordedSet set) {
  static std::array<Shelf, 8> all{Shelf{H200, Runs}, Shelf{H200, Beside}, Shelf{H200, Ladder}, Shelf{H200, Lessons},
                                  Shelf{H100, Runs}, Shelf{H100, Beside}, Shelf{H100, Ladder}, Shelf{H100, Lessons}};
  return all[size_t(gpu) * kSets.size() + size_t(set)];
}

}  // namespace

const std::vector<RunResult>& shipped_recordings(RecordedGpu gpu) { return shelf(gpu, Runs).runs(); }
const std::vector<RunResult>& shipped_beside(RecordedGpu gpu) { return shelf(gpu, Beside).runs(); }
const std::vector<RunResult>& shipped_ladder(RecordedGpu gpu) { return shelf(gpu, Ladder).runs(); }
const std::vector<RunResult>& shipped_lesson_runs(RecordedGpu gpu) { return shelf(gpu, Lessons).runs(); }

bool read_shipped_ahead() {
  for (const RecordedGpu gpu : kRecordedGpus)
    for (const RecordedSet set : kSets)
      if (shelf(gpu, set).piece()) return true;
  return false;
}

std::vector<ShippedRun> shipped_runs() {
  std::vector<ShippedRun> out;
  for (const RecordedGpu gpu : kRecordedGpus)
    for (const RecordedSet set : kSets) {
      Shelf& of = shelf(gpu, set);
      for (const RunResult& run : of.runs()) out.push_back({&run, of.file_of(size_t(&run - of.runs().data())), gpu});
    }
  return out;
}

std::optional<RecordedGpu> shipped_gpu(std::string_view file) {
  const auto found = std::ranges::find(kFiles, file, [](const File& of) { return name_of(of); });
  return found == kFiles.end() ? std::nullopt : std::optional(found->gpu);
}

std::optional<SwitchedTime> shipped_switch(Method kernel, Switch with, int64_t d, Mask mask) {
  constexpr int64_t kN = 4096;
  for (const RunResult& run : shipped_ladder()) {  // no other set: a page must not wait for the large ones
    const Problem& p = run.spec.problem;
    if (p.n_q != kN || p.d != d || p.mask != mask) continue;
    const auto of = [&](Switch id) -> const KernelResult* {
      for (const KernelResult& k : run.kernels)
        if (k.kernel == kernel && k.with == id && k.timing) return &k;
      return nullptr;
    };
    const KernelResult *plain = of(Switch::None), *switched = of(with);
    if (plain && switched)
      return SwitchedTime{switched->timing->median / plain->timing->median, p.n_q, run.provenance.gpu,
                          "h200-ladder.json"};
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

const std::vector<RelativeResult>& shipped_relatives(RecordedGpu gpu) {
  const auto read = [](RecordedGpu of) {
    std::string fault;  // likewise
    return read_relatives(embedded_file(fmt::format("assets/recordings/{}-relatives.json", id_of(of))), fault)
        .value_or(std::vector<RelativeResult>{});
  };
  static const std::array all{read(H200), read(H100)};
  return all[size_t(gpu)];
}

const RelativeResult* shipped_relative(RelativeForm form, int64_t batch, int64_t n_k, Mask mask) {
  for (const RelativeResult& relative : shipped_relatives()) {
    const Problem& p = relative.spec.problem;
    if (relative.timing && relative.spec.form == form && p.batch == batch && p.n_k == n_k && p.mask == mask)
      return &relative;
  }
  return nullptr;
}

const std::vector<ProgramRun>& shipped_program_runs(RecordedGpu gpu) {
  const auto read = [](RecordedGpu of) {
    std::string fault;  // likewise
    return read_programs(embedded_file(fmt::format("assets/recordings/{}-programs.json", id_of(of))), fault)
        .value_or(std::vector<ProgramRun>{});
  };
  static const std::array all{read(H200), read(H100)};
  return all[size_t(gpu)];
}

bool names_runs(std::string_view file) {
  return file.ends_with(".json") &&
         std::ranges::none_of(std::array{kCeilingsEnding, kRingEnding, kRelativesEnding, kProgramsEnding},
                              [&](std::string_view ending) { return file.ends_with(ending); });
}

bool is_shipped(std::string_view text) {
  return std::ranges::any_of(kFiles, [&](const File& file) { return embedded_file(file.path) == text; });
}

}  // namespace tilewalk
