// Lessons 10 and 11 as a learner reads them: the figures that can be checked against the papers are there, tables
// included, and every question has one right option or a number under any seed.
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

std::optional<Quantity> no_stage(std::string_view) { return std::nullopt; }

void add(std::string& out, const std::vector<Span>& spans, const Lookup& names) {
  for (const Span& span : spans) {
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

std::string shown(const Prose& prose, const Lookup& names) {
  std::string out;
  for (const Block& block : prose) {
    add(out, block.spans, names);
    for (const auto& row : block.rows) {
      for (const auto& cell : row) {
        add(out, cell, names);
        out.back() = '|';
      }
      out += '\n';
    }
  }
  return out;
}

std::string text_of(const Lesson& lesson) {
  std::string out;
  for (const Beat& beat : lesson.beats) {
    out += shown(beat.text, names_of(lesson, nullptr, no_stage));
    for (const Question& question : beat.questions) {
      const Instance instance = instance_of(lesson, question, 1, no_stage);
      const Lookup own = names_of(lesson, &instance, no_stage);
      out += shown(question.text, own) + shown(question.why, own);
      for (const AnswerOption& option : question.options) out += shown(option.text, own) + shown(option.why, own);
    }
  }
  std::ranges::replace(out, '\n', ' ');
  return out;
}

void must_say(const std::string& text, std::initializer_list<std::string_view> figures) {
  for (const std::string_view figure : figures) CHECK_MESSAGE(text.find(figure) != std::string::npos, figure);
}

}  // namespace

TEST_CASE("The figures of lessons 10 and 11 agree to the last digit") {
  must_say(text_of(lesson("10-fa2.md")),
           {"makes 16 blocks", "108 multiprocessors", "14.8 %", "512, not 16", "not 32", "312 TFLOP/s", "19.5 TFLOP/s",
            "costs 16 times", "34.6 MB", "19.1 MB", "1,024 visits", "become 160", "50 to 73 % of an A100's peak", "2,048 visits"});
  must_say(text_of(lesson("11-fa3.md")),
           {"370 TFLOP/s of 989 TFLOP/s", "37.4 %", "256 times", "512 FLOP", "25.0 %", "1.5 units become 1.0",
            "661 TFLOP/s", "582 TFLOP/s", "570 TFLOP/s", "0 % idle become 13.3 %", "published 2.6", "exponentials 256 / (4 · d)", "1,024 clocks of products"});
}

TEST_CASE("FA3's bytes are FA2's, and its idle time a third without overlap") {
  const Lesson fa3 = lesson("11-fa3.md");
  const Lookup names = names_of(fa3, nullptr, no_stage);
  const auto value = [&](std::string_view name) { return evaluate(name, names).quantity.value_or(Quantity{}).value; };
  CHECK(value("bytes2") == value("bytes3"));
  CHECK(value("share") == 0.5);
  CHECK(value("serial") == 1.5);
  CHECK(value("overlapped") == 1.0);
  CHECK(value("idle_serial") == doctest::Approx(1.0 / 3));
  CHECK(value("soft_flop") < 0.01);
}

TEST_CASE("Every question of lessons 10 and 11 has one right option, or a number to find, under any seed") {
  for (const char* file : {"10-fa2.md", "11-fa3.md"}) {
    const Lesson of = lesson(file);
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
