// The ruler of the board "estimate": N, with what turns at which N; and the rule of thumb for long N.
#include "app/boards/estimate_parts.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

struct Flag {
  double n;
  std::string words;
  Role role;
  std::string_view tip{};
};

// The longest roof in a zone of the ruler: at the N that is asked where that lies in it, else in its middle.
std::string zone_words(const EstimateNow& now, double from, double to) {
  const double n = double(now.asked.problem.n_k);
  const bool here = n >= from && n < to;
  const Roof roof =
      here ? now.of_fused.binds : estimate_at(now.fused, now.asked.at(int64_t(std::sqrt(from * to))), now.roofs).binds;
  const std::string_view name = info_of(now.fused).name;
  if (!is_bandwidth(roof)) return fmt::format("{} computes", name);
  return fmt::format("{} waits for {}", name, roof == Roof::Sram ? "shared memory" : name_of(roof));
}

}  // namespace

void layout_estimate_ruler(const BoardView& view, Rect area, const EstimateNow& now) {
  const Style& st = view.style;
  const float pad = st.px(14);
  const Axis axis{kLeastCaseN, kMostCaseN, Axis::Scale::Log2, area.x + pad, area.right() - pad};
  const float flags_h = st.px(24), thick = std::min(st.px(30), area.h * 0.28f), line = st.px(20);
  const Rect track{axis.from, area.y + flags_h + st.px(4), axis.to - axis.from, thick};
  const auto x = [&](double n) { return std::clamp(axis.at(n), track.x, track.right()); };

  // What the fused method waits for, left and right of where it turns.
  view.box(track, st.px(4), Role::SurfaceStrong);
  if (now.asked.pass != CasePass::Decode && now.ridge > 0) {
    const double never = 2 * kMostCaseN;
    const double past = now.bound.past_dram ? double(*now.bound.past_dram) : never;
    const double computes = now.bound.computes ? double(*now.bound.computes) : never;
    const float right = now.out_of_memory ? x(double(*now.out_of_memory)) : track.right();
    const float handle = x(double(now.asked.problem.n_k));
    // Clear of the handle: in the larger part of its zone.
    const auto free_part = [&](float from, float to) {
      const float room = st.px(16);
      if (handle < from - room || handle > to + room) return Rect{from, track.y, to - from, track.h};
      const Rect left{from, track.y, handle - room - from, track.h},
          right{handle + room, track.y, to - handle - room, track.h};
      return left.w > right.w ? left : right;
    };
    const auto zone = [&](double from, double to) {
      from = std::max(from, kLeastCaseN), to = std::min(to, kMostCaseN);
      if (from >= to) return;
      if (from > kLeastCaseN)
        view.box({x(from), track.y, x(to) - x(from), track.h}, st.px(4),
                 {Role::Accent, from >= computes ? 0.22f : 0.1f});
      const Rect free = free_part(x(from), std::max(x(from), std::min(x(to), right)));
      const std::string words = zone_words(now, from, to);
      if (text_width(words, Face::Sans, st.small()) + st.px(16) <= free.w)
        view.label(free, words, Face::Sans, st.small(), Role::Text, Align::Center);
    };
    zone(kLeastCaseN, past);
    zone(past, computes);
    zone(computes, kMostCaseN);
  }
  if (now.out_of_memory && double(*now.out_of_memory) <= kMostCaseN) {
    const float from = x(double(*now.out_of_memory));
    forbid(view, {from, track.y, track.right() - from, track.h});
  }

  std::vector<Flag> flags;
  const auto flag = [&](const std::optional<int64_t>& n, std::string words, Role role, std::string_view tip) {
    if (n && double(*n) >= kLeastCaseN && double(*n) <= kMostCaseN)
      flags.push_back({double(*n), fmt::format("{} {}", words, with_commas(*n)), role, tip});
  };
  flag(now.bound.computes, "arithmetic limits from", Role::Text,
       "From this N on its products, and not its bytes, set the time.");
  if (now.saturation)
    flag(now.saturation->n, "win stays within 5 % of its limit from", Role::Text,
         "As N grows the win nears a limit, which the rule for long N says; from here on it is nearly that.");
  flag(now.out_of_memory, "standard out of memory from", Role::WrongText,
       "S and P of all heads have no room on this GPU from this N on.");
  std::ranges::sort(flags, {}, &Flag::n);
  std::vector<LabelPlace> wanted;
  for (const Flag& f : flags) {
    const float w = text_width(f.words, Face::Sans, st.small()) + st.px(4);
    wanted.push_back({x(f.n) - w / 2, w});
  }
  const std::vector<float> placed = place_apart(wanted, area.x, area.right(), st.px(16));
  for (size_t k = 0; k < flags.size(); ++k) {
    view.line({x(flags[k].n), track.y - st.px(5)}, {x(flags[k].n), track.y + st.px(6)}, flags[k].role, st.px(2));
    view.label({placed[k], area.y, wanted[k].size, flags_h}, flags[k].words, Face::Sans, st.small(), flags[k].role);
    view.region({placed[k], area.y, wanted[k].size, flags_h}, fmt::format("label:flag{}", k),
                std::string(flags[k].tip));
  }
  if (now.asked.pass == CasePass::Decode)
    view.text({area.x, area.y, area.w, flags_h},
              fmt::format("One query: {} FLOP for each byte of K and V at any N, far left of the ridge at {}",
                          number_words(decode_intensity(now.asked.problem)), number_words(now.ridge)),
              Face::Sans, st.small(), Role::Text);

  // Ticks, and N's own handle.
  const double n = double(now.asked.problem.n_k);
  const std::string own = fmt::format("N = {}", with_commas(int64_t(n)));
  const float own_w = text_width(own, Face::MonoBold, st.body()) + st.px(8), at = axis.at(n);
  const float own_x = std::clamp(at - own_w / 2, area.x, area.right() - own_w), ticks_y = track.bottom() + st.px(8);
  for (const double tick : axis.ticks(int(track.w / st.px(100)))) {
    const std::string words = with_commas(int64_t(tick));
    const float w = text_width(words, Face::Mono, st.small()) + st.px(4);
    const float from = std::clamp(axis.at(tick) - w / 2, area.x, area.right() - w);
    view.line({axis.at(tick), track.bottom()}, {axis.at(tick), track.bottom() + st.px(5)}, Role::Border, st.px(1.5f));
    if (from > own_x + own_w + st.px(6) || from + w < own_x - st.px(6))
      view.label({from, ticks_y, w, line}, words, Face::Mono, st.small(), Role::TextSecondary);
  }
  view.label({own_x, ticks_y - st.px(2), own_w, line + st.px(4)}, own, Face::MonoBold, st.body(), Role::Text,
             Align::Center);
  const float grip = st.px(18), tall = track.h + st.px(10);
  view.box({at - grip / 2, track.center().y - tall / 2, grip, tall}, grip / 2, Role::Background, Role::Inverse,
           st.px(view.view.hover == "board:N" || view.view.held == "board:N" ? 6 : 4));
  view.region({track.x, track.y - st.px(6), track.w, track.h + st.px(12)}, "board:N",
              fmt::format("{}. Drag to the left or right (← →)", own), true);
}

// So many digits that who multiplies what is written gets the number that is written.
static std::string eta_words(double times, double eta, double law) {
  for (int digits = 2; digits < 5; ++digits) {
    const double step = std::pow(10, digits), written = std::round(eta * step) / step;
    if (std::lround(times * written * 10) == std::lround(law * 10)) return fmt::format("{:.{}f}", eta, digits);
  }
  return fmt::format("{:.2f}", eta);
}

void layout_estimate_law(const BoardView& view, Rect line, const EstimateNow& now, float size) {
  const Style& st = view.style;
  float words = std::max(size, st.number());
  if (!(now.law > 0)) {
    view.text(line, "The rule of thumb 2 η ridge ÷ d speaks of the forward pass over N queries.", Face::Sans, words,
              Role::TextSecondary);
    return;
  }
  // One win is enough where the rule does not hold: the model's.
  if (now.chosen.short_of_blocks()) {
    view.text(line, "The rule 2 η ridge ÷ d is for long N and enough blocks: here the model's win, above, is the one.",
              Face::Sans, words, Role::TextSecondary);
    return;
  }
  const int factor = bytes_of(now.asked.problem.format) * (now.asked.causal() ? 2 : 1);
  const std::string formula =
      fmt::format("{} · η · ridge ÷ d = {} · {} · {:.0f} ÷ {} = {:.1f}×", factor, factor,
                  eta_words(factor * std::round(now.roofs.ridge()) / now.asked.problem.d, now.eta, now.law),
                  now.roofs.ridge(), now.asked.problem.d, now.law);
  const std::string model = fmt::format("the model at this N: {:.1f}×", now.win());
  if (size == 0) size = line.w < st.px(1000) ? st.number() : st.body();
  const float formula_w = text_width(formula, Face::MonoBold, size) + st.px(4);
  // What η is comes before the model's win, which stands above, too.
  words = st.number();
  const std::string lead =
      form_that_fits({"Rule for long N, η the share of the peak that is reached:",
                      "Rule for long N, η a share of the peak:", "Long N, η a share of the peak:", "Rule for long N:"},
                     Face::Sans, words, line.w - formula_w - st.px(14));
  const float lead_w = text_width(lead, Face::Sans, words) + st.px(4);
  const bool hidden = view.covered("win") || view.covered("law");
  view.label({line.x, line.y, lead_w, line.h}, lead, Face::Sans, words, Role::TextSecondary);
  const Rect at{line.x + lead_w + st.px(10), line.y, formula_w, line.h};
  if (hidden) return plate(view, at);
  view.label(at, formula, Face::MonoBold, size, Role::Text);
  const Rect rest{at.right() + st.px(20), line.y, line.right() - at.right() - st.px(20), line.h};
  if (rest.w > st.px(60) && text_width(model, Face::Sans, words) <= rest.w)
    view.text(rest, model, Face::Sans, words, Role::TextSecondary);
  view.region({line.x, line.y, at.right() - line.x, line.h}, "reading:law",
              fmt::format("Standard moves 4 N² elements four times over DRAM, fused multiplies 4 N² d at a share η of "
                          "the peak: the win for long N is {} · η · ridge ÷ d",
                          factor));
}

}  // namespace tilewalk
