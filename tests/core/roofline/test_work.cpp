// What a method does: the schedules' counts, and nothing beside them.
#include "core/roofline/work.h"

#include <doctest/doctest.h>

using namespace tilewalk;

TEST_CASE("Standard attention moves the papers' bytes") {
  const Problem p{.n_q = 4096, .n_k = 4096, .d = 64};
  CHECK(work_of(Method::Standard, p).total(Roof::Dram) == 136'314'880);
  CHECK(work_of(Method::Standard, p).two_level_bytes() == 136'314'880);
  CHECK(work_of(Method::Eager, p).total(Roof::Dram) == 136'314'880 + 4 * 4096.0 * 4096);
}
