#include "core/run/program_run.h"

#include "core/run/results_file.h"
#include "core/run/program_fields.h"
#include "core/schedules/count.h"
#include "core/schedules/schedule.h"
#include "core/walk/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr ResultsKind kProgramsFile{"tilewalk_programs", "is no file of programs"};
// kernels/program.cu: threads of a block and 32-bit registers of a thread, as it is given them on Hopper; and what a
// multiprocessor of compute capability 9.0 has of both and of shared memory, of which it keeps 1 KiB for each block.
constexpr int64_t kBlockThreads = 256, kRegisters = 120, kMostThreads = 2048, kAllRegisters = 65536,
                  kShared = 228 * 1024, kReserved = 1024;

int resident_blocks(const PackedProgram& packed) {
  int64_t fit = std::min(kMostThreads / kBlockThreads, kAllRegisters / (kBlockThreads * kRegisters));
  for (const PackedPass& pass : packed.passes)
    if (pass.blocks) fit = std::min(fit, kShared / (pass.chip_bytes + kReserved));
  return int(std::max<int64_t>(1, fit));
}

}  // namespace

Problem program_problem(Mask mask, int64_t br, int64_t bc) {
  constexpr int64_t kN = 512, kBatch = 16, kHeads = 16, kD = 64, kWhole = 16, kLargest = 128;
  const auto fits = [](int64_t rows) { return rows % kWhole == 0 && rows >= kWhole && rows <= kLargest; };
  const bool own = fits(br) && fits(bc);
  Problem p;
  p.batch = kBatch, p.heads = kHeads, p.n_q = p.n_k = kN, p.d = kD, p.mask = mask;
  p.br = own ? br : 32, p.bc = own ? bc : 64;
  return p;
}

bool ProgramRun::right() const {
  return refused.empty() && !tensors.empty() &&
         std::ranges::all_of(tensors, [](const ProgramTensor& t) { return t.wrong_rows == 0; });
}

std::optional<MadeProgram> make_program(const ProgramSpec& spec, std::string& why) {
  WalkRead read = read_walk(spec.text);
  if (!read.program) {
    why = fmt::format("Line {}: {}", read.faults.front().line, read.faults.front().message);
    return std::nullopt;
  }
  if (const std::vector<Fault> faults = validate(spec.problem); !faults.empty()) {
    why = faults.front().message;
    return std::nullopt;
  }
  Schedule schedule = own_schedule(*std::move(read.program));
  Plan plan = make_plan(schedule, spec.problem, VariantId::Paper);
  Packed packed = pack(schedule, plan, kProgramChipBytes);
  if (!packed.program) {
    why = packed.refused;
    return std::nullopt;
  }
  return MadeProgram{std::move(schedule), std::move(plan), *std::move(packed.program)};
}

ProgramBytes program_bytes(const MadeProgram& made, const MachineSpec& machine) {
  const Problem& p = made.plan.problem;
  const Meters total = count(made.schedule, made.plan).total.times(p.batch * p.heads);
  return {total.fill_bytes(), total.drain_bytes(),
          estimate_dram(made.schedule, made.plan, machine, {.resident = resident_blocks(made.packed)})};
}

uint64_t steps_number(const PackedProgram& packed) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  const auto begins = [](const PackedStep& step) {
    using enum StepKind;
    return step.kind == InitO || step.kind == InitStats || step.kind == InitDQ || step.kind == InitDK ||
           step.kind == InitDV;
  };
  std::vector<std::tuple<int, int, int, int, int>> together;
  const auto add_all = [&] {
    std::ranges::sort(together);
    for (const auto& [kind, flags, slot, i, j] : together)
      add(uint64_t(kind)), add(uint64_t(flags)), add(uint64_t(slot)), add(uint64_t(i)), add(uint64_t(j));
    together.clear();
  };
  const auto word = [&](uint32_t at) { return uint32_t(packed.words[at]); };
  for (size_t block = 0; block + 1 < packed.begin.size(); ++block) {
    PackedStep step;
    for (uint32_t at = packed.begin[block]; at < packed.begin[block + 1];) {
      next_packed(word, at, step);
      if (!begins(step)) add_all();
      together.emplace_back(int(step.kind), int(step.flags), step.slot, step.i, step.j);
      if (!begins(step)) add_all();
    }
    add_all();
    add(block);
  }
  return hash;
}

std::string programs_text(const std::vector<ProgramRun>& runs) { return results_text(kProgramsFile, runs); }

std::optional<std::vector<ProgramRun>> read_programs(std::string_view text, std::string& fault) {
  return read_results<ProgramRun>(kProgramsFile, text, fault);
}

}  // namespace tilewalk
