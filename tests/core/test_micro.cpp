// One query, scores 2, 1, 4, 3, tiles of two, on paper: every number of the online softmax to six digits.
#include "core/attention/presets.h"
#include "core/attention/reference.h"
#include "core/playback/query.h"
#include "core/playback/replay.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_micro {
using namespace tilewalk::test;

namespace {

// The micro-example under a schedule, and the value of a tensor on chip after a step found by its words.
class Walk {
 public:
  Walk(Method id, VariantId variant)
      : preset_(*preset_named("micro")),
        replay_(schedule_of(id), make_plan(schedule_of(id), preset_.problem, variant), default_machine(),
                inputs_of(preset_)) {}

  double on_chip(const char* words, Tensor tensor, int64_t col = 0) {
    const ParsedQuery parsed = parse_query(words);
    REQUIRE(parsed.query);
    const auto step = find(replay_.steps(), *parsed.query);
    REQUIRE(step);
    const Resident* tile = replay_.at(*step).find(tensor);
    REQUIRE(tile);
    return tile->data->at(0, col);
  }
  const MachineState& end() { return replay_.at(replay_.length()); }

 private:
  const Preset& preset_;
  Replay replay_;
};

// Six digits as printed: half a unit of the sixth decimal.
doctest::Approx six_digits(double value) { return doctest::Approx(value).epsilon(5.1e-7 / (1 + std::fabs(value))); }

}  // namespace

TEST_CASE("FA2 on the micro-example") {
  Walk walk(Method::Fa2, VariantId::Paper);
  CHECK(walk.on_chip("first score", Tensor::S, 0) == 2.0);
  CHECK(walk.on_chip("first score", Tensor::S, 1) == 1.0);
  CHECK(walk.on_chip("first row max", Tensor::M) == 2.0);
  CHECK(walk.on_chip("first row max", Tensor::Alpha) == 0.0);
  CHECK(walk.on_chip("first exponentiate", Tensor::P, 0) == 1.0);
  CHECK(walk.on_chip("first exponentiate", Tensor::P, 1) == six_digits(0.367879));
  CHECK(walk.on_chip("first row sum", Tensor::L) == six_digits(1.367879));
  CHECK(walk.on_chip("first accumulate", Tensor::O, 0) == six_digits(1.0));
  CHECK(walk.on_chip("first accumulate", Tensor::O, 1) == six_digits(0.367879));

  CHECK(walk.on_chip("2nd score", Tensor::S, 0) == 4.0);
  CHECK(walk.on_chip("2nd row max", Tensor::M) == 4.0);
  CHECK(walk.on_chip("2nd row max", Tensor::Alpha) == six_digits(0.135335));
  CHECK(walk.on_chip("2nd exponentiate", Tensor::P, 1) == six_digits(0.367879));
  CHECK(walk.on_chip("2nd row sum", Tensor::L) == six_digits(1.553002));
  CHECK(walk.on_chip("first rescale", Tensor::O, 0) == six_digits(0.135335));
  CHECK(walk.on_chip("2nd accumulate", Tensor::O, 0) == six_digits(1.871094));
  CHECK(walk.on_chip("2nd accumulate", Tensor::O, 1) == six_digits(1.049787));

  CHECK(walk.on_chip("normalize", Tensor::O, 0) == six_digits(1.204824));
  CHECK(walk.on_chip("normalize", Tensor::O, 1) == six_digits(0.675973));
  CHECK(walk.end().lse.get(0)->at(0, 0) == doctest::Approx(4.440190).epsilon(1e-7));
  CHECK(walk.end().o.get(0)->at(0, 1) == six_digits(0.675973));
}

TEST_CASE("FA1 on the micro-example keeps O normalised") {
  for (VariantId variant : kVariants) {
    Walk walk(Method::Fa1, variant);
    const bool backwards = variant == VariantId::Kernel;
    // Backwards, the second tile adds little: O moves from (1.268941, 0.731059) to the same end.
    CHECK(walk.on_chip("first normalize", Tensor::O, 0) == six_digits(backwards ? 1.268941 : 0.731059));
    CHECK(walk.on_chip("first normalize", Tensor::O, 1) == six_digits(backwards ? 0.731059 : 0.268941));
    CHECK(walk.on_chip("2nd row sum", Tensor::L) == six_digits(1.553002));
    CHECK(walk.on_chip("2nd normalize", Tensor::O, 0) == six_digits(1.204824));
    CHECK(walk.on_chip("2nd normalize", Tensor::O, 1) == six_digits(0.675973));
    CHECK(walk.end().m.get(0)->at(0, 0) == 4.0);
    // The paper's m and l go out at every visit; the kernel's last visit makes L of them.
    if (variant == VariantId::Paper)
      CHECK(walk.end().l.get(0)->at(0, 0) == six_digits(1.553002));
    else
      CHECK(walk.end().lse.get(0)->at(0, 0) == doctest::Approx(4.440190).epsilon(1e-7));
  }
}

TEST_CASE("met the other way round, the second tile changes no max: alpha is 1") {
  for (Method id : {Method::Fa1, Method::Fa2}) {
    Walk walk(id, VariantId::Kernel);
    CHECK(walk.on_chip("first row max", Tensor::M) == 4.0);
    CHECK(walk.on_chip("first row max", Tensor::Alpha) == 0.0);
    CHECK(walk.on_chip("2nd row max", Tensor::M) == 4.0);
    CHECK(walk.on_chip("2nd row max", Tensor::Alpha) == 1.0);
    CHECK(walk.on_chip("2nd exponentiate", Tensor::P, 0) == six_digits(0.135335));
    CHECK(walk.on_chip("2nd exponentiate", Tensor::P, 1) == six_digits(0.049787));
    CHECK(walk.on_chip("2nd row sum", Tensor::L) == six_digits(1.553002));
  }
}

TEST_CASE("standard attention's weights on the micro-example") {
  Walk walk(Method::Standard, VariantId::Paper);
  const double weights[] = {0.087144, 0.032059, 0.643914, 0.236883};
  for (int64_t k = 0; k < 4; ++k) CHECK(walk.end().p.get(k / 2)->at(0, k % 2) == six_digits(weights[k]));
  CHECK(walk.end().o.get(0)->at(0, 0) == six_digits(1.204824));
}

TEST_CASE("the reference on the micro-example") {
  const Preset& preset = *preset_named("micro");
  const Reference r = reference(preset.problem, inputs_of(preset));
  CHECK(r.o.at(0, 0) == six_digits(1.204824));
  CHECK(r.o.at(0, 1) == six_digits(0.675973));
  CHECK(r.lse[0] == doctest::Approx(4.440190).epsilon(1e-7));
}

}  // namespace tilewalk::test_micro
