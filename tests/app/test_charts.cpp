// The charts of traced and compared runs, from made-up traces with known answers: what they say, and that nothing is
// cut off, hidden or too small at any size.
#include "app/charts/difference_chart.h"
#include "app/charts/lanes_chart.h"
#include "app/charts/statistics_chart.h"
#include "app/scene/layout_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tilewalk;

namespace {

// A producer and two warpgroups over `tiles` K/V tiles, in the pattern of a pipeline.
KernelTrace trace_of(int tiles) {
  KernelTrace trace;
  trace.lanes = {"producer", "warpgroup 1", "warpgroup 2"};
  trace.traced_ms = 0.22;
  trace.plain_ms = 0.2;
  trace.block_row_tile = 2;
  for (int n = 0; n < tiles; ++n) {
    const int64_t tile = tiles - 1 - n, t = n * 2000;
    trace.stamps.push_back({0, "LoadK", tile, t, t + 600});
    trace.stamps.push_back({0, "LoadV", tile, t + 600, t + 900});
    for (int lane : {1, 2}) {
      const int64_t at = t + 300 * lane;
      trace.stamps.push_back({lane, "Wait", tile, at, at + 500});
      trace.stamps.push_back({lane, "Score", tile, at + 500, at + 900});
      trace.stamps.push_back({lane, "Accumulate", tile, at + 900, at + 1700});
      trace.stamps.push_back({lane, "Exponentiate", tile, at + 900, at + 1500});
      trace.stamps.push_back({lane, "Rescale", tile, at + 1700, at + 1800});
    }
  }
  return trace;
}

struct At {
  Vec2 size;
  float scale;
};
constexpr At kSizes[] = {{{400, 420}, 1}, {{760, 480}, 1}, {{1400, 700}, 1}, {{2800, 1400}, 2}, {{2100, 1500}, 3}};

template <class Draw>
void check_everywhere(Draw&& draw) {
  for (Theme theme : {Theme::Light, Theme::Dark, Theme::Projector})
    for (const At& at : kSizes) {
      const Style style(theme, at.scale);
      Scene scene;
      scene.size = at.size;
      scene.background = style[Role::Background];
      draw(scene, Rect{0, 0, at.size.x, at.size.y}.inset(8 * at.scale), style);
      std::string all;
      for (const std::string& fault : layout_faults(scene, 14 * at.scale, at.scale)) all += "\n  " + fault;
      CHECK_MESSAGE(all.empty(), at.size.x, "x", at.size.y, " at ", at.scale, all);
    }
}

bool says(const Scene& scene, std::string_view words) {
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->text.find(words) != std::string::npos)
      return true;
  return false;
}

RowStatistics statistics(int64_t tiles, int64_t rows) {
  RowStatistics s{tiles, rows, {}, {}};
  for (int64_t j = 0; j < tiles; ++j)
    for (int64_t r = 0; r < rows; ++r) {
      s.m.push_back(float(2 + r));
      s.l.push_back(float(1 + j));
    }
  return s;
}

const float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("The lanes chart fits everywhere, whole and zoomed") {
  const KernelTrace trace = trace_of(16);
  check_everywhere([&](Scene& s, Rect r, const Style& style) { layout_lanes_chart(s, trace, {}, r, style); });
  check_everywhere([&](Scene& s, Rect r, const Style& style) { layout_lanes_chart(s, trace, {7}, r, style); });
  const KernelTrace none{};
  check_everywhere([&](Scene& s, Rect r, const Style& style) { layout_lanes_chart(s, none, {}, r, style); });
}

TEST_CASE("A bar's length is its share of the cycles, and its tip says them") {
  const KernelTrace trace = trace_of(4);
  Scene scene;
  scene.size = {1400, 700};
  const Style style(Theme::Light, 1);
  layout_lanes_chart(scene, trace, {}, {0, 0, 1400, 700}, style);
  CHECK(says(scene, "1.10×"));
  CHECK(says(scene, "Q tile 3"));
  const Region *load = scene.find("stamp:0"), *other = scene.find("stamp:1");
  REQUIRE(load);
  REQUIRE(other);
  CHECK(load->rect.w / other->rect.w == doctest::Approx(2).epsilon(0.02));
  CHECK(load->tip.find("LoadK, K/V tile 4: 600 cycles") != std::string::npos);
  CHECK(scene.find("stamp:2")->tip.starts_with("Waits"));
  CHECK_FALSE(scene.find("zoom:all"));

  Scene zoomed;
  layout_lanes_chart(zoomed, trace, {0}, {0, 0, 1400, 700}, style);
  CHECK(zoomed.find("zoom:all"));
  CHECK(says(zoomed, "Exponentiate"));
}

TEST_CASE("Differences: the largest and its place, equal infinities, broken elements") {
  std::vector<float> a{1, 2, 3, -kInfinity, 5, 6}, b{1, 2.5f, 3, -kInfinity, 4, 6};
  const Difference d = difference_of(a, b, 2, 3);
  CHECK(d.largest == doctest::Approx(1));
  CHECK(d.row == 1);
  CHECK(d.col == 1);
  CHECK(d.magnitude == doctest::Approx(6));
  CHECK(d.incomparable == 0);
  a[0] = kNaN;
  CHECK(difference_of(a, b, 2, 3).incomparable == 1);

  Scene scene;
  layout_difference_chart(scene, "O", a, b, 2, 3, {0, 0, 600, 400}, Style(Theme::Light, 1));
  CHECK(says(scene, "Finite in one of the two only: 1."));
  CHECK(says(scene, "row 2, column 2"));
}

TEST_CASE("The difference chart fits everywhere, whatever the shape") {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{64, 32}, {2048, 64}, {1, 1}, {7, 128}}) {
    std::vector<float> a(size_t(rows * cols)), b(a.size());
    for (size_t k = 0; k < a.size(); ++k) a[k] = float(k % 17) * 1e-4f, b[k] = float(k % 13) * 1e-4f;
    check_everywhere([&](Scene& s, Rect r, const Style& style) {
      layout_difference_chart(s, "O, FA2 on the GPU − simulator", a, b, rows, cols, r, style);
    });
  }
}

TEST_CASE("The gap between two traces: relative to the row's largest m, and to l") {
  RowStatistics kernel = statistics(4, 3), simulator = kernel;
  CHECK(statistics_gap(kernel, simulator).m == 0);
  CHECK(statistics_gap(kernel, simulator).compared == 12);
  kernel.m[3 + 2] += 0.004f;  // tile 2, row 3, whose m is 4
  kernel.l[0] = 1.01f;
  const StatisticsGap gap = statistics_gap(kernel, simulator);
  CHECK(gap.m == doctest::Approx(0.001).epsilon(0.01));
  CHECK(gap.l == doctest::Approx(0.01).epsilon(0.01));
  CHECK(gap.missing == 0);
  kernel.m[1] = kNaN;
  CHECK(statistics_gap(kernel, simulator).missing == 1);
  kernel.m[1] = simulator.m[1] = -kInfinity;
  CHECK(statistics_gap(kernel, simulator).m == doctest::Approx(0.001).epsilon(0.01));
}

TEST_CASE("The statistics chart fits everywhere, and shows the last tiles where there are many") {
  const RowStatistics few = statistics(4, 3), many = statistics(64, 3);
  for (const RowStatistics* s : {&few, &many})
    check_everywhere([&](Scene& scene, Rect r, const Style& style) {
      layout_statistics_chart(scene, *s, *s, 1, true, r, style);
    });
  Scene scene;
  layout_statistics_chart(scene, many, many, 1, true, {0, 0, 800, 300}, Style(Theme::Light, 1));
  CHECK(says(scene, "tiles before"));
  Scene all;
  layout_statistics_chart(all, few, few, 1, true, {0, 0, 800, 300}, Style(Theme::Light, 1));
  CHECK_FALSE(says(all, "tiles before"));
}
