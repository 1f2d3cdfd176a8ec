// A lesson that comes with the program, as its reader gets it: with every number computed and set.
#pragma once

#include "core/lesson/answer.h"
#include "core/lesson/reader.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk::test {

inline Lesson lesson_in(std::string_view file) {
  const LessonFile read = read_lesson_file(std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons/en" / file);
  for (const LessonFault& fault : read.faults)
    FAIL_CHECK(fmt::format("{}:{}: {}", fault.file, fault.line, fault.message));
  REQUIRE(read.lesson.has_value());
  return *read.lesson;
}

// What the boards would show is left to their own tests.
inline std::optional<Quantity> no_stage(std::string_view) { return std::nullopt; }

inline std::string told(const std::vector<Span>& spans, const Lookup& names) {
  std::string out;
  for (const Span& span : spans) {
    if (span.kind != Span::Kind::Quantity) {
      out += span.text;
      continue;
    }
    const Evaluated value = evaluate(span.text, names);
    CHECK_MESSAGE(value.quantity.has_value(), fmt::format("{}: {}", span.text, value.fault));
    if (value.quantity) out += format_quantity(*value.quantity, span.format).value_or("?");
  }
  return out;
}

// Lines are blanks here, so that a sentence may be looked for however it is set; cells of a table are divided by "|".
inline std::string told(const Prose& prose, const Lookup& names) {
  std::string out;
  for (const Block& block : prose) {
    out += told(block.spans, names) + " ";
    for (const auto& row : block.rows)
      for (const auto& cell : row) out += told(cell, names) + "|";
  }
  for (char& c : out)
    if (c == '\n') c = ' ';
  return out;
}

// All beats with what is folded in them, and every question with its reasons and its answer under the given seed.
inline std::string text_of(const Lesson& lesson, uint64_t seed = 1) {
  const Lookup names = names_of(lesson, nullptr, no_stage);
  std::string out;
  for (const Beat& beat : lesson.beats) {
    out += told(beat.text, names) + told(beat.kernel, names);
    for (const Question* each : all_questions_of(beat)) {
      const Question& question = *each;
      const Instance instance = instance_of(lesson, question, seed, no_stage);
      const Lookup own = names_of(lesson, &instance, no_stage);
      out += told(question.text, own) + told(question.why, own);
      for (const AnswerOption& option : question.options) out += told(option.text, own) + told(option.why, own);
      if (instance.answer) out += format_quantity(*instance.answer, question.format).value_or("?") + " ";
    }
  }
  return out;
}

inline const Question& question(const Lesson& lesson, std::string_view id) {
  for (const Beat& beat : lesson.beats)
    for (const Question* each : all_questions_of(beat))
      if (each->id == id) return *each;
  FAIL("no question ", id);
  return lesson.beats[0].questions[0];
}

inline bool says(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline void must_say(const std::string& text, std::initializer_list<std::string_view> figures) {
  for (const std::string_view figure : figures) CHECK_MESSAGE(text.find(figure) != std::string::npos, figure);
}

}  // namespace tilewalk::test
