// A small mutating fuzzer for all that reads a lesson's bytes: the files of tests/lessons/corpus and the lessons
// themselves, changed at random, must be read without harm. Meant for the build with AddressSanitizer. Runs for
// TILEWALK_FUZZ_SECONDS, or three seconds; TILEWALK_FUZZ_SEED starts elsewhere; TILEWALK_FUZZ_KEEP names a file that
// each input is written to before it is read, so that the last one is the one at fault; the slowest one stays beside
// it.
#include "core/lesson/answer.h"
#include "core/lesson/check.h"
#include "core/lesson/figures.h"
#include "core/lesson/reader.h"

#include "core/io/file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace tilewalk::test_fuzz {
namespace fs = std::filesystem;

namespace {

using Dice = std::mt19937_64;

std::vector<std::string> corpus() {
  std::vector<fs::path> files;
  for (const char* folder : {"/tests/lessons/corpus", "/lessons/en"})
    for (const auto& entry : fs::directory_iterator(std::string(TILEWALK_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> out;
  for (const fs::path& file : files) out.push_back(read_file(file));
  return out;
}

constexpr const char* kPieces[] = {"+++\n",
                                   "\n---\n",
                                   "\n## hook: A\n",
                                   "\n## compute: ",
                                   "```scene\n",
                                   "```ask\n",
                                   "```predict\n",
                                   "```\n",
                                   "~~~~\n",
                                   "<!-- note: ",
                                   "-->",
                                   "{{",
                                   "}}",
                                   " | bytes",
                                   "[[options]]\n",
                                   "[vary]\n",
                                   "[proof]\n",
                                   "knobs = { ",
                                   " }",
                                   "\"\"\"",
                                   "id = \"a\"\n",
                                   "right = ",
                                   "answer = \"",
                                   "- ",
                                   "> ",
                                   "1. ",
                                   "| a | b |\n|---|---|\n",
                                   "](tile:K/2)",
                                   "](<step:",
                                   "**",
                                   "`",
                                   "&#x",
                                   "\xEE\x80\x80",
                                   "\xEE\x80\x81",
                                   "\xFF",
                                   "\xE2\x82",
                                   "\r\n",
                                   "\\",
                                   "((((((",
                                   "traffic(fa2, N=",
                                   "min(1, ",
                                   "^",
                                   "-",
                                   "1e308",
                                   "stage.x",
                                   "'",
                                   "\t",
                                   "\n\n"};

std::string mutated(const std::vector<std::string>& all, Dice& dice) {
  const auto below = [&](size_t count) { return count ? size_t(dice() % count) : 0; };
  std::string text = all[below(all.size())];
  for (size_t changes = 1 + below(8); changes > 0; --changes) {
    const size_t at = below(text.size() + 1), length = below(text.size() - at + 1);
    switch (below(9)) {
      case 0:
        if (!text.empty()) text[below(text.size())] = char(dice());
        break;
      case 1:
        if (!text.empty()) text[below(text.size())] ^= char(1 << below(8));
        break;
      case 2: text.erase(at, std::min<size_t>(length, 64)); break;
      case 3: text.erase(at, length); break;
      case 4: text.insert(at, kPieces[below(std::size(kPieces))]); break;
      case 5: text.insert(below(text.size() + 1), text.substr(at, std::min<size_t>(length, 200))); break;
      case 6: {
        const std::string& other = all[below(all.size())];
        const size_t from = below(other.size() + 1);
        text.insert(at, other.substr(from, below(400)));
        break;
      }
      case 7: {
        const std::string piece = kPieces[below(std::size(kPieces))];
        for (size_t k = below(300); k > 0; --k) text.insert(at, piece);
        break;
      }
      default: text.insert(at, 1, char(dice()));
    }
    if (text.size() > (1 << 17)) text.resize(1 << 17);
  }
  return text;
}

// Functions that run a simulator take a while each, and are no readers.
bool quick(std::string_view expression) {
  for (const char* slow :
       {"dram(", "walk(", "overlap(", "occupancy(", "step_count(", "fp8_error(", "recorded(", "traffic(", "tiles(",
        "footprint", "smem(", "registers(", "moved(", "loads(", "stores(", "flop(", "exps(", "steps(", "intensity("})
    if (expression.find(slow) != std::string_view::npos) return false;
  return true;
}

void evaluate_quantities(const Prose& prose) {
  for (const Block& block : prose)
    for (const Span& span : block.spans)
      if (span.kind == Span::Kind::Quantity && quick(span.text))
        if (const Evaluated value = evaluate(span.text); value.quantity) format_quantity(*value.quantity, span.format);
}

void read_everything(const std::string& text) {
  const LessonFile file = read_lesson(text, "a.md");
  CHECK(file.lesson.has_value() == file.faults.empty());
  for (const LessonFault& fault : file.faults) REQUIRE(fault.line <= int(std::ranges::count(text, '\n')) + 2);
  if (file.lesson)
    for (const Beat& beat : file.lesson->beats) {
      REQUIRE(beat.line > 0);
      for (const Block& block : beat.text) REQUIRE(block.line >= beat.line);
      evaluate_quantities(beat.text);
      bare_figures(beat.text);
      for (const Question& question : beat.questions) {
        typed_number(question.answer, question);
        if (quick(question.answer)) evaluate(question.answer);
      }
    }
  // The text of a file that has faults as well, all of it.
  const Prose prose = read_prose(text);
  evaluate_quantities(prose);
  count_words(prose);
}

}  // namespace

TEST_CASE("every file of the corpus is read without harm") {
  for (const std::string& text : corpus()) read_everything(text);
}

TEST_CASE("changed at random, they are too") {
  const char* seconds = std::getenv("TILEWALK_FUZZ_SECONDS");
  const char* seed = std::getenv("TILEWALK_FUZZ_SEED");
  const char* keep = std::getenv("TILEWALK_FUZZ_KEEP");
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(seconds ? std::atof(seconds) : 3);
  const std::vector<std::string> all = corpus();
  Dice dice(seed ? std::strtoull(seed, nullptr, 10) : 1);
  int64_t inputs = 0, good = 0;
  double slowest = 0;
  while (std::chrono::steady_clock::now() - begin < limit) {
    const std::string text = mutated(all, dice);
    if (keep) std::ofstream(keep, std::ios::binary) << text;
    const std::clock_t before = std::clock();  // of the processor: the machine may be busy
    read_everything(text);
    const double took = double(std::clock() - before) / CLOCKS_PER_SEC;
    CHECK(took < 10);  // far more than any takes, even with sanitizers
    if (took > slowest && keep) std::ofstream(std::string(keep) + ".slowest", std::ios::binary) << text;
    slowest = std::max(slowest, took);
    good += read_lesson(text, "a.md").faults.empty();
    ++inputs;
  }
  MESSAGE(inputs, " inputs, ", good, " of them lessons without faults, the slowest in ", slowest, " s");
  CHECK(good > 0);
  CHECK(good < inputs);
}

}  // namespace tilewalk::test_fuzz
