#include "core/run/protocol.h"
#include "tests/core/run/samples.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_to_worker {

TEST_CASE("lines to a worker") {
  std::vector<std::string> seeds;
  for (const ToWorker& message : samples_to_worker()) seeds.push_back(line_of(message));
  fuzz({"to_worker",
        seeds,
        {"{", "}", "[", "]", ",", "\"type\":\"run\",", "null", "1e308", "\"id\":"},
        [](const std::string& input) {
          std::string fault;
          const auto message = to_worker(input, fault);
          REQUIRE(message.has_value() == fault.empty());
          if (message) REQUIRE_MESSAGE(to_worker(line_of(*message), fault), fault);
          return message.has_value();
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_json(reader, dice); }});
}

}  // namespace tilewalk::test_to_worker
