// The backward schedules: gradients against float64 and against finite differences, bytes to the byte, FLOP, the
// example on paper, replay, fit and words.
#include "core/attention/gradients.h"
#include "core/attention/presets.h"
#include "core/attention/reference.h"
#include "core/model/dram.h"
#include "core/playback/narrate.h"
#include "core/playback/query.h"
#include "core/playback/replay.h"
#include "core/playback/units.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tilewalk::test_backward {
using namespace tilewalk::test;

namespace {

double largest_in(const Matrix& x) {
  double largest = 0;
  for (double value : x.values) largest = std::max(largest, std::fabs(value));
  return largest;
}

// Largest error relative to the tensor's largest element, or to `least` where its terms cancel to less than that: with
// equal keys dQ is 0 but for rounding.
double error_of(const Matrix& got, const Matrix& expected, double least = 0) {
  REQUIRE(got.rows == expected.rows);
  REQUIRE(got.cols == expected.cols);
  double worst = 0;
  for (size_t e = 0; e < got.values.size(); ++e) worst = wider_gap(worst, got.values[e], expected.values[e]);
  return worst == 0 ? 0 : worst / std::max(largest_in(expected), least);
}

Matrix together(const TileTable& table, int64_t rows, int64_t tile_rows, int64_t cols) {
  Matrix all(rows, cols);
  for (int64_t first = 0; first < rows; first += tile_rows) {
    const TilePtr tile = table.get(first / tile_rows);
    REQUIRE(tile);
    REQUIRE(tile->rows == std::min(tile_rows, rows - first));
    std::copy(tile->values.begin(), tile->values.end(), all.row(first));
  }
  return all;
}

double loss(const Problem& p, const Inputs& in, const Matrix& d_o) {
  const Matrix o = reference(p, in).o;
  double sum = 0;
  for (size_t e = 0; e < o.values.size(); ++e) sum += o.values[e] * d_o.values[e];
  return sum;
}

Count count_of(const Schedule& schedule, const Problem& p) {
  return count(schedule, make_plan(schedule, p, VariantId::Kernel));
}

}  // namespace

TEST_CASE("dQ, dK and dV of every backward schedule equal the reference to 1e-6") {
  std::map<std::string, int> seen;
  for (uint64_t number = 0; number < 1500; ++number) {
    const Case c = make_case(number);
    if (c.scores == Scores::Huge || c.scores == Scores::MinusInfinity) continue;  // dS K is 0 times infinity there
    const Problem& p = c.problem;
    INFO(words_of(c));
    const Matrix d_o = output_gradient(p, c.inputs);
    const Gradients expected = reference_gradients(p, c.inputs, d_o);
    const Reference forward = reference(p, c.inputs);
    const double terms = 1e-6 * std::fabs(p.softmax_scale()) * largest_in(d_o) * largest_in(c.inputs.v);
    const double least_q = terms * largest_in(c.inputs.k), least_k = terms * largest_in(c.inputs.q);
    const bool causal = p.mask == Mask::Causal;
    seen["ragged"] += p.n_q % p.br != 0 && p.n_k % p.bc != 0;
    seen["uneven"] += p.n_q != p.n_k;
    seen["tiles not square"] += p.br != p.bc;
    seen["causal, top left"] += causal && p.align == CausalAlign::TopLeft;
    seen["causal, bottom right, uneven"] += causal && p.align == CausalAlign::BottomRight && p.n_q != p.n_k;
    seen["rows with no key"] += std::count(forward.lse.begin(), forward.lse.end(), kMinusInfinity) > 0;
    seen["K tiles without a visit"] += Tiling(p).first_row_tile(Tiling(p).tc - 1) == Tiling(p).tr;
    seen["d = 1"] += p.d == 1;

    for (const Schedule& schedule : backward_schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, p, variant);
        const MachineState state = run(schedule, plan, c.inputs);
        CHECK(error_of(together(state.dq, p.n_q, p.br, p.d), expected.dq, least_q) <= 1e-6);
        CHECK(error_of(together(state.dk, p.n_k, p.bc, p.d), expected.dk, least_k) <= 1e-6);
        CHECK(error_of(together(state.dv, p.n_k, p.bc, p.d), expected.dv) <= 1e-6);
        if (schedule.id == Method::Fa2Backward)  // rowsum(dO * O), taken as rowsum(P * dP) by the reference
          CHECK(error_of(together(state.d, p.n_q, p.br, 1), expected.d) <= 1e-6);
      }
  }
  CHECK(seen.size() == 8);
  for (const auto& [what, times] : seen) {
    INFO(what);
    CHECK(times >= 30);
  }
}

TEST_CASE("the reference's gradients equal finite differences to 1e-4") {
  int64_t checked = 0;
  for (uint64_t number = 0; number < 60; ++number) {
    Case c = make_case(number);
    if (c.scores != Scores::Ordinary) continue;
    const Problem& p = c.problem;
    INFO(words_of(c));
    const Matrix d_o = output_gradient(p, c.inputs);
    const Gradients g = reference_gradients(p, c.inputs, d_o);
    const auto check = [&](Matrix& x, const Matrix& gradient) {
      const double scale = std::max(largest_in(gradient), 1e-3);
      for (size_t e = 0; e < x.values.size(); ++e) {
        const double kept = x.values[e], step = 1e-5;
        x.values[e] = kept + step;
        const double above = loss(p, c.inputs, d_o);
        x.values[e] = kept - step;
        const double below = loss(p, c.inputs, d_o);
        x.values[e] = kept;
        CHECK(std::fabs((above - below) / (2 * step) - gradient.values[e]) <= 1e-4 * scale);
        ++checked;
      }
    };
    check(c.inputs.q, g.dq);
    check(c.inputs.k, g.dk);
    check(c.inputs.v, g.dv);
  }
  CHECK(checked > 3000);
}

TEST_CASE("dO is made from the seed, does not touch Q, K and V, and has its own bits") {
  Problem p;
  const Inputs inputs = generate_inputs(p);
  const Matrix d_o = output_gradient(p, inputs);
  CHECK(d_o.rows == p.n_q);
  CHECK(d_o.cols == p.d);
  for (const Matrix* x : {&inputs.q, &inputs.k, &inputs.v}) CHECK(x->values != d_o.values);
  for (double value : d_o.values) CHECK(value == round_to(p.format, value));
  CHECK(hash_of(inputs) == hash_of(Inputs{inputs.q, inputs.k, inputs.v, "the same with a dO", d_o}));
  p.seed = 5;
  CHECK(output_gradient(p, inputs).values != d_o.values);
  CHECK(output_gradient(p, Inputs{inputs.q, inputs.k, inputs.v, "its own dO", inputs.q}) == inputs.q);
}

TEST_CASE("backward bytes to the byte") {
  struct Row {
    int64_t n, d, standard, fa1, fa1_init, fa1_bc, fa2, compulsory;
  };
  constexpr Row kRows[] = {
      {4096, 128, 243269632, 120258560, 3145728, 192, 146817024, 8404992},
      {4096, 64, 239075328, 31293440, 1572864, 384, 73940992, 4210688},
      {2048, 128, 62914560, 31113216, 1572864, 192, 39591936, 4202496},
  };
  for (const Row& r : kRows) {
    CAPTURE(r.n);
    CAPTURE(r.d);
    CHECK(count_of(schedule_of(Method::StandardBackward), square(r.n, r.d, 128, 128)).total.paper_bytes() ==
          r.standard);
    const Count fa1 = count_of(schedule_of(Method::Fa1Backward), square(r.n, r.d, 128, r.fa1_bc));
    CHECK(fa1.passes[0].paper_bytes() == r.fa1_init);
    CHECK(fa1.passes[1].paper_bytes() == r.fa1);
    for (int64_t br : {64, 128}) {
      const Count fa2 = count_of(schedule_of(Method::Fa2Backward), square(r.n, r.d, br, 128));
      CHECK(fa2.total.paper_bytes() == r.fa2);
      CHECK(fa2.total.fill_bytes() + fa2.total.drain_bytes() == r.fa2);
    }
    // Q, K, V, O, dO and L in; dQ, dK and dV out: what crosses to DRAM where L2 holds everything.
    MachineSpec spec = default_machine();
    spec.l2_bytes = int64_t{1} << 40;
    const Plan plan = make_plan(schedule_of(Method::Fa2Backward), square(r.n, r.d, 128, 128), VariantId::Kernel);
    const DramEstimate e = estimate_dram(schedule_of(Method::Fa2Backward), plan, spec);
    REQUIRE(e.modelled);
    const int64_t between = r.n * 4 + r.n * r.d * 4;  // D and the fp32 dQ never need to leave L2
    CHECK(e.read_bytes + e.written_bytes + e.left_dirty_bytes == r.compulsory + between);
  }
  const Count large = count_of(schedule_of(Method::Fa2Backward), square(4096, 128, 128, 128));
  CHECK(large.passes[0].paper_bytes() == 4210688);
  CHECK(large.passes[1].paper_bytes() == 139460608);
  CHECK(large.passes[2].paper_bytes() == 3145728);
}

TEST_CASE("five products against four: 10 N^2 d FLOP and 8 N^2 d") {
  const int64_t n = 2048, d = 128;
  for (const Schedule* schedule : {&schedule_of(Method::Fa1Backward), &schedule_of(Method::Fa2Backward)})
    CHECK(count_of(*schedule, square(n, d, 128, 128)).total.matrix_flop == 10 * n * n * d);
  CHECK(count_of(schedule_of(Method::StandardBackward), square(n, d, 128, 128)).total.matrix_flop == 8 * n * n * d);
  // A causal mask leaves 136 of 256 tiles.
  Problem causal = square(n, d, 128, 128);
  causal.mask = Mask::Causal;
  CHECK(count_of(schedule_of(Method::Fa2Backward), causal).total.matrix_flop == 10 * 136 * 128 * 128 * d);
}

TEST_CASE("folded counts equal the sum over all steps, and what the machine metered") {
  for (uint64_t number = 0; number < 600; ++number) {
    Case c = make_case(number);
    if (number % 3 == 0) {
      c.problem.n_q *= 5;
      c.problem.n_k *= 7;
      c.inputs = generate_inputs(c.problem);
    }
    INFO(words_of(c));
    for (const Schedule& schedule : backward_schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, c.problem, variant);
        Meters total;
        int line = 0;
        for (const Step& step : steps_of(schedule, plan)) {
          total += cost_of(step, plan);
          REQUIRE(step.line < schedule.code(plan.variant).size());
          REQUIRE(step.pass < schedule.passes.size());
          REQUIRE(step.i < plan.tiling.tr);
          REQUIRE(step.j < plan.tiling.tc);
          line = std::max<int>(line, step.line);
        }
        CHECK(line + 1 == int(schedule.code(plan.variant).size()));
        CHECK(count(schedule, plan).total == total);
        if (number % 3) CHECK(run(schedule, plan, c.inputs).meters == total);
      }
  }
}

TEST_CASE("the row on paper: D, dP and dS to six digits") {
  const Preset& micro = *preset_named("micro");
  const auto six = [](double value) { return doctest::Approx(value).epsilon(5.1e-7 / (1 + std::fabs(value))); };
  const double ds[] = {-0.017849, -0.038625, -0.131889, 0.188363}, dp[] = {1, 0, 1, 2};
  for (const Schedule& schedule : backward_schedules()) {
    INFO(schedule.key);
    Replay replay(schedule, make_plan(schedule, micro.problem, VariantId::Paper), default_machine(), inputs_of(micro));
    double sum = 0;
    for (int32_t j = 0; j < 2; ++j) {
      const auto at = find(replay.steps(), Query{.kind = StepKind::GradientS, .i = 0, .j = j});
      REQUIRE(at);
      const int32_t slot = replay.steps()[size_t(*at - 1)].slot;
      for (int64_t k = 0; k < 2; ++k) {
        CHECK(replay.at(*at - 1).find(Tensor::DP, slot)->data->at(0, k) == dp[2 * j + k]);
        const double value = replay.at(*at).find(Tensor::DS, slot)->data->at(0, k);
        CHECK(value == six(ds[2 * j + k]));
        CHECK(replay.at(*at).find(Tensor::D)->data->at(0, 0) == six(1.204824));
        sum += value;
      }
    }
    CHECK(std::fabs(sum) < 1e-15);
    // dQ = dS K, with K's first column 2, 1, 4, 3.
    CHECK(replay.at(replay.length()).dq.get(0)->at(0, 0) ==
          six(2 * ds[0] + ds[1] + 4 * ds[2] + 3 * ds[3]).epsilon(1e-5));
  }
}

TEST_CASE("replay of the backward pass goes back and forth, bit for bit") {
  for (uint64_t number = 0; number < 24; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : backward_schedules()) {
      const Plan plan = make_plan(schedule, c.problem, VariantId(number % 2));
      const Machine machine(schedule, plan, roomy(), c.inputs);
      MachineState state = machine.start();
      std::vector<uint64_t> forward{fingerprint(state)};
      for (const Step& step : steps_of(schedule, plan)) {
        machine.apply(state, step);
        forward.push_back(fingerprint(state));
      }
      for (const ReplayOptions& options : {ReplayOptions{}, ReplayOptions{.keyframe_budget = 1, .first_interval = 4}}) {
        Replay replay(schedule, plan, roomy(), c.inputs, options);
        int64_t wrong = 0;
        for (int64_t k = replay.length(); k >= 0; --k) wrong += fingerprint(replay.at(k)) != forward[size_t(k)];
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("kernel arithmetic keeps sums in fp32 and rounds what it stores") {
  Problem p = square(24, 8, 5, 7);
  p.arithmetic = Arithmetic::Kernel;
  const Inputs inputs = generate_inputs(p);
  const Gradients expected = reference_gradients(p, inputs, output_gradient(p, inputs));
  for (const Schedule& schedule : backward_schedules()) {
    INFO(schedule.key);
    const MachineState state = run(schedule, make_plan(schedule, p, VariantId::Paper), inputs);
    for (const auto& [table, rows, tile, reference] :
         {std::tuple(&state.dq, p.n_q, p.br, &expected.dq), std::tuple(&state.dk, p.n_k, p.bc, &expected.dk),
          std::tuple(&state.dv, p.n_k, p.bc, &expected.dv)}) {
      const Matrix got = together(*table, rows, tile, p.d);
      const double error = error_of(got, *reference);
      CHECK(error <= 4e-3);
      CHECK(error > 1e-7);
      for (double value : got.values) REQUIRE(value == round_to(Format::Float16, value));
    }
  }
}

TEST_CASE("what the backward pass may assume in memory, and what it may not") {
  const Problem p = square(8, 4, 4, 4);
  const Plan plan = make_plan(schedule_of(Method::Fa2Backward), p, VariantId::Paper);
  const Machine machine(schedule_of(Method::Fa2Backward), plan, roomy(), generate_inputs(p));
  CHECK(machine.start().lse.get(0));
  CHECK(machine.start().o.get(1));
  CHECK(!machine.start().p.get(0));
  // Adding to a dQ that nobody has set to zero is refused.
  MachineState state = machine.start();
  bool refused = false;
  for (const Step& step : steps_of(schedule_of(Method::Fa2Backward), plan)) {
    if (step.pass == 0 && step.kind == StepKind::StoreDQ) continue;
    try {
      machine.apply(state, step);
    } catch (const MachineFault& fault) {
      refused = true;
      CHECK(std::string(fault.what()) == "AddDQ adds to dQ tile 1, which was never stored.");
      break;
    }
  }
  CHECK(refused);
  const Plan stored = make_plan(schedule_of(Method::StandardBackward), p, VariantId::Paper);
  CHECK(Machine(schedule_of(Method::StandardBackward), stored, roomy(), generate_inputs(p)).start().p.get(3));
}

TEST_CASE("the footprint is what the machine holds at its fullest") {
  for (uint64_t number = 0; number < 120; ++number) {
    const Case c = make_case(number);
    if (c.problem.mask == Mask::Causal) continue;  // the footprint takes the unmasked problem
    INFO(words_of(c));
    for (const Schedule& schedule : backward_schedules()) {
      const Plan plan = make_plan(schedule, c.problem, VariantId::Paper);
      const Machine machine(schedule, plan, roomy(), c.inputs);
      MachineState state = machine.start();
      Footprint most;
      for (const Step& step : steps_of(schedule, plan)) {
        machine.apply(state, step);
        most.sram_bytes = std::max(most.sram_bytes, state.sram_used);
        most.register_bytes = std::max(most.register_bytes, state.registers_used);
      }
      const Footprint predicted = footprint(schedule, plan, roomy());
      CHECK(predicted.sram_bytes == most.sram_bytes);
      CHECK(predicted.register_bytes == most.register_bytes);
    }
  }
}

TEST_CASE("the registry keeps forward and backward apart") {
  CHECK(all_schedules().size() == schedules().size() + backward_schedules().size() + 1);  // and split-kv
  for (const Schedule& schedule : schedules()) CHECK(!schedule.backward());
  for (const Schedule& schedule : backward_schedules()) {
    CHECK(schedule.backward());
    CHECK(schedule_named(schedule.key) == &schedule_of(schedule.id));
    CHECK(schedule_of(schedule.id).key == schedule.key);
  }
}

TEST_CASE("backward captions are short sentences without raw numbers, for every kind of step") {
  std::set<StepKind> met;
  for (uint64_t number = 0; number < 120; ++number) {
    const Case c = make_case(number);
    if (c.scores == Scores::Huge || c.scores == Scores::MinusInfinity) continue;
    for (const Schedule& schedule : backward_schedules())
      for (VariantId variant : kVariants) {
        Replay replay(schedule, make_plan(schedule, c.problem, variant), roomy(), c.inputs);
        if (replay.length() > 700) continue;
        for (Unit unit : {Unit::Step, Unit::Part, Unit::Tile, Unit::Row})
          for (int64_t from = 0; from < replay.length();) {
            const int64_t to = unit_forward(replay.steps(), from, unit);
            const Narration words = narrate(replay, from, to, int64_t(number) % c.problem.n_q);
            INFO(words_of(c) << " " << words_of(schedule, variant) << " steps " << from << ".." << to << ": "
                             << words.caption << " | " << words.formula);
            const auto length = [](std::string_view text) {
              return std::count_if(text.begin(), text.end(), [](char ch) { return (ch & 0xC0) != 0x80; });
            };
            REQUIRE(!words.caption.empty());
            REQUIRE(length(words.caption) <= 110);
            REQUIRE(length(words.formula) <= 110);
            REQUIRE(words.caption.ends_with('.'));
            for (std::string_view raw : {"nan", "NaN", "inf", "--", "  ", "{", " ,"})
              REQUIRE(words.caption.find(raw) == std::string::npos);
            for (std::string_view raw : {"nan", "NaN", "inf", "--", "− −", "+ −"})
              REQUIRE(words.formula.find(raw) == std::string::npos);
            met.insert(replay.steps()[size_t(to - 1)].kind);
            from = to;
          }
      }
  }
  // Every kind of the backward pass is met and told.
  for (int k = int(StepKind::LoadDO); k <= int(StepKind::StoreDV); ++k) {
    INFO(info_of(StepKind(k)).name);
    CHECK(met.contains(StepKind(k)));
  }
}

TEST_CASE("the row on paper, told backwards") {
  const Preset& micro = *preset_named("micro");
  Replay replay(schedule_of(Method::Fa2Backward),
                make_plan(schedule_of(Method::Fa2Backward), micro.problem, VariantId::Paper), default_machine(),
                inputs_of(micro));
  const auto told = [&](StepKind kind, int32_t j) {
    const auto at = find(replay.steps(), Query{.kind = kind, .i = 0, .j = j});
    REQUIRE(at);
    return narrate(replay, unit_back(replay.steps(), *at, Unit::Part), *at, 0);
  };
  CHECK(told(StepKind::Recompute, 1).formula == "p₃ = e^(4 − 4.44) = 0.644");
  CHECK(told(StepKind::GradientP, 1).formula == "dp₄ = dO₁ · v₄ = 2");
  CHECK(told(StepKind::GradientS, 1).formula == "ds₄ = 0.2369 × (2 − 1.205) = 0.188");
  CHECK(told(StepKind::AddDQ, 1).caption ==
        "K₂'s share is added to dQ₁ in memory: other K/V tiles add to the same rows.");
  CHECK(told(StepKind::LoadD, 0).caption == "Q₁, dO₁, L and D come from memory, 24 bytes.");
}

}  // namespace tilewalk::test_backward
