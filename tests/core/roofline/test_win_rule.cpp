// The rule by which lesson 14 has a win over standard attention predicted, against the model.
#include "core/roofline/catalogue.h"
#include "core/roofline/sheet.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace tilewalk::test_win_rule {

namespace {

EstimateSheet sheet_of(const char* gpu, int64_t n, int64_t d, int64_t batch, int64_t heads, Mask mask) {
  Problem p;
  p.batch = batch;
  p.heads = heads;
  p.n_q = p.n_k = n;
  p.d = d;
  p.mask = mask;
  return estimate_sheet(p, Direction::Forward, Levels::WithL2, roofs_of(*gpu_named(gpu)));
}

// The lesson's share of the peak: of 4 x 32 heads, N = 8,192, FA2 on an A100, FA3 on an H100.
double eta(Method method, int64_t d) {
  const EstimateSheet filled = sheet_of(method == Method::Fa2 ? "a100-80" : "h100", 8192, d, 4, 32, Mask::Full);
  return filled.works[size_t(method)].nominal_flop / filled.of(method).time / filled.roofs[Roof::Tensor]->value;
}

}  // namespace

TEST_CASE("lesson 14's rule: 2 eta ridge / d, twice under a mask, times the share of multiprocessors that work") {
  int held = 0;
  for (const char* gpu : {"a100-80", "h100", "h200"}) {
    const Method method = std::string_view(gpu) == "a100-80" ? Method::Fa2 : Method::Fa3;
    for (const int64_t d : {64, 128}) {
      const double of_peak = eta(method, d);
      for (const Mask mask : {Mask::Full, Mask::Causal})
        for (const int64_t n : {2048, 4096, 8192, 16384})
          for (const auto& [batch, heads] : {std::pair{1, 8}, {1, 16}, {1, 32}, {2, 40}, {4, 16}, {8, 32}}) {
            if (mask == Mask::Causal && n < 4096) continue;
            INFO(std::string(gpu), " d ", d, " ", std::string(name_of(mask)), " N ", n, " B H ", batch * heads);
            const EstimateSheet sheet = sheet_of(gpu, n, d, batch, heads, mask);
            const int64_t rows = method == Method::Fa3 && d == 64 ? 192 : 128, sms = sheet.roofs.sms;
            const double blocks = double(batch * heads * ((n + rows - 1) / rows));
            const double rounds = std::ceil(blocks / double(sms));
            const double share =
                mask == Mask::Full ? blocks / (rounds * double(sms)) : std::min(1.0, blocks / (2.0 * double(sms)));
            const double ridge = sheet.roofs[Roof::Tensor]->value / sheet.roofs[Roof::Dram]->value;
            const double rule = (mask == Mask::Causal ? 2 : 1) * 2 * of_peak * ridge / double(d) * share;
            const double model = sheet.of(Method::Standard).time / sheet.of(method).time;
            INFO("rule ", rule, ", model ", model);
            CHECK(rule < 1.25 * model);
            CHECK(model < 1.25 * rule);
            ++held;
          }
    }
  }
  CHECK(held == 252);
}

}  // namespace tilewalk::test_win_rule
