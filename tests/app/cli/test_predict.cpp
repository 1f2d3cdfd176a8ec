// The counts that `tilewalk predict` prints are the published formulas' to the byte (facts that every schedule is held
// to), for one head and for all.
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace tilewalk::test_predict {
using nlohmann::json;
using test::contains;
using test::run;

namespace {

json predicted(const std::string& options) {
  const test::Ran ran = run("predict --json " + options);
  INFO(options << ran.err);
  REQUIRE(ran.code == 0);
  return json::parse(ran.out).at("schedules");
}

int64_t paper_bytes(const json& scope) {
  return scope.at("computed").at("paper_loaded_bytes").get<int64_t>() +
         scope.at("computed").at("paper_stored_bytes").get<int64_t>();
}

}  // namespace

TEST_CASE("bytes per head, fp16 forward, papers' two-level count") {
  struct Row {
    const char* options;
    int64_t bytes;
  };
  const Row rows[] = {
      {"--schedule standard --n 1024 --d 64 --br 128 --bc 128", 8'912'896},
      {"--schedule fa2 --n 1024 --d 64 --br 128 --bc 128", 2'363'392},
      {"--schedule standard --n 4096 --d 64 --br 128 --bc 128", 136'314'880},
      {"--schedule fa2 --n 4096 --d 64 --br 128 --bc 128", 34'619'392},
      {"--schedule fa2 --n 4096 --d 64 --br 128 --bc 128 --causal", 18'366'464},
      {"--schedule standard --n 4096 --d 128 --br 128 --bc 64", 138'412'032},
      {"--schedule fa2 --n 4096 --d 128 --br 128 --bc 64", 69'222'400},
      {"--schedule fa2 --n 4096 --d 128 --br 128 --bc 64 --causal", 36'716'544},
      {"--schedule fa2 --n 131072 --d 128 --br 128 --bc 64", 68'787'109'888},
      {"--schedule fa2 --n 131072 --d 128 --br 128 --bc 64 --causal", 34'460'925'952},
      {"--schedule standard --n 131072 --d 128 --br 128 --bc 64", 137'573'171'200},
  };
  for (const Row& row : rows) {
    INFO(std::string(row.options));
    CHECK(paper_bytes(predicted(row.options)[0].at("one_head")) == row.bytes);
  }
  // FA1's published column is its loop alone; tiles of Bc = 384, Br = 64 are the paper's for its M.
  const json fa1 = predicted("--schedule fa1 --n 4096 --d 64 --br 64 --bc 384 --machine paper")[0];
  REQUIRE(fa1.at("passes").size() == 2);
  const json& loop = fa1["passes"][1]["computed"];
  CHECK(loop["l2_to_sm_bytes"].get<int64_t>() + loop["sm_to_l2_bytes"].get<int64_t>() == 19'070'976);
}

TEST_CASE("64 heads move 64 times as much, and L2 spares DRAM most of it") {
  const json fa2 = predicted("--batch 4 --heads 16")[0];  // N 4096, d 128, tiles of 128 x 64
  const json& all = fa2.at("all_heads");
  CHECK(all.at("heads") == 64);
  CHECK(all.at("computed").at("l2_to_sm_bytes") == 4'362'076'160);
  CHECK(all.at("nominal_flop") == int64_t{64} * 4 * 4096 * 4096 * 128);
  CHECK(all.at("least_bytes") == int64_t{64} * 4'210'688);
  const int64_t read = all.at("model_dram").at("read_bytes");
  CHECK(read >= 201'326'592);
  CHECK(read < 230'000'000);
  CHECK(fa2.at("one_head").at("computed").at("l2_to_sm_bytes") == 68'157'440);
  CHECK(fa2.at("held").at("sram_bytes") == 65'536);
  CHECK(all.at("intensity").at("l2_sm").get<double>() == doctest::Approx(549'755'813'888.0 / 4'430'233'600.0));
}

TEST_CASE("four schedules stand side by side") {
  const test::Ran ran = run("predict --schedule all --n 2048");
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  for (const char* word :
       {"Standard", "FA1", "FA2", "FA3", "computed", "model", "35,651,584", "17,833,984", "pass by pass"})
    CHECK(contains(ran.out, word));
  CHECK(test::widest_line(ran.out) <= 80);
  CHECK(!contains(ran.out, " \n"));
  const json all = predicted("--schedule all --n 2048");
  REQUIRE(all.size() == 4);
  CHECK(all[0].at("schedule") == "standard");
  CHECK(contains(all[0].at("remark").get<std::string>(), "registers"));  // whole rows of S do not fit
}

TEST_CASE("what the model does not follow is left out, not made up") {
  const json large = predicted("--schedule fa2 --n 131072 --heads 64")[0];
  CHECK(large.at("all_heads").at("model_dram").is_null());
  CHECK(!large.at("all_heads").at("intensity").contains("model_dram"));
  CHECK(contains(run("predict --n 131072 --heads 64").out, "more steps than the L2 model follows"));
}

TEST_CASE("no time is predicted") {
  for (const char* word : {"ms", "second", "TFLOP/s"}) CHECK(!contains(run("predict").out, word));
}

}  // namespace tilewalk::test_predict
