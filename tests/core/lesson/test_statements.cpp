// Statements of lessons and of the published figures that other figures of the program could contradict: each is held
// against what the schedules, the recordings, the dispatch rules and the tables say.
#include "core/quantity/published.h"
#include "tests/core/lesson/lesson_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewalk::test_statements {
using namespace tilewalk::test;

namespace {

double value_of(const std::string& expression) {
  const Evaluated value = evaluate(expression, [](std::string_view) { return std::nullopt; });
  INFO(expression << ": " << value.fault);
  REQUIRE(value.quantity);
  return value.quantity->value;
}

}  // namespace

TEST_CASE("lesson 3 and the model count the same memory of standard attention") {
  // Beyond Q, K, V and O: S and P at once.
  for (const char* method : {"standard", "eager"}) {
    const std::string needs = std::string("estimate(") + method + ", memory, N=32768, d=128, H=32, gpu=a100-80)";
    CHECK(value_of(needs + " - 4 * mem(O, N=32768, d=128, H=32)") ==
          value_of("mem(S, N=32768, H=32) + mem(P, N=32768, H=32)"));
  }
  const Lesson lesson = lesson_in("03-matrix.md");
  const Lookup names = names_of(lesson, nullptr, no_stage);
  // "Keep it": what standard attention holds, as the model has it.
  const auto sp = evaluate("sp_32k", names).quantity;
  REQUIRE(sp);
  CHECK(sp->value == value_of("estimate(standard, memory, N=32768, d=128, H=32, gpu=a100-80)") -
                         4 * value_of("mem(O, N=32768, d=128, H=32)"));
  CHECK(says(told(lesson.gpu.look, names), "writes P over S"));
}

TEST_CASE("lesson 4: what standard attention rounds and FA2 does not is S alone") {
  const Lesson lesson = lesson_in("04-same-math.md");
  const std::string text = text_of(lesson);
  CHECK(says(text, "rounds S to fp16"));
  CHECK(!says(text, "rounds S and P"));
}

TEST_CASE("lesson 5: the rows of released tiles, of Q and of K and V") {
  CHECK(value_of("released_tiles(Br, least)") == 64);
  CHECK(value_of("released_tiles(Br, most)") == 192);
  CHECK(value_of("released_tiles(Bc, least)") == 32);
  CHECK(value_of("released_tiles(Bc, most)") == 224);
  CHECK(says(text_of(lesson_in("05-cut-to-fit.md")), "64 to 192 rows of Q, 32 to 224 of K and V"));
  // Tiles that the program takes for released ones lie within.
  for (const char* schedule : {"fa2", "fa3"})
    for (const char* d : {"64", "128"}) {
      const std::string tile = std::string("smem(") + schedule + ", N=4096, d=" + d;
      CHECK(value_of(tile + ")") <= value_of(tile + ", Br=192, Bc=224)"));
    }
}

TEST_CASE("lesson 10: no true answer is refused") {
  const Lesson lesson = lesson_in("10-fa2.md");
  const Question& asked = question(lesson, "what-explains");
  const Instance instance = instance_of(lesson, asked, 1, no_stage);
  const Lookup names = names_of(lesson, &instance, no_stage);
  // FA2 was recorded to move far less through DRAM than FA1, at every length from 4,096 on.
  for (const char* n : {"4096", "16384"})
    for (const char* d : {"64", "128"}) {
      const std::string shape = std::string(", dram, N=") + n + ", d=" + d + ")";
      CHECK(value_of("recorded(fa1" + shape) > value_of("recorded(fa2" + shape));
    }
  for (size_t k = 0; k < asked.options.size(); ++k) {
    const std::string text = told(asked.options[k].text, names);
    CHECK_MESSAGE((instance.right[k] || !says(text, "DRAM")), text);
    if (says(text, "between L2 and the multiprocessors"))
      CHECK(says(told(asked.options[k].why, names), "Through DRAM"));
  }
  CHECK(std::ranges::count(instance.right, true) == 1);
}

TEST_CASE("lesson 13: what runs with a mask is what the rules say") {
  CHECK(value_of("picks(cudnn, hf-sdpa, gpu=h200)") == 1);
  CHECK(value_of("picks(cudnn, hf-sdpa, gpu=h200, mask=bool)") == 1);
  CHECK(value_of("picks(fa2, hf-sdpa, gpu=a100-80)") == 1);
  CHECK(value_of("picks(efficient, hf-sdpa, gpu=a100-80, mask=bool)") == 1);
  const std::string text = text_of(lesson_in("13-family.md"));
  CHECK(says(text, "On an A100 without a mask it is, with one memory-efficient."));
  CHECK(says(text, "On an H200 it is cuDNN, with a mask or without."));
}

TEST_CASE("lesson 14: the law of a forward pass stands beside a forward chart, with its own share of the peak") {
  const Lesson lesson = lesson_in("14-roofline.md");
  const Lookup names = names_of(lesson, nullptr, no_stage);
  for (const auto& [name, expression] : lesson.quantities)
    CHECK_MESSAGE((expression.find("published.") == std::string::npos || expression.find("_fwd_") != std::string::npos),
                  name);
  const double law = evaluate("law_h100", names).quantity->value, seen = evaluate("seen_h100", names).quantity->value;
  CHECK(law == doctest::Approx(2 * 370 / 3350e9 / 128 * 1e12));  // 2 η · ridge / d is 2 FA2's rate / (bandwidth d)
  CHECK(seen == doctest::Approx(370.0 / 139));
  CHECK(seen > law);
}

TEST_CASE("what is called the fastest is not slower than a figure of the tables") {
  // The rows of which such a figure would be the largest.
  const std::map<std::string, std::string> kRows{
      {"fa2_a100_fwd_most", "fa2_a100_fwd_d"},     {"fa2_h100_fwdbwd_most", "fa2_h100_fwdbwd_d"},
      {"fa3_fp16_most", "fa3_h100_fwd_d"},         {"fa3_fp8_most", "fa3_fp8_h100_fwd_d"},
      {"fa3_neurips_bf16_most", "fa3_h100_fwd_d"}, {"fa3_neurips_fp8_most", "fa3_fp8_h100_fwd_d"},
      {"fa4_b200_most", "fa4_b200_fwd_d"}};
  const PublishedFigures& all = published_figures();
  for (const auto& [key, figure] : all.figures) {
    const auto text = all.texts.find(key);
    if (text == all.texts.end() || !says(text->second, "fastest")) continue;
    CAPTURE(key);
    REQUIRE(kRows.contains(key));
    for (const PublishedTable& table : all.tables)
      for (const PublishedRow& row : table.rows)
        for (const double value : row.values)
          if (row.key.starts_with(kRows.at(key)) && std::isfinite(value)) CHECK(value <= figure.value);
  }
}

}  // namespace tilewalk::test_statements
