// A drawing by itself: what its roofs leave its points, the grid, and its words in a link; and numbers as people type
// them.
#include "core/roofline/drawing.h"
#include "core/roofline/typed_amount.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tilewalk::test_drawing {

namespace {

Drawing h100() {
  Drawing drawing;
  drawing.roofs = {{Roof::Dram, 3.35e12}, {Roof::Tensor, 989.4e12}};
  drawing.points = read_drawn_points("standard:34359738368:b545259520,fa3:34359738368:b8421376");
  return drawing;
}

double read(const char* text, AmountOf what = AmountOf::Count) {
  const TypedAmount amount = read_amount(text, what, 8192, 128);
  CAPTURE(text);
  CHECK(amount.fault == "");
  return amount.value;
}

}  // namespace

TEST_CASE("an H100 drawn by hand wins 4.7 times at N = 8192, d = 128") {
  const Drawing drawing = h100();
  CHECK(ridge_of(drawing) == doctest::Approx(295.3).epsilon(1e-3));
  REQUIRE(drawing.points.size() == 2);
  CHECK(drawing.points[0].intensity == doctest::Approx(63.0).epsilon(1e-3));
  CHECK(memory_bound(drawing, drawing.points[0]));
  CHECK_FALSE(memory_bound(drawing, drawing.points[1]));
  CHECK(seconds_of(drawing, drawing.points[0]) == doctest::Approx(162.76e-6).epsilon(1e-4).scale(0));
  CHECK(seconds_of(drawing, drawing.points[1]) == doctest::Approx(34.728e-6).epsilon(1e-4).scale(0));
}

TEST_CASE("compute roofs other than the tensor cores' count the products that come with an operation") {
  CHECK(in_flop(Roof::Exponential, 3.86e12, 128) == doctest::Approx(1976.3e12).epsilon(1e-3));
  CHECK(in_flop(Roof::Vector, 33e12, 64) == doctest::Approx(33e12 * 64));
  CHECK(rate_from_flop(Roof::Exponential, in_flop(Roof::Exponential, 7e11, 256), 256) == doctest::Approx(7e11));
  Drawing drawing = h100();
  drawing.roofs.push_back({Roof::Exponential, 1e12});
  CHECK(ceiling_of(drawing) == doctest::Approx(512e12));  // lower than the tensor cores'
  drawing.eta = 0.5;
  CHECK(attainable(drawing, drawing.points[1]) == doctest::Approx(256e12));
  CHECK(attainable(drawing, drawing.points[0]) == doctest::Approx(63.015 * 3.35e12).epsilon(1e-3));  // not fused
}

TEST_CASE("half a drawing answers what it can") {
  Drawing drawing;
  DrawnPoint point;
  CHECK(attainable(drawing, point) == 0);
  CHECK(seconds_of(drawing, point) == 0);
  CHECK(ridge_of(drawing) == 0);
  drawing.roofs = {{Roof::L2, 5e12}};
  CHECK(bandwidth_of(drawing) == 5e12);
  CHECK(attainable(drawing, point) == doctest::Approx(5e13));
  drawing.roofs = {{Roof::Tensor, 1e14}};
  CHECK(attainable(drawing, point) == 1e14);
}

TEST_CASE("flop, bytes and intensity stay together") {
  DrawnPoint point;
  set_flop(point, 8e9);
  CHECK(point.intensity == 10);  // bytes are not known yet
  set_bytes(point, 4e8);
  CHECK(point.intensity == 20);
  set_intensity(point, 40);
  CHECK(point.bytes == 2e8);
  set_flop(point, 2e8);
  CHECK(point.intensity == 1);
}

TEST_CASE("the grid: within 8 %, steps that come back, finer ones of a hundredth") {
  for (double value = 1.03e9; value < 1e13; value *= 1.017) {
    const double snapped = on_grid(value);
    CHECK(std::fabs(std::log(snapped / value)) < std::log(1.08));
    CHECK(on_grid(snapped) == snapped);
    CHECK(step_on_grid(step_on_grid(snapped, 1, false), -1, false) == snapped);
    CHECK(step_on_grid(value, 1, false) > value);
    CHECK(step_on_grid(value, -1, false) < value);
  }
  CHECK(on_grid(3.35e12) == 3.3e12);
  CHECK(on_grid(989.4e12) == 1e15);
  CHECK(step_on_grid(9.1e11, 1, false) == 1e12);
  CHECK(step_on_grid(3.35e12, 1, false) == 3.6e12);
  CHECK(step_on_grid(100, 1, true) == doctest::Approx(101));
}

TEST_CASE("a drawing goes through its words unchanged, and broken words lose their part alone") {
  Drawing drawing = h100();
  drawing.points.push_back({Method::Fa2, Direction::Backward, Mask::Causal, 0, 0, 63.5});
  drawing.points.push_back({Method::Fa1, Direction::Forward, Mask::Causal, 1e9, 0, 12});
  CHECK(read_drawn_roofs(words_of_roofs(drawing)) == drawing.roofs);
  CHECK(read_drawn_points(words_of_points(drawing)) == drawing.points);
  CHECK(
      read_drawn_roofs("dram:1e12,dram:2e12,tensor:0,l2:-1,sram:inf,exponential:nan,x:1,vector:1e99,,:,dram").size() ==
      1);
  CHECK(read_drawn_points("standard,fa9:1,fa2-fwd:1,fa2:x,fa2:1e9:b0,fa3:inf,fa3:1e9").size() == 2);
  std::string many;
  for (int k = 0; k < 40; ++k) many += "fa2:x5,";
  CHECK(read_drawn_points(many).size() == kMostDrawnPoints);
}

TEST_CASE("numbers as people type them") {
  CHECK(read("4 N² d") == doctest::Approx(4.0 * 8192 * 8192 * 128));
  CHECK(read("4*N^2*d") == read("4 N² d"));
  CHECK(read("4N^2d") == read("4 N² d"));
  CHECK(read("8 N^2 + 8 N d") == doctest::Approx(545259520));
  CHECK(read("8N²+8Nd") == doctest::Approx(545259520));
  CHECK(read("8 N (N + d)") == doctest::Approx(545259520));
  CHECK(read("34.4 G") == doctest::Approx(34.4e9));
  CHECK(read("545 MB") == doctest::Approx(545e6));
  CHECK(read("34,359,738,368") == 34359738368.0);
  CHECK(read("2e9/4") == 5e8);
  CHECK(read("4.7×") == doctest::Approx(4.7));
  CHECK(read("3.35", AmountOf::Rate) == doctest::Approx(3.35e12));
  CHECK(read("3.35 TB/s", AmountOf::Rate) == doctest::Approx(3.35e12));
  CHECK(read("3350 GB/s", AmountOf::Rate) == doctest::Approx(3.35e12));
  CHECK(read("989.4 TFLOP/s", AmountOf::Rate) == doctest::Approx(989.4e12));
  CHECK(read("1.3 P", AmountOf::Rate) == doctest::Approx(1.3e15));
  CHECK(read("3.35e12", AmountOf::Rate) == doctest::Approx(3.35e12));
  CHECK(read("35", AmountOf::Time) == doctest::Approx(35e-6).scale(0));
  CHECK(read("35 µs", AmountOf::Time) == doctest::Approx(35e-6).scale(0));
  CHECK(read("0.035 ms", AmountOf::Time) == doctest::Approx(35e-6).scale(0));
  CHECK(read("35 us", AmountOf::Time) == doctest::Approx(35e-6).scale(0));
  CHECK(read("4e-5 s", AmountOf::Time) == doctest::Approx(4e-5).scale(0));
}

TEST_CASE("what is no number says so in one sentence") {
  for (const char* text :
       {"",     "  ",        "abc", "0",   "-3", "inf",   "nan",      "1e99", "1e400",      "1/0",     "0/0",
        "3..5", "4 N²² d x", "(((", "3 +", "--", "1e-40", "2 ^ 9999", "fast", "12 parsecs", "\xff\xfe"}) {
    CAPTURE(text);
    const TypedAmount amount = read_amount(text, AmountOf::Rate, 8192, 128);
    CHECK_FALSE(amount.fault.empty());
    CHECK(amount.fault.back() == '.');
    CHECK(amount.value == 0);
  }
  CHECK_FALSE(read_amount(std::string(100000, '('), AmountOf::Count, 1, 1).fault.empty());
}

}  // namespace tilewalk::test_drawing
