// The machine refuses: to compute on what is not on chip, to load what was never stored, to hold more than fits. Its
// sentences name the tile.
#include "core/machine/machine.h"

#include "core/machine/words.h"
#include "core/schedules/footprint.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace tilewalk::test_machine {
using namespace tilewalk::test;

namespace {

Problem toy() {
  Problem p;
  p.n_q = 10;
  p.n_k = 12;
  p.d = 4;
  p.br = p.bc = 4;
  return p;
}

// What the machine says to these steps; nothing when it takes them all.
std::string refusal(const Schedule& schedule, const Plan& plan, const MachineSpec& spec,
                    const std::vector<Step>& steps) {
  const Machine machine(schedule, plan, spec, generate_inputs(plan.problem));
  MachineState state = machine.start();
  try {
    for (const Step& step : steps) machine.apply(state, step);
  } catch (const MachineFault& fault) {
    return fault.what();
  }
  return {};
}

std::string without(const Schedule& schedule, VariantId variant, StepKind kind, int nth = 0) {
  const Plan plan = make_plan(schedule, toy(), variant);
  std::vector<Step> steps = steps_of(schedule, plan);
  for (auto s = steps.begin(); s != steps.end(); ++s)
    if (s->kind == kind && nth-- == 0) {
      steps.erase(s);
      break;
    }
  return refusal(schedule, plan, roomy(), steps);
}

}  // namespace

TEST_CASE("it refuses to compute on what was not loaded, and names it") {
  using enum StepKind;
  constexpr VariantId kPaper = VariantId::Paper;
  CHECK(without(schedule_of(Method::Fa2), kPaper, LoadQ) == "Score needs Q tile 1, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, LoadQ, 1) == "Score needs Q tile 2, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, LoadK) == "Score needs K tile 1, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, LoadK, 1) == "Score needs K tile 2, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, LoadV, 4) == "Accumulate needs V tile 2, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, InitO) == "Accumulate needs O tile 1, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, InitStats) == "RowMax needs m of Q tile 1, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, Score) == "RowMax needs S tile (1, 1), which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, RowMax, 1) == "RowSum needs α of Q tile 1, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, Exponentiate, 3) ==
        "RowSum needs P tile (2, 1), which is not on chip.");
  CHECK(without(schedule_of(Method::Fa2), kPaper, LogSumExp) == "StoreLse needs L of Q tile 1, which is not on chip.");

  CHECK(without(schedule_of(Method::Fa1), kPaper, LoadO) == "Denormalize needs O tile 1, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa1), kPaper, LoadStats, 1) ==
        "Denormalize needs l of Q tile 2, which is not on chip.");
  CHECK(without(schedule_of(Method::Fa1), VariantId::Kernel, LoadK, 1) ==
        "Score needs K tile 2, which is not on chip.");

  CHECK(without(schedule_of(Method::Standard), kPaper, LoadS) == "RowMax needs S tile (1, 1), which is not on chip.");
  CHECK(without(schedule_of(Method::Standard), kPaper, LoadS, 1) ==
        "RowMax needs S tile (1, 2), which is not on chip.");
  CHECK(without(schedule_of(Method::Standard), kPaper, LoadP, 2) ==
        "Accumulate needs P tile (1, 3), which is not on chip.");
}

TEST_CASE("it refuses to load what was never stored") {
  using enum StepKind;
  CHECK(without(schedule_of(Method::Standard), VariantId::Paper, StoreS) ==
        "LoadS asks for S tile (1, 1), which was never stored.");
  CHECK(without(schedule_of(Method::Standard), VariantId::Paper, StoreP, 4) ==
        "LoadP asks for P tile (2, 2), which was never stored.");
  CHECK(without(schedule_of(Method::Fa1), VariantId::Paper, StoreO) ==
        "LoadO asks for O tile 1, which was never stored.");
  CHECK(without(schedule_of(Method::Fa1), VariantId::Kernel, StoreStats, 1) ==
        "LoadStats asks for m of Q tile 2, which was never stored.");
}

TEST_CASE("leaving out any load, any first value or any score is noticed, in every schedule") {
  for (const Schedule& schedule : schedules())
    for (VariantId variant : kVariants) {
      const Plan plan = make_plan(schedule, toy(), variant);
      const std::vector<Step> all = steps_of(schedule, plan);
      REQUIRE(refusal(schedule, plan, roomy(), all).empty());
      for (size_t k = 0; k < all.size(); ++k) {
        using enum StepKind;
        const StepKind kind = all[k].kind;
        const bool fresh = kind == InitO || kind == InitStats || kind == Score || kind == Exponentiate;
        if (info_of(kind).engine != Engine::Load && !fresh) continue;
        std::vector<Step> steps = all;
        steps.erase(steps.begin() + int64_t(k));
        INFO(words_of(schedule, variant), ", without ", info_of(kind).name, " ", k);
        CHECK(!refusal(schedule, plan, roomy(), steps).empty());
      }
    }
}

TEST_CASE("on-chip memory is empty when a thread block begins") {
  const Plan plan = make_plan(schedule_of(Method::Fa2), toy(), VariantId::Paper);
  const Machine machine(schedule_of(Method::Fa2), plan, roomy(), generate_inputs(plan.problem));
  MachineState state = machine.start();
  for (const Step& step : steps_of(schedule_of(Method::Fa2), plan)) {
    const bool begins = step.section != state.block_section;
    machine.apply(state, step);
    if (begins) {
      CHECK(state.chip.size() == 1);
      CHECK(state.sram_used == 4 * 2 * plan.tiling.rows(step.i));
      CHECK(state.registers_used == 0);
    }
  }
}

TEST_CASE("it refuses what does not fit: a byte less than the footprint is too little") {
  for (const Schedule& schedule : schedules())
    for (VariantId variant : kVariants)
      for (bool o_in_sram : {false, true}) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, toy(), variant);
        const std::vector<Step> steps = steps_of(schedule, plan);
        MachineSpec spec = roomy();
        spec.o_in_sram = o_in_sram;
        const Footprint f = footprint(schedule, plan, spec);
        spec.sram_bytes = f.sram_bytes;
        spec.register_bytes = f.register_bytes;
        CHECK(refusal(schedule, plan, spec, steps) == "");
        CHECK(fit_faults(schedule, plan, spec).empty());

        --spec.sram_bytes;
        CHECK(refusal(schedule, plan, spec, steps).find("of SRAM, but") != std::string::npos);
        CHECK(fit_faults(schedule, plan, spec).size() == 1);
        ++spec.sram_bytes;
        --spec.register_bytes;
        CHECK(refusal(schedule, plan, spec, steps).find("of registers, but") != std::string::npos);
        CHECK(fit_faults(schedule, plan, spec).size() == 1);
      }
}

TEST_CASE("a footprint holds for every mask") {
  for (uint64_t number = 0; number < 400; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        const Plan plan = make_plan(schedule, c.problem, variant);
        MachineSpec spec = roomy();
        const Footprint f = footprint(schedule, plan, spec);
        spec.sram_bytes = f.sram_bytes;
        spec.register_bytes = f.register_bytes;
        CHECK(refusal(schedule, plan, spec, steps_of(schedule, plan)) == "");
      }
  }
}

TEST_CASE("FA2's tiles take (Br + 2 Bc) d elements of SRAM, S and O and the statistics fp32 registers") {
  Problem p;
  p.n_q = p.n_k = 512;
  p.d = 128;
  p.br = 128;
  p.bc = 64;
  const MachineSpec& h200 = default_machine();
  const Footprint f =
      footprint(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), p, VariantId::Kernel), h200);
  CHECK(f.sram_bytes == 65536);
  CHECK(f.register_bytes == (128 * 64 + 128 * 128 + 4 * 128) * 4);  // m, l, alpha, L
  CHECK(fit_faults(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), p, VariantId::Kernel), h200).empty());

  p.br = p.bc = 256;
  const auto faults = fit_faults(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), p, VariantId::Kernel),
                                 *machine_named("a100"));
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].message ==
        "Br = 256, Bc = 256, d = 128: the tiles need 192 KiB of SRAM; a thread block on A100 has 163 KiB. "
        "Take smaller tiles.");
  CHECK(faults[1].message.find("of registers; A100 has 256 KiB") != std::string::npos);
}

TEST_CASE("too many steps, elements or FLOP are counted only, and said so") {
  const auto fault = [](const Schedule& schedule, int64_t n, int64_t d, int64_t tile) -> std::string {
    Problem p;
    p.n_q = p.n_k = n;
    p.d = d;
    p.br = p.bc = tile;
    const auto faults = animation_faults(schedule, make_plan(schedule, p, VariantId::Paper), roomy());
    REQUIRE(faults.size() <= 1);
    return faults.empty() ? "" : faults[0].message;
  };
  CHECK(fault(schedule_of(Method::Fa2), 1024, 64, 64) == "");
  CHECK(fault(schedule_of(Method::Standard), 1024, 64, 64) == "");
  CHECK(fault(schedule_of(Method::Fa2), 4096, 128, 64) == "");
  CHECK(fault(schedule_of(Method::Fa2), 500, 8, 1) ==
        "The walk has 2,003,000 steps; up to 2,000,000 are animated. "
        "Counts are exact at any size.");
  CHECK(fault(schedule_of(Method::Fa2), 1 << 20, 64, 128) ==
        "Q, K and V hold 201,326,592 numbers; up to 4,000,000 are animated. "
        "Counts are exact at any size.");
  CHECK(fault(schedule_of(Method::Standard), 2048, 64, 64) ==
        "Q, K, V, S and P hold 8,781,824 numbers; up to 4,000,000 are "
        "animated. Counts are exact at any size.");
  CHECK(fault(schedule_of(Method::Fa2), 8192, 128, 64) ==
        "The matrix products take 34,359,738,368 FLOP; up to 10,000,000,000 are "
        "animated. Counts are exact at any size.");
}

TEST_CASE("states compare by every value") {
  const Plan plan = make_plan(schedule_of(Method::Fa1), toy(), VariantId::Paper);
  const Inputs inputs = generate_inputs(plan.problem);
  const MachineState a = run(schedule_of(Method::Fa1), plan, inputs);
  MachineState b = run(schedule_of(Method::Fa1), plan, inputs);
  CHECK(a == b);
  CHECK(fingerprint(a) == fingerprint(b));
  TilePtr o = b.o.get(2);
  writable(o).at(1, 3) += 1e-12;
  b.o.set(2, o);
  CHECK(!(a == b));
  CHECK(fingerprint(a) != fingerprint(b));
  CHECK(a.o.get(2)->at(1, 3) != b.o.get(2)->at(1, 3));  // a's tile was not touched
}

TEST_CASE("machines are found by name and have sane sizes") {
  for (const MachineSpec& spec : machines()) {
    CAPTURE(spec.id);
    CHECK(machine_named(spec.id) == &spec);
    CHECK(spec.sram_bytes > 0);
    CHECK(spec.l2_bytes > spec.sram_bytes);
    CHECK(spec.multiprocessors >= 1);
  }
  CHECK(default_machine().title == "H200");
  CHECK(!machine_named("none"));
}

TEST_CASE("more threads have fewer registers each, and those that only load leave theirs to the others") {
  const MachineSpec& machine = *machine_named("h200");
  CHECK(registers_of_thread(machine, 128, false) == 255);
  CHECK(registers_of_thread(machine, 256, false) == 255);
  CHECK(registers_of_thread(machine, 384, false) == 168);
  CHECK(registers_of_thread(machine, 128, true) == 255);
  CHECK(registers_of_thread(machine, 256, true) == 240);  // upstream's, with 2 and 3 computing warpgroups
  CHECK(registers_of_thread(machine, 384, true) == 160);
}

}  // namespace tilewalk::test_machine
