// The weights P on the stage: what the mask hides, what weighs almost nothing and what weighs something read apart.
#include "app/stage/stage.h"
#include "tests/app/stage_case.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::test_stage_weights {

namespace {

// What stands in the tile of weights, and how many strokes cross its cells.
struct Weights {
  std::vector<std::string> words;
  int strokes = 0;
  int64_t count(std::string_view word) const { return std::ranges::count(words, word); }
};

Weights weights_of(Session& session, StepKind made, const char* tile, Vec2 size) {
  const std::vector<Step>& steps = session.walk().replay.steps();
  const auto at = std::ranges::find(steps, made, &Step::kind);
  REQUIRE(at != steps.end());
  const Scene scene = layout_stage_scene(session, view_at(session.walk(), at - steps.begin() + 1, Unit::Step), size);
  const Region* region = scene.find(tile);
  REQUIRE(region);
  Weights out;
  for (const Item& item : scene.items) {
    if (const auto* label = std::get_if<Label>(&item); label && region->rect.contains(label->slot.center()))
      out.words.push_back(label->text);
    if (const auto* line = std::get_if<Line>(&item);
        line && region->rect.contains(line->from) && region->rect.contains(line->to))
      ++out.strokes;
  }
  return out;
}

const Case kSharp{"sharp", {.n_q = 4, .n_k = 4, .d = 2, .br = 4, .bc = 4, .mask = Mask::Causal, .scale = 4}};

}  // namespace

TEST_CASE("A masked weight is a dash on a hatched cell, and one that rounds to zero is less than the last digit") {
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}}) {
    Session session = session_of(kSharp, Method::Fa2);
    const Weights weights = weights_of(session, StepKind::Exponentiate, "tile:P/0/0", size);
    REQUIRE(weights.words.size() == 16);
    CHECK(weights.count("—") == 6);  // above the diagonal
    CHECK(weights.strokes >= 6);
    CHECK(weights.count("−∞") == 0);
    CHECK(weights.count("<0.01") + weights.count("<0.1") > 0);
    CHECK(weights.count("0.0") + weights.count("0.00") == 0);
  }
}

TEST_CASE("Without a mask no weight is a dash, and backward dS has the dashes of P") {
  Case open = kSharp;
  open.problem.mask = Mask::Full;
  Session session = session_of(open, Method::Fa2);
  const Weights weights = weights_of(session, StepKind::Exponentiate, "tile:P/0/0", {1280, 720});
  CHECK(weights.count("—") == 0);
  CHECK(weights.words.size() == 16);
  Session back = session_of(kSharp, Method::Fa2Backward);
  CHECK(weights_of(back, StepKind::Recompute, "tile:P/0/0", {1920, 1080}).count("—") == 6);
  CHECK(weights_of(back, StepKind::GradientS, "tile:dS/0/0", {1920, 1080}).count("—") == 6);
}

}  // namespace tilewalk::test_stage_weights
