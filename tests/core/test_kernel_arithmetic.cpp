// Kernel arithmetic: P in fp16 (or bf16), sums in fp32. Its error against the float64 reference stays within what those
// roundings allow, and is not zero.
#include "core/attention/reference.h"
#include "core/machine/arithmetic.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::test_kernel_arithmetic {
using namespace tilewalk::test;

namespace {

// Half a unit in the last place, relative.
double half_ulp(Format format) { return format == Format::BFloat16 ? 0x1p-9 : 0x1p-11; }

struct Errors {
  double worst = 0;  // as a fraction of what the roundings allow
  double rms = 0;
};

Errors errors_of(const Schedule& schedule, VariantId variant, const Problem& p, const Inputs& inputs) {
  const Plan plan = make_plan(schedule, p, variant);
  const Matrix o = gathered(run(schedule, plan, inputs).o, plan.tiling, p.d);
  const Reference expected = reference(p, inputs);
  const double u = half_ulp(p.format);

  Errors out;
  double squares = 0;
  for (int64_t r = 0; r < p.n_q; ++r) {
    double largest = 0;
    std::vector<double> weights(static_cast<size_t>(p.n_k));
    for (int64_t k = 0; k < p.n_k; ++k) {
      const double s = reference_score(p, inputs, r, k);
      weights[size_t(k)] = std::exp(s - expected.lse[size_t(r)]);
      if (std::isfinite(s)) largest = std::max(largest, std::fabs(s));
    }
    // Relative error of each weight: P once; standard attention stores S and the normalised P; fp32 sums of d products
    // add little. O: once at the end, or at every visit where the paper's FA1 puts it into memory.
    double weight_error = 1.05 * u + 2e-5;
    if (schedule.id == Method::Standard) weight_error += u * (1 + 2 * largest);
    double output_roundings = 1;
    if (schedule.id == Method::Fa1 && variant == VariantId::Paper)
      output_roundings += double(plan.tiling.visits(r / p.br));
    for (int64_t e = 0; e < p.d; ++e) {
      double size = 0;
      for (int64_t k = 0; k < p.n_k; ++k) size += weights[size_t(k)] * std::fabs(inputs.v.at(k, e));
      const double error = std::fabs(o.at(r, e) - expected.o.at(r, e));
      // P below 2^-14 is subnormal in fp16: an absolute error of up to 2^-25 each.
      const double allowed = (weight_error + output_roundings * u) * size + double(p.n_k) * 0x1p-25 * 6;
      out.worst = std::max(out.worst, std::isnan(error) ? 1e300 : error / allowed);
      squares += error * error;
    }
  }
  out.rms = std::sqrt(squares / double(p.n_q * p.d));
  return out;
}

}  // namespace

TEST_CASE("errors stay within what the roundings allow") {
  for (Format format : {Format::Float16, Format::BFloat16})
    for (Distribution distribution : {Distribution::Normal, Distribution::Outliers})
      for (Mask mask : {Mask::Full, Mask::Causal}) {
        Problem p;
        p.n_q = 100;
        p.n_k = 120;
        p.d = 64;
        p.br = 32;
        p.bc = 16;
        p.arithmetic = Arithmetic::Kernel;
        p.format = format;
        p.distribution = distribution;
        p.mask = mask;
        const Inputs inputs = generate_inputs(p);
        for (const Schedule& schedule : schedules())
          for (VariantId variant : kVariants) {
            INFO(words_of(schedule, variant), ", ", name_of(format), ", ", name_of(distribution), ", ", name_of(mask));
            const Errors errors = errors_of(schedule, variant, p, inputs);
            CHECK(errors.worst < 1);
            CHECK(errors.worst > 0.01);  // a bound that nothing comes near would prove nothing
            CHECK(errors.rms > 1e-6);
          }
      }
}

TEST_CASE("the fused schedules lose less than standard attention with its S in fp16") {
  Problem p;
  p.n_q = p.n_k = 256;
  p.d = 64;
  p.br = p.bc = 64;
  p.arithmetic = Arithmetic::Kernel;
  p.distribution = Distribution::Outliers;
  const Inputs inputs = generate_inputs(p);
  const double standard = errors_of(schedule_of(Method::Standard), VariantId::Kernel, p, inputs).rms;
  const double fa2 = errors_of(schedule_of(Method::Fa2), VariantId::Kernel, p, inputs).rms;
  CHECK(fa2 < standard);
  CHECK(fa2 < 5e-4);
}

TEST_CASE("a kernel's steps hold values of their formats") {
  Problem p;
  p.arithmetic = Arithmetic::Kernel;
  const Inputs inputs = generate_inputs(p);
  const auto all_in = [](const TilePtr& tile, Format format) {
    return std::all_of(tile->values.begin(), tile->values.end(), [&](double x) { return round_to(format, x) == x; });
  };
  for (const Schedule& schedule : schedules())
    for (VariantId variant : kVariants) {
      INFO(words_of(schedule, variant));
      const Plan plan = make_plan(schedule, p, variant);
      const Machine machine(schedule, plan, roomy(), inputs);
      MachineState state = machine.start();
      for (const Step& step : steps_of(schedule, plan)) {
        machine.apply(state, step);
        for (const Resident& r : state.chip) REQUIRE(all_in(r.data, Format::Float32));
        if (step.kind == StepKind::StoreS)
          REQUIRE(all_in(state.s.get(step.i * plan.tiling.tc + step.j), Format::Float16));
        if (step.kind == StepKind::StoreP)
          REQUIRE(all_in(state.p.get(step.i * plan.tiling.tc + step.j), Format::Float16));
        if (step.kind == StepKind::StoreO) {
          const bool fp32 = schedule.id == Method::Fa1 && variant == VariantId::Kernel && !step.has(Step::kOutput);
          REQUIRE(all_in(state.o.get(step.i), fp32 ? Format::Float32 : Format::Float16));
          if (fp32) CHECK(!all_in(state.o.get(step.i), Format::Float16));
        }
      }
    }
}

TEST_CASE("single steps of arithmetic on numbers worked out by hand") {
  namespace a = arithmetic;
  const auto column = [](std::vector<double> values) {
    Matrix m(int64_t(values.size()), 1);
    m.values = std::move(values);
    return m;
  };
  Matrix s(3, 2);
  s.values = {1, 3, kMinusInfinity, kMinusInfinity, 2, 2};
  Matrix m = column({2, kMinusInfinity, kMinusInfinity});
  const Matrix alpha = a::row_max(m, s, Arithmetic::Exact);
  CHECK(m.values == std::vector<double>{3, kMinusInfinity, 2});
  CHECK(alpha.values == std::vector<double>{std::exp(-1.0), 1, 0});

  a::exponentiate(s, m, Arithmetic::Exact);
  CHECK(s.values == std::vector<double>{std::exp(-2.0), 1, 0, 0, 1, 1});
  Matrix l = column({10, 0, 0});
  a::row_sum(l, &alpha, s, Arithmetic::Exact);
  CHECK(l.values == std::vector<double>{std::exp(-1.0) * 10 + (std::exp(-2.0) + 1), 0, 2});
  const Matrix lse = a::log_sum_exp(m, l, Arithmetic::Exact);
  CHECK(lse.at(1, 0) == kMinusInfinity);
  CHECK(lse.at(2, 0) == 2 + std::log(2.0));

  Matrix o(3, 1);
  o.values = {4, 0, 6};
  a::divide_rows(o, l, Arithmetic::Exact);
  CHECK(o.values == std::vector<double>{4 / l.at(0, 0), 0, 3});
  a::scale_rows(o, column({0, 5, 2}), Arithmetic::Exact);
  CHECK(o.values == std::vector<double>{0, 0, 6});

  // Kernel arithmetic rounds P to the format before the product, and adds in fp32.
  Matrix p = column({1 + 0x1p-12}), v = column({1}), sum = column({0});
  a::accumulate(sum, p, v, Format::Float16, Arithmetic::Kernel);
  CHECK(sum.at(0, 0) == 1.0);
  sum = column({0x1p24});
  a::accumulate(sum, column({1}), v, Format::Float16, Arithmetic::Kernel);
  CHECK(sum.at(0, 0) == 0x1p24);
  a::accumulate(sum, column({1}), v, Format::Float16, Arithmetic::Exact);
  CHECK(sum.at(0, 0) == 0x1p24 + 1);
}

}  // namespace tilewalk::test_kernel_arithmetic
