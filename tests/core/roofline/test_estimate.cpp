// Times under roofs: the worked figures of rooflines, single heads in fp16, on datasheet roofs; how the schedules' own
// overlap lies between everything at once and one after the other.
#include "core/roofline/catalogue.h"
#include "core/roofline/estimate.h"
#include "core/roofline/held.h"
#include "core/roofline/turning.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::test_estimate {

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
    int decimals;  // of matmul and exponentials
    std::string exp, memory, win;
  };
  for (const Row& row : {Row{a100, Method::Fa2, 64, "66.9", "13.8", 1, "6.9", "1.04", "4.86"},
                         Row{a100, Method::Fa2, 128, "67.9", "27.5", 1, "6.9", "2.07", "2.47"},
                         Row{h100, Method::Fa3, 128, "41.3", "8.68", 2, "4.34", "1.26", "4.76"}}) {
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
    const double exponentials = 4096.0 * 4096 / row.roofs[Roof::Exponential]->value;
    CHECK(micro(exponentials, row.decimals) == row.exp);
    CHECK(fused[Roof::Exponential] == doctest::Approx(exponentials).epsilon(0.02).scale(0));
    if (row.roofs.id == "h100") {
      CHECK(micro(fused[Roof::Tensor] + exponentials, 1) == "13.0");
      CHECK(figure(standard[Roof::Dram] / (fused[Roof::Tensor] + exponentials), 2) == "3.17");
    }
  }
  CHECK(micro(estimate(Method::Standard, head(2048, 128), a100)[Roof::Dram], 1) == "17.5");
}

TEST_CASE("64 heads on an H200") {
  Problem p = head(4096, 128);
  p.batch = 4;
  p.heads = 16;
  const Roofs h200 = gpu("h200");
  CHECK(figure(1e3 * estimate(Method::Standard, p, h200)[Roof::Dram], 3) == "1.845");
  const Estimate fa3 = estimate(Method::Fa3, p, h200);
  const double exponentials = 64 * 4096.0 * 4096 / h200[Roof::Exponential]->value;
  CHECK(figure(1e3 * fa3[Roof::Tensor], 3) == "0.556");
  CHECK(figure(1e3 * exponentials, 3) == "0.278");
  CHECK(1e3 * (fa3[Roof::Tensor] + exponentials) == doctest::Approx(0.834).epsilon(0.001));  // 0.556 + 0.278
}

TEST_CASE("Exponentials take a share of the products' time that d and the GPU set") {
  const auto share = [](std::string_view id, int64_t d) {
    const Roofs roofs = gpu(id);
    return roofs[Roof::Tensor]->value / (4 * double(d) * roofs[Roof::Exponential]->value);
  };
  CHECK(figure(1e-12 * gpu("h100")[Roof::Exponential]->value, 2) == "3.86");
  CHECK(figure(gpu("h100")[Roof::Tensor]->value / gpu("h100")[Roof::Exponential]->value, 0) == "256");
  CHECK(figure(share("h100", 128), 2) == "0.50");
  CHECK(figure(share("h100", 64), 2) == "1.00");
  CHECK(figure(share("a100-80", 128), 2) == "0.25");
  CHECK(figure(share("a100-80", 64), 2) == "0.50");
  CHECK(figure(share("b200", 128), 1) == "1.0");
  const Roofs h100 = gpu("h100");
  CHECK(figure(h100.fp8->value / (4 * 128 * h100[Roof::Exponential]->value), 1) == "1.0");
}

TEST_CASE("Intensities of standard and fused attention") {
  const Roofs roofs = gpu("a100-80");
  const auto at = [&](Method method, const Problem& p, Roof roof) {
    return estimate(method, p, roofs).intensity[size_t(roof)];
  };
  CHECK(figure(at(Method::Standard, head(4096, 64), Roof::Dram), 1) == "31.5");
  CHECK(figure(at(Method::Standard, head(2048, 128), Roof::Dram), 1) == "60.2");
  CHECK(figure(at(Method::Standard, head(4096, 128), Roof::Dram), 1) == "62.1");
  CHECK(at(Method::Fa2, head(4096, 128), Roof::Dram) == doctest::Approx(4096 / 2).epsilon(0.005));
  CHECK(at(Method::Fa2, head(4096, 128, Mask::Causal), Roof::Dram) == doctest::Approx(4096 / 4).epsilon(0.04));
  CHECK(at(Method::Fa2, head(65536, 128), Roof::L2) == doctest::Approx(128).epsilon(0.005));  // Br
  Problem decode = head(131072, 128);
  decode.n_q = 1;
  CHECK(figure(at(Method::Fa2, decode, Roof::Dram), 2) == "1.00");
  // Softmax alone: about five operations for the four bytes of a score.
  const Work standard = work_of(Method::Standard, head(4096, 128));
  const PassWork& softmax = standard.passes[1];
  CHECK(figure((softmax.vector_ops + softmax.exponentials) / softmax.dram_bytes, 2) == "1.25");
  // Under its roof, standard attention reaches at most these shares of an A100's peak.
  CHECK(figure(100 * 64 / roofs.ridge(), 0) == "42");
  CHECK(figure(100 * 32 / roofs.ridge(), 0) == "21");
}

TEST_CASE("A decoded token waits for all of K and V") {
  Problem p = head(131072, 128);
  p.n_q = 1;
  p.heads = 32;
  CHECK(decode_intensity(p) == 1);
  for (const auto& [id, milliseconds] : {std::pair{"a100-80", "1.05"}, {"h100", "0.64"}, {"h200", "0.45"}}) {
    const Roofs roofs = gpu(id);
    const Estimate whole = estimate(Method::Fa2, p, roofs);
    CHECK(figure(1e3 * whole[Roof::Dram], 2) == milliseconds);
    const int64_t splits = released_splits(Method::Fa2, p, Direction::Forward, roofs.sms);
    CHECK(splits > 1);
    const Estimate split = estimate(work_of(Method::Fa2, p, Direction::Forward, splits), roofs);
    CHECK(split.time == doctest::Approx(split[Roof::Dram]).epsilon(0.01).scale(0));
    CHECK(split.time <= whole.time * 1.001);  // where DRAM binds, all that splitting adds is the merge
  }
}

TEST_CASE("A schedule takes no less than everything at once and, on full launches, no more than one after the other") {
  const Roofs roofs = gpu("h100");
  for (const MethodInfo& info : estimated_methods())
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const int64_t d : {64, 128})
        for (const Direction direction : {Direction::Forward, Direction::Backward}) {
          CAPTURE(info.name);
          CAPTURE(d);
          Problem p = head(2048, d, mask);
          p.heads = 16;
          const Work work = work_of(info.id, p, direction);
          const Estimate even = estimate(work, roofs, Levels::WithL2, true), made = estimate(work, roofs);
          CHECK(even.time >= doctest::Approx(even.overlapped).scale(0));
          CHECK(even.time <= doctest::Approx(even.serial).scale(0));
          CHECK(made.time >= even.time);
          CHECK(made.rate == doctest::Approx(work.nominal_flop / made.time));
        }
}

TEST_CASE("FA1 shares a head among blocks as its release did, and fills the chip") {
  Problem p = head(16384, 128);
  p.heads = 16;
  const Roofs a100 = gpu("a100-80");
  const Work fa1 = work_of(Method::Fa1, p), fa2 = work_of(Method::Fa2, p);
  CHECK(fa1.passes[0].blocks.count == 256);  // of an H200's 264 places; by Algorithm 1 it would be 16
  CHECK(fa1.passes[0].blocks.spread(a100.sms) < 1.3);
  CHECK(fa2.passes[0].blocks.spread(a100.sms) < 1.1);
}

TEST_CASE("What is not known is left out and named") {
  Roofs roofs = gpu("rtx4090");  // nobody says how fast its L2 is
  REQUIRE(!roofs[Roof::L2]);
  const Estimate e = estimate(Method::Fa2, head(4096, 128), roofs);
  CHECK(e.unknown == std::vector<Roof>{Roof::L2});
  CHECK(e[Roof::L2] == 0);
  CHECK(e.time > 0);
  CHECK(!estimate(Method::Fa3, head(4096, 128), roofs).why_not.empty());
  CHECK(estimate(Method::Fa3, head(4096, 128), gpu("h100")).why_not.empty());
  CHECK(!estimate(Method::Fa3, head(4096, 128), gpu("b200")).why_not.empty());  // wgmma is Hopper's alone
  CHECK(!estimate(Method::Fa2, head(4096, 128), gpu("v100")).why_not.empty());
}

TEST_CASE("The newest fused method that runs is each GPU's; what is not ours says whose it is") {
  const std::tuple<const char*, Method, const char*> rows[] = {{"t4", Method::Fa1, "flash-attention 1.0.9"},
                                                               {"a100-80", Method::Fa2, ""},
                                                               {"rtx4090", Method::Fa2, ""},
                                                               {"rtx5090", Method::Fa2, ""},
                                                               {"h100", Method::Fa3, ""},
                                                               {"h200", Method::Fa3, ""},
                                                               {"b200", Method::Fa4, "no kernel here"},
                                                               {"b300", Method::Fa4, "no kernel here"},
                                                               {"mi300x", Method::Fa2, "Composable Kernel or Triton"},
                                                               {"mi355x", Method::Fa2, "Composable Kernel or Triton"}};
  for (const auto& [id, best, whose] : rows) {
    CAPTURE(id);
    const Roofs roofs = gpu(id);
    CHECK(best_fused(roofs) == best);
    CHECK(why_not(best, roofs).empty());
    CHECK(whose_kernel(best, roofs).empty() == (*whose == 0));
    CHECK(whose_kernel(best, roofs).find(whose) != std::string::npos);
    CHECK(whose_kernel(Method::Standard, roofs).empty());
  }
  for (const char* id : {"v100", "t4", "a100-80", "rtx5090", "h100", "mi300x"})
    CHECK(!why_not(Method::Fa4, gpu(id)).empty());
  // Its package runs from 8.0 to 12.x; what is new in it, tensor memory, on 10.x and 11.x alone.
  CHECK(why_not(Method::Fa4, gpu("h100")).find("runs here with matrix products as FA3's, which is another kernel") !=
        std::string::npos);
  CHECK(why_not(Method::Fa4, gpu("rtx5090")).find("runs here with matrix products as FA2's, which is another kernel") !=
        std::string::npos);
  CHECK(why_not(Method::Fa4, gpu("t4")).find("runs here") == std::string::npos);
  for (const char* id : {"mi300x", "mi325x"}) CHECK(!why_not(Method::Fa3, gpu(id)).empty());
}

TEST_CASE("A kernel runs only with the head dimensions, formats and passes that its release takes") {
  const auto runs = [](Method method, std::string_view id, int64_t d, Direction direction = Direction::Forward,
                       Format format = Format::Float16) {
    Problem p = head(4096, d);
    p.format = format;
    return estimate(method, p, gpu(id), direction).why_not.empty();
  };
  // flash-attention 1.0.x: d up to 128; its backward past d = 64 on an A100 or an H100 alone.
  for (const char* id : {"t4", "a100-80", "rtx3090", "h100", "b200"}) {
    CAPTURE(id);
    CHECK(runs(Method::Fa1, id, 128));
    CHECK(!runs(Method::Fa1, id, 256));
    CHECK(!runs(Method::Fa1, id, 129));
  }
  for (const char* id : {"a100-80", "h100"}) CHECK(runs(Method::Fa1, id, 128, Direction::Backward));
  for (const char* id : {"t4", "rtx3090", "rtx4090"}) {
    CHECK(runs(Method::Fa1, id, 64, Direction::Backward));
    CHECK(!runs(Method::Fa1, id, 128, Direction::Backward));
  }
  for (const char* id : {"b200", "rtx5090"}) CHECK(!runs(Method::Fa1, id, 64, Direction::Backward));
  // Tensor cores multiply bf16 from 8.0 on.
  for (const MethodInfo& info : estimated_methods()) {
    CAPTURE(info.name);
    for (const char* id : {"v100", "t4"}) CHECK(!runs(info.id, id, 64, Direction::Forward, Format::BFloat16));
  }
  CHECK(runs(Method::Standard, "v100", 64));
  CHECK(runs(Method::Fa2, "a100-80", 64, Direction::Forward, Format::BFloat16));
  CHECK(runs(Method::Fa2, "mi300x", 256, Direction::Forward, Format::BFloat16));
  CHECK(runs(Method::Fa2, "rtx3090", 256));
}

TEST_CASE("FA1's backward shares a head among blocks where heads alone leave multiprocessors idle") {
  Problem p = head(8192, 128);
  p.heads = 16;
  // flash-attention 1.0.9: each block of 128 keys is a thread block.
  const Blocks few = work_of(Method::Fa1, p, Direction::Backward).passes.back().blocks;
  CHECK(few.count == 16 * 64);
  CHECK(few.spread(132) < 1.1);
  p.batch = 33, p.heads = 4;  // one wave of an H100, full
  CHECK(work_of(Method::Fa1, p, Direction::Backward).passes.back().blocks.count == 132);
  // A bound, as the other methods' backward is: no published time of it lies far below.
  for (const HeldCell& cell : held_cells())
    if (cell.method == Method::Fa1 && cell.pass == HeldPass::Both && cell.gpu == "h100") {
      CAPTURE(cell.key);
      CHECK(held_ratio(cell, false) > 0.9);
    }
}

TEST_CASE("FA1 and FA2 are charged with mma.sync, backward too") {
  const Problem p{.batch = 1, .heads = 16, .n_q = 16384, .n_k = 16384, .d = 128};
  // Measured on an H200: 647 TFLOP/s by mma.sync, 911 by wgmma. No H100 or H200 does more than that share of its peak.
  const Roofs ceilings = *shipped_roofs(kShippedCeilings);
  const double share = ceilings.mma_sync->value / ceilings.mma_sync->clock * ceilings[Roof::Tensor]->clock /
                       ceilings[Roof::Tensor]->value;
  for (const char* id : {"h100", "h100-pcie", "h200"}) {
    CAPTURE(id);
    const Roofs roofs = gpu(id);
    REQUIRE(roofs.mma_sync);
    CHECK(roofs.mma_sync->verified);
    CHECK(roofs.mma_sync->value == doctest::Approx(share * roofs[Roof::Tensor]->value).epsilon(0.01));
    for (const Method method : {Method::Fa1, Method::Fa2})
      for (const Direction direction : {Direction::Forward, Direction::Backward})
        CHECK(estimate(method, p, roofs, direction).rate < roofs.mma_sync->value);
    CHECK(estimate(Method::Fa3, p, roofs)[Roof::Tensor] ==
          doctest::Approx(4.0 * 16 * 16384 * 16384 * 128 / roofs[Roof::Tensor]->value));
  }
  // Of data-centre Blackwell nobody says: the same figure a clock, marked. Users' FA2 stays below it.
  for (const char* id : {"b200", "b300"}) {
    const Roofs roofs = gpu(id);
    REQUIRE(roofs.mma_sync);
    CHECK(!roofs.mma_sync->verified);
    CHECK(roofs.mma_sync->source.find("nobody says") != std::string::npos);
    CHECK(roofs.mma_sync->value < 0.5 * roofs[Roof::Tensor]->value);
    CHECK(roofs.mma_sync->value > 381e12);
    CHECK(estimate(Method::Fa2, p, roofs, Direction::Backward).rate < roofs.mma_sync->value);
  }
  // One instruction alone for these products: the peak is its own.
  for (const char* id : {"t4", "a100-80", "rtx4090", "rtx5090", "mi300x"}) CHECK(!gpu(id).mma_sync);
}

TEST_CASE("FA4 on a B200: between what is told of it and its roofs") {
  const Problem p{.batch = 2, .heads = 16, .n_q = 16384, .n_k = 16384, .d = 128};
  const Roofs b200 = gpu("b200");
  const Estimate fa4 = estimate(Method::Fa4, p, b200), fa2 = estimate(Method::Fa2, p, b200);
  CHECK(fa4.rate > 1613e12);  // arXiv:2603.05451 says 1,613 TFLOP/s at most
  CHECK(fa4.rate < b200[Roof::Tensor]->value);
  CHECK(fa4.time < 0.5 * fa2.time);
  CHECK(win(estimate(Method::Standard, p, b200), fa4) > 3);
  // A B300's exponentials are twice as fast, which tells at d = 64.
  const Problem narrow{.batch = 2, .heads = 32, .n_q = 16384, .n_k = 16384, .d = 64};
  CHECK(estimate(Method::Fa4, narrow, b200).binds == Roof::Exponential);
  CHECK(estimate(Method::Fa4, narrow, gpu("b300")).time < 0.75 * estimate(Method::Fa4, narrow, b200).time);
}

TEST_CASE("FA2 is held against mma.sync's ceiling where it is known, FA3 against wgmma's") {
  Roofs roofs = gpu("h200");
  const Estimate before2 = estimate(Method::Fa2, head(4096, 128), roofs);
  const Estimate before3 = estimate(Method::Fa3, head(4096, 128), roofs);
  const double before = roofs.mma_sync->value;
  roofs.mma_sync = Rate{before / 2, "half", true};
  const Estimate after2 = estimate(Method::Fa2, head(4096, 128), roofs);
  CHECK(after2[Roof::Tensor] == doctest::Approx(2 * before2[Roof::Tensor]).scale(0));
  CHECK(estimate(Method::Fa3, head(4096, 128), roofs)[Roof::Tensor] == before3[Roof::Tensor]);
}

TEST_CASE("Without L2 every tile that FA2 loads is a DRAM byte") {
  const Roofs roofs = gpu("h100");
  const Work fa2 = work_of(Method::Fa2, head(4096, 64));
  CHECK(estimate(fa2, roofs, Levels::TwoLevel).dram_bytes == 34'619'392);
  CHECK(estimate(fa2, roofs).dram_bytes == 2'113'536);
  CHECK(figure(34'619'392 / 2'113'536.0, 1) == "16.4");
}

TEST_CASE("Every pass is a launch: the first takes its own time, the others that of one behind another") {
  Problem p{.batch = 2, .heads = 8, .n_q = 1024, .n_k = 1024, .d = 128};
  p.format = Format::Float16;
  p.mask = Mask::Causal;
  Roofs roofs = gpu("h100");
  constexpr double kMicro = 1e6;  // in µs: Approx takes differences of some 10^-5 for none
  const auto added = [&](Method method) {
    Roofs without = roofs;
    without.launch.reset();
    const Work work = work_of(method, p);
    const Estimate plain = estimate(work, without), made = estimate(work, roofs);
    CHECK(plain.launch == 0);
    for (const auto& [more, less] : {std::pair(made.serial, plain.serial), {made.overlapped, plain.overlapped}})
      CHECK(kMicro * (more - less) == doctest::Approx(kMicro * made.launch));
    CHECK(made.binds == plain.binds);
    CHECK(made.rate == doctest::Approx(work.nominal_flop / made.time));
    CHECK(kMicro * (made.time - plain.time) == doctest::Approx(kMicro * made.launch));
    return kMicro * made.launch;
  };
  CHECK(added(Method::Fa3) == 0);  // a datasheet does not say
  roofs.launch = Rate{2.5e5, "made up"};
  CHECK(added(Method::Fa2) == doctest::Approx(4));
  CHECK(added(Method::Standard) == doctest::Approx(12));
  roofs.next_launch = Rate{1e6, "made up"};
  CHECK(added(Method::Fa3) == doctest::Approx(4));
  CHECK(added(Method::Standard) == doctest::Approx(6));
  CHECK(added(Method::Eager) == doctest::Approx(8));  // five passes under a causal mask
}

TEST_CASE("Measured launches: between two events where runs rest, one behind the other where they do not") {
  const Ceilings& h200 = *shipped_ceilings();
  const Ceiling& launch = *h200.find(CeilingId::Launch);
  const Roofs rested = roofs_of(h200), sustained = roofs_of(h200, Origin::Recorded, Clocks::Sustained);
  const auto micro_of = [](const Roofs& roofs, size_t launches) { return 1e6 * roofs.launch_time(launches); };
  CHECK(rested.launch_time(0) == 0);
  CHECK(micro_of(rested, 1) == doctest::Approx(1e6 / launch.rested->median));
  CHECK(micro_of(rested, 3) == doctest::Approx(1e6 / launch.rested->median + 2e6 / launch.sustained->median));
  CHECK(micro_of(sustained, 3) == doctest::Approx(3e6 / launch.sustained->median));
}

}  // namespace tilewalk::test_estimate
