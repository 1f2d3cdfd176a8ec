// Where things turn: ridges, turning points, memory, the law, Amdahl; and what a drawing is worth.
#include "core/roofline/score.h"
#include "core/roofline/turning.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace tilewalk;

namespace {

Roofs gpu(std::string_view id) { return roofs_of(*gpu_named(id)); }
std::string figure(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

}  // namespace

TEST_CASE("Ridges of the catalogue") {
  const std::pair<const char*, const char*> rows[] = {
      {"v100", "139"},    {"t4", "203"},   {"a100-40", "201"}, {"a100-80", "153"},   {"rtx3090", "76"},
      {"rtx4090", "164"}, {"l4", "403"},   {"l40s", "419"},    {"h100-pcie", "378"}, {"h100", "295"},
      {"h200", "206"},    {"b200", "292"}, {"mi300x", "247"}};
  for (const auto& [id, ridge] : rows) {
    CAPTURE(id);
    CHECK(figure(gpu(id).ridge(), 0) == ridge);
  }
  CHECK(figure(2 * gpu_named("a100-80")->fp32_rate() * 1e-12, 1) == "19.5");  // TFLOP/s, a multiply-add as two
  CHECK(figure(gpu("a100-80")[Roof::Tensor]->value / (2 * gpu_named("a100-80")->fp32_rate()), 0) == "16");
}

TEST_CASE("Fused attention is compute-bound from twice the ridge on") {
  const Problem p{.d = 128}, causal{.d = 128, .mask = Mask::Causal};
  CHECK(figure(compute_bound_about(gpu("a100-80").ridge(), p), 0) == "306");
  CHECK(figure(compute_bound_about(gpu("h200").ridge(), p), 0) == "412");
  CHECK(figure(compute_bound_about(gpu("h100").ridge(), p), 0) == "591");
  CHECK(compute_bound_exact(gpu("h100").ridge(), p) == 593);
  CHECK(figure(compute_bound_about(gpu("h100").ridge(), causal), 0) == "1181");
  // The estimate turns at the same N.
  const Roofs h100 = gpu("h100");
  for (const auto& [n, bound] : {std::pair{592, Roof::Dram}, {593, Roof::Tensor}}) {
    Problem at{.n_q = n, .n_k = n, .d = 128};
    const Estimate e = estimate(Method::Fa3, at, h100);
    CHECK((e[Roof::Tensor] >= e[Roof::Dram]) == (bound == Roof::Tensor));
  }
}

TEST_CASE("The law for long N") {
  struct Row {
    const char* id;
    const char *narrow, *wide;  // d = 64, 128
  };
  for (const Row& row : {Row{"a100-80", "4.8", "2.4"}, Row{"h100", "9.2", "4.6"}, Row{"h200", "6.4", "3.2"},
                         Row{"rtx4090", "5.1", "2.6"}}) {
    CAPTURE(row.id);
    CHECK(figure(law_win(gpu(row.id).ridge(), Problem{.d = 64}), 1) == row.narrow);
    CHECK(figure(law_win(gpu(row.id).ridge(), Problem{.d = 128}), 1) == row.wide);
  }
  CHECK(figure(law_win(gpu("a100-80").ridge(), Problem{.d = 128}, 0.6), 2) == "1.43");
  // What the law leaves out is d / N, and what the model adds.
  const Problem p{.n_q = 65536, .n_k = 65536, .d = 128};
  const Roofs h100 = gpu("h100");
  const double model = win(estimate(Method::Standard, p, h100), estimate(Method::Fa3, p, h100), Pace::Overlapped);
  CHECK(model == doctest::Approx(law_win(h100.ridge(), p)).epsilon(0.005));
  Problem causal = p;
  causal.mask = Mask::Causal;
  CHECK(law_win(h100.ridge(), causal) == 2 * law_win(h100.ridge(), p));
}

TEST_CASE("Memory: where standard attention stops") {
  Problem p{.heads = 32, .n_q = 32768, .n_k = 32768, .d = 128};
  constexpr double kGiB = 1 << 30;
  const double rest = memory_of(Method::Fa2, p) - 4.0 * 32768 * 32;  // Q, K, V, O
  // S and P at once, whoever runs the three kernels; backward P, dP and dS.
  for (const Method unfused : {Method::Standard, Method::Eager}) {
    CHECK((memory_of(unfused, p) - rest) / kGiB == 128);
    CHECK((memory_of(unfused, p, Direction::Backward) - 2 * rest) / kGiB == 192);
  }
  // Our kernel's P goes over S, which is in fp32 where scores may be large.
  CHECK((memory_in_place(p) - rest) / kGiB == 64);
  Problem typed = p;
  typed.distribution = Distribution::Custom;
  CHECK((memory_in_place(typed) - rest) / kGiB == 128);
  CHECK(memory_of(Method::Fa2, p) - rest == 4 << 20);  // L
  p.heads = 1;
  p.n_q = p.n_k = 131072;
  CHECK((memory_of(Method::Standard, p) - (memory_of(Method::Fa2, p) - 4.0 * 131072)) / kGiB == 64);

  const Roofs h100 = gpu("h100");
  p.heads = 32;
  const int64_t longest = *longest_that_fits(Method::Standard, p, h100);
  p.n_q = p.n_k = longest;
  CHECK(memory_of(Method::Standard, p) <= h100.memory_bytes);
  CHECK(estimate(Method::Standard, p, h100).fits);
  p.n_q = p.n_k = longest + 1;
  CHECK(memory_of(Method::Standard, p) > h100.memory_bytes);
  CHECK(!estimate(Method::Standard, p, h100).fits);
  CHECK(*longest_that_fits(Method::Fa2, p, h100) > 10 * longest);
  CHECK(*longest_that_fits(Method::Fa3, p, h100, Direction::Backward) < *longest_that_fits(Method::Fa3, p, h100));
  Roofs unknown = h100;
  unknown.memory_bytes = 0;
  CHECK(!longest_that_fits(Method::Standard, p, unknown));
}

TEST_CASE("The win saturates, and stays there") {
  const Roofs h100 = gpu("h100");
  Problem p{.heads = 16, .d = 128};
  const Saturation s = saturation(Method::Standard, Method::Fa3, p, h100);
  CHECK(s.limit == doctest::Approx(law_win(h100.ridge(), p)).epsilon(0.02));
  const auto at = [&](int64_t n) {
    Problem q = p;
    q.n_q = q.n_k = n;
    const auto of = [&](Method m) { return estimate(work_of(m, q), h100, Levels::WithL2, true); };
    return win(of(Method::Standard), of(Method::Fa3)) / s.limit;
  };
  CHECK(at(s.n - 1) < 0.95);
  for (double n = double(s.n); n < double(kLongest); n *= 1.3) CHECK(at(int64_t(n)) >= 0.95);
}

TEST_CASE("A model's gain is Amdahl's") {
  CHECK(amdahl(0.5, 4) == doctest::Approx(1.6));
  CHECK(amdahl(0, 100) == 1);
  CHECK(amdahl(1, 3) == doctest::Approx(3));
}

TEST_CASE("A drawing is worth the mean of its four numbers") {
  CHECK(score_drawn({100, 100}).points == 100);
  CHECK(score_drawn({124, 100}).points == 80);
  CHECK(score_drawn({100, 149}).points == 60);
  CHECK(score_drawn({199, 100}).points == 30);
  CHECK(score_drawn({201, 100}).points == 0);
  CHECK(score_drawn({132, 100}).words == "1.32× too high");
  const RooflineScore score = score_roofline(Drawn{1, 1}, Drawn{120, 100}, std::nullopt, Drawn{100, 190});
  CHECK(score.points == (100 + 80 + 0 + 30 + 2) / 4);
  CHECK(!score.parts[2]);
}
