#include "app/session/gpu_choices.h"

#include "app/gpu/run_plan.h"
#include "core/io/number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 6> kShapes{"stage", "benchmark", "backward", "fp8", "decode", "ladder"};
constexpr std::array<std::string_view, 4> kCharts{"compare", "statistics", "difference", "waiting"};

// "fa2"; a row of FP8's or of decoding's with its switch: "fa3-fp8+rotation".
void choose_kernel(GpuView& view, std::string_view value) {
  const size_t plus = std::min(value.find('+'), value.size());
  const auto kernel = kernel_named(value.substr(0, plus));
  if (!kernel) return;
  view.kernel = *kernel, view.kernel_chosen = true, view.tile = -1;
  if (is_beside(*kernel) || plus < value.size())
    view.with = plus < value.size() ? switch_keyed(value.substr(plus + 1)).value_or(Switch::None) : Switch::None;
}

}  // namespace

std::string gpu_choices_of(std::string_view field) {
  std::vector<std::string> all;
  const auto take = [&](const auto& values) {
    for (const auto& value : values)
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
        all.push_back(std::to_string(value));
      else
        all.emplace_back(value);
  };
  if (field == "gpu-shape") take(kShapes);
  if (field == "gpu-chart") take(kCharts);
  if (field == "gpu-n") take(kBenchmarkN);
  if (field == "gpu-decode-n") take(kDecodeN);
  if (field == "gpu-group") take(kGroups);
  if (field == "gpu-ladder-d") all = {"64", "128"};
  if (field == "gpu-ladder-mask") all = {"full", "causal"};
  if (field == "gpu-on")
    for (const RecordedGpu gpu : kRecordedGpus) all.emplace_back(id_of(gpu));
  if (all.empty()) return {};
  const std::string last = all.back();
  all.pop_back();
  return fmt::format("{} or {}", fmt::join(all, ", "), last);
}

std::string gpu_choice(const GpuView& view, std::string_view field) {
  if (field == "gpu-shape") return std::string(kShapes[size_t(view.shape)]);
  if (field == "gpu-ladder-d") return std::to_string(view.ladder_d);
  if (field == "gpu-ladder-mask") return std::string(name_of(view.ladder_mask));
  if (field == "gpu-switch") return std::string(key_of(view.with));
  if (field == "gpu-n") return std::to_string(view.benchmark_n);
  if (field == "gpu-kernel") return std::string(info_of(view.kernel).key);
  if (field == "gpu-decode-n") return std::to_string(view.decode_n);
  if (field == "gpu-group") return std::to_string(view.group);
  if (field == "gpu-chart") return std::string(kCharts[size_t(view.chart)]);
  if (field == "gpu-on") return std::string(id_of(view.recorded_on));
  if (field == "gpu-tile") return std::to_string(view.tile);
  return {};
}

void choose_gpu(GpuView& view, std::string_view field, std::string_view value) {
  if (field == "gpu-shape")
    if (const auto at = std::ranges::find(kShapes, value); at != kShapes.end()) {
      view.shape = GpuShape(at - kShapes.begin());
      const bool switched = view.kernel == Method::Fa2 || view.kernel == Method::Fa3;
      if (view.shape == GpuShape::Ladder && !switched) view.kernel = Method::Fa3, view.kernel_chosen = true;
      const auto take = [&](Method kernel) {
        view.kernel = kernel, view.with = Switch::None, view.kernel_chosen = true;
      };
      const bool backward = schedule_of(view.kernel).backward();
      if (view.shape == GpuShape::Fp8 || view.shape == GpuShape::Decode)
        take(view.shape == GpuShape::Fp8 ? Method::Fa3Fp8 : Method::SplitKv);
      else if (is_beside(view.kernel) || backward != (view.shape == GpuShape::Backward))
        take(view.shape == GpuShape::Backward ? Method::Fa3Backward : Method::Fa3);
    }
  if (field == "gpu-ladder-d" && (value == "64" || value == "128")) view.ladder_d = value == "64" ? 64 : 128;
  if (field == "gpu-ladder-mask")
    if (const auto mask = mask_named(value)) view.ladder_mask = *mask;
  // The chosen one again: none.
  if (field == "gpu-switch")
    if (const auto with = switch_keyed(value)) view.with = view.with == *with ? Switch::None : *with;
  if (field == "gpu-n" && std::ranges::find(kBenchmarkN, number_or(value, int64_t{-1})) != kBenchmarkN.end())
    view.benchmark_n = number_or(value, int64_t{-1});
  if (field == "gpu-kernel") choose_kernel(view, value);
  if (field == "gpu-decode-n" && std::ranges::find(kDecodeN, number_or(value, int64_t{-1})) != kDecodeN.end())
    view.decode_n = number_or(value, int64_t{-1});
  if (field == "gpu-group" && std::ranges::find(kGroups, number_or(value, int64_t{-1})) != kGroups.end())
    view.group = number_or(value, int64_t{-1});
  if (field == "gpu-chart")
    if (const auto at = std::ranges::find(kCharts, value); at != kCharts.end())
      view.chart = GpuChart(at - kCharts.begin());
  if (field == "gpu-on")
    for (const RecordedGpu gpu : kRecordedGpus)
      if (value == id_of(gpu)) view.recorded_on = gpu, view.recorded = true;
  if (field == "gpu-tile") view.tile = std::max<int64_t>(-1, number_or(value, int64_t{-1}));
}

void show_other_recordings(GpuView& view) {
  view.recorded = true;
  view.recorded_on = view.recorded_on == RecordedGpu::H200 ? RecordedGpu::H100 : RecordedGpu::H200;
}

}  // namespace tilewalk
