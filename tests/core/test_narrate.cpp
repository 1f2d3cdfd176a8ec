// What is said of a step is true of the row it names, short, and the same each time.
#include "core/playback/narrate.h"

#include "core/attention/presets.h"
#include "core/machine/words.h"
#include "core/playback/query.h"
#include "core/playback/units.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tilewalk::test_narrate {

namespace {

int64_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}
bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

Replay walk_of(const Schedule& schedule, const Problem& problem, VariantId variant = VariantId::Paper) {
  return Replay(schedule, make_plan(schedule, problem, variant), test::roomy(), generate_inputs(problem));
}

// The words for the part that ends with the first step of that kind on (i, j).
Narration told(Replay& replay, StepKind kind, int32_t i, int32_t j, int64_t row, Unit unit = Unit::Step) {
  const auto playhead = find(replay.steps(), Query{.kind = kind, .i = i, .j = j});
  REQUIRE(playhead);
  return narrate(replay, unit_back(replay.steps(), *playhead, unit), *playhead, row);
}

struct Said {
  StepKind kind;
  int32_t j;
  std::string_view caption, formula;
};

}  // namespace

TEST_CASE("the row on paper is told with its numbers, part by part") {
  const Preset& micro = *preset_named("micro");
  const Plan plan = make_plan(schedule_of(Method::Fa2), micro.problem, VariantId::Paper);
  Replay replay(schedule_of(Method::Fa2), plan, default_machine(), inputs_of(micro));
  using enum StepKind;
  const Said said[] = {
      {LoadV, 0, "K₁ and V₁ come from memory into SRAM, 32 bytes.", ""},
      {Score, 0, "Row 1 meets the 2 keys of K₁. Key 1 matches it best: its score is 2.", "s = q₁ · k₁ = 2"},
      {RowMax, 0, "Row 1's largest score so far is 2.", "m = max(−∞, 2) = 2;  α = e^(−∞ − 2) = 0"},
      {RowSum, 0, "Row 1's weights in S₁‚₁ add up to 1.37: that is its sum l so far.",
       "p₂ = e^(1 − 2) = 0.368;  l = 0 × 0 + 1.37 = 1.37"},
      {Accumulate, 0, "Row 1 of O starts as the sum of V₁'s rows, each times its weight in P₁‚₁.",
       "O[1, 1] = 0 + 1 = 1"},
      {LoadV, 1, "K₂ and V₂ come from memory into SRAM, 32 bytes, in place of K₁ and V₁.", ""},
      {RowMax, 1, "K₂ holds a larger score for row 1. Its max rises to 4, so all that was summed shrinks.",
       "m = max(2, 4) = 4;  α = e^(2 − 4) = 0.135"},
      {RowSum, 1, "The old sum 1.37 shrinks by α = 0.135, then row 1's new weights join it: l = 1.55.",
       "p₄ = e^(3 − 4) = 0.368;  l = 0.135 × 1.37 + 1.37 = 1.55"},
      {Accumulate, 1, "Row 1 of O shrinks by α = 0.135, then takes in V₂'s rows, each times its weight.",
       "O[1, 1] = 0.135 × 1 + 1.74 = 1.87"},
      {LogSumExp, 1, "Row 1 is done: O is divided by l = 1.55, and L keeps max and sum for the backward pass.",
       "O[1, 1] = 1.87 / 1.55 = 1.20;  L = 4 + log 1.55 = 4.44"},
      {StoreLse, 1, "O₁ and its L go to memory, 12 bytes, and wait in L2. No S or P ever did.", ""},
  };
  for (const Said& line : said) {
    const Narration words = told(replay, line.kind, 0, line.j, 0, Unit::Part);
    CHECK(words.caption == line.caption);
    CHECK(words.formula == line.formula);
  }
  CHECK(contains(narrate(replay, 0, 0, 0).caption, "nothing is on chip yet"));

  // A whole tile at once: the first one's formula is its max's, a later one's is that of what shrinks.
  const int64_t first = unit_forward(replay.steps(), 0, Unit::Tile);
  CHECK(narrate(replay, 0, first, 0).caption == "Row 1's largest score so far is 2.");
  CHECK(narrate(replay, 0, first, 0).formula == "m = max(−∞, 2) = 2;  α = e^(−∞ − 2) = 0");
  CHECK(narrate(replay, first, unit_forward(replay.steps(), first, Unit::Tile), 0).formula ==
        "l = 0.135 × 1.37 + 1.37 = 1.55");
}

TEST_CASE("FA1 says that O comes back as an average and where it waits") {
  const Preset& micro = *preset_named("micro");
  Replay replay(schedule_of(Method::Fa1), make_plan(schedule_of(Method::Fa1), micro.problem, VariantId::Paper),
                default_machine(), inputs_of(micro));
  const Narration back = told(replay, StepKind::Denormalize, 0, 1, 0, Unit::Part);
  CHECK(back.caption == "O₁ comes back as an average. Times l = 1.37, row 1 is a sum again.");
  CHECK(back.formula == "O[1, 1] = 1.37 × 0.731 = 1");
  CHECK(contains(told(replay, StepKind::Normalize, 0, 0, 0).formula, "O[1, 1] = 1 / 1.37 = 0.731"));
  CHECK(contains(told(replay, StepKind::StoreStats, 0, 0, 0, Unit::Part).caption, "start at") == false);
  const auto waits = find(replay.steps(), Query{.kind = StepKind::StoreStats, .i = 0, .j = 0, .ordinal = 1});
  REQUIRE(waits);
  CHECK(contains(narrate(replay, *waits - 2, *waits, 0).caption, "wait there for K₂"));
  CHECK(contains(told(replay, StepKind::StoreStats, 0, 1, 0, Unit::Part).caption, "have met every key"));
}

TEST_CASE("a max that holds leaves everything as it is") {
  Replay replay = walk_of(schedule_of(Method::Fa2), preset_named("toy")->problem);
  int held = 0, rose = 0;
  for (int64_t k = 1; k <= replay.length(); ++k) {
    const Step step = replay.steps()[size_t(k - 1)];
    if (step.kind != StepKind::RowMax || step.visit == 0) continue;
    for (int64_t row = 0; row < 4; ++row) {
      const double before = replay.at(k - 1).find(Tensor::M)->data->at(row, 0);
      const double after = replay.at(k).find(Tensor::M)->data->at(row, 0);
      const Narration words = narrate(replay, k - 1, k, step.i * 4 + row);
      CHECK(contains(words.caption, "row " + std::to_string(step.i * 4 + row + 1)));
      if (before == after) {
        ++held;
        CHECK(contains(words.caption, "so α = 1 and nothing shrinks"));
        CHECK(words.formula.ends_with("α = 1"));
      } else {
        ++rose;
        CHECK(contains(words.caption, "so all that was summed shrinks"));
        CHECK(contains(words.formula, "α = e^("));
      }
    }
  }
  CHECK(held > 0);
  CHECK(rose > 0);
}

TEST_CASE("masks name the keys they hide, counted from 1 over all keys") {
  Replay replay = walk_of(schedule_of(Method::Fa2), preset_named("causal")->problem);
  CHECK(told(replay, StepKind::Mask, 2, 2, 8).caption ==
        "Keys 10 to 12 lie in row 9's future: their scores become −∞.");
  CHECK(told(replay, StepKind::Mask, 2, 2, 9).caption ==
        "Keys 11 and 12 lie in row 10's future: their scores become −∞.");
  CHECK(told(replay, StepKind::Mask, 2, 2, 10).caption == "Key 12 lies in row 11's future: its score becomes −∞.");
  CHECK(contains(told(replay, StepKind::Mask, 2, 2, 11).caption, "Row 12 may see every key of K₃"));
  CHECK(told(replay, StepKind::Mask, 2, 2, 9).formula == "s = −∞ where key > 10");
}

TEST_CASE("a row that may see no key at all has no max, weights of 0 and an output of 0") {
  // Six queries, two keys, aligned at the bottom right: the first four rows see nothing.
  const Problem problem{.n_q = 6, .n_k = 2, .d = 2, .br = 6, .bc = 2, .mask = Mask::Causal};
  Replay replay = walk_of(schedule_of(Method::Fa2), problem);
  CHECK(contains(told(replay, StepKind::Mask, 0, 0, 0).caption, "All keys of K₁ lie in row 1's future"));
  const Narration max = told(replay, StepKind::RowMax, 0, 0, 0);
  CHECK(contains(max.caption, "still has no max"));
  CHECK(max.formula == "m = max(−∞, −∞) = −∞;  α = 1");
  CHECK(contains(told(replay, StepKind::RowSum, 0, 0, 0).caption, "its weights are 0, and l stays 0"));
  CHECK(contains(told(replay, StepKind::Accumulate, 0, 0, 0).caption, "gives no weight"));
  const Narration done = told(replay, StepKind::LogSumExp, 0, 0, 0, Unit::Part);
  CHECK(done.caption == "Row 1 has seen no key: its output stays 0 and its L is −∞.");
  CHECK(done.formula == "O[1, 1] = 0;  L = −∞");
  // The last row of the same tile sees both.
  CHECK(contains(told(replay, StepKind::RowMax, 0, 0, 5).caption, "Row 6's largest score so far"));
}

TEST_CASE("negative numbers are written as people write them") {
  // q = 1, keys -3 and -1: scores -3, -1; V -2 and 5.
  const Problem problem{.n_q = 1, .n_k = 2, .d = 1, .br = 1, .bc = 1, .distribution = Distribution::Custom, .scale = 1};
  Inputs inputs{Matrix(1, 1, 1), Matrix(2, 1), Matrix(2, 1), "test"};
  inputs.k.values = {-3, -1};
  inputs.v.values = {-2, 5};
  Replay replay(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), problem, VariantId::Paper), test::roomy(),
                inputs);
  CHECK(told(replay, StepKind::RowMax, 0, 1, 0).formula == "m = max(−3, −1) = −1;  α = e^(−3 + 1) = 0.135");
  CHECK(told(replay, StepKind::Rescale, 0, 1, 0).formula == "O[1, 1] = 0.135 × (−2) = −0.271");
  CHECK(told(replay, StepKind::Accumulate, 0, 1, 0).formula == "O[1, 1] = −0.271 + 5 = 4.73");
  CHECK(told(replay, StepKind::LogSumExp, 0, 1, 0).formula == "L = −1 + log 1.14 = −0.873");
}

TEST_CASE("every caption is short, ends as a sentence and has no raw numbers in it") {
  std::set<StepKind> met;
  for (uint64_t number = 0; number < 150; ++number) {
    const test::Case c = test::make_case(number);
    for (const Schedule& schedule : schedules())
      for (VariantId variant : test::kVariants) {
        Replay replay(schedule, make_plan(schedule, c.problem, variant), test::roomy(), c.inputs);
        if (replay.length() > 600) continue;
        for (Unit unit : {Unit::Step, Unit::Part, Unit::Tile, Unit::Row})
          for (int64_t from = 0; from < replay.length();) {
            const int64_t to = unit_forward(replay.steps(), from, unit);
            const Narration words = narrate(replay, from, to, int64_t(number) % c.problem.n_q);
            INFO(test::words_of(c) << " " << test::words_of(schedule, variant) << " steps " << from << ".." << to
                                   << ": " << words.caption << " | " << words.formula);
            REQUIRE(!words.caption.empty());
            REQUIRE(characters(words.caption) <= 110);
            REQUIRE(characters(words.formula) <= 110);
            REQUIRE(words.caption.ends_with('.'));
            for (std::string_view raw : {"nan", "NaN", "inf", "--", "  ", "{", " ,"})
              REQUIRE(!contains(words.caption, raw));
            for (std::string_view raw : {"nan", "NaN", "inf", "--", "− −", "+ −"})
              REQUIRE(!contains(words.formula, raw));
            met.insert(replay.steps()[size_t(to - 1)].kind);
            from = to;
          }
      }
  }
  // All but Convert, which only a retired kernel takes; what follows is the backward pass: test_backward.cpp.
  CHECK_FALSE(met.contains(StepKind::Convert));
  CHECK(met.size() == size_t(StepKind::LoadDO) - 1);
}

TEST_CASE("an exponent has the digits that its result needs") {
  const auto read = [](std::string text) {
    if (text.starts_with("−")) text = "-" + text.substr(std::string_view("−").size());
    return std::stod(text);
  };
  int64_t seen = 0, longer = 0;
  for (const uint64_t seed : {1, 2, 3}) {
    Problem problem{.n_q = 12, .n_k = 24, .d = 4, .br = 4, .bc = 2};
    problem.scale = 3;
    problem.seed = seed;
    Replay replay = walk_of(schedule_of(Method::Fa2), problem);
    for (int64_t k = 1; k <= replay.length(); ++k) {
      const StepKind kind = replay.steps()[size_t(k - 1)].kind;
      if (kind != StepKind::RowMax && kind != StepKind::Exponentiate) continue;
      for (int64_t row = 0; row < 4; ++row) {
        const std::string formula = narrate(replay, k - 1, k, row).formula;
        const size_t at = formula.find("e^("), close = formula.find(')', at);
        if (at == std::string::npos || contains(formula, "(−∞")) continue;
        const std::string inside = formula.substr(at + 3, close - at - 3);
        const std::string result = formula.substr(formula.rfind("= ") + 2);
        size_t sign = inside.find(" − ");
        const bool plus = sign == std::string::npos;
        if (plus) sign = inside.find(" + ");
        REQUIRE(sign != std::string::npos);
        const double a = read(inside.substr(0, sign));
        const double b = read(inside.substr(sign + (plus ? 3 : std::string_view(" − ").size())));
        CAPTURE(formula);
        CHECK(read(number_words(std::exp(plus ? a + b : a - b))) == doctest::Approx(read(result)).epsilon(1e-9));
        ++seen;
        longer += inside.size() > 14;
      }
    }
  }
  CHECK(seen > 100);
  CHECK(longer > 10);
}

TEST_CASE("A unit is told wherever it ends, not at its own end alone") {
  for (const Schedule& schedule : all_schedules()) {
    Replay replay = walk_of(schedule, preset_named("micro")->problem);
    for (const Unit unit : {Unit::Step, Unit::Part, Unit::Tile, Unit::Row})
      for (int64_t k = 0; k <= replay.length(); ++k) {
        INFO(schedule.key << " " << k);
        CHECK_FALSE(narrate(replay, unit_back(replay.steps(), k, unit), k, 0).caption.empty());
      }
  }
}

TEST_CASE("an element of a key with two digits is named by its row, too: p₁₁ would be read as row 1 and column 1") {
  Problem problem = preset_named("toy")->problem;
  problem.n_q = problem.n_k = 16;
  const Schedule* const all[] = {&schedule_of(Method::Fa2), &schedule_of(Method::Fa2Backward)};
  int said = 0;
  for (const Schedule* schedule : all) {
    Replay replay = walk_of(*schedule, problem);
    for (int64_t k = 1; k <= replay.length(); ++k) {
      const int64_t tile = replay.steps()[size_t(k - 1)].i, row = tile * replay.plan().tiling.br;
      const std::string formula = narrate(replay, k - 1, k, row).formula;
      for (const char* digits : {"₁₀", "₁₁", "₁₂", "₁₃", "₁₄", "₁₅", "₁₆"})
        for (const char* letter : {"p", "s", "dp", "ds"})
          CHECK_FALSE_MESSAGE(formula.starts_with(std::string(letter) + digits + " "), formula);
      said += contains(formula, "₁₁ = ");
      if (formula.starts_with("p") && contains(formula, "₁₁ = "))
        CHECK_MESSAGE(formula.starts_with("p" + subscript(row + 1) + "‚₁₁ = "), formula);
    }
  }
  CHECK(said > 0);
}

}  // namespace tilewalk::test_narrate
