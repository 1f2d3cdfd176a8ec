// The numbers of lessons 12 to 14 to their last printed digit, and that every question has one right answer.
#include "tests/core/lesson/lesson_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tilewalk::test_lessons_12_to_14 {
using namespace tilewalk::test;

TEST_CASE("every question of lessons 12 to 14 has one right option, or a number, whatever the seed") {
  for (const char* file : {"12-which-version.md", "13-family.md", "14-roofline.md"}) {
    const Lesson lesson = lesson_in(file);
    for (const Beat& beat : lesson.beats)
      for (const Question& each : beat.questions)
        for (uint64_t seed = 0; seed < 12; ++seed) {
          CAPTURE(file);
          CAPTURE(each.id);
          const Instance instance = instance_of(lesson, each, seed);
          CHECK(instance.fault.empty());
          if (each.options.empty())
            CHECK((instance.answer && instance.answer->value > 0));
          else
            CHECK(std::ranges::count(instance.right, true) == 1);
        }
  }
}

TEST_CASE("lesson 13: the merge weights and the published rates") {
  const std::string text = text_of(lesson_in("13-family.md"));
  CHECK(says(text, "0.119203"));
  CHECK(says(text, "0.880797"));
  CHECK(says(text, "TFLOP/s"));
  CHECK(says(text, "638"));  // FA3 on an H100 at 4K, the paper's
  CHECK(says(text, "682"));  // on an H200, recorded
}

TEST_CASE("lesson 14: roofs, ridges, the law") {
  const Lesson lesson = lesson_in("14-roofline.md");
  const std::string text = text_of(lesson);
  for (const char* figure : {"41.3 µs", "8.68 µs", "153", "206", "295", "63.0", "4.76×", "3.17×", "32.4×", "4.34 µs"}) {
    CAPTURE(figure);
    CHECK(says(text, figure));
  }
  const Instance turning = instance_of(lesson, question(lesson, "turning-point"), 1);
  REQUIRE(turning.answer);
  CHECK(turning.answer->value == doctest::Approx(590.7).epsilon(1e-4));
  const Instance law = instance_of(lesson, question(lesson, "law"), 1);
  REQUIRE(law.answer);
  CHECK(law.answer->value == doctest::Approx(312e12 / 2039e9 / 128));
  CHECK(instance_of(lesson, question(lesson, "whole-model"), 1).answer->value == doctest::Approx(1.6));
}

}  // namespace tilewalk::test_lessons_12_to_14
