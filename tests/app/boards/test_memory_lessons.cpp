// Lessons 1 to 5 as a learner reads them: the figures that can be checked against the papers stand in the text to the
// last digit, and of each question's options exactly one is right.
#include "core/lesson/answer.h"
#include "core/lesson/reader.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace tilewalk;

namespace {

Lesson lesson(std::string_view file) {
  const LessonFile read = read_lesson_file(std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons/en" / file);
  for (const LessonFault& fault : read.faults)
    FAIL_CHECK(fmt::format("{}:{}: {}", fault.file, fault.line, fault.message));
  REQUIRE(read.lesson.has_value());
  return *read.lesson;
}

// What the boards would show is left to their own tests.
std::optional<Quantity> no_stage(std::string_view) { return std::nullopt; }

std::string shown(const Prose& prose, const Lookup& names) {
  std::string out;
  for (const Block& block : prose) {
    for (const Span& span : block.spans) {
      if (span.kind != Span::Kind::Quantity) {
        out += span.text;
        continue;
      }
      const Evaluated value = evaluate(span.text, names);
      CHECK_MESSAGE(value.quantity.has_value(), fmt::format("{}: {}", span.text, value.fault));
      if (value.quantity) out += format_quantity(*value.quantity, span.format).value_or("?");
    }
    out += '\n';
  }
  return out;
}

// All beats, and every question with its reasons under the given seed.
std::string text_of(const Lesson& lesson, uint64_t seed = 1) {
  const Lookup names = names_of(lesson, nullptr, no_stage);
  std::string out;
  for (const Beat& beat : lesson.beats) {
    out += shown(beat.text, names);
    for (const Question& question : beat.questions) {
      const Instance instance = instance_of(lesson, question, seed, no_stage);
      const Lookup own = names_of(lesson, &instance, no_stage);
      out += shown(question.text, own) + shown(question.why, own);
      for (const AnswerOption& option : question.options) out += shown(option.text, own) + shown(option.why, own);
      if (instance.answer) out += format_quantity(*instance.answer, question.format).value_or("?") + "\n";
    }
  }
  return out;
}

void must_say(const std::string& text, std::initializer_list<std::string_view> figures) {
  for (const std::string_view figure : figures) CHECK_MESSAGE(text.find(figure) != std::string::npos, figure);
}

constexpr std::string_view kFiles[] = {"01-traffic.md", "02-scratchpad.md", "03-matrix.md", "04-same-math.md",
                                       "05-cut-to-fit.md"};

}  // namespace

TEST_CASE("The figures of lessons 1 to 5 agree to the last digit") {
  must_say(text_of(lesson("01-traffic.md")),
           {"136,314,880 bytes", "66.9 µs", "13.8 µs", "6.88 µs", "31.5", "67.1 MB", "153"});
  must_say(text_of(lesson("02-scratchpad.md")), {"19.49 TB/s", "9.6×", "12.7×", "up to N = 288", "166,912 bytes", "20.25 MiB",
                                                 "163 KiB", "99 KiB", "227 KiB", "192 KiB"});
  must_say(text_of(lesson("03-matrix.md")), {"8 MiB", "64 GiB", "128 GiB", "4 MiB", "32 GiB", "512 KiB", "35,355"});
  must_say(text_of(lesson("04-same-math.md")),
           {"136 MB", "19.1 MB", "34.6 MB", "2.11 MB", "7.15 times", "3.94 times", "4.29 GFLOP", "28.0 %", "1.04 µs"});
  must_say(text_of(lesson("05-cut-to-fit.md")),
           {"65,536 bytes", "384 and 64, off this chart", "64 for S and 128 for O", "192 KiB", "2,796,203", "17,301,504",
            "6.19", "1.90 times less", "69,222,400 bytes, before and after"});
}

TEST_CASE("Every question of lessons 1 to 5 has one right option, or a number to find, under any seed") {
  for (const std::string_view file : kFiles) {
    const Lesson read = lesson(file);
    int at_the_end = 0, varied = 0;
    for (const Beat& beat : read.beats)
      for (const Question& question : beat.questions) {
        at_the_end += beat.kind == BeatKind::Check;
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
    for (const Beat& beat : lesson(file).beats) {
      CHECK_MESSAGE(!beat.note.empty(), fmt::format("{}: {}", file, beat.title));
      CHECK_MESSAGE(beat.stage.show.size() <= 3, fmt::format("{}: {}", file, beat.title));
    }
}
