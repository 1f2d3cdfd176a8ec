// Differential attention: two softmaxes over the same keys, and the second taken from the first. What both see without
// meaning it goes; what one sees stays. Scores are made up from a seed: one key that matters, and noise that is mostly
// the same in both. The second one can be left out or made the first once more, to see what the subtraction rests on.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/attention/inputs.h"
#include "core/playback/row_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr int kKeys = 12, kMatters = 7;    // the key that matters, from 0
enum Second { kOwn, kNone, kFirstAgain };  // what the second softmax is
constexpr std::array<std::string_view, 3> kSeconds{"its own", "none", "P₁ again"}, kSecondIds{"own", "none", "first"};
constexpr auto kKnobs = std::to_array<Knob>({
    linear_knob("layer", "Layer", 1, 32, 8, 1, "Where in the network: λ starts larger in deep layers"),
    linear_knob("noise", "Noise in both", 0, 3, 1.5, 0.25, "Spread of the scores that mean nothing"),
    linear_knob("seed", "Seed", 1, 50, 4, 1, "Of the noise"),
    choice_knob("second", "Second softmax", kSeconds, kOwn, "None: λ is 0. P₁ again: both of the same Q and K",
                kSecondIds),
});

struct Differential {
  std::vector<double> first, second, difference;  // weights of the keys
  double lambda;
  // Of the weight's size, how much lies on the key that matters.
  static double on_key(const std::vector<double>& weights) {
    double all = 0;
    for (double w : weights) all += std::fabs(w);
    return all > 0 ? std::fabs(weights[kMatters]) / all : 0;
  }
};

Differential differential_of(const Exhibit& view) {
  Problem noise;
  noise.n_q = 3;
  noise.d = kKeys;
  noise.seed = uint64_t(view.knob("seed"));
  std::vector<double> one(kKeys), two(kKeys);
  for (int k = 0; k < kKeys; ++k) {
    const auto element = [&](int64_t row) { return generated_element(noise, InputTensor::Q, 0, 0, row, k); };
    one[size_t(k)] = view.knob("noise") * element(0) + 0.3 * element(1);
    two[size_t(k)] = view.knob("noise") * element(0) + 0.3 * element(2);
  }
  one[kMatters] = 2.5;
  two[kMatters] = 0;
  const int second = int(view.knob("second"));
  if (second == kFirstAgain) two = one;
  const Matrix values(kKeys, 1);
  Differential out{direct_row(one, values).weights, direct_row(two, values).weights, {}, 0};
  out.lambda = second == kNone ? 0 : 0.8 - 0.6 * std::exp(-0.3 * (view.knob("layer") - 1));
  for (int k = 0; k < kKeys; ++k) out.difference.push_back(out.first[size_t(k)] - out.lambda * out.second[size_t(k)]);
  return out;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Differential d = differential_of(view);
  const auto number = [](std::string id, std::string label, double value, std::string source) {
    return Reading{std::move(id), std::move(label), {value, {}, Origin::Computed, std::move(source)}};
  };
  return {
      number("lambda", "λ at this layer", d.lambda,
             int(view.knob("second")) == kNone ? "set to zero: nothing is subtracted"
                                               : "0.8 − 0.6 e^(−0.3 (layer − 1)), its start value, arXiv:2410.05258"),
      number("on_first", "On key 8, in P₁", Differential::on_key(d.first), "weight of the key that matters / all"),
      number("on_second", "On key 8, in P₂", Differential::on_key(d.second), "weight of the key that matters / all"),
      number("on_both", "On key 8, in the difference", Differential::on_key(d.difference),
             "size of its weight / sizes of all weights, negative ones too"),
      number("sum", "Sum of the difference", 1 - d.lambda, "1 − λ: each softmax adds up to one"),
      number("calls", "FlashAttention calls", 2, "one for each softmax"),
  };
}

std::string caption(const Exhibit& view) {
  const Differential d = differential_of(view);
  if (view.covered("on_second"))
    return fmt::format("Made-up scores over twelve keys, one that matters: {:.0f} % of the weight.",
                       100 * Differential::on_key(d.first));
  if (view.covered("on_both"))
    return "Two softmaxes over the same keys. What is left of the noise in their difference?";
  return fmt::format("Made-up scores, one key that matters: {:.0f} % of one softmax, {:.0f} % of the difference.",
                     100 * Differential::on_key(d.first), 100 * Differential::on_key(d.difference));
}

void layout_weights(const BoardView& view, Rect area, std::string_view name, const std::vector<double>& weights,
                    double most, bool hidden) {
  const Style& st = view.style;
  const float left = std::min(area.w * 0.2f, st.px(170)), column = (area.w - left) / float(kKeys);
  double least = 0;
  for (double w : weights) least = std::min(least, w);
  const float zero = area.y + area.h * float(most / (most - std::min(least, -0.12 * most)));
  view.text({area.x, area.center().y - st.px(14), left - st.px(12), st.px(28)}, name, Face::MonoBold, st.body(),
            Role::AccentText);
  view.line({area.x + left, zero}, {area.right(), zero}, Role::Border, st.px(1));
  if (hidden) return plate(view, {area.x + left, area.y, area.w - left, area.h});
  for (int k = 0; k < kKeys; ++k) {
    const double w = weights[size_t(k)];
    const float h = std::max(st.px(1.5f), (zero - area.y) * float(std::fabs(w) / most));
    const Rect bar_rect{area.x + left + column * (float(k) + 0.14f), w >= 0 ? zero - h : zero, column * 0.72f,
                        std::min(h, w >= 0 ? h : area.bottom() - zero)};
    view.box(bar_rect, st.px(2),
             k == kMatters ? st.palette.fill(Tensor::S) : with_alpha(st.palette.fill(Tensor::S), 0.4f));
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Differential d = differential_of(view);
  const std::vector<Reading> all = readings(view);
  const float numbers = std::clamp(area.h * 0.2f, st.px(56), st.px(84)), label = st.px(24),
              gap = std::min(st.px(14), area.h * 0.03f);
  // Before the idea is told, the first softmax stands alone.
  const bool alone = view.covered("on_second");
  const float rows = alone ? 1 : 3, each = (area.h - numbers - label - (rows + 1) * gap) / rows;
  double most = 0.05;
  for (const auto* weights : {&d.first, &d.second, &d.difference})
    for (double w : *weights) most = std::max(most, w);
  const std::string third = view.covered("lambda") ? "P₁ − λ P₂" : fmt::format("P₁ − {:.2f} P₂", d.lambda);
  layout_weights(view, {area.x, area.y, area.w, each}, "P₁", d.first, most, view.covered("on_first"));
  if (!alone) {
    layout_weights(view, {area.x, area.y + each + gap, area.w, each}, "P₂", d.second, most, false);
    layout_weights(view, {area.x, area.y + 2 * (each + gap), area.w, each}, third, d.difference, most,
                   view.covered("on_both"));
  }
  const float left = std::min(area.w * 0.2f, st.px(170)), column = (area.w - left) / float(kKeys);
  const float y = area.y + rows * (each + gap);
  for (int k = 0; k < kKeys; ++k)
    view.text({area.x + left + column * float(k), y, column, label}, std::to_string(k + 1),
              k == kMatters ? Face::MonoBold : Face::Mono, st.small(), k == kMatters ? Role::Text : Role::TextSecondary,
              Align::Center);
  const std::array<std::pair<std::string_view, std::string_view>, 4> shown{
      {{"lambda", "number"}, {"on_first", "percent"}, {"on_both", "percent"}, {"sum", "number"}}};
  for (size_t k = 0; k < shown.size(); ++k) {
    const Rect slot{area.x + area.w / 4 * float(k), area.bottom() - numbers, area.w / 4 - st.px(10), numbers};
    if (!alone || shown[k].first == "on_first")
      big_number(view, slot, reading_of(all, shown[k].first), shown[k].second, std::min(st.display(), area.w / 30));
  }
}

}  // namespace

const Board kDifferentialBoard{"differential", "Two softmaxes, one taken from the other", kKnobs, layout, caption,
                               readings};

}  // namespace tilewalk
