// What the pill and the head of the GPU panel say, in each state: of the rows below, or of what is being done.
#include "app/gpu/run_plan.h"
#include "app/panels/gpu_parts.h"
#include "app/session/commands.h"
#include "core/machine/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

Chip action(std::string_view command, std::string title) {
  return {fmt::format("command:{}", command), std::move(title), tip_of(command)};
}

// "FA1 FA2 FA3": the kernels that run here, without the baseline and the small instances.
std::string offered(const Hello& hello) {
  std::string out;
  for (const KernelOffer& offer : hello.kernels)
    if (const MethodInfo& info = info_of(offer.kernel);
        offer.unavailable.empty() && info.is_compared() && info.id != Method::Standard)
      out += (out.empty() ? "" : " ") + std::string(info.name);
  return out;
}

std::string stage_words(RunStage stage) {
  switch (stage) {
    case RunStage::Inputs: return "making the inputs";
    case RunStage::Checking: return "checking against float64";
    case RunStage::Timing: return "timing";
    case RunStage::Counting: return "counting bytes";
    case RunStage::Tracing: return "tracing m and l";
  }
  return {};
}

const KernelResult* fastest(const RunResult& run) {
  const KernelResult* best = nullptr;
  for (const KernelResult& kernel : run.kernels)
    if (kernel.timing && kernel.with == Switch::None && (!best || kernel.timing->median < best->timing->median))
      best = &kernel;
  return best;
}

// Another whose median lies within the best one's launches is as fast as that one, as far as was measured.
std::string fastest_words(const RunResult& run, const KernelResult& best) {
  std::vector<std::string_view> alike{info_of(best.kernel).kernel_name()};
  for (const KernelResult& each : run.kernels)
    if (&each != &best && each.with == Switch::None && each.timing && each.timing->median > 0 &&
        each.timing->median <= best.timing->p90)
      alike.push_back(info_of(each.kernel).kernel_name());
  const std::string launches =
      fmt::format("median of {} launches after {} to warm up", best.timing->count, best.timing->warmups);
  return alike.size() == 1
             ? fmt::format("{} is the fastest: {}.", alike.front(), launches)
             : fmt::format("{} are alike: each {}, within their spread.", fmt::join(alike, ", "), launches);
}

// Of a run in a class's queue.
GpuWords place_words(const RunPlace& place, GpuWords words) {
  if (place.running) {
    words.headline = "Measuring for you";
    words.sentence = "Your run is on the class's GPU now.";
    return words;
  }
  words.headline = "Waiting for the GPU of the class";
  if (place.starting) {
    words.pill = "The GPU is being started";
    words.sentence =
        "The class's GPU is being started again; your run waits for it" +
        (place.ahead == 0 ? std::string(".")
                          : fmt::format(", {} {} ahead of it.", place.ahead, place.ahead == 1 ? "another" : "others"));
    return words;
  }
  words.pill = place.ahead == 0 ? "Next in the class" : fmt::format("{} ahead of you", place.ahead);
  words.sentence = place.ahead == 0
                       ? "Your run is the next one."
                       : fmt::format("{} {} ahead of yours: about {:.0f} s.", place.ahead,
                                     place.ahead == 1 ? "run is" : "runs are", std::ceil(std::max(1.0, place.seconds)));
  return words;
}

std::string both_of(const GpuStatus& status) {
  return status.remedy.empty() ? status.what : status.what + " " + status.remedy;
}

// A GPU that waits for what is to be run.
GpuWords ready_words(const GpuStatus& status, std::vector<Chip> actions) {
  const bool waits = status.state == GpuState::Ready || status.state == GpuState::Remote;
  const std::string name = status.hello ? short_gpu_name(status.hello->gpu.gpu) : "GPU";
  const std::string kernels = status.hello ? offered(*status.hello) : "";
  GpuWords out{status.remote ? "⇄" : "●",
               fmt::format("{} · {}",
                           status.in_class ? "Class GPU"
                           : status.remote ? status.host
                                           : name,
                           kernels.empty() ? "no kernel" : kernels),
               fmt::format("{} is ready", status.remote ? fmt::format("{} in {}", name, status.host) : name),
               waits ? both_of(status) : "",
               std::move(actions),
               Role::RightText};
  if (out.sentence.empty() && status.hello)
    out.sentence = fmt::format("{} of {} free. The inputs on the stage are remade there.",
                               bytes_words(status.hello->memory_free), bytes_words(status.hello->gpu.memory_bytes));
  if (status.in_class)
    out.sentence = "All in the class share it: runs wait in one queue.";
  else if (status.remote && status.hello)
    out.sentence += fmt::format(" It answered in {:.1f} s; worker {}.", status.answer_seconds, status.hello->program);
  return out;
}

// Whether a run asked for what the rows below are of.
bool is_of_rows(const RunSpec& run, const GpuView& gpu) {
  if (!gpu.board) return true;
  const RunSpec& rows = gpu.board->spec;
  Problem a = run.problem, b = rows.problem;
  a.br = a.bc = b.br = b.bc = 0;  // the stage's; each kernel uses its own
  const auto is_row = [&](Method kernel) { return std::ranges::find(rows.kernels, kernel) != rows.kernels.end(); };
  return a == b && run.kv_heads == rows.kv_heads && run.switches == rows.switches &&
         std::ranges::all_of(run.kernels, is_row);
}

}  // namespace

GpuWords gpu_words(const GpuView& gpu) {
  const GpuStatus& status = gpu.status;
  const auto both = [&] { return both_of(status); };
  const std::string name = status.hello ? short_gpu_name(status.hello->gpu.gpu) : "GPU";
  const std::string where = status.remote ? fmt::format("{} in {}", name, status.host) : name;
  const Chip run = action("gpu-run", "Run (R)"), again = action("gpu-run", "Run again (R)"),
             recorded = action("gpu-recorded", "Show recorded"), anew = action("gpu-reconnect", "Look again"),
             live = action("gpu-recorded", "Back to live"), save = action("gpu-save", "Save recording"),
             copy = action("gpu-diagnostics", "Copy details");
  GpuWords out;
  if (gpu.recorded) {
    const bool found = gpu.board && gpu.board->recorded;
    out = {"◆", "Recorded", "Recorded", "", {}};
    if (found) {
      const Provenance& p = gpu.board->recorded->provenance;
      out.headline = fmt::format("Recorded · {} · {}", short_gpu_name(p.gpu), date_words(p.date));
      const std::string day = date_words(p.date);
      out.pill = fmt::format("{} · recorded {}", short_gpu_name(p.gpu), day.substr(0, day.rfind(' ')));
      out.sentence = fmt::format("From {}: driver {}for CUDA {}.{}, CUDA {}.{}.", gpu.board->recorded_file,
                                 p.driver_version.empty() ? "" : p.driver_version + " ", p.driver / 1000,
                                 p.driver % 1000 / 10, p.cuda / 1000, p.cuda % 1000 / 10);
    } else {
      out.sentence = gpu.shape == GpuShape::Stage ? "No recording has this shape. Take a benchmark size."
                                                  : "No recording has this shape. Take another size.";
    }
    const bool first = gpu.recorded_on == RecordedGpu::H200;
    const Chip other = action("gpu-recorded-on", first ? "On an H100" : "On an H200");
    if (status.usable())
      out.actions = {run, live, other};
    else
      out.actions = {action("gpu-recorded", "Back to this computer"), other};
    return out;
  }
  switch (status.state) {
    case GpuState::Probing: return {"◌", "GPU…", "Looking for a GPU", both(), {recorded}, Role::TextSecondary};
    case GpuState::NoWorker:
      return {"○", "No GPU · recorded", "No GPU worker", both(), {recorded, anew, copy}, Role::TextSecondary};
    case GpuState::NoDriver:
      return {"○",    "No GPU · recorded",    "NVIDIA driver not installed",
              both(), {recorded, anew, copy}, Role::TextSecondary};
    case GpuState::NoDevice:
      return {"○", "No GPU · recorded", "No GPU that can be used", both(), {recorded, anew, copy}, Role::TextSecondary};
    case GpuState::DriverTooOld:
      return {"!", "Driver too old", "Driver too old", both(), {recorded, anew, copy}, Role::WrongText};
    case GpuState::NotEnoughMemory:
      out = {"!", "Memory", "Not enough memory", both(), {again}, Role::WrongText};
      if (status.largest_n > 0 && has_sizes(gpu.shape)) {
        int64_t n = 0;
        for (int64_t each : kBenchmarkN)
          if (each <= status.largest_n) n = each;
        if (n > 0)
          out.actions.insert(out.actions.begin(),
                             {fmt::format("choice:gpu-n/{}", n), fmt::format("Use N = {}", with_commas(n)),
                              "The largest benchmark size that fits"});
      }
      return out;
    case GpuState::Busy:
      return {"◐",
              "GPU busy",
              fmt::format("{} is busy", where),
              both(),
              {action("gpu-anyway", "Run anyway"), recorded},
              Role::WrongText};
    case GpuState::Ready:
    case GpuState::Remote: return ready_words(status, {run, recorded});
    case GpuState::Running: {
      const Progress& p = status.progress;
      out = {"▶",       "Measuring", fmt::format("Measuring on {}", where), "", {action("gpu-stop", "Stop (Esc)")},
             Role::Text};
      if (p.of > 0) {
        out.pill = fmt::format("Measuring {}/{}", p.done, p.of);
        out.sentence =
            fmt::format("{}: {}, {} of {}.", info_of(p.kernel).kernel_name(), stage_words(p.stage), p.done, p.of);
      }
      if (!status.what.empty()) out.sentence = status.what;
      return status.place ? place_words(*status.place, std::move(out)) : out;
    }
    case GpuState::Result:
    case GpuState::NoCounters: {
      const RunResult* shown = gpu.shown ? gpu.shown->get() : status.result.get();
      if (gpu.shown && !shown) {  // the last run is of something else
        if (!gpu.rows_shown || !gpu.board || !gpu.board->shows_recorded() || !gpu.board->recorded)
          return ready_words(status, {run, recorded});
        const Provenance& p = gpu.board->recorded->provenance;
        return {"◆",
                fmt::format("{} · recorded", short_gpu_name(p.gpu)),
                fmt::format("Recorded · {} · {}", short_gpu_name(p.gpu), date_words(p.date)),
                fmt::format("Not measured at this shape: R runs it on {}.", where),
                {run, recorded}};
      }
      const bool last = shown == status.result.get(), counted = status.state == GpuState::Result || !last;
      const bool rungs = gpu.shape != GpuShape::Ladder || (shown && shown->spec.switches.empty());
      const KernelResult* best = shown && rungs ? fastest(*shown) : nullptr;
      const std::string gpu_name =
          shown && !shown->provenance.gpu.empty() ? short_gpu_name(shown->provenance.gpu) : name;
      const std::string when = shown ? measured_when(*shown, gpu) : "now";
      out = {"✓",
             counted ? gpu_name : "time only",
             fmt::format("Measured{} on {}", when == "now" ? "" : " " + when, gpu_name == name ? where : gpu_name),
             last ? both() : "",
             {again, recorded},
             Role::RightText};
      if (last) out.actions.push_back(save);
      if (!counted) out.headline += ": time only";
      if (best && counted) out.pill = fmt::format("{} {}", gpu_name, time_words(best->timing->median));
      if (best && out.sentence.empty()) out.sentence = fastest_words(*shown, *best);
      if (last && status.in_class && when != "now")
        out.sentence = "The class had this answer from before: the same problem is run once for all. " + out.sentence;
      if (status.shared && last) out.sentence += " Others used the GPU meanwhile.";
      return out;
    }
    case GpuState::Failed:
      if (!status.hello)
        return {"✕", "GPU failed", "The GPU worker failed", both(), {again, recorded, copy}, Role::WrongText};
      if (status.refused && !is_of_rows(status.refused->said.spec, gpu))
        return ready_words(status, {run, recorded});  // what was refused stands over its own rows alone
      if (status.refused)
        return {"✕", "Answer refused", "The answer is refused", both(), {again, recorded, copy}, Role::WrongText};
      return {"✕", "Run failed", "The run failed", both(), {again, recorded, copy}, Role::WrongText};
    case GpuState::RemoteLost:
      return {"!",
              "Remote lost",
              fmt::format("{} is lost", status.host),
              both(),
              {action("gpu-reconnect", "Reconnect"), recorded, copy},
              Role::WrongText};
  }
  return out;
}

}  // namespace tilewalk
