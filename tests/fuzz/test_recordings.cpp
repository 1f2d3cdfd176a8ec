#include "core/run/prediction.h"
#include "core/run/run_json.h"
#include "core/model/l2_cache.h"
#include "tests/core/run/samples.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_recordings {

namespace {

// And what is made of one: its words again, and the L2 model of its GPU.
bool read_one(const std::string& input) {
  std::string fault;
  const auto results = read_recording(input, fault);
  REQUIRE(results.has_value() == fault.empty());
  if (!results) return false;
  const std::string text = recording_text(*results);
  std::string again;
  REQUIRE_MESSAGE(read_recording(text, again), again);
  size_t looked = 0;
  for (const RunResult& result : *results) {
    if (++looked > 8) break;
    const MachineSpec machine = machine_of(result.provenance);
    L2Cache(machine.l2_bytes, machine.l2, 16).load(0, 3, 64);
  }
  return true;
}

std::vector<std::string> seeds() {
  RunResult small = sample_result();
  small.kernels[0].o.clear();
  small.kernels[0].trace->stamps.assign(40, {0, "Score", 1, 5, 10});
  return {recording_text({sample_result()}), recording_text({small, sample_result()}), recording_text({})};
}

}  // namespace

TEST_CASE("recordings") {
  fuzz({"recordings",
        seeds(),
        {"{", "}", "[", "]", ",", "\"stamps\": [", "null", "1e308", "9007199254740992", "\"nan\""},
        read_one,
        [](const FuzzedReader& reader, Dice& dice) { return changed_json(reader, dice); }});
}

}  // namespace tilewalk::test_recordings
