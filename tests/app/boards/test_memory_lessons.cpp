// Lessons 1 to 5 as a learner reads them: the figures that can be checked against the papers stand in the text to the
// last digit, and of each question's options exactly one is right.
#include "tests/core/lesson/lesson_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tilewalk::test_memory_lessons {
using namespace tilewalk::test;

namespace {

constexpr std::string_view kFiles[] = {"01-traffic.md", "02-scratchpad.md", "03-matrix.md", "04-same-math.md",
                                       "05-cut-to-fit.md"};

}  // namespace

TEST_CASE("The figures of lessons 1 to 5 agree to the last digit") {
  must_say(text_of(lesson_in("01-traffic.md")),
           {"136,314,880 bytes", "66.9 µs", "13.8 µs", "6.88 µs", "63.5", "67.1 MB", "153"});
  must_say(text_of(lesson_in("02-scratchpad.md")), {"19.49 TB/s", "9.6×", "12.7×", "up to N = 288", "166,912 bytes",
                                                    "20.25 MiB", "163 KiB", "99 KiB", "227 KiB", "192 KiB"});
  must_say(text_of(lesson_in("03-matrix.md")), {"32 MiB", "64 GiB", "128 GiB", "4 MiB", "32 GiB", "512 KiB", "36,635"});
  must_say(text_of(lesson_in("04-same-math.md")),
           {"136 MB", "19.1 MB", "34.6 MB", "2.11 MB", "7.15 times", "4.29 GFLOP", "28.0 %", "2.07 µs", "55.1 µs"});
  must_say(text_of(lesson_in("05-cut-to-fit.md")),
           {"65,536 bytes", "384 and 64, off this chart", "64 for S and 128 for O", "192 KiB", "2,796,203",
            "17,301,504", "6.19", "1.90 times less", "69,222,400 bytes, before and after"});
}

TEST_CASE("Every question of lessons 1 to 5 has one right option, or a number to find, under any seed") {
  for (const std::string_view file : kFiles) {
    const Lesson read = lesson_in(file);
    int at_the_end = 0, varied = 0;
    for (const Beat& beat : read.beats)
      for (const Question* each : all_questions_of(beat)) {
        const Question& question = *each;
        at_the_end += beat.kind == BeatKind::Check && !question.drill;
        varied += !question.vary.empty();
        const bool of_the_stage = std::ranges::any_of(question.options, [](const AnswerOption& option) {
          return option.right.find("stage.") != std::string::npos;
        });
        if (of_the_stage) continue;
        for (uint64_t seed = 1; seed <= 12; ++seed) {
          const Instance instance = instance_of(read, question, seed, no_stage);
          CHECK_MESSAGE(instance.fault.empty(), fmt::format("{}, {}: {}", file, question.id, instance.fault));
          if (question.options.empty())
            CHECK_MESSAGE(instance.answer.has_value(), question.id);
          else
            CHECK_MESSAGE(std::ranges::count(instance.right, true) == 1, fmt::format("{}, {}", file, question.id));
        }
        for (const AnswerOption& option : question.options) CHECK_MESSAGE(count_words(option.why) > 3, question.id);
      }
    CHECK_MESSAGE(at_the_end >= 2, file);
    CHECK_MESSAGE(at_the_end <= 4, file);
    CHECK_MESSAGE(varied + (file == "02-scratchpad.md") > 0, file);
  }
}

TEST_CASE("Every beat of lessons 1 to 5 has a note for the speaker and at most three knobs") {
  for (const std::string_view file : kFiles)
    for (const Beat& beat : lesson_in(file).beats) {
      CHECK_MESSAGE(!beat.note.empty(), fmt::format("{}: {}", file, beat.title));
      CHECK_MESSAGE(beat.stage.show.size() <= 3, fmt::format("{}: {}", file, beat.title));
    }
}

}  // namespace tilewalk::test_memory_lessons
