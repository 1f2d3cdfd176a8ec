// The boards "estimate" and "curves": their figures are the model's, recordings stand only where they were made, and
// nothing overlaps whatever is asked.
#include "app/boards/attention_case.h"
#include "app/boards/estimate_model.h"
#include "app/boards/knob_row.h"
#include "app/boards/roofs_knob.h"
#include "app/boards/series_chart.h"
#include "app/panels/describe.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "app/session/hands.h"
#include "app/session/tools.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/held.h"
#include "core/run/shipped.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk::test_estimate_boards {

namespace {

struct On {
  Session session;
  ViewState view;
  explicit On(std::string_view words) { open_tool(view, read_board_state(words)); }
  const Board& board() const { return *board_named(view.board.board); }
  Exhibit look() const { return {view.board, session, view, board()}; }
  std::vector<Reading> readings() const { return board().readings(look()); }
  double reading(std::string_view id) const {
    for (const Reading& r : readings())
      if (r.id == id) return r.quantity.value;
    FAIL("no reading " << id);
    return 0;
  }
  std::vector<Series> series() const { return board().series(look()); }
};

std::string micro(double seconds) { return fmt::format("{:.1f}", seconds * 1e6); }

Problem head(int64_t n, int64_t d) { return {.n_q = n, .n_k = n, .d = d}; }

bool says(const Scene& scene, std::string_view words) {
  return std::ranges::any_of(scene.items, [&](const Item& item) {
    const Label* label = std::get_if<Label>(&item);
    return label && label->text.find(words) != std::string::npos;
  });
}

void check_layout(On& on, Vec2 size, float scale, Theme theme) {
  on.view.theme = theme;
  on.view.scale = scale;
  fit(on.view, size);
  const float shown = window_grid(size, on.view).scale;
  const Scene scene = layout_window(on.session, on.view, size);
  for (const std::string& fault : layout_faults(scene, 14 * shown, shown))
    FAIL_CHECK(fmt::format("{} at {}x{}, {:.0f} %, theme {}: {}", on.view.board.board, size.x, size.y, scale * 100,
                           int(theme), fault));
}

constexpr struct {
  Vec2 size;
  float scale;
  Theme theme;
} kLooks[] = {{{1280, 720}, 1, Theme::Light},
              {{1280, 720}, 1.25f, Theme::Dark},
              {{1920, 1080}, 1, Theme::Projector},
              {{3840, 2160}, 2, Theme::Dark}};

}  // namespace

TEST_CASE("An estimate tells a model of one's own in four sentences, in Explain and in describe") {
  for (const std::string_view words :
       {"estimate?gpu=h200-measured&N=4096&d=128&H=16&B=4", "estimate?gpu=h100&N=3000&d=96&H=40",
        "estimate?gpu=a100-80&pass=backward", "estimate?gpu=h200&pass=decode&N=131072"}) {
    CAPTURE(words);
    On on(words);
    const SaidOfModel* said = said_of_model(on.look());
    REQUIRE(said);
    CHECK(said->sentences.size() == 4);
    for (const std::string& sentence : said->sentences) CHECK(sentence.ends_with('.'));
    CHECK_FALSE(said->unknown.empty());
    CHECK(said == said_of_model(on.look()));
    on.view.tab = Tab::Explain;
    on.view.column_open = true;
    CHECK(says(layout_window(on.session, on.view, {1920, 1080}), "Your model"));
    std::string told;
    for (const std::string& line : describe(on.session, on.view)) told += line + "\n";
    CHECK(told.find(said->sentences[2]) != std::string::npos);
  }
  // What was measured there is told where a recorded call is near, and only there.
  const auto win = [](std::string_view words) { return said_of_model(On(words).look())->sentences[2]; };
  CHECK(win("estimate?gpu=h200-measured&N=4096&d=128&H=16&B=4").find("Measured at") != std::string::npos);
  CHECK(win("estimate?gpu=h200-measured&N=4096&d=128&H=16&B=4") != win("estimate?gpu=h200-measured&N=512&d=64&H=1"));
  // Of the method that the board shows.
  CHECK(win("estimate?gpu=a100-80&N=512&H=12&mask=causal&method=fa2").starts_with("Expect of FA2 "));
  CHECK(win("estimate?gpu=a100-80&N=512&H=12&mask=causal&method=fa1").starts_with("Expect of FA1 "));
  CHECK_FALSE(said_of_model(On("curves?gpu=h200").look()));
  On asked("estimate?gpu=h200");
  asked.view.board.covered = {"win"};
  CHECK_FALSE(said_of_model(asked.look()));
}

TEST_CASE("Beside an estimated time stands what to expect; one press leaves the model alone") {
  On on("estimate?N=8192&d=128&gpu=h100&method=fa3&B=2&H=16");
  const auto band = band_of(Method::Fa3, case_of(on.look()).problem, Direction::Forward, *shipped_roofs("h100"));
  REQUIRE(band);
  CHECK(on.reading("expected_least") == band->least * on.reading("time"));
  CHECK(on.reading("expected_most") == band->most * on.reading("time"));
  const auto scene = [&] { return layout_window(on.session, on.view, {1280, 720}); };
  const auto pressed = [&](std::string_view id) {
    const Scene now = scene();
    return std::ranges::any_of(now.regions, [&](const Region& region) { return region.id == id; });
  };
  fit(on.view, {1280, 720});
  CHECK(says(scene(), fmt::format("FA3: expect {} times this", times_words(*band))));
  CHECK(says(scene(), "Standard: expect "));
  REQUIRE(pressed("knob:expect/1"));
  on.view.board.knobs["expect"] = 1;
  CHECK(!says(scene(), "expect 1"));
  CHECK(pressed("knob:expect/0"));
  CHECK(std::ranges::none_of(on.readings(), [](const Reading& r) { return r.id.starts_with("expected"); }));

  On curves("curves?N=8192&d=128&gpu=h100&curve=time");
  fit(curves.view, {1280, 720});
  const Scene drawn = layout_window(curves.session, curves.view, {1280, 720});
  CHECK(says(drawn, fmt::format("FA3 · × {}", times_words(*band))));
  On ada("estimate?N=8192&d=128&gpu=rtx4090&method=fa2&B=2&H=16");
  fit(ada.view, {1280, 720});
  CHECK(says(layout_window(ada.session, ada.view, {1280, 720}), "FA2: no measurement to hold this against"));
  curves.view.board.knobs["expect"] = 1;
  CHECK(!says(layout_window(curves.session, curves.view, {1280, 720}), " · × "));
  CHECK(On("estimate?N=8192&d=128&gpu=b200&method=standard").reading("win") > 3);  // by FA4
}

TEST_CASE("The estimate's figures are the worked ones and the model's") {
  const On h100("estimate?N=4096&d=128&gpu=h100&method=fa3&B=1&H=1");
  CHECK(micro(h100.reading("time_standard")) == "41.3");
  CHECK(micro(h100.reading("time_tensor")) == "8.7");
  CHECK(micro(h100.reading("time_dram")) == "1.3");
  CHECK(h100.reading("compute_bound_n") == 593);
  CHECK(h100.reading("ridge") == doctest::Approx(295.3).epsilon(1e-3));
  const Roofs roofs = roofs_of(*gpu_named("h100"));
  const Estimate fa3 = estimate(Method::Fa3, head(4096, 128), roofs);
  const Estimate standard = estimate(Method::Standard, head(4096, 128), roofs);
  CHECK(h100.reading("time") == fa3.time);
  CHECK(h100.reading("overlapped") == fa3.overlapped);
  CHECK(h100.reading("serial") == fa3.serial);
  CHECK(h100.reading("win") == standard.time / fa3.time);
  CHECK(h100.reading("memory_standard") == standard.memory_bytes);
  CHECK(h100.reading("law") == doctest::Approx(2 * h100.reading("eta") * roofs.ridge() / 128));
  CHECK(h100.reading("out_of_memory_n") == double(*longest_that_fits(Method::Standard, head(4096, 128), roofs) + 1));

  const On a100("estimate?N=4096&d=64&gpu=a100-80&method=fa2&B=1&H=1");
  CHECK(micro(a100.reading("time_standard")) == "66.9");
  CHECK(micro(a100.reading("time_tensor")) == "13.8");
  CHECK(a100.reading("time_dram") ==
        estimate(Method::Fa2, head(4096, 64), roofs_of(*gpu_named("a100-80")))[Roof::Dram]);
}

TEST_CASE("Where blocks are too few one win stands there, the model's: the rule for long N has no number") {
  On few("estimate?N=512&d=128&gpu=h100&method=fa3&B=1&H=8"),
      many("estimate?N=8192&d=128&gpu=h100&method=fa3&B=4&H=32");
  const Scene short_of = layout_window(few.session, few.view, {1920, 1080});
  CHECK(says(short_of, "the model's win, above"));
  CHECK(says(short_of, "its 32 blocks are too few for 132 multiprocessors."));
  CHECK_FALSE(says(short_of, "ridge ÷ d ="));
  CHECK(says(layout_window(many.session, many.view, {1920, 1080}), "ridge ÷ d ="));
}

TEST_CASE("Where it turns is what estimates at further N say, and the ruler says no other than the caption") {
  for (const char* words :
       {"estimate?N=8192&d=128&gpu=h100&method=fa3&B=2&H=16", "estimate?N=4096&d=64&gpu=a100-80&B=16&H=8&method=fa2",
        "estimate?N=8192&d=128&gpu=h200-measured&B=1&H=16&method=fa3&mask=causal"}) {
    CAPTURE(std::string(words));
    const On on(words);
    const double limit = on.reading("limit"), from = on.reading("saturation_n");
    for (const double n : {from + 1, 1.5 * from, 4.0 * from}) {
      if (n > 262144) continue;
      const Case asked = case_of(on.look());
      const Case there = asked.at(int64_t(n));
      const Roofs roofs = *roofs_chosen(on.look());
      const Method fused = Method(on.look().knob("method"));
      CHECK(win(estimate_at(Method::Standard, there, roofs), estimate_at(fused, there, roofs)) ==
            doctest::Approx(limit).epsilon(0.051));
      CHECK(!is_bandwidth(estimate_at(fused, asked.at(int64_t(on.reading("compute_bound_n"))), roofs).binds));
    }
  }
  // FA1 on a B200 waits for shared memory at every long N: no band says that it computes.
  On sram("estimate?N=65536&d=64&gpu=b200&method=fa1&B=1&H=16");
  CHECK(sram.board().caption(sram.look()).find("waits longest for shared memory") != std::string::npos);
  const Scene scene = layout_window(sram.session, sram.view, {1920, 1080});
  CHECK(says(scene, "FA1 waits for shared memory"));
  CHECK_FALSE(says(scene, "FA1 computes"));
  // FA2 on an H100 has mma.sync's rate for its products: its tensor cores are the longest, in the caption and the band.
  On mma("estimate?N=65536&d=128&gpu=h100&method=fa2&B=1&H=16");
  CHECK(mma.board().caption(mma.look()).find("waits longest for its tensor cores") != std::string::npos);
  const Scene multiplies = layout_window(mma.session, mma.view, {1920, 1080});
  CHECK(says(multiplies, "FA2 computes"));
  CHECK_FALSE(says(multiplies, "FA2 waits for shared memory"));
  On computing("estimate?gpu=h100&method=fa3");
  CHECK(says(layout_window(computing.session, computing.view, {1920, 1080}), "FA3 computes"));
}

TEST_CASE("Where a rate is not known, a win is a range and a time a bound") {
  const On l40s("estimate?N=16384&d=64&gpu=l40s&method=fa2&B=1&H=16&mask=causal");
  const Roofs roofs = roofs_of(*gpu_named("l40s"));
  REQUIRE(!roofs[Roof::L2]);
  const Case asked = case_of(l40s.look());
  const WinRange range = win_range_at(Method::Standard, Method::Fa2, asked, roofs);
  // Every byte of DRAM passes through L2, so it is no slower.
  Roofs slow = roofs, fast = roofs;
  slow[Roof::L2] = slow[Roof::Dram];
  fast[Roof::L2] = Rate{1e18, "beyond any"};
  CHECK(range.least ==
        doctest::Approx(win(estimate_at(Method::Standard, asked, slow), estimate_at(Method::Fa2, asked, slow))));
  CHECK(range.most ==
        doctest::Approx(win(estimate_at(Method::Standard, asked, fast), estimate_at(Method::Fa2, asked, fast))));
  CHECK(range.least < 0.5 * range.most);
  CHECK(l40s.reading("win") == range.most);
  for (const Reading& r : l40s.readings())
    if (r.id == "win") CHECK(r.label.find(fmt::format("at least {:.2f}×, at most", range.least)) != std::string::npos);
  CHECK(l40s.board().caption(l40s.look()).find("the rate of L2 is not known") != std::string::npos);
  const On curves("curves?curve=win&gpu=l40s&mask=causal&d=64&N=16384");
  CHECK(curves.board().caption(curves.look()).find("at most") != std::string::npos);
  CHECK(curves.board().caption(curves.look()).find("over standard") != std::string::npos);
  const On known("estimate?gpu=h100");
  for (const Reading& r : known.readings()) CHECK(r.label.find("×") == std::string::npos);
}

TEST_CASE("Curves that keep their tokens say where they cannot any more") {
  for (const char* what : {"time", "win", "dram"}) {
    On tokens(fmt::format("curves?curve={}&gpu=h200&batch=tokens", what));
    const Scene scene = layout_window(tokens.session, tokens.view, {1920, 1080});
    CHECK(says(scene, "16,384 tokens in all"));
    On fixed(fmt::format("curves?curve={}&gpu=h200&batch=fixed", what));
    CHECK_FALSE(says(layout_window(fixed.session, fixed.view, {1920, 1080}), "tokens in all"));
  }
}

TEST_CASE("Other calls than the usual one: a mask, backward, one query, another batch") {
  const Roofs roofs = roofs_of(*gpu_named("h200"));
  Problem p = head(8192, 128);
  p.heads = 16;
  p.batch = 2;
  p.mask = Mask::Causal;
  CHECK(On("estimate?N=8192&d=128&gpu=h200&B=2&H=16&mask=causal").reading("time") ==
        estimate(Method::Fa3, p, roofs).time);
  p.mask = Mask::Full;
  CHECK(On("estimate?N=8192&d=128&gpu=h200&B=2&H=16&pass=backward").reading("time") ==
        estimate(Method::Fa3, p, roofs, Direction::Backward).time);
  const On decode("estimate?N=131072&d=128&gpu=h200&B=1&H=32&pass=decode");
  // All of K and V once: 2 GiB at 4.8 TB/s.
  CHECK(decode.reading("time_dram") == doctest::Approx(2.147e9 / 4.8e12).epsilon(0.01).scale(0));
  for (const Reading& r : decode.readings()) CHECK(r.id != "compute_bound_n");
  CHECK_MESSAGE(On("estimate?gpu=a100-80&method=fa3")
                        .board()
                        .caption(On("estimate?gpu=a100-80&method=fa3").look())
                        .find("compute capability 9.0") != std::string::npos,
                "a kernel that does not run there says so");
}

TEST_CASE("This GPU's roofs stand once all are measured, its launch among them") {
  On on("estimate?N=2048&d=128&gpu=this&method=standard&B=1&H=16");
  GpuStatus& gpu = on.view.gpu.status;
  gpu.hello = std::make_shared<const Hello>();
  gpu.state = GpuState::Ready;
  const auto drawn = [&] { return layout_window(on.session, on.view, {1920, 1080}); };
  CHECK(drawn().find("command:gpu-ceilings"));
  Ceilings some = *shipped_ceilings();
  some.ceilings.resize(2);
  gpu.ceilings = std::make_shared<const Ceilings>(some);
  gpu.measuring = kCeilingCount;
  offer_this_gpu(gpu);
  CHECK(on.readings().empty());
  CHECK(on.board().caption(on.look()).find("2 of 9") != std::string::npos);
  CHECK_FALSE(drawn().find("command:gpu-ceilings"));
  gpu.ceilings = std::make_shared<const Ceilings>(*shipped_ceilings());
  gpu.measuring = 0;
  offer_this_gpu(gpu);
  const double launches = on.reading("time_launch");
  CHECK(launches == roofs_of(*shipped_ceilings()).launch_time(3));
  CHECK(on.reading("overlapped") > launches);
  CHECK(drawn().find("reading:time_launch"));
  CHECK(says(drawn(), "of 3 kernels that do nothing"));
  // Stopped in the middle, or before the last one, the launch: not all roofs are known.
  Ceilings most = *shipped_ceilings();
  most.ceilings.pop_back();
  for (const Ceilings& part : {some, most}) {
    gpu.ceilings = std::make_shared<const Ceilings>(part);
    offer_this_gpu(gpu);
    CHECK(on.readings().empty());
  }
  // A worker that died: what happened, and the way to the next one.
  gpu.hello = nullptr;
  gpu.state = GpuState::Failed;
  gpu.what = "The GPU worker was ended by signal 9 (Killed).";
  CHECK(on.board().caption(on.look()).find("signal 9") != std::string::npos);
  CHECK(drawn().find("command:gpu-reconnect"));
  offer_this_gpu({});
}

TEST_CASE("Curves are the model's at every stop, and what was recorded stands on them") {
  const On on("curves?gpu=h200&d=128&curve=time&batch=tokens");
  const Roofs roofs = roofs_of(*gpu_named("h200"));
  const std::vector<Series> all = on.series();
  const auto of = [&](std::string_view id) {
    for (const Series& s : all)
      if (s.id == id) return s;
    return Series{};
  };
  const Series fa3 = of("time_fa3"), recorded = of("time_fa3_recorded");
  REQUIRE(fa3.points.size() == 11);
  CHECK(fa3.points.front().x == 256);
  CHECK(fa3.points.back().x == 262144);
  CHECK(fa3.origin == Origin::Model);
  Problem p = head(4096, 128);
  p.batch = 4;
  p.heads = 16;
  CHECK(value_at(fa3, 4096) == estimate(Method::Fa3, p, roofs).time);
  CHECK(recorded.origin == Origin::Recorded);
  REQUIRE(recorded.points.size() == 6);  // 512 to 16 K
  for (const RunResult& run : shipped_recordings())
    if (run.spec.problem.n_k == 4096 && run.spec.problem.d == 128 && run.spec.problem.mask == Mask::Full)
      for (const KernelResult& kernel : run.kernels)
        if (kernel.kernel == Method::Fa3 && kernel.label.empty()) {
          CHECK(recorded.points[3].value == kernel.timing->median * 1e-3);
          CHECK(recorded.points[3].low == kernel.timing->p10 * 1e-3);
          CHECK(recorded.points[3].high == kernel.timing->p90 * 1e-3);
        }
}

TEST_CASE("Who turns B or H on curves that keep all tokens keeps these") {
  for (const std::string_view knob : {"B", "H"}) {
    CAPTURE(std::string(knob));
    On on("curves?gpu=h200&d=128&N=4096");
    CHECK(says(layout_window(on.session, on.view, {1920, 1080}), "B 4, H 16, d 128"));
    turn_to(*board_named("curves"), on.view.board, knob, 32);
    const std::string now = knob == "B" ? "B 32, H " : "H 32, d 128";
    CHECK(says(layout_window(on.session, on.view, {1920, 1080}), now));
  }
}

TEST_CASE("The days of the runs that a chart of curves shows are said, and no others") {
  const auto says_day = [](std::string_view board, std::string_view day) {
    On on(board);
    return says(layout_window(on.session, on.view, {1920, 1080}), day);
  };
  // h200.json is of the 28th of November, h200-backward.json of the 27th.
  constexpr std::string_view kForward = "curves?gpu=h200&d=128&curve=time&batch=tokens",
                             kBackward = "curves?gpu=h200&d=128&curve=time&batch=tokens&pass=backward";
  CHECK(says_day(kForward, "2026-11-29"));
  CHECK_FALSE(says_day(kForward, "2026-11-27"));
  CHECK(says_day(kBackward, "2026-11-27"));
  CHECK_FALSE(says_day(kBackward, "2026-11-29"));
}

TEST_CASE("The backward pass has recorded times of its own, and none of them stands among the forward ones") {
  const auto recorded = [](const char* board) {
    for (const Series& s : On(board).series())
      if (s.id == "time_fa3_recorded") return s;
    return Series{};
  };
  const Series forward = recorded("curves?gpu=h200&d=128&curve=time&batch=tokens");
  const Series backward = recorded("curves?gpu=h200&d=128&curve=time&batch=tokens&pass=backward");
  REQUIRE(forward.points.size() == 6);
  REQUIRE(backward.points.size() == 6);
  for (const RunResult& run : shipped_recordings()) {
    const Problem& p = run.spec.problem;
    if (p.d != 128 || p.mask != Mask::Full || p.batch * p.n_k != 16384) continue;
    for (const KernelResult& kernel : run.kernels) {
      if (kernel.kernel != Method::Fa3Backward || !kernel.label.empty()) continue;
      const auto at = std::ranges::find(backward.points, double(p.n_k), &Series::Point::x);
      REQUIRE(at != backward.points.end());
      CHECK(at->value == kernel.timing->median * 1e-3);
      CHECK(at->value > forward.points[size_t(at - backward.points.begin())].value);
    }
  }
  for (const Series& s : On("curves?gpu=h200&curve=against").series())
    if (s.id.starts_with("ratio_fa3_")) CHECK(s.points.size() == 6);
}

TEST_CASE("Recordings are drawn for the GPU they were made on, and for no other") {
  for (const char* gpu : {"h100", "h100-pcie", "a100-80", "b200", "h200"})
    for (const char* what : {"time", "win", "l2", "dram", "against"}) {
      On on(fmt::format("curves?gpu={}&curve={}&batch=tokens&N=4096", gpu, what));
      CAPTURE(std::string(gpu));
      CAPTURE(std::string(what));
      const bool there = std::string_view(gpu) == "h200";
      const std::vector<Series> all = on.series();
      CHECK(std::ranges::any_of(all, [](const Series& s) { return s.origin == Origin::Recorded; }) == there);
      Scene scene;
      scene.size = {1600, 900};
      layout_board(scene, on.session, on.view, on.view.board, {0, 0, 1600, 900}, Style(Theme::Light, 1));
      CHECK(says(scene, "◆ ") == there);
    }
  // Nor for another shape.
  for (const Series& s : On("curves?gpu=h200&curve=time&batch=fixed&B=3&H=7").series())
    CHECK(s.origin == Origin::Model);
}

TEST_CASE("Neither board has a fault, whatever is asked of it") {
  size_t turn = 0;
  const auto look = [&](const std::string& words) {
    CAPTURE(words);
    On on(words);
    const auto& l = kLooks[turn++ % std::size(kLooks)];
    check_layout(on, l.size, l.scale, l.theme);
  };
  for (const char* gpu : {"v100", "h100", "h200", "h200-measured", "mi300x", "this"})
    for (const char* pass : {"forward", "backward", "decode"})
      for (const char* n : {"256", "593", "8192", "262144"}) {
        look(fmt::format("estimate?gpu={}&pass={}&N={}&method=fa3", gpu, pass, n));
        look(fmt::format("estimate?gpu={}&pass={}&N={}&method=eager&B=64&H=128&mask=causal", gpu, pass, n));
      }
  for (const char* what : {"time", "win", "l2", "dram", "memory", "against"})
    for (const char* gpu : {"t4", "h200", "this"})
      for (const char* n : {"256", "4096", "262144"}) {
        look(fmt::format("curves?curve={}&gpu={}&N={}&d=64", what, gpu, n));
        look(fmt::format("curves?curve={}&gpu={}&N={}&mask=causal&batch=fixed&B=64&H=128&pass=backward", what, gpu, n));
      }
  for (const auto& l : kLooks) {
    On estimate("estimate"), curves("curves"), against("curves?curve=against&method=fa2&mask=causal");
    for (On* on : {&estimate, &curves, &against}) check_layout(*on, l.size, l.scale, l.theme);
  }
}

TEST_CASE("N moves by pointer and by key; a dot of the comparison chooses its shape") {
  On on("curves?N=4096&gpu=h200&batch=fixed");
  const Board& board = on.board();
  board.nudge("board:plot", 1, 0, on.view.board);
  CHECK(on.look().knob("N") == 5120);
  board.nudge("board:plot", -1, 0, on.view.board);
  board.nudge("board:plot", -1, 0, on.view.board);
  CHECK(on.look().knob("N") == 3584);
  board.act("board:plot", {1, 0.5f}, true, on.view.board);
  CHECK(on.look().knob("N") == 262144);
  board.act("board:plot", {-3, 0.5f}, true, on.view.board);
  CHECK(on.look().knob("N") == 256);

  On against("curves?curve=against&gpu=h200");
  const Scene scene = layout_window(against.session, against.view, {1920, 1080});
  const auto dot = std::ranges::find_if(scene.regions, [](const Region& r) {
    return r.id.starts_with("board:dot/") && r.tip.starts_with("FA2, N = 1,024, d = 64, causal");
  });
  REQUIRE(dot != scene.regions.end());
  board.act(dot->id, {}, false, against.view.board);
  CHECK(against.look().knob("N") == 1024);
  CHECK(against.look().knob("d") == 0);
  CHECK(against.look().knob("mask") == 1);
  CHECK(against.look().knob("method") == 2);
  CHECK(against.reading("recorded") > 0);

  On ruler("estimate?N=8192");
  ruler.board().act("board:N", {0.5f, 0.5f}, true, ruler.view.board);
  CHECK(ruler.look().knob("N") == 8192);
  ruler.board().nudge("board:N", 1, 0, ruler.view.board);
  CHECK(ruler.look().knob("N") == 16384);
}

TEST_CASE("Pointing at the plot reads the values there") {
  On on("curves?N=4096&gpu=h200");
  const Scene before = layout_window(on.session, on.view, {1920, 1080});
  CHECK(says(before, "N = 4,096"));
  const auto strip = std::ranges::find_if(
      before.regions, [](const Region& r) { return r.id.starts_with("board:plot/") && r.tip == "N = 8,192"; });
  REQUIRE(strip != before.regions.end());
  pointer_moved(strip->rect.center(), before, on.session, on.view);
  const Scene after = layout_window(on.session, on.view, {1920, 1080});
  CHECK(says(after, "N = 8,192"));
}

TEST_CASE("A tool has all its knobs at hand, three at a time") {
  On on("estimate");
  std::vector<std::string_view> seen;
  for (int page = 0; page < 3; ++page) {
    for (const Knob* knob : knobs_in_reach(on.board(), on.view.board)) seen.push_back(knob->id);
    turn_knob(on.board(), on.view.board, "knob:more/", {}, false);
  }
  std::ranges::sort(seen);
  CHECK(std::ranges::adjacent_find(seen) == seen.end());
  CHECK(seen.size() == 9);
  CHECK(on.view.board.knob_page == 0);  // round and round
  // In a lesson there are three and no more.
  on.view.before_tool = nullptr;
  CHECK_FALSE(layout_window(on.session, on.view, {1920, 1080}).find("knob:more/"));
}

TEST_CASE("Labels are pushed apart, and no further than they must") {
  const std::vector<LabelPlace> wanted{{10, 20}, {12, 20}, {90, 10}, {95, 30}};
  const std::vector<float> placed = place_apart(wanted, 0, 120, 2);
  for (size_t a = 0; a < wanted.size(); ++a) {
    CHECK(placed[a] >= 0);
    CHECK(placed[a] + wanted[a].size <= 120.01f);
    for (size_t b = 0; b < wanted.size(); ++b)
      if (a != b)
        CHECK((placed[a] + wanted[a].size <= placed[b] - 1.99f || placed[b] + wanted[b].size <= placed[a] - 1.99f));
  }
  CHECK(place_apart({{40, 10}}, 0, 100, 2).at(0) == 40);
}

TEST_CASE("Between two points of a curve its value lies on a straight line of a log-log plot") {
  Series s;
  s.points = {{256, 1, 1, 1}, {1024, 16, 16, 16}};
  CHECK(value_at(s, 512) == doctest::Approx(4));
  CHECK(value_at(s, 1024) == 16);
  CHECK_FALSE(value_at(s, 2048));
  CHECK(tick_words(1e-5, "s") == "10 µs");
  CHECK(tick_words(1e9, "byte") == "1 GB");
}

TEST_CASE(
    "Runs of one's own and of this session stand on the curves beside the shipped ones, each a series of its own") {
  On on("curves?gpu=h200&N=8192&d=128&curve=time");
  const auto series = [&](std::string_view id) -> const Series* {
    static std::vector<Series> all;
    all = on.series();
    const auto found = std::ranges::find(all, id, &Series::id);
    return found == all.end() ? nullptr : &*found;
  };
  REQUIRE(series("time_fa3_recorded"));
  CHECK_FALSE(series("time_fa3_own"));
  CHECK_FALSE(series("time_fa3_measured"));
  for (const RunResult& run : shipped_recordings()) {
    if (run.spec.problem.n_k != 8192 || run.spec.problem.d != 128 || run.spec.problem.mask != Mask::Full) continue;
    auto mine = std::make_shared<RunResult>(run);
    mine->provenance.date = "2026-12-01T00:00:00Z";
    auto own = std::make_shared<Recordings>();
    own->all.push_back({mine, "mine.run.json"});
    on.view.gpu.recordings = own;
    on.view.gpu.measured = {mine};
    break;
  }
  REQUIRE(on.view.gpu.recordings);
  const Series* own = series("time_fa3_own");
  REQUIRE(own);
  CHECK(own->origin == Origin::Recorded);
  CHECK(own->source.find("mine.run.json") != std::string::npos);
  CHECK(own->points.size() == 1);
  CHECK(own->points[0].low <= own->points[0].value);
  CHECK(own->points[0].high >= own->points[0].value);
  const Series* live = series("time_fa3_measured");
  REQUIRE(live);
  CHECK(live->origin == Origin::Measured);
  CHECK(says(layout_window(on.session, on.view, {1920, 1080}), "■"));
  for (const auto& look : kLooks) check_layout(on, look.size, look.scale, look.theme);
  on.view.board.knobs["curve"] = 5;
  for (const auto& look : kLooks) check_layout(on, look.size, look.scale, look.theme);
}

}  // namespace tilewalk::test_estimate_boards
