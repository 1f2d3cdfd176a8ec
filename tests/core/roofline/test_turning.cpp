// Where things turn: ridges, turning points, memory, the law, Amdahl; and what a drawing is worth.
#include "core/roofline/catalogue.h"
#include "core/roofline/score.h"
#include "core/roofline/turning.h"
#include "core/roofline/work_along.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <random>

namespace tilewalk::test_turning {

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

namespace {

Problem square(const Problem& p, int64_t n) {
  Problem out = p;
  out.n_q = out.n_k = n;
  return out;
}

// A case over N, and what an estimate says at one N, counted there.
struct OverN {
  Method fused = Method::Fa3;
  Problem problem;
  Roofs roofs;
  Direction direction = Direction::Forward;
  Levels levels = Levels::WithL2;

  Saturation saturation() const {
    return tilewalk::saturation(Method::Standard, fused, problem, roofs, direction, levels);
  }
  Bound bound() const { return bound_along(fused, problem, roofs, direction, levels); }
  Estimate at(Method method, int64_t n) const { return estimate(method, square(problem, n), roofs, direction, levels); }
  double win_at(int64_t n) const { return win(at(Method::Standard, n), at(fused, n)); }
  bool settled_at(int64_t n, double limit) const { return std::abs(win_at(n) / limit - 1) <= kSettled + 1e-9; }
};

OverN random_case(std::mt19937& random) {
  const auto one_of = [&](auto... values) {
    const int64_t all[] = {int64_t(values)...};
    return all[random() % std::size(all)];
  };
  OverN out;
  out.fused = Method(one_of(int(Method::Fa1), int(Method::Fa2), int(Method::Fa3), int(Method::Fa4)));
  out.problem = {.batch = one_of(1, 2, 3, 16, 64),
                 .heads = one_of(1, 5, 8, 16, 32, 128),
                 .d = one_of(16, 64, 80, 96, 128, 200, 256),
                 .mask = one_of(0, 1) ? Mask::Causal : Mask::Full};
  out.roofs = one_of(0, 0, 0, 1) ? *shipped_roofs(kShippedCeilings) : roofs_of(gpus()[random() % gpus().size()]);
  out.direction = one_of(0, 0, 1) ? Direction::Backward : Direction::Forward;
  out.levels = one_of(0, 0, 1) ? Levels::TwoLevel : Levels::WithL2;
  return out;
}

}  // namespace

TEST_CASE("Work at any N follows from a few counts") {
  for (const Method method : {Method::Fa1, Method::Fa2, Method::Fa3})
    for (const int d : {64, 96, 128, 256}) {
      const WorkTiles grid = tile_grid(method, d, Direction::Forward);
      const KernelShape shape = kernel_shape(method, int(padded_d(method, d)));
      for (const int rows : {shape.br, shape.bc}) CHECK((grid.period % rows == 0 && rows % grid.edge == 0));
    }
  std::mt19937 random(12);
  for (int k = 0; k < 400; ++k) {
    const OverN c = random_case(random);
    const Method method = Method(random() % kEstimatedMethods);
    WorkAlong along(method, c.problem, c.direction);
    const int64_t n = k % 4 == 0 ? 1 + int64_t(random() % 2000) : 1 + int64_t(random() % kLongest);
    CAPTURE(n);
    CAPTURE(info_of(method).key);
    CAPTURE(c.problem.d);
    CAPTURE(int(c.problem.mask));
    CAPTURE(int(c.direction));
    const Work& quick = along.at(n);
    const Work counted = work_of(method, square(c.problem, n), c.direction);
    REQUIRE(quick.passes.size() == counted.passes.size());
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-11 * std::abs(b); };
    for (size_t pass = 0; pass < counted.passes.size(); ++pass) {
      const PassWork &a = quick.passes[pass], &b = counted.passes[pass];
      for (int roof = 0; roof < kRoofCount; ++roof) CHECK(same(a.amount(Roof(roof)), b.amount(Roof(roof))));
      CHECK(same(a.two_level_bytes, b.two_level_bytes));
      CHECK(same(a.kept_per_head, b.kept_per_head));
      CHECK(same(a.again, b.again));
      CHECK(same(a.edge_bytes, b.edge_bytes));
      CHECK(a.blocks.count == b.blocks.count);
      CHECK(a.blocks.per_head == b.blocks.per_head);
      CHECK(a.blocks.longest == b.blocks.longest);
      CHECK(a.blocks.last == b.blocks.last);
      CHECK(same(a.blocks.visits, b.blocks.visits));
      CHECK(same(a.blocks.useful, b.blocks.useful));
    }
    CHECK(same(quick.nominal_flop, counted.nominal_flop));
    CHECK(same(quick.memory_bytes, counted.memory_bytes));
  }
}

TEST_CASE("The win stays at its limit from the N on that is said, and from no smaller one") {
  // Those that once said 78, 1,761 and 15, where the win was 0.63, 0.78 and 0 of its limit.
  const OverN a100{Method::Fa2, {.batch = 16, .heads = 8, .d = 64}, gpu("a100-80")};
  const OverN h100{Method::Fa3, {.batch = 2, .heads = 16, .d = 128}, gpu("h100")};
  const OverN b200{Method::Fa2, {.d = 128}, gpu("b200")};
  CHECK(h100.saturation().limit == doctest::Approx(law_win(h100.roofs.ridge(), h100.problem)).epsilon(0.02));
  for (const OverN* c : {&a100, &h100}) {
    const Saturation s = c->saturation();
    CAPTURE(c->roofs.id);
    REQUIRE(s.n);
    MESSAGE("settles from ", *s.n);
    CHECK(!c->settled_at(*s.n - 1, s.limit));
    int64_t out = 0;
    for (int64_t n = *s.n; n <= 20000; ++n) out += !c->settled_at(n, s.limit);
    for (int64_t n = 20001; n <= kLongest; n += n % 128 < 2 ? 1 : 61) out += !c->settled_at(n, s.limit);
    CHECK(out == 0);
  }
  // A single head fills a B200 badly at any length.
  const Saturation alone = b200.saturation();
  CHECK(!alone.n);
  CHECK(alone.least < (1 - kSettled) * alone.limit);
  for (int64_t n = kLongest / 2; n <= kLongest; n += 997) {
    CHECK(b200.win_at(n) >= alone.least * (1 - 1e-9));
    CHECK(b200.win_at(n) <= alone.most * (1 + 1e-9));
  }
}

TEST_CASE("Whatever is asked, the win and the longest roof are what is said of every longer N") {
  std::mt19937 random(5);
  int settled = 0, computes = 0;
  for (int k = 0; k < 60; ++k) {
    const OverN c = random_case(random);
    const Saturation s = c.saturation();
    const Bound bound = c.bound();
    CAPTURE(c.roofs.id);
    CAPTURE(info_of(c.fused).key);
    CAPTURE(c.problem.batch);
    CAPTURE(c.problem.heads);
    CAPTURE(c.problem.d);
    CAPTURE(int(c.problem.mask));
    CAPTURE(int(c.direction));
    CAPTURE(int(c.levels));
    const auto from_to = [&](int64_t from, auto&& holds) {
      const double octaves = std::log2(double(kLongest) / double(from));
      for (int look = 0; look < 40; ++look) {
        int64_t n = int64_t(double(from) * std::exp2(octaves * double(random() % 1000) / 1000));
        if (look % 2) n = std::max(from, n / 64 * 64 + 1);  // just past an edge
        if (look == 0) n = from;
        CAPTURE(n);
        CHECK(holds(n));
      }
      if (from > 1) CHECK(!holds(from - 1));
    };
    if (s.n) {
      ++settled;
      from_to(*s.n, [&](int64_t n) { return c.settled_at(n, s.limit); });
    }
    const auto roof = [&](int64_t n) { return c.at(c.fused, n).binds; };
    if (bound.computes) {
      ++computes;
      from_to(*bound.computes, [&](int64_t n) { return !is_bandwidth(roof(n)); });
      REQUIRE(bound.past_dram);
      CHECK(*bound.past_dram <= *bound.computes);
    } else {
      CHECK(is_bandwidth(roof(kLongest)));
    }
    if (bound.past_dram)
      from_to(*bound.past_dram, [&](int64_t n) { return roof(n) != Roof::Dram; });
    else
      CHECK(roof(kLongest) == Roof::Dram);
  }
  CHECK(settled > 15);
  CHECK(computes > 15);
}

TEST_CASE("Without L2 fused attention stays left of the ridge, and wins what that is worth") {
  OverN c{Method::Fa3, {.heads = 16, .d = 128}, gpu("h100")};
  CHECK(*c.bound().computes == 593);  // as the rule of thumb with L counted
  const double with = c.saturation().limit;
  c.levels = Levels::TwoLevel;
  CHECK(!c.bound().computes);
  CHECK(!c.bound().past_dram);
  CHECK(c.saturation().limit < 0.5 * with);
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

TEST_CASE("The law's share of the peak is of many blocks: few heads or a short N change nothing of it") {
  const Roofs roofs = gpu("a100-80");
  Problem many{.batch = 4, .heads = 32, .n_q = 8192, .n_k = 8192, .d = 64}, few = many;
  few.batch = 1, few.heads = 8, few.n_q = few.n_k = 512;
  const double law = eta_of_law(Method::Fa2, many, roofs);
  CHECK(law == doctest::Approx(eta_of(estimate(Method::Fa2, many, roofs), roofs)));
  CHECK(eta_of_law(Method::Fa2, few, roofs) == doctest::Approx(law));
  CHECK(eta_of(estimate(Method::Fa2, few, roofs), roofs) < 0.8 * law);
}

}  // namespace tilewalk::test_turning
