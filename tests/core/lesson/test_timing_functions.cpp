// What lessons 10 and 11 ask of the timing pass, of occupancy and of FP8, against the figures of the papers.
#include "core/quantity/quantity.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_timing_functions {

namespace {

double value(const std::string& text) {
  CAPTURE(text);
  const Evaluated result = evaluate(text);
  if (!result.quantity) FAIL_CHECK(result.fault);
  return result.quantity.value_or(Quantity{}).value;
}
Origin origin(const std::string& text) { return evaluate(text).quantity.value_or(Quantity{}).origin; }
bool refused(const std::string& text) { return !evaluate(text).quantity && !evaluate(text).fault.empty(); }

}  // namespace

TEST_CASE("overlap: serial 1.5 against 1, exponentials at half the products' time") {
  CHECK(value("overlap(fa3, units, d=128, pingpong=off, pipeline=off)") == 1.5);
  CHECK(value("overlap(fa3, units, d=128)") == 1.0);
  CHECK(value("overlap(fa2, units, d=128, pingpong=off)") == 1.5);
  CHECK(value("overlap(fa3, exp_share, d=128)") == 0.5);
  CHECK(value("overlap(fa3, exp_share, d=64)") == 1.0);
  CHECK(value("overlap(fa3, exp_share, d=128, format=e4m3)") == 1.0);
  CHECK(value("overlap(fa3, products, d=128)") == 2 * value("overlap(fa3, exponentials, d=128)"));
  CHECK(value("overlap(fa3, idle, d=128, stages=1)") > value("overlap(fa3, idle, d=128, stages=2)"));
  CHECK(value("overlap(fa3, ticks, d=64, vector=on)") > value("overlap(fa3, ticks, d=64)"));
  CHECK(origin("overlap(fa3, units)") == Origin::Model);
  CHECK(refused("overlap(fa1, units)"));
  CHECK(refused("overlap(fa3, hurry)"));
  CHECK(refused("overlap(fa3, units, d=96)"));
  CHECK(refused("overlap(fa3, units, pingpong=maybe)"));
  CHECK(refused("overlap(fa3, units, format=fp32)"));
}

TEST_CASE("occupancy: 16 of 108 multiprocessors for FA1, 512 blocks for FA2") {
  const std::string shape = "N=4096, d=64, Br=128, Bc=128, H=16";
  CHECK(value("occupancy(fa1, used, " + shape + ")") == 16);
  CHECK(value("occupancy(fa1, share, " + shape + ")") == doctest::Approx(0.148).epsilon(0.002));
  CHECK(value("occupancy(fa2, share, " + shape + ")") == 1);
  CHECK(value("occupancy(fa2, waves, " + shape + ")") == 5);
  CHECK(value("occupancy(fa2, waves, " + shape + ", gpu=h100)") == 4);
  CHECK(value("occupancy(fa1, span, " + shape + ")") == 1024);
  CHECK(value("occupancy(fa2, span, " + shape + ")") == 160);
  CHECK(value("occupancy(fa2, busy, " + shape + ", mask=causal, order=longest)") >
        value("occupancy(fa2, busy, " + shape + ", mask=causal)"));
  CHECK(origin("occupancy(fa1, used, " + shape + ")") == Origin::Computed);
  CHECK(origin("occupancy(fa1, span, " + shape + ")") == Origin::Model);
  CHECK(refused("occupancy(standard, used, " + shape + ")"));
  CHECK(refused("occupancy(fa2, used, " + shape + ", gpu=tpu)"));
  CHECK(refused("occupancy(fa2, used, " + shape + ", order=random)"));
  CHECK(refused("occupancy(fa2, used, N=131072, d=64, Br=1, Bc=128, H=16)"));
}

TEST_CASE("step_count: divisions and round trips of O, visits of a head") {
  CHECK(value("step_count(fa2, Score, N=4096, d=128, Br=128, Bc=64)") == 2048);
  CHECK(value("step_count(fa1, Normalize, N=4096, d=64, Br=128, Bc=128) / 32") == 32);
  CHECK(value("step_count(fa2, Normalize, N=4096, d=64, Br=128, Bc=128) / 32") == 1);
  CHECK(value("step_count(fa2, LoadO, N=4096, d=64, Br=128, Bc=128)") == 0);
  CHECK(refused("step_count(fa2, Fly, N=4096)"));
}

TEST_CASE("fp8_error: incoherent processing does most of it") {
  CHECK(value("fp8_error(both)") < value("fp8_error(tensor)"));
  CHECK(value("fp8_error(incoherent, seed=5)") < value("fp8_error(tile, seed=5)"));
  CHECK(origin("fp8_error(both)") == Origin::Computed);
  CHECK(refused("fp8_error(magic)"));
  CHECK(refused("fp8_error(both, inputs=custom)"));
}

}  // namespace tilewalk::test_timing_functions
