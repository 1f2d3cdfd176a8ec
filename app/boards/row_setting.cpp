#include "app/boards/row_setting.h"

#include "app/boards/boards.h"
#include "core/io/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace tilewalk {
namespace {

constexpr int kMostKeys = 8;
constexpr int kReverse = 1, kOwn = 2;  // of the knob "order"
constexpr std::array<std::string_view, kMostKeys> kScoreIds{"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"};
constexpr std::array<std::array<double, 2>, kMostKeys> kValues{
    {{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}, {1, -1}, {-1, 0}, {2, 1}}};

constexpr double kNear = 6.5, kFar = 12.5;
ChartEnds ends_of(const BoardState& state, const std::vector<double>& scores) {
  const bool far = state.cells.contains("far") || std::ranges::max(scores) > kNear;
  return {std::ranges::min(scores) < -1 ? -4.0 : -1.0, far ? kFar : kNear};
}

std::vector<int> own_order(const BoardState& state, int keys) {
  std::vector<int> order;
  const auto text = state.cells.find("order");
  if (text != state.cells.end())
    for (char c : text->second)
      if (const int key = c - '1'; key >= 0 && key < keys && std::ranges::find(order, key) == order.end())
        order.push_back(key);
  for (int k = 0; k < keys; ++k)
    if (std::ranges::find(order, k) == order.end()) order.push_back(k);
  return order;
}

}  // namespace

RowSetting row_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kRowBoard, state, id); };
  const int keys = knob("keys") != 0 ? 8 : 4;
  RowSetting row;
  row.values = Matrix(keys, 2);
  for (int k = 0; k < keys; ++k) {
    row.scores.push_back(knob(kScoreIds[size_t(k)]));
    for (int c = 0; c < 2; ++c) row.values.at(k, c) = kValues[size_t(k)][size_t(c)];
  }
  row.order.resize(size_t(keys));
  std::iota(row.order.begin(), row.order.end(), 0);
  if (knob("order") == kReverse) std::ranges::reverse(row.order);
  if (knob("order") == kOwn) row.order = own_order(state, keys);
  row.tile = int64_t(1) << int(knob("tile"));
  row.ends = ends_of(state, row.scores);
  row.mistake = knob("skip_max") != 0 ? Mistake::NoMax : knob("skip_rescale") != 0 ? Mistake::NoRescale : Mistake::None;
  return row;
}

int key_of(std::string_view id, std::string_view kind) {
  if (!id.starts_with(kind)) return -1;
  const int key = number_or(id.substr(kind.size()), 0);
  return key >= 1 && key <= kMostKeys ? key - 1 : -1;
}

void set_score(BoardState& state, int key, double score) {
  const std::string id(kScoreIds[size_t(key)]);
  state.knobs[id] = std::round(std::clamp(score, -50.0, 200.0) / kScoreStep) * kScoreStep;
}

void move_card(BoardState& state, int key, int by) {
  std::vector<int> order = row_of(state).order;
  const auto at = std::ranges::find(order, key);
  if (at == order.end()) return;
  const auto from = at - order.begin(), to = std::clamp<std::ptrdiff_t>(from + by, 0, std::ssize(order) - 1);
  order.erase(at);
  order.insert(order.begin() + to, key);
  std::string text;
  for (int k : order) text += char('1' + k);
  state.cells["order"] = text;
  state.knobs["order"] = kOwn;
}

void bring_chart_near(BoardState& state) {
  if (std::ranges::max(row_of(state).scores) <= kNear) state.cells.erase("far");
}

}  // namespace tilewalk
