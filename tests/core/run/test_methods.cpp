// Kernels beside the ladder: FP8, split-KV and grouped queries as runs, also out of files of before they were, and what
// they are predicted to move.
#include "core/attention/fp8_tiles.h"
#include "core/attention/split_kv.h"
#include "core/io/printable.h"
#include "core/run/method_run.h"
#include "core/run/prediction.h"
#include "core/run/run_json.h"
#include "core/run/shipped.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

namespace tilewalk::test_methods {
using Json = nlohmann::ordered_json;

namespace {

// A file of one result, as they were before runs held these kernels.
Json old_file() {
  RunResult run = sample_result();
  run.spec = {};
  run.spec.problem = {.heads = 8, .n_q = 64, .n_k = 64, .d = 128};
  run.spec.kernels = {Method::Fa3Fp8};
  run.kernels.assign(1, {});
  run.kernels.front().kernel = Method::Fa3Fp8;
  run.kernels.front().errors = Errors{64, 3e-2, 2e-2, 1e-4, true};
  run.kernels.front().timing = Timing{.median = 2, .p10 = 1.5, .p90 = 2.5, .best = 1.25, .count = 30, .warmups = 10};
  const Json json = Json::parse(recording_text({run}))["results"][0];
  Json result{{"provenance", json["provenance"]},
              {"errors", json["kernels"][0]["errors"]},
              {"timing", json["kernels"][0]["timing"]}};
  result["spec"] = {{"method", "fa3-fp8"}, {"problem", json["spec"]["problem"]}, {"tile_scales", true}};
  result["rounding"] = {{"whole", 5e-2}, {"rmse", 1e-3}, {"lse", 2e-2}, {"seconds", 2e-4}};
  result["l2_to_sm"] = 4096;
  return {{"tilewalk_methods", {{"major", 1}, {"minor", 0}}}, {"results", {result}}};
}

std::vector<RunResult> runs_of(const Json& json) {
  std::string fault;
  auto runs = read_recording(json.dump(), fault);
  REQUIRE_MESSAGE(runs, fault);
  return *runs;
}

std::string fault_of(const std::string& pointer, const Json& value) {
  Json json = old_file();
  json[Json::json_pointer(pointer)] = value;
  std::string fault;
  CHECK_FALSE(read_recording(json.dump(), fault));
  CHECK(fault == printable(fault));
  CHECK_FALSE(fault.ends_with('.'));
  return fault;
}

}  // namespace

TEST_CASE("files of methods open as runs, ways of rounding and splitting as switches of one run") {
  Json json = old_file();
  const auto add = [&](auto&& change) {
    Json other = json["results"][0];
    change(other["spec"]);
    json["results"].push_back(other);
  };
  add([](Json& spec) { spec["tile_scales"] = false; });
  add([](Json& spec) { spec["rotated"] = true; });
  add([](Json& spec) { spec["rotated"] = true, spec["tile_scales"] = false; });
  add([](Json&) {});  // measured twice
  add([](Json& spec) { spec["problem"]["distribution"] = "outliers"; });
  const std::vector<RunResult> runs = runs_of(json);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].spec.kernels == std::vector{Method::Fa3Fp8});
  CHECK(runs[0].spec.switches == std::vector{Switch::TileScales, Switch::Rotation, Switch::RotationAlone});
  REQUIRE(runs[0].kernels.size() == 4);
  CHECK(runs[0].kernels[0].with == Switch::None);
  REQUIRE(runs[0].kernels[0].rounding);
  CHECK(runs[0].kernels[0].rounding->seconds == 2e-4);
  CHECK(runs[1].spec.problem.distribution == Distribution::Outliers);
  // As runs of today they come back as they were.
  std::string fault;
  const auto again = read_recording(recording_text(runs), fault);
  REQUIRE_MESSAGE(again, fault);
  CHECK(recording_text(*again) == recording_text(runs));
}

TEST_CASE("decoding in such files: splits by the rule, and none; heads of K and V") {
  Json json = old_file();
  Json& spec = json["results"][0]["spec"];
  spec = {{"method", "split-kv"}, {"problem", spec["problem"]}, {"kv_heads", 2}, {"splits", 3}, {"by_rule", true}};
  spec["problem"]["n_q"] = 1;
  json["results"].push_back(json["results"][0]);
  json["results"][1]["spec"]["splits"] = 1;
  json["results"][1]["spec"]["by_rule"] = false;
  const std::vector<RunResult> runs = runs_of(json);
  REQUIRE(runs.size() == 1);
  CHECK(group_of(runs[0].spec) == 4);
  CHECK(kv_bytes(runs[0].spec) == 4.0 * 2 * 64 * 128);
  REQUIRE(runs[0].kernels.size() == 2);
  CHECK(runs[0].kernels[0].splits == 3);
  CHECK(runs[0].kernels[1].with == Switch::Splitting);
}

TEST_CASE("what cannot be a method's result is said with its place") {
  check_words(fault_of("/results/0/spec/method", "fa9"), {"results[0].spec.method", "split-kv", "fa9"});
  check_words(fault_of("/results/0/spec/method", "fa1"), {"results[0].spec.method", "fa1"});
  check_words(fault_of("/results/0/spec/kv_heads", 3), {"results[0].spec.kv_heads", "divide the 8 heads", "3"});
  check_words(fault_of("/results/0/spec/splits", -1), {"results[0].spec.splits", "-1"});
  check_words(fault_of("/results/0/errors/passed", false), {"results[0].timing", "wrong"});
  check_words(fault_of("/results/0/rounding/rmse", -1), {"results[0].rounding.rmse", "-1"});
}

TEST_CASE("bytes of FA3 in e4m3: whole tiles of keys, boxes of 64 queries, two scales a tile") {
  // 300 queries are tiles of 128, 128 and 44 rows, in 2, 2 and 1 boxes; 200 keys are two tiles of 128.
  Problem p{.batch = 1, .heads = 1, .n_q = 300, .n_k = 200, .d = 128};
  const int64_t visit = 2 * 128 * 128 + 8;
  CHECK(fp8_traffic(p).loads == 5 * 64 * 128 + 3 * 4 + 3 * 2 * visit);
  CHECK(fp8_traffic(p).stores == 300 * (256 + 4));
  // Causal, bottom right: row r sees 100 keys fewer than r + 1. The first tile's last row sees 28, the second's 156.
  p.mask = Mask::Causal;
  CHECK(fp8_traffic(p).loads == 5 * 64 * 128 + 3 * 4 + (1 + 2 + 2) * visit);
  // More than 2,048 keys: tiles of 192.
  const Problem wide{.batch = 2, .heads = 3, .n_q = 128, .n_k = 2049, .d = 128};
  CHECK(fp8_traffic(wide).loads == 6 * (128 * 128 + 4 + 11 * (2 * 192 * 128 + 8)));
}

TEST_CASE("bytes of decoding are those of its splits, with a group's queries as rows of one tile") {
  RunSpec spec;
  spec.problem = {.batch = 2, .heads = 8, .n_q = 1, .n_k = 5000, .d = 128};
  spec.kv_heads = 2;
  const RunPrediction one = predict_run(spec, {Method::SplitKv, Switch::Splitting}, Provenance{});
  // Two heads of K and V of two sequences, each read once; a Q tile of 4 rows; O and L.
  CHECK(one.fill_bytes == 4 * (4 + 2 * 5000) * 128 * 2);
  CHECK(one.drain_bytes == 4 * 4 * (128 * 2 + 4));
  CHECK(one.passes.size() == 1);
  CHECK(one.dram.read_bytes == one.fill_bytes);
  spec.splits = 3;  // 79 tiles of 64 keys: 27, 27 and 25 of them
  const RunPrediction three = predict_run(spec, {Method::SplitKv}, Provenance{});
  REQUIRE(three.passes.size() == 2);
  CHECK(three.passes[0].fill_bytes == 4 * (3 * 4 + 2 * 5000) * 128 * 2);
  CHECK(three.passes[0].drain_bytes == three.passes[1].fill_bytes);
  CHECK(three.passes[1].fill_bytes == 4 * 3 * 4 * (128 * 4 + 4));
  CHECK(splits_of_run(spec.problem, change_of(spec, Switch::None), 132) == 3);
  spec.splits = 40;  // two tiles each
  CHECK(splits_of_run(spec.problem, change_of(spec, Switch::None), 132) == 40);
  spec.splits = 60;
  CHECK(splits_of_run(spec.problem, change_of(spec, Switch::None), 132) == 40);
}

TEST_CASE("the recordings of these kernels: right before they were timed, their bytes as predicted") {
  size_t fp8 = 0, decode = 0, grouped = 0;
  for (const RunResult& run : shipped_beside())
    for (const KernelResult& k : run.kernels) {
      const Problem& p = run.spec.problem;
      INFO(info_of(k.kernel).key, " ", key_of(k.with), " N ", p.n_k, " group ", group_of(run.spec), " ",
           name_of(p.mask));
      REQUIRE(k.errors);
      CHECK(k.errors->passed);
      REQUIRE(k.timing);
      REQUIRE(k.counters);
      const bool dram = p.n_k <= 4096 || k.kernel == Method::SplitKv;  // of longer ones the L2 model takes its time
      const RunPrediction model = predict_run(run.spec, {k.kernel, k.with}, run.provenance, dram);
      CHECK(*k.counters->l2_to_sm / double(model.fill_bytes) == doctest::Approx(1).epsilon(0.005));
      (k.kernel == Method::Fa3Fp8 ? fp8 : k.kernel == Method::SplitKv ? decode : grouped) += 1;
      if (k.kernel == Method::SplitKv)
        CHECK(k.splits == splits_of_run(p, change_of(run.spec, k.with), run.provenance.multiprocessors));
      if (!dram) continue;
      REQUIRE(model.dram.modelled);
      const double measured = *k.counters->dram_read + *k.counters->dram_written;
      const double least = double(model.dram.read_bytes + model.dram.written_bytes);
      MESSAGE("DRAM ", measured / least);
      // With fewer heads of K and V more of O is still in L2 at the end than in the model, which follows as many as of
      // Q.
      CHECK(measured > (group_of(run.spec) > 1 ? 0.85 : 0.9) * least);
      CHECK(measured < 1.1 * (least + double(model.dram.left_dirty_bytes)));
    }
  CHECK(fp8 >= 19);
  CHECK(decode >= 18);
  CHECK(grouped >= 24);
}

}  // namespace tilewalk::test_methods
