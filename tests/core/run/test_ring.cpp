// A ring as GPUs run it: which blocks each computes, how even the work is, how many bytes travel; and a ring's result
// as JSON.
#include "core/run/ring_run.h"

#include "core/run/shipped.h"
#include "tests/core/io_helpers.h"
#include "tests/core/run/samples.h"

#include <cmath>
#include <map>
#include <set>

namespace tilewalk::test_ring {
using Json = nlohmann::ordered_json;

namespace {

RingPlan plan_of(int64_t devices, int64_t n, Mask mask, RingSplit split) {
  std::string fault;
  const RingPlan plan = ring_plan({.n_q = n, .n_k = n, .mask = mask}, devices, split, fault);
  CHECK(fault.empty());
  return plan;
}

std::string fault_of(const std::string& text) {
  std::string fault;
  CHECK_FALSE(read_ring(text, fault));
  CHECK(fault == printable(fault));
  CHECK_FALSE(fault.empty());
  CHECK_FALSE(fault.ends_with('.'));
  return fault;
}

std::string with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(ring_text({sample_ring()}));
  json[Json::json_pointer(pointer)] = value;
  return json.dump();
}

}  // namespace

TEST_CASE("a ring's blocks are every pair of query and key that the mask shows, once") {
  for (const Mask mask : {Mask::Full, Mask::Causal})
    for (const RingSplit split : {RingSplit::Shards, RingSplit::Zigzag})
      for (const int64_t devices : {2, 3, 4, 8}) {
        const int64_t n = devices * 2 * 3;
        const RingPlan plan = plan_of(devices, n, mask, split);
        std::map<std::pair<int64_t, int64_t>, int> met;
        for (int64_t device = 0; device < devices; ++device)
          for (int64_t turn = 0; turn < devices; ++turn)
            for (const RingBlock& block : ring_blocks(plan, device, turn))
              for (int64_t r = 0; r < plan.part_tokens(); ++r)
                for (int64_t c = 0; c < (block.causal ? r + 1 : plan.part_tokens()); ++c)
                  ++met[{plan.first_token(device, block.q_part) + r,
                         plan.first_token(shard_at(device, turn, devices), block.k_part) + c}];
        int64_t seen = 0;
        for (const auto& [pair, times] : met) {
          CHECK(times == 1);
          CHECK((mask == Mask::Full || pair.second <= pair.first));
          ++seen;
        }
        CHECK(seen == (mask == Mask::Full ? n * n : n * (n + 1) / 2));
        // The first block of a part of the queries is one that every row sees a key of: its L is no -inf to be merged.
        for (int64_t device = 0; device < devices; ++device) CHECK(!ring_blocks(plan, device, 0).empty());
      }
}

TEST_CASE("a plan's work is the ring's work, and zigzag makes a causal mask's even") {
  for (const int64_t devices : {2, 4, 8}) {
    const Problem p{.n_q = 960, .n_k = 960, .mask = Mask::Causal};
    for (const RingSplit split : {RingSplit::Shards, RingSplit::Zigzag}) {
      const RingWork planned = ring_plan_work(plan_of(devices, 960, Mask::Causal, split));
      const RingWork counted = ring_work(p, {devices, split});
      CHECK(planned.work == counted.work);
      CHECK(planned.total == counted.total);
      CHECK(planned.lasts == counted.lasts);
    }
    // Off the diagonal every device has the same; on it they differ by nothing either: early and late half squares.
    const RingWork even = ring_plan_work(plan_of(devices, 960, Mask::Causal, RingSplit::Zigzag));
    for (const auto& turn : even.work)
      for (const int64_t scores : turn) CHECK(scores == turn.front());
    CHECK(even.busy() == 1);
  }
}

TEST_CASE("what cannot go round is said in a sentence") {
  const auto fault_of_plan = [](Problem p, int64_t devices, RingSplit split) {
    std::string fault;
    ring_plan(p, devices, split, fault);
    CHECK(fault.ends_with('.'));
    return fault;
  };
  check_words(fault_of_plan({.n_q = 1000, .n_k = 1000}, 3, RingSplit::Shards), {"N is 1000", "3 GPUs", "999"});
  check_words(fault_of_plan({.n_q = 1004, .n_k = 1004}, 4, RingSplit::Zigzag), {"N is 1004", "8 equal parts", "1000"});
  check_words(fault_of_plan({.n_q = 16, .n_k = 32}, 2, RingSplit::Shards), {"N_q is 16", "N_k is 32"});
  check_words(fault_of_plan({.n_q = 16, .n_k = 16}, 1, RingSplit::Shards), {"two GPUs or more", "1 is asked"});
  check_words(fault_of_plan({.n_q = 16, .n_k = 16}, 2, RingSplit::Striped), {"neighbours"});
}

TEST_CASE("bytes over a link: B H (N / P) d 2 b a turn, P - 1 turns") {
  const Problem p{.batch = 2, .heads = 16, .n_q = 131072, .n_k = 131072, .d = 128};
  CHECK(ring_step_bytes(p, 4) == 2 * 16 * 32768 * int64_t{128} * 2 * 2);
  CHECK(ring_bytes({.problem = p, .gpus = 4}) == 3 * ring_step_bytes(p, 4));
  Problem narrow = p;
  narrow.d = 32;  // padded to 64
  CHECK(ring_step_bytes(narrow, 2) == 2 * 16 * 65536 * int64_t{64} * 2 * 2);
}

TEST_CASE("the share that is hidden") {
  RingTimes t;
  t.transfer.median = 2;
  CHECK(hidden_share(t) == 1);
  t.exposed.median = 2;
  CHECK(hidden_share(t) == 0);
  t.exposed.median = 3;
  CHECK(hidden_share(t) == -0.5);
  // Of four GPUs the first transfer, which gets going only, counts as long as the others.
  t.steps.resize(4);
  t.steps[0].transfer = {5, 5, 5, 5};
  t.steps[1].transfer = {1, 1, 2, 1};
  t.steps[2].transfer = {1, 1, 1, 1};
  CHECK(transfer_ms(t) == 4.5);
  t.exposed.median = 0.45;
  CHECK(hidden_share(t) == doctest::Approx(0.9));
}

// Of H100s joined by NVLink: what the program recorded of itself.
TEST_CASE("the recorded rings are right, hide their transfer when they are long, and send what was predicted") {
  const std::vector<RingResult>& rings = shipped_rings();
  REQUIRE(rings.size() >= 20);
  std::set<int> gpus;
  for (const RingResult& ring : rings) {
    CAPTURE(ring.spec.gpus);
    CAPTURE(ring.spec.problem.n_q);
    CAPTURE(ring.transport);
    gpus.insert(ring.spec.gpus);
    CHECK(ring.provenance.gpu.find("H100") != std::string::npos);
    CHECK(ring.provenance.date.size() == 20);
    CHECK(ring.peer);
    CHECK(ring.errors.passed);
    REQUIRE(ring.alone);
    CHECK(ring.alone->errors.passed);
    CHECK(ring.alone->difference < 1e-3);  // of fp16
    REQUIRE(ring.times);
    REQUIRE(ring.link);
    for (const auto* list : {&ring.link->sent, &ring.link->received})
      for (const double bytes : *list) CHECK(bytes == doctest::Approx(double(ring_bytes(ring.spec))).epsilon(0.01));
  }
  CHECK(gpus == std::set<int>{2, 4});
  const auto hidden = [](int64_t n, RingTransfer transfer, Mask mask = Mask::Full,
                         RingSplit split = RingSplit::Shards) {
    RingSpec spec;
    spec.gpus = 4;
    spec.problem = {.n_q = n, .n_k = n, .d = 128, .mask = mask};
    spec.transfer = transfer;
    spec.split = split;
    const RingResult* ring = shipped_ring(spec);
    REQUIRE(ring);
    return hidden_share(*ring->times);
  };
  CHECK(hidden(131072, RingTransfer::CopyEngines) >= 0.9);
  CHECK(hidden(131072, RingTransfer::CopyEngines, Mask::Causal, RingSplit::Zigzag) >= 0.9);
  CHECK(hidden(131072, RingTransfer::Nccl) < 0.5);  // a kernel among kernels
  CHECK(hidden(8192, RingTransfer::CopyEngines) < 0.9);
  CHECK(hidden(8192, RingTransfer::Nccl) < 0.5);
}

TEST_CASE("rings come back as they were written") {
  const std::string text = ring_text({sample_ring(), sample_ring()});
  std::string fault;
  const auto read = read_ring(text, fault);
  REQUIRE_MESSAGE(read, fault);
  CHECK(ring_text(*read) == text);
  REQUIRE(read->size() == 2);
  const RingResult& ring = read->back();
  CHECK(ring.spec.split == RingSplit::Zigzag);
  CHECK(ring.spec.transfer == RingTransfer::Nccl);
  CHECK(ring.times->steps[0].beside == std::vector<double>{0.5, 0.25});
  CHECK(ring.times->exposed.p10 == -0.125);
  CHECK(ring.link->sent[1] == 4096.5);
  CHECK(ring.alone->time.count == 7);
}

TEST_CASE("every place of a file of rings is checked") {
  const Json good = Json::parse(ring_text({sample_ring()}));
  each_place(good, [&](const std::string& pointer) {
    CAPTURE(pointer);
    const std::string name = pointer.substr(pointer.rfind('/') + 1);
    const std::string fault = fault_of(with(pointer, nullptr));
    if (!std::isdigit(name[0])) check_words(fault, {name});
  });
  check_words(fault_of(with("/results/0/spec/gpus", 1)), {"results[0].spec.gpus", "2 to"});
  check_words(fault_of(with("/results/0/spec/problem/n_k", 8)), {"results[0].spec", "N_k is 8"});
  check_words(fault_of(with("/results/0/spec/split", "striped")), {"results[0].spec", "neighbours"});
  check_words(fault_of(with("/results/0/spec/split", "plaid")), {"results[0].spec.split", "\"zigzag\""});
  check_words(fault_of(with("/results/0/spec/transfer", "mail")), {"results[0].spec.transfer", "\"nccl\""});
  check_words(fault_of(with("/results/0/spec/rounds", 0)), {"results[0].spec", "0 rounds"});
  check_words(fault_of(with("/results/0/times/together/p90", 0.5)), {"times.together", "p10", "p90"});
  check_words(fault_of(with("/results/0/times/transfer/p10", 0)), {"times.transfer.p10", "above zero"});
  check_words(fault_of(with("/results/0/times/steps", Json::array())), {"times.steps", "2 turns"});
  check_words(fault_of(with("/results/0/times/steps/1/beside", Json::array({1, 1}))), {"steps[1].beside", "0 numbers"});
  check_words(fault_of(with("/results/0/times/steps/0/waited/0", -1)), {"steps[0].waited", "below zero"});
  check_words(fault_of(with("/results/0/errors/passed", false)), {"results[0].times", "wrong"});
  check_words(fault_of(with("/results/0/link/rings", 0)), {"results[0].link", "no ring"});
  check_words(fault_of(with("/results/0/link/sent", Json::array({1}))), {"link.sent", "2 numbers"});
  check_words(fault_of(with("/tilewalk_ring/major", 2)), {"newer Tilewalk", "2.0"});
  check_words(fault_of("{}"), {"is no file of rings"});
  const std::string text = good.dump();
  for (size_t length = 0; length < text.size(); ++length) fault_of(text.substr(0, length));
  std::string fault;
  CHECK(read_ring(with("/tilewalk_ring/minor", 9), fault));
  CHECK(read_ring(with("/results/0/colour", "red"), fault));
}

}  // namespace tilewalk::test_ring
