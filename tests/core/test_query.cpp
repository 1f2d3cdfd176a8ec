// Steps found by words.
#include "core/playback/query.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

namespace tilewalk::test_query {
using namespace tilewalk::test;

namespace {

std::vector<Step> steps() {
  Problem p;  // 4 x 4 tiles
  return steps_of(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), p, VariantId::Paper));
}

// The step that the words find; fails the test where there is none.
Step step_at(const char* words) {
  INFO(words);
  const std::vector<Step> all = steps();
  const ParsedQuery parsed = parse_query(words);
  INFO(parsed.fault);
  REQUIRE(parsed.query);
  const auto playhead = find(all, *parsed.query);
  REQUIRE(playhead);
  REQUIRE(*playhead >= 1);
  return all[size_t(*playhead - 1)];
}

bool is(const Step& step, StepKind kind, int32_t i, int32_t j) {
  return step.kind == kind && step.i == i && step.j == j;
}

}  // namespace

TEST_CASE("the words of lessons and of the go-to field") {
  using enum StepKind;
  CHECK(is(step_at("first rescale of Q tile 1"), Rescale, 0, 1));
  CHECK(is(step_at("rescale"), Rescale, 0, 1));
  CHECK(is(step_at("first rescale of Q tile 3"), Rescale, 2, 1));
  CHECK(is(step_at("score of Q tile 2, K tile 3"), Score, 1, 2));
  CHECK(is(step_at("Score at Q 2 and K 3"), Score, 1, 2));
  CHECK(is(step_at("3rd row max"), RowMax, 0, 2));
  CHECK(is(step_at("3 RowMax"), RowMax, 0, 2));
  CHECK(is(step_at("5th row max"), RowMax, 1, 0));
  CHECK(is(step_at("load K of K tile 4"), LoadK, 0, 3));
  CHECK(is(step_at("  LOAD   k "), LoadK, 0, 0));
  CHECK(is(step_at("load V in V tile 2"), LoadV, 0, 1));
  CHECK(is(step_at("last accumulate"), Accumulate, 3, 3));
  CHECK(is(step_at("last accumulate of row 2"), Accumulate, 1, 3));
  CHECK(step_at("last store").kind == StoreLse);
  CHECK(step_at("first store").kind == StoreO);
  CHECK(step_at("store O of Q tile 2").i == 1);
  CHECK(step_at("first load").kind == LoadQ);
  CHECK(step_at("last load").kind == LoadV);
  CHECK(step_at("init stats").kind == InitStats);
  CHECK(step_at("log sum exp").kind == LogSumExp);
}

TEST_CASE("the playhead stands behind the step") {
  const std::vector<Step> all = steps();
  CHECK(find(all, *parse_query("first load").query) == 1);
  CHECK(find(all, *parse_query("last store").query) == int64_t(all.size()));
  CHECK(!find(all, *parse_query("mask").query));  // no tile is masked here
  CHECK(!find(all, *parse_query("99th score").query));
  CHECK(!find(all, *parse_query("score of Q tile 5").query));
  CHECK(!find({}, *parse_query("score").query));
}

TEST_CASE("every step of the vocabulary can be asked for") {
  for (const StepInfo& info : vocabulary()) {
    const ParsedQuery parsed = parse_query(info.name);
    REQUIRE(parsed.query);
    CHECK(parsed.query->kind == info.kind);
  }
}

TEST_CASE("what is not understood is said in one sentence that quotes it") {
  for (const char* words : {"", "first", "fly", "first of Q tile 1", "tile 3", "score of X tile 2", "score of Q tile",
                            "score of Q tile 0", "score of Q tile x", "score Q", "99999999999999999999th score",
                            "score of Q tile 4294967297", "score of Q tile 2 now"}) {
    INFO(words);
    const ParsedQuery parsed = parse_query(words);
    CHECK(!parsed.query);
    CHECK(parsed.fault.find(words) != std::string::npos);
    CHECK(parsed.fault.find("Q tile 1") != std::string::npos);
  }
  CHECK(!parse_query("0th score").query);
  CHECK(parse_query("0th score").fault.find("count from 1") != std::string::npos);
}

}  // namespace tilewalk::test_query
