// One analogy for chip and memory: a small desk, where all work is done, and a large archive, to which what does not
// fit on it is carried. Standard attention carries its two squares down and up again; FlashAttention works through
// tiles and carries the answer alone. Each trip is as wide as its bytes; one layer of 32 heads on an H200, as the board
// of the growing prompt has it, counted from the schedules.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/gpus.h"
#include "core/machine/words.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr auto kKnobs = std::to_array<Knob>({
    switch_knob("flash", "FlashAttention", false, "Tile by tile, in one go"),
    power_knob("N", "Tokens, N", 1024, 16384, 4096, "Tokens in the sequence"),
});

constexpr int64_t kHeads = 32, kHeadDim = 64;

struct Trip {
  bool down;  // from the desk to the archive
  std::vector<Tensor> what;
  double bytes = 0;
  std::string_view words;
};

// One unit for all trips, so that they can be compared at a glance.
std::string megabytes(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes / 1e6)
                     : fmt::format("{} MB", with_commas(std::llround(bytes / 1e6)));
}

// Without L, of which only the trip's words speak: the path has not named it yet.
std::string names_of(const Trip& trip) {
  std::string names;
  for (const Tensor tensor : trip.what)
    if (tensor != Tensor::Lse) names += (names.empty() ? "" : ", ") + std::string(symbol_of(tensor));
  return names;
}

double all_sram(const GpuSpec& gpu) { return double(gpu.sms) * gpu.smem_per_sm; }

struct Work {
  bool flash;
  int64_t n;
  const GpuSpec& gpu = *gpu_named("h200");
  std::vector<Trip> trips{};
  double bytes() const {
    double sum = 0;
    for (const Trip& trip : trips) sum += trip.bytes;
    return sum;
  }
  double time() const { return bytes() / gpu.dram_rate; }
};

Work work_of(int64_t n, bool flash) {
  Work out{flash, n};
  Problem problem;
  problem.n_q = problem.n_k = problem.br = problem.bc = n;  // one tile: each matrix passes once a kernel
  problem.d = kHeadDim;
  const Schedule& schedule = schedule_of(flash ? Method::Fa2 : Method::Standard);
  const Count counted = count(schedule, make_plan(schedule, problem, VariantId::Paper));
  const auto add = [&](size_t pass, bool down, std::vector<Tensor> what, std::string_view words) {
    Trip trip{down, std::move(what), 0, words};
    const auto& moved = down ? counted.passes[pass].stored : counted.passes[pass].loaded;
    for (const Tensor tensor : trip.what) trip.bytes += double(kHeads) * double(moved[size_t(tensor)]);
    out.trips.push_back(std::move(trip));
  };
  if (flash) {
    add(0, false, {Tensor::Q, Tensor::K, Tensor::V}, "fetched, a tile at a time");
    add(0, true, {Tensor::O, Tensor::Lse}, "the answer, and one number a row for training");
    return out;
  }
  add(0, false, {Tensor::Q, Tensor::K}, "fetched");
  add(0, true, {Tensor::S}, "all scores, put away");
  add(1, false, {Tensor::S}, "fetched again");
  add(1, true, {Tensor::P}, "all weights, put away");
  add(2, false, {Tensor::P, Tensor::V}, "fetched again");
  add(2, true, {Tensor::O}, "the answer");
  return out;
}

Work work_of(const Exhibit& view) { return work_of(int64_t(view.knob("N")), view.on("flash")); }

int steps(const Exhibit& view) { return int(work_of(view).trips.size()); }

// A lesson opens the board with all trips made; stepping takes them one by one.
int made(const Exhibit& view, const Work& work) {
  return view.state.step == 0 ? int(work.trips.size()) : view.state.step;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Work work = work_of(view), other = work_of(work.n, !work.flash);
  const std::string source = fmt::format("{} heads, d = {}, each matrix once a kernel", kHeads, kHeadDim);
  const double less = work.flash ? other.bytes() / work.bytes() : work.bytes() / other.bytes();
  return {
      {"bytes", "Carried in all", {work.bytes(), "byte", Origin::Computed, source}},
      {"trips", "Trips", {double(work.trips.size()), "", Origin::Computed, "each way counts"}},
      {"time",
       "Carrying alone takes",
       {work.time(), "s", Origin::Model, fmt::format("bytes over bandwidth, {}, {}", work.gpu.title, work.gpu.source)}},
      {"less", "Less carried than without it", {less, "", Origin::Computed, source}},
      {"desk", "On the desk", {all_sram(work.gpu), "byte", Origin::Published, work.gpu.title + ", " + work.gpu.source}},
      {"archive",
       "In the archive",
       {work.gpu.dram_bytes, "byte", Origin::Published, fmt::format("{}, {}", work.gpu.title, kMemorySource)}},
  };
}

std::string caption(const Exhibit& view) {
  const Work work = work_of(view);
  if (work.flash)
    return "Score a tile, weigh it, add it to the answer so far, forget it. The squares are never carried.";
  if (view.state.step == 0)
    return "All work is done on a small desk. What does not fit is carried to the archive, and back up.";
  const Trip& trip = work.trips[size_t(std::clamp(view.state.step, 1, int(work.trips.size())) - 1)];
  return fmt::format("Trip {}: {}, {}: {}.", view.state.step, names_of(trip), trip.words, megabytes(trip.bytes));
}

void layout_place(const BoardView& view, Rect rect, std::string_view title, const std::string& words, Role fill) {
  const Style& st = view.style;
  view.box(rect, st.r_medium(), fill, Role::Text, st.px(3));
  const float line = st.px(28), y = rect.center().y - line;
  view.text({rect.x + st.px(14), y, rect.w - st.px(28), line}, title, Face::SansBold, st.heading(), Role::Text,
            Align::Center);
  view.text({rect.x + st.px(14), y + line, rect.w - st.px(28), line}, words, Face::Sans, st.number(), Role::Text,
            Align::Center);
}

// A way up or down as wide as what is carried on it.
void layout_trip(const BoardView& view, Rect slot, const Trip& trip, float share, bool done, bool now) {
  const Style& st = view.style;
  const float width = std::max(st.px(3), slot.w * 0.62f * share), x = slot.center().x;
  const Color color = done ? st.palette.fill(trip.what.front()) : view[Role::Ghost];
  const float label = st.px(48), head = std::min(st.px(18), slot.h * 0.16f), wing = width / 2 + st.px(8);
  const Rect way{x - width / 2, slot.y + (trip.down ? 0 : head), width, slot.h - head};
  if (done) {
    view.box(way, 0, color, now ? view[Role::Text] : Color{}, now ? st.px(3) : 0);
    const float tip = trip.down ? slot.bottom() : slot.y, base = trip.down ? slot.bottom() - head : slot.y + head;
    view.polygon({{x - wing, base}, {x + wing, base}, {x, tip}}, color);
  } else {
    view.box(way, 0, {}, color, st.px(1.5f), st.px(5));
  }
  const std::string names = names_of(trip);
  const Rect words{slot.x + st.px(2), slot.center().y - label / 2, slot.w - st.px(4), label};
  const float w = std::min(words.w, std::max(text_width(names, Face::SansBold, st.body()),
                                             text_width(megabytes(trip.bytes), Face::Mono, st.number())) +
                                        st.px(14));
  view.box({x - w / 2, words.y, w, label}, st.r_small(), Role::Background, Role::Border, st.px(1));
  view.text({x - w / 2, words.y, w, label / 2}, names, Face::SansBold, st.body(), Role::Text, Align::Center);
  view.text({x - w / 2, words.y + label / 2 - st.px(2), w, label / 2}, megabytes(trip.bytes), Face::Mono, st.number(),
            Role::Text, Align::Center);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Work work = work_of(view), standard = work_of(work.n, false);
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(480);
  const float side = std::min(area.w * 0.26f, st.px(260)), gap = st.px(low ? 18 : 36);
  const Rect picture{area.x, area.y, area.w - side - gap, area.h};
  const float desk_h = picture.h * 0.2f, archive_h = picture.h * 0.26f, desk_w = picture.w * 0.56f;
  const Rect desk{picture.center().x - desk_w / 2, picture.y, desk_w, desk_h};
  const Rect archive{picture.x, picture.bottom() - archive_h, picture.w, archive_h};
  layout_place(view, desk, "The desk: the chip",
               fmt::format("{}, {} at hand", megabytes(all_sram(work.gpu)), amount(work.gpu.sram_rate(), "byte/s")),
               Role::SurfaceStrong);
  layout_place(
      view, archive, "The archive: the GPU's memory",
      fmt::format("{}, {} up the stairs", amount(work.gpu.dram_bytes, "byte"), amount(work.gpu.dram_rate, "byte/s")),
      Role::Surface);

  double most = 0;
  for (const Trip& trip : standard.trips) most = std::max(most, trip.bytes);
  const float top = desk.bottom() + st.px(6), h = archive.y - st.px(6) - top;
  const float slot = picture.w / float(standard.trips.size()), shown = slot * float(work.trips.size());
  const int done = made(view, work);
  for (size_t k = 0; k < work.trips.size(); ++k)
    layout_trip(view, {picture.center().x - shown / 2 + slot * float(k), top, slot, h}, work.trips[k],
                float(work.trips[k].bytes / most), int(k) < done, int(k) + 1 == view.state.step);

  const float x = area.right() - side, number = std::min(st.px(low ? 66 : 92), area.h / 3);
  float y = area.y;
  big_number(view, {x, y, side, number}, reading_of(all, "bytes"), {}, st.px(low ? 30 : 42));
  y += number + st.px(low ? 8 : 20);
  big_number(view, {x, y, side, number}, reading_of(all, "time"), {}, st.px(low ? 26 : 34));
  y += number + st.px(low ? 8 : 20);
  if (work.flash) big_number(view, {x, y, side, number}, reading_of(all, "less"), "ratio", st.px(low ? 26 : 34));
}

}  // namespace

const Board kDeskBoard{.id = "desk",
                       .title = "The desk and the archive",
                       .knobs = kKnobs,
                       .layout = layout,
                       .caption = caption,
                       .readings = readings,
                       .steps = steps,
                       .fixed = "B 1 · 32 heads · d 64 · no mask · fp16 · H200"};

}  // namespace tilewalk
