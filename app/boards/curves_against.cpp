// "Predicted and measured" on the board "curves": the model's time over the recorded one for every recorded shape, a
// plot for each method, and for the chosen shape what the model's terms leave unexplained.
#include "app/boards/boards.h"
#include "app/boards/curves_parts.h"
#include "app/scene/hatch.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr double kFromN = 2048;  // where the model's accuracy is promised

// How far off the model may be from kFromN on; 0: nothing is promised.
double band_of(Method method) { return method == Method::Fa2 ? 0.35 : method == Method::Fa1 ? 0 : 0.25; }

double ratio_of(const RecordedRun& run, const Roofs& roofs) {
  return estimate_at(run.method, run.asked, roofs).time / (run.kernel->timing->median * 1e-3);
}

std::string words_of_shape(const Problem& p) {
  return fmt::format("N = {}, d = {}, {}", with_commas(p.n_k), p.d, p.mask == Mask::Causal ? "causal" : "no mask");
}

// d 128 is filled, causal is a triangle.
void draw_dot(const BoardView& view, Vec2 at, float r, const Problem& p, Color color) {
  const bool hollow = p.d < 128;
  if (p.mask == Mask::Causal) {
    const auto triangle = [&](float size, Color fill) {
      view.polygon({{at.x - size, at.y + size * 0.75f}, {at.x, at.y - size}, {at.x + size, at.y + size * 0.75f}}, fill);
    };
    triangle(r * 1.15f, color);
    if (hollow) triangle(r * 0.6f, view[Role::Background]);
    return;
  }
  view.box({at.x - r, at.y - r, 2 * r, 2 * r}, r, hollow ? view[Role::Background] : color, color, view.px(2.2f));
}

// What the marks mean.
void layout_key(const BoardView& view, Rect line) {
  const Style& st = view.style;
  const std::string_view lead = "Model's time over the recorded one:";
  const float lead_w = text_width(lead, Face::Sans, st.small()) + st.px(4);
  float x = line.x;
  if (lead_w < line.w * 0.45f) {
    view.label({x, line.y, lead_w, line.h}, lead, Face::Sans, st.small(), Role::Text);
    x += lead_w + st.px(14);
  }
  for (const auto& [d, mask, words] : {std::tuple(128, Mask::Full, "d 128"),
                                       {128, Mask::Causal, "d 128 causal"},
                                       {64, Mask::Full, "d 64"},
                                       {64, Mask::Causal, "d 64 causal"}}) {
    const float w = text_width(words, Face::Sans, st.small()) + st.px(4);
    if (x + st.px(20) + w > line.right()) return;
    Problem p;
    p.d = d, p.mask = mask;
    draw_dot(view, {x + st.px(7), line.center().y}, st.px(5.5f), p, view[Role::Text]);
    view.label({x + st.px(19), line.y, w, line.h}, words, Face::Sans, st.small(), Role::TextSecondary);
    x += st.px(19) + w + st.px(18);
  }
}

// The model has both passes, this picture has one.
std::vector<RecordedRun> forward_on(const Roofs& roofs, const GpuView& gpu) {
  std::vector<RecordedRun> out = recorded_on(roofs, gpu);
  std::erase_if(out, [](const RecordedRun& run) { return run.asked.pass != CasePass::Forward; });
  return out;
}

std::string dot_id(const RecordedRun& run) {
  const Problem& p = run.asked.problem;
  return fmt::format("board:dot/{}/{}/{}/{}/{}", info_of(run.method).key, p.d, name_of(p.mask), p.n_k,
                     words_of(run.from.kind));
}

struct Scale {
  double least, most;
};

void layout_method(const BoardView& view, Rect area, Method method, const std::vector<RecordedRun>& runs,
                   const Roofs& roofs, Scale scale, const RecordedRun* chosen, bool first) {
  const Style& st = view.style;
  const float head = st.px(26), sub = st.px(20), foot = st.px(24);
  const Rect plot{area.x, area.y + head + sub + st.px(6), area.w, area.h - head - sub - st.px(6) - foot};
  const Axis x{512 / 1.45, 16384 * 1.45, Axis::Scale::Log2, plot.x, plot.right()};
  const Axis y{scale.least, scale.most, Axis::Scale::Log2, plot.bottom(), plot.y};
  const double band = band_of(method);
  int within = 0, promised = 0;
  for (const RecordedRun& run : runs)
    if (run.method == method && double(run.asked.problem.n_k) >= kFromN && band > 0) {
      ++promised;
      within += std::fabs(ratio_of(run, roofs) - 1) <= band;
    }
  view.text({area.x, area.y, area.w, head}, info_of(method).name, Face::SansBold, st.caption(), ink_of(method).text);
  view.region(
      {area.x, area.y, area.w, head + sub}, fmt::format("knob:method/{}", int(method) - int(Method::Standard)),
      fmt::format("Takes {} apart.{}", info_of(method).name,
                  band > 0 ? fmt::format(" The band: the model's time within {:.0f} % of the recorded one, from "
                                         "N = {} on.",
                                         100 * band, with_commas(int64_t(kFromN)))
                           : std::string()),
      true);
  view.text({area.x, area.y + head, area.w, sub},
            form_that_fits(band > 0 ? std::vector{fmt::format("{} of {} in the band", within, promised),
                                                  fmt::format("{} of {} in band", within, promised),
                                                  fmt::format("{} of {}", within, promised)}
                                    : std::vector<std::string>{"as released; no band", "no band"},
                           Face::Sans, st.small(), area.w),
            Face::Sans, st.small(), Role::TextSecondary);
  view.box(plot, st.px(4), Role::Surface);
  if (band > 0) {
    const float left = x.at(kFromN / std::sqrt(2.0));
    view.box({left, y.at(1 + band), plot.right() - left, y.at(1 - band) - y.at(1 + band)}, 0, {Role::Accent, 0.16f});
  }
  // Of a wide range the octaves alone.
  const std::vector<double> ticks = scale.most > 2.1 || scale.least < 0.3
                                        ? std::vector{0.25, 0.5, 1.0, 2.0, 4.0}
                                        : std::vector{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 2.0};
  for (const double tick : ticks) {
    if (tick < scale.least || tick > scale.most) continue;
    view.line({plot.x, y.at(tick)}, {plot.right(), y.at(tick)}, tick == 1 ? Role::Text : Role::Line,
              st.px(tick == 1 ? 2 : 1));
    if (first)
      view.label({plot.x - st.px(58), y.at(tick) - st.px(10), st.px(50), st.px(20)}, fmt::format("{}", tick),
                 Face::Mono, st.small(), Role::TextSecondary, Align::Right);
  }
  const double stride = plot.w < st.px(140) ? 16 : plot.w < st.px(300) ? 4 : 2;
  for (double n = stride > 2 ? 1024 : 512; n <= 16384; n *= stride) {
    const float w = st.px(44);
    view.label({x.at(n) - w / 2, plot.bottom() + st.px(3), w, st.px(20)},
               n < 1024 ? fmt::format("{:.0f}", n) : fmt::format("{:.0f} K", n / 1024), Face::Mono, st.small(),
               Role::TextSecondary, Align::Center);
  }
  const float step = std::min(st.px(11), plot.w / 30);
  const auto dot = [&](const RecordedRun& run) {
    const Problem& p = run.asked.problem;
    const double ratio = ratio_of(run, roofs);
    // Four shapes stand side by side at each N.
    const float beside = (float(p.d < 128) * 2 + float(p.mask == Mask::Causal) - 1.5f) * step;
    const Vec2 at{x.at(double(p.n_k)) + beside, std::clamp(y.at(ratio), plot.y, plot.bottom())};
    const std::string id = dot_id(run);
    const bool here = &run == chosen, hot = view.view.hover == id;
    const float r = st.px(here ? 8 : hot ? 7 : 5.5f);
    if (here) {
      view.line({at.x, plot.y}, {at.x, plot.bottom()}, Role::Text, st.px(1.5f), st.px(4));
      const std::string words = fmt::format("{:.2f}", ratio);
      const float w = text_width(words, Face::MonoBold, st.number()) + st.px(10), h = st.px(22);
      const bool left = at.x + w + st.px(14) > plot.right();
      const Rect tag{left ? at.x - w - st.px(12) : at.x + st.px(12), at.y - h / 2, w, h};
      view.box(tag, st.px(4), Role::Inverse);
      view.label(tag, words, Face::MonoBold, st.number(), Role::InverseText, Align::Center);
    }
    draw_dot(view, at, r, p, here || hot ? view[Role::AccentText] : view[Role::Text]);
    const float hit = std::max(step, st.px(8));
    view.region({at.x - hit / 2, at.y - st.px(10), hit, st.px(20)}, id,
                fmt::format("{}, {}: model {}, {} {}, ratio {:.2f}; {}", info_of(method).name, words_of_shape(p),
                            amount(estimate_at(method, run.asked, roofs).time, "s"), words_of(run.from.kind),
                            amount(run.kernel->timing->median * 1e-3, "s"), ratio, words_of(run.from)));
  };
  for (const RecordedRun& run : runs)
    if (run.method == method && &run != chosen) dot(run);
  if (chosen && chosen->method == method) dot(*chosen);  // over the others
}

// The recorded time, and how far the model's terms come to it, one after the other; then what may be in the rest.
void layout_terms(const BoardView& view, Rect area, const RecordedRun& run, const Roofs& roofs) {
  const Style& st = view.style;
  const double measured = run.kernel->timing->median * 1e-3;
  const Rest rest = rest_of(work_at(run.method, run.asked, roofs.sms), roofs, measured, &*run.kernel->timing);
  const bool low = area.h < st.px(420);
  const float head = st.px(26), sub = st.px(22), row = std::min(st.px(low ? 26 : 38), area.h * 0.09f);
  view.text({area.x, area.y, area.w, head}, fmt::format("What the model says of {}", info_of(run.method).name),
            Face::SansBold, st.caption(), Role::Text);
  view.text({area.x, area.y + head, area.w, sub}, words_of_shape(run.asked.problem), Face::Sans, st.number(),
            Role::TextSecondary);
  const float name = std::min(st.px(206), area.w * 0.52f), number = st.px(84);
  const Rect track{area.x + name, 0, area.w - name - number - st.px(8), 0};
  double most = measured;
  for (const RestTerm& term : rest.terms) most = std::max(most, term.model);
  const auto x = [&](double time) { return track.x + track.w * float(time / most); };
  float y = area.y + head + sub + st.px(10);
  const auto line = [&](std::string_view words, double from, double to, std::string_view figure, Face face,
                        auto&& draw) {
    const float air = row * 0.16f;
    view.text({area.x, y, name - st.px(8), row}, words, face, st.number(), Role::Text);
    draw(Rect{x(std::min(from, to)), y + air, std::max(st.px(2), std::fabs(x(to) - x(from))), row - 2 * air});
    view.text({area.right() - number, y, number, row}, figure, face == Face::SansBold ? Face::MonoBold : Face::Mono,
              st.number(), Role::Text, Align::Right);
    y += row;
  };
  double before = 0;
  for (const RestTerm& term : rest.terms) {
    const double more = term.model - before;
    line(term.name, before, term.model, fmt::format("{}{}", more >= 0 ? "+" : "−", amount(std::fabs(more), "s")),
         Face::Sans, [&](Rect r) {
           view.box(r, st.px(2), {Role::Text, 0.18f}, Role::Text, st.px(2));
         });
    before = term.model;
  }
  const double left = measured - before;
  line(left >= 0 ? "not in the model" : "more than it took", before, measured,
       fmt::format("{}{}", left >= 0 ? "+" : "−", amount(std::fabs(left), "s")), Face::Sans, [&](Rect r) {
         view.box(r, st.px(2), {Role::Accent, 0.2f}, Role::Accent, st.px(2), st.px(4));
       });
  const RunKind kind = run.from.kind;
  line(fmt::format("{} {}", glyph_of(kind), words_of(kind)), 0, measured, amount(measured, "s"), Face::SansBold,
       [&](Rect r) {
         view.box(r, st.px(2), Role::Text);
         if (kind != RunKind::Measured) view.hatch(r, Role::Background, st.px(7), st.px(1.6f));
       });
  // Reasons as far as there is room: whole ones.
  y += st.px(10);
  for (const std::string& reason : rest.reasons) {
    const float h = float(wrap_text(reason, Face::Sans, st.small(), area.w).size()) * st.small() * kLinePitch;
    if (y + h > area.bottom()) break;
    text_block(view, {area.x, y, area.w, h + 1}, reason, Face::Sans, st.small(), Role::TextSecondary);
    y += h + st.px(6);
  }
}

}  // namespace

const RecordedRun* chosen_run(const std::vector<RecordedRun>& runs, const Exhibit& view) {
  const auto method = Method(int(Method::Standard) + int(view.knob("method")));
  const int64_t d = view.knob("d") != 0 ? 128 : 64;
  const Mask mask = view.knob("mask") != 0 ? Mask::Causal : Mask::Full;
  const RecordedRun* best = nullptr;
  const auto off = [&](const RecordedRun& run) {
    return std::fabs(std::log(double(run.asked.problem.n_k) / view.knob("N")));
  };
  for (const RecordedRun& run : runs)
    if (run.method == method && run.asked.problem.d == d && run.asked.problem.mask == mask &&
        (!best || off(run) <= off(*best)))
      best = &run;
  return best;
}

std::string caption_against(const Exhibit& view, const Roofs& roofs) {
  const std::vector<RecordedRun> runs = forward_on(roofs, view.view.gpu);
  if (runs.empty()) return "Nothing was recorded on this GPU. Choose the H200: its runs come with the program.";
  const RecordedRun* chosen = chosen_run(runs, view);
  if (!chosen) return "The model's time over the recorded one: 1 is exact, below it the model is too quick.";
  const double ratio = ratio_of(*chosen, roofs);
  return fmt::format("{} at N = {}: the model says {}, the GPU took {}.", info_of(chosen->method).name,
                     with_commas(chosen->asked.problem.n_k),
                     amount(estimate_at(chosen->method, chosen->asked, roofs).time, "s"),
                     amount(chosen->kernel->timing->median * 1e-3, "s")) +
         (ratio < 0.995 ? fmt::format(" {:.0f} % are not in the model.", 100 * (1 - ratio)) : "");
}

std::vector<Series> series_against(const Exhibit& view, const Roofs& roofs) {
  std::vector<Series> out;
  const std::vector<RecordedRun> runs = forward_on(roofs, view.view.gpu);
  for (const Method method : kRunMethods)
    for (const int64_t d : {128, 64})
      for (const Mask mask : {Mask::Full, Mask::Causal}) {
        Series s{fmt::format("ratio_{}_d{}_{}", info_of(method).key, d, name_of(mask)),
                 fmt::format("{}, d {}, {}: model over recorded", info_of(method).name, d, name_of(mask)),
                 "N",
                 "",
                 Origin::Recorded,
                 {},
                 {}};
        for (const RecordedRun& run : runs)
          if (run.method == method && run.asked.problem.d == d && run.asked.problem.mask == mask) {
            const double model = estimate_at(method, run.asked, roofs).time;
            const Timing& t = *run.kernel->timing;
            s.points.push_back({double(run.asked.problem.n_k), model / (t.median * 1e-3), model / (t.p90 * 1e-3),
                                model / (t.p10 * 1e-3)});
            s.source = fmt::format("{}; {}", words_of(run.from), roofs.title);
          }
        std::ranges::sort(s.points, {}, &Series::Point::x);
        if (!s.points.empty()) out.push_back(std::move(s));
      }
  return out;
}

void layout_against(const BoardView& view, Rect area, const Roofs& roofs) {
  const Style& st = view.style;
  const std::vector<RecordedRun> runs = forward_on(roofs, view.view.gpu);
  if (runs.empty()) return;
  const RecordedRun* chosen = chosen_run(runs, view);
  const float side = std::clamp(area.w * 0.34f, st.px(320), st.px(520)),
              between = st.px(area.w < st.px(1000) ? 18 : 32);
  const float key = st.px(24);
  const Rect plots{area.x + st.px(58), area.y, area.w - side - between - st.px(58), area.h - key - st.px(4)};
  Scale scale{0.7, 1.4};
  for (const RecordedRun& run : runs) {
    const double ratio = ratio_of(run, roofs);
    scale = {std::min(scale.least, ratio / 1.06), std::max(scale.most, ratio * 1.06)};
  }
  scale = {std::max(scale.least, 0.25), std::min(scale.most, 4.0)};  // what is further off lies on the rim
  const float gap = st.px(14), each = (plots.w - gap * 3) / 4;
  for (size_t k = 0; k < kRunMethods.size(); ++k)
    layout_method(view, {plots.x + float(k) * (each + gap), plots.y, each, plots.h}, kRunMethods[k], runs, roofs, scale,
                  chosen, k == 0);
  layout_key(view, {plots.x, plots.bottom() + st.px(4), plots.w, key});
  const Rect right{area.right() - side, area.y, side, area.h};
  if (chosen) layout_terms(view, right, *chosen, roofs);
}

// "board:dot/fa3/128/causal/4096/recorded"
std::string act_against(std::string_view id, BoardState& state) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at <= id.size();) {
    const size_t slash = std::min(id.find('/', at), id.size());
    words.push_back(id.substr(at, slash - at));
    at = slash + 1;
  }
  if (words.size() < 5) return {};
  const auto method = method_named(words[1]);
  const auto n = number_of<double>(words[4]);
  if (!method || !n) return {};
  turn_to(kCurvesBoard, state, "N", *n);
  turn_to(kCurvesBoard, state, "d", words[2] == "128" ? 1 : 0);
  turn_to(kCurvesBoard, state, "mask", words[3] == name_of(Mask::Causal) ? 1 : 0);
  turn_to(kCurvesBoard, state, "method", double(int(*method) - int(Method::Standard)));
  return {};
}

}  // namespace tilewalk
