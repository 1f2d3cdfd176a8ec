// Ring Attention: each device keeps its queries, the shards of K and V go round, and each turn merges one more part.
// The grid shows which device has met which shard, and how much work a causal mask leaves it.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/boards/ring_recorded.h"
#include "core/attention/reference.h"
#include "core/attention/ring.h"
#include "core/machine/words.h"
#include "core/method/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kMasks{"full", "causal"};
constexpr auto kKnobs = std::to_array<Knob>({
    linear_knob("devices", "Devices", 2, 8, 4, 1, "GPUs on the ring"),
    choice_knob("mask", "Mask", kMasks, 0, "Which keys a query sees"),
    switch_knob("striped", "Striped tokens", false, "Tokens dealt out one by one, not neighbours together"),
    power_knob("N", "Tokens N", 1024, 1048576, 131072, "Tokens on all devices together"),
    switch_knob("time", "Recorded time", false, "How long such a ring took on real GPUs"),
});

// Work is counted on a problem this small; its shares are those of a large one.
constexpr int64_t kCounted = 840;  // divides by 2 .. 8

struct Ring {
  RingLayout layout;
  Problem problem;  // 16 tokens, whose last row is followed
  RingWork work;
  int64_t turn;  // taken
};
Ring ring_of(const Exhibit& view) {
  Ring out;
  out.layout = {int64_t(view.knob("devices")), view.on("striped") ? RingSplit::Striped : RingSplit::Shards};
  out.problem.mask = view.on("mask") ? Mask::Causal : Mask::Full;
  Problem counted = out.problem;
  counted.n_q = counted.n_k = kCounted;
  out.work = ring_work(counted, out.layout);
  out.turn = std::clamp<int64_t>(view.state.step, 0, out.layout.devices);
  return out;
}

struct Followed {
  std::vector<RowPart> turns;
  double expected_lse, gap;
};
Followed followed_row(const Ring& ring) {
  const Inputs inputs = generate_inputs(ring.problem);
  const int64_t row = ring.problem.n_q - 1;
  Followed out{ring_row(ring.problem, inputs, ring.layout, row), 0, 0};
  const Reference expected = reference(ring.problem, inputs);
  const Share whole = normalized(out.turns.back());
  out.expected_lse = expected.lse[size_t(row)];
  for (int64_t c = 0; c < expected.o.cols; ++c)
    out.gap = std::max(out.gap, std::fabs(whole.o[size_t(c)] - expected.o.at(row, c)));
  return out;
}

std::vector<RecordedRing> recorded_of(const Exhibit& view) {
  return recorded_rings(int64_t(view.knob("devices")), int64_t(view.knob("N")),
                        view.on("mask") ? Mask::Causal : Mask::Full);
}

std::vector<Reading> readings(const Exhibit& view) {
  const Ring ring = ring_of(view);
  const Followed row = followed_row(ring);
  Problem large = ring.problem;
  large.n_q = large.n_k = int64_t(view.knob("N"));
  large.d = 128;
  const RowPart& now = row.turns[size_t(ring.turn)];
  const auto number = [](std::string id, std::string label, double value, std::string unit, std::string source) {
    return Reading{std::move(id), std::move(label), {value, std::move(unit), Origin::Computed, std::move(source)}};
  };
  std::vector<Reading> all{
      number("turns", "Turns of the ring", double(ring.layout.devices), "", "one for each device"),
      number("device_bytes", "On each device", double(ring_bytes_of_device(large, ring.layout.devices)), "byte",
             "Q, K, V and O of one head, d = 128, fp16"),
      number("whole_bytes", "Of all devices", double(ring_bytes_of_device(large, 1)), "byte",
             "Q, K, V and O of one head, d = 128, fp16"),
      number("busy", "Devices busy", ring.work.busy(), "",
             "scores in all over those of the busiest device, turn by turn"),
      number("m", "m, a row of 16 tokens", now.m, "", "last row of 16 tokens, seed 4"),
      number("l", "l, a row of 16 tokens", now.l, "", "last row of 16 tokens, seed 4"),
      number("L", "L of the last row", normalized(row.turns.back()).lse, "", "after the last turn"),
      number("expected", "L in one softmax", row.expected_lse, "", "float64 reference"),
      number("gap", "O off at the end by", row.gap, "",
             "last row of 16 tokens, seed 4: largest difference from one softmax over all keys"),
  };
  if (view.on("time"))
    for (Reading& reading : readings_of(recorded_of(view))) all.push_back(std::move(reading));
  return all;
}

// What is computed is of one head, a recording of its own heads.
std::string fixed_now(const Exhibit& view) {
  const std::vector<RecordedRing> recorded = view.on("time") ? recorded_of(view) : std::vector<RecordedRing>{};
  if (recorded.empty()) return "one head · d 128 · fp16";
  const RingSpec& spec = recorded.front().ring->spec;
  return fmt::format("bytes: one head · times: {} heads, {} · d 128 · fp16", spec.problem.heads,
                     info_of(spec.kernel).name);
}

int steps(const Exhibit& view) { return int(view.knob("devices")); }

std::string caption(const Exhibit& view) {
  const Ring ring = ring_of(view);
  if (view.covered("turns"))
    return "Every device holds its own queries and one shard of K and V. Each query needs all.";
  if (ring.turn == 0) return "Every device holds its own queries and one shard of K and V. Step on: → or the button.";
  if (ring.turn == ring.layout.devices)
    return view.on("mask")
               ? "Each query has met every key that it may see. Framed: the last turn. Pale: half of it is masked."
               : "Every query has met every key. Each part was merged as it came: exact up to rounding.";
  if (view.on("mask") && !view.on("striped") && !view.covered("busy"))
    return "Under a causal mask, devices with early tokens have nothing to do, and the ring waits for the busiest.";
  return fmt::format("Turn {}: each device computes on one shard and passes it on while it does.", ring.turn);
}

// Devices in a circle, with the shard that each one holds now.
void layout_circle(const BoardView& view, Rect area, const Ring& ring) {
  const Style& st = view.style;
  const int64_t p = ring.layout.devices;
  const float w = std::min(st.px(96), area.w * 0.24f), h = std::min(st.px(64), area.h * 0.17f);
  const float rx = area.w / 2 - w / 2, ry = area.h / 2 - h / 2;
  const auto center = [&](double at) {
    const double angle = 2 * std::numbers::pi * at / double(p) - std::numbers::pi / 2;
    return Vec2{area.center().x + rx * float(std::cos(angle)), area.center().y + ry * float(std::sin(angle))};
  };
  // Arrows along the chord, from card to card.
  for (int64_t d = 0; d < p && !view.covered("turns"); ++d) {
    const Vec2 a = center(double(d)), b = center(double(d + 1));
    const auto point = [&](float t) { return Vec2{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; };
    const float inset = p == 2 ? 0.30f : p > 5 ? 0.42f : 0.34f;
    view.line(point(inset), point(1 - inset + 0.06f), Role::TextSecondary, st.px(2), 0, true);
  }
  for (int64_t d = 0; d < p; ++d) {
    const Vec2 at = center(double(d));
    const Rect card{at.x - w / 2, at.y - h / 2, w, h};
    const int64_t shard = shard_at(d, std::max<int64_t>(0, ring.turn - 1), p);
    view.box(card, st.r_small(), Role::Background, Role::Text, st.px(1.5f));
    view.text({card.x, card.y, card.w, card.h / 2}, fmt::format("Q{}", d + 1), Face::SansBold, st.number(), Tensor::Q,
              Align::Center);
    const Rect low{card.x + st.px(4), card.center().y, card.w - st.px(8), card.h / 2 - st.px(4)};
    view.box(low, st.px(3), Tensor::K);
    view.text(low, fmt::format("K{} V{}", shard + 1, shard + 1), Face::SansBold, st.small(),
              st.palette.label_on(Tensor::K), Align::Center);
    view.region(card, fmt::format("device:{}", d + 1),
                fmt::format("Device {}: its own queries, and now shard {} of K and V", d + 1, shard + 1));
  }
}

// Devices by shards: met, being met, to come; as dark as the share of its scores that the mask leaves.
void layout_grid(const BoardView& view, Rect area, const Ring& ring) {
  const Style& st = view.style;
  const int64_t p = ring.layout.devices;
  const float head = st.px(24), left = st.px(36);
  const float side = std::min((area.w - left) / float(p), (area.h - head) / float(p));
  const double whole = double(kCounted) * double(kCounted) / double(p * p);
  for (int64_t k = 0; k < p; ++k) {
    view.text({area.x + left + side * float(k), area.y, side, head}, fmt::format("K{}", k + 1), Face::SansBold,
              st.small(), Tensor::K, Align::Center);
    view.text({area.x, area.y + head + side * float(k), left - st.px(6), side}, fmt::format("Q{}", k + 1),
              Face::SansBold, st.small(), Tensor::Q, Align::Right);
  }
  for (int64_t turn = 0; turn < p; ++turn)
    for (int64_t d = 0; d < p; ++d) {
      const int64_t shard = shard_at(d, turn, p);
      const Rect cell =
          Rect{area.x + left + side * float(shard), area.y + head + side * float(d), side, side}.inset(st.px(2));
      const double share = double(ring.work.work[size_t(turn)][size_t(d)]) / whole;
      const bool met = turn < ring.turn, now = turn == ring.turn - 1;
      if (met && share > 0 && !view.covered("busy"))
        view.box(cell, st.px(3), {Tensor::S, 0.15f + 0.85f * float(std::min(1.0, share))});
      view.box(cell, st.px(3), {}, now ? Role::Text : Role::Ghost, st.px(now ? 3 : 1), met ? 0 : st.px(4));
    }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Ring ring = ring_of(view);
  const std::vector<Reading> all = readings(view);
  const float numbers = std::clamp(area.h * 0.2f, st.px(56), st.px(84)), gap = st.px(20);
  // The picture keeps half the height, whatever was recorded.
  const std::vector<RecordedRing> recorded = view.on("time") ? recorded_of(view) : std::vector<RecordedRing>{};
  const float times = view.on("time") ? recorded_ring_height(view, recorded) + st.px(10) : 0;
  const bool room = area.h - numbers - gap - times >= area.h * 0.45f;
  const Rect upper{area.x, area.y, area.w, area.h - numbers - gap - (room ? times : 0)};
  if (times > 0 && room)
    layout_recorded_rings(view, {area.x, upper.bottom() + st.px(10), area.w, times - st.px(10)}, recorded);
  const float left = std::min(upper.w * 0.52f, upper.h * 1.5f);
  layout_circle(view, {upper.x, upper.y, left, upper.h}, ring);
  if (!view.covered("turns"))
    layout_grid(view, {upper.x + left + st.px(28), upper.y, upper.w - left - st.px(28), upper.h}, ring);
  const std::array<std::pair<std::string_view, std::string_view>, 5> shown{
      {{"device_bytes", "binary"}, {"busy", "percent"}, {"m", "digits:3"}, {"l", "digits:3"}, {"gap", "number"}}};
  for (size_t k = 0; k < shown.size(); ++k)
    big_number(view, {area.x + area.w / 5 * float(k), area.bottom() - numbers, area.w / 5 - st.px(10), numbers},
               reading_of(all, shown[k].first), shown[k].second, std::min(st.title(), area.w / 36));
}

}  // namespace

const Board kRingBoard{.id = "ring",
                       .title = "Shards on a ring",
                       .knobs = kKnobs,
                       .layout = layout,
                       .caption = caption,
                       .readings = readings,
                       .steps = steps,
                       .fixed_now = fixed_now};

}  // namespace tilewalk
