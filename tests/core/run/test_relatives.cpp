// Sparse, latent and differential attention on a GPU: whose blocks are chosen, what is predicted to move, files of
// results, and the recordings that come with the program.
#include "core/attention/selected_blocks.h"
#include "core/run/prediction.h"
#include "core/run/relative_run.h"
#include "core/run/shipped.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

#include <set>

namespace tilewalk::test_relatives {
using Json = nlohmann::ordered_json;

namespace {

RelativeResult sample() {
  RelativeResult out;
  out.provenance = sample_result().provenance;
  out.spec = {RelativeForm::SparseApart, {.heads = 32, .n_q = 300, .n_k = 400, .d = 128, .mask = Mask::Causal}};
  out.spec.kv_heads = 2;
  out.errors = {64, 3e-4, 2e-4, 1e-6, true};
  out.timing = Timing{.median = 2, .p10 = 1.5, .p90 = 2.5, .best = 1.25, .count = 30, .warmups = 10};
  out.counters = Counters{};
  out.counters->l2_to_sm = 4096;
  return out;
}

std::string fault_with(const char* pointer, const Json& value) {
  Json json = Json::parse(relatives_text({sample()}));
  json[Json::json_pointer(std::string("/results/0") + pointer)] = value;
  std::string fault;
  CHECK_FALSE(read_relatives(json.dump(), fault));
  return fault;
}

}  // namespace

TEST_CASE("chosen blocks: the first, the latest two, 16 in all, the last one first; what a query cannot see is none") {
  for (const bool apart : {false, true}) {
    const BlockChoice choice{.kv_heads = 2, .n_q = 2000, .n_k = 3000, .apart = apart};
    const BlockLists lists = choose_blocks(choice);
    REQUIRE(lists.first.size() == 4001);
    CHECK(choose_blocks(choice).entries == lists.entries);
    for (const int64_t at : {0, 1, 777, 1999, 2000, 3999}) {
      const int64_t blocks = (keys_seen(choice, at % 2000) + 63) / 64;
      std::vector<int> of_head(16);
      std::set<uint32_t> met;
      uint32_t last = 1u << 16;
      for (int32_t k = lists.first[size_t(at)]; k < lists.first[size_t(at) + 1]; ++k) {
        const uint32_t block = lists.entries[size_t(k)] & 0xFFFF;
        CHECK(block < last);
        CHECK(block < blocks);
        last = block;
        met.insert(block);
        for (int head = 0; head < 16; ++head) of_head[size_t(head)] += int(lists.entries[size_t(k)] >> 16 >> head & 1);
      }
      for (const int count : of_head) CHECK(count == std::min<int64_t>(blocks, 16));
      for (const int64_t block : {int64_t{0}, blocks - 1, blocks - 2}) CHECK(met.contains(uint32_t(block)));
      if (!apart) CHECK(int64_t(met.size()) == std::min<int64_t>(blocks, 16));
      if (apart && blocks > 20) CHECK(met.size() > 20);
    }
  }
  // More queries than keys: the first ones see nothing.
  const BlockChoice late{.n_q = 100, .n_k = 40};
  const BlockLists lists = choose_blocks(late);
  CHECK(lists.first[60] == 0);
  CHECK(lists.first[61] == 1);
  CHECK(keys_loaded(late, lists).chosen == 40 * 41 / 2);
}

TEST_CASE("bytes of sparse attention: of each block its keys that the query may see, of the lists their sectors") {
  RelativeSpec spec{RelativeForm::SparseShared, {.heads = 16, .n_q = 1, .n_k = 6400, .d = 128}};
  spec.kv_heads = 1;
  const RelativeBytes all = relative_bytes(spec);
  CHECK(all.l2_to_sm == 16 * 256 + 16 * 64 * 2 * 256 + 2 * 32 + 32);
  CHECK(all.share == doctest::Approx(16 * 64 / 6400.));
  CHECK(all.kv == 2 * 6400 * 256);
  spec.problem.n_k = 6390;  // the last block has 54 keys
  CHECK(relative_bytes(spec).l2_to_sm == all.l2_to_sm - 10 * 2 * 256);
  spec.form = RelativeForm::SparseFull;
  CHECK(relative_bytes(spec).l2_to_sm == 16 * (1 + 2 * 6390) * 256);
}

TEST_CASE("bytes of latent attention: the cache once for each 64 heads, 57 times less than all heads' K and V") {
  RelativeSpec spec{RelativeForm::Latent, {.batch = 2, .heads = 128, .n_q = 1, .n_k = 1000, .d = 128}};
  spec.splits = 1;
  const RelativeBytes one = relative_bytes(spec);
  CHECK(one.kv == 2 * 1000 * 576 * 2);
  CHECK(one.l2_to_sm == 2 * one.kv + 256 * 576 * 2);
  spec.splits = 3;
  CHECK(relative_bytes(spec).l2_to_sm == 2 * one.kv + 3 * 256 * 576 * 2 + 3 * 256 * 512 * 4 + 3 * 64 * 32);
  spec.form = RelativeForm::LatentHeads;
  spec.splits = 1;
  CHECK(relative_bytes(spec).kv / one.kv == doctest::Approx(32768 / 576.));
}

TEST_CASE("bytes of differential attention: two calls load V twice") {
  const RelativeSpec both{RelativeForm::Differential, {.heads = 3, .n_q = 300, .n_k = 200, .d = 64}};
  RelativeSpec twice = both;
  twice.form = RelativeForm::DifferentialTwice;
  // Q of both maps, and three Q tiles that load 200 keys of K1, K2 and V.
  CHECK(relative_bytes(both).l2_to_sm == 3 * (2 * 300 * 128 + 3 * 200 * (2 * 128 + 256)));
  CHECK(relative_bytes(twice).l2_to_sm == 3 * (2 * 300 * 128 + 3 * 200 * (2 * 128 + 2 * 256) + 2 * 300 * 256));
  RelativeSpec causal = both;
  causal.problem.mask = Mask::Causal;  // the tiles' last rows see 28, 156 and 200 keys: 64, 192 and 200 are loaded
  CHECK(relative_bytes(causal).l2_to_sm == 3 * (2 * 300 * 128 + (64 + 192 + 200) * (2 * 128 + 256)));
}

TEST_CASE("files of relatives: what is written is read, what cannot be is said with its place") {
  std::string fault;
  const std::string text = relatives_text({sample(), sample()});
  const auto read = read_relatives(text, fault);
  REQUIRE_MESSAGE(read, fault);
  CHECK(relatives_text(*read) == text);
  check_words(fault_with("/spec/form", "dense"), {"results[0].spec.form", "sparse-apart"});
  check_words(fault_with("/spec/kv_heads", 3), {"results[0].spec.kv_heads", "3 of 32"});
  check_words(fault_with("/spec/kv_heads", 1), {"results[0].spec.kv_heads", "1 of 32"});
  check_words(fault_with("/spec/splits", 2), {"results[0].spec.splits", "2"});
  check_words(fault_with("/errors/passed", false), {"results[0].timing", "wrong"});
  check_words(fault_with("/timing/median", -1), {"results[0].timing.median"});
}

TEST_CASE("the relatives' recordings: right before they were timed, bytes as predicted") {
  std::vector<RelativeResult> all;
  for (const RecordedGpu gpu : kRecordedGpus) {
    const std::vector<RelativeResult>& some = shipped_relatives(gpu);
    REQUIRE(some.size() == 27);
    CHECK(some.front().provenance.gpu.find(gpu == RecordedGpu::H200 ? "H200" : "H100") != std::string::npos);
    all.insert(all.end(), some.begin(), some.end());
  }
  int held = 0;  // against the model of L2
  for (const RelativeResult& r : all) {
    CAPTURE(name_of(r.spec.form));
    CAPTURE(r.spec.problem.n_k);
    CHECK(r.errors.passed);
    CHECK(r.errors.rows >= 128);
    REQUIRE(r.timing);
    REQUIRE(r.counters);
    const RelativeBytes bytes = relative_bytes(r.spec);
    CHECK(*r.counters->l2_to_sm == doctest::Approx(bytes.l2_to_sm).epsilon(0.005));
    // Every tensor once holds for caches, which no L2 keeps; of the others the model of L2 says what comes again. A
    // part of O may be written or still in L2 at the end.
    const double counted = *r.counters->dram_read + *r.counters->dram_written;
    if (is_latent(r.spec.form)) {
      CHECK(counted == doctest::Approx(bytes.dram).epsilon(0.1));
      continue;
    }
    const DramEstimate l2 = relative_dram(r.spec, machine_of(r.provenance));
    const double least = double(l2.read_bytes + l2.written_bytes);
    CHECK(counted < 1.1 * (least + double(l2.left_dirty_bytes)));
    CHECK(counted > 0.9 * least);
    ++held;
  }
  CHECK(held == 42);
}

}  // namespace tilewalk::test_relatives
