// Kernels beside the ladder: their results as JSON, and the bytes that FA3 in e4m3 is predicted to move.
#include "core/run/method_run.h"

#include "core/attention/fp8_tiles.h"
#include "core/io/printable.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

using namespace tilewalk;
using Json = nlohmann::ordered_json;

namespace {

MethodResult sample_method() {
  MethodResult r;
  r.provenance = sample_result().provenance;
  r.spec.method = "fa3-fp8";
  r.spec.problem = {.heads = 8, .n_q = 64, .n_k = 64, .d = 128};
  r.spec.kv_heads = 4;
  r.spec.splits = 3;
  r.spec.by_rule = r.spec.tile_scales = r.spec.rotated = true;
  r.errors = {64, 3e-2, 2e-2, 1e-4, true};
  r.rounding = RoundingCost{5e-2, 1e-3, 2e-2, 2e-4};
  r.timing = Timing{.median = 2, .p10 = 1.5, .p90 = 2.5, .best = 1.25, .count = 30, .warmups = 10};
  r.l2_to_sm = 4096, r.sm_to_l2 = 2048, r.dram_least = 1024;
  r.counters.emplace().l2_to_sm = 4100;
  r.no_counters = "an unused reason";
  r.roof = 4e12;
  return r;
}

std::string fault_of(const std::string& text) {
  std::string fault;
  CHECK_FALSE(read_methods(text, fault));
  CHECK(fault == printable(fault));
  CHECK_FALSE(fault.empty());
  CHECK_FALSE(fault.ends_with('.'));
  return fault;
}

std::string with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(methods_text({sample_method()}));
  json[Json::json_pointer(pointer)] = value;
  return json.dump();
}

}  // namespace

TEST_CASE("a method's result comes back as it was written") {
  std::string fault;
  const std::string text = methods_text({sample_method(), sample_method()});
  const auto read = read_methods(text, fault);
  REQUIRE(read);
  CHECK(read->size() == 2);
  CHECK(methods_text(*read) == text);
  CHECK(group_of(read->front().spec) == 2);
}

TEST_CASE("what cannot be a method's result is said with its place") {
  check_words(fault_of("{}"), {"is no file of methods"});
  check_words(fault_of(with("/results/0/spec/method", "fa9")), {"results[0].spec.method", "split-kv", "fa9"});
  check_words(fault_of(with("/results/0/spec/kv_heads", 3)), {"results[0].spec.kv_heads", "divide the 8 heads", "3"});
  check_words(fault_of(with("/results/0/spec/splits", -1)), {"results[0].spec.splits", "-1"});
  check_words(fault_of(with("/results/0/errors/passed", false)), {"results[0].timing", "wrong"});
  check_words(fault_of(with("/results/0/rounding/rmse", -1)), {"results[0].rounding.rmse", "-1"});
  check_words(fault_of(with("/results/0/l2_to_sm", -4)), {"results[0].l2_to_sm", "-4"});
  check_words(fault_of(with("/results/0/roof", "nan")), {"results[0].roof"});
}

TEST_CASE("rates of a method's result") {
  MethodResult r = sample_method();
  r.spec.problem = {.batch = 2, .heads = 32, .n_q = 1, .n_k = 1000, .d = 128};
  r.spec.kv_heads = 8;
  CHECK(kv_bytes(r.spec) == 2.0 * 2 * 2 * 8 * 1000 * 128);
  CHECK(flop_rate(r) == 4.0 * 64 * 1000 * 128 / 2e-3);
  r.timing.reset();
  CHECK(flop_rate(r) == 0);
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

TEST_CASE("the shipped recordings of these kernels: right before they were timed, L2 to SM as predicted") {
  for (const char* set : {"fp8", "decode", "groups"}) {
    CAPTURE(set);
    const auto all = load_methods(fmt::format("{}/assets/recordings/h200-{}-methods.json", TILEWALK_SOURCE_DIR, set));
    CHECK(all.size() >= 18);
    for (const MethodResult& r : all) {
      CAPTURE(r.spec.method);
      CAPTURE(r.spec.problem.n_k);
      CHECK(r.errors.passed);
      REQUIRE(r.timing);
      CHECK(r.timing->median > 0);
      REQUIRE(r.counters);
      CHECK(std::fabs(*r.counters->l2_to_sm / double(r.l2_to_sm) - 1) < 0.005);
      CHECK(*r.counters->dram_read > 0.99 * double(r.dram_least));
    }
  }
}
