// Programs made from the shipped ones by deleting a line, swapping two, doubling one, or changing a statement. Each is
// read and judged: it is attention in float64, shown on problems of other seeds, or it is refused with a sentence. What
// is refused at a line other than the changed one is listed, so that a person can see whether it first shows there.
#include "core/attention/gradients.h"
#include "core/attention/reference.h"
#include "core/io/embedded.h"
#include "core/playback/narrate.h"
#include "core/playback/replay.h"
#include "core/playback/units.h"
#include "core/judge/judge.h"
#include "core/walk/reader.h"
#include "core/walk/words.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <set>

namespace tilewalk::test_mutations {
using namespace tilewalk::test;

namespace {

constexpr std::string_view kTexts[] = {"standard",          "fa1",          "fa1-kernel",  "fa2", "fa3",
                                       "standard-backward", "fa1-backward", "fa2-backward"};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}
std::string text_of(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

struct Mutant {
  std::string name;
  std::string text;
  std::set<int> changed;  // lines, from 1
};

// Statements of a line, each with its words; a change takes one out or puts another in its place.
struct Change {
  std::string_view from, to;
};
constexpr Change kChanges[] = {
    {"load K[j], V[j]", "load K[j]"},
    {"load K[j], V[j]", "load V[j]"},
    {"O = alpha O + P V[j]", "O = O + P V[j]"},
    {"O = alpha O + P V[j]", "O = alpha O"},
    {"l = alpha l + rowsum(P)", "l = l + rowsum(P)"},
    {"P = exp(S - m')", "P = exp(S - m)"},
    {"P = exp(S - m)", "P = exp(S - m')"},
    {";  l = alpha l + rowsum(P)", ""},
    {";  l = l + rowsum(P)", ""},
    {"O = 0;  ", ""},
    {"l = 0;  m = -inf", "m = -inf"},
    {"O = O / l;  ", ""},
    {";  L = m + log(l)", ""},
    {";  O = l O", ""},
    {"store O[i], L[i]", "store L[i]"},
    {"store O[i], L[i]", "store O[i]"},
    {"store O[i], l[i], m[i]", "store O[i]"},
    {"store O[i], l[i], m[i]", "store l[i], m[i]"},
    {"load Q[i], O[i], l[i], m[i]", "load Q[i], O[i]"},
    {" that i sees", ""},
    {" that sees j", ""},
    {", in any order", ", last to first"},
    {", last to first", ""},
    {", in parallel", ""},
    {"at the first visit", "at the last visit"},
    {"at the last visit", "at the first visit"},
    {"V[j-1]", "V[j]"},
    {"P[i,j-1]", "P[i,j]"},
    {"m' = max(m, rowmax(S));  alpha = exp(m - m')", "m = max(m, rowmax(S))"},
    {"m = max(m, rowmax(S))", "m' = max(m, rowmax(S));  alpha = exp(m - m')"},
    {";  alpha = exp(m - m')", ""},
    {"dQ[i] += dS K[j] * scale", "dQ = dQ + dS K[j] * scale;  store dQ[i]"},
    {"dQ[i] += dS K[j] * scale", "dQ = dQ + dS K[j] * scale"},
    {"P = exp(S - m) / l", "P = exp(S - m)"},
    {"P = exp(S - L)", "P = exp(S - m)"},
    {"P = P / l;  ", ""},
    {"dK = 0;  dV = 0", "dK = 0"},
    {"dK = 0;  dV = 0", "dV = 0"},
    {"store dK[j], dV[j]", "store dK[j]"},
    {"store dK[j], dV[j]", "store dV[j]"},
    {"D = rowsum(dO .* O);  ", ""},
    {";  store dQ[i]", ""},
    {"dP = dO[i] V[j]^T", "dP = dO[i] V[j]"},
    {"S = Q[i] K[j]^T * scale", "S = Q[i] K[j]^T"},
    {"for each K/V tile j", "for each Q tile i"},
    {"for each Q tile i", "for each K/V tile j"},
    {"  S = -inf where key > query", ""},
};

std::vector<Mutant> mutants() {
  std::vector<Mutant> out;
  std::set<std::string> seen;
  const auto add = [&](std::string name, const std::vector<std::string>& lines, std::set<int> changed) {
    if (std::string text = text_of(lines); seen.insert(text).second)
      out.push_back({std::move(name), std::move(text), std::move(changed)});
  };
  for (std::string_view key : kTexts) {
    const std::vector<std::string> whole = lines_of(embedded_file(fmt::format("core/schedules/{}.walk", key)));
    seen.insert(text_of(whole));
    for (size_t k = 0; k < whole.size(); ++k) {
      if (whole[k].empty() || whole[k][0] == '#') continue;
      const int line = int(k) + 1;
      std::vector<std::string> lines = whole;
      lines.erase(lines.begin() + std::ptrdiff_t(k));
      add(fmt::format("{}: line {} deleted", key, line), lines, {line});
      lines = whole;
      lines.insert(lines.begin() + std::ptrdiff_t(k), whole[k]);
      add(fmt::format("{}: line {} doubled", key, line), lines, {line, line + 1});
      for (size_t other : {k + 1, k + 2, k + 3}) {
        if (other >= whole.size() || whole[other].empty() || whole[other][0] == '#') continue;
        lines = whole;
        std::swap(lines[k], lines[other]);
        add(fmt::format("{}: lines {} and {} swapped", key, line, other + 1), lines, {line, int(other) + 1});
      }
      for (const Change& change : kChanges) {
        const size_t at = whole[k].find(change.from);
        if (at == std::string::npos) continue;
        lines = whole;
        lines[k].replace(at, change.from.size(), change.to);
        add(fmt::format("{}: line {}, {} for {}", key, line, change.to.empty() ? "nothing" : change.to, change.from),
            lines, {line});
      }
      for (const char* shift : {"  ", ""}) {  // deeper, or at the left edge
        lines = whole;
        const size_t indent = whole[k].find_first_not_of(' ');
        lines[k] = *shift ? shift + whole[k] : whole[k].substr(std::min<size_t>(indent, 2));
        add(fmt::format("{}: line {} {}", key, line, *shift ? "deeper" : "less deep"), lines, {line});
      }
    }
  }
  return out;
}

// What a line works on: "S", "l", "K", ...; of a loop, what its own lines do.
void add_tensors(std::string_view words, std::set<std::string>& out) {
  for (const WalkToken& token : walk_tokens(words))
    if (const auto tensor = walk_tensor(token.text == "m'" ? "m" : token.text)) out.insert(token.text.substr(0, 2));
}
std::set<std::string> tensors_at(const std::vector<std::string>& lines, int line) {
  std::set<std::string> out;
  if (line < 1 || line > int(lines.size())) return out;
  const std::string& at = lines[size_t(line) - 1];
  add_tensors(at, out);
  if (at.find(':') == std::string::npos) return out;
  const size_t indent = at.find_first_not_of(' ');
  for (size_t k = size_t(line); k < lines.size() && lines[k].find_first_not_of(' ') > indent; ++k)
    add_tensors(lines[k], out);
  return out;
}

// Whether what is said is about something that the changed lines, as they were or as they are, work on.
bool about(const Mutant& mutant, const std::vector<std::string>& before, const Verdict& verdict) {
  const std::vector<std::string> after = lines_of(mutant.text);
  std::set<std::string> said = tensors_at(after, verdict.line);
  add_tensors(verdict.message, said);
  for (int line : mutant.changed)
    for (const auto& lines : {before, after})
      for (const std::string& tensor : tensors_at(lines, line))
        if (said.contains(tensor)) return true;
  return false;
}

// Held against the references without the judge, on ordinary inputs of the tests' own.
bool is_attention(const WalkProgram& program) {
  const Schedule schedule = own_schedule(program);
  int tried = 0;
  for (uint64_t number = 0; tried < 20; ++number) {
    const Case c = make_case(number);
    if (c.scores != Scores::Ordinary) continue;
    ++tried;
    const Problem& p = c.problem;
    const Plan plan = make_plan(schedule, p, VariantId::Paper);
    const MachineState end = run(schedule, plan, c.inputs);
    const auto equals = [&](const TileTable& table, const Matrix& expected) {
      const bool keys = &table == &end.dk || &table == &end.dv;
      for (int64_t r = 0; r < expected.rows; ++r)
        for (int64_t e = 0; e < expected.cols; ++e) {
          const int64_t size = keys ? p.bc : p.br;
          const TilePtr tile = table.get(r / size);
          if (!tile ||
              !(std::fabs(tile->at(r % size, e) - expected.at(r, e)) <= 1e-9 * (1 + std::fabs(expected.at(r, e)))))
            return false;
        }
      return true;
    };
    if (!schedule.backward()) {
      if (!equals(end.o, reference(p, c.inputs).o)) return false;
      continue;
    }
    const Gradients g = reference_gradients(p, c.inputs, output_gradient(p, c.inputs));
    if (!equals(end.dq, g.dq) || !equals(end.dk, g.dk) || !equals(end.dv, g.dv)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every shipped program is attention, and says so") {
  for (std::string_view key : kTexts) {
    const WalkRead read = read_walk(embedded_file(fmt::format("core/schedules/{}.walk", key)));
    REQUIRE(read.program);
    const Verdict verdict = judge(*read.program);
    INFO(key, ": line ", verdict.line, ": ", verdict.message);
    CHECK(verdict.kind == Verdict::Kind::Exact);
    CHECK(verdict.message.empty());
    CHECK(verdict.backward == (key.find("backward") != key.npos));
  }
}

TEST_CASE("of programs with a line changed, each is attention or refused with a sentence at the line where it shows") {
  int exact = 0, refused = 0, at_line = 0, unread = 0, next = 0;
  double slowest = 0;
  std::string list;
  const std::vector<Mutant> all = mutants();
  const bool print = std::getenv("TILEWALK_MUTANTS") != nullptr;
  for (const Mutant& mutant : all) {
    INFO(mutant.name);
    const auto begin = std::chrono::steady_clock::now();
    const WalkRead read = read_walk(mutant.text);
    Verdict verdict;
    if (read.program) {
      verdict = judge(*read.program);
      if (verdict.kind == Verdict::Kind::Exact) {
        CHECK(is_attention(*read.program));
        ++exact;
        if (print) MESSAGE(mutant.name, ": exact ", verdict.message);
        continue;
      }
    } else {
      ++unread;
      REQUIRE(!read.faults.empty());
      verdict.line = read.faults[0].line;
      verdict.message = read.faults[0].message;
    }
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    ++refused;
    CHECK(verdict.line > 0);
    CHECK(verdict.message.size() > 10);
    CHECK((verdict.message.ends_with(".") || verdict.message.ends_with("?")));
    if (mutant.changed.contains(verdict.line))
      ++at_line;
    else {
      const bool related = about(
          mutant,
          lines_of(embedded_file(fmt::format("core/schedules/{}.walk", mutant.name.substr(0, mutant.name.find(':'))))),
          verdict);
      next += related;
      list += related ? "" : "NOT ABOUT IT: ";
      list += fmt::format("{}\n    line {}: {}\n", mutant.name, verdict.line, verdict.message);
    }
    if (print) MESSAGE(mutant.name, "\n    line ", verdict.line, ": ", verdict.message);
  }
  MESSAGE(all.size(), " programs: ", exact, " are attention, ", refused, " refused (", unread, " by the reader), ",
          at_line, " of them at the changed line, ", next, " where what it worked on first shows, ",
          refused - at_line - next, " elsewhere; the slowest took ", slowest, " s");
  if (const char* file = std::getenv("TILEWALK_MUTANT_LIST"))
    if (FILE* out = std::fopen(file, "w")) std::fputs(list.c_str(), out), std::fclose(out);
  CHECK(all.size() >= 500);
  CHECK(exact > 100);
  CHECK(at_line + next >= 0.95 * refused);
}

TEST_CASE("whatever the machine accepts can be told, step by step") {
  Problem p;
  p.n_q = p.n_k = 6;
  p.d = 2;
  p.br = p.bc = 4;
  p.mask = Mask::Causal;
  const Inputs inputs = generate_inputs(p);
  int told = 0, refused = 0;
  for (const Mutant& mutant : mutants()) {
    const WalkRead read = read_walk(mutant.text);
    if (!read.program) continue;
    INFO(mutant.name);
    const Schedule schedule = own_schedule(*read.program);
    try {
      Replay replay(schedule, make_plan(schedule, p, VariantId::Paper), roomy(), inputs);
      for (Unit unit : {Unit::Step, Unit::Part, Unit::Tile, Unit::Row})
        for (int64_t from = 0; from < replay.length();) {
          const int64_t to = unit_forward(replay.steps(), from, unit);
          CHECK(!narrate(replay, from, to, 0).caption.empty());
          from = to;
        }
      ++told;
    } catch (const MachineFault&) {
      ++refused;
    }
  }
  CHECK(told > 150);
  CHECK(refused > 50);
}

}  // namespace tilewalk::test_mutations
