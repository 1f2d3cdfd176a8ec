#include "core/roofline/roofs.h"
#include "core/run/ceilings.h"
#include "tests/core/run/samples.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_ceilings {

TEST_CASE("files of ceilings") {
  fuzz({"ceilings",
        {ceilings_text(sample_ceilings())},
        {"{", "}", "[", "]", ",", "\"rested\": ", "null", "1e308"},
        [](const std::string& input) {
          std::string fault;
          const auto measured = read_ceilings(input, fault);
          REQUIRE(measured.has_value() == fault.empty());
          if (!measured) return false;
          roofs_of(*measured);
          REQUIRE_MESSAGE(read_ceilings(ceilings_text(*measured), fault), fault);
          return true;
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_json(reader, dice); }});
}

}  // namespace tilewalk::test_ceilings
