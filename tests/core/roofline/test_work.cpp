// What a method does: the schedules' counts and nothing beside them; launches against the launch laid out block by
// block; DRAM and shared memory against what the hardware counted.
#include "core/machine/gpus.h"
#include "core/model/occupancy.h"
#include "core/roofline/work.h"
#include "core/run/prediction.h"
#include "core/run/shipped.h"

#include <doctest/doctest.h>

namespace tilewalk::test_work {

TEST_CASE("Standard attention moves the papers' bytes; a framework's eager one S and the mask more") {
  const Problem p{.n_q = 4096, .n_k = 4096, .d = 64};
  const double pass = 4 * 4096.0 * 4096;  // S read and written
  CHECK(work_of(Method::Standard, p).total(Roof::Dram) == 136'314'880);
  CHECK(work_of(Method::Standard, p).two_level_bytes() == 136'314'880);
  CHECK(work_of(Method::Eager, p).total(Roof::Dram) == 136'314'880 + pass);
  Problem causal = p;
  causal.mask = Mask::Causal;
  CHECK(work_of(Method::Eager, causal).total(Roof::Dram) == 136'314'880 + 2 * pass);
  CHECK(work_of(Method::Eager, causal).passes.size() == 5);
  CHECK(work_of(Method::Standard, p, Direction::Backward).total(Roof::Dram) == 239'075'328);
}

TEST_CASE("Forward counts are those that a run is predicted with") {
  for (const MethodInfo& info : estimated_methods()) {
    if (info.kernel.kind == KernelKind::None) continue;
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const int64_t d : {40, 64, 128}) {
        CAPTURE(info.name);
        CAPTURE(d);
        if (info.id == Method::Standard && d == 40)
          continue;  // its kernel keeps such scores in fp32; the papers do not
        const Problem p{.batch = 2, .heads = 3, .n_q = 2100, .n_k = 2100, .d = d, .mask = mask};
        if (info.id == Method::Standard && keeps_wide_scores(p)) continue;  // the papers' S has the problem's format
        const RunPrediction run = predict_run(p, info.id, default_machine(), false);
        const Work work = work_of(info.id, p);
        CHECK(work.total(Roof::Tensor) == double(run.matrix_flop));
        CHECK(work.total(Roof::Exponential) == double(run.exponentials));
        CHECK(work.nominal_flop == double(run.nominal_flop));
        const double moved = double(run.fill_bytes + run.drain_bytes);
        if (info.id == Method::Standard)  // the papers' count of a product, where cuBLAS's tiles read again
          CHECK(work.total(Roof::L2) < moved);
        else
          CHECK(work.total(Roof::L2) + double(run.past_bytes) == moved);
        if (info.id >= Method::Fa1) CHECK((run.past_bytes > 0) == (info.id == Method::Fa3));
      }
  }
}

TEST_CASE("Fused attention touches each tensor once, backward too") {
  const Problem p{.heads = 5, .n_q = 4096, .n_k = 4096, .d = 128};
  for (const Method method : {Method::Fa2, Method::Fa3, Method::Fa4}) {
    CHECK(work_of(method, p).total(Roof::Dram) == 5 * 4'210'688.0);
    const Work back = work_of(method, p, Direction::Backward);
    CHECK(back.total(Roof::Tensor) == 5 * 10 * 4096.0 * 4096 * 128);
    CHECK(back.nominal_flop == back.total(Roof::Tensor));
    CHECK(back.total(Roof::Dram) < back.total(Roof::L2));
  }
}

TEST_CASE("A launch's spread is that of the launch laid out block by block") {
  for (const Mask mask : {Mask::Full, Mask::Causal})
    for (const int64_t heads : {1, 7, 64})
      for (const int64_t n : {2048, 4096, 8192}) {
        CAPTURE(n);
        CAPTURE(heads);
        CAPTURE(name_of(mask));
        Problem p{.heads = heads, .n_q = n, .n_k = n, .d = 128, .mask = mask};
        const Blocks blocks = work_of(Method::Fa2, p).passes[0].blocks;
        p = kernel_problem(p, Method::Fa2);
        const Schedule& fa2 = schedule_of(Method::Fa2);
        const Occupancy laid = occupy(block_lengths(fa2, make_plan(fa2, p, VariantId::Kernel)), 132, 1,
                                      mask == Mask::Causal ? BlockOrder::LongestFirst : BlockOrder::Launch);
        CHECK(blocks.count == laid.blocks());
        CHECK(blocks.visits == double(laid.work));
        CHECK(blocks.spread(132) == doctest::Approx(1 / laid.busy_share()).epsilon(0.03));
      }
}

TEST_CASE("Padded tiles are work too") {
  const Problem even{.n_q = 2048, .n_k = 2048, .d = 128}, odd{.n_q = 2049, .n_k = 2048, .d = 128};
  CHECK(work_of(Method::Fa2, even).passes[0].blocks.padding() == 1);
  CHECK(work_of(Method::Fa2, odd).passes[0].blocks.padding() == doctest::Approx(17.0 * 128 / 2049));
}

TEST_CASE("DRAM bytes behind L2 are near the counters'") {
  int held = 0;
  for (const RunResult& run : shipped_recordings())
    for (const KernelResult& kernel : run.kernels) {
      const Problem& p = run.spec.problem;
      if (!kernel.counters || !kernel.label.empty() || p.batch * p.heads < 8 || !kernel.counters->dram_read) continue;
      if (p.d > 128) continue;  // FA2 and FA3 read K and V again there: docs/measurements.md
      for (const MethodInfo& info : estimated_methods()) {
        if (info.id != kernel.kernel) continue;
        if (info.id == Method::Standard && keeps_wide_scores(p)) continue;  // the model takes the papers' count
        double model = 0;
        const Work work = work_of(info.id, p);
        for (const PassWork& pass : work.passes)
          model += pass.dram_behind(double(run.provenance.l2_bytes), run.provenance.multiprocessors, work.heads());
        const double counted = *kernel.counters->dram_read + *kernel.counters->dram_written;
        CAPTURE(info.name);
        CAPTURE(p.n_q);
        CAPTURE(p.d);
        CAPTURE(p.heads);
        CHECK(model / counted > 0.8);
        CHECK(model / counted < 1.3);
        ++held;
      }
    }
  CHECK(held >= 16);
}

TEST_CASE("FA2's reads of shared memory are near the counters'") {
  int held = 0;
  for (const RunResult& run : shipped_recordings())
    for (const KernelResult& kernel : run.kernels) {
      if (kernel.kernel != Method::Fa2 || !kernel.label.empty() || !kernel.counters || run.spec.problem.n_q < 1024)
        continue;
      const double counted = *kernel.counters->shared_wavefronts * 128;
      const double ratio = work_of(Method::Fa2, run.spec.problem).total(Roof::Sram) / counted;
      CHECK(ratio > 0.8);
      CHECK(ratio <= 1.0);  // writes into shared memory are counted there, too
      ++held;
    }
  CHECK(held >= 4);
}

TEST_CASE("FA4's tile takes the clocks that its paper says") {
  // arXiv:2603.05451: a tile of 128 by 128 by 128 on a B200 takes 1024 clocks of products, 1024 of exponentials (all of
  // them taken by their own unit) and 768 of shared memory.
  const GpuSpec& b200 = *gpu_named("b200");
  const Problem p{.n_q = 4096, .n_k = 4096, .d = 128};
  const PassWork pass = work_of(Method::Fa4, p).passes.front();
  const double tiles = 32 * 32;
  const auto clocks = [&](double amount, double rate) { return amount / tiles / (rate / (b200.sms * b200.clock)); };
  CHECK(clocks(pass.matrix_flop, b200.tensor_rate) == doctest::Approx(1024).epsilon(0.005));
  CHECK(clocks(pass.sram_bytes, b200.sram_rate()) == doctest::Approx(768).epsilon(0.001));
  const double exponentials = clocks(pass.exponentials, b200.exp_rate());
  CHECK(exponentials == doctest::Approx(0.9 * 1024).epsilon(0.01));  // a tenth are polynomials
  CHECK(pass.blend == Blend::Roles);
  CHECK(pass.blocks.count == 16);  // two Q tiles of 128 rows each
  // Where the fp32 units do more for it.
  CHECK(pass.vector_ops > work_of(Method::Fa3, p).passes.front().vector_ops);
}

}  // namespace tilewalk::test_work
