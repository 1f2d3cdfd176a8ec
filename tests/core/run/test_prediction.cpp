#include "core/run/prediction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

namespace tilewalk::test_prediction {

namespace {

Problem problem_of(int64_t batch, int64_t heads, int64_t n, int64_t d, Mask mask = Mask::Full) {
  return {.batch = batch, .heads = heads, .n_q = n, .n_k = n, .d = d, .br = 3, .bc = 5, .mask = mask};
}

RunPrediction bytes_of_run(const Problem& p, Method kernel) { return predict_run(p, kernel, default_machine(), false); }

}  // namespace

TEST_CASE("FA2 and FA3: Q, O and L once, K and V once for every Q tile") {
  const Problem p = problem_of(4, 16, 4096, 128);
  const RunPrediction fa2 = bytes_of_run(p, Method::Fa2);
  CHECK(fa2.fill_bytes == 4'362'076'160);  // what an H200's counter saw, to 0.02 %
  CHECK(fa2.drain_bytes == 67'108'864 + 1'048'576);
  CHECK(fa2.nominal_flop == 4 * 64 * int64_t{4096} * 4096 * 128);
  CHECK(fa2.matrix_flop == fa2.nominal_flop);
  CHECK(fa2.exponentials == 64 * (int64_t{4096} * 4096 + 4096 * 64));  // Bc = 64: 64 visits a row
  CHECK(fa2.passes.size() == 1);
  CHECK_FALSE(fa2.dram.modelled);

  const RunPrediction fa3 = bytes_of_run(p, Method::Fa3);
  CHECK(fa3.fill_bytes == fa2.fill_bytes);  // Br = 128 too
  CHECK(fa3.exponentials == 64 * (int64_t{4096} * 4096 + 4096 * 32));

  // Br = 192 does not divide 4096: 22 Q tiles, of which the last brings its 64 real rows only.
  const RunPrediction narrow = bytes_of_run(problem_of(1, 1, 4096, 64), Method::Fa3);
  CHECK(narrow.fill_bytes == 4096 * 64 * 2 * (1 + 22 * 2));
  CHECK(narrow.drain_bytes == 4096 * 64 * 2 + 4 * 4096);
}

TEST_CASE("FA3 asks L2 for whole boxes of Q and whole tiles of K and V") {
  // What an H200's counter saw, to 0.02 %: d padded to 64; a box of 64 rows and two tiles of 128.
  CHECK(bytes_of_run(problem_of(1, 1, 16, 8), Method::Fa3).fill_bytes == 40'960);
  CHECK(bytes_of_run(problem_of(1, 1, 16, 8), Method::Fa2).fill_bytes == 6'144);
  CHECK(bytes_of_run(problem_of(2, 32, 3000, 64), Method::Fa3).fill_bytes == 64 * 128 * (3008 + 16 * 2 * 3072));
  // Under a causal mask only the last Q tile meets the last K/V tile: 40 Q tiles, and 40 visits at most.
  const int64_t visits = 40 * 41 / 2;
  CHECK(bytes_of_run(problem_of(3, 12, 5000, 128, Mask::Causal), Method::Fa3).fill_bytes ==
        36 * 256 * (5056 + visits * 2 * 128));
  // Queries before the first key see none, and fetch a tile in vain.
  Problem early = problem_of(1, 1, 384, 128, Mask::Causal);
  early.n_k = 128;
  CHECK(bytes_of_run(early, Method::Fa3).fill_bytes == 256 * (384 + 3 * 2 * 128));
}

TEST_CASE("a causal mask leaves out tiles, and halves the FLOP that are spoken of") {
  const RunPrediction fa2 = bytes_of_run(problem_of(1, 2, 2048, 128, Mask::Causal), Method::Fa2);
  CHECK(fa2.fill_bytes + fa2.drain_bytes == 2 * 9'969'664);
  CHECK(fa2.nominal_flop == 2 * 2 * int64_t{2048} * 2048 * 128);
  const int64_t tiles = 16 * 17;  // of 128 x 64: row i meets 2 (i + 1)
  CHECK(fa2.matrix_flop == 2 * tiles * 4 * 128 * 64 * 128);
}

TEST_CASE("FA1: fp32 O, m and l between a Q tile's visits; O and L once; K and V once for every block of a head") {
  for (Method form : {Method::Fa1, Method::Fa1Paper})
    for (Mask mask : {Mask::Full, Mask::Causal})
      for (int64_t d : {64, 128}) {
        const KernelShape shape = kernel_shape(form, int(d));
        const int64_t n = 7168, heads = 6, br = shape.br, bc = shape.bc, tr = n / br, tc = n / bc;
        const int64_t blocks = form == Method::Fa1 ? blocks_of_head(form, heads, n, int(d), 132) : 1;
        CHECK(blocks == (form == Method::Fa1 ? 29 : 1));  // 6 heads for 264 places: 30 at most, 29 come near
        int64_t visits = 0, keys = 0;                     // of a head; rows of K that all its blocks load
        for (int64_t i = 0; i < tr; ++i) visits += mask == Mask::Full ? tc : ((i + 1) * br - 1) / bc + 1;
        for (int64_t block = 0; block < blocks; ++block)  // as far as its last Q tile sees
          keys +=
              mask == Mask::Full ? n : std::min(n, ((tr - 1 - (tr - 1 - block) % blocks) * br + br - 1) / bc * bc + bc);
        const RunPrediction fa1 = bytes_of_run(problem_of(2, 3, n, d, mask), form);
        INFO(info_of(form).key, " ", d, " ", name_of(mask));
        REQUIRE(fa1.passes.size() == 1);
        CHECK(fa1.passes[0].name == "attention");
        CHECK(fa1.fill_bytes == heads * (2 * keys * d * 2 + visits * br * d * 2 + (visits - tr) * br * (4 * d + 8)));
        CHECK(fa1.drain_bytes == heads * ((visits - tr) * br * (4 * d + 8) + n * (2 * d + 4)));
      }
}

TEST_CASE("FA1 as recordings of format 1.2 have it: 64-row tiles and a last pass") {
  for (Mask mask : {Mask::Full, Mask::Causal}) {
    const int64_t n = 4096, d = 128, br = 64, bc = 64, tr = n / br, tc = n / bc, heads = 6;
    const int64_t visits = mask == Mask::Full ? tr * tc : tr * (tr + 1) / 2;
    const RunPrediction fa1 = bytes_of_run(problem_of(2, 3, n, d, mask), Method::Fa1First);
    REQUIRE(fa1.passes.size() == 2);
    const int64_t kv = 2 * n * d * 2, q = visits * br * d * 2;
    CHECK(fa1.passes[0].name == "attention");
    CHECK(fa1.passes[0].fill_bytes == heads * (kv + q + (visits - tr) * br * (4 * d + 8)));
    CHECK(fa1.passes[0].drain_bytes == heads * visits * br * (4 * d + 8));
    CHECK(fa1.passes[1].name == "convert");
    CHECK(fa1.passes[1].fill_bytes == heads * n * (4 * d + 8));
    CHECK(fa1.passes[1].drain_bytes == heads * n * (2 * d + 4));
    CHECK(fa1.fill_bytes == fa1.passes[0].fill_bytes + fa1.passes[1].fill_bytes);
    CHECK(fa1.drain_bytes == fa1.passes[0].drain_bytes + fa1.passes[1].drain_bytes);
  }
}

TEST_CASE("standard: S and P cross four times; the operands of cuBLAS's products count once") {
  const int64_t d = 64, heads = 4;
  const struct {
    Mask mask;
    Distribution distribution;
    int64_t n, score;  // bytes of a score in memory
  } cases[] = {{Mask::Full, Distribution::Normal, 1000, 4},   {Mask::Causal, Distribution::Normal, 1000, 4},
               {Mask::Full, Distribution::Normal, 2048, 2},   {Mask::Causal, Distribution::Normal, 2048, 2},
               {Mask::Full, Distribution::Outliers, 2048, 4}, {Mask::Full, Distribution::SmallIntegers, 2048, 4}};
  for (const auto& [mask, distribution, n, score] : cases) {
    Problem p = problem_of(1, heads, n, d, mask);
    p.distribution = distribution;
    const RunPrediction s = bytes_of_run(p, Method::Standard);
    REQUIRE(s.passes.size() == 3);
    // Tiles of 256 queries and 128 keys of S, of 512 queries of O (256 of fewer than 1,024).
    CHECK(s.passes[0].fill_bytes == heads * n * d * 2 * ((n + 127) / 128 + (n + 255) / 256));
    // Rows are made 64 scores long or a multiple of it; the last head's are not.
    CHECK(s.passes[0].drain_bytes == heads * n * n * score + (heads - 1) * n * (n == 1000 ? 24 : 0) * score);
    CHECK(s.passes[1].fill_bytes == heads * n * n * score);
    CHECK(s.passes[1].drain_bytes == heads * (n * n * 2 + 4 * n));  // P and L
    const int64_t deep = (n + 63) / 64 * 64;                        // panels of 64 keys
    CHECK(s.passes[2].fill_bytes == heads * 2 * (n * deep + 4 * d * deep));
    CHECK(s.fill_modelled == (n == 1000));
    CHECK(s.passes[2].drain_bytes == heads * n * d * 2);
    CHECK(s.exponentials == heads * n * n);
  }
}

TEST_CASE("a smaller d moves as what it is padded to, but is spoken of as it is") {
  for (Method kernel : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3, Method::Fa1Small, Method::Fa2Small,
                        Method::Fa1Paper, Method::Naive, Method::Tiled})
    for (const auto& [d, padded] : {std::pair(16, 64), std::pair(80, takes_any_width(kernel) ? 96 : 128)}) {
      const RunPrediction a = bytes_of_run(problem_of(1, 2, 777, d), kernel);
      const RunPrediction b = bytes_of_run(problem_of(1, 2, 777, padded), kernel);
      CHECK(a.fill_bytes == b.fill_bytes);
      CHECK(a.drain_bytes == b.drain_bytes);
      CHECK(a.matrix_flop == b.matrix_flop);
      CHECK(a.nominal_flop == 2 * 4 * 777 * 777 * d);
    }
}

TEST_CASE("Backward: FA2 makes D, walks over Q and dO for every K/V tile, adds dQ in memory and converts it") {
  for (int64_t d : {64, 128}) {
    const int64_t n = 4096, row = d * 2, tc = n / kernel_shape(Method::Fa2Backward, int(d)).bc;
    const RunPrediction fa2 = bytes_of_run(problem_of(2, 3, n, d), Method::Fa2Backward);
    CHECK(fa2.passes.size() == 3);
    CHECK(fa2.passes[0].fill_bytes == 6 * n * (2 * row + 4));                       // O, dO, L
    CHECK(fa2.passes[0].drain_bytes == 6 * n * (8 + d * 4));                        // L, D, dQ = 0 in fp32
    CHECK(fa2.passes[1].fill_bytes == 6 * (n * 2 * row + tc * n * (2 * row + 8)));  // K, V; Q, dO, L and D
    CHECK(fa2.passes[1].drain_bytes == 6 * (tc * n * d * 4 + n * 2 * row));         // dQ once a visit; dK, dV
    CHECK(fa2.passes[2].fill_bytes == 6 * n * d * 4);
    CHECK(fa2.passes[2].drain_bytes == 6 * n * row);
    CHECK(fa2.matrix_flop == 6 * 10 * n * n * d);
    CHECK(fa2.nominal_flop == fa2.matrix_flop);
  }
  // FA3 has the same passes; TMA asks for whole tiles, rows past the end and all.
  for (const auto& [queries, keys] : {std::pair(4096, 4096), std::pair(4072, 4008)}) {
    Problem p = problem_of(1, 2, queries, 128);
    p.n_k = keys;
    const RunPrediction fa3 = bytes_of_run(p, Method::Fa3Backward);
    const int64_t br = kernel_shape(Method::Fa3Backward, 128).br, bc = kernel_shape(Method::Fa3Backward, 128).bc;
    const int64_t all_q = (queries + br - 1) / br * br, all_k = (keys + bc - 1) / bc * bc;
    CHECK(fa3.passes[1].fill_bytes == 2 * (all_k * 512 + all_k / bc * all_q * (512 + 8)));
    CHECK(fa3.passes[0].fill_bytes == 2 * queries * (512 + 4));
  }
  // dS = P o (dP - D) reads 2 N N elements; each product, in tiles of 256 x 128, brings in one and a half times N N;
  //  dP, dS and three gradients are written.
  const RunPrediction standard = bytes_of_run(problem_of(1, 1, 4096, 128), Method::StandardBackward);
  CHECK(standard.passes.size() == 5);
  CHECK(standard.fill_bytes == (2 * 2 + 4 * 3) * int64_t{4096} * 4096);
  CHECK(standard.drain_bytes == 2 * (2 * int64_t{4096} * 4096 + 3 * 4096 * 128));
  CHECK(standard.nominal_flop == 10 * int64_t{4096} * 4096 * 128);
}

TEST_CASE("the rungs without tensor cores fetch K and V once for each block of 128 rows, naive as a model") {
  for (Method kernel : {Method::Naive, Method::Tiled})
    for (int64_t n : {128, 1000, 4096})
      for (int64_t d : {64, 128}) {
        const RunPrediction run = bytes_of_run(problem_of(2, 3, n, d), kernel);
        CHECK(run.fill_bytes == 6 * 2 * d * (n + (n + 127) / 128 * 2 * n));
        CHECK(run.drain_bytes == 6 * (2 * n * d + 4 * n));
        CHECK(run.fill_modelled == (kernel == Method::Naive));
      }
  // Under a causal mask the naive kernel's block stops at its last row's last key, a tiled one at that key's tile.
  CHECK(bytes_of_run(problem_of(1, 1, 200, 64, Mask::Causal), Method::Naive).fill_bytes ==
        128 * (200 + 2 * (128 + 200)));
  CHECK(bytes_of_run(problem_of(1, 1, 200, 64, Mask::Causal), Method::Tiled).fill_bytes ==
        128 * (200 + 2 * (128 + 200)));
  const Problem p = problem_of(1, 8, 1024, 128);
  for (Method kernel : {Method::Naive, Method::Tiled})
    CHECK(predict_run(p, kernel, default_machine()).dram.read_bytes == 8 * 3 * 1024 * 128 * 2);
}

TEST_CASE("DRAM is what the L2 model says of the same plan") {
  const Problem p = problem_of(1, 8, 1024, 128);
  const RunPrediction fa2 = predict_run(p, Method::Fa2, default_machine());
  CHECK(fa2.dram.modelled);
  CHECK(fa2.dram.read_bytes == 8 * 3 * 1024 * 128 * 2);  // all of it fits L2
  CHECK(fa2.dram.written_bytes + fa2.dram.left_dirty_bytes == fa2.drain_bytes);
}

TEST_CASE("large problems are counted soon, too large ones said to be so") {
  for (const MethodInfo& info : all_kernels()) {
    const Problem p = problem_of(1, 16, 16384, 128, Mask::Causal);
    const auto start = std::chrono::steady_clock::now();
    const RunPrediction bytes = bytes_of_run(p, info.id);
    const std::chrono::duration<double> counting = std::chrono::steady_clock::now() - start;
    CHECK(bytes.fill_bytes > 0);
    INFO(info.key, ": ", counting.count());
    CHECK(counting.count() < 1);  // milliseconds, with room for sanitizers
    Problem huge = p;
    huge.batch = huge.heads = 65535;
    huge.n_q = huge.n_k = 1 << 18;
    CHECK_FALSE(bytes_of_run(huge, info.id).counted);
    CHECK(bytes_of_run(huge, info.id).fill_bytes == 0);
  }
}

TEST_CASE("Benchmarks' FLOP: 4 N N d, half of it under a square causal mask, visible pairs under any other") {
  Problem p{.batch = 2, .heads = 3, .n_q = 64, .n_k = 64, .d = 32};
  CHECK(nominal_flop_of(p) == int64_t{6} * 4 * 64 * 64 * 32);
  p.mask = Mask::Causal;
  CHECK(nominal_flop_of(p) == int64_t{6} * 2 * 64 * 64 * 32);
  p.n_q = 2;  // the last two rows of a square: 63 and 64 keys
  CHECK(nominal_flop_of(p) == int64_t{6} * 4 * (63 + 64) * 32);
  p.n_q = 64, p.n_k = 2;  // only the last two queries see anything
  CHECK(nominal_flop_of(p) == int64_t{6} * 4 * (1 + 2) * 32);
}

TEST_CASE("a kernel with other Q tiles, or that skips no hidden tile, moves what its loops say") {
  const MachineSpec machine = default_machine();
  const auto fill = [&](const Problem& p, Method kernel, const KernelChange& change) {
    return predict_run(p, kernel, machine, false, change).fill_bytes;
  };
  const Problem p = problem_of(4, 16, 4096, 128);
  for (const Method kernel : {Method::Fa2, Method::Fa3}) {
    CHECK(fill(p, kernel, {}) == bytes_of_run(p, kernel).fill_bytes);
    CHECK(fill(p, kernel, {.q_tile_rows = 64}) == int64_t{64} * 256 * (4096 + 64 * 2 * 4096));
    // Full work under a causal mask, whatever is spoken of.
    Problem causal = p;
    causal.mask = Mask::Causal;
    const RunPrediction all = predict_run(causal, kernel, machine, false, {.skips_hidden = false});
    CHECK(all.fill_bytes == bytes_of_run(p, kernel).fill_bytes);
    CHECK(all.matrix_flop == bytes_of_run(p, kernel).matrix_flop);
    CHECK(all.matrix_flop > 3 * bytes_of_run(causal, kernel).matrix_flop / 2);
  }
  // Boxes of Q stay 64 rows, whatever the tile.
  CHECK(fill(problem_of(1, 1, 100, 64), Method::Fa3, {.q_tile_rows = 64}) == 128 * (128 + 2 * 2 * 128));
}

TEST_CASE("a recording is held against the kernels of the version that made it") {
  const auto made_by = [](std::string program) {
    Provenance made;
    made.program = std::move(program);
    return made;
  };
  const auto version = [&](std::string program) { return version_of(made_by(std::move(program))); };
  for (const char* old : {"0.1.0", "0.1", "0.1.7", "0.0.9", "0.1.0-dev", "00.01.0"}) {
    CAPTURE(old);
    CHECK(version(old) == KernelVersion::V0_1);
  }
  for (const char* before : {"0.2.0", "0.2", "0.2.9", "0.02.0"}) {
    CAPTURE(before);
    CHECK(version(before) == KernelVersion::V0_2);
  }
  for (const char* now :
       {"0.3.0", "0.3", "0.10.0", "1.0.0", "1.1", "12.0.1", "", "0", "0.", ".1", "0.x", "-0.1.0", "0.-1", " 0.1.0",
        "0,1", "v0.1.0", "stand-in", "99999999999999999999.1", "0.99999999999999999999"}) {
    CAPTURE(now);
    CHECK(version(now) == KernelVersion::Now);
  }
  CHECK(version(std::string("0.\0001", 4)) == KernelVersion::Now);
  CHECK(version("record-peers.py") == KernelVersion::V0_1);  // cuDNN's and the papers' kernels end with it, too

  RunSpec spec;
  spec.problem = problem_of(16, 32, 1024, 64, Mask::Causal);
  const Provenance before = made_by("0.1.0"), since = made_by("0.2.0");
  const auto fill = [&](const Answer& asked, const Provenance& made) {
    const RunPrediction all = predict_run(spec, asked, made, false);
    CHECK(all.fill_bytes == predict_run(spec.problem, asked.kernel, made, false).fill_bytes);
    return all.fill_bytes;
  };
  // Br = 192: the Q tile of 64 rows meets one K/V tile of 128 keys as a head's first, all 8 as its last. A Q tile meets
  // 1, 2, 4, 5, 7 and 8 of them now; it met 2, 3, 5, 6, 8 and 8.
  const auto bytes = [](int64_t visits) { return 512 * (1024 + visits * 2 * 128) * 64 * 2; };
  CHECK(fill({Method::Fa3}, since) == bytes(27));
  CHECK(fill({Method::Fa3}, {}) == bytes(27));
  CHECK(fill({Method::Fa3}, before) == bytes(32));
  CHECK(predict_run(spec, {Method::Fa3, Switch::OneStage}, before, false).fill_bytes == bytes(32));
  CHECK(fill({Method::Fa2}, before) == fill({Method::Fa2}, since));
  spec.problem.d = 128;  // no tile is short
  CHECK(fill({Method::Fa3}, before) == fill({Method::Fa3}, since));
}

}  // namespace tilewalk::test_prediction
