// The model against the recorded runs: within the bounds that the README states, with no constant fitted to attention;
// and what is left after each term.
#include "core/roofline/catalogue.h"
#include "core/roofline/rest.h"
#include "core/run/shipped.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace tilewalk;

TEST_CASE("From N = 2,048 on the model is within 25 % for standard and FA3, within 35 % for FA2") {
  std::map<Method, int> held;
  for (const Compared& row : compare(shipped_recordings(), *shipped_roofs(kShippedCeilings))) {
    const Problem& p = row.run->spec.problem;
    // One head alone leaves most multiprocessors idle: there the launch and latencies count, which no roof knows.
    if (p.n_q < 2048 || !row.kernel->label.empty() || p.batch * p.heads < 2) continue;
    CAPTURE(row.name);
    CAPTURE(p.n_q);
    CAPTURE(p.d);
    CAPTURE(name_of(p.mask));
    const double most = row.method == Method::Fa2 ? 0.35 : 0.25;
    if (row.method == Method::Fa1) continue;
    CHECK(std::abs(row.ratio() - 1) <= most);
    held[row.method]++;
  }
  for (const Method method : {Method::Standard, Method::Fa2, Method::Fa3}) CHECK(held[method] == 16);
}

TEST_CASE("Terms add up to the model, and what is left is what was measured less that") {
  const Roofs roofs = *shipped_roofs(kShippedCeilings);
  for (const Compared& row : compare(shipped_recordings(), roofs)) {
    if (row.run->spec.problem.n_q < 4096) continue;
    CAPTURE(row.name);
    const Work work = work_of(row.method, row.run->spec.problem);
    const Rest rest = rest_of(work, roofs, row.measured, &*row.kernel->timing);
    REQUIRE(!rest.terms.empty());
    CHECK(rest.terms.front().name == "tensor cores");
    CHECK(std::ranges::is_sorted(rest.terms, {}, &RestTerm::model));
    CHECK(rest.terms.back().model == doctest::Approx(row.model.time).epsilon(0.002));
    for (const RestTerm& term : rest.terms) CHECK(term.model + term.rest == doctest::Approx(row.measured));
    REQUIRE(!rest.reasons.empty());
    for (const std::string& reason : rest.reasons) CHECK(reason.ends_with("."));
  }
}

TEST_CASE("A recorded kernel stands for the method whose algorithm it follows") {
  KernelResult kernel;
  kernel.kernel = KernelId::Fa2;
  CHECK(method_of(kernel) == Method::Fa2);
  kernel.kernel = KernelId::Standard;
  CHECK(method_of(kernel) == Method::Standard);
  kernel.kernel = KernelId::Fa2Small;
  CHECK(!method_of(kernel));
  kernel.kernel = KernelId::Standard;
  kernel.label = "PyTorch eager";
  CHECK(method_of(kernel) == Method::Eager);
  kernel.label = "PyTorch mem-efficient";
  CHECK(!method_of(kernel));
}
