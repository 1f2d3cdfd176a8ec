// `tilewalk predict --gpu`: the table and its JSON agree with the core; what bad input gets.
#include "app/cli/estimate.h"
#include "core/roofline/catalogue.h"
#include "core/roofline/held.h"
#include "core/roofline/turning.h"
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace tilewalk::test_estimate {
using nlohmann::json;
using test::contains;
using test::run;

namespace {

json estimated(const std::string& options) {
  const test::Ran ran = run("predict --json " + options);
  INFO(options << ran.err);
  REQUIRE(ran.code == 0);
  return json::parse(ran.out);
}

// XDG_CONFIG_HOME of this process, put back afterwards.
struct ConfigHome {
  explicit ConfigHome(const std::string& folder) {
    if (const char* was = std::getenv("XDG_CONFIG_HOME")) before = was;
    ::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  }
  ~ConfigHome() { before.empty() ? ::unsetenv("XDG_CONFIG_HOME") : ::setenv("XDG_CONFIG_HOME", before.c_str(), 1); }
  std::string before;
};

}  // namespace

TEST_CASE("an estimate's table and JSON are the core's") {
  const std::string shape = "--gpu h100 --n 8192 --d 128 --heads 16 --causal";
  const json document = estimated(shape);
  const Problem p{.heads = 16, .n_q = 8192, .n_k = 8192, .d = 128, .mask = Mask::Causal};
  const Roofs h100 = roofs_of(*gpu_named("h100"));
  const json& gpu = document.at("gpus").at(0);
  CHECK(gpu.at("best") == "fa3");
  for (const json& row : gpu.at("estimates")) {
    const Estimate made = estimate(*method_named(row.at("method").get<std::string>()), p, h100);
    CHECK(row.at("model_s").at("time").get<double>() == made.time);
    CHECK(row.at("model_s").at("serial").get<double>() == made.serial);
    CHECK(row.at("memory_bytes").get<double>() == made.memory_bytes);
  }
  CHECK(gpu.at("turns").at("rule_of_thumb").at("compute_bound_n") == 1186);
  // Whole diagonal tiles are multiplied, so a causal mask turns before the rule of thumb.
  CHECK(gpu.at("turns").at("compute_bound_n") == 1025);
  CHECK(gpu.at("turns").at("past_dram_n") == 1025);

  const test::Ran ran = run("predict " + shape);
  CHECK(ran.code == 0);
  for (const char* part : {"H100 SXM", "published", "tensor cores", "as its schedule has it", "wins over standard",
                           "longest N that fits", "Ridge: 295.3", "N = 1,025", "N = 1,181", "1,186", "The law"})
    CHECK_MESSAGE(contains(ran.out, part), part);
  CHECK(contains(ran.out, "not known of a datasheet's roofs"));  // the launch
  CHECK(test::widest_line(ran.out) <= 100);

  const json launched = estimated("--gpu h200-measured --n 2048 --d 64");
  const Roofs measured = *shipped_roofs(kShippedCeilings);
  const Problem short_head{.n_q = 2048, .n_k = 2048, .d = 64};
  for (const json& row : launched.at("gpus").at(0).at("estimates"))
    CHECK(row.at("model_s").at("launch").get<double>() ==
          estimate(*method_named(row.at("method").get<std::string>()), short_head, measured).launch);
  CHECK(launched.at("gpus").at(0).dump().find("next_launch") != std::string::npos);
  const test::Ran words = run("predict --gpu h200-measured --n 2048 --d 64");
  CHECK(contains(words.out, "launch 3.42"));
  CHECK(!contains(words.out, "datasheet"));
}

TEST_CASE("beside every estimated time stands what was measured elsewhere over it; --bare leaves it out" *
          doctest::test_suite("sweep")) {
  const std::string shape = "--n 8192 --d 128 --batch 2 --heads 16";
  const Problem p{.batch = 2, .heads = 16, .n_q = 8192, .n_k = 8192, .d = 128};
  for (const std::string id : {"h100", "a100-80", "b200", "h200-measured", "mi300x"}) {
    CAPTURE(id);
    for (const Direction direction : {Direction::Forward, Direction::Backward}) {
      const std::string options =
          "--gpu " + id + " " + shape + (direction == Direction::Backward ? " --direction backward" : "");
      const json gpu = estimated(options).at("gpus").at(0);
      const test::Ran words = run("predict " + options);
      for (const json& row : gpu.at("estimates")) {
        const Method method = *method_named(row.at("method").get<std::string>());
        const auto band = band_of(method, p, direction, *shipped_roofs(id));
        const json& said = row.at("measured_over_model");
        REQUIRE(said.is_null() == !band.has_value());
        if (!band) continue;
        CHECK(said.at("least").get<double>() == band->least);
        CHECK(said.at("calls").get<size_t>() == band->cells);
        CHECK(said.at("sources").size() > 0);
        CHECK(row.at("expected_s").at("most").get<double>() >= band->most * row.at("model_s").at("time").get<double>());
        CHECK_MESSAGE(contains(words.out, times_words(*band) + " times."), words.out);
      }
      CHECK(contains(words.out, "expect, times this"));
      CHECK(contains(words.out, "no measurement to hold this"));
      CHECK(test::widest_line(words.out) <= 100);
      const test::Ran bare = run("predict --bare " + options);
      CHECK(!contains(bare.out, "expect"));
      CHECK(!contains(bare.out, "Measured elsewhere"));
      CHECK(!contains(run("predict --bare --json " + options).out, "measured_over_model"));
    }
  }
  CHECK(contains(run("predict --gpus all " + shape).out, "expect"));
  CHECK(!contains(run("predict --bare --gpus all " + shape).out, "expect"));
  // One query: nothing was measured.
  const json decode = estimated("--gpu h100 --decode --n 8192");
  for (const json& row : decode.at("gpus").at(0).at("estimates")) CHECK(row.at("measured_over_model").is_null());
}

TEST_CASE("forward and backward together say nothing of either alone, and stand by themselves") {
  for (const std::string direction : {"", " --direction backward"}) {
    const std::string options = "--gpu a100-80 --n 16384 --d 128 --heads 16" + direction;
    const json gpu = estimated(options).at("gpus").at(0);
    for (const json& row : gpu.at("estimates")) {
      CAPTURE(row.at("method").get<std::string>());
      CHECK(row.at("measured_over_model").is_null());
      CHECK(!row.contains("expected_s"));
      if (row.at("method") != "fa2") continue;
      const json& both = row.at("measured_over_model_of_both_passes");
      CHECK(both.at("pass") == "forward and backward");
      CHECK(both.at("most").get<double>() < 1.5);
    }
    const std::string words = test::flowing(run("predict " + options).out);
    CHECK_MESSAGE(contains(words, "FA2: 1.1 to 1.4 times the model's two passes together; neither was told alone."),
                  words);
  }
}

TEST_CASE("a B200 runs FA4, an MI300X FA2; what an unknown mma.sync is taken for is said") {
  const std::string shape = " --n 8192 --d 128 --batch 2 --heads 16";
  CHECK(estimated("--gpu b200" + shape).at("gpus").at(0).at("best") == "fa4");
  CHECK(estimated("--gpu mi300x" + shape).at("gpus").at(0).at("best") == "fa2");
  const test::Ran b200 = run("predict --gpu b200" + shape), h100 = run("predict --gpu h100" + shape);
  for (const char* part : {"by mma.sync 744", "no kernel here", "nobody says", "No source that could be read"})
    CHECK_MESSAGE(contains(b200.out, part), part);
  CHECK(contains(h100.out, "by mma.sync 657 TFLOP/s"));
  CHECK(contains(run("predict --gpu mi300x" + shape).out, "Composable Kernel or Triton"));
  const json gpu = estimated("--gpu h100 --direction backward" + shape).at("gpus").at(0);
  for (const json& row : gpu.at("estimates"))
    if (row.at("method") == "fa2" || row.at("method") == "fa1")
      CHECK(row.at("flop_per_s").get<double>() < gpu.at("gpu").at("rates").at("mma_sync").at("rate").get<double>());
}

TEST_CASE("all GPUs are compared; backward and decode have estimates of their own" * doctest::test_suite("sweep")) {
  const test::Ran all = run("predict --gpus all --n 8192 --d 128 --heads 16");
  CHECK(all.code == 0);
  for (const char* part : {"A100 SXM 80 GB", "B200", "MI300X", "ridge"}) CHECK_MESSAGE(contains(all.out, part), part);
  CHECK(estimated("--gpus all --n 1024").at("gpus").size() == gpus().size());

  const auto time = [](const std::string& options) {
    return estimated(options).at("gpus").at(0).at("estimates").at(3).at("model_s").at("time").get<double>();
  };
  CHECK(time("--heads 64 --gpu h100 --direction backward") > 1.5 * time("--heads 64 --gpu h100"));
  const auto dram = [](const std::string& options) {
    return estimated(options).at("gpus").at(0).at("estimates").at(3).at("dram_bytes").get<double>();
  };
  CHECK(dram("--gpu h100 --d 64 --levels two") == 34'619'392);
  CHECK(dram("--gpu h100 --d 64") == 2'113'536);
  CHECK(time("--heads 64 --gpu h100 --decode") < time("--heads 64 --gpu h100"));
  const test::Ran decode = run("predict --gpu a100-80 --decode --n 131072 --d 128 --heads 32");
  CHECK(contains(decode.out, "1 query, 131,072 keys"));
  CHECK(contains(decode.out, "1.05 ms"));
  // 32 blocks on 108 multiprocessors: at worst each draws a 108th of DRAM's bandwidth.
  CHECK(contains(decode.out, "keep 32"));
  CHECK(contains(decode.out, "to 3.3"));
}

TEST_CASE("as many multiprocessors pull as there are blocks of the splits") {
  for (const auto& [options, says] : {std::pair{"--n 4096", "32 splits, so that 32 of 132 multiprocessors pull"},
                                      {"--n 131072 --heads 32", "so that 128 of 132 multiprocessors pull"},
                                      {"--n 131072 --heads 33", "4 splits, so that all 132 multiprocessors pull"}}) {
    const std::string words = test::flowing(run(std::string("predict --gpu h100 --decode --d 128 ") + options).out);
    CHECK_MESSAGE(contains(words, says), words);
  }
}

TEST_CASE("what is expected of a time with a rate that is not known reaches to what the time can be at most") {
  const json gpu = estimated("--gpu h100-pcie --n 8192 --d 128 --heads 16").at("gpus").at(0);
  int known = 0;
  for (const json& row : gpu.at("estimates")) {
    if (!row.contains("expected_s")) continue;
    const json &times = row.at("model_s"), &band = row.at("measured_over_model"), &expected = row.at("expected_s");
    const double most = times.value("at_most", times.at("time").get<double>());
    known += row.contains("rates_not_known") && most > times.at("time").get<double>();
    CHECK(expected.at("least") == band.at("least").get<double>() * times.at("time").get<double>());
    CHECK(expected.at("most") == band.at("most").get<double>() * most);
  }
  CHECK(known >= 2);  // FA1, FA2 and FA3: their cells are of GPUs whose L2 is known
  const std::string words = test::flowing(run("predict --gpu rtx4090 --n 2048 --d 64 --heads 32 --batch 64").out);
  CHECK(contains(words, "bounds of the model's time, not of a measured one"));
  CHECK(!contains(words, "are at least what is said"));
}

TEST_CASE("few queries are split as one is, and what stands beside them says what it leaves out") {
  const auto fa2 = [](int n_q) {
    const json document = estimated(fmt::format("--gpu h200 --n-q {} --n-k 65536 --d 128 --heads 8", n_q));
    return document.at("gpus").at(0).at("estimates").at(3);
  };
  const double one = fa2(1).at("model_s").at("time");
  for (const int n_q : {2, 5, 16, 64, 128, 300}) {
    CAPTURE(n_q);
    CHECK(fa2(n_q).at("splits") > 1);
    const double time = fa2(n_q).at("model_s").at("time");
    if (n_q > 64) continue;
    CHECK(time < 1.8 * one);  // K and V are read once all the same
    CHECK(time > 0.99 * one);
  }
  CHECK(fa2(4096).at("splits") == 1);  // enough blocks
  CHECK(estimated("--gpu h200 --n 2048 --d 128").at("gpus").at(0).at("estimates").at(3).at("splits") == 1);
  const std::string words = test::flowing(run("predict --gpu h200 --n-q 5 --n-k 65536 --d 128 --heads 8").out);
  CHECK(contains(words, "K and V are cut into"));
  CHECK(contains(words, "taken as filling every multiprocessor"));
}

TEST_CASE("of methods whose times are ranges the best is not the one with the luckiest end") {
  const json all = estimated("--gpus all --n 4096 --d 128 --heads 8 --decode");
  for (const json& gpu : all.at("gpus"))
    if (gpu.at("gpu").at("id") == "l4" || gpu.at("gpu").at("id") == "l40s") CHECK(gpu.at("best") == "fa2");
  const test::Ran table = run("predict --gpus all --n 4096 --d 128 --heads 8");
  CHECK(contains(table.out, " FA1 "));
  CHECK(test::widest_line(table.out) <= 120);
  // Nothing runs bf16 on a T4, so nothing wins there.
  const test::Ran bf16 = run("predict --gpus all --n 4096 --d 128 --heads 8 --format bf16");
  const size_t at = bf16.out.find("  T4 ");
  REQUIRE(at != std::string::npos);
  CHECK(!contains(std::string_view(bf16.out).substr(at, bf16.out.find('\n', at) - at), "×"));
  CHECK(contains(run("predict --gpu t4 --format bf16").out, "Tensor cores multiply bf16 from compute capability 8.0"));
}

TEST_CASE("small things: calls are counted, wins and lengths have their digits, capitals and padded heads") {
  const test::Ran b200 = run("predict --gpu b200 --n 8192 --d 128 --heads 16 --batch 4");
  const size_t row = b200.out.find("of so many calls");
  REQUIRE(row != std::string::npos);
  CHECK(contains(std::string_view(b200.out).substr(row, b200.out.find('\n', row) - row), " 8"));
  CHECK(contains(run("predict --gpu H100 --n 512").out, "H100 SXM"));
  CHECK(contains(run("predict --gpu h100 --n 512 --d 1").out, "> 16,777,216"));
  CHECK(contains(test::flowing(run("predict --gpu h100 --n 512 --d 80").out), "d 80 is computed as 96"));
  CHECK(!contains(run("predict --gpu h100 --n 512 --d 64").out, "is computed as"));
  const test::Ran one = run("predict --gpu h100 --n 1 --d 64");
  CHECK(!contains(one.out, " 0.00×"));
  CHECK(contains(test::flowing(one.out), "shorter than a launch"));
  CHECK(!contains(run("predict --gpu h100 --n 4096 --d 64 --heads 64").out, "shorter than a launch"));
  const test::Ran huge = run("predict --gpu l40s --n 16777216 --batch 65535 --heads 65535 --d 256");
  CHECK(contains(huge.out, " YB"));
  CHECK(win_words({1.61, 1.64}) == "1.6×");
  CHECK(win_words({1.6, 1.8}) == "1.6–1.8×");
  CHECK(win_words({0.0042, 0.0042}) == "0.0042×");
}

TEST_CASE("the schedule's own count and an estimate say why their bytes differ") {
  CHECK(contains(test::flowing(run("predict --n 4096 --d 128 --schedule standard").out),
                 "With --gpu, S and P go to DRAM at any size"));
  CHECK(!contains(run("predict --n 4096 --d 128").out, "With --gpu"));
  CHECK(
      contains(test::flowing(run("predict --gpu h100 --n 4096 --d 128").out), "their S and P go to DRAM at any size"));
}

TEST_CASE("recorded runs stand beside the model, with what is left after each term") {
  const test::Ran table = run("predict --recorded");
  CHECK(table.code == 0);
  for (const char* part : {"NVIDIA H200, measured", "PyTorch cuDNN", "N 16,384 d 128 causal", "ratio"})
    CHECK_MESSAGE(contains(table.out, part), part);
  CHECK(!contains(table.out, "left"));
  CHECK(contains(run("predict --recorded --terms").out, "with tensor cores:"));
  CHECK(contains(run("predict --recorded --terms").out, "with launch:"));
  CHECK(contains(run("predict --recorded --gpu h200").out, "H200 SXM"));  // the datasheet's roofs
  CHECK(contains(test::flowing(table.out), "measured on NVIDIA H200."));
  for (const char* options : {"--recorded", "--recorded --gpu h200", "--recorded --gpu h200-measured"})
    CHECK(!contains(test::flowing(run(std::string("predict ") + options).out), "another GPU's"));
  for (const char* id : {"h100", "h100-measured"}) {  // has runs of its own
    const test::Ran own = run(std::string("predict --recorded --gpu ") + id);
    CHECK(contains(test::flowing(own.out), "measured on NVIDIA H100 80GB HBM3."));
    CHECK(!contains(test::flowing(own.out), "another GPU's"));
  }
  for (const char* id : {"a100-80", "h100-pcie", "b200"}) {
    const test::Ran other = run(std::string("predict --recorded --gpu ") + id);
    CHECK(contains(test::flowing(other.out), "measured on NVIDIA H200."));
    CHECK(contains(test::flowing(other.out), "The roofs are another GPU's than the one that ran"));
  }
  CHECK(estimated("--recorded --gpu b200").at("other_gpu") == true);
  CHECK(estimated("--recorded").at("other_gpu") == false);
  const json rows = estimated("--recorded").at("runs");
  CHECK(rows.size() > 100);
  CHECK(rows[50].at("terms").size() > 0);
  const test::Ran missing = run("predict --recorded /nowhere.json");
  CHECK(missing.code == kUnreadable);
  CHECK(contains(missing.err, "/nowhere.json"));
}

TEST_CASE("options at fault get a sentence") {
  const std::pair<const char*, const char*> bad[] = {
      {"--gpu h300", "--gpu is \"h300\"; it must be one of v100"},
      {"--gpus some", "it must be all"},
      {"--gpu h100 --n 0", "--n is 0"},
      {"--gpu h100 --n -5", "-5"},
      {"--gpu h100 --n inf", "whole number"},
      {"--gpu h100 --direction up", "forward or backward"},
      {"--gpu h100 --levels three", "l2 or two"},
      {"--gpu h100 --br 64", "--br changes no estimate"},
      {"--gpu h100 --format fp32", "fp16 and bf16, not for fp32"},
      {"--gpu h100 --d 512", "up to 256"},
      {"--gpu h100 --decode --direction backward", "forward pass"},
      // What would change nothing is refused, not passed over.
      {"--decode --n 4096", "--decode is of times on a GPU"},
      {"--direction backward --n 4096", "--direction is of times on a GPU"},
      {"--levels two --n 4096", "--levels is of times on a GPU"},
      {"--bare", "--bare is of times on a GPU"},
      {"--terms", "--terms is of --recorded"},
      {"--gpu h100 --terms", "--terms is of --recorded"},
      {"--gpu h100 --decode --n-q 3", "--decode is one query"},
      {"--gpu h100 --gpus all", "either --gpu or --gpus"},
      {"--recorded --n 4096", "--n changes no recorded run"},
      {"--recorded --causal", "--causal changes no recorded run"},
      {"--recorded --decode", "--decode changes no recorded run"},
      {"--recorded --bare --gpu h200", "--bare changes no recorded run"},
      {"--recorded --gpus all", "--gpus changes no recorded run"},
      {"--gpu h100 --seed 3", "--seed changes no estimate"},
  };
  for (const auto& [options, says] : bad) {
    CAPTURE(options);
    const test::Ran ran = run(std::string("predict ") + options);
    CHECK(ran.code == kUsage);
    CHECK_MESSAGE(contains(ran.err, says), ran.err);
    CHECK(ran.out.empty());
  }
  CHECK(run("predict --ceilings /nowhere.json").code == kUnreadable);
}

TEST_CASE("where queries and keys differ in number, nothing is said of an N that stands for both") {
  for (const char* options : {"--gpu h100 --n-q 5 --n-k 4096 --d 128", "--gpu a100-80 --n-q 700 --n-k 70 --causal",
                              "--gpu b200 --n-q 64 --n-k 65536 --direction backward"}) {
    CAPTURE(options);
    const std::string command = std::string("predict ") + options;
    const std::string words = test::flowing(run(command).out);
    for (const char* part : {"from N =", "rule of thumb", "The law", "its limit", "longest N"})
      CHECK_MESSAGE(!contains(words, part), part);
    CHECK(contains(words, "Ridge:"));
    CHECK(contains(words, "is the longest roof of"));
    CHECK(contains(words, "said of as many queries as keys"));
    const json gpu = json::parse(run(command + " --json").out).at("gpus").at(0);
    CHECK(gpu.at("turns").empty());
    for (const json& row : gpu.at("estimates")) CHECK(!row.contains("longest_n"));
  }
}

TEST_CASE("a person's own GPUs are read; a bad one is named and the rest works") {
  const test::Folder folder;
  const std::string mine =
      "[[gpu]]\nid = \"mine\"\ntitle = \"My card\"\ncc = 8.9\ntensor_tflops = 100\ndram_gb_s = 500\ndram_gb = 16\n"
      "l2_mib = 32\nsms = 50\nsmem_kib = 100\nsmem_block_kib = 99\nclock_mhz = 2000\nsource = \"its box\"\n";
  std::filesystem::create_directories(folder / "tilewalk");
  folder.write("tilewalk/gpus.toml", mine + "[[gpu]]\nid = \"half\"\n");
  const ConfigHome home((folder / "").string());
  const test::Ran ran = run("predict --gpu mine");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "My card"));
  CHECK(contains(ran.err, "gpus.toml:"));
  CHECK(contains(ran.err, "half: title is missing"));
  CHECK(run("predict --gpu half").code == kUsage);
}

TEST_CASE("a model of one's own is told in four sentences of one GPU") {
  const test::Ran told = run("predict --gpu h100 --n 4096 --d 128 --heads 16 --batch 4 --own-model");
  CHECK(told.code == 0);
  for (const char* part : {"1. FA3 is compute-bound there", "2. It turns at N = 593", "3. Expect of FA3",
                           "Measured at B 4, H 16, N 4,096, d 128", "4. Standard attention needs", "Not known here"})
    CHECK_MESSAGE(contains(told.out, part), part);
  const std::string shape = " --n 4096 --d 128 --heads 16 --batch 4 --own-model";
  CHECK(contains(run("predict --gpu h100-measured" + shape).out, "H100 80GB"));
  CHECK(contains(run("predict --gpu h200" + shape).out, "NVIDIA H200"));
  CHECK_FALSE(contains(run("predict --gpu a100-80" + shape).out, "Measured at"));
  CHECK(contains(run("predict --n 4096 --own-model").err, "--own-model is told of one GPU: add --gpu h100."));
  for (const char* other : {"--gpus all", "--gpu h100 --json", "--gpu h100 --bare", "--gpu h100 --levels two"}) {
    const test::Ran refused = run(std::string("predict --n 4096 --own-model ") + other);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "leave out --gpus, --levels, --bare and --json"));
  }
}

}  // namespace tilewalk::test_estimate
