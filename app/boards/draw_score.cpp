// The prediction on the paper, its score once it is locked, and what the model knows of that a roofline does not.
#include "app/boards/draw_paper_parts.h"
#include "app/boards/roofs_knob.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/roofline/held.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {
namespace {

std::string whose_time(const TruePoint& truth) {
  return !truth.measured ? "model" : truth.measured->kind == RunKind::Measured ? "measured" : "recorded";
}

// The longest first; whose roofs they are stands at the knob, too.
std::vector<std::string> setting_words(const DrawSheet& sheet) {
  constexpr std::string_view kVendor = "NVIDIA ";
  const std::string size = fmt::format("N = {} · d = {}", with_commas(sheet.n), sheet.d());
  const std::string& title = sheet.roofs.title;
  const std::string_view model = std::string_view(title).substr(title.starts_with(kVendor) ? kVendor.size() : 0);
  return {fmt::format("{} · {}", title, size), fmt::format("{} · {}", model, size), size};
}

void layout_setting(GraphPaper& p) {
  const Style& st = p.view.style;
  const Rect row = p.take(p.px(28));
  p.view.text(row, form_that_fits(setting_words(p.sheet), Face::SansBold, st.number(), row.w), Face::SansBold,
              st.number(), Role::Text);
  const Problem problem = benchmark_problem(p.sheet.n, p.sheet.d());
  p.view.text(p.take(p.px(22)), fmt::format("one head's numbers; {} run at once", problem.batch * problem.heads),
              Face::Sans, st.small(), Role::TextSecondary);
  p.y += p.px(6);
}

// For who looks on: the win as the largest number, and the two times that it is made of.
void layout_win(GraphPaper& p, const Predicted& predicted) {
  const Style& st = p.view.style;
  const auto small = [&](const std::string& words) {
    p.view.text(p.take(p.px(34)), words, Face::Sans, st.body(), Role::Text);
  };
  p.y += p.px(10);
  small(fmt::format("{} {} standard", info_of(p.truth.fused.point.method).name,
                    predicted.win < 1 ? "against" : "wins over"));
  p.view.text(p.take(p.px(96)), si_words(predicted.win) + "×", Face::MonoBold, st.px(84), Role::Text);
  p.y += p.px(10);
  small(fmt::format("{} takes {},", info_of(p.truth.fused.point.method).name, time_words(predicted.seconds)));
  small(fmt::format("standard {}", time_words(predicted.seconds * predicted.win)));
}

}  // namespace

void layout_prediction(GraphPaper& p) {
  const Style& st = p.view.style;
  layout_setting(p);
  if (!p.sheet.known) return layout_no_roofs(p.view, {p.area.x, p.y, p.area.w, std::min(p.left(), p.px(120))});
  const Predicted predicted = predicted_of(p.sheet, p.view.state);
  if (!p.view.hands) return layout_win(p, predicted);
  const float h = p.px(p.left() > p.px(300) ? 42 : 32);
  const auto asked = [&](std::string label, std::string_view cell, const std::string& read_off, std::string tip) {
    p.view.text(p.take(p.px(24)), label, Face::Sans, st.number(), Role::Text);
    const std::string own = fmt::format("{}/{}", cell, p.sheet.lock_word());  // of another N another prediction
    paper_field(p, p.take(h), own, {},
                read_off.empty() ? std::string(says_what_to_do(p.view) ? "type it, or draw" : kNothingYet)
                                 : read_off + " by your drawing",
                FieldMark::None, std::move(tip), true);
    p.y += p.px(2);
    paper_fault(p, own);
  };
  const std::string_view fused = info_of(p.truth.fused.point.method).name;
  asked(fmt::format("{} takes", fused), "time", predicted.seconds > 0 ? amount(predicted.seconds, "s") : "",
        fmt::format("Your time for one head of {}. Enter to type: 35 µs", fused));
  asked("and wins over standard", "win", predicted.win > 0 ? si_words(predicted.win) + "×" : "",
        fmt::format("How many times faster than standard attention {} is. Enter to type: 4.6", fused));
  p.y += p.px(8);
  if (p.left() < p.px(34)) return;
  const Rect row = p.take(p.px(p.left() > p.px(120) ? 44 : 34));
  const float gap = p.px(6), w = (row.w - gap) / 2;
  paper_button(p, {row.x, row.y, w, row.h}, "Lock", "board:lock", "Lock the prediction and see how far off it is",
               true);
  paper_button(p, {row.x + w + gap, row.y, w, row.h}, "Another one", "board:another",
               "Another N, d and GPU, on empty axes");
}

void layout_score(GraphPaper& p) {
  const Style& st = p.view.style;
  layout_setting(p);
  const Predicted predicted = predicted_of(p.sheet, p.view.state);
  const RooflineScore score = score_of(p.sheet, p.truth, predicted);
  const bool roomy = p.left() > p.px(380);
  if (!p.view.view.present.on)  // a room sees no scores
    p.view.text(p.take(p.px(roomy ? 48 : 34)), fmt::format("{} of 100", score.points), Face::MonoBold,
                roomy ? st.px(36) : st.title(), Role::Text);
  struct Part {
    std::string name, yours, truth, words;
    int points;
    std::string whose;        // "datasheet", "model", "recorded"
    std::string expect = {};  // ", expect × 1.1 to 1.3"
  };
  std::vector<Part> parts;
  const auto add = [&](std::string name, size_t k, std::string yours, std::string truth, std::string whose) {
    const auto& part = score.parts[k];
    parts.push_back({std::move(name), part ? std::move(yours) : "not drawn", std::move(truth),
                     part ? part->words : "0 points", part ? part->points : 0, std::move(whose)});
  };
  const DrawnRoof *dram = p.sheet.drawing.find(Roof::Dram), *tensor = p.sheet.drawing.find(Roof::Tensor);
  const DrawnPoint* fused = drawn_fused(p.sheet.drawing);
  const std::string sheet_roofs = p.truth.roofs.origin == Origin::Published ? "datasheet" : "measured";
  const auto rate_of = [&](Roof kind) {
    return p.truth.roofs[kind] ? rate_words(kind, p.truth.roofs[kind]->value) : std::string("not known");
  };
  add("bandwidth", 0, dram ? si_words(dram->rate) : "", rate_of(Roof::Dram), sheet_roofs);
  add("ceiling", 1, tensor ? si_words(tensor->rate) : "", rate_of(Roof::Tensor), sheet_roofs);
  add("intensity", 2, fused ? intensity_words(fused->intensity) : "", intensity_words(p.truth.fused.point.intensity),
      "model");
  // Beside a model's time, what was measured elsewhere over it.
  const auto band = p.truth.fused.measured || !p.sheet.l2
                        ? std::nullopt
                        : band_of(p.truth.fused.point.method, benchmark_problem(p.sheet.n, p.sheet.d()),
                                  Direction::Forward, p.truth.roofs);
  add("time", 3, amount(predicted.seconds, "s"), amount(p.truth.fused.best_seconds(), "s"), whose_time(p.truth.fused));
  if (band) parts.back().expect = fmt::format(", expect × {}", times_words(*band));
  const DrawnScore win = score_drawn({predicted.win, p.truth.win()});
  const bool said = predicted.win > 0;
  parts.push_back({"win", said ? si_words(predicted.win) + "×" : "not predicted", si_words(p.truth.win()) + "×",
                   said ? win.words : "0 points", said ? win.points : 0,
                   p.truth.win_measured() ? whose_time(p.truth.fused) : "model"});
  const float buttons = p.px(roomy ? 44 : 34) + p.px(8);
  const float h = std::clamp((p.left() - buttons) / float(parts.size()), p.px(20), p.px(58));
  for (const Part& part : parts) {
    if (p.left() < buttons + h - p.px(1)) break;
    const Rect row = p.take(h);
    const bool two = h >= p.px(40);
    const float line = two ? std::min(h / 2, p.px(26)) : h;
    const Role ink = part.points >= 80 ? Role::RightText : part.points == 0 ? Role::WrongText : Role::Text;
    const bool room = p.view.view.present.on;  // sees what was drawn beside what is so, and no marks
    const std::string mark = room ? "" : part.points >= 80 ? "✓ " : part.points == 0 ? "✕ " : "";
    p.view.text({row.x, row.y, p.px(80), line}, part.name, Face::SansBold, st.number(), Role::Text);
    p.view.text({row.x + p.px(84), row.y, row.w - p.px(84), line}, room ? std::string() : mark + part.words, Face::Sans,
                st.number(), ink, Align::Right);
    if (two) {  // what is to be expected stands in the tip, too
      std::string words = fmt::format("{} · {} {}{}", part.yours, part.whose, part.truth, part.expect);
      if (text_width(words, Face::Mono, st.small()) > row.w) words.resize(words.size() - part.expect.size());
      p.view.text({row.x, row.y + line, row.w, line}, words, Face::Mono, st.small(), Role::TextSecondary);
    }
    p.view.region(row, "reading:score/" + part.name,
                  fmt::format("{}: yours {}, {} {}{}; {} points", part.name, part.yours, part.whose, part.truth,
                              part.expect, part.points));
  }
  p.y = std::max(p.y, p.area.bottom() - buttons) + p.px(8);
  const Rect row = p.take(buttons - p.px(8));
  const float gap = p.px(6), w = (row.w - gap) / 2;
  paper_button(p, {row.x, row.y, w, row.h}, "Unlock", "board:unlock", "Change the drawing and lock again");
  paper_button(p, {row.x + w + gap, row.y, w, row.h}, "Another one", "board:another",
               "Another N, d and GPU, on empty axes", true);
}

// Term by term from the tensor cores' time alone to the model's, and what the run took more.
void layout_missing(GraphPaper& p) {
  const Style& st = p.view.style;
  const TruePoint& fused = p.truth.fused;
  const Problem problem = benchmark_problem(p.sheet.n, p.sheet.d());
  const double heads = double(problem.batch * problem.heads);
  const auto& measured = fused.measured;
  const Work work = work_of(fused.point.method, problem);
  const Rest rest =
      rest_of(work, p.truth.roofs, measured ? measured->seconds * heads : 0, measured ? &measured->timing : nullptr);
  p.view.text(p.take(p.px(28)), fmt::format("{}, all {} heads", name_of(fused.point), int(heads)), Face::SansBold,
              st.number(), Role::Text);
  const auto line = [&](const std::string& name, const std::string& value, Role ink, bool strong) {
    const float h = p.left() > p.px(300) ? p.px(32) : p.px(24);
    if (p.left() < h) return;
    const Rect row = p.take(h);
    const float w = std::min(row.w * 0.45f, text_width(value, Face::MonoBold, st.number()) + st.px(3));
    p.view.text({row.x, row.y, row.w - w - st.px(6), h}, name, strong ? Face::SansBold : Face::Sans, st.number(), ink);
    p.view.text({row.right() - w, row.y, w, h}, value, strong ? Face::MonoBold : Face::Mono, st.number(),
                strong ? Role::Text : ink, Align::Right);
  };
  double before = 0;
  for (const RestTerm& term : rest.terms) {
    line((before > 0 ? "+ " : "") + term.name, amount(term.model - before, "s"), Role::Text, false);
    before = term.model;
  }
  line("= model", amount(fused.estimate.time, "s"), Role::Text, true);
  if (!measured) {
    p.y += p.px(6);
    text_block(p.view, {p.area.x, p.y, p.area.w, p.left()},
               fmt::format("No run of this shape was recorded on {}: the model stands for it.", p.sheet.roofs.title),
               Face::Sans, st.small(), Role::TextSecondary);
    return;
  }
  const double left = rest.measured - fused.estimate.time;
  line("+ not in the model", amount(std::fabs(left), "s").insert(0, left < 0 ? "−" : ""), Role::AccentText, false);
  line(fmt::format("= {} {}", glyph_of(measured->kind), words_of(measured->kind)), amount(rest.measured, "s"),
       Role::Text, true);
  p.y += p.px(6);
  for (const std::string& reason : rest.reasons) {
    const size_t lines = wrap_text(reason, Face::Sans, st.small(), p.area.w).size();
    if (p.left() < float(lines) * st.small() * kLinePitch) continue;  // whole ones only
    p.y +=
        text_block(p.view, {p.area.x, p.y, p.area.w, p.left()}, reason, Face::Sans, st.small(), Role::TextSecondary) +
        p.px(4);
  }
}

}  // namespace tilewalk
