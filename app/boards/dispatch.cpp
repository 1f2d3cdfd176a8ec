// Which kernel runs? The call as chips, the one that runs with its name in a profiler, and below it everyone who was
// asked, in order, each with the reason why it does not run. All by core/model/dispatch.h.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/text/text.h"
#include "core/machine/gpus.h"
#include "core/model/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, kEntryPointCount> kEntryWords{
    "PyTorch SDPA",     "flash_attn", "flash_attn_interface", "flash_attn.cute",      "xFormers",
    "HF eager",         "HF sdpa",    "HF flash_attention_2", "HF flash_attention_3", "HF flash_attention_4",
    "HF flex_attention"};
constexpr std::array<std::string_view, kEntryPointCount> kEntryIds{"sdpa",
                                                                   "flash_attn",
                                                                   "flash_attn_interface",
                                                                   "flash_attn.cute",
                                                                   "xformers",
                                                                   "hf-eager",
                                                                   "hf-sdpa",
                                                                   "hf-fa2",
                                                                   "hf-fa3",
                                                                   "hf-fa4",
                                                                   "hf-flex"};
constexpr std::array<std::string_view, 8> kTorch{"2.1", "2.2", "2.5.0", "2.5.1", "2.8", "2.10", "2.11", "main"};
constexpr std::array<std::string_view, 8> kGpuWords{"V100", "T4", "A100", "4090", "H100", "H200", "B200", "5090"};
constexpr std::array<std::string_view, 8> kGpuIds{"v100", "t4",   "a100-80", "rtx4090",
                                                  "h100", "h200", "b200",    "rtx5090"};
constexpr std::array<std::string_view, 4> kDtypes{"fp16", "bf16", "fp32", "fp8"};
constexpr std::array<std::string_view, 7> kHeadWords{"64", "100", "128", "192", "192/128", "256", "264"};
constexpr std::array<int64_t, 7> kHeads{64, 100, 128, 192, 192, 256, 264};
constexpr std::array<std::string_view, 4> kMasks{"none", "causal", "bool", "float"};
constexpr std::array<std::string_view, 3> kQueries{"N_q = N_k", "one query", "half of N_k"};
constexpr std::array<std::string_view, 3> kDropouts{"0", "0.1", "0.125"};
constexpr std::array<double, 3> kDropout{0, 0.1, 0.125};
constexpr std::array<std::string_view, 5> kForced{"all", "FLASH", "EFFICIENT", "CUDNN", "MATH"};

constexpr Knob choice(std::string_view id, std::string_view label, std::span<const std::string_view> words,
                      double initial, std::string_view tip, std::span<const std::string_view> ids = {}) {
  return choice_knob(id, label, words, initial, tip, ids);
}
constexpr Knob flag(std::string_view id, std::string_view label, std::string_view tip) {
  return switch_knob(id, label, false, tip);
}
constexpr auto kKnobs = std::to_array<Knob>({
    choice("entry", "What is called", kEntryWords, 0, "The function or the word that your code names", kEntryIds),
    choice("gpu", "GPU", kGpuWords, 4, "Its compute capability decides, not its name", kGpuIds),
    choice("torch", "PyTorch", kTorch, 6, "The release, with the cuDNN that comes with it"),
    choice("dtype", "dtype", kDtypes, 0, "Of q, k and v"),
    choice("d", "head dimension", kHeadWords, 2, "Of q and k, and of v where it differs"),
    choice("mask", "mask", kMasks, 0, "is_causal, or an attn_mask of bool or float"),
    choice("queries", "queries", kQueries, 0, "How many queries there are for N_k keys"),
    flag("grad", "training", "An input requires a gradient"),
    flag("gqa", "fewer K/V heads", "Four heads of Q share one of K and V: enable_gqa=True"),
    choice("dropout", "dropout", kDropouts, 0, "dropout_p"),
    choice("forced", "sdpa_kernel", kForced, 0, "Which back ends are let in"),
    flag("deterministic", "deterministic", "torch.use_deterministic_algorithms(True)"),
});

AttentionCall call_of(const Exhibit& view) {
  const auto at = [&](std::string_view id) { return size_t(view.knob(id)); };
  AttentionCall call;
  call.entry = EntryPoint(at("entry"));
  call.torch = kTorch[at("torch")];
  call.cc = gpu_named(kGpuIds[at("gpu")])->cc;
  call.dtype = CallDtype(at("dtype"));
  call.d = kHeads[at("d")];
  call.d_v = kHeadWords[at("d")] == "192/128" ? 128 : 0;
  call.mask = CallMask(at("mask"));
  call.n_q = at("queries") == 0 ? call.n_k : at("queries") == 1 ? 1 : call.n_k / 2;
  call.grad = view.on("grad");
  call.kv_heads = view.on("gqa") ? call.heads / 4 : 0;
  call.dropout = kDropout[at("dropout")];
  call.deterministic = view.on("deterministic");
  const Backend flash = at("torch") == 0 ? Backend::Fa1 : Backend::Fa2;
  const std::array<Backend, 4> forced{flash, Backend::Efficient, Backend::Cudnn, Backend::Math};
  if (at("forced") > 0) call.only = forced[at("forced") - 1];
  return call;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Dispatch result = dispatch(call_of(view));
  const std::string source = "the rules of core/model/dispatch.h";
  const double winner = result.winner ? double(*result.winner) : -1;
  return {{"winner", "Place of the back end that runs", {winner, {}, Origin::Computed, source}},
          {"asked", "Back ends that are asked", {double(result.asked), {}, Origin::Computed, source}}};
}

std::string caption(const Exhibit& view) {
  if (view.covered("winner")) return "Read the call. Who runs it, and who refuses?";
  const AttentionCall call = call_of(view);
  const Dispatch result = dispatch(call);
  const std::string_view who = kEntryWords[size_t(view.knob("entry"))];
  const std::string_view gpu = gpu_named(kGpuIds[size_t(view.knob("gpu"))])->title;
  if (!result.winner) return fmt::format("{} on {}: nothing runs this call.", who, gpu);
  if (!result.notes.empty()) return fmt::format("{} on {} runs {}. {}", who, gpu, result.name, result.notes[0]);
  return fmt::format("{} on {} runs {}.", who, gpu, result.name);
}

// What a lesson's beats speak of has a chip there from the start; the rest comes with the chip that stands for it.
constexpr std::string_view kMoreChips = "board:more-chips";
bool is_folded(const BoardView& view, const Knob& knob) {
  constexpr auto kSpokenOf = std::to_array<std::string_view>({"entry", "gpu", "torch", "dtype", "d", "mask"});
  return !view.view.lesson.id.empty() && view.knob(knob.id) == knob.initial &&
         !view.state.cells.contains("more-chips") && std::ranges::find(kSpokenOf, knob.id) == kSpokenOf.end();
}

// Whether a chip stands for the knob: where hands are, for those that are not within reach anyway; where people look
// on, for those that the answer is about, larger.
bool in_reach(const BoardView& view, const Knob& knob) {
  const auto reach = knobs_in_reach(view.board, view.state);
  return std::ranges::find(reach, &knob) != reach.end();
}

bool has_chip(const BoardView& view, const Knob& knob) {
  constexpr auto kOfRoom = std::to_array<std::string_view>({"entry", "gpu", "dtype", "mask"});
  if (!view.hands) return view.knob(knob.id) != knob.initial || std::ranges::find(kOfRoom, knob.id) != kOfRoom.end();
  return !in_reach(view, knob) && !is_folded(view, knob);
}

// What is set, as chips that go on by one when they are pressed.
float layout_chips(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const float size = view.hands ? st.small() : st.body(), h = st.px(view.hands ? 32 : 44), gap = st.px(6),
              pad = st.px(10);
  float x = area.x, y = area.y;
  for (const Knob& knob : view.board.knobs) {
    if (!has_chip(view, knob)) continue;
    const double value = view.knob(knob.id);
    const std::string words = knob_text(knob, value);
    const float label = text_width(knob.label, Face::Sans, size), w_value = text_width(words, Face::SansBold, size);
    const float w = std::min(area.w, label + w_value + 2 * pad + st.px(8));
    if (x > area.x && x + w > area.right()) x = area.x, y += h + gap;
    const bool set = view.hands && value != knob.initial, sw = knob.kind == Knob::Kind::Switch;
    const Rect chip{x, y, w, h};
    const std::string id = sw ? fmt::format("knob:{}", knob.id) : fmt::format("knob:{}/+", knob.id);
    view.box(chip, h / 2, set ? view[Role::SurfaceStrong] : Color{},
             set || view.view.hover == id ? Role::Text : Role::Border, st.px(1.5f));
    view.label({chip.x + pad, chip.y, label + st.px(2), h}, knob.label, Face::Sans, size, Role::TextSecondary);
    view.label({chip.x + pad + label + st.px(7), chip.y, w_value + st.px(2), h}, words, Face::SansBold, size,
               Role::Text);
    view.region(chip, id, fmt::format("{}: {}. {}. Press for the next one.", knob.label, words, knob.tip), true, h / 2);
    x += w + gap;
  }
  if (const auto folded = std::ranges::count_if(
          view.board.knobs, [&](const Knob& knob) { return is_folded(view, knob) && !in_reach(view, knob); });
      view.hands && folded > 0) {
    const std::string words = fmt::format("{} more …", folded);
    const float w = text_width(words, Face::Sans, size) + 2 * pad;
    if (x > area.x && x + w > area.right()) x = area.x, y += h + gap;
    const Rect chip{x, y, w, h};
    view.box(chip, h / 2, Color{}, view.view.hover == kMoreChips ? Role::Text : Role::Border, st.px(1.5f));
    view.text(chip, words, Face::Sans, size, Role::TextSecondary, Align::Center);
    view.region(chip, std::string(kMoreChips), "More that a call can say; none of it is set", true, h / 2);
  }
  return y + h - area.y;
}

// The one that runs: its name, and under it the name to look for in a profiler.
void layout_winner(const BoardView& view, Rect area, const Dispatch& result) {
  const Style& st = view.style;
  if (view.covered("winner")) {
    plate(view, area);
    return;
  }
  const std::string name = result.winner ? result.name : "nothing runs";
  const float size = std::min(st.px(64), area.h * 0.6f);
  const float w = std::min(area.w * 0.52f, text_width(name, Face::SansBold, size) + st.px(28));
  view.text({area.x, area.y, w - st.px(20), area.h}, name, Face::SansBold, size,
            result.winner ? Role::AccentText : Role::WrongText);
  const float head = st.px(20), wide = area.w - w;
  std::string words = result.winner ? result.kernel : result.error;
  if (text_width(words, Face::Mono, st.small()) > wide)  // a name without spaces is wrapped where its brackets open
    for (size_t at = words.find('<'); at != std::string::npos; at = words.find('<', at + 1)) words.insert(at + 1, " ");
  const bool large = text_width(words, Face::Mono, st.number()) <= wide || area.h - head > 4 * st.number();
  const float size_of_name = large ? st.number() : st.small();
  const float lines = float(wrap_text(words, Face::Mono, size_of_name, wide).size());
  const float block = std::min(area.h, head + lines * size_of_name * 1.35f);
  const Rect right{area.x + w, area.y + (area.h - block) / 2, wide, block};
  view.text({right.x, right.y, right.w, head}, result.winner ? "in the profiler" : "it says", Face::Sans, st.small(),
            Role::TextSecondary);
  text_block(view, {right.x, right.y + head, right.w, right.h - head + 1}, words, Face::Mono, size_of_name, Role::Text);
  view.region(area, "board:winner", result.op.empty() ? words : fmt::format("{}, under {}", words, result.op));
}

void layout_candidates(const BoardView& view, Rect area, Dispatch result) {
  const Style& st = view.style;
  if (view.covered("winner"))
    std::ranges::sort(result.tried, {}, &Candidate::backend);  // who is asked first would tell
  const size_t count = result.tried.size();
  const float row = std::min(st.px(view.hands ? 76 : 96), area.h / float(count));
  const float size = !view.hands        ? std::min(st.px(28), row * 0.365f)
                     : row >= st.px(64) ? st.body()
                     : row >= st.px(52) ? st.number()
                                        : st.small();
  const float dot = std::min(st.px(26), row * 0.8f), name = std::min(st.px(view.hands ? 164 : 260), area.w * 0.26f);
  const float line = area.x + dot / 2;
  // The path of questions: black down to the one that runs.
  size_t last = result.asked;
  for (size_t k = 0; k < result.asked; ++k)
    if (result.winner == result.tried[k].backend) last = k + 1;
  const bool covered = view.covered("winner");
  if (last > 1 && !covered)
    view.line({line, area.y + row / 2}, {line, area.y + row * (float(last) - 0.5f)}, Role::Accent, st.px(3));
  for (size_t k = 0; k < count; ++k) {
    const Candidate& candidate = result.tried[k];
    const bool asked = k < result.asked, runs = result.winner == candidate.backend;
    const Rect slot{area.x, area.y + row * float(k), area.w, row};
    const Rect mark{area.x, slot.center().y - dot / 2, dot, dot};
    if (!covered) {
      view.box(mark, dot / 2, runs ? Role::Accent : Role::Background, runs || k < last ? Role::Accent : Role::Border,
               st.px(2));
      view.label(mark,
                 runs    ? "✓"
                 : asked ? fmt::format("{}", k + 1)
                         : "–",
                 Face::SansBold, st.small(), runs ? text_on(view[Role::Accent]) : view[Role::Text], Align::Center);
    }
    view.text({mark.right() + st.px(10), slot.y, name, row}, title_of(candidate.backend),
              runs && !covered ? Face::SansBold : Face::Sans, std::max(size, st.number()), Role::Text);
    const Rect why{mark.right() + name + st.px(18), slot.y, area.right() - mark.right() - name - st.px(18), row};
    if (covered) {  // what it is stands where the reason will
      view.text(why, what_is(candidate.backend), Face::Sans, std::max(size, st.number()), Role::TextSecondary);
      continue;
    }
    const std::string words = runs ? std::string("runs") : candidate.reason;
    const bool two = row >= 2 * size * 1.35f && text_width(words, Face::Sans, size) > why.w;
    if (two) {
      const float h = 2 * size * 1.35f;
      text_block(view, {why.x, why.center().y - h / 2, why.w, h + 1}, words, Face::Sans, size, Role::Text);
    } else {
      view.text(why, words, runs ? Face::SansBold : Face::Sans, size, runs ? Role::AccentText : Role::Text);
    }
    view.region(slot, fmt::format("board:candidate/{}", k), fmt::format("{}: {}", title_of(candidate.backend), words));
  }
}

std::string act(std::string_view id, Vec2, bool dragged, BoardState& state) {
  if (!dragged && id == kMoreChips) state.cells["more-chips"] = "shown";
  return {};
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Dispatch result = dispatch(call_of(view));
  const float gap = std::min(st.px(16), area.h * 0.03f);
  const float chips = layout_chips(view, area);
  const float winner = std::clamp(area.h * 0.18f, st.px(58), st.px(120));
  layout_winner(view, {area.x, area.y + chips + gap, area.w, winner}, result);
  const float top = area.y + chips + winner + 2 * gap;
  if (!result.tried.empty()) layout_candidates(view, {area.x, top, area.w, area.bottom() - top}, result);
}

}  // namespace

const Board kDispatchBoard{"dispatch", "Which kernel runs?", kKnobs, layout, caption, readings, act};

}  // namespace tilewalk
