#include "core/attention/presets.h"

#include <array>

namespace tilewalk {
namespace {

const std::array<Preset, 3>& table() {
  static const std::array<Preset, 3> rows{{
      {"micro",
       "One row on paper",
       {.n_q = 1,
        .n_k = 4,
        .d = 2,
        .br = 1,
        .bc = 2,
        .format = Format::Float32,
        .distribution = Distribution::Custom,
        .scale = 1}},
      {"toy", "Four by four tiles", {.n_q = 16, .n_k = 16, .d = 8, .br = 4, .bc = 4}},
      {"causal", "Causal, four by four tiles", {.n_q = 16, .n_k = 16, .d = 8, .br = 4, .bc = 4, .mask = Mask::Causal}},
  }};
  return rows;
}

Matrix matrix(int64_t rows, int64_t cols, std::vector<double> values) {
  Matrix m;
  m.rows = rows;
  m.cols = cols;
  m.values = std::move(values);
  return m;
}

}  // namespace

std::span<const Preset> presets() { return table(); }

const Preset* preset_named(std::string_view id) {
  for (const Preset& preset : presets())
    if (preset.id == id) return &preset;
  return nullptr;
}

Inputs inputs_of(const Preset& preset) {
  if (preset.problem.distribution != Distribution::Custom) return generate_inputs(preset.problem);
  // One query whose scores against four keys are 2, 1, 4, 3, small enough for graph paper; the loss is O's first
  // number.
  return {matrix(1, 2, {1, 0}), matrix(4, 2, {2, 0, 1, 0, 4, 0, 3, 0}), matrix(4, 2, {1, 0, 0, 1, 1, 1, 2, 0}),
          "written down: scores 2, 1, 4, 3", matrix(1, 2, {1, 0})};
}

}  // namespace tilewalk
