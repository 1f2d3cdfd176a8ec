// Native Sparse Attention: what one query of a long sequence reads. Three branches over the same keys: blocks
// compressed to one key each, a few selected blocks in full, and a window of the latest keys. Sizes are the paper's
// (lessons/data/published.toml); which blocks are selected is made up from a seed, as a trained score would choose. The
// heads that share K and V make one choice; where each makes its own, all that any of them chose is read.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/attention/inputs.h"
#include "core/machine/words.h"
#include "core/quantity/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 4> kBranches{"all three", "compressed", "selected", "window"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Keys N", 2048, 131072, 65536, "Keys before the query"),
    choice_knob("branch", "Branch", kBranches, 0, "Which branch is lit"),
    linear_knob("seed", "Query", 1, 50, 4, 1, "Another query selects other blocks"),
    power_knob("choices", "Choices in a group", 1, 16, 1,
               "Heads that share K and V choose their blocks as one, or each for itself"),
});

struct Sparse {
  int64_t n, block, stride, selected_block, selected_count, window;
  // Blocks, ascending: the first, the last two, and those with the largest scores of any head that chooses.
  std::vector<int64_t> chosen;
  int64_t compressed() const { return n >= block ? (n - block) / stride + 1 : 0; }
  int64_t selected() const { return int64_t(chosen.size()) * selected_block; }
  int64_t read() const { return compressed() + selected() + std::min(n, window); }
};

int64_t of_paper(std::string_view key) {
  const std::optional<Quantity> quantity = published(key);
  return quantity ? int64_t(quantity->value) : 0;
}

Sparse sparse_of(const Exhibit& view, int choices) {
  Sparse out{int64_t(view.knob("N")),
             of_paper("nsa_compressed_block"),
             of_paper("nsa_compressed_stride"),
             of_paper("nsa_selected_block"),
             of_paper("nsa_selected_blocks"),
             of_paper("nsa_window"),
             {}};
  const int64_t blocks = out.n / std::max<int64_t>(1, out.selected_block);
  Problem scores;
  scores.n_k = blocks;
  scores.d = 1;
  scores.heads = choices;
  scores.seed = uint64_t(view.knob("seed"));
  std::set<int64_t> chosen;
  std::vector<double> score(static_cast<size_t>(blocks));
  std::vector<int64_t> order(score.size());
  for (int head = 0; head < choices; ++head) {
    for (int64_t b = 0; b < blocks; ++b)
      score[size_t(b)] = b == 0 || b >= blocks - 2 ? 1e9 : generated_element(scores, InputTensor::K, 0, head, b, 0);
    std::iota(order.begin(), order.end(), int64_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](int64_t b) { return score[size_t(b)]; });
    chosen.insert(order.begin(), order.begin() + std::min(blocks, out.selected_count));
  }
  out.chosen.assign(chosen.begin(), chosen.end());
  return out;
}
Sparse sparse_of(const Exhibit& view) { return sparse_of(view, int(view.knob("choices"))); }

std::vector<Reading> readings(const Exhibit& view) {
  const Sparse s = sparse_of(view);
  const auto number = [](std::string id, std::string label, double value, std::string source) {
    return Reading{std::move(id),
                   std::move(label),
                   {value, {}, Origin::Computed, std::move(source) + ", sizes of arXiv:2502.11089"}};
  };
  return {
      number("compressed", "Compressed keys", double(s.compressed()), "one for each block, a block every stride"),
      number("selected", "Keys of selected blocks", double(s.selected()), "blocks that a head chose × keys in a block"),
      number("window", "Keys in the window", double(std::min(s.n, s.window)), "the latest"),
      number("read", "Keys read", double(s.read()), "all three branches"),
      number("full", "Keys of full attention", double(s.n), "every key"),
      number("ratio", "Times fewer", double(s.n) / double(s.read()), "all keys / keys read"),
  };
}

std::string fixed_now(const Exhibit& view) {
  const Sparse s = sparse_of(view);
  return fmt::format("compressed {} every {} · selected {} × {} · window {}", s.block, s.stride,
                     of_paper("nsa_selected_blocks"), s.selected_block, s.window);
}

std::string caption(const Exhibit& view) {
  const Sparse s = sparse_of(view);
  if (view.covered("read") || view.covered("ratio")) return "One query, three branches. How many keys does it read?";
  if (const int choices = int(view.knob("choices")); choices > 1)
    return fmt::format("{} heads choose alone: {} keys are loaded instead of {}.", choices, with_commas(s.read()),
                       with_commas(sparse_of(view, 1).read()));
  return fmt::format("The query reads {} keys instead of {}: not the same attention, but one that was trained so.",
                     with_commas(s.read()), with_commas(s.n));
}

// A strip of keys from the first to the query.
void layout_strip(const BoardView& view, Rect area, std::string_view name, const Reading& reading, bool lit,
                  const std::vector<std::pair<double, double>>& pieces, Color color) {
  const Style& st = view.style;
  const float left = std::min(area.w * 0.2f, st.px(150)), right = std::min(area.w * 0.16f, st.px(120)),
              h = std::min(area.h * 0.62f, st.px(52));
  const Rect strip{area.x + left, area.center().y - h / 2, area.w - left - right - st.px(12), h};
  view.text({area.x, strip.y, left - st.px(10), h}, name, lit ? Face::SansBold : Face::Sans, st.body(),
            lit ? Role::Text : Role::TextSecondary);
  view.box(strip, st.px(2), Role::SurfaceStrong);
  for (const auto& [from, to] : pieces) {
    const float w = std::max(st.px(1.5f), strip.w * float(to - from));
    view.box({std::min(strip.x + strip.w * float(from), strip.right() - w), strip.y, w, strip.h}, 0,
             lit ? color : with_alpha(color, 0.35f));
  }
  const Rect number{strip.right() + st.px(12), strip.y, right, h};
  if (view.covered(reading.id))
    plate(view, number);
  else
    view.text(number, with_commas(int64_t(reading.quantity.value)), Face::MonoBold, st.caption(), Role::Text,
              Align::Right);
  view.region(area, "reading:" + reading.id, tip_of(reading));
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Sparse s = sparse_of(view);
  const std::vector<Reading> all = readings(view);
  const double n = double(s.n);
  std::vector<std::pair<double, double>> ticks, blocks;
  // As many ticks as can be told apart stand for the compressed blocks.
  const int64_t shown_ticks = std::min<int64_t>(s.compressed(), int64_t(area.w / st.px(9)));
  for (int64_t k = 0; k < shown_ticks; ++k)
    ticks.emplace_back(double(k) / double(shown_ticks), (double(k) + 0.4) / double(shown_ticks));
  for (int64_t b : s.chosen)
    blocks.emplace_back(double(b * s.selected_block) / n, double((b + 1) * s.selected_block) / n);
  const int branch = int(view.knob("branch"));
  const auto lit = [&](int which) { return branch == 0 || branch == which; };
  const float numbers = std::clamp(area.h * 0.2f, st.px(56), st.px(84)), each = (area.h - numbers - st.px(16)) / 4;
  layout_strip(view, {area.x, area.y, area.w, each}, "full attention", reading_of(all, "full"), branch == 0, {{0, 1}},
               st.palette.fill(Tensor::K));
  layout_strip(view, {area.x, area.y + each, area.w, each}, "compressed", reading_of(all, "compressed"), lit(1), ticks,
               st.palette.fill(Tensor::S));
  layout_strip(view, {area.x, area.y + 2 * each, area.w, each}, "selected", reading_of(all, "selected"), lit(2), blocks,
               st.palette.fill(Tensor::K));
  layout_strip(view, {area.x, area.y + 3 * each, area.w, each}, "window", reading_of(all, "window"), lit(3),
               {{1 - std::min(1.0, double(s.window) / n), 1}}, st.palette.fill(Tensor::V));
  const std::array<std::pair<std::string_view, std::string_view>, 3> shown{
      {{"read", "count"}, {"full", "count"}, {"ratio", "number"}}};
  for (size_t k = 0; k < shown.size(); ++k) {
    Reading reading = reading_of(all, shown[k].first);
    if (reading.id == "full") continue;  // it stands at its strip
    big_number(view, {area.x + area.w / 3 * float(k), area.bottom() - numbers, area.w / 3 - st.px(12), numbers},
               reading, shown[k].second);
  }
}

}  // namespace

const Board kSparseBoard{.id = "sparse",
                         .title = "Three branches over the keys",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .fixed_now = fixed_now};

}  // namespace tilewalk
