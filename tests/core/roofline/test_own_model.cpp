// A model of one's own in four sentences: their numbers are the sheet's, and what was measured lies in what is
// expected.
#include "core/roofline/catalogue.h"
#include "core/roofline/own_model.h"
#include "core/run/shipped.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::test_own_model {

namespace {

EstimateSheet sheet_of(const Problem& problem, const char* gpu, Direction direction = Direction::Forward) {
  return estimate_sheet(problem, direction, Levels::WithL2, roofs_of(*gpu_named(gpu)));
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("A call that was recorded is told with its own figures, and they lie in what is expected") {
  int told = 0;
  double off = 1;
  for (const RecordedGpu gpu : kRecordedGpus) {
    const std::vector<RunResult>& runs = shipped_recordings(gpu);
    for (const RunResult& run : runs) {
      const Problem& p = run.spec.problem;
      const auto time_of = [&](Method id) {
        const auto kernel = std::ranges::find_if(
            run.kernels, [&](const KernelResult& k) { return k.label.empty() && k.kernel == id && k.timing; });
        return kernel == run.kernels.end() ? 0.0 : kernel->timing->median * 1e-3;
      };
      const double fa3 = time_of(Method::Fa3), standard = time_of(Method::Standard);
      if (p.n_q < 512 || p.n_q != p.n_k || fa3 == 0 || standard == 0) continue;
      const EstimateSheet sheet = sheet_of(p, std::string(id_of(gpu)).c_str());
      INFO(sheet.roofs.title, " N ", p.n_k, " d ", p.d, " ", name_of(p.mask));
      REQUIRE(sheet.fused == Method::Fa3);
      const auto near = measured_near(sheet, runs);
      REQUIRE(near);
      CHECK(near->time == fa3);
      REQUIRE(near->over_standard);
      CHECK(*near->over_standard == doctest::Approx(standard / fa3));
      const auto range = expected_win(sheet, Method::Standard);
      REQUIRE(range);
      // H100's bands are the H200's and published ones: a little beside them is told by the measured figure.
      const double alone = *near->over_standard / sheet.win_over(Method::Standard, Method::Fa3).most;
      CHECK(has(own_model(sheet, runs).win, "what the model alone says") == (alone > 1.25 || alone < 0.8));
      off = std::max({off, range->least / *near->over_standard, *near->over_standard / range->most});
      ++told;
    }
  }
  CHECK(told >= 40);
  CHECK(off < 1.1);
}

TEST_CASE("That S and P may stay in L2 is said where L2 holds them, and nowhere else") {
  Problem p;
  p.batch = 1, p.heads = 12, p.d = 64;
  for (const auto& [n, holds] : {std::pair{512, true}, {8192, false}}) {
    CAPTURE(n);
    p.n_q = p.n_k = n;
    const std::vector<std::string> unknown = own_model(sheet_of(p, "rtx4090"), {}).unknown;
    CHECK(std::ranges::any_of(unknown, [](const std::string& s) { return has(s, "may stay in L2"); }) == holds);
  }
}

TEST_CASE("What a call waits for is its longest roof, and where that turns it turns") {
  const char* const gpus[] = {"h100", "h200", "a100-80", "l4"};
  int bounds[2] = {};
  for (const int64_t n : {128, 400, 1000, 3000, 20000})
    for (const int64_t d : {64, 128})
      for (const char* gpu : gpus)
        for (const Mask mask : {Mask::Full, Mask::Causal}) {
          const Problem p{.heads = 32, .n_q = n, .n_k = n, .d = d, .br = 128, .bc = 128, .mask = mask};
          const EstimateSheet sheet = sheet_of(p, gpu);
          const OwnModel said = own_model(sheet, {});
          INFO(gpu, " ", n, " ", d, ": ", said.bound, " ", said.turns);
          const Roof binds = sheet.of(sheet.fused).binds;
          CHECK(has(said.bound, "memory-bound") == (binds == Roof::Dram));
          ++bounds[binds == Roof::Dram];
          CHECK(has(said.memory, "does not fit") == !sheet.of(Method::Standard).fits);
          CHECK_FALSE(has(said.win, "Measured"));
          if (!sheet.bound.computes) continue;
          const int64_t turn = *sheet.bound.computes;
          Problem there = p;
          there.n_q = there.n_k = turn;
          const EstimateSheet at = sheet_of(there, gpu);
          if (at.fused == sheet.fused) CHECK(has(own_model(at, {}).bound, "compute-bound"));
        }
  CHECK(bounds[0] >= 20);
  CHECK(bounds[1] >= 10);
}

TEST_CASE("What is not known is told where it applies, and only there") {
  const auto unknown = [](const Problem& p, const char* gpu, Direction direction = Direction::Forward) {
    std::string all;
    for (const std::string& each : own_model(sheet_of(p, gpu, direction), shipped_recordings()).unknown) all += each;
    return all;
  };
  const Problem usual{.batch = 4, .heads = 16, .n_q = 4096, .n_k = 4096, .d = 128, .br = 128, .bc = 128};
  CHECK_FALSE(has(unknown(usual, "h200"), "No recording is near"));
  CHECK_FALSE(has(unknown(usual, "h200"), "is counted as"));
  CHECK_FALSE(has(unknown(usual, "h200"), "left out: times"));
  CHECK(has(unknown(usual, "h200", Direction::Backward), "backward"));
  Problem other = usual;
  other.d = 80;
  CHECK(has(unknown(other, "h200"), "d = 80 is counted as 96"));
  other = usual;
  other.n_q = other.n_k = 200'000;
  CHECK(has(unknown(other, "h200"), "No recording is near"));
  CHECK(has(unknown(usual, "l4"), "The rate of L2 is not known"));
  // Another GPU's recording is near to nothing.
  for (const char* gpu : {"l4", "a100-80", "h100-pcie"}) CHECK(has(unknown(usual, gpu), "No recording is near"));
  // One query: bandwidth alone counts, at any N.
  other = usual;
  other.n_q = 1;
  CHECK(has(own_model(sheet_of(other, "h200"), {}).turns, "does not turn"));
}

TEST_CASE("Too few blocks are said where they make most of the time, and nowhere else") {
  Problem p;
  p.batch = 1, p.heads = 8, p.n_q = p.n_k = 512, p.d = 128;
  const EstimateSheet few = sheet_of(p, "h100");  // 32 blocks
  REQUIRE(few.fused == Method::Fa3);
  CHECK(has(own_model(few, {}).bound,
            "But 76 % of that time is there because its 32 blocks are too few for 132 multiprocessors."));
  p.heads = 1, p.n_q = p.n_k = 128;
  CHECK(has(own_model(sheet_of(p, "h100"), {}).bound, "its one block leaves 131 multiprocessors idle."));
  p.heads = 64, p.n_q = p.n_k = 512;
  CHECK_FALSE(has(own_model(sheet_of(p, "h100"), {}).bound, "too few"));
}

}  // namespace tilewalk::test_own_model
