#include "core/method/table.h"

#include "core/io/embedded.h"
#include "core/kernel/kernel_shapes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tilewalk::test_table {

// Recordings, links and lessons are written in these words.
TEST_CASE("Each list of methods is a part of the table, in its order") {
  CHECK(key_list(all_methods()) ==
        "eager, standard, fa1, fa2, fa3, fa4, fa1-small, fa2-small, fa1-paper, naive, tiled, standard-backward, "
        "fa1-backward, "
        "fa2-backward, fa3-backward, fa3-fp8, split-kv, fa1-0.1, own");
  CHECK(key_list(estimated_methods()) == "eager, standard, fa1, fa2, fa3, fa4");
  CHECK(key_list(kernels()) == "standard, fa1, fa2, fa3, fa1-small, fa2-small, fa1-paper, naive, tiled");
  CHECK(key_list(compared_kernels()) == "standard, fa1, fa2, fa3");
  CHECK(key_list(backward_kernels()) == "standard-backward, fa2-backward, fa3-backward");
  CHECK(key_list(kernels_beside()) == "fa3-fp8, split-kv");
  CHECK(key_list(all_kernels()) ==
        key_list(kernels()) + ", " + key_list(backward_kernels()) + ", " + key_list(kernels_beside()));
  CHECK(key_list(schedules()) == "standard, fa1, fa2, fa3");
  CHECK(key_list(backward_schedules()) == "standard-backward, fa1-backward, fa2-backward");
  CHECK(key_list(all_schedules()) == key_list(schedules()) + ", " + key_list(backward_schedules()) + ", split-kv");
}

TEST_CASE("What a row says of others holds in their rows") {
  std::set<std::string_view> known, names;
  for (const MethodInfo& row : all_methods()) {
    CAPTURE(row.key);
    CHECK(known.insert(row.key).second);
    CHECK(info_of(row.id).key == row.key);
    if (row.kernel.kind != KernelKind::None) CHECK(names.insert(row.kernel_name()).second);
    if (row.id == Method::Own) continue;
    const Schedule& schedule = schedule_of(row.id);
    CHECK(schedule.direction == row.direction);
    CHECK(row.has_text() == (schedule.id == row.id));
    CHECK(row.has_text() == !row.walk.title.empty());
    if (row.turned) {
      CHECK(info_of(*row.turned).direction != row.direction);
      CHECK(schedule_of(*info_of(*row.turned).turned).direction == row.direction);
    }
    if (row.estimate.as) CHECK(info_of(*row.estimate.as).estimate.as == row.estimate.as);
    CHECK((row.estimate.as == row.id) == (int(row.id) < kEstimatedMethods));
    if (!row.kernel.source.empty()) CHECK_FALSE(embedded_file(row.kernel.source).empty());
  }
}

TEST_CASE("A backward pass turns to the forward one and back") {
  for (const Schedule& schedule : backward_schedules()) {
    const Method forward = *info_of(schedule.id).turned;
    CHECK(info_of(forward).has_text());
    CHECK(info_of(forward).turned == schedule.id);
  }
}

TEST_CASE("The ladder begins with the plainest kernel and misses no rung") {
  std::string rungs;
  for (const Method rung : ladder()) rungs += (rungs.empty() ? "" : " ") + std::string(info_of(rung).key);
  CHECK(rungs == "naive tiled fa1 fa2 fa3");
  for (size_t k = 0; k < ladder().size(); ++k) {
    CHECK(info_of(ladder()[k]).rung.number == int(k) + 1);
    CHECK_FALSE(info_of(ladder()[k]).rung.idea.empty());
  }
  CHECK(with_neighbours(Method::Naive) == std::vector{Method::Naive, Method::Tiled});
  CHECK(with_neighbours(Method::Fa1) == std::vector{Method::Tiled, Method::Fa1, Method::Fa2});
  CHECK(with_neighbours(Method::Fa3) == std::vector{Method::Fa2, Method::Fa3});
  CHECK(with_neighbours(Method::Fa3Fp8) == std::vector{Method::Fa3, Method::Fa3Fp8});
  CHECK(with_neighbours(Method::Standard) == std::vector{Method::Standard});
}

TEST_CASE("A method is found by its key where it can be what is asked for") {
  for (const MethodInfo& row : estimated_methods()) CHECK(method_named(row.key) == row.id);
  for (const MethodInfo& row : all_kernels()) CHECK(kernel_named(row.key) == row.id);
  for (const Schedule& schedule : all_schedules()) CHECK(schedule_named(schedule.key) == &schedule);
  CHECK_FALSE(method_named("split-kv"));
  CHECK_FALSE(kernel_named("fa4"));
  CHECK_FALSE(kernel_named("fa1-backward"));
  CHECK_FALSE(kernel_named("fa"));
  CHECK_FALSE(kernel_named(""));
  CHECK_FALSE(schedule_named("own"));
  // Retired ones are known by key and are in no list of what runs.
  CHECK(kernel_named("fa1-0.1") == Method::Fa1First);
  CHECK(std::ranges::find(all_kernels(), Method::Fa1First, &MethodInfo::id) == all_kernels().end());
}

}  // namespace tilewalk::test_table
