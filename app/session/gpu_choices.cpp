#include "app/session/gpu_choices.h"

#include "app/gpu/run_plan.h"
#include "core/io/number.h"

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 4> kCharts{"compare", "statistics", "difference", "waiting"};

}  // namespace

std::string gpu_choice(const GpuView& view, std::string_view field) {
  if (field == "gpu-shape") return view.shape == GpuShape::Stage ? "stage" : "benchmark";
  if (field == "gpu-n") return std::to_string(view.benchmark_n);
  if (field == "gpu-kernel") return std::string(info_of(view.kernel).key);
  if (field == "gpu-chart") return std::string(kCharts[size_t(view.chart)]);
  if (field == "gpu-tile") return std::to_string(view.tile);
  return {};
}

void choose_gpu(GpuView& view, std::string_view field, std::string_view value) {
  if (field == "gpu-shape" && (value == "stage" || value == "benchmark"))
    view.shape = value == "stage" ? GpuShape::Stage : GpuShape::Benchmark;
  if (field == "gpu-n" && std::ranges::find(kBenchmarkN, number_or(value, int64_t{-1})) != kBenchmarkN.end())
    view.benchmark_n = number_or(value, int64_t{-1});
  if (field == "gpu-kernel")
    if (const auto kernel = kernel_named(value)) view.kernel = *kernel, view.kernel_chosen = true, view.tile = -1;
  if (field == "gpu-chart")
    if (const auto at = std::ranges::find(kCharts, value); at != kCharts.end())
      view.chart = GpuChart(at - kCharts.begin());
  if (field == "gpu-tile") view.tile = std::max<int64_t>(-1, number_or(value, int64_t{-1}));
}

}  // namespace tilewalk
