// The numbers that lessons 6, 7, 9 and the relatives show, to the last digit, as their files name and format them; and
// the answers of their questions, over many instances.
#include "tests/core/lesson/lesson_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tilewalk::test_phase2_numbers {
using namespace tilewalk::test;

namespace {

std::string shown(const Lesson& lesson, const std::string& expression, std::string_view format) {
  CAPTURE(expression);
  const Evaluated value = evaluate(expression, names_of(lesson, nullptr, {}));
  if (!value.quantity) FAIL_CHECK(value.fault);
  return value.quantity ? format_quantity(*value.quantity, format).value_or("?") : "";
}

}  // namespace

TEST_CASE("lesson 6: the worked row, and both ways to break it") {
  const Lesson l = lesson_in("06-running-max.md");
  CHECK(shown(l, "l1", "digits:6") == "1.367879");
  CHECK(shown(l, "alpha2", "digits:6") == "0.135335");
  CHECK(shown(l, "l2", "digits:6") == "1.553002");
  CHECK(shown(l, "o_x", "digits:6") == "1.204824");
  CHECK(shown(l, "o_y", "digits:6") == "0.675973");
  CHECK(shown(l, "wrong_x", "digits:1") == "1.0");
  CHECK(shown(l, "wrong_y", "digits:1") == "0.5");
  CHECK(shown(l, "half_wrong_x", "digits:6") == "1.761594");
  CHECK(shown(l, "half_wrong_y", "digits:6") == "0.880797");
  CHECK(shown(l, "fp16_limit", "digits:2") == "11.09");
  CHECK(shown(l, "fp32_limit", "digits:2") == "88.72");
  const Instance asked = instance_of(l, question(l, "new-l"), 1);
  REQUIRE(asked.answer);
  CHECK(std::fabs(asked.answer->value - 1.553002) < 5e-7);
}

TEST_CASE("lesson 7: O, L and a head's traffic") {
  const Lesson l = lesson_in("07-one-q-tile.md");
  CHECK(shown(l, "o_x", "digits:6") == "1.204824");
  CHECK(shown(l, "o_y", "digits:6") == "0.675973");
  CHECK(shown(l, "lse", "digits:6") == "4.440190");
  CHECK(shown(l, "visits", "count") == "64");
  CHECK(shown(l, "bytes", "exact-bytes") == "2,363,392 bytes");
}

TEST_CASE("lesson 9: tiles, waste and what the mask saves") {
  const Lesson l = lesson_in("09-causal.md");
  CHECK(shown(l, "all_4k", "count") == "1,024");
  CHECK(shown(l, "visited_4k", "count") == "528");
  CHECK(shown(l, "masked_4k", "count") == "32");
  CHECK(shown(l, "whole_4k", "count") == "496");
  CHECK(shown(l, "all_64", "count") == "2,048");
  CHECK(shown(l, "visited_64", "count") == "1,056");
  CHECK(shown(l, "waste_4k * 100", "digits:1") == "3.1");
  CHECK(shown(l, "waste_1k * 100", "digits:1") == "12.4");
  CHECK(shown(l, "bound_4k", "number") == "1.94");
}

TEST_CASE("the relatives: merge weights, keys read, values cached") {
  const Lesson flash = lesson_in("relatives-flash-decoding.md");
  CHECK(shown(flash, "L1", "digits:6") == "2.313262");
  CHECK(shown(flash, "L2", "digits:6") == "4.313262");
  CHECK(shown(flash, "w1", "digits:6") == "0.119203");
  CHECK(shown(flash, "w2", "digits:6") == "0.880797");
  CHECK(shown(flash, "kv", "binary") == "2 GiB");
  CHECK(instance_of(flash, question(flash, "busy"), 1).answer->value == 128);
  const Lesson sparse = lesson_in("relatives-sparse.md");
  CHECK(shown(sparse, "read_64k", "count") == "5,631");
  const Lesson latent = lesson_in("relatives-mla.md");
  CHECK(shown(latent, "mha", "count") == "32,768");
  CHECK(shown(latent, "mla", "count") == "576");
  CHECK(std::round(instance_of(latent, question(latent, "ratio"), 1).answer->value) == 57);
}

TEST_CASE("every instance of every question can be answered, in one way") {
  for (const char* name :
       {"06-running-max.md", "07-one-q-tile.md", "09-causal.md", "relatives-flash-decoding.md", "relatives-ring.md",
        "relatives-differential.md", "relatives-sparse.md", "relatives-mla.md"}) {
    const Lesson l = lesson_in(name);
    for (const Beat& beat : l.beats)
      for (const Question& q : beat.questions)
        for (uint64_t seed = 1; seed <= 12; ++seed) {
          CAPTURE(name);
          CAPTURE(q.id);
          const Instance instance = instance_of(l, q, seed);
          CHECK(instance.fault.empty());
          if (q.options.empty()) {
            REQUIRE(instance.answer);
            CHECK(std::isfinite(instance.answer->value));
          } else {
            CHECK(std::count(instance.right.begin(), instance.right.end(), true) == 1);
          }
        }
  }
}

}  // namespace tilewalk::test_phase2_numbers
