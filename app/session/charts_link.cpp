#include "app/session/charts_link.h"

#include "app/gpu/recorded_board.h"
#include "app/session/gpu_choices.h"
#include "core/io/printable.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::string_view kCharts = "charts";
// In the order in which they are put: a shape chooses a kernel, a kernel all its tiles.
constexpr std::array<std::string_view, 10> kKeys{"gpu-shape",  "gpu-on",       "gpu-n",           "gpu-decode-n",
                                                 "gpu-group",  "gpu-ladder-d", "gpu-ladder-mask", "gpu-kernel",
                                                 "gpu-switch", "gpu-tile"};

void tell(std::string& notes, const std::string& sentence) { notes += (notes.empty() ? "" : " ") + sentence; }

OnStage problem_on(const Session& session) { return {session.problem(), session.inputs(), session.input_hash()}; }

bool any_live(const GpuBoard* board) {
  return board && std::ranges::any_of(board->rows, [](const GpuRow& row) { return row.result && !row.recorded; });
}

// Whether the chart has something to draw of it.
bool holds(const GpuRow& row, const GpuView& gpu) {
  if (!row.result || !row.recorded) return false;
  const KernelTrace* trace = row.result->trace ? &*row.result->trace : nullptr;
  if (compares_alone(gpu.shape) || gpu.shape == GpuShape::Ladder) return row.result->timing.has_value();
  switch (gpu.chart) {
    case GpuChart::Statistics: return trace && !trace->statistics.m.empty() && row.comparable;
    case GpuChart::Difference: return !row.result->o.empty() && row.comparable;
    case GpuChart::Waiting: return trace && !trace->stamps.empty();
    case GpuChart::Compare: break;
  }
  return row.result->timing.has_value();
}

// Whether a recording shows what is chosen: of all kernels one, of a chart of one kernel that one.
bool recording_holds(const GpuBoard& board, const GpuView& gpu) {
  const bool all = gpu.chart == GpuChart::Compare || compares_alone(gpu.shape) || gpu.shape == GpuShape::Ladder;
  return std::ranges::any_of(board.rows,
                             [&](const GpuRow& row) { return holds(row, gpu) && (all || row.kernel == gpu.kernel); });
}

// The chosen row with its switch, as a press on it is named: "fa3-fp8+rotation".
std::string kernel_of(const GpuView& gpu) {
  const std::string with =
      compares_alone(gpu.shape) && gpu.with != Switch::None ? "+" + gpu_choice(gpu, "gpu-switch") : std::string();
  return gpu_choice(gpu, "gpu-kernel") + with;
}

// What the shape has; the rest says nothing there.
bool has_key(const GpuView& gpu, std::string_view key) {
  const bool ladder = gpu.shape == GpuShape::Ladder;
  if (key == "gpu-n") return has_sizes(gpu.shape);
  if (key == "gpu-decode-n") return gpu.shape == GpuShape::Decode;
  if (key == "gpu-group") return has_groups(gpu.shape) && gpu.group > 1;
  if (key == "gpu-kernel") return gpu.kernel_chosen || ladder || gpu.chart != GpuChart::Compare;
  if (key == "gpu-ladder-d" || key == "gpu-ladder-mask") return ladder;
  if (key == "gpu-switch") return ladder && gpu.with != Switch::None;
  if (key == "gpu-tile") return gpu.chart == GpuChart::Waiting && gpu.tile >= 0;
  return true;
}

// One field as the link says it; a sentence where it cannot be so.
void put_field_of_charts(std::string_view key, const std::string& value, ViewState& view, std::string& notes) {
  GpuView& gpu = view.gpu;
  const std::string field(key == kCharts ? "gpu-chart" : key);
  choose_gpu(gpu, field, value);
  const std::string now = field == "gpu-kernel" ? kernel_of(gpu) : gpu_choice(gpu, field);
  if (now == value) return;
  const std::string can = gpu_choices_of(field);
  tell(notes, fmt::format("{} cannot be {}{}; {} is shown.", key, in_quotes(value, 40),
                          can.empty() ? std::string() : fmt::format(", but {}", can), now.empty() ? "none" : now));
}

std::string size_words(const GpuView& gpu) {
  switch (gpu.shape) {
    case GpuShape::Stage: return "the stage's numbers";
    case GpuShape::Decode: return fmt::format("{} keys", with_commas(gpu.decode_n));
    case GpuShape::Ladder:
      return fmt::format("d = {}{}", gpu.ladder_d, gpu.ladder_mask == Mask::Causal ? ", causal" : "");
    default: return fmt::format("N = {}", with_commas(gpu.benchmark_n));
  }
}

std::string title_of(const GpuView& gpu) {
  const std::string kernel(info_of(gpu.kernel).kernel_name());
  const bool all = gpu.chart == GpuChart::Compare || compares_alone(gpu.shape) || gpu.shape == GpuShape::Ladder;
  const std::string what = !all ? (gpu.chart == GpuChart::Statistics   ? "m and l of " + kernel
                                   : gpu.chart == GpuChart::Difference ? "O and L of " + kernel
                                                                       : "Who waits for whom in " + kernel)
                           : gpu.shape == GpuShape::Backward ? "Backward kernels"
                           : gpu.shape == GpuShape::Fp8      ? "FP8 beside 16 bits"
                           : gpu.shape == GpuShape::Decode   ? "Decoding"
                           : gpu.shape == GpuShape::Ladder   ? "The ladder"
                                                             : "Kernels";
  const std::string group =
      has_groups(gpu.shape) && gpu.group > 1 ? fmt::format(", {} heads share K, V", gpu.group) : "";
  return fmt::format("{} on the {}, {}{}", what, gpu.recorded_on == RecordedGpu::H200 ? "H200" : "H100",
                     size_words(gpu), group);
}

// The choice that a link means, whatever was chosen before.
void choose_as(const Link& link, ViewState& view, std::string& notes) {
  GpuChoice fresh;
  fresh.shape = GpuShape::Benchmark;
  fresh.recorded = true;
  static_cast<GpuChoice&>(view.gpu) = fresh;
  put_field_of_charts(kCharts, *link.find(kCharts), view, notes);
  for (const std::string_view key : kKeys)
    if (const std::string* value = link.find(key)) put_field_of_charts(key, *value, view, notes);
}

}  // namespace

bool is_charts_key(std::string_view key) { return key == kCharts || std::ranges::find(kKeys, key) != kKeys.end(); }

void add_charts(Link& link, const ViewState& view) {
  const GpuView& gpu = view.gpu;
  const bool all = compares_alone(gpu.shape) || gpu.shape == GpuShape::Ladder;
  link.keys.emplace_back(kCharts, all ? "compare" : gpu_choice(gpu, "gpu-chart"));
  for (const std::string_view key : kKeys)
    if (has_key(gpu, key)) link.keys.emplace_back(key, key == "gpu-kernel" ? kernel_of(gpu) : gpu_choice(gpu, key));
}

void put_charts(const Link& link, const Session& session, ViewState& view, std::string& notes) {
  if (!link.find(kCharts)) return;
  choose_as(link, view, notes);
  GpuView& gpu = view.gpu;
  show_charts(session, view);
  if (!gpu.board->fault.empty()) return tell(notes, gpu.board->fault);
  if (!gpu.board->row(gpu.kernel, compares_alone(gpu.shape) ? gpu.with : Switch::None)) {
    const std::string kernel = kernel_of(gpu);
    const auto has = std::ranges::find_if(gpu.board->rows, [&](const GpuRow& row) { return holds(row, gpu); });
    if (has != gpu.board->rows.end()) {
      gpu.kernel = has->kernel, gpu.with = has->with;
      if (link.find("gpu-kernel"))
        tell(notes, fmt::format("These charts have no kernel {}; {} is shown.", kernel, has->name));
      show_charts(session, view);
    }
  }
  if (!recording_holds(*gpu.board, gpu))
    tell(notes, fmt::format("No recording on this machine holds this: {}.", title_of(gpu)));
}

void show_charts(const Session& session, ViewState& view) {
  view.gpu.enlarged = view.gpu.recorded = true;
  view.gpu.board = recorded_board(problem_on(session), view.gpu);
}

std::string title_of_charts(const Link& link) {
  if (!link.find(kCharts)) return {};
  ViewState there;
  std::string unsaid;
  choose_as(link, there, unsaid);
  return title_of(there.gpu);
}

std::string title_of_charts(const ViewState& view) { return title_of(view.gpu); }

std::string why_no_charts_stop(const Session& session, const ViewState& view) {
  const auto board = recorded_board(problem_on(session), view.gpu);
  if (!board->fault.empty()) return "Not kept: " + board->fault;
  if (recording_holds(*board, view.gpu)) return {};
  const bool live = any_live(view.gpu.board.get());
  return live ? "Not kept: a stop shows recordings, and what was just measured is none yet. Ctrl+Shift+S saves it as "
                "one; then Ctrl+D again."
              : "Not kept: no recording holds this, so that the stop would be empty. Choose another size, or the other "
                "GPU (Ctrl+9).";
}

std::string charts_remark(const Session& session, const ViewState& view) {
  if (!any_live(view.gpu.board.get())) return {};
  const auto board = recorded_board(problem_on(session), view.gpu);
  if (!board->recorded) return {};
  return fmt::format(
      "The stop shows the recording of {} on the {}, not what was measured just now: Ctrl+Shift+S saves "
      "that as a recording, which the stop shows then.",
      printable(board->recorded->provenance.date.substr(0, 10)), printable(board->recorded->provenance.gpu));
}

}  // namespace tilewalk
