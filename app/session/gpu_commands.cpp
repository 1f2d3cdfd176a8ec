// The commands of the GPU's tab.
#include "app/gpu/diagnostics.h"
#include "app/session/gpu_choices.h"
#include "app/session/present_commands.h"

#include <array>

namespace tilewalk {

void show_tab(ViewState& v, Tab tab) {
  if (v.tab != tab) v.page = 0;  // each tab has pages of its own
  v.tab = tab;
  v.lesson.review = false;  // no tab speaks of it
  (v.column_floats ? v.column_over : v.column_open) = true;
}

namespace {

using S = Session;
using V = ViewState;

bool always(const S&, const V&) { return true; }
void flip(bool& flag) { flag = !flag; }
bool gpu_idle(const S&, const V& v) { return v.gpu.status.state != GpuState::Running; }
// Before a room the charts are what stops of the set list show of them.
bool studying(const S&, const V& v) { return !v.present.on; }
bool can_run(const S& s, const V& v) { return gpu_idle(s, v) && studying(s, v); }
std::string why_not_charts(const S&, const V& v) {
  return v.present.on ? "Runs are made outside a talk: Esc Esc, R, Ctrl+Shift+S to save it; L enlarges its chart, "
                        "Ctrl+D makes that a stop."
                      : "The GPU is at work.";
}
bool gpu_has_result(const S& s, const V& v) { return v.gpu.status.result && gpu_idle(s, v); }

// Runs on the GPU; where there is none, shows what one did.
void run_on_gpu(V& v, bool anyway) {
  show_tab(v, Tab::Gpu);
  v.playing = false;  // nothing is drawn while the GPU is timed
  const GpuState state = v.gpu.status.state;
  const bool none = state == GpuState::NoWorker || state == GpuState::NoDriver || state == GpuState::NoDevice ||
                    state == GpuState::DriverTooOld;
  if (none)
    v.gpu.recorded = true;
  else
    (anyway ? v.gpu.wishes.anyway : v.gpu.wishes.run) = true;
}

constexpr std::string_view kGpu = "GPU";

const auto kGpuCommands = std::to_array<Command>({
    {"gpu-run", "Run the kernels, or show what was recorded", kGpu, "R", [](S&, V& v) { run_on_gpu(v, false); },
     can_run, false, Mode::Any, why_not_charts},
    {"gpu-anyway", "Run although the GPU is busy", kGpu, "Ctrl+Shift+A", [](S&, V& v) { run_on_gpu(v, true); },
     gpu_idle},
    {"gpu-stop", "Stop the run", kGpu, "Ctrl+Shift+X", [](S&, V& v) { v.gpu.wishes.cancel = true; },
     [](const S&, const V& v) { return v.gpu.status.state == GpuState::Running; }},
    {"gpu-large", "The GPU's charts in place of the stage", kGpu, "L",
     [](S&, V& v) { flip(v.gpu.enlarged); }, studying, false, Mode::Any, why_not_charts},
    {"gpu-chart", "The next of the GPU's charts", kGpu, "C",
     [](S&, V& v) {
       v.gpu.chart = GpuChart((int(v.gpu.chart) + (v.gpu.enlarged ? 1 : 0)) % 4);
       v.gpu.enlarged = true;
     },
     studying, false, Mode::Any, why_not_charts},
    {"gpu-benchmark", "The stage's inputs, or a benchmark size", kGpu, "Ctrl+Shift+B",
     [](S&, V& v) { choose_gpu(v.gpu, "gpu-shape", v.gpu.shape == GpuShape::Stage ? "benchmark" : "stage"); }, always},
    {"gpu-backward", "The backward pass's kernels, at a benchmark size", kGpu, "Y",
     [](S&, V& v) {
       show_tab(v, Tab::Gpu);
       choose_gpu(v.gpu, "gpu-shape", "backward");
     },
     always},
    {"gpu-ladder", "The ladder: every rung, and each idea as a switch", kGpu, "Ctrl+Shift+U",
     [](S&, V& v) {
       show_tab(v, Tab::Gpu);
       choose_gpu(v.gpu, "gpu-shape", "ladder");
       v.gpu.enlarged = true;
     },
     studying, false, Mode::Any, why_not_charts},
    {"gpu-recorded", "Live or recorded results", kGpu, "Ctrl+Shift+O",
     [](S&, V& v) {
       show_tab(v, Tab::Gpu);
       flip(v.gpu.recorded);
     },
     gpu_idle},
    {"gpu-recorded-on", "Recorded on the H200, or on the H100", kGpu, "Ctrl+9",
     [](S&, V& v) {
       show_tab(v, Tab::Gpu);
       show_other_recordings(v.gpu);
     },
     gpu_idle},
    {"gpu-ceilings", "Measure this GPU's roofs", kGpu, "Ctrl+Shift+M", [](S&, V& v) { v.gpu.wishes.ceilings = true; },
     gpu_idle},
    {"gpu-reconnect", "Start the GPU worker anew", kGpu, "Ctrl+Shift+G",
     [](S&, V& v) { v.gpu.wishes.reconnect = true; }, always},
    {"gpu-diagnostics", "Copy what is known of the GPU worker", kGpu, "Ctrl+Shift+C",
     [](S&, V& v) {
       v.wishes.copy = gpu_diagnostics(v.gpu.status);
       v.notice = "What is known of the GPU worker is on the clipboard.";
     },
     always},
    {"gpu-save", "Save the result as a recording", kGpu, "Ctrl+Shift+S", [](S&, V& v) { v.gpu.wishes.save = true; },
     gpu_has_result},
});

}  // namespace

std::span<const Command> gpu_commands() { return kGpuCommands; }

}  // namespace tilewalk
