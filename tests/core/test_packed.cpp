// A program as a GPU takes it: the very steps, whole blocks, seats that do not overlap; and what is too big is refused.
#include "core/kernel/packed.h"
#include "core/walk/reader.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

namespace tilewalk::test_packed {

namespace {

constexpr int64_t kChip = 227 * 1024;

Problem problem_of(uint64_t number) {
  Problem p = test::make_case(number).problem;
  p.format = Format::Float16;
  return p;
}

}  // namespace

TEST_CASE("what is packed are the steps of the walk, block by block") {
  for (uint64_t number = 0; number < 200; ++number)
    for (const Schedule& schedule : all_schedules()) {
      const Plan plan = make_plan(schedule, problem_of(number), VariantId::Paper);
      const Packed made = pack(schedule, plan, kChip);
      INFO(test::words_of(schedule, VariantId::Paper), " ", number, " ", made.refused);
      REQUIRE(made.program);
      const PackedProgram& program = *made.program;
      const std::vector<Step> steps = steps_of(schedule, plan);
      REQUIRE(program.begin.back() == program.words.size());
      uint32_t blocks = 0;
      for (const PackedPass& pass : program.passes) {
        if (!pass.blocks) continue;
        CHECK(pass.first_block == blocks);
        blocks += pass.blocks;
      }
      REQUIRE(program.begin.size() == blocks + 1);
      const auto word = [&](uint32_t at) { return uint32_t(program.words[at]); };
      size_t k = 0;
      for (uint32_t block = 0; block < blocks; ++block) {
        const Step& first = steps[k];
        PackedStep read;  // as a thread block begins: it knows nothing
        for (uint32_t at = program.begin[block]; at < program.begin[block + 1]; ++k) {
          next_packed(word, at, read);
          REQUIRE(k < steps.size());
          const Step& step = steps[k];
          REQUIRE(read.kind == step.kind);
          REQUIRE(read.flags == step.flags);
          REQUIRE(read.i == step.i);
          REQUIRE(read.j == step.j);
          REQUIRE(read.slot == step.slot);
          REQUIRE(step.pass == first.pass);
          if (schedule.section_is_block) REQUIRE(step.section == first.section);
        }
      }
      REQUIRE(k == steps.size());
    }
}

TEST_CASE("seats on chip lie apart, and each holds what lies there") {
  for (const Schedule& schedule : all_schedules()) {
    Plan half = make_plan(schedule, test::square(50, 24, 16, 8), VariantId::Paper);
    half.problem.format = Format::Float16;
    const Packed made = pack(schedule, half, kChip);
    REQUIRE(made.program);
    const std::vector<Step> steps = steps_of(schedule, half);
    for (const Step& step : steps) {
      const PackedPass& pass = made.program->passes[step.pass];
      for (Tensor tensor : touched_by(step).writes) {
        if (tensor == kNoTensor) continue;
        const bool part = slot_of(tensor, step) == kPartSlot && (tensor == Tensor::O || tensor == Tensor::Lse);
        const size_t seat = size_t(!part ? packed_seat(tensor) : tensor == Tensor::O ? kPartSeatO : kPartSeatLse);
        const int64_t rows = is_keyed(tensor) ? 8 : 16;
        const int64_t cols = is_statistic(tensor) ? 1 : is_scores(tensor) ? 8 : 24;
        CHECK(pass.apart[seat] >= rows * cols * (packed_narrow(tensor) ? 2 : 4));
        const uint32_t slot = part ? 0 : uint32_t(slot_of(tensor, step));
        const uint32_t end = pass.seat[seat] + (slot + 1) * pass.apart[seat];
        CHECK(end <= pass.chip_bytes);
        for (size_t other = seat + 1; other < kPackedSeats; ++other)
          if (pass.apart[other]) CHECK(end <= pass.seat[other]);
      }
    }
  }
}

TEST_CASE("what is too big for a GPU, or for patience, is refused with a sentence") {
  Problem p = test::square(256, 64, 64, 64);
  p.format = Format::Float16;
  const auto told = [&](const Schedule& schedule, const Problem& problem) {
    return pack(schedule, make_plan(schedule, problem, VariantId::Paper), kChip).refused;
  };
  CHECK(told(schedule_of(Method::Fa2), p) == "");
  Problem other = p;
  other.format = Format::BFloat16;
  CHECK(told(schedule_of(Method::Fa2), other) == "A program runs in fp16 on a GPU.");
  other = p;
  other.br = other.bc = 256;
  CHECK(told(schedule_of(Method::Fa2), other) ==
        "Pass 1 keeps 420 KiB on chip at once; a thread block has 227 KiB there.");
  other = p;
  other.n_q = other.n_k = 1 << 17, other.br = other.bc = 16;
  CHECK(told(schedule_of(Method::Fa2), other).find("steps; up to 4,194,304 run on a GPU.") != std::string::npos);
  other = p;
  other.n_q = other.n_k = 1 << 15, other.d = 128, other.heads = 64;
  CHECK(told(schedule_of(Method::Fa2), other).find("FLOP; up to") != std::string::npos);
}

}  // namespace tilewalk::test_packed
