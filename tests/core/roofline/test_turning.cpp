// Where things turn: ridges, turning points, the law.
#include "core/roofline/turning.h"

#include <doctest/doctest.h>

using namespace tilewalk;

namespace {

Roofs gpu(std::string_view id) { return roofs_of(*gpu_named(id)); }

}  // namespace

TEST_CASE("Fused attention is compute-bound from twice the ridge on") {
  const Problem p{.d = 128};
  CHECK(compute_bound_about(gpu("a100-80").ridge(), p) == doctest::Approx(306).epsilon(0.001));
  CHECK(compute_bound_about(gpu("h200").ridge(), p) == doctest::Approx(412).epsilon(0.001));
  CHECK(compute_bound_about(gpu("h100").ridge(), p) == doctest::Approx(591).epsilon(0.001));
  CHECK(compute_bound_exact(gpu("h100").ridge(), p) == 593);
}
