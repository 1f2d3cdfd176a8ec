// Lessons 10 and 11 as a learner reads them: the figures that can be checked against the papers are there, tables
// included, and every question has one right option or a number under any seed.
#include "tests/core/lesson/lesson_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tilewalk::test_timing_lessons {
using namespace tilewalk::test;

TEST_CASE("The figures of lessons 10 and 11 agree to the last digit") {
  must_say(text_of(lesson_in("10-fa2.md")),
           {"makes 16 blocks", "108 multiprocessors", "14.8 %", "512, not 16", "not 32", "312 TFLOP/s", "19.5 TFLOP/s",
            "16 times slower", "34.6 MB", "19.1 MB", "160 consecutive visits", "become 1,024",
            "50 to 73 % of an A100's peak"});
  must_say(text_of(lesson_in("11-fa3.md")),
           {"370 TFLOP/s of 989 TFLOP/s", "37.4 %", "256 times", "512 FLOP", "25.0 %", "1.5 become 1.0", "661 TFLOP/s",
            "582 TFLOP/s", "570 TFLOP/s", "0 % idle become 13.3 %", "published 2.6", "exponentials 256 / (4 · d)",
            "1,024 clocks of products"});
}

TEST_CASE("FA3's bytes are FA2's, and its idle time a third without overlap") {
  const Lesson fa3 = lesson_in("11-fa3.md");
  const Lookup names = names_of(fa3, nullptr, no_stage);
  const auto value = [&](std::string_view name) { return evaluate(name, names).quantity.value_or(Quantity{}).value; };
  CHECK(value("bytes2") == value("bytes3"));
  CHECK(value("share") == 0.5);
  CHECK(value("serial") == 1.5);
  CHECK(value("overlapped") == 1.0);
  CHECK(value("overlap(fa3, idle, d=128, producer=on, pingpong=off, pipeline=off)") == doctest::Approx(1.0 / 3));
  CHECK(value("soft_flop") < 0.01);
}

TEST_CASE("Every question of lessons 10 and 11 has one right option, or a number to find, under any seed") {
  for (const char* file : {"10-fa2.md", "11-fa3.md"}) {
    const Lesson of = lesson_in(file);
    for (const Beat& beat : of.beats)
      for (const Question& question : beat.questions)
        for (uint64_t seed = 1; seed <= 20; ++seed) {
          CAPTURE(question.id);
          const Instance instance = instance_of(of, question, seed, no_stage);
          CHECK(instance.fault.empty());
          if (question.options.empty()) {
            REQUIRE(instance.answer);
            CHECK(instance.answer->value > 0);
          } else {
            CHECK(std::ranges::count(instance.right, true) == 1);
          }
        }
  }
}

}  // namespace tilewalk::test_timing_lessons
