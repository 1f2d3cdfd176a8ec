// What is said of programs that are not attention, and of those that are it the long way round.
#include "core/judge/judge.h"

#include "core/io/embedded.h"
#include "core/walk/reader.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_judge {

namespace {

Verdict verdict_on(std::string_view schedule, std::string_view from, std::string_view to) {
  std::string text(embedded_file("core/schedules/" + std::string(schedule) + ".walk"));
  const size_t at = text.find(from);
  REQUIRE(at != text.npos);
  const WalkRead read = read_walk(text.replace(at, from.size(), to));
  for (const WalkFault& fault : read.faults) FAIL(fault.line << ": " << fault.message);
  return judge(*read.program);
}

bool holds(const Verdict& verdict, std::string_view words) { return verdict.message.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("what broke first is said with its line, tile, row and numbers") {
  const Verdict o = verdict_on("fa2", "O = alpha O + P", "O = O + P");
  CHECK(o.kind == Verdict::Kind::Wrong);
  CHECK(o.line == 10);
  CHECK(o.message.starts_with("tile 2, row "));
  CHECK(holds(o, "m rose from "));
  CHECK(holds(o, " and O was not rescaled; its first 2 keys now weigh "));
  CHECK(holds(o, " times too much."));

  const Verdict l = verdict_on("fa2", "l = alpha l + rowsum(P)", "l = l + rowsum(P)");
  CHECK(l.line == 9);
  CHECK(holds(l, " and the sum l was not rescaled"));

  CHECK(holds(verdict_on("fa2", "O = alpha O + P V[j]", "O = alpha O"), " has taken in K/V tile 1, and O has not."));
  CHECK(holds(verdict_on("fa2", ";  l = alpha l + rowsum(P)", ""), " has taken in K/V tile 1, and l has not."));
  CHECK(holds(verdict_on("fa2", "O = O / l;  ", ""), " is stored before it is divided by l."));
  CHECK(holds(verdict_on("fa2", "O = O / l;", "O = O / l;  O = O / l;"), " is divided by l a second time."));
  CHECK(holds(verdict_on("fa1", ";  O = l O", ""),
              "was divided by l already, and P V is a sum: divide once, behind the loop, or multiply O by l first."));
}

TEST_CASE("woven, as FA3 is, the tile that raised m is named, not the one that the turn adds") {
  std::string text(embedded_file("core/schedules/fa3.walk"));
  const std::string_view line = "    O = alpha O\n";
  text.erase(text.find(line), line.size());
  Problem p;
  p.n_q = p.n_k = 64;
  p.d = 32;
  p.br = p.bc = 16;
  p.seed = 7;
  for (const Mask mask : {Mask::Full, Mask::Causal}) {
    p.mask = mask;
    const Verdict verdict = judge_on(*read_walk(text).program, p, generate_inputs(p));
    CHECK(verdict.message.starts_with(mask == Mask::Full ? "tile 2, row 1: m rose" : "tile 2, row 22: m rose"));
    CHECK(holds(verdict, " and O was not rescaled; its first 16 keys now weigh 1.9 times too much."));
  }
}

TEST_CASE("two blocks that store one tile are a race, atomic adds are none") {
  const Verdict stored =
      verdict_on("fa2-backward", "dQ[i] += dS K[j] * scale", "load dQ[i];  dQ = dQ + dS K[j] * scale;  store dQ[i]");
  CHECK(stored.kind == Verdict::Kind::Wrong);
  CHECK(holds(stored, "a race: two thread blocks that run side by side both use dQ tile "));
  CHECK(stored.line == 19);
  CHECK(stored.backward);
  CHECK(verdict_on("fa2-backward", ", in any order", "").kind == Verdict::Kind::Exact);
  // One after the other, the same is right.
  CHECK(verdict_on("fa1-backward", "for each Q tile i that sees j", "for each Q tile i").kind == Verdict::Kind::Exact);
}

TEST_CASE("a store that is missing, and one that comes too early") {
  CHECK(holds(verdict_on("fa2", "store O[i], L[i]", "store L[i]"), "O tile 1 is never stored."));
  CHECK(holds(verdict_on("fa2-backward", "store dK[j], dV[j]", "store dV[j]"), "dK tile 1 is never stored."));
  CHECK(holds(verdict_on("fa1-kernel", "at the last visit:", "at the first visit:"), "was never stored: store "));
}

TEST_CASE("what is done twice is told, whether it harms or not") {
  const Verdict harmless =
      verdict_on("fa2", "    S = Q[i] K[j]^T * scale\n", "    S = Q[i] K[j]^T * scale\n    S = Q[i] K[j]^T * scale\n");
  CHECK(harmless.kind == Verdict::Kind::Exact);
  CHECK(harmless.message == "S is made 2 times for each tile.");
  const Verdict harmful = verdict_on("fa2", "O = alpha O + P V[j]", "O = alpha O + P V[j];  O = O + P V[j]");
  CHECK(harmful.line == 10);
  CHECK(holds(harmful, " takes in K/V tile 1 twice."));
  CHECK(
      holds(verdict_on("fa3", "    O = alpha O\n", "    O = alpha O;  O = alpha O\n"), "a second time in this visit."));
}

TEST_CASE("a softmax over some of the keys is approximate") {
  const Verdict some = verdict_on("fa2",
                                  "    load K[j], V[j]\n"
                                  "    S = Q[i] K[j]^T * scale\n"
                                  "    m' = max(m, rowmax(S));  alpha = exp(m - m')\n"
                                  "    P = exp(S - m');  l = alpha l + rowsum(P)\n"
                                  "    O = alpha O + P V[j]\n",
                                  "    at the first visit:\n"
                                  "      load K[j], V[j]\n"
                                  "      S = Q[i] K[j]^T * scale\n"
                                  "      m' = max(m, rowmax(S));  alpha = exp(m - m')\n"
                                  "      P = exp(S - m');  l = alpha l + rowsum(P)\n"
                                  "      O = alpha O + P V[j]\n");
  CHECK(some.kind == Verdict::Kind::Approximate);
  CHECK(holds(some, "leaves out K/V tile"));
}

TEST_CASE("a product that waits for the next tile is attention too, where a Q tile sees no key as well") {
  const WalkRead read = read_walk(R"(
for each Q tile i, in parallel:
  load Q[i];  O = 0;  l = 0;  m = -inf
  for each K/V tile j that i sees:
    load K[j], V[j]
    S = Q[i] K[j]^T * scale
    O = alpha O + P[i,j-1] V[j-1]
    m' = max(m, rowmax(S));  alpha = exp(m - m')
    P = exp(S - m');  l = alpha l + rowsum(P)
  O = alpha O + P V[j]
  O = O / l
  store O[i]
)");
  REQUIRE(read.program);
  const Verdict verdict = judge(*read.program);
  CHECK_MESSAGE(verdict.kind == Verdict::Kind::Exact, verdict.line << ": " << verdict.message);
}

TEST_CASE("a verdict names the problem on which it broke") {
  const Verdict o = verdict_on("fa2", "O = alpha O + P", "O = O + P");
  CHECK(o.problem.format == Format::Float64);
  CHECK(o.problem.n_k > o.problem.bc);  // two visits at least, or nothing would be rescaled
}

TEST_CASE("a program is judged on one problem with its inputs, and the problem is named") {
  std::string text(embedded_file("core/schedules/fa2.walk"));
  const WalkRead right = read_walk(text);
  const WalkRead wrong = read_walk(text.replace(text.find("O = alpha O + P"), 15, "O = O + P"));
  REQUIRE(wrong.program);
  Problem p;
  p.n_q = p.n_k = 9, p.d = 4, p.br = 3, p.bc = 2;
  p.format = Format::Float32;
  p.mistake = Mistake::NoRescale;  // the reference makes none, and neither does the judge
  const Inputs inputs = generate_inputs(p);
  REQUIRE(can_judge_on(p, inputs));
  CHECK(judge_on(*right.program, p, inputs).kind == Verdict::Kind::Exact);
  const Verdict verdict = judge_on(*wrong.program, p, inputs);
  CHECK(verdict.kind == Verdict::Kind::Wrong);
  CHECK(verdict.line == 10);
  CHECK(holds(verdict, " and O was not rescaled"));
  // One tile of keys: nothing rises.
  p.bc = 9;
  CHECK(judge_on(*wrong.program, p, inputs).kind == Verdict::Kind::Exact);
  CHECK(words_of_judged(p) == "N = 9, tiles of 3 × 9");
  p.n_k = 5, p.br = p.bc = 2, p.mask = Mask::Causal;
  CHECK(words_of_judged(p) == "9 queries, 5 keys, tiles of 2, causal");
  CHECK_FALSE(can_judge_on(p, inputs));
  p.n_q = p.n_k = 1024;
  CHECK_FALSE(can_judge_on(p, generate_inputs(p)));
}

}  // namespace tilewalk::test_judge
