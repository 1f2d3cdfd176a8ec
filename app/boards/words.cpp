// softmax(QKᵀ)V on four words, small enough that each number can be pointed at: scores, weights, and the mix of values
// that a word gets. The vectors are made up by hand, two numbers each; what is done with them is computed here. Real
// attention divides the scores by √d first, which changes none of the steps.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr size_t kWords = 4, kDim = 2;
constexpr std::array<std::string_view, kWords> kSentence{"the", "cat", "drank", "milk"};
constexpr double kQ[kWords][kDim]{{0, 1}, {1, 0}, {1, 1}, {0, 2}};
constexpr double kK[kWords][kDim]{{0, 0}, {2, 1}, {1, 0}, {1, 2}};
constexpr double kV[kWords][kDim]{{1, 0}, {8, 0}, {2, 2}, {0, 8}};
constexpr int kSteps = 3;  // scores, weights, the mix

constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("row", "Who asks", kSentence, 2, "The word whose row is followed"),
});

// What becomes of one word's query.
struct Row {
  size_t word;
  std::array<double, kWords> score{}, weight{};
  std::array<double, kDim> out{};
};

Row row_of(size_t word) {
  Row row{word};
  double sum = 0;
  for (size_t j = 0; j < kWords; ++j) {
    for (size_t c = 0; c < kDim; ++c) row.score[j] += kQ[word][c] * kK[j][c];
    sum += std::exp(row.score[j]);
  }
  for (size_t j = 0; j < kWords; ++j) {
    row.weight[j] = std::exp(row.score[j]) / sum;
    for (size_t c = 0; c < kDim; ++c) row.out[c] += row.weight[j] * kV[j][c];
  }
  return row;
}

size_t followed(const Exhibit& view) { return size_t(view.knob("row")); }

size_t best_of(const Row& row) { return size_t(std::ranges::max_element(row.weight) - row.weight.begin()); }

// The words that weigh most, all that are alike: "cat" and "milk".
std::string heaviest(const Row& row) {
  std::string words;
  const double most = row.weight[best_of(row)];
  for (size_t j = 0; j < kWords; ++j)
    if (row.weight[j] > 0.99 * most) words += fmt::format("{}\"{}\"", words.empty() ? "" : " and ", kSentence[j]);
  return words;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Row row = row_of(followed(view));
  const size_t best = best_of(row);
  const std::string word(kSentence[row.word]);
  return {
      {"score",
       fmt::format("Largest score of \"{}\"", word),
       {row.score[best], "", Origin::Computed, "query times key"}},
      {"weight",
       fmt::format("Largest weight of \"{}\"", word),
       {row.weight[best], "", Origin::Computed, "e to the score over the row's sum"}},
      {"first",
       fmt::format("First number of the answer to \"{}\"", word),
       {row.out[0], "", Origin::Computed, "weights times values"}},
  };
}

int steps(const Exhibit&) { return kSteps; }

std::string caption(const Exhibit& view) {
  const Row row = row_of(followed(view));
  const std::string_view word = kSentence[row.word];
  const std::string most = heaviest(row);
  switch (view.state.step) {
    case 0: return "Each word has a query, what it looks for; a key, what it offers; and a value, what it has to say.";
    case 1: return fmt::format("Scores: every query meets every key. \"{}\" scores highest with {}.", word, most);
    case 2: return "Weights: softmax turns a row of scores into shares. Each row sums to 1, but for rounding.";
    default: return fmt::format("The answer to \"{}\": everybody's value, by weight; most of it is of {}.", word, most);
  }
}

// One matrix: its name above it, its cells, each with its number and how that came about.
struct Grid {
  const BoardView& view;
  float cell;
  void name(Vec2 at, float width, std::string_view words, Tensor tensor) const {
    view.text({at.x, at.y - view.px(24), width, view.px(22)}, words, Face::SansBold, view.style.number(), tensor);
  }
  void put(Vec2 at, Tensor tensor, double value, double most, std::string_view format, const std::string& id,
           const std::string& tip, bool there, bool marked) const {
    const Rect rect = Rect{at.x, at.y, cell, cell}.inset(view.px(1.5f));
    if (!there) {
      view.box(rect, view.px(4), {}, Role::Ghost, view.px(1.2f), view.px(4));
      return;
    }
    const ValueColors colors = fill_for(view.style.palette, tensor, float(0.15 + 0.85 * value / most));
    view.box(rect, view.px(4), colors.fill, marked ? Role::Text : Role::Border, view.px(marked ? 3 : 1));
    const float size = std::clamp(cell * 0.36f, view.style.small(), view.style.caption());
    std::string words = format.empty() ? num(value) : fmt::format(fmt::runtime(format), value);
    if (words.starts_with("0.") && text_width(words, Face::Mono, size) > rect.w) words.erase(0, 1);
    if (!format.empty() && text_width(words, Face::Mono, size) > rect.w) words = fmt::format("{:.1f}", value);
    view.text(rect, words, Face::Mono, size, colors.text, Align::Center);
    view.region(rect, id, tip);
  }
};

std::string product_words(size_t i, size_t j) {
  return fmt::format("\"{}\" asks, \"{}\" offers: {} × {} + {} × {} = {}", kSentence[i], kSentence[j], num(kQ[i][0]),
                     num(kK[j][0]), num(kQ[i][1]), num(kK[j][1]), num(row_of(i).score[j]));
}
std::string weight_words(size_t i, size_t j) {
  const Row row = row_of(i);
  double sum = 0;
  for (const double score : row.score) sum += std::exp(score);
  return fmt::format("How much of \"{}\" goes to \"{}\": e to the {} is {:.1f}, of {:.1f} in the row, so {:.0f} %",
                     kSentence[j], kSentence[i], num(row.score[j]), std::exp(row.score[j]), sum, 100 * row.weight[j]);
}
std::string mix_words(size_t i, size_t c) {
  const Row row = row_of(i);
  std::string sum;
  for (size_t j = 0; j < kWords; ++j)
    sum += fmt::format("{}{:.2f} × {}", sum.empty() ? "" : " + ", row.weight[j], num(kV[j][c]));
  return fmt::format("{} = {:.2f}", sum, row.out[c]);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  // Side by side: the words, Q, S, P, O; above S the keys, above O the values.
  const float label = st.px(62), gap = st.px(area.w < st.px(800) ? 14 : 30), name = st.px(28);
  const float cell = std::min({(area.w - label - 3 * gap) / 12, (area.h - 3 * name) / 8.2f, st.px(84)});
  const float w = label + 12 * cell + 3 * gap, h = 8 * cell + 3 * name;
  const float x0 = area.x + std::max(0.0f, (area.w - w) / 2), y0 = area.y + std::max(0.0f, (area.h - h) / 2) + name;
  const float q_x = x0 + label, s_x = q_x + 2 * cell + gap, p_x = s_x + 4 * cell + gap, o_x = p_x + 4 * cell + gap;
  const float low = y0 + 4 * cell + 2 * name;  // where the rows of the words begin
  const size_t asks = followed(view);
  const int step = view.state.step;
  const Grid grid{view, cell};

  grid.name({q_x, low}, 2 * cell + gap, "Q", Tensor::Q);
  grid.name({s_x, low}, 4 * cell, "S = QKᵀ, scores", Tensor::S);
  grid.name({p_x, low}, 4 * cell, "P, weights", Tensor::P);
  grid.name({o_x, low}, 2 * cell + gap, "O = PV", Tensor::O);
  const float k_y = low - name - 2 * cell - st.px(2), v_y = low - name - 4 * cell - st.px(2);
  grid.name({s_x, k_y - st.px(22)}, 4 * cell, "Kᵀ, keys", Tensor::K);
  grid.name({o_x, v_y}, 2 * cell + gap, "V, values", Tensor::V);
  for (size_t j = 0; j < kWords; ++j) {
    const float x = s_x + cell * float(j);
    view.text({x, k_y - st.px(24), cell, st.px(22)}, kSentence[j], Face::Sans, st.number(), Role::Text, Align::Center);
    view.text({o_x - label - st.px(6), v_y + cell * float(j), label, cell}, kSentence[j], Face::Sans, st.number(),
              Role::Text, Align::Right);
    for (size_t c = 0; c < kDim; ++c) {
      const std::string of = fmt::format("{}/{}", j, c);
      grid.put({x, k_y + cell * float(c)}, Tensor::K, kK[j][c], 2, {}, "figure:key/" + of,
               fmt::format("A number of the key of \"{}\"", kSentence[j]), true, false);
      grid.put({o_x + cell * float(c), v_y + cell * float(j)}, Tensor::V, kV[j][c], 8, {}, "figure:value/" + of,
               fmt::format("A number of the value of \"{}\"", kSentence[j]), true, false);
    }
  }
  for (size_t i = 0; i < kWords; ++i) {
    const Row row = row_of(i);
    const float y = low + cell * float(i);
    const bool now = i == asks;
    if (now) view.box({x0 - st.px(6), y - st.px(2), w + st.px(12), cell + st.px(4)}, st.r_small(), Role::SurfaceStrong);
    view.text({x0, y, label - st.px(8), cell}, kSentence[i], now ? Face::SansBold : Face::Sans, st.body(), Role::Text);
    for (size_t c = 0; c < kDim; ++c) {
      const std::string of = fmt::format("{}/{}", i, c);
      grid.put({q_x + cell * float(c), y}, Tensor::Q, kQ[i][c], 2, {}, "figure:query/" + of,
               fmt::format("A number of the query of \"{}\"", kSentence[i]), true, false);
      grid.put({o_x + cell * float(c), y}, Tensor::O, row.out[c], 8, "{:.2f}", "figure:out/" + of, mix_words(i, c),
               step >= 3, now && step == 3);
    }
    for (size_t j = 0; j < kWords; ++j) {
      const std::string of = fmt::format("{}/{}", i, j);
      grid.put({s_x + cell * float(j), y}, Tensor::S, row.score[j], 4, {}, "figure:score/" + of, product_words(i, j),
               step >= 1, now && step == 1);
      grid.put({p_x + cell * float(j), y}, Tensor::P, row.weight[j], 1, "{:.2f}", "figure:weight/" + of,
               weight_words(i, j), step >= 2, now && step == 2);
    }
    if (view.hands)
      view.region({x0, y, label - st.px(8), cell}, fmt::format("board:row/{}", i),
                  fmt::format("Follow \"{}\"", kSentence[i]), true, st.r_small());
  }
}

std::string act(std::string_view id, Vec2, bool, BoardState& state) {
  if (id.starts_with("board:row/")) turn_to(kWordsBoard, state, "row", double(id.back() - '0'));
  return {};
}

}  // namespace

const Board kWordsBoard{"words", "Four words", kKnobs, layout, caption, readings, act, nullptr, steps};

}  // namespace tilewalk
