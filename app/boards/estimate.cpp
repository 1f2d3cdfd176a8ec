// An estimate of one attention call: how long its work keeps each part of a GPU busy, which of them it waits for, what
// FlashAttention wins over standard and eager attention, what memory they take, and the N at which things turn. Times
// are the model's of core/roofline; no constant in them is fitted to attention.
#include "app/boards/boards.h"
#include "app/boards/estimate_parts.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/boards/roofs_knob.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 6> kMethodWords{"eager", "standard", "FA1", "FA2", "FA3", "FA4"};
constexpr std::array<std::string_view, 6> kMethodIds{"eager", "standard", "fa1", "fa2", "fa3", "fa4"};

const std::array<Knob, 10> kKnobs{
    kLengthKnob,
    kHeadsKnob,
    roofs_knob("h100"),
    kHeadDimKnob,
    choice_knob("method", "Method", kMethodWords, 4, "Whose time is taken apart", kMethodIds),
    kMaskKnob,
    kPassKnob,
    kBatchKnob,
    kFormatKnob,
    kExpectKnob,
};

std::string_view subject(Method method) { return info_of(method).name; }

// The method that was chosen before a GPU that cannot run it took another one's place: back with the next that can.
constexpr std::string_view kInstead = ".method";
std::optional<Method> wanted_method(const BoardState& state) {
  const auto wanted = state.cells.find(kInstead);
  return wanted == state.cells.end() ? std::nullopt : std::optional(Method(number_or(wanted->second, 0)));
}

// A method that the GPU cannot run is only shown there where it was chosen after the GPU.
void turns_with(std::string_view knob, BoardState& state) {
  if (knob == "method") state.cells.erase(std::string(kInstead));
  if ((!knob.empty() && knob != "gpu") || is_locked(state, "method")) return;
  if (knob.empty() && state.knobs.contains("method")) return;  // words that name it mean it
  const auto& roofs = offered_gpu(size_t(knob_value(kEstimateBoard, state, "gpu"))).roofs;
  if (!roofs) return;
  const Method now = Method(knob_value(kEstimateBoard, state, "method")), wanted = wanted_method(state).value_or(now);
  const Direction direction = CasePass(knob_value(kEstimateBoard, state, "pass")) == CasePass::Backward
                                  ? Direction::Backward
                                  : Direction::Forward;
  const bool runs = why_not(wanted, *roofs, {}, direction).empty();
  const Method shown = runs ? wanted : best_fused(*roofs, {}, direction);
  if (runs)
    state.cells.erase(std::string(kInstead));
  else
    state.cells[std::string(kInstead)] = std::to_string(int(wanted));
  if (shown != now) state.knobs["method"] = double(shown);
}

// "FA2 (FA3 does not run here)".
std::string shown_instead(const Exhibit& view, Method method) {
  const auto wanted = wanted_method(view.state);
  return wanted ? fmt::format("{} ({} does not run here)", subject(method), subject(*wanted))
                : std::string(subject(method));
}

std::vector<Reading> readings(const Exhibit& view) {
  std::vector<Reading> out;
  const auto now = estimate_now(view);
  if (!now) return out;
  const EstimateNow& n = *now;
  const std::string what = n.asked.words(), gpu = fmt::format("{} ({})", n.roofs.title, n.roofs.source);
  const auto add = [&](std::string id, std::string label, double value, const char* unit, Origin origin,
                       std::string source) {
    out.push_back({std::move(id), std::move(label), {value, unit, origin, std::move(source)}});
  };
  const auto model = [&](std::string id, std::string label, double value, const char* unit) {
    add(std::move(id), std::move(label), value, unit, Origin::Model, fmt::format("{}; {}", what, gpu));
  };
  const std::string name(subject(n.method)), fused(subject(n.fused));
  // Where a rate is not known, the number is one end of a range, and its label tells the other.
  const auto over = [&](std::string_view baseline, const WinRange& win) {
    const std::string words = fmt::format("{} {} {}", fused, win.most < 1 ? "against" : "wins over", baseline);
    if (win.known()) return words;
    return win.least > 0 ? fmt::format("{}, at least {:.2f}×, at most", words, win.least) : words + ", at most";
  };
  model("win", over("standard", n.wins), n.wins.most, "");
  model("win_eager", over("eager PyTorch", n.wins_over_eager), n.wins_over_eager.most, "");
  model("time", fmt::format("{} {}, model", name, n.chosen.unknown.empty() ? "takes" : "at least"), n.chosen.time, "s");
  model("time_standard", "Standard takes, model", n.standard.time, "s");
  model("time_eager", "Eager takes, model", n.eager.time, "s");
  model("time_fused", fmt::format("{} takes, model", fused), n.of_fused.time, "s");
  model("overlapped", fmt::format("{}, everything at once", name), n.chosen.overlapped, "s");
  model("serial", fmt::format("{}, one after the other", name), n.chosen.serial, "s");
  model("rate", fmt::format("{} reaches, model", name), n.chosen.rate, "flop/s");
  for (int k = 0; k < kRoofCount; ++k) {
    const Roof roof = Roof(k);
    const double amount = roof == Roof::Dram ? n.chosen.dram_bytes : n.work.total(roof);
    if (!(amount > 0)) continue;
    const std::string key(key_of(roof)), of(name_of(roof));
    const bool bytes = is_bandwidth(roof);
    add("work_" + key, fmt::format("{}: work for {}", name, of), amount,
        bytes                  ? "byte"
        : roof == Roof::Tensor ? "flop"
                               : "",
        roof == Roof::Dram ? Origin::Model : Origin::Computed, what);
    if (n.roofs[roof]) model("time_" + key, fmt::format("{}: {}", name, of), n.chosen[roof], "s");
  }
  if (view.knob(kExpectKnob.id) == 0)
    if (const auto band = band_of(n.method, n.asked.problem, n.asked.direction(), n.roofs)) {
      const std::string held = fmt::format("{}; {} ({})", what, words_of(*band), fmt::join(band->sources, "; "));
      const Expected expected = expected_of(*band, n.chosen.time, most_time(n.chosen, n.work, n.roofs));
      add("expected_least", fmt::format("{}'s model, times the least that was measured over it elsewhere", name),
          expected.least, "s", Origin::Model, held);
      add("expected_most", fmt::format("{}'s model, times the most that was measured over it elsewhere", name),
          expected.most, "s", Origin::Model, held);
    }
  if (n.chosen.launch > 0) model("time_launch", fmt::format("{}: launch", name), n.chosen.launch, "s");
  add("memory", fmt::format("{} needs", name), n.chosen.memory_bytes, "byte", Origin::Computed, what);
  add("memory_standard", "Standard needs", n.standard.memory_bytes, "byte", Origin::Computed, what);
  add("memory_eager", "Eager needs", n.eager.memory_bytes, "byte", Origin::Computed, what);
  model("ridge", "Ridge", n.ridge, "flop/byte");
  if (n.bound.computes)
    model("compute_bound_n", fmt::format("{} is compute-bound from N", fused), double(*n.bound.computes), "");
  if (n.bound.past_dram)
    model("past_dram_n", fmt::format("DRAM is not {}'s longest roof from N", fused), double(*n.bound.past_dram), "");
  if (n.out_of_memory)
    add("out_of_memory_n", "Standard is out of memory from N", double(*n.out_of_memory), "", Origin::Computed,
        fmt::format("{}; {}", what, gpu));
  if (n.saturation) {
    if (n.saturation->n)
      model("saturation_n", "The win stays within 5 % of its limit from N", double(*n.saturation->n), "");
    model("limit", "The win's limit for long N", n.saturation->limit, "");
    if (!n.saturation->n) {
      const std::string from = with_commas(kLongest / 2), to = with_commas(kLongest);
      model("last_least", fmt::format("The win from N = {} to {}, least", from, to), n.saturation->least, "");
      model("last_most", fmt::format("The win from N = {} to {}, most", from, to), n.saturation->most, "");
    }
  }
  if (n.law > 0) {
    model("eta", fmt::format("{}'s share of the tensor cores' peak η", fused), n.eta, "");
    model("law", "The rule of thumb's win", n.law, "");
  }
  return out;
}

std::string caption(const Exhibit& view) {
  const auto now = estimate_now(view);
  if (!now) return no_roofs(view);
  const EstimateNow& n = *now;
  const std::string name = shown_instead(view, n.method);
  if (view.covered("time") || view.covered("win")) return "How long will it take, and what does it wait for?";
  if (!n.chosen.why_not.empty()) return n.chosen.why_not + " The numbers are as if it ran.";
  if (!n.chosen.fits)
    return fmt::format("{} needs {}: more than the {} of this GPU.", name, amount(n.chosen.memory_bytes, "byte"),
                       amount(n.roofs.memory_bytes, "byte"));
  const Roof next = n.chosen.binds == Roof::Dram ? Roof::Tensor : Roof::Dram;
  const double share = 100 * n.chosen[next] / n.chosen.time;
  const std::string_view whom = n.chosen.binds == Roof::Tensor        ? "its tensor cores"
                                : n.chosen.binds == Roof::Exponential ? "its exponentials"
                                : n.chosen.binds == Roof::Vector      ? "its fp32 work"
                                : n.chosen.binds == Roof::L2          ? "L2"
                                : n.chosen.binds == Roof::Sram        ? "shared memory"
                                                                      : "DRAM";
  // Of a backward pass the model knows a bound alone (core/roofline/estimate.h).
  const std::string_view bound = n.asked.pass == CasePass::Backward || !n.chosen.unknown.empty() ? "at least " : "";
  if (const std::string unknown = unknown_words(n.chosen); !unknown.empty())
    return fmt::format("{} takes {}{} and waits longest for {}; {}.", name, bound, amount(n.chosen.time, "s"), whom,
                       unknown);
  if (n.chosen.short_of_blocks())
    return fmt::format("{} takes {}{}, {:.0f} % of it because {}.", name, bound, amount(n.chosen.time, "s"),
                       100 * n.chosen.tail, idle_words(n.chosen, n.roofs.sms));
  return fmt::format("{} takes {}{} and waits longest for {}. {} would be done in {} % of that.", name, bound,
                     amount(n.chosen.time, "s"), whom, next == Roof::Dram ? "DRAM" : "Its products",
                     share < 1 ? "less than 1" : fmt::format("{:.0f}", share));
}

// The win large, and beside it what it is made of.
void layout_head(const BoardView& view, Rect area, const EstimateNow& now, const std::vector<Reading>& all) {
  const Style& st = view.style;
  const bool two = area.h >= st.px(110);
  const float large = two ? st.px(72) : st.px(44), left = std::min(area.w * 0.3f, st.px(380));
  big_number(view, {area.x, area.y, left, area.h}, reading_of(all, "win"), "ratio", large);
  const bool unfused = !is_fused(now.method);
  std::vector<std::string_view> ids{"time", "win_eager", "memory"};
  if (two) ids.insert(ids.end(), {unfused ? "time_fused" : "time_standard", "rate", "memory_standard"});
  const size_t columns = two ? 3 : ids.size();
  const float x = area.x + left + st.px(24), each = (area.right() - x) / float(columns), h = two ? area.h / 2 : area.h;
  for (size_t k = 0; k < ids.size(); ++k) {
    Reading reading = reading_of(all, ids[k]);
    const float w = each - st.px(16);
    if (const size_t over = reading.label.find("over eager");
        over != std::string::npos && text_width(reading.label, Face::Sans, st.small()) > w)
      reading.label =
          "Over eager" + reading.label.substr(std::min(reading.label.size(), reading.label.find(" PyTorch") + 8));
    big_number(view, {x + each * float(k % columns), area.y + h * float(k / columns), w, h - st.px(4)}, reading,
               ids[k] == "win_eager" ? "ratio" : "", two ? st.display() : st.title());
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const auto now = estimate_now(view);
  if (!now) return layout_no_roofs(view, area);
  if (view.view.present.on) return layout_estimate_room(view, area, *now);
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(560);
  const bool hidden = view.covered("time") || view.covered("win");
  const float held = hidden ? 0 : st.px(low ? 24 : 28);
  const float gap = st.px(low ? 8 : 26), head = st.px(low ? 66 : 136) + held, ruler = st.px(low ? 92 : 118),
              law = st.px(low ? 24 : 30), bars = st.px(192);
  // The bars come first; where there is no room for all, the rule of thumb goes, then the ruler.
  const float room = area.h - head - 2 * gap - bars;
  const bool ruled = room >= ruler, lawful = room >= ruler + law + gap / 2;
  layout_head(view, {area.x, area.y, area.w, head - held}, *now, all);
  if (!hidden) layout_estimate_held(view, {area.x, area.y + head - held, area.w, held}, *now);
  if (lawful) layout_estimate_law(view, {area.x, area.bottom() - law, area.w, law}, *now);
  const float foot = (lawful ? law + gap / 2 : 0) + (ruled ? ruler : -gap);
  const Rect on_ruler{area.x, area.bottom() - foot, area.w, ruler};
  if (ruled) layout_estimate_ruler(view, on_ruler, *now);
  const float y = area.y + head + gap;
  if (hidden)
    plate(view, {area.x, y, area.w, on_ruler.y - gap - y});
  else
    layout_estimate_bars(view, {area.x, y, area.w, on_ruler.y - gap - y}, *now);
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  const Axis axis{kLeastCaseN, kMostCaseN, Axis::Scale::Log2, 0, 1};
  if (id == "board:N") turn_to(kEstimateBoard, state, "N", at_eighth(axis.value_at(std::clamp(at.x, 0.0f, 1.0f))));
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (id == "board:N")
    turn_to(kEstimateBoard, state, "N", next_octave(knob_value(kEstimateBoard, state, "N"), right + up));
  return {};
}

// Beside which the method's time stands.
Method other_of(const EstimateNow& now) { return is_fused(now.method) ? Method::Standard : now.fused; }

}  // namespace

bool anything_held(const EstimateNow& now) {
  return std::ranges::any_of(std::array{now.method, other_of(now)}, [&](Method method) {
    return band_of(method, now.asked.problem, now.asked.direction(), now.roofs).has_value();
  });
}

void layout_estimate_held(const BoardView& view, Rect line, const EstimateNow& now, float size) {
  const Method other = other_of(now);
  const auto of = [&](Method method) {
    return fmt::format("{}: {}", subject(method), expected_words(method, now.asked, now.roofs));
  };
  layout_expected(
      view, line, fmt::format("{} · {}", of(now.method), of(other)),
      fmt::format("{} {}", expected_tip(now.method, now.asked, now.roofs), expected_tip(other, now.asked, now.roofs)),
      size);
}

std::optional<EstimateNow> estimate_now(const Exhibit& view) {
  const auto roofs = roofs_chosen(view);
  if (!roofs) return std::nullopt;
  EstimateNow n;
  n.asked = case_of(view);
  n.roofs = *roofs;
  n.method = Method(view.knob("method"));
  n.fused = is_fused(n.method) ? n.method : best_fused(*roofs);
  n.work = work_at(n.method, n.asked, roofs->sms);
  n.chosen = estimate(n.work, *roofs);
  n.standard = estimate_at(Method::Standard, n.asked, *roofs);
  n.eager = estimate_at(Method::Eager, n.asked, *roofs);
  n.of_fused = estimate_at(n.fused, n.asked, *roofs);
  n.ridge = roofs->ridge(Roof::Dram, info_of(n.fused).estimate.multiply);
  n.wins = win_range_at(Method::Standard, n.fused, n.asked, *roofs);
  n.wins_over_eager = win_range_at(Method::Eager, n.fused, n.asked, *roofs);
  if (n.asked.pass != CasePass::Decode) {
    n.bound = bound_at(n.fused, n.asked, *roofs);
    n.saturation = saturation_at(Method::Standard, n.fused, n.asked, *roofs);
    if (const auto longest = longest_that_fits(Method::Standard, n.asked.problem, *roofs, n.asked.direction()))
      n.out_of_memory = *longest + 1;
  }
  if (n.asked.pass == CasePass::Forward && n.ridge > 0) {
    n.eta = eta_of_law(n.fused, n.asked.problem, *roofs);
    n.law = law_win(roofs->ridge(), n.asked.problem, n.eta);
  }
  return n;
}

const Board kEstimateBoard{.id = "estimate",
                           .title = "Estimate",
                           .knobs = kKnobs,
                           .layout = layout,
                           .caption = caption,
                           .readings = readings,
                           .act = act,
                           .nudge = nudge,
                           .turns_with = turns_with};

}  // namespace tilewalk
