// One query row that meets its keys tile by tile: bars of scores, the max m as a line, and what l and o become. Scores
// and their order are the learner's to drag. The numbers are the machine's (core/playback/row_stream.h).
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/boards/row_setting.h"
#include "app/stage/tile_view.h"
#include "app/text/text.h"
#include "core/io/typeset.h"
#include "core/machine/words.h"
#include "core/playback/row_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kCounts{"4", "8"};
constexpr std::array<std::string_view, 3> kTiles{"1", "2", "4"};
constexpr std::array<std::string_view, 3> kOrders{"forward", "reverse", "yours"};

constexpr Knob score_knob(std::string_view id, std::string_view label, double initial) {
  return linear_knob(id, label, -50, 200, initial, kScoreStep, "A score of the row");
}
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("order", "Order of the keys", kOrders, 0, "Which keys the row meets first"),
    switch_knob("skip_rescale", "Skip the rescale", false, "l and o stay on the old scale"),
    switch_knob("skip_max", "Skip the max", false, "Exponentials of the bare scores, in fp16"),
    choice_knob("tile", "Keys in a tile", kTiles, 1, "How many keys are met at once"),
    choice_knob("keys", "Keys", kCounts, 0, "How many keys the row has"),
    score_knob("s1", "Score of key 1", 2),
    score_knob("s2", "Score of key 2", 1),
    score_knob("s3", "Score of key 3", 4),
    score_knob("s4", "Score of key 4", 3),
    score_knob("s5", "Score of key 5", 1.5),
    score_knob("s6", "Score of key 6", 5),
    score_knob("s7", "Score of key 7", 0),
    score_knob("s8", "Score of key 8", 3.5),
});

RowStream stream_of(const RowSetting& row) {
  return stream_row(row.scores, row.values, row.order, row.tile, row.mistake);
}

int steps(const Exhibit& view) {
  const RowSetting row = row_of(view.state);
  return int((int64_t(row.scores.size()) + row.tile - 1) / row.tile);
}
int seen_of(const Exhibit& view) { return std::clamp(view.state.step, 0, steps(view)); }

// "∞" for what overflowed, "no number" for ∞ / ∞.
std::string shown(double value, int decimals = 6) {
  return std::isnan(value) ? "no number" : fixed_words(value, decimals);
}
std::string pair_words(const std::vector<double>& o, int decimals = 6) {
  return fmt::format("({}, {})", shown(o[0], decimals), shown(o[1], decimals));
}

double worst_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    if (!std::isfinite(a[k])) return std::numeric_limits<double>::quiet_NaN();
    worst = std::max(worst, std::fabs(a[k] - b[k]));
  }
  return worst;
}

// m, alpha, l and o now, those of every tile by its number, and the row's answer both ways.
std::vector<Reading> readings(const Exhibit& view) {
  const RowSetting row = row_of(view.state);
  const RowStream stream = stream_of(row);
  const DirectRow direct = direct_row(row.scores, row.values);
  std::vector<Reading> all;
  const auto add = [&](std::string id, std::string label, double value, std::string source) {
    all.push_back({std::move(id), std::move(label), {value, {}, Origin::Computed, std::move(source)}});
  };
  const auto add_visit = [&](const RowStream::Visit* visit, const std::string& suffix) {
    const std::string when = suffix.empty() ? "" : " after tile " + suffix;
    add("m" + suffix, "Running max m" + when, visit ? visit->m : kMinusInfinity, "max of the scores met so far");
    add("alpha" + suffix, "Rescale α" + when, visit ? visit->alpha : 1, "e^(old max − new max)");
    add("l" + suffix, "Running sum l" + when, visit ? visit->l : 0, "α × old l + sum of the tile's weights");
    for (int c = 0; c < 2; ++c)
      add(fmt::format("o{}{}", char('x' + c), suffix), (c == 0 ? "First element of o" : "Second element of o") + when,
          visit ? visit->o[size_t(c)] : 0, "α × old o + weights × values");
  };
  const int seen = seen_of(view);
  add_visit(seen > 0 ? &stream.visits[size_t(seen - 1)] : nullptr, "");
  for (size_t t = 0; t < stream.visits.size(); ++t) add_visit(&stream.visits[t], std::to_string(t + 1));
  add("out_x", "First element of O", stream.o[0], "o / l after the last tile");
  add("out_y", "Second element of O", stream.o[1], "o / l after the last tile");
  add("L", "L = m + log l", stream.lse, "after the last tile");
  add("direct_x", "First element of O by plain softmax", direct.o[0], "two passes over all scores, float64");
  add("direct_y", "Second element of O by plain softmax", direct.o[1], "two passes over all scores, float64");
  add("gap", "Largest difference", worst_gap(stream.o, direct.o), "streamed against two passes");
  return all;
}

std::string caption(const Exhibit& view) {
  const RowSetting row = row_of(view.state);
  const RowStream stream = stream_of(row);
  const int seen = seen_of(view);
  if (seen == 0) return "A row of scores, not met yet. Drag a bar to change a score, a card to change the order.";
  const RowStream::Visit& visit = stream.visits[size_t(seen - 1)];
  const bool last = seen == int(stream.visits.size());
  if (view.covered("l") || view.covered("m") || view.covered("alpha"))
    return fmt::format("Tile {} has arrived. What is kept of it?", seen);
  if (row.mistake == Mistake::NoMax)
    return std::isinf(visit.l) ? "Without the max, e^s is larger than fp16 can hold: l is ∞ and the row is lost."
                               : "Without the max the weights are e^s: in fp16 that costs digits, until one overflows.";
  if (last && row.mistake == Mistake::NoRescale && worst_gap(stream.o, direct_row(row.scores, row.values).o) > 1e-9)
    return "Without the rescale, tiles met early weigh too much. Only the plain softmax tells that the answer is "
           "wrong.";
  if (last && row.mistake == Mistake::None)
    return row.order.front() > row.order.back()
               ? "The last key came first, and o / l is the plain softmax's answer all the same."
               : "Every key was met once, and o / l is the plain softmax's answer. Any order gives it.";
  if (seen == 1)
    return fmt::format("The first tile: m is its largest score, {}, and l sums e^(s − m).", general_words(visit.m, 4));
  if (row.mistake == Mistake::NoRescale && visit.m > visit.m_before)
    return fmt::format("m rose from {} to {}, but l and o were left on the old scale.",
                       general_words(visit.m_before, 4), general_words(visit.m, 4));
  if (visit.m > visit.m_before)
    return fmt::format("m rises from {} to {}: what was summed shrinks by α = {}.", general_words(visit.m_before, 4),
                       general_words(visit.m, 4), num(visit.alpha));
  return fmt::format("No score beats {}, so α = 1: nothing to rescale.", general_words(visit.m, 4));
}

// Where a score lies in the chart.
float height_of(Rect chart, ChartEnds ends, double score) {
  const double t = (std::clamp(score, ends.low, ends.high) - ends.low) / (ends.high - ends.low);
  return chart.bottom() - chart.h * float(t);
}

struct Columns {
  float x, w, gap;  // of a key
  float tile_gap;
  int64_t tile;
  Rect at(Rect chart, size_t place) const {
    return {x + float(place) * (w + gap) + float(int64_t(place) / tile) * tile_gap, chart.y, w, chart.h};
  }
};

// Bars in the order in which they are met, their cards below, and m above what was met.
void layout_chart(const BoardView& view, Rect area, const RowSetting& row, const RowStream& stream, int seen) {
  const Style& st = view.style;
  const size_t n = row.order.size();
  const float card = st.px(48), weights = st.px(24);
  const Rect chart{area.x, area.y + st.px(8), area.w, area.h - st.px(8) - card - weights - st.px(6)};
  Columns columns{area.x + st.px(8), 0, st.px(8), st.px(24), row.tile};
  const float tiles = float((int64_t(n) + row.tile - 1) / row.tile);
  columns.w =
      std::min((area.w - st.px(16) - columns.gap * float(n) - columns.tile_gap * (tiles - 1)) / float(n), st.px(130));
  const float used = columns.at(chart, n - 1).right() - columns.x;
  columns.x = area.x + (area.w - used) / 2;
  const float zero = height_of(chart, row.ends, 0);
  const Color violet = st.palette.fill(Tensor::S);

  view.line({area.x, zero}, {area.right(), zero}, Role::Border, st.px(1));
  for (size_t place = 0; place < n; ++place) {
    const int key = row.order[place];
    const double score = row.scores[size_t(key)];
    const int visit = int(int64_t(place) / row.tile);
    const bool met = visit < seen, now = visit == seen - 1;
    const Rect column = columns.at(chart, place);
    const float y = height_of(chart, row.ends, score), top = std::min(y, zero),
                h = std::max(std::fabs(y - zero), st.px(2));
    const Rect bar_rect{column.x, top, column.w, h};
    const bool hot = view.view.hover == fmt::format("board:bar/{}", key + 1);
    if (met)
      view.box(bar_rect, st.px(3), now ? violet : with_alpha(violet, 0.45f));
    else
      view.box(bar_rect, st.px(3), {}, violet, st.px(2), st.px(5));
    if (hot) view.box({bar_rect.x, y - st.px(3), bar_rect.w, st.px(6)}, st.px(3), Role::Text);
    if (score > row.ends.high)  // the bar goes on above the chart
      view.polygon({{column.center().x - st.px(8), chart.y - st.px(1)},
                    {column.center().x + st.px(8), chart.y - st.px(1)},
                    {column.center().x, chart.y - st.px(9)}},
                   Role::Text);
    view.region({column.x, chart.y, column.w, chart.h}, fmt::format("board:bar/{}", key + 1),
                fmt::format("Score {} of key {}. Drag it, or ↑ ↓", general_words(score, 4), key + 1), true);

    const Rect below{column.x, chart.bottom() + st.px(4), column.w, card};
    view.box(below, st.r_small(), now ? Role::Inverse : Role::SurfaceStrong);
    const Color ink = view[now ? Role::InverseText : Role::Text];
    const Rect upper{below.x + st.px(2), below.y + st.px(2), below.w - st.px(4), below.h / 2 - st.px(2)};
    const std::string long_name = fmt::format("key {}: {}", key + 1, general_words(score, 4)),
                      name = fmt::format("k{}: {}", key + 1, general_words(score, 4));
    view.text(upper, text_width(long_name, Face::MonoBold, st.small()) <= upper.w ? long_name : name, Face::MonoBold,
              st.number(), ink, Align::Center);
    const std::string value =
        fmt::format("({}, {})", general_words(row.values.at(key, 0), 4), general_words(row.values.at(key, 1), 4));
    const bool room = text_width("value " + value, Face::Mono, st.small()) <= upper.w;
    view.text(upper.shifted(0, upper.h), room ? "value " + value : value, Face::Mono, st.small(), ink, Align::Center);
    view.region(below, fmt::format("board:card/{}", key + 1),
                fmt::format("Key {}, score {}, value {}. Drag it to another place, or ← →", key + 1,
                            general_words(score, 4), value),
                true);
    if (!met || view.covered("l")) continue;
    const RowStream::Visit& own = stream.visits[size_t(visit)];
    // Measured against a max that has risen since: as it was met, and pale; l holds it rescaled.
    const bool old = row.mistake == Mistake::None && own.m < stream.visits[size_t(seen - 1)].m;
    const auto& keys = own.keys;
    const double weight = own.weights[size_t(std::ranges::find(keys, key) - keys.begin())];
    view.text({column.x - st.px(4), below.bottom() + st.px(2), column.w + st.px(8), weights},
              column.w > st.px(100) ? (old ? "was p " : "p ") + shown(weight, 3) : shown(weight, 3), Face::Mono,
              st.small(), old ? Role::TextSecondary : Role::AccentText, Align::Center);
  }

  // m over each tile that was met, stepping up where it rose.
  if (view.covered("m")) --seen;
  float last_y = 0;
  for (int t = 0; t < seen && row.mistake != Mistake::NoMax; ++t) {
    const size_t first = size_t(t * row.tile), end = std::min(n, first + size_t(row.tile));
    const float left = columns.at(chart, first).x - columns.tile_gap / 2,
                right = columns.at(chart, end - 1).right() + columns.tile_gap / 2;
    const float y = height_of(chart, row.ends, stream.visits[size_t(t)].m);
    if (t > 0 && last_y != y) view.line({left, last_y}, {left, y}, Role::Text, st.px(3));
    view.line({left, y}, {right, y}, Role::Text, st.px(3));
    last_y = y;
    const bool rose = t == 0 || stream.visits[size_t(t)].m > stream.visits[size_t(t)].m_before;
    // Above its line, or on a ground of its own below it where the line is at the top.
    if (!rose) continue;
    const std::string name = "m " + general_words(stream.visits[size_t(t)].m, 4);
    Rect label{left + st.px(6), y - st.px(25), right - left - st.px(12), st.px(22)};
    if (label.y < chart.y - st.px(8)) {
      label = {label.x, y + st.px(4), std::min(label.w, text_width(name, Face::MonoBold, st.number()) + st.px(12)),
               label.h};
      view.box(label, st.r_small(), Role::Background);
      label = label.inset(st.px(4), 0);
    }
    view.text(label, name, Face::MonoBold, st.number(), Role::Text);
  }
}

// The old sum, what alpha leaves of it, and what the tile adds: one bar.
void layout_sum(const BoardView& view, Rect track, const RowStream::Visit& visit, double l_old) {
  const Style& st = view.style;
  const double kept = visit.l - visit.sum, most = std::max(l_old, visit.l);
  if (view.covered("l") || view.covered("alpha")) return plate(view, track);
  if (!std::isfinite(visit.l) || most <= 0) {
    view.box(track, st.px(3), {}, Role::Wrong, st.px(3));
    view.label(track, std::isfinite(visit.l) ? "" : "overflow: more than 65,504", Face::SansBold, st.number(),
               Role::WrongText, Align::Center);
    return;
  }
  const auto wide = [&](double value) { return track.w * float(value / most); };
  if (kept > 0) view.box({track.x, track.y, wide(kept), track.h}, st.px(3), Role::TextSecondary);
  view.box({track.x + wide(kept), track.y, std::max(st.px(2), wide(visit.sum)), track.h}, st.px(3), Tensor::S);
  // The old sum as it was, round what α leaves of it.
  if (l_old > kept + 1e-12)
    view.box({track.x, track.y - st.px(3), wide(l_old), track.h + st.px(6)}, st.px(3), {}, Role::Text, st.px(2),
             st.px(5));
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const RowSetting row = row_of(view.state);
  const RowStream stream = stream_of(row);
  const DirectRow direct = direct_row(row.scores, row.values);
  const int seen = seen_of(view);
  const std::vector<Reading> all = readings(view);
  const auto reading = [&](std::string_view id) -> const Reading& { return *std::ranges::find(all, id, &Reading::id); };

  const float answer = std::clamp(area.h * 0.11f, st.px(26), st.px(48));
  const float numbers = std::clamp(area.h * 0.17f, st.px(50), st.px(84)),
              sum = std::clamp(area.h * 0.07f, st.px(18), st.px(34));
  const float gap = std::clamp(area.h * 0.02f, st.px(4), st.px(12));
  const Rect chart{area.x, area.y, area.w, area.h - answer - numbers - sum - 3 * gap};
  layout_chart(view, chart, row, stream, seen);

  // m, alpha, l, o after the tiles that were met.
  float y = chart.bottom() + gap;
  const std::array<std::string_view, 3> ids{"m", "alpha", "l"};
  const float w = area.w / 5;
  const float size = std::min(st.display(), w / 7);
  const float label = std::min(st.px(24), numbers * 0.4f);
  for (size_t k = 0; k < ids.size(); ++k) {
    const Rect slot{area.x + w * float(k), y, w - st.px(10), numbers};
    if (ids[k] != "alpha" || seen > 0 || view.covered("alpha")) {
      big_number(view, slot, reading(ids[k]), "digits:6", size);
      continue;
    }
    view.text({slot.x, slot.y, slot.w, label}, reading("alpha").label, Face::Sans, st.number(), Role::TextSecondary);
    view.label({slot.x, slot.y + label, slot.w, slot.h - label}, "–", Face::MonoBold, size, Role::Text);
    view.region(slot, "reading:alpha",
                "α: from the first tile on, where it is e^(−∞ − m) = 0 and multiplies sums that are 0");
  }
  const Rect o{area.x + 3 * w, y, 2 * w, numbers};
  view.text({o.x, o.y, o.w, label}, "Sum o, unnormalised", Face::Sans, st.number(), Role::TextSecondary);
  const Rect o_number{o.x, o.y + label, o.w, o.h - label};
  if (view.covered("ox"))
    plate(view, {o_number.x, o_number.y, o_number.w * 0.6f, o_number.h});
  else
    view.text(o_number, seen > 0 ? pair_words(stream.visits[size_t(seen - 1)].o) : "(0, 0)", Face::MonoBold, size,
              Role::Text);
  view.region(o, "reading:ox", "o: the values summed so far, each times its weight e^(s − m). O = o / l at the end");

  y += numbers + gap;
  const float words = std::min(area.w * 0.3f, st.px(230));
  view.text({area.x, y, words, sum},
            seen == 0 ? "l = 0"
                      : fmt::format("l = α × old l + {}",
                                    view.covered("l") ? "new" : shown(stream.visits[size_t(seen - 1)].sum, 3)),
            Face::Mono, st.number(), Role::TextSecondary);
  const Rect track{area.x + words + st.px(8), y, area.w - words - st.px(8), sum};
  if (seen > 0)
    layout_sum(view, track, stream.visits[size_t(seen - 1)], seen > 1 ? stream.visits[size_t(seen - 2)].l : 0);
  else
    view.box(track, st.px(3), {}, Role::Border, st.px(1), st.px(5));

  // The answer, both ways.
  y += sum + gap;
  const bool done = seen == int(stream.visits.size());
  const double worst = worst_gap(stream.o, direct.o);
  const bool right = worst < 1e-9;
  const float half = area.w / 2 - st.px(8);
  const std::string streamed = !done                   ? "O = o / l after the last tile"
                               : view.covered("out_x") ? "O = ?"
                                                       : "O = " + pair_words(stream.o) + (right ? "  ✓" : "  ✗");
  const Color ink = !done                   ? view[Role::TextSecondary]
                    : view.covered("out_x") ? view[Role::Text]
                                            : view[right ? Role::RightText : Role::WrongText];
  view.text({area.x, y, half, answer}, streamed, Face::MonoBold, std::min(st.caption(), answer * 0.7f), ink);
  view.text(
      {area.x + area.w - half, y, half, answer},
      view.covered("direct_x") || view.covered("out_x") ? "plain softmax: ?" : "plain softmax: " + pair_words(direct.o),
      Face::Mono, std::min(st.caption(), answer * 0.7f), Role::TextSecondary, Align::Right);
  view.region({area.x, y, area.w, answer}, "reading:gap",
              done ? fmt::format("Largest difference between the two: {}", shown(worst, 9))
                   : "Compared once the last tile is met");
}

std::string act(std::string_view id, Vec2 at, bool dragged, BoardState& state) {
  if (const int key = key_of(id, "board:bar/"); key >= 0) {
    const RowSetting row = row_of(state);
    if (!dragged) bring_chart_near(state);
    if (dragged && at.y < -0.04f) state.cells["far"] = "yes";
    const ChartEnds ends = dragged ? row_of(state).ends : row.ends;
    set_score(state, key, ends.high - std::clamp(double(at.y), 0.0, 1.0) * (ends.high - ends.low));
    return {};
  }
  const int key = key_of(id, "board:card/");
  if (key >= 0 && dragged && (at.x < -0.2f || at.x > 1.2f)) move_card(state, key, at.x < 0 ? -1 : 1);
  return {};
}

bool has(std::string_view knob, const BoardState& state) {
  return key_of(knob, "s") < int(row_of(state).scores.size());
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (const int key = key_of(id, "board:bar/"); key >= 0)
    set_score(state, key, row_of(state).scores[size_t(key)] + (up + right) * kScoreStep);
  else if (const int card = key_of(id, "board:card/"); card >= 0)
    move_card(state, card, right + up);
  return {};
}

}  // namespace

const Board kRowBoard{.id = "row",
                      .title = "One row, tile by tile",
                      .knobs = kKnobs,
                      .layout = layout,
                      .caption = caption,
                      .readings = readings,
                      .act = act,
                      .nudge = nudge,
                      .steps = steps,
                      .has = has,
                      .fixed = "one row, its scores given"};

}  // namespace tilewalk
