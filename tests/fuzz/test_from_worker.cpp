#include "core/run/protocol.h"
#include "tests/core/run/samples.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_from_worker {

TEST_CASE("lines from a worker") {
  std::vector<std::string> seeds;
  for (const FromWorker& message : samples_from_worker()) seeds.push_back(line_of(message));
  fuzz({"from_worker",
        seeds,
        {"{", "}", "[", "]", ",", "\"type\":\"done\",", "null", "1e308", "\"id\":"},
        [](const std::string& input) {
          std::string fault;
          const auto message = from_worker(input, fault);
          REQUIRE(message.has_value() == fault.empty());
          if (message) REQUIRE_MESSAGE(from_worker(line_of(*message), fault), fault);
          return message.has_value();
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_json(reader, dice); }});
}

}  // namespace tilewalk::test_from_worker
