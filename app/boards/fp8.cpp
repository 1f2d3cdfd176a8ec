// FP8: one row of Q on e4m3's grid, what the rounding takes from each of its elements, and the error of the whole
// attention under four ways to choose scales, beside the published ones.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/attention/fp8.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 4> kMethods{"tensor", "tile", "incoherent", "both"};
constexpr std::array<std::string_view, 2> kInputs{"outliers", "normal"};
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("method", "Scales", kMethods, 0, "Which numbers share a scale, and what is done first"),
    choice_knob("inputs", "Q, K, V", kInputs, 0, "With or without one outlier in a thousand"),
    linear_knob("seed", "Seed", 1, 8, 4, 1, "Other inputs of the same kind"),
});

constexpr std::string_view kTable3 = "arXiv:2407.08608 table 3";

std::shared_ptr<const Fp8Study> study_of(const Exhibit& view) {
  return fp8_study(view.on("inputs") ? Distribution::Normal : Distribution::Outliers, uint64_t(view.knob("seed")));
}
const Fp8Method& method_of(const Exhibit& view) { return fp8_methods()[size_t(view.knob("method"))]; }

std::vector<Reading> readings(const Exhibit& view) {
  const auto study = study_of(view);
  const auto method = size_t(view.knob("method"));
  const std::string source =
      fmt::format("O against float64, root mean square; N = 512, d = 64, {}", study->inputs.source);
  std::vector<Reading> all{
      {"rmse", "RMS error of O", {study->rmse[method], "", Origin::Computed, source}},
      {"gain", "Against one scale", {study->rmse[0] / study->rmse[method], "", Origin::Computed, source}},
      {"published",
       "Published, other sizes",
       {fp8_methods()[method].published, "", Origin::Published, std::string(kTable3)}},
  };
  for (size_t k = 0; k < fp8_methods().size(); ++k)
    all.push_back({fmt::format("rmse_{}", fp8_methods()[k].id),
                   std::string(fp8_methods()[k].name),
                   {study->rmse[k], "", Origin::Computed, source}});
  return all;
}

// The row of Q in which one scale per tensor leaves the largest error, as the chosen method sees and rounds it.
struct Row {
  int64_t index;
  Matrix before, after;  // [1, d]
  double scale;
  double most, deepest;  // largest element, and largest error, as they are without a method
};
Row row_of(const Exhibit& view, const Fp8Study& study) {
  const Matrix& q = study.inputs.q;
  const Matrix plain = rounded_to_e4m3(q, q.rows);
  Row row{0, Matrix(1, q.cols), Matrix(1, q.cols), 1, 0, 0};
  for (int64_t r = 0; r < q.rows; ++r)
    for (int64_t c = 0; c < q.cols; ++c)
      if (const double off = std::fabs(q.at(r, c) - plain.at(r, c)); off > row.deepest)
        row.deepest = off, row.index = r;
  for (int64_t c = 0; c < q.cols; ++c) row.most = std::max(row.most, std::fabs(q.at(row.index, c)));

  const Fp8Method& method = method_of(view);
  const Matrix seen = method.incoherent ? rotated(q, study.problem.seed) : q;
  const int64_t rows = method.per_tile ? study.problem.br : q.rows;
  std::vector<double> scales;
  const Matrix rounded = rounded_to_e4m3(seen, rows, &scales);
  row.scale = scales[size_t(row.index / rows)];
  std::copy_n(seen.row(row.index), q.cols, row.before.row(0));
  std::copy_n(rounded.row(row.index), q.cols, row.after.row(0));
  return row;
}

std::string caption(const Exhibit& view) {
  if (view.covered("rmse")) return "e4m3 keeps four significant bits. Which way of scaling loses least?";
  if (method_of(view).incoherent)
    return "The rotation spreads the outlier over its row: many small errors of both signs that mostly cancel.";
  if (view.on("inputs")) return "No outlier here: rounding takes a share of each element, up or down.";
  return "Rounding takes a share of each element: an outlier that makes a score passes its error on.";
}

// Upwards the size of each element, below it what rounding adds or takes, on one scale for all methods.
void layout_row(const BoardView& view, Rect area, const Fp8Study& study) {
  const Style& st = view.style;
  const Row row = row_of(view, study);
  const float head = st.px(26), name = st.px(58);
  view.text({area.x, area.y, area.w, head},
            fmt::format("Row {} of Q{}: size, on the steps of e4m3", row.index + 1,
                        method_of(view).incoherent ? ", rotated" : ""),
            Face::SansBold, st.number(), Role::Text);
  const Rect body{area.x + name, area.y + head + st.px(6), area.w - name, area.h - head - st.px(6)};
  const Rect up{body.x, body.y, body.w, body.h * 0.52f};
  const Rect down{body.x, up.bottom() + st.px(36), body.w, body.h - up.h - st.px(36)};

  // e4m3's grid at this scale: dense near zero, wide apart above.
  float last = up.bottom() + st.px(10);
  for (double value : e4m3_values()) {
    const double y = value * row.scale / row.most;
    if (y > 1.0001) break;
    const float at = up.bottom() - float(y) * up.h;
    if (last - at < st.px(3)) continue;
    view.line({up.x, at}, {up.right(), at}, Role::Line, st.px(1));
    last = at;
  }
  const auto amount = [&](float y, std::string_view words) {
    view.text({area.x, y - st.px(10), name - st.px(8), st.px(20)}, words, Face::Mono, st.small(), Role::TextSecondary,
              Align::Right);
  };
  const float middle = down.center().y;
  amount(up.y + st.px(4), num(row.most));
  amount(up.bottom() - st.px(8), "0");
  amount(down.y + st.px(6), "+" + number_words(row.deepest, 2));
  amount(middle, "0");
  amount(down.bottom() - st.px(6), "−" + number_words(row.deepest, 2));
  view.text({area.x, up.bottom() + st.px(5), area.w, st.px(24)}, "Error of each element", Face::SansBold, st.number(),
            Role::Text);

  const float pitch = up.w / float(row.before.cols);
  for (int64_t c = 0; c < row.before.cols; ++c) {
    const double value = row.before.at(0, c), off = row.after.at(0, c) - value;
    const float x = up.x + float(c) * pitch + pitch * 0.12f, w = pitch * 0.76f;
    const float h = std::clamp(float(std::fabs(value) / row.most) * up.h, 1.0f, up.h);
    view.box({x, up.bottom() - h, w, h}, 0, Tensor::Q);
    const float e = std::clamp(float(std::fabs(off) / row.deepest) * down.h / 2, 0.5f, down.h / 2);
    view.box({x, off > 0 ? middle - e : middle, w, e}, 0, Role::Wrong);
    view.region({up.x + float(c) * pitch, up.y, pitch, down.bottom() - up.y}, fmt::format("element:{}", c),
                fmt::format("{} is rounded to {}: {} of e4m3 times the scale {}", num(value), num(row.after.at(0, c)),
                            num(row.after.at(0, c) / row.scale), num(row.scale)));
  }
  view.line({up.x, up.bottom()}, {up.right(), up.bottom()}, Role::Text, st.px(1.5f));
  view.line({down.x, middle}, {down.right(), middle}, Role::Text, st.px(1.5f));
}

// Each method's error: computed here, and published.
void layout_methods(const BoardView& view, Rect all, const Fp8Study& study) {
  const Style& st = view.style;
  const float head = st.px(32);
  const Rect area{all.x, all.y + head, all.w, std::min(all.h - head, st.px(420))};
  double most = 0;
  for (size_t k = 0; k < study.rmse.size(); ++k) most = std::max({most, study.rmse[k], fp8_methods()[k].published});
  const float pitch = area.h / float(study.rmse.size());
  const bool numbers_only = pitch < st.px(66);
  view.text({all.x, all.y, all.w, st.px(26)},
            numbers_only ? "RMS error: computed here, published" : "Solid: computed. Striped: published",
            Face::SansBold, st.number(), Role::Text);
  for (size_t k = 0; k < study.rmse.size(); ++k) {
    const Fp8Method& method = fp8_methods()[k];
    const bool chosen = k == size_t(view.knob("method"));
    const Rect r{area.x, area.y + float(k) * pitch, area.w, pitch - st.px(8)};
    const float line = numbers_only ? r.h / 2 : st.px(24), each = (r.h - line) / 2, number = st.px(84);
    view.text({r.x, r.y, r.w, line}, method.name, chosen ? Face::SansBold : Face::Sans,
              numbers_only ? st.small() : st.number(), chosen ? Role::Text : Role::TextSecondary);
    const auto pair = [&](float y, double value, BarLook look, std::string_view reading) {
      const Rect track{r.x + number, y, r.w - number, std::min(each - st.px(3), st.px(22))};
      const Rect slot{r.x, y, number - st.px(10), track.h};
      if (!reading.empty() && view.covered("rmse")) return plate(view, {r.x, y, r.w, track.h});
      view.text(slot, num(value), Face::Mono, st.small(), Role::Text, Align::Right);
      bar(view, track, float(value / most), chosen ? Role::Text : Role::Ghost, look);
    };
    if (numbers_only) {
      view.text(
          {r.x, r.y + line, r.w, line},
          fmt::format("{} · published {}", view.covered("rmse") ? "?" : num(study.rmse[k]), num(method.published)),
          Face::Mono, st.small(), Role::Text);
    } else {
      pair(r.y + line, study.rmse[k], BarLook::Computed, "rmse");
      pair(r.y + line + each, method.published, BarLook::Published, {});
    }
    view.region(
        r, fmt::format("board:method/{}", k),
        fmt::format("{}: {} computed on the inputs on show, {} published ({}, other inputs of this kind)", method.name,
                    view.covered("rmse") ? "?" : num(study.rmse[k]), num(method.published), kTable3),
        true);
  }
}

// Where the ways to choose scales are not at hand they are not spoken of yet.
bool compares_scales(const Exhibit& view) {
  const std::vector<std::string>& hands = view.state.show;
  return hands.empty() || std::ranges::find(hands, "method") != hands.end();
}

std::string fixed_now(const Exhibit& view) {
  const Problem& p = study_of(view)->problem;
  return fmt::format("one head · N {} · d {}{} · no mask · FP8", p.n_q, p.d,
                     compares_scales(view) ? fmt::format(" · tiles {} × {}", p.br, p.bc) : "");
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const auto study = study_of(view);
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(340);
  const float head = low ? st.px(56) : st.px(84), gap = low ? st.px(10) : st.px(20), column = area.w / 3;
  big_number(view, {area.x, area.y, column - gap, head}, all[0], "number", low ? st.px(32) : st.px(48));
  if (!compares_scales(view))  // the row has all the room
    return layout_row(view, {area.x, area.y + head + gap, area.w, area.h - head - gap}, *study);
  if (view.covered("rmse"))
    plate(view, {area.x + column, area.y, column - gap, head});
  else if (view.knob("method") > 0)  // against itself it would say nothing
    big_number(view, {area.x + column, area.y, column - gap, head}, all[1], "ratio");
  big_number(view, {area.x + 2 * column, area.y, column, head}, all[2], "number");

  const Rect below{area.x, area.y + head + gap, area.w, area.h - head - gap};
  const float left = below.w * 0.56f;
  layout_row(view, {below.x, below.y, left - gap, below.h}, *study);
  layout_methods(view, {below.x + left, below.y, below.w - left, below.h}, *study);
}

std::string act(std::string_view id, Vec2, bool dragged, BoardState& state) {
  constexpr std::string_view kMethod = "board:method/";
  if (!dragged && id.starts_with(kMethod)) state.knobs["method"] = id[kMethod.size()] - '0';
  return {};
}

}  // namespace

const Board kFp8Board{.id = "fp8",
                      .title = "Eight bits a number",
                      .knobs = kKnobs,
                      .layout = layout,
                      .caption = caption,
                      .readings = readings,
                      .act = act,
                      .fixed_now = fixed_now};

}  // namespace tilewalk
