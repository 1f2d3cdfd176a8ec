// Times under roofs: the worked figures of rooflines, single heads in fp16, on datasheet roofs.
#include "core/roofline/estimate.h"
#include "core/roofline/turning.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace tilewalk;

namespace {

Problem head(int64_t n, int64_t d, Mask mask = Mask::Full) { return {.n_q = n, .n_k = n, .d = d, .mask = mask}; }
Roofs gpu(std::string_view id) { return roofs_of(*gpu_named(id)); }
// To so many decimals, as the figures are given.
std::string figure(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }
std::string micro(double seconds, int decimals) { return figure(seconds * 1e6, decimals); }

}  // namespace

TEST_CASE("An A100 and an H100 take what the worked predictions say") {
  const Roofs a100 = gpu("a100-80"), h100 = gpu("h100");
  struct Row {
    const Roofs& roofs;
    Method fused;
    int64_t d;
    std::string standard, matmul;
    int decimals;  // of matmul
    std::string exp, memory, win;
  };
  for (const Row& row : {Row{a100, Method::Fa2, 64, "66.9", "13.8", 1, "6.9", "1.04", "4.86"},
                         Row{a100, Method::Fa2, 128, "67.9", "27.5", 1, "6.9", "2.07", "2.47"},
                         Row{h100, Method::Fa3, 128, "41.3", "8.68", 2, "4.3", "1.26", "4.76"}}) {
    CAPTURE(row.roofs.title);
    CAPTURE(row.d);
    const Estimate standard = estimate(Method::Standard, head(4096, row.d), row.roofs);
    const Estimate fused = estimate(row.fused, head(4096, row.d), row.roofs);
    CHECK(micro(standard[Roof::Dram], 1) == row.standard);
    CHECK(standard.binds == Roof::Dram);
    CHECK(micro(fused[Roof::Tensor], row.decimals) == row.matmul);
    CHECK(micro(fused[Roof::Dram], 2) == row.memory);
    CHECK(fused.binds == Roof::Tensor);
    CHECK(figure(win(standard, fused, Pace::Overlapped), 2) == row.win);
    // The figures take one exponential a score; the schedules count alpha's, one a row and visit, as well.
    const double scores = 4096.0 * 4096;
    CHECK(micro(scores / row.roofs[Roof::Exponential]->value, 1) == row.exp);
    CHECK(fused[Roof::Exponential] == doctest::Approx(scores / row.roofs[Roof::Exponential]->value).epsilon(0.02));
  }
}
