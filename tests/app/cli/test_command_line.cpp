// Bad options get one clear sentence and exit code 2, files that cannot be read 4, and nothing on standard output.
#include "tests/app/cli/run.h"

#include <sstream>
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tilewalk::test_command_line {
using test::contains;
using test::run;

TEST_CASE("every refusal says which option, what it was and what is allowed") {
  struct Refusal {
    const char* line;
    int code;
    std::vector<const char*> words;
  };
  const Refusal refusals[] = {
      {"--log-level loud", 2, {"--log-level is \"loud\"", "error, warn, info, debug, trace"}},
      {"class --listen here", 2, {"--listen", "0.0.0.0:8660"}},
      {"class --address 'two words'", 2, {"--address", "two words", "https://class.example.org/"}},
      {"class --cert a.pem", 2, {"--cert and --key"}},
      {"class --no-worker --worker x", 2, {"exclude each other"}},
      {"walk --n 0", 2, {"--n is 0", "between 1 and 16777216"}},
      {"walk --n -5", 2, {"--n is -5", "between 1 and 16777216"}},
      {"walk --n abc", 2, {"--n is \"abc\"", "whole number"}},
      {"walk --n 1.5", 2, {"--n is \"1.5\"", "whole number"}},
      {"walk --n ''", 2, {"--n is \"\"", "whole number"}},
      {"walk --n 16777217", 2, {"--n is 16777217", "16777216"}},
      {"walk --n 99999999999999999999999", 2, {"--n is", "16777216"}},
      {"walk --n", 2, {"--n lacks its value"}},
      {"walk --n-q 0 --n-k -1", 2, {"--n-q is 0", "--n-k is -1"}},
      {"walk --d 0", 2, {"--d is 0", "1024"}},
      {"walk --d 1025", 2, {"--d is 1025", "1024"}},
      {"walk --br 0", 2, {"--br is 0", "1024"}},
      {"walk --bc -1", 2, {"--bc is -1", "1024"}},
      {"walk --bc 4096", 2, {"--bc is 4096", "1024"}},
      {"predict --batch 0", 2, {"--batch is 0", "65535"}},
      {"predict --heads 65536", 2, {"--heads is 65536", "65535"}},
      {"walk --seed -1", 2, {"--seed is \"-1\"", "between 0 and"}},
      {"walk --seed x", 2, {"--seed is \"x\""}},
      {"walk --scale-softmax 0", 2, {"--scale-softmax is \"0\"", "not 0"}},
      {"walk --scale-softmax nan", 2, {"--scale-softmax is \"nan\""}},
      {"walk --scale-softmax inf", 2, {"--scale-softmax is \"inf\""}},
      {"walk --preset big", 2, {"--preset is \"big\"", "micro, toy, causal"}},
      {"walk --align middle", 2, {"--align is \"middle\"", "bottom-right, top-left"}},
      {"walk --format fp8", 2, {"--format is \"fp8\"", "fp16, bf16, fp32, fp64"}},
      {"walk --format e4m3", 2, {"--format is \"e4m3\"", "fp16, bf16, fp32"}},
      {"walk --arithmetic fast", 2, {"--arithmetic is \"fast\"", "exact, kernel"}},
      {"walk --distribution custom", 2, {"--distribution is \"custom\"", "normal, outliers, integers"}},
      {"walk --schedule fa9", 2, {"--schedule is \"fa9\"", "standard, fa1, fa2"}},
      {"walk --schedule all", 2, {"--schedule is \"all\"", "standard, fa1, fa2, fa3,", "fa2-backward, split-kv."}},
      {"walk --variant mine", 2, {"--variant is \"mine\"", "paper, kernel"}},
      {"walk --machine b100", 2, {"--machine is \"b100\"", "h200"}},
      {"walk --row 0", 2, {"--row is 0", "between 1 and 16"}},
      {"walk --row 17", 2, {"--row is 17", "between 1 and 16"}},
      {"walk --row first", 2, {"--row is \"first\""}},
      {"walk --unit week", 2, {"--unit is \"week\"", "step, part, tile, row"}},
      {"walk --steps 5..2", 2, {"--steps is \"5..2\"", "1..152"}},
      {"walk --steps 0..2", 2, {"--steps is \"0..2\"", "1..152"}},
      {"walk --steps 1..153", 2, {"1..152"}},
      {"walk --steps x", 2, {"--steps is \"x\""}},
      {"walk --steps ''", 2, {"--steps is \"\""}},
      {"walk --at 0", 2, {"--at is 0", "1 to 152"}},
      {"walk --at 153", 2, {"--at is 153", "1 to 152"}},
      {"walk --at dance", 2, {"--at", "\"dance\" names no step"}},
      {"walk --at 'first rescale of Q tile 9'", 2, {"no step of this FA2 walk"}},
      {"walk --at 3 --steps 3..4", 2, {"either --steps or --at"}},
      {"walk --preset micro --n 8", 2, {"--n cannot be chosen", "preset micro", "--distribution normal"}},
      {"walk --preset micro --seed 8", 2, {"--seed changes nothing", "preset micro"}},
      {"walk --batch-index 2", 2, {"--batch-index is 2", "between 1 and 1"}},
      {"walk --heads 3 --head-index 4", 2, {"--head-index is 4", "between 1 and 3"}},
      {"walk --n 1024 --d 1024 --br 1024 --bc 1024", 2, {"6.29 MB of SRAM", "H200 has 227 KiB", "smaller tiles"}},
      {"walk --machine toy --d 64 --n 64 --br 16 --bc 16", 2, {"of SRAM", "Toy chip has 1,024 bytes"}},
      {"predict --br 1024 --bc 1024", 2, {"of SRAM", "H200 has 227 KiB"}},
      {"walk --n 131072 --d 128 --br 128 --bc 128", 2, {"up to 4,000,000 are animated", "`tilewalk predict`"}},
      {"walk --n 8192 --d 4 --br 4 --bc 4", 2, {"steps; up to 2,000,000 are animated", "`tilewalk predict`"}},
      {"predict --n 16777216 --br 1", 2, {"16777216 tiles", "larger"}},
      {"predict --n 16777216 --br 64 --bc 64 --batch 65535 --heads 65535", 2, {"whole numbers of 64 bits"}},
      {"walk --layer layer0", 2, {"--layer", "no file is given"}},
      {"walk --input /nowhere/q.npy", 4, {"/nowhere/q.npy is not there"}},
      {"walk --input /", 4, {"folder"}},
      {"walk --theme light", 2, {"\"--theme\" is not understood", "tilewalk walk --help"}},
      {"walk 7", 2, {"\"7\" is not understood"}},
      {"wander", 2, {"\"wander\" is not understood", "tilewalk --help"}},
      {"--theme blue", 2, {"--theme is \"blue\"", "light, dark, projector"}},
      {"--scale 9", 2, {"--scale is \"9\"", "between 0.75 and 3"}},
      {"--scale nan", 2, {"--scale is \"nan\""}},
      {"--size 10x10", 2, {"--size is \"10x10\"", "like 1920x1080"}},
      {"--size ''", 2, {"--size is \"\""}},
      {"--scale ''", 2, {"--scale is \"\""}},
      {"--size big", 2, {"--size is \"big\""}},
      {"--preset big", 2, {"--preset is \"big\""}},
      {"--schedule fa9", 2, {"--schedule is \"fa9\"", "standard, fa1, fa2, fa3"}},
      {"--preset toy --open a.npy", 2, {"either --preset or --open"}},
  };
  for (const Refusal& refusal : refusals) {
    const test::Ran ran = run(refusal.line);
    INFO(std::string(refusal.line) << "\n" << ran.err << ran.out);
    CHECK(ran.code == refusal.code);
    CHECK(ran.out.empty());
    CHECK(ran.err.starts_with("tilewalk"));
    CHECK(ran.err.ends_with(".\n"));
    for (const char* word : refusal.words) CHECK(contains(ran.err, word));
  }
}

TEST_CASE("an option that stands twice is told to do so") {
  const test::Ran ran = run("--open a --open b");
  CHECK(ran.code == 2);
  CHECK_MESSAGE(contains(ran.err, "--open is given more than once."), ran.err);
  CHECK(contains(run("--open").err, "--open lacks its value."));
  CHECK(contains(run("export --preset toy --steps all --at 3 -o /dev/null/z.svg").err, "either --steps or --at"));
}

TEST_CASE("an option with nothing in it is told") {
  for (const char* words : {"--open ''", "--monitor ''", "--lesson ''", "--set-list ''", "--theme ''"}) {
    const test::Ran ran = run(words);
    CHECK_MESSAGE(ran.code == 2, words);
    CHECK_MESSAGE(contains(ran.err, "is empty; it takes a value."), ran.err);
  }
}

TEST_CASE("several faults are told at once, a line each") {
  const test::Ran ran = run("walk --n 0 --d 0 --br 0 --schedule x");
  CHECK(ran.code == 2);
  CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 4);
}

TEST_CASE("help and version go to standard output") {
  for (const char* line : {"--help", "-h", "walk --help", "predict --help"}) {
    const test::Ran ran = run(line);
    INFO(std::string(line) << "\n" << ran.out);
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(contains(ran.out, "Usage: tilewalk"));
    CHECK(test::widest_line(ran.out) <= 80);
  }
  CHECK(run("--version").out.starts_with("tilewalk "));
}

TEST_CASE("without a command the window opens, and gets what was asked") {
  WindowRequest asked;
  int opened = 0;
  const OpenWindow window = [&](const WindowRequest& request) {
    asked = request;
    return ++opened == 1 ? 0 : 1;
  };
  CHECK(run("--theme dark --scale 1.5 --open a.npy --portable --reduced-motion", window).code == 0);
  CHECK(opened == 1);
  CHECK(asked.theme == "dark");
  CHECK(asked.scale == 1.5);
  CHECK(asked.file == "a.npy");
  CHECK(asked.portable);
  CHECK(asked.reduced_motion);
  CHECK(run("", window).code == 1);  // what the window leaves with
  CHECK(asked.theme.empty());
  CHECK(run("walk --preset micro", window).code == 0);
  CHECK(opened == 2);
}

TEST_CASE("a file is opened by the name that a desktop gives it") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "tilewalk a file.run.json";
  std::ofstream(file) << "{}";
  const std::string url = "file://" + file.parent_path().string() + "/tilewalk%20a%20file.run.json";
  for (const std::string& line : {url, "--open " + url}) {
    WindowRequest seen;
    CHECK(run(line, [&](const WindowRequest& asked) {
            seen = asked;
            return 0;
          }).code == 0);
    CHECK(seen.file == file.string());
  }
  std::filesystem::remove(file);
}

TEST_CASE("a build without a window says what there is instead") {
  const test::Ran ran = run("");
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "`tilewalk walk`"));
}

TEST_CASE("what could not be said is no success, help and version too") {
  for (const std::string word : {"--help", "--version"}) {
    std::ofstream full("/dev/full");
    std::ostringstream err;
    Console console{full, err};
    CHECK(run_command_line({word}, console, {}) == 1);
    CHECK(test::contains(err.str(), "The output could not be written."));
  }
}

}  // namespace tilewalk::test_command_line
