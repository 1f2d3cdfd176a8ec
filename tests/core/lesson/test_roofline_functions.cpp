// Estimates, wins and turning points as lessons name them.
#include "core/quantity/quantity.h"
#include "core/roofline/turning.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_roofline_functions {

namespace {

Quantity value(const std::string& text) {
  CAPTURE(text);
  const Evaluated result = evaluate(text);
  if (!result.quantity) FAIL_CHECK(result.fault);
  return result.quantity.value_or(Quantity{});
}
bool refused(const std::string& text) { return !evaluate(text).quantity && !evaluate(text).fault.empty(); }

}  // namespace

TEST_CASE("estimate: a method's times, in seconds, by the model") {
  const Problem p{.heads = 16, .n_q = 8192, .n_k = 8192, .d = 128};
  const Estimate fa3 = estimate(Method::Fa3, p, roofs_of(*gpu_named("h100")));
  const Quantity time = value("estimate(fa3, time, N=8192, d=128, H=16, gpu=h100)");
  CHECK(time.value == fa3.time);
  CHECK(time.unit == "s");
  CHECK(time.origin == Origin::Model);
  CHECK(time.source.find("; expect ") != std::string::npos);  // by what calls that were measured took
  CHECK(time.source.ends_with(" times this"));
  CHECK(value("estimate(fa3, time, N=8192, d=128, H=16, gpu=h100, levels=two)").source.find("expect") ==
        std::string::npos);
  CHECK(value("estimate(fa3, tensor, N=8192, d=128, H=16)").value == fa3[Roof::Tensor]);
  CHECK(value("estimate(fa3, flops, N=8192, d=128, H=16)").value == fa3.rate);
  CHECK(value("estimate(fa3, waves, N=8192, d=128, H=16)").value == double(fa3.waves));
  CHECK(value("estimate(fa3, memory, N=8192, d=128, H=16)").value == fa3.memory_bytes);
  CHECK(value("estimate(standard, dram, N=4096, d=64, gpu=a100-80)").value ==
        doctest::Approx(66.9e-6).epsilon(0.001).scale(0));
  CHECK(value("estimate(fa2, dram_bytes, N=4096, d=64, levels=two)").value == 34'619'392);
  CHECK(value("estimate(fa3, time, N=8192, d=128, gpu=h200-measured)").value > 0);
  CHECK(value("estimate(fa2, time, Nq=1, Nk=131072, d=128, H=32, gpu=h100)").value ==
        doctest::Approx(0.64e-3).epsilon(0.01).scale(0));
  CHECK(value("estimate(fa2, time, N=8192, d=128, pass=backward)").value >
        value("estimate(fa2, time, N=8192, d=128)").value);
  CHECK(refused("estimate(fa9, time, N=8192)"));
  CHECK(refused("estimate(fa3, colour, N=8192)"));
  CHECK(refused("estimate(fa3, time)"));
  CHECK(refused("estimate(fa3, time, N=8192, gpu=h300)"));
  CHECK(refused("estimate(fa3, l2, N=8192, gpu=rtx4090)"));  // nobody says
  CHECK(refused("estimate(fa3, time, N=8192, format=e4m3)"));
}

TEST_CASE("win, turning, roof and amdahl") {
  CHECK(value("win(standard, fa2, N=4096, d=64, gpu=a100-80, pace=overlapped)").value ==
        doctest::Approx(4.856).epsilon(0.001));
  CHECK(value("win(standard, fa3, N=8192, d=128, H=16)").value > 4);
  CHECK(value("turning(compute_bound, N=1, d=128, gpu=h100)").value == 593);
  CHECK(value("turning(about, N=1, d=128, gpu=a100-80)").value == doctest::Approx(306).epsilon(0.001));
  CHECK(value("turning(law, N=1, d=128, gpu=a100-80, eta=0.6)").value == doctest::Approx(1.434).epsilon(0.001));
  CHECK(value("turning(longest, N=1, d=128, H=32, gpu=h100)").value > 20000);  // S and P
  CHECK(value("turning(saturates, N=1, d=128, H=16)").value > 100);
  CHECK(value("roof(h100, dram)").origin == Origin::Published);
  CHECK(value("roof(h100, dram)").unit == "byte/s");
  CHECK(value("roof(h200-measured, mma_sync)").origin == Origin::Recorded);
  CHECK(value("roof(h200-measured, mma_sync)").value < value("roof(h200-measured, tensor)").value);
  CHECK(value("amdahl(0.5, 4)").value == doctest::Approx(1.6));
  CHECK(value("gpu(h100, l2_rate)").value == 12e12);
  CHECK(refused("gpu(rtx4090, l2_rate)"));
  CHECK(value("roof(h100, mma_sync)").value == gpu_named("h100")->mma_sync_rate());
  CHECK(value("roof(b200, mma_sync)").source.find("not verified") != std::string::npos);
  CHECK(value("roof(a100-80, mma_sync)").value == value("roof(a100-80, tensor)").value);  // the one instruction
  CHECK(refused("roof(rtx4090, l2)"));
  CHECK(refused("amdahl(2, 4)"));
  CHECK(refused("turning(law, N=1, d=128, eta=0)"));
  CHECK(refused("win(standard, fa3, N=8192, pace=fast)"));
}

}  // namespace tilewalk::test_roofline_functions
