#include "app/gpu/recordings.h"

#include "core/io/file.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/run/audit.h"
#include "core/run/ceilings.h"
#include "core/run/ring_run.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <tuple>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

bool same_shape(const Problem& a, const Problem& b) {
  const bool cut = a.mask == Mask::Causal && a.n_q != a.n_k;  // only then the alignment matters
  return std::tie(a.batch, a.heads, a.n_q, a.n_k, a.d, a.mask, a.format) ==
             std::tie(b.batch, b.heads, b.n_q, b.n_k, b.d, b.mask, b.format) &&
         (!cut || a.align == b.align);
}

bool same_generator(const Problem& a, const Problem& b) {
  return a.distribution != Distribution::Custom && a.distribution == b.distribution && a.seed == b.seed;
}

bool inputs_alike(const RunResult& recorded, const RunSpec& wanted) {
  const Problem &a = recorded.spec.problem, &b = wanted.problem;
  const uint64_t hash = recorded.spec.inputs.hash;
  // Without a hash it is not known that the recorded inputs are those that its seed says.
  return a.softmax_scale() == b.softmax_scale() && hash != 0 && (hash == wanted.inputs.hash || same_generator(a, b));
}

bool of_this_project(const RunResult& result) {
  return std::ranges::all_of(result.kernels, [](const KernelResult& kernel) { return kernel.label.empty(); });
}

bool is_believed(const RunResult& result) {
  return std::ranges::all_of(result.kernels, [](const KernelResult& kernel) { return kernel.disbelieved.empty(); });
}

}  // namespace

std::vector<fs::path> recording_folders(const fs::path& program_folder, const fs::path& data_folder) {
  std::vector<fs::path> out = program_data(program_folder, "recordings", "assets/recordings");
  std::error_code ignored;
  if (!data_folder.empty() && fs::is_directory(data_folder / "recordings", ignored))
    out.push_back(data_folder / "recordings");
  return out;
}

Recordings load_recordings(const std::vector<fs::path>& folders) {
  Recordings out;
  for (const fs::path& folder : folders) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored))
      if (const std::string name = it->path().filename().string(); names_runs(name)) files.push_back(it->path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      try {
        std::vector<std::string> refused;
        std::string left_out;
        for (RunResult& result : load_believed(file, refused, &left_out))
          out.all.push_back({std::make_shared<const RunResult>(std::move(result)), file.filename().string()});
        if (!left_out.empty()) out.faults.push_back(fmt::format("{}: {}", printable_path(file.filename()), left_out));
        if (!refused.empty())
          out.faults.push_back(
              fmt::format("{}: {} It is not shown as recorded.", printable_path(file.filename()), refused.front()));
      } catch (const IoError& error) {
        out.faults.push_back(error.what());
      } catch (const std::bad_alloc&) {
        out.faults.push_back(fmt::format("{} is too large for this machine's memory.", printable_path(file)));
      }
    }
  }
  return out;
}

Recordings shipped_as_recordings() {
  Recordings out;
  for (const ShippedRun& each : shipped_runs())
    out.all.push_back(
        {std::shared_ptr<const RunResult>(std::shared_ptr<const RunResult>(), each.run), std::string(each.file)});
  return out;
}

Serves serves(const RunResult& recorded, const RunSpec& wanted) {
  const Problem &a = recorded.spec.problem, &b = wanted.problem;
  if (!same_shape(a, b)) return Serves::No;
  if (recorded.spec.kv_heads != wanted.kv_heads) return Serves::No;
  // Of FP8 and decoding every row serves, whatever others the run lacks; what eight bits cost is of those inputs alone.
  const auto beside = [](const KernelResult& k) { return is_beside(k.kernel); };
  const bool wants_beside = std::ranges::any_of(wanted.kernels, is_beside);
  if (wants_beside)
    return std::ranges::none_of(recorded.kernels,
                                [&](const KernelResult& k) { return k.kernel == wanted.kernels.back(); })
               ? Serves::No
           : a.distribution != b.distribution ? Serves::No
           : inputs_alike(recorded, wanted)   ? Serves::SameInputs
                                              : Serves::SameShape;
  if (std::ranges::any_of(recorded.kernels, beside)) return Serves::No;
  // A run with switches serves those who ask for one of them, and nobody else.
  const auto has = [&](Switch with) {
    return std::ranges::find(recorded.spec.switches, with) != recorded.spec.switches.end();
  };
  if (wanted.switches.empty() ? !recorded.spec.switches.empty() : !std::ranges::all_of(wanted.switches, has))
    return Serves::No;
  // A recording of backward kernels alone has nothing to show beside forward ones.
  const auto asked = [&](const KernelResult& k) {
    const auto direction = [](Method id) { return schedule_of(id).direction; };
    return wanted.kernels.empty() ||
           std::ranges::any_of(wanted.kernels, [&](Method id) { return direction(id) == direction(k.kernel); });
  };
  if (!recorded.kernels.empty() && std::ranges::none_of(recorded.kernels, asked)) return Serves::No;
  return inputs_alike(recorded, wanted) ? Serves::SameInputs : Serves::SameShape;
}

std::shared_ptr<const RunResult> pick_fa3_beside(const Recordings& recordings, const RunResult& fp8) {
  std::shared_ptr<const RunResult> best;
  for (const Recording& recording : recordings.all) {
    const RunResult& run = *recording.result;
    const auto has = [](const KernelResult& k) {
      return k.kernel == Method::Fa3 && k.with == Switch::None && k.label.empty() && k.timing && k.disbelieved.empty();
    };
    if (same_shape(run.spec.problem, fp8.spec.problem) && run.provenance.gpu == fp8.provenance.gpu &&
        group_of(run.spec) == 1 && run.spec.flush_l2 == fp8.spec.flush_l2 && std::ranges::any_of(run.kernels, has) &&
        (!best || best->provenance.date < run.provenance.date))
      best = recording.result;
  }
  return best;
}

std::shared_ptr<const RunResult> pick_peers(const Recordings& recordings, const RunSpec& wanted) {
  std::shared_ptr<const RunResult> best;
  for (const Recording& recording : recordings.all)
    if (!of_this_project(*recording.result) && is_believed(*recording.result) &&
        serves(*recording.result, wanted) != Serves::No &&
        (!best || best->provenance.date < recording.result->provenance.date))
      best = recording.result;
  return best;
}

bool is_of(const Recording& recording, RecordedGpu gpu) {
  return shipped_gpu(recording.file).value_or(RecordedGpu::H200) == gpu;
}

std::shared_ptr<const RunResult> pick_stamps(const Recordings& recordings, RecordedGpu on) {
  std::shared_ptr<const RunResult> found;
  size_t most = 0;
  for (const Recording& recording : recordings.all)
    for (const KernelResult& result : recording.result->kernels)
      if (is_of(recording, on) && result.kernel == Method::Fa3 && result.trace && result.trace->stamps.size() > most) {
        most = result.trace->stamps.size();
        found = recording.result;
      }
  return found;
}

Pick pick_recording(const Recordings& recordings, const RunSpec& wanted, RecordedGpu on) {
  using Rank = std::tuple<bool, bool, Serves, bool, size_t, std::string_view>;
  const auto kernels_of = [&](const RunResult& run) {  // of those that are asked for
    return size_t(std::ranges::count_if(wanted.kernels, [&](Method id) {
      return std::ranges::find(run.kernels, id, &KernelResult::kernel) != run.kernels.end();
    }));
  };
  Pick best;
  Rank rank{false, false, Serves::No, false, 0, {}};
  for (size_t k = 0; k < recordings.all.size(); ++k) {
    const RunResult& result = *recordings.all[k].result;
    const Serves how = serves(result, wanted);
    const Rank now{is_believed(result),     is_of(recordings.all[k], on), how,
                   of_this_project(result), kernels_of(result),           result.provenance.date};
    if (how == Serves::No || (best.index >= 0 && now <= rank)) continue;
    rank = now;
    best = {int(k), how};
  }
  return best;
}

}  // namespace tilewalk
