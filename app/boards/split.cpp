// Flash-Decoding: one query, many keys. Without splits only as many multiprocessors work as there are heads; with
// splits all of them pull K and V, and a second kernel merges the parts. Below, the same merge on the row with four
// keys.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/attention/presets.h"
#include "core/attention/split_kv.h"
#include "core/machine/gpus.h"
#include "core/machine/words.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 3> kGpus{"a100-80", "h100", "h200"}, kGpuWords{"A100", "H100", "H200"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("splits", "Splits of K and V", 1, 64, 1, "Thread blocks for one head"),
    power_knob("heads", "Heads × batch", 1, 256, 32, "Heads of all sequences"),
    choice_knob("gpu", "GPU", kGpuWords, 1, "Whose multiprocessors work", kGpus),
    power_knob("N", "Keys N", 1024, 131072, 131072, "Keys in the cache"),
});
constexpr int kSteps = 3;  // parts, their weights, the merge

struct Decode {
  Problem problem;
  int64_t splits, blocks, busy;
  const GpuSpec* gpu;
  int64_t waves() const { return (blocks + gpu->sms - 1) / gpu->sms; }
};
Decode decode_of(const Exhibit& view) {
  Decode out;
  out.problem = {
      .heads = int64_t(view.knob("heads")), .n_q = 1, .n_k = int64_t(view.knob("N")), .d = 128, .br = 128, .bc = 128};
  out.splits = int64_t(splits_of(out.problem, int64_t(view.knob("splits"))).size());
  out.blocks = split_blocks(out.problem, out.splits);
  out.gpu = gpu_named(kGpus[size_t(view.knob("gpu"))]);
  out.busy = std::min<int64_t>(out.blocks, out.gpu->sms);
  return out;
}

// What one block pulls of K and V: 2.147 GB over 32 blocks in 1.356 ms on an H200 (lessons/data/published.toml), and
// within 1.3 % of it on an H100 (kernels/README.md). Taken for other GPUs too.
constexpr double kBlockRate = 2147483648.0 / 32 / 1.356e-3;

// Every multiprocessor at work pulls that much, all of them together no more than DRAM gives; the parts go out and
// back.
double modelled_time(const Decode& d, double kv_bytes, double part_bytes) {
  return kv_bytes / std::min(double(d.busy) * kBlockRate, d.gpu->dram_rate) + part_bytes / d.gpu->dram_rate;
}

// What our split-KV kernel took, where it was recorded so.
std::optional<Quantity> recorded_time(const Decode& d) {
  const std::string_view keys = d.problem.n_k == 131072 ? "128k" : d.problem.n_k == 32768 ? "32k" : "";
  if (keys.empty() || d.problem.heads != 32 || d.gpu->id != "h200") return std::nullopt;
  return evaluate(fmt::format("published.decode_h200_{}_{}", keys, d.splits)).quantity;
}

// The row with four keys, in as many parts as there are splits of it: one or two.
SplitRow example_row(int64_t splits) {
  static const Preset& micro = *preset_named("micro");
  static const Inputs inputs = inputs_of(micro);
  return split_row(micro.problem, inputs, 0, splits);
}

std::vector<Reading> readings(const Exhibit& view) {
  const Decode d = decode_of(view);
  const SplitTraffic traffic = split_traffic(d.problem, d.splits);
  const double kv = 4.0 * double(d.problem.n_k * d.problem.d * d.problem.heads);
  const std::string gpu = d.gpu->title + ", " + d.gpu->source;
  const SplitRow row = example_row(2);
  const double parts = double(traffic.split_stores + traffic.merge_loads) * double(d.splits > 1);
  const std::optional<Quantity> recorded = recorded_time(d);
  std::vector<Reading> all{
      {"blocks", "Thread blocks", {double(d.blocks), {}, Origin::Computed, "heads × splits, one Q tile"}},
      {"busy",
       fmt::format("SMs busy, of {}", d.gpu->sms),
       {double(d.busy), {}, Origin::Computed, "a block on each, " + gpu}},
      {"share", "Busy", {double(d.busy) / double(d.gpu->sms), {}, Origin::Computed, gpu}},
      {"waves", "Waves", {double(d.waves()), {}, Origin::Computed, "blocks / multiprocessors, rounded up"}},
      {"chosen",
       "Splits flash-attn takes",
       {double(chosen_splits(d.problem, d.gpu->sms)),
        {},
        Origin::Computed,
        "its rule: fill the waves to 85 % of the best"}},
      {"kv_bytes", "K and V to read", {kv, "byte", Origin::Computed, "2 N d bytes each, all heads"}},
      {"least_time",
       "Takes at least",
       {kv / d.gpu->dram_rate, "s", Origin::Model, "K and V over DRAM bandwidth, " + gpu}},
      {"time", recorded ? "Took, recorded" : "Takes, model",
       recorded.value_or(Quantity{modelled_time(d, kv, parts), "s", Origin::Model,
                                  "as many blocks as are busy pull what one was measured to, up to DRAM's rate"})},
      {"part_bytes", "Parts written and read", {parts, "byte", Origin::Computed, "O in fp32 and L of each split"}},
      {"traffic",
       "Bytes in both kernels",
       {double(traffic.total()), "byte", Origin::Computed, "between L2 and the SMs"}},
  };
  for (size_t s = 0; s < row.shares.size(); ++s) {
    all.push_back({fmt::format("L{}", s + 1),
                   fmt::format("L of part {}", s + 1),
                   {row.shares[s].lse, {}, Origin::Computed, "m + log l of its keys"}});
    all.push_back({fmt::format("w{}", s + 1),
                   fmt::format("Weight of part {}", s + 1),
                   {row.merged.weights[s], {}, Origin::Computed, "e^(L_s − L)"}});
  }
  all.push_back({"L", "L of the row", {row.merged.share.lse, {}, Origin::Computed, "log Σ e^(L_s)"}});
  all.push_back({"out_x", "First number of O", {row.merged.share.o[0], {}, Origin::Computed, "Σ weight × part"}});
  all.push_back({"out_y", "Second number of O", {row.merged.share.o[1], {}, Origin::Computed, "Σ weight × part"}});
  return all;
}

int steps(const Exhibit&) { return kSteps; }

std::string caption(const Exhibit& view) {
  const Decode d = decode_of(view);
  if (view.covered("busy") || view.covered("blocks"))
    return "A token is generated. How many multiprocessors find work, and why no more?";
  if (view.state.step > 0 && (view.covered("w1") || view.covered("L")))
    return "Every block knows its own keys alone. What makes one O of the parts?";
  if (view.state.step >= kSteps) return "The parts merge by their L: the same answer as one walk over all keys.";
  if (view.state.step == 2) return "Each part's weight is e^(its L − the row's L). The weights add up to one.";
  if (view.state.step == 1) return "Each block has walked its own keys, and writes a normalised O and its L.";
  if (d.busy < d.gpu->sms)
    return fmt::format("One new token: {} blocks, so {} of {} multiprocessors wait while the others read.", d.blocks,
                       d.gpu->sms - d.busy, d.gpu->sms);
  if (d.waves() > 1)
    return fmt::format("{} blocks run in {} waves, and leave {} of parts to write and merge.", with_commas(d.blocks),
                       d.waves(), amount(reading_of(readings(view), "part_bytes").quantity.value, "byte"));
  return fmt::format("{} blocks: every multiprocessor pulls its piece of K and V.", with_commas(d.blocks));
}

// One square for each multiprocessor, in rows that fill the rectangle.
void layout_chip(const BoardView& view, Rect area, const Decode& d) {
  const Style& st = view.style;
  const int n = d.gpu->sms;
  int columns = 1;
  float side = 0;
  for (int c = 1; c <= n; ++c) {
    const float fits = std::min(area.w / float(c), area.h / std::ceil(float(n) / float(c)));
    if (fits > side) side = fits, columns = c;
  }
  const bool blank = view.covered("busy") || view.covered("share");
  for (int k = 0; k < n; ++k) {
    const Rect cell{area.x + side * float(k % columns), area.y + side * float(k / columns), side * 0.84f, side * 0.84f};
    const bool busy = k < d.busy && !blank;
    view.box(cell, st.px(2), busy ? st.palette.fill(Tensor::K) : Color{}, busy ? Color{} : view[Role::Border],
             busy ? 0 : st.px(1));
  }
  view.region(area, "reading:share",
              fmt::format("{}: {} multiprocessors, a thread block on each of {}", d.gpu->title, n,
                          blank ? "?" : std::to_string(d.busy)));
}

// One head's keys, cut into splits.
void layout_keys(const BoardView& view, Rect strip, const Decode& d) {
  const Style& st = view.style;
  const std::vector<Split> splits = splits_of(d.problem, d.splits);
  const float each = strip.w / float(splits.size()), gap = std::min(st.px(4), each * 0.2f);
  for (size_t s = 0; s < splits.size(); ++s) {
    const Rect piece{strip.x + each * float(s), strip.y, each - gap, strip.h};
    view.box({piece.x, piece.y, piece.w, piece.h / 2 - st.px(1)}, st.px(2), Tensor::K);
    view.box({piece.x, piece.y + piece.h / 2 + st.px(1), piece.w, piece.h / 2 - st.px(1)}, st.px(2), Tensor::V);
  }
}

// The parts of the example row, their weights, and the merge.
void layout_merge(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const SplitRow row = example_row(int64_t(view.knob("splits")));
  const int step = std::clamp(view.state.step, 0, kSteps);
  const size_t parts = row.shares.size();
  const float line = area.h / float(parts + 1), name = std::min(area.w * 0.22f, st.px(180)), weight = area.w * 0.26f;
  const auto numbers = [](const Share& share) {
    return fmt::format("O ({:.6f}, {:.6f})  L {:.6f}", share.o[0], share.o[1], share.lse);
  };
  for (size_t s = 0; s < parts; ++s) {
    const Rect rect{area.x, area.y + line * float(s), area.w, line - st.px(4)};
    view.text({rect.x, rect.y, name, rect.h}, fmt::format("keys {}–{}", row.splits[s].first + 1, row.splits[s].last),
              Face::SansBold, st.number(), Tensor::K);
    const Rect text{rect.x + name, rect.y, rect.w - name - weight - st.px(12), rect.h};
    if (view.covered(fmt::format("L{}", s + 1)) && step > 0)
      plate(view, {text.x, text.y, text.w * 0.6f, text.h});
    else
      view.text(text, step > 0 ? numbers(row.shares[s]) : "not computed yet", Face::Mono, st.body(),
                step > 0 ? Role::Text : Role::TextSecondary);
    const Rect track{rect.right() - weight, rect.y, weight, rect.h};
    if (step < 2) continue;
    if (view.covered(fmt::format("w{}", s + 1))) {
      plate(view, track);
      continue;
    }
    const float number = st.px(96);
    bar(view, {track.x, track.y + track.h * 0.2f, track.w - number, track.h * 0.6f}, float(row.merged.weights[s]),
        Tensor::S, BarLook::Computed);
    view.text({track.right() - number, track.y, number, track.h}, fmt::format("{:.6f}", row.merged.weights[s]),
              Face::MonoBold, st.number(), Role::Text, Align::Right);
  }
  const Rect rect{area.x, area.y + line * float(parts), area.w, line - st.px(4)};
  view.line({area.x, rect.y - st.px(2)}, {area.right(), rect.y - st.px(2)}, Role::Border, st.px(1.5f));
  view.text({rect.x, rect.y, name, rect.h}, "merged", Face::SansBold, st.number(), Tensor::O);
  const bool hidden = view.covered("out_x") || view.covered("L");
  view.text({rect.x + name, rect.y, rect.w - name, rect.h},
            step < kSteps ? "not merged yet"
            : hidden      ? "?"
                          : numbers(row.merged.share),
            Face::MonoBold, st.body(), step < kSteps ? Role::TextSecondary : Role::Text);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Decode d = decode_of(view);
  const std::vector<Reading> all = readings(view);
  const float gap = std::min(st.px(16), area.h * 0.03f);
  const float merge = std::clamp(area.h * 0.28f, st.px(96), st.px(190)),
              strip = std::clamp(area.h * 0.07f, st.px(20), st.px(44)), label = st.px(24);
  const float top = area.h - merge - strip - 2 * label - 3 * gap;
  const float numbers = std::min(area.w * 0.42f, st.px(420));
  layout_chip(view, {area.x, area.y, area.w - numbers - st.px(24), top}, d);
  std::vector<std::pair<std::string_view, std::string_view>> shown{{"busy", "count"},   {"chosen", "count"},
                                                                   {"time", "time"},    {"least_time", "time"},
                                                                   {"blocks", "count"}, {"waves", "count"}};
  if (top < st.px(156)) shown.resize(4);  // a low window
  const float each = top / float(shown.size() / 2);
  for (size_t k = 0; k < shown.size(); ++k)
    big_number(view,
               {area.right() - numbers + float(k % 2) * numbers / 2, area.y + each * float(k / 2),
                numbers / 2 - st.px(10), std::min(each - st.px(4), st.px(76))},
               reading_of(all, shown[k].first), shown[k].second, std::min(st.display(), each * 0.42f));
  float y = area.y + top + gap;
  view.text({area.x, y, area.w, label},
            fmt::format("K and V of one head: {} in {} {}", with_commas(d.problem.n_k), d.splits,
                        d.splits == 1 ? "piece" : "pieces"),
            Face::Sans, st.number(), Role::TextSecondary);
  layout_keys(view, {area.x, y + label, area.w, strip}, d);
  y += label + strip + gap;
  view.text({area.x, y, area.w, label}, "The same merge in small: one row of four keys", Face::Sans, st.number(),
            Role::TextSecondary);
  layout_merge(view, {area.x, y + label, area.w, merge});
}

}  // namespace

const Board kSplitBoard{.id = "split",
                        .title = "One query, split keys",
                        .knobs = kKnobs,
                        .layout = layout,
                        .caption = caption,
                        .readings = readings,
                        .steps = steps,
                        .fixed = "B 1 · d 128 · fp16"};

}  // namespace tilewalk
