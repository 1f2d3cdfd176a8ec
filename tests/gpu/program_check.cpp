// Holds kernels/program.cu against float64: every schedule and every puzzle's solution, ragged and causal; a program
// that is wrong is wrong first in the row where the machine says so, and, where it is judged, its judge; the bytes
// between L2 and the multiprocessors are those that the machine counts, within 0.5 % (--counters). Leaves with 0 if all
// is right, 1 if not, 77 where there is no GPU.
#include "core/attention/reference.h"
#include "core/judge/judge.h"
#include "core/machine/machine.h"
#include "core/puzzle/puzzle.h"
#include "core/schedules/count.h"
#include "core/walk/reader.h"
#include "kernels/program_runner.h"
#include "kernels/traffic.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

using namespace tilewalk;
using namespace tilewalk::gpu;

namespace {

int faults = 0;

void fail(const std::string& what) {
  ++faults;
  fmt::print("WRONG {}\n", what);
}

Problem problem_of(int64_t n_q, int64_t n_k, int64_t d, int64_t tile_q, int64_t tile_k, bool causal,
                   int64_t heads = 2) {
  Problem p;
  p.n_q = n_q, p.n_k = n_k, p.d = d, p.br = tile_q, p.bc = tile_k, p.heads = heads;
  p.mask = causal ? Mask::Causal : Mask::Full;
  p.seed = uint64_t(n_q * 31 + n_k * 7 + d);
  return p;
}
std::string words(const Problem& p) {
  return fmt::format("H {} N {} x {} d {} tiles {} x {} {}", p.heads, p.n_q, p.n_k, p.d, p.br, p.bc, name_of(p.mask));
}

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{
      problem_of(128, 128, 64, 64, 64, false), problem_of(256, 256, 128, 64, 64, true),
      problem_of(100, 130, 64, 32, 48, false), problem_of(77, 200, 40, 32, 16, true),
      problem_of(200, 77, 64, 32, 32, true),   problem_of(33, 65, 24, 1, 8, false, 1),
      problem_of(16, 256, 16, 16, 16, false),  problem_of(1, 300, 64, 1, 64, false, 3),
  };
  return all;
}

int ran = 0, refused = 0;

void hold(const std::string& name, const Schedule& schedule, VariantId variant) {
  for (const Problem& p : problems()) {
    const Plan plan = make_plan(schedule, p, variant);
    const Packed packed = pack(schedule, plan, kProgramChipBytes);
    if (!packed.program) {
      ++refused;
      fmt::print("{} {}: {}\n", name, words(p), packed.refused);
      continue;
    }
    ProgramRunner runner(*packed.program, schedule, plan);
    runner.poison();
    runner.launch();
    ++ran;
    for (const ProgramResult& result : runner.results(p.heads))
      if (result.wrong_rows)
        fail(fmt::format("{} {}: {} has {} wrong rows, the first is row {} of head {}, worst {:.2e}", name, words(p),
                         symbol_of(result.tensor), result.wrong_rows, result.first + 1, result.head + 1,
                         result.worst_row));
  }
}

// The first row of O in which the machine's float64 is as wrong as a GPU could see.
int64_t first_wrong_row(const Schedule& schedule, const Plan& plan) {
  Inputs inputs = generate_inputs(plan.problem);
  round_inputs(inputs, Format::Float16);
  static const MachineSpec roomy{"roomy", "Roomy", int64_t{1} << 60, 0, false, int64_t{1} << 60, 1, ""};
  const Machine machine(schedule, plan, roomy, inputs);
  MachineState state = machine.start();
  for (const Step& step : steps_of(schedule, plan)) machine.apply(state, step);
  const Reference expected = reference(plan.problem, inputs);
  for (int64_t r = 0; r < plan.problem.n_q; ++r) {
    const Matrix& tile = *state.o.get(r / plan.tiling.br);
    double apart = 0, size = 0;
    for (int64_t c = 0; c < tile.cols; ++c) {
      const double wanted = expected.o.at(r, c), gap = tile.at(r % plan.tiling.br, c) - wanted;
      apart += gap * gap, size += wanted * wanted;
    }
    if (!(std::sqrt(apart) <= 2e-3 * std::sqrt(size))) return r;
  }
  return -1;
}

// The row that the judge's sentence names. It is what breaks first in time: of two K/V tiles the first wrong row, of
// more perhaps a later one. -1 where the problem is too large to be judged, or the sentence names a tile.
int64_t judged_row(const WalkProgram& program, const Problem& p) {
  Inputs inputs = generate_inputs(p);
  round_inputs(inputs, Format::Float16);
  if (!can_judge_on(p, inputs)) return -1;
  const std::string message = judge_on(program, p, inputs).message;
  constexpr std::string_view kRow = ", row ";
  const size_t at = message.find(kRow);
  return at == message.npos ? -1 : std::atoll(message.c_str() + at + kRow.size()) - 1;
}

int named = 0;  // rows that the judge named

void hold_wrong(std::string_view what, std::string_view by) {
  constexpr std::string_view kFa2 =
      "for each Q tile i, in parallel:\n"
      "  load Q[i];  O = 0;  l = 0;  m = -inf\n"
      "  for each K/V tile j that i sees:\n"
      "    load K[j], V[j]\n"
      "    S = Q[i] K[j]^T * scale\n"
      "    m' = max(m, rowmax(S));  alpha = exp(m - m')\n"
      "    P = exp(S - m');  l = alpha l + rowsum(P)\n"
      "    O = alpha O + P V[j]\n"
      "  O = O / l;  L = m + log(l)\n"
      "  store O[i], L[i]\n";
  std::string text(kFa2);
  const size_t at = text.find(what);
  if (at == text.npos) return fail(fmt::format("no such line: {}", what));
  text.replace(at, what.size(), by);
  WalkRead read = read_walk(text);
  if (!read.program) return fail(fmt::format("{}: {}", by, read.faults[0].message));
  const WalkProgram program = *std::move(read.program);
  const Schedule schedule = own_schedule(program);
  for (const Problem& p : {problem_of(128, 192, 64, 32, 32, false), problem_of(160, 160, 64, 32, 32, true),
                           problem_of(64, 64, 32, 16, 32, false, 1), problem_of(64, 64, 32, 16, 32, true, 1),
                           problem_of(80, 112, 32, 16, 64, true, 1)}) {
    const Plan plan = make_plan(schedule, p, VariantId::Paper);
    const Packed packed = pack(schedule, plan, kProgramChipBytes);
    ProgramRunner runner(*packed.program, schedule, plan);
    runner.poison();
    runner.launch();
    const ProgramResult o = runner.results(p.heads)[0];
    const int64_t wanted = first_wrong_row(schedule, plan);
    fmt::print("wrong: \"{}\", {}: first wrong row {} on the GPU, {} in the machine, {} wrong rows\n", by, words(p),
               o.first + 1, wanted + 1, o.wrong_rows);
    if (!o.wrong_rows || o.head || o.first != wanted) fail("the first wrong row is another one");
    const int64_t judged = judged_row(program, p);
    if (judged < 0) continue;
    ++named;
    if (o.first != judged) fail(fmt::format("the judge names row {}", judged + 1));
  }
}

void count_bytes(const std::string& name, const Schedule& schedule, VariantId variant, const Problem& p,
                 Traffic& traffic) {
  const Plan plan = make_plan(schedule, p, variant);
  const Packed packed = pack(schedule, plan, kProgramChipBytes);
  if (!packed.program) return fmt::print("{} {}: {}\n", name, words(p), packed.refused);
  ProgramRunner runner(*packed.program, schedule, plan);
  runner.poison();
  runner.launch();
  float best = runner.timed_ms();
  for (int k = 0; k < 4; ++k) best = std::min(best, runner.timed_ms());
  std::string fault;
  void* flushed = nullptr;
  cudaMalloc(&flushed, size_t{192} << 20);
  const auto counters = traffic.measure({[&] { cudaMemset(flushed, 0, size_t{192} << 20), cudaDeviceSynchronize(); },
                                         [&] { runner.launch(); }, [](int, int) { return true; }},
                                        fault);
  cudaFree(flushed);
  if (!counters) return fail(fmt::format("{}: {}", name, fault));
  const Meters total = count(schedule, plan).total.times(p.batch * p.heads);
  const double fills = double(total.fill_bytes()), drains = double(total.drain_bytes());
  const double over = *counters->l2_to_sm / fills - 1, over_out = *counters->sm_to_l2 / drains - 1;
  fmt::print(
      "{:24} {}: {:.3f} ms best of 5; L2 to SM {:.0f} counted, {:.0f} said, {:+.3f} %; SM to L2 {:.0f}, {:.0f}, "
      "{:+.2f} %; DRAM {:.0f} read, {:.0f} written; words {} B\n",
      name, words(p), double(best), *counters->l2_to_sm, fills, 100 * over, *counters->sm_to_l2, drains, 100 * over_out,
      counters->dram_read.value_or(0), counters->dram_written.value_or(0), packed.program->words.size() * 2);
  if (std::fabs(over) > 0.005) fail(fmt::format("{}: L2 to SM is off by {:+.3f} %", name, 100 * over));
}

}  // namespace

int main(int count_words, char** all) try {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) || !devices) return fmt::print("No GPU.\n"), 77;
  for (const Schedule& schedule : all_schedules())
    for (VariantId variant : {VariantId::Paper, VariantId::Kernel})
      hold(fmt::format("{} {}", schedule.key, name_of(variant)), schedule, variant);
  std::vector<std::pair<std::string, Schedule>> solutions;
  for (const auto& puzzle : shipped_puzzles()) {
    WalkRead read = read_walk(puzzle->solution.text);
    if (read.program) solutions.emplace_back(puzzle->id, own_schedule(*std::move(read.program)));
  }
  for (const auto& [id, schedule] : solutions) hold("puzzle " + id, schedule, VariantId::Paper);
  fmt::print("{} programs ran, {} were refused, {} faults\n", ran, refused, faults);

  hold_wrong("O = alpha O + P V[j]", "O = O + P V[j]");
  hold_wrong("l = alpha l + rowsum(P)", "l = l + rowsum(P)");
  hold_wrong("  O = O / l;  L", "  L");
  hold_wrong("l = alpha l + rowsum(P)\n", "\n    at the first visit:  l = alpha l + rowsum(P)\n");

  fmt::print("the judge named the first wrong row {} times\n", named);
  if (named != 6) fail("of two mistakes on three problems the judge names a row");

  if (count_words > 1 && !std::strcmp(all[1], "--counters")) {
    Traffic traffic;
    if (!traffic.unavailable().empty()) return fmt::print("{}\n", traffic.unavailable()), 1;
    for (const int64_t d : {64, 128}) {
      const Problem p = problem_of(1024, 1024, d, 64, 64, false, 8), small = problem_of(512, 512, d, 64, 64, false, 8);
      for (const Schedule& schedule : all_schedules())
        count_bytes(std::string(schedule.key), schedule, VariantId::Paper, schedule.scores_in_memory ? small : p,
                    traffic);
      for (const auto& [id, schedule] : solutions)
        count_bytes("puzzle " + id, schedule, VariantId::Paper, schedule.scores_in_memory ? small : p, traffic);
    }
    count_bytes("fa2 causal", schedule_of(Method::Fa2), VariantId::Paper, problem_of(1024, 1024, 128, 64, 64, true, 8),
                traffic);
  }
  fmt::print("{} faults in all\n", faults);
  return faults ? 1 : 0;
} catch (const std::exception& error) {
  fmt::print("{}\n", error.what());
  return 1;
}
