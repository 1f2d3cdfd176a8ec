#include "core/judge/judge.h"

#include "core/attention/gradients.h"
#include "core/attention/reference.h"
#include "core/machine/words.h"
#include "core/judge/judge_rows.h"
#include "core/schedules/schedule.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tilewalk {
namespace {

constexpr double kNear = 1e-9;

// Refuses nothing: whether tiles fit is asked of a machine.
const MachineSpec& roomy() {
  static const MachineSpec spec{"roomy", "Roomy", int64_t{1} << 60, 0, false, int64_t{1} << 60, 1, ""};
  return spec;
}

// Ragged, masked and not, rows that see nothing, tiles of one row: the number says which.
Problem problem_of(uint64_t seed, int number) {
  uint64_t state = seed * 0x9E3779B97F4A7C15u + uint64_t(number) * 0xBF58476D1CE4E5B9u;
  const auto between = [&](int64_t low, int64_t high) {
    state ^= state >> 30;
    state *= 0x94D049BB133111EBu;
    state ^= state >> 27;
    return low + int64_t((state >> 8) % uint64_t(high - low + 1));
  };
  Problem p;
  p.seed = seed + uint64_t(number);
  p.n_q = between(4, 13);
  p.n_k = number % 3 == 0 ? p.n_q : between(4, 13);
  p.d = between(2, 4);
  p.br = between(number % 5 == 0 ? 1 : 2, 4);
  p.bc = between(number % 5 == 1 ? 1 : 2, 4);
  p.mask = number % 2 ? Mask::Causal : Mask::Full;
  p.align = number % 4 == 1 ? CausalAlign::TopLeft : CausalAlign::BottomRight;
  p.format = Format::Float64;
  if (number == 0) {  // whole Q tiles that see no key
    p.n_q = 11, p.n_k = 5, p.br = p.bc = 2;
    p.mask = Mask::Causal;
    p.align = CausalAlign::BottomRight;
  }
  if (number == 1) {  // K/V tiles that no query sees
    p.n_q = 5, p.n_k = 11, p.br = p.bc = 3;
    p.mask = Mask::Causal;
    p.align = CausalAlign::TopLeft;
  }
  return p;
}

// Two blocks that run side by side and touch the same tile in memory, one of them storing it.
std::optional<Broken> race(const std::vector<Step>& steps) {
  struct Touch {
    int32_t section;
    bool stored, added;
  };
  std::map<std::tuple<int, Tensor, int32_t, int32_t, int32_t>, Touch> seen;
  for (const Step& step : steps) {
    const Engine engine = info_of(step.kind).engine;
    if (engine != Engine::Load && engine != Engine::Store) continue;
    const Tensor tensor = moved_tensors(step.kind)[0];
    if (is_input(tensor)) continue;
    const bool adds = step.kind == StepKind::AddDQ, stores = engine == Engine::Store;
    const int32_t part = is_part(step.kind) ? step.slot + 1 : 0;
    const auto key =
        std::tuple(int(step.pass), tensor, by_query_tile(tensor) ? step.i : 0, by_key_tile(tensor) ? step.j : 0, part);
    const auto [it, fresh] = seen.try_emplace(key, Touch{step.section, stores, adds});
    Touch& first = it->second;
    if (first.section != step.section && (stores || first.stored) && !(adds && first.added))
      return Broken{
          step.line, false,
          fmt::format("a race: two thread blocks that run side by side both use {} in memory, and one of them "
                      "stores it. What follows a line \"pass NAME\" waits for all before it.",
                      tile_words(tensor, step.i, step.j))};
    first.stored |= stores;
    first.added &= adds;
  }
  return std::nullopt;
}

// The first tile of a result that is not what it should be; in words.
std::optional<std::string> wrong_result(Tensor tensor, const MachineState& end, const Tiling& t,
                                        const Matrix& expected) {
  const int64_t tiles = is_keyed(tensor) ? t.tc : t.tr, size = is_keyed(tensor) ? t.bc : t.br;
  for (int64_t n = 0; n < tiles; ++n) {
    const TilePtr tile = end.memory(tensor)->get(n);
    if (!tile) return fmt::format("{} is never stored.", tile_words(tensor, n, n));
    for (int64_t r = 0; r < tile->rows; ++r)
      for (int64_t c = 0; c < tile->cols; ++c) {
        const double got = tile->at(r, c), wanted = expected.at(n * size + r, c);
        if (got == wanted || std::fabs(got - wanted) <= kNear * std::max(1.0, std::fabs(wanted))) continue;
        return fmt::format("row {} of {} is wrong: it has {} where attention has {}.", n * size + r + 1,
                           symbol_of(tensor), number_words(got), number_words(wanted));
      }
  }
  return std::nullopt;
}

// Scores that are made more than once, for one Q tile and one K/V tile.
std::string done_twice(const std::vector<Step>& steps) {
  std::map<std::pair<int32_t, int32_t>, int> made;
  int most = 0;
  for (const Step& step : steps)
    if (step.kind == StepKind::Score) most = std::max(most, ++made[{step.i, step.j}]);
  return most > 1 ? fmt::format("S is made {} times for each tile.", most) : "";
}

// The machine's sentence without the name of its step, which no program says, and what would bring what is missing.
std::string in_the_language(const MachineFault& fault, const Step& step, bool several) {
  std::string words = fault.what();
  const std::string name(info_of(step.kind).name);
  if (words.starts_with(name + " ")) words = "this line" + words.substr(name.size());
  if (!fault.missing || !words.ends_with('.')) return words;
  const Tensor tensor = fault.missing->tensor;
  const std::string tile = fmt::format("{}[{}]", walk_name(tensor), walk_index(tensor));
  std::string ways;
  if (!fault.missing->on_chip) {
    ways = fmt::format("store {} comes first", tile);
  } else {
    const auto makes = [&](const WalkForm& form) {
      return form.typed.starts_with(std::string(walk_name(tensor)) + " = ");
    };
    if (const auto form = std::ranges::find_if(walk_forms(), makes); form != walk_forms().end())
      ways = fmt::format("{} {} it", form->typed,
                         form->typed.ends_with("= 0") || form->typed.ends_with("-inf") ? "begins" : "makes");
    if (load_of(tensor) && tensor != Tensor::M && tensor != Tensor::L)
      ways += fmt::format("{}load {} brings it", ways.empty() ? "" : ", or ", tile);
  }
  if (ways.empty()) return words;
  words.back() = ':';
  if (fault.missing->on_chip && several) ways += "; each loop that stands in no other begins with nothing on chip";
  return fmt::format("{} {}.", words, ways);
}

struct Judge {
  const WalkProgram& program;
  const Schedule schedule;
  Verdict verdict;

  // Whether the program stands on this problem.
  bool stands(const Inputs& inputs) {
    const Problem& problem = verdict.problem;
    const Plan plan = make_plan(schedule, problem, VariantId::Paper);
    const std::vector<Step> steps = steps_of(schedule, plan);
    if (program.parallel())
      if (const auto broken = race(steps)) return refuse(*broken);
    const Machine machine(schedule, plan, roomy(), inputs);
    MachineState state = machine.start();
    for (const Step& step : steps) try {
        machine.apply(state, step);
      } catch (const MachineFault& fault) {
        return refuse({step.line, false, in_the_language(fault, step, program.nests.size() > 1)});
      }
    const auto wrong =
        schedule.backward() ? wrong_gradient(problem, inputs, plan, state) : wrong_output(problem, inputs, plan, state);
    if (!wrong) {
      verdict.message = done_twice(steps);
      return true;
    }
    if (const auto broken = what_broke(schedule, plan, inputs, steps)) return refuse(*broken);
    return refuse({steps.empty() ? 0 : steps.back().line, false, *wrong});
  }

  static std::optional<std::string> wrong_output(const Problem& p, const Inputs& inputs, const Plan& plan,
                                                 const MachineState& end) {
    const Reference expected = reference(p, inputs);
    if (auto wrong = wrong_result(Tensor::O, end, plan.tiling, expected.o)) return wrong;
    if (end.lse.chunks().empty()) return std::nullopt;
    Matrix lse(p.n_q, 1);
    lse.values = expected.lse;
    return wrong_result(Tensor::Lse, end, plan.tiling, lse);
  }

  static std::optional<std::string> wrong_gradient(const Problem& p, const Inputs& inputs, const Plan& plan,
                                                   const MachineState& end) {
    const Gradients expected = reference_gradients(p, inputs, output_gradient(p, inputs));
    for (const auto& [tensor, matrix] : {std::pair(Tensor::DQ, &expected.dq), std::pair(Tensor::DK, &expected.dk),
                                         std::pair(Tensor::DV, &expected.dv)})
      if (auto wrong = wrong_result(tensor, end, plan.tiling, *matrix)) return wrong;
    return std::nullopt;
  }

  bool refuse(const Broken& broken) {
    verdict.kind = broken.approximate ? Verdict::Kind::Approximate : Verdict::Kind::Wrong;
    verdict.line = program.source_line[size_t(broken.line)];
    verdict.message = broken.message;
    return false;
  }
};

}  // namespace

Verdict judge(const WalkProgram& program, uint64_t seed) {
  Judge judge{program, own_schedule(program), {}};
  judge.verdict.backward = judge.schedule.backward();
  for (int number = 0; number < kJudgedProblems; ++number) {
    judge.verdict.problem = problem_of(seed, number);
    if (!judge.stands(generate_inputs(judge.verdict.problem))) break;
  }
  return judge.verdict;
}

bool can_judge_on(const Problem& p, const Inputs& inputs) {
  return p.n_q * p.n_k * p.d <= kMostJudgedProducts && inputs.q.rows == p.n_q && inputs.k.rows == p.n_k &&
         inputs.v.rows == p.n_k && inputs.q.cols == p.d;
}

Verdict judge_on(const WalkProgram& program, const Problem& problem, const Inputs& inputs) {
  Judge judge{program, own_schedule(program), {}};
  judge.verdict.backward = judge.schedule.backward();
  judge.verdict.problem = problem;
  judge.verdict.problem.arithmetic = Arithmetic::Exact;
  judge.verdict.problem.mistake = Mistake::None;
  judge.stands(inputs);
  return judge.verdict;
}

std::string words_of_judged(const Problem& p) {
  const std::string size =
      p.n_q == p.n_k ? fmt::format("N = {}", p.n_q) : fmt::format("{} queries, {} keys", p.n_q, p.n_k);
  const std::string tiles = p.br == p.bc ? fmt::format("{}", p.br) : fmt::format("{} × {}", p.br, p.bc);
  return fmt::format("{}, tiles of {}{}", size, tiles, p.mask == Mask::Full ? "" : ", causal");
}

}  // namespace tilewalk
