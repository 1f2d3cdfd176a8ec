// The table of what is told of a step (lessons/data/told.toml): whole, and in it an idea for every step of every walk.
#include "core/playback/explain.h"

#include "core/attention/presets.h"
#include "core/io/embedded.h"
#include "core/playback/units.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tilewalk::test_explain {

namespace {

Replay walk_of(const Schedule& schedule, const Problem& problem) {
  return Replay(schedule, make_plan(schedule, problem, VariantId::Paper), test::roomy(), generate_inputs(problem));
}

Explanation told(const Replay& replay, int64_t from, int64_t playhead) {
  const int64_t tile = playhead > 0 ? replay.steps()[size_t(playhead - 1)].i : 0, row = tile * replay.plan().tiling.br;
  return replay.schedule().backward() ? explain(replay, from, playhead, 0, trace_gradients(replay, playhead, row))
                                      : explain(replay, from, playhead, 0, trace_row(replay, playhead, row));
}

}  // namespace

TEST_CASE("The table of what is told has no faults") {
  for (const std::string& fault : telling_faults(embedded_file("lessons/data/told.toml"))) FAIL_CHECK(fault);
}

TEST_CASE("A fact, a word, a step and a field that are not there are faults") {
  const auto faults = [](std::string_view when, std::string_view of, std::string_view words,
                         std::string_view more = "") {
    return telling_faults("[[idea]]\nof = \"" + std::string(of) + "\"\nwhen = \"" + std::string(when) +
                          "\"\ntitle = \"T\"\ntext = [\"" + std::string(words) + "\"]\n" + std::string(more))
        .size();
  };
  CHECK(faults("fa1 !first-visit LoadK|LoadV", "Score|Mask", "Row {row} of {K}.") == 0);
  CHECK(faults("fa1 !first-visitor", "Score", "Row {row}.") == 1);
  CHECK(faults("LoadK|LoadW", "Score", "Row {row}.") == 1);
  CHECK(faults("", "Scores", "Row {row}.") == 1);
  CHECK(faults("", "several", "Row {rwo}.") == 1);
  CHECK(faults("", "start", "{part}", "[[phrase]]\nof = \"part\"\nwords = \"Here.\"\n") == 0);
  CHECK(faults("", "start", "Row.", "colour = \"red\"\n") == 1);
}

TEST_CASE("Every step of every walk is told, in whole sentences without a gap") {
  std::set<std::string> titles;
  for (const Schedule& schedule : all_schedules()) {
    if (schedule.id == Method::SplitKv) continue;  // is not explained yet
    for (const std::string_view preset : {"micro", "toy", "causal"}) {
      const Replay replay = walk_of(schedule, preset_named(preset)->problem);
      for (const Unit unit : {Unit::Step, Unit::Part, Unit::Row})
        for (int64_t k = 0; k <= replay.length(); ++k) {
          const Explanation words = told(replay, unit_back(replay.steps(), k, unit), k);
          INFO(schedule.key << " " << preset << " " << k << ": " << words.title);
          CHECK(!words.title.empty());
          CHECK(words.title.size() <= 36);
          REQUIRE(!words.sentences.empty());
          for (const std::string& sentence : words.sentences) {
            CHECK(sentence.ends_with('.'));
            CHECK(sentence.find("  ") == std::string::npos);
            CHECK(sentence.find_first_of("{}") == std::string::npos);
          }
          titles.insert(words.title);
        }
    }
  }
  CHECK(titles.size() > 55);
}

}  // namespace tilewalk::test_explain
