#include "core/kernel/kernel_shapes.h"

#include "core/method/table.h"
#include "core/schedules/count.h"
#include "core/kernel/switches.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk::test_kernel_shapes {

TEST_CASE("standard keeps S in fp32 unless rows are long and scores of size 1; padding d does not change that") {
  Problem p;
  p.n_q = 16;
  p.n_k = 2048;
  p.d = 64;
  CHECK_FALSE(keeps_wide_scores(p));
  const auto wide = [&](auto&& change) {
    Problem other = p;
    change(other);
    CHECK(keeps_wide_scores(padded_problem(other, Method::Standard)) == keeps_wide_scores(other));
    return keeps_wide_scores(other);
  };
  CHECK_FALSE(wide([](Problem& o) { o.d = 128; }));
  CHECK_FALSE(wide([](Problem& o) { o.d = 96; }));  // which standard computes as it is
  CHECK_FALSE(wide([](Problem& o) { o.d = 256; }));
  CHECK(wide([](Problem& o) { o.d = 200; }));
  CHECK_FALSE(wide([](Problem& o) { o.scale = 0.1; }));
  CHECK_FALSE(wide([](Problem& o) { o.format = Format::BFloat16; }));
  CHECK(wide([](Problem& o) { o.n_k = 2047; }));
  CHECK(wide([](Problem& o) { o.scale = 0.13; }));
  CHECK(wide([](Problem& o) { o.distribution = Distribution::Outliers; }));
  CHECK(wide([](Problem& o) { o.distribution = Distribution::Custom; }));
  for (int64_t d : {16, 32, 80, 127}) CHECK(wide([d](Problem& o) { o.d = d; }));
  CHECK_FALSE(make_plan(schedule_of(Method::Standard), p, VariantId::Kernel).variant.wide_scores);
}

TEST_CASE("the shape of each kernel that runs") {
  for (const MethodInfo& info : all_kernels()) {
    CAPTURE(info.key);
    CHECK(info.kernel.least_cc >= 80);
    for (int d : {64, 128}) {
      const KernelShape shape = kernel_shape(info.id, d);
      CHECK(shape.br > 0);
      CHECK(shape.warps > 0);
      if (info.id == Method::Standard || info.id == Method::StandardBackward) continue;
      CHECK(shape.bc > 0);
      if (info.id == Method::Fa2Backward) {  // a warp takes 32 keys, alone or with another, and 32 rows of dQ
        CHECK(shape.bc % 32 == 0);
        CHECK(shape.warps % (shape.bc / 32) == 0);
        CHECK(shape.br % 32 == 0);
        continue;
      }
      if (info.id == Method::Fa3Backward) {  // a consumer warpgroup takes 64 keys
        CHECK(shape.bc == 64 * shape.consumers);
        CHECK(shape.br % 64 == 0);
        continue;
      }
      // A warp takes 16 rows; a warpgroup of FA3's consumers 64.
      if (info.id == Method::SplitKv)
        CHECK(shape.bc % shape.warps == 0);  // whose warps split keys
      else if (info.id == Method::Fa3 || info.id == Method::Fa3Fp8)
        CHECK(shape.br == 64 * shape.consumers);
      else
        CHECK(shape.br % (16 * shape.warps) == 0);
    }
  }
  CHECK(info_of(Method::Fa3).kernel.most_cc == 90);
}

TEST_CASE("Algorithm 1's tiles are the paper's rule for 227 KB, in whole sixteens") {
  for (int d : {64, 128}) {
    const KernelShape shape = kernel_shape(Method::Fa1Paper, d);
    const int64_t rule = int64_t(std::ceil(227 * 1024 / 2 / (4.0 * d)));  // Bc = ceil(M / 4d), M in 16-bit numbers
    CHECK(shape.bc <= rule);
    CHECK(shape.bc > rule - 16);
    CHECK(shape.br == d);  // min(Bc, d)
    CHECK((2 * shape.br + 2 * shape.bc) * d * 2 <= 227 * 1024);
  }
  CHECK(kernel_shape(Method::Fa1, 64).bc == 256);
  CHECK(kernel_shape(Method::Fa1, 128).bc == 128);
}

TEST_CASE("FA1 as released shares a head among blocks where heads alone leave places free") {
  const auto blocks = [](int64_t heads, int64_t n) { return blocks_of_head(Method::Fa1, heads, n, 128, 132); };
  CHECK(blocks(64, 4096) == 4);   // 256 of 264 places
  CHECK(blocks(256, 1024) == 1);  // the same
  CHECK(blocks(512, 512) == 1);   // two waves, 97 % full
  CHECK(blocks(16, 16384) == 16);
  CHECK(blocks(1, 2048) == 29);  // 30 at most; 29 are within 5 % of them
  CHECK(blocks(1, 64) == 1);     // one Q tile
  CHECK(blocks(1, 128) == 2);
  for (Method other : {Method::Fa1Paper, Method::Fa1Small, Method::Fa2, Method::Fa3, Method::Fa1First})
    CHECK(blocks_of_head(other, 1, 16384, 128, 132) == 1);
  // The counts do not care how Q tiles are shared, but for K and V.
  Problem p{.batch = 1, .heads = 2, .n_q = 1000, .n_k = 700, .d = 64, .mask = Mask::Causal};
  p = padded_problem(p, Method::Fa1);
  const Schedule& schedule = schedule_of(Method::Fa1);
  const Meters one = count(schedule, kernel_plan(p, Method::Fa1)).total;
  const Meters many = count(schedule, kernel_plan(p, Method::Fa1, 132)).total;
  CHECK(kernel_plan(p, Method::Fa1, 132).variant.blocks_of_head > 1);
  CHECK(one.matrix_flop == many.matrix_flop);
  CHECK(one.drain_bytes() == many.drain_bytes());
  CHECK(one.loaded[size_t(Tensor::Q)] == many.loaded[size_t(Tensor::Q)]);
  CHECK(one.loaded[size_t(Tensor::O)] == many.loaded[size_t(Tensor::O)]);
  CHECK(one.loaded[size_t(Tensor::K)] < many.loaded[size_t(Tensor::K)]);
}

TEST_CASE("FA3's short Q tile is the first, FA2's the last") {
  Problem p{.batch = 1, .heads = 1, .n_q = 1024, .n_k = 1024, .d = 64, .mask = Mask::Causal};
  const auto tiles = [&](Method id) {
    const Tiling t = kernel_plan(kernel_problem(p, id), id).tiling;
    std::vector<int64_t> rows, visits;
    for (int64_t i = 0; i < t.tr; ++i) rows.push_back(t.rows(i)), visits.push_back(t.visits(i));
    return std::pair(rows, visits);
  };
  using Tiles = std::pair<std::vector<int64_t>, std::vector<int64_t>>;
  CHECK(tiles(Method::Fa3) == Tiles{{64, 192, 192, 192, 192, 192}, {1, 2, 4, 5, 7, 8}});
  p.n_q = p.n_k = 300;  // 44 rows too many in the last tile: less than a warpgroup's stay there
  CHECK(tiles(Method::Fa3) == Tiles{{128, 172}, {1, 3}});
  CHECK(tiles(Method::Fa2) == Tiles{{128, 128, 44}, {1, 2, 3}});
  // What is computed and loaded does not change without a mask.
  p.mask = Mask::Full;
  const Schedule& schedule = schedule_of(Method::Fa3);
  const Problem own = kernel_problem(p, Method::Fa3);
  const Meters first = count(schedule, kernel_plan(own, Method::Fa3)).total;
  const Meters last = count(schedule, make_plan(schedule, own, VariantId::Kernel)).total;
  CHECK(first.matrix_flop == last.matrix_flop);
  CHECK(first.fill_bytes() == last.fill_bytes());
}

TEST_CASE("a kernel's own tiles, and d padded") {
  const Problem p{.batch = 2, .heads = 3, .n_q = 100, .n_k = 200, .d = 80, .br = 5, .bc = 7, .seed = 9};
  const Problem fa2 = kernel_problem(p, Method::Fa2);
  CHECK(fa2.br == 128);
  CHECK(fa2.bc == 64);
  CHECK(fa2.d == 80);
  const Problem padded = padded_problem(p, Method::Fa2);
  CHECK(padded.d == 96);
  CHECK(padded_problem(p, Method::Fa1).d == 128);
  CHECK(padded.softmax_scale() == 1 / std::sqrt(80.0));
  CHECK(padded.n_k == 200);
  CHECK(padded.seed == 9);
  Problem narrow = p;
  narrow.d = 64;
  narrow.scale = 0.5;
  CHECK(padded_problem(narrow, Method::Fa3).br == 192);
  CHECK(padded_problem(narrow, Method::Fa3).scale == 0.5);
  CHECK(kernel_problem(p, Method::Fa2Small).bc == 16);
  CHECK(kernel_problem(p, Method::Standard).br == 5);
  narrow.d = 200;
  CHECK(padded_problem(narrow, Method::Fa1).d == 200);  // which it does not run
  CHECK(padded_problem(narrow, Method::Fa2).d == 256);
  CHECK(padded_problem(narrow, Method::Fa2).br == 64);
  CHECK(padded_problem(narrow, Method::Fa3).bc == 80);
  narrow.d = 96;
  CHECK(padded_problem(narrow, Method::Fa3).d == 96);
  CHECK(padded_problem(narrow, Method::Fa3).bc == 96);
  CHECK(!switch_of(Method::Fa3, Switch::OneStage, 96, false));
  CHECK(switch_of(Method::Fa3, Switch::OneStage, 128, false));
}

}  // namespace tilewalk::test_kernel_shapes
