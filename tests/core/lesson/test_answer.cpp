#include "core/lesson/answer.h"

#include "core/lesson/proof.h"
#include "core/lesson/reader.h"
#include "core/quantity/closeness.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace tilewalk::test_answer {

namespace {

Lesson lesson_with(const std::string& front, const std::string& ask) {
  const LessonFile file = read_lesson("+++\nid = \"a\"\ntitle = \"A\"\nbrief = \"A\"\nminutes = 5\n" + front +
                                          "+++\n## check: A\n\n```ask\nid = \"q\"\ntext = \"?\"\n" + ask + "```\n",
                                      "a.md");
  for (const LessonFault& fault : file.faults) FAIL_CHECK(fault.line << ": " << fault.message);
  REQUIRE(file.lesson);
  return *file.lesson;
}
const Question& question_of(const Lesson& lesson) { return lesson.beats.at(0).questions.at(0); }

std::string options(std::initializer_list<const char*> right) {
  std::string out;
  for (const char* each : right) out += fmt::format("[[options]]\ntext = \"t\"\nwhy = \"w\"\nright = \"{}\"\n", each);
  return out;
}

Question in(std::string unit) {
  Question question;
  question.unit = std::move(unit);
  return question;
}

}  // namespace

TEST_CASE("A seed is one question, another seed another one") {
  const Lesson lesson =
      lesson_with("[quantities]\ntwice = \"2 * N\"\n",
                  "answer = \"twice + 1\"\nwhy = \"w\"\n[vary]\nN = [\"8\", \"16\", \"32\", \"64\"]\n");
  std::set<double> answers;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Instance a = instance_of(lesson, question_of(lesson), seed);
    const Instance again = instance_of(lesson, question_of(lesson), seed);
    CHECK(a.fault.empty());
    REQUIRE(a.answer);
    CHECK(a.answer->value == again.answer->value);
    CHECK(a.answer->value == 2 * a.variables.at("N").value + 1);
    answers.insert(a.answer->value);
  }
  CHECK(answers == std::set<double>{17, 33, 65, 129});
}

TEST_CASE("A proof shows the numbers that were asked for") {
  const Lesson lesson = lesson_with("",
                                    "answer = \"N\"\nwhy = \"w\"\n[vary]\nN = [\"8\", \"16\"]\n"
                                    "[proof]\nknobs = { N = \"{{N}}\", gpu = \"h100\", d = \"{{ N }}\" }\n");
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const Instance instance = instance_of(lesson, question_of(lesson), seed);
    const StageSetting proof = proof_of(question_of(lesson), instance);
    CHECK(proof.knobs.at("N") == fmt::format("{}", instance.variables.at("N").value));
    CHECK(proof.knobs.at("d") == proof.knobs.at("N"));
    CHECK(proof.knobs.at("gpu") == "h100");
  }
}

TEST_CASE("Options are shuffled by the seed; what is right stays right") {
  const Lesson lesson =
      lesson_with("", options({"false", "N > 10", "N < 10", "true"}) + "[vary]\nN = [\"3\", \"30\"]\n");
  std::set<std::vector<int>> orders;
  std::set<int> first;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Instance a = instance_of(lesson, question_of(lesson), seed);
    const bool large = a.variables.at("N").value > 10;
    CHECK(a.right == std::vector<bool>{false, large, !large, true});
    std::vector<int> sorted = a.order;
    std::ranges::sort(sorted);
    CHECK(sorted == std::vector<int>{0, 1, 2, 3});
    orders.insert(a.order);
    first.insert(a.order[0]);
  }
  CHECK(orders.size() == 24);
  CHECK(first.size() == 4);
}

TEST_CASE("An expression that cannot be evaluated is the instance's fault") {
  const Lesson lesson = lesson_with("", "answer = \"none + 1\"\nwhy = \"w\"\n");
  const Instance a = instance_of(lesson, question_of(lesson), 1);
  CHECK_FALSE(a.answer);
  CHECK(a.fault == "\"none\" is not known here.");
  const Instance b = instance_of(lesson, question_of(lesson), 1, [](std::string_view name) {
    return name == "none" ? std::optional(Quantity{1, "", {}, {}}) : std::nullopt;
  });
  REQUIRE(b.answer);
  CHECK(b.answer->value == 2);
}

TEST_CASE("Names may be made of each other, but not of themselves") {
  std::string front = "[quantities]\nq0 = \"1\"\nround = \"about + 1\"\nabout = \"round + 1\"\nself = \"self\"\n";
  // Each twice the one before: 2^200 evaluations, unless each is worked out once.
  for (int k = 1; k <= 200; ++k) front += fmt::format("q{} = \"q{} + q{}\"\n", k, k - 1, k - 1);
  front += "now = \"stage.x * 2\"\n";
  const Lesson lesson = lesson_with(front, "answer = \"1\"\nwhy = \"w\"\n");
  double stage = 1;
  const Lookup names = names_of(lesson, nullptr, [&](std::string_view name) {
    return name == "stage.x" ? std::optional(Quantity{stage, "", {}, {}}) : std::nullopt;
  });
  CHECK(evaluate("q50", names).quantity->value == 1125899906842624.0);
  CHECK(evaluate("q200 > q199", names).quantity->value == 1);
  CHECK_FALSE(evaluate("self", names).quantity);
  CHECK_FALSE(evaluate("round", names).quantity);
  CHECK_FALSE(evaluate("about", names).quantity);
  CHECK(evaluate("q2", names).quantity->value == 4);
  // What the stage shows is asked for anew.
  CHECK(evaluate("now", names).quantity->value == 2);
  stage = 5;
  CHECK(evaluate("now", names).quantity->value == 10);
}

TEST_CASE("A chain of names longer than any lesson's ends before the stack does") {
  Lesson lesson = lesson_with("", "answer = \"1\"\nwhy = \"w\"\n");
  lesson.quantities.emplace_back("q0", "1");
  for (int k = 1; k <= 20'000; ++k) lesson.quantities.emplace_back(fmt::format("q{}", k), fmt::format("q{}", k - 1));
  const Lookup names = names_of(lesson, nullptr, {});
  CHECK(evaluate("q250", names).quantity->value == 1);
  CHECK_FALSE(evaluate("q20000", names).quantity);
  CHECK(evaluate("q250", names).quantity->value == 1);
}

TEST_CASE("A typed number is read in the question's unit, or in its own") {
  CHECK(typed_number("66.9", in("µs")) == doctest::Approx(66.9e-6).scale(0));
  CHECK(typed_number("66.9 ms", in("µs")) == doctest::Approx(66.9e-3).scale(0));
  CHECK(typed_number("2,363,392", in("")) == 2'363'392);
  CHECK(typed_number("1e3", in("")) == 1000);
  CHECK(typed_number("2^20", in("")) == 1 << 20);
  CHECK(typed_number("64", in("GiB")) == 0x1p36);
  CHECK(typed_number("64 GiB", in("MB")) == 0x1p36);
  CHECK(typed_number("21%", in("%")) == doctest::Approx(0.21));
  CHECK(typed_number("1.43×", in("×")) == 1.43);
  CHECK(typed_number("3 * 2^10", in("")) == 3072);
  CHECK(typed_number("32 tiles", in("tiles")) == 32);
  CHECK(typed_number("-0.25", in("")) == -0.25);
  CHECK(typed_number(" 7 ", in("")) == 7);
  // A comma may be a point.
  CHECK(typed_number("2,617879", in("")) == 2.617879);
  CHECK(typed_number("1,5 µs", in("µs")) == doctest::Approx(1.5e-6).scale(0));
  CHECK(typed_number("1,553", in("")) == 1553);
  CHECK(typed_number("1,553", in(""), 1.6) == 1.553);
  CHECK(typed_number("1,553", in(""), 2048.0) == 1553);
  CHECK(typed_number("1,553", in("GB"), 1.5e9) == 1.553e9);
  CHECK(typed_number("-0,250", in(""), -0.2) == -0.25);
  for (const char* text : {"", " ", "x", "abc", "1,2,3", "1,2345,6", ",123", "1..2", "1,2.3", "min(1,2)", "N", "1/0",
                           "3 apples", "e", "1e999", "\xFF"})
    CHECK_FALSE(typed_number(text, in("")));
}

TEST_CASE("A number is scored by its factor") {
  const std::pair<double, int> rows[] = {{1, 100},    {1.1, 100}, {1.1001, 80}, {1.25, 80}, {1.2501, 60}, {1.5, 60},
                                         {1.501, 30}, {2, 30},    {2.001, 0},   {1000, 0},  {0, 0},       {-1, 0}};
  for (const double answer : {1.0, 66.9e-6, 3e12})
    for (const auto& [factor, score] : rows) {
      CAPTURE(factor);
      CHECK(score_of(answer * factor, answer) == score);
      if (factor > 0) CHECK(score_of(answer / factor, answer) == score);
    }
  CHECK(score_of(132, 128) == 100);
  CHECK(score_of(132, 128, true) == 0);
  CHECK(score_of(128, 128, true) == 100);
  CHECK(score_of(0.802, 0.8, true) == 100);
  CHECK(score_of(0, 0) == 100);
  CHECK(score_of(0.01, 0) == 0);
  CHECK(score_of(-0.01785, -0.017849) == 0);
  CHECK(score_of(-0.0178, -0.017849) == 100);
  CHECK(score_of(0.0178, -0.0178) == 0);
}

TEST_CASE("A score is said in words") {
  CHECK(score_words(132, 100) == "1.32× too high");
  CHECK(score_words(50, 100) == "2.00× too low");
  CHECK(score_words(67.1, 67.1e6) == "far too low; is the unit right?");
  CHECK(score_words(1e5, 100) == "far too high; is the unit right?");
  CHECK(score_words(66.9, 66.85) == "right to three digits");
  CHECK(score_words(590, 591) == "right within half a percent");
  // 64 GiB asked for, and 68.7 typed: the number of GB.
  CHECK(score_words(68.7 * 0x1p30, 0x1p36, "GiB") == "1.07× too high: that is in GB, asked were GiB");
  CHECK(score_words(68.7 * 1e9, 64e9, "GB") == "1.07× too high");
  CHECK(score_words(69.5 * 0x1p30, 0x1p36, "GiB") == "1.09× too high");
  CHECK(score_words(0, 0) == "right");
  CHECK(score_words(64, 64) == "right");
  CHECK(score_words(-1, 2) == "off by 3.00");
  CHECK(score_words(1, 0) == "off by 1.00");
}

}  // namespace tilewalk::test_answer
