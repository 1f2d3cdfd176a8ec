// What is told of a max that rises follows what the program does with alpha.
#include "core/judge/shrinks.h"

#include "core/io/embedded.h"
#include "core/playback/narrate.h"
#include "core/playback/row_view.h"
#include "core/schedules/schedule.h"
#include "core/walk/reader.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tilewalk::test_shrinks {

namespace {

std::string with_line(std::string text, std::string_view was, std::string_view is) {
  const size_t at = text.find(was);
  REQUIRE(at != std::string::npos);
  return text.replace(at, was.size(), is);
}

const std::string& fa2_text() {
  static const std::string text(embedded_file("core/schedules/fa2.walk"));
  return text;
}

// What is said wherever a row's max rises from one number to another, of the first row of which it is so.
std::vector<std::string> said_of_rises(const std::string& text) {
  const WalkRead read = read_walk(text);
  REQUIRE(read.program);
  const Schedule schedule = own_schedule(*read.program);
  Problem problem;
  problem.n_q = problem.n_k = 12, problem.d = 4, problem.br = problem.bc = 3;
  Replay replay(schedule, make_plan(schedule, problem, VariantId::Paper), test::roomy(), generate_inputs(problem));
  std::vector<std::string> all;
  for (int64_t k = 1; k <= replay.length(); ++k) {
    const Step step = replay.steps()[size_t(k) - 1];
    if (step.kind != StepKind::RowMax || step.i > 0) continue;
    const MachineState before = replay.at(k - 1), after = replay.at(k);
    for (int64_t row = 0; row < 3; ++row) {
      const double was = view_row(before, step.i, step.j, row).m.value_or(-INFINITY);
      const double now = *view_row(after, step.i, step.j, row).m;
      if (!std::isfinite(was) || now == was) continue;
      all.push_back(narrate(replay, k - 1, k, row).caption);
      CHECK(all.back().size() <= 130);
    }
  }
  REQUIRE_FALSE(all.empty());
  return all;
}

void all_say(const std::string& text, std::string_view end) {
  for (const std::string& said : said_of_rises(text)) {
    CAPTURE(said);
    CHECK(said.ends_with(end));
  }
}

}  // namespace

TEST_CASE("A caption says that sums shrink where the program shrinks them") {
  all_say(fa2_text(), ", so all that was summed shrinks.");
  const std::string l = with_line(fa2_text(), "l = alpha l +", "l = l +");
  const std::string o = with_line(fa2_text(), "O = alpha O +", "O = O +");
  all_say(l, ", so O shrinks, but l does not.");
  all_say(o, ", so l shrinks, but O does not.");
  all_say(with_line(l, "O = alpha O +", "O = O +"), ", but nothing that was summed shrinks.");
  all_say(std::string(embedded_file("core/schedules/fa3.walk")), ", so all that was summed shrinks.");
  all_say(std::string(embedded_file("core/schedules/fa1.walk")), ", so all that was summed shrinks.");
}

TEST_CASE("A max without alpha is told by whether a sum has begun") {
  all_say(std::string(embedded_file("core/schedules/standard.walk")), "No sum has begun, so nothing shrinks.");
  constexpr std::string_view kOneLoop =
      "for each Q tile i, in parallel:\n"
      "  load Q[i];  m = -inf;  l = 0;  O = 0\n"
      "  for each K/V tile j:\n"
      "    load K[j], V[j]\n"
      "    S = Q[i] K[j]^T * scale\n"
      "    m = max(m, rowmax(S))\n"
      "    P = exp(S - m);  l = l + rowsum(P)\n"
      "    O = O + P V[j]\n"
      "  O = O / l\n"
      "  store O[i]\n";
  all_say(std::string(kOneLoop), "What was summed before was weighed with the old max.");
  // O alone has begun.
  all_say(with_line(std::string(kOneLoop), ";  l = l + rowsum(P)", ""),
          "What was summed before was weighed with the old max.");
}

TEST_CASE("A loop that takes in the max and sums nothing is told so") {
  const WalkRead read = read_walk(
      "for each Q tile i, in parallel:\n"
      "  load Q[i];  m = -inf;  l = 0;  O = 0\n"
      "  for each K/V tile j:\n"
      "    load K[j]\n"
      "    S = Q[i] K[j]^T * scale\n"
      "    m = max(m, rowmax(S))\n"
      "  for each K/V tile j:\n"
      "    load K[j], V[j]\n"
      "    S = Q[i] K[j]^T * scale\n"
      "    P = exp(S - m);  l = l + rowsum(P)\n"
      "    O = O + P V[j]\n"
      "  O = O / l\n"
      "  store O[i]\n");
  REQUIRE(read.program);
  const Schedule schedule = own_schedule(*read.program);
  Step step{.kind = StepKind::RowMax, .line = 5};
  CHECK_FALSE(shrinks_of(schedule, {}, step).sums());
  step = {.kind = StepKind::RowSum, .line = 9};
  const Shrinks second = shrinks_of(schedule, {}, step);
  CHECK(second.sums_l);
  CHECK(second.sums_o);
  CHECK_FALSE(second.l);
  CHECK_FALSE(second.o);
}

}  // namespace tilewalk::test_shrinks
