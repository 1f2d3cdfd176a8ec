#include "core/puzzle/puzzle.h"

#include "core/lesson/toml_fields.h"
#include "core/schedules/schedule.h"
#include "core/walk/reader.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace tilewalk {
namespace {

using Need = TomlFields::Need;

// "store P", "load m".
std::optional<StepKind> moving_step(std::string_view statement) {
  const size_t blank = statement.find(' ');
  if (blank == statement.npos) return std::nullopt;
  const std::string_view verb = statement.substr(0, blank);
  const std::optional<Tensor> tensor = walk_tensor(statement.substr(blank + 1));
  if (!tensor || (verb != "load" && verb != "store")) return std::nullopt;
  return verb == "load" ? load_of(*tensor) : store_of(*tensor);
}

struct Reader {
  FaultList& faults;
  Puzzle puzzle;

  void problem(const toml::table& table) {
    TomlFields fields(table, 1, "[problem]", faults);
    Problem& p = puzzle.problem;
    const auto size = [&](std::string_view key, std::string_view field, int64_t& value) {
      const Range range = range_of(field);
      return fields.whole(key, range.least, range.most, value);
    };
    if (size("n", "n_q", p.n_q)) p.n_k = p.n_q;
    size("n-q", "n_q", p.n_q);
    size("n-k", "n_k", p.n_k);
    size("d", "d", p.d);
    size("br", "br", p.br);
    size("bc", "bc", p.bc);
    std::string mask, tiles;
    if (fields.text("mask", mask)) {
      const auto named = mask_named(mask);
      named ? void(p.mask = *named) : fields.fault("mask", "mask must be full or causal.");
    }
    if (fields.text("machine", puzzle.machine) && !machine_named(puzzle.machine))
      fields.fault("machine", fmt::format("There is no machine called \"{}\".", puzzle.machine));
    if (fields.text("tiles", tiles)) {
      puzzle.own_tiles = tiles == "chosen";
      if (!puzzle.own_tiles) fields.fault("tiles", "tiles can be \"chosen\": whoever solves it chooses Br and Bc.");
    }
    fields.finish();
    const std::vector<Fault> wrong = validate(p);
    for (const Fault& fault : wrong) faults.add(fields.line(), fault.message);
    if (wrong.empty() && tiles_of_scores(p) > kMostPuzzleTiles)
      faults.add(fields.line(), fmt::format("S has more than {} tiles here, too many to answer every key at once; take "
                                            "a smaller n or larger tiles.",
                                            kMostPuzzleTiles));
  }

  void program(TomlFields& fields, std::string_view key, PuzzleProgram& program, Need need) {
    program.br = puzzle.problem.br, program.bc = puzzle.problem.bc;
    if (!fields.text(key, program.text, need)) return;
    const WalkRead read = read_walk(program.text);
    for (const WalkFault& fault : read.faults)
      if (key != "start" || !program.text.empty())
        return fields.fault(key, fmt::format("{}, line {}: {}", key, fault.line, fault.message));
    if (key == "solution" && read.program) puzzle.backward = own_schedule(*read.program).backward();
  }

  // "solution-tiles = [240, 8]" as two keys, so that each has its range.
  void tiles(TomlFields& fields, std::string_view prefix, PuzzleProgram& program) {
    if (!puzzle.own_tiles) return;
    fields.whole(std::string(prefix) + "-br", range_of("br").least, range_of("br").most, program.br);
    fields.whole(std::string(prefix) + "-bc", range_of("bc").least, range_of("bc").most, program.bc);
  }

  void goal(const toml::table& table) {
    TomlFields fields(table, 1, "a [[goal]]", faults);
    Goal goal;
    std::string name;
    if (fields.text("never", goal.statement)) {
      const auto step = moving_step(goal.statement);
      goal.kind = Goal::Kind::Never;
      step ? void(goal.never = *step)
           : fields.fault("never", fmt::format("\"{}\" is no statement that moves a tile; write it like store P.",
                                               goal.statement));
    } else if (fields.text("measure", name, Need::Required)) {
      goal.measure = measure_named(name);
      if (!goal.measure) {
        std::string all;
        for (const Measure& measure : measures()) all += (all.empty() ? "" : ", ") + std::string(measure.key);
        fields.fault("measure", fmt::format("\"{}\" is not measured; these are: {}.", name, all));
      }
      const bool most = fields.has("at-most");
      if (most == fields.has("at-least"))
        fields.fault("measure", "A goal with a measure has either at-most or at-least.");
      else
        bound(fields, most ? "at-most" : "at-least", goal);
      goal.kind = most ? Goal::Kind::AtMost : Goal::Kind::AtLeast;
    }
    fields.finish();
    puzzle.goals.push_back(std::move(goal));
  }

  // A number, or a schedule's key.
  static void bound(TomlFields& fields, std::string_view key, Goal& goal) {
    std::string text;
    if (!fields.expression(key, text)) return;
    if (schedule_named(text)) return void(goal.of = text);
    const auto digits = text.find_first_not_of("0123456789");
    if (!text.empty() && digits == text.npos && text.size() < 18)
      goal.bound = std::stoll(text);
    else
      fields.fault(key, fmt::format("{} is \"{}\"; it must be a whole number or a schedule such as fa2.", key, text));
  }
};

}  // namespace

PuzzleRead read_puzzle(std::string_view text, const std::string& file) {
  PuzzleRead out;
  FaultList faults(file, out.faults);
  if (text.size() > kMostPuzzleBytes) {
    faults.add(0, fmt::format("A puzzle has {} KiB at most.", kMostPuzzleBytes >> 10));
    return out;
  }
  const std::optional<toml::table> table = parse_toml(text, 1, faults);
  if (!table) return out;
  Reader reader{faults, {}};
  Puzzle& puzzle = reader.puzzle;
  puzzle.id = std::filesystem::path(file).stem().string();
  puzzle.machine = default_machine().id;
  if (!is_lesson_id(puzzle.id)) faults.add(0, "A puzzle's file is named with a-z, 0-9 and -, and ends in .puzzle.");
  TomlFields fields(*table, 1, "the puzzle", faults);
  fields.text("title", puzzle.title, Need::Required);
  fields.text("task", puzzle.task, Need::Required);
  fields.texts("hints", puzzle.hints);
  if (puzzle.hints.size() != 3)
    fields.fault("hints", fmt::format("A puzzle has three hints, each saying more; here are {}.", puzzle.hints.size()));
  if (const toml::table* problem = fields.table("problem")) reader.problem(*problem);
  reader.program(fields, "start", puzzle.start, Need::Optional);
  reader.program(fields, "solution", puzzle.solution, Need::Required);
  reader.program(fields, "near-miss", puzzle.near_miss, Need::Required);
  reader.tiles(fields, "solution", puzzle.solution);
  reader.tiles(fields, "near-miss", puzzle.near_miss);
  fields.text("near-miss-says", puzzle.near_says, Need::Required);
  puzzle.goals.emplace_back();  // it is attention
  const std::vector<const toml::table*> goals = fields.tables("goal");
  if (goals.size() > kMostGoals) fields.fault("goal", fmt::format("A puzzle has {} goals at most.", kMostGoals));
  for (size_t k = 0; k < std::min(goals.size(), kMostGoals); ++k) reader.goal(*goals[k]);
  fields.finish();
  if (out.faults.empty()) out.puzzle = std::make_shared<const Puzzle>(std::move(puzzle));
  return out;
}

}  // namespace tilewalk
