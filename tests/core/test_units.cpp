// Steps, parts, tiles and rows: they nest, they cover the program, and back undoes forward.
#include "core/playback/units.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <set>

namespace tilewalk::test_units {
using namespace tilewalk::test;

namespace {

std::vector<int64_t> stops_forward(const std::vector<Step>& steps, Unit unit) {
  std::vector<int64_t> stops{0};
  while (stops.back() < int64_t(steps.size())) {
    const int64_t next = unit_forward(steps, stops.back(), unit);
    REQUIRE(next > stops.back());
    stops.push_back(next);
  }
  return stops;
}

std::vector<Step> fa2_steps() {
  Problem p;  // 16 x 16 in tiles of 4 x 4
  return steps_of(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), p, VariantId::Paper));
}

}  // namespace

TEST_CASE("FA2 on four by four tiles: 4 rows of 4 tiles") {
  const std::vector<Step> steps = fa2_steps();
  CHECK(stops_forward(steps, Unit::Row).size() == 5);
  CHECK(stops_forward(steps, Unit::Tile).size() == 17);
  CHECK(stops_forward(steps, Unit::Step).size() == steps.size() + 1);
  // First tile of a row: load Q; load K, V; S; m; P; O. Later ones lack the first; the last has finish and store.
  CHECK(stops_forward(steps, Unit::Part).size() == 1 + 4 * (6 + 5 + 5 + 7));
  CHECK(unit_forward(steps, 0, Unit::Part) == 3);  // LoadQ, InitO, InitStats
}

TEST_CASE("units nest, cover the whole program, and back retraces forward") {
  for (uint64_t number = 0; number < 100; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        const std::vector<Step> steps = steps_of(schedule, make_plan(schedule, c.problem, variant));
        std::set<int64_t> finer;
        for (Unit unit : {Unit::Step, Unit::Part, Unit::Tile, Unit::Row}) {
          const std::vector<int64_t> stops = stops_forward(steps, unit);
          for (size_t k = 1; k < stops.size(); ++k) {
            CHECK(unit_back(steps, stops[k], unit) == stops[k - 1]);
            if (unit != Unit::Step) CHECK(finer.count(stops[k]));
            // From the middle of a unit, back goes to its start and forward to its end.
            const int64_t middle = (stops[k - 1] + stops[k]) / 2;
            if (middle == stops[k - 1]) continue;
            CHECK(unit_back(steps, middle, unit) == stops[k - 1]);
            CHECK(unit_forward(steps, middle, unit) == stops[k]);
          }
          finer = {stops.begin(), stops.end()};
        }
        CHECK(unit_forward(steps, int64_t(steps.size()), Unit::Row) == int64_t(steps.size()));
        CHECK(unit_back(steps, 0, Unit::Row) == 0);
      }
  }
}

TEST_CASE("the place of a step counts as the units do") {
  for (uint64_t number = 0; number < 30; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const std::vector<Step> steps = steps_of(schedule, make_plan(schedule, c.problem, variant));
        const auto borders = [&](Unit unit, int64_t begin, int64_t end) {  // units within (begin, end]
          int64_t count = 0;
          for (int64_t k = begin; k < end; k = unit_forward(steps, k, unit)) ++count;
          return count;
        };
        const auto start_of = [&](Unit unit, int64_t k) { return unit_back(steps, k, unit); };
        const auto end_of = [&](Unit unit, int64_t k) { return unit_forward(steps, unit_back(steps, k, unit), unit); };
        for (int64_t k = 1; k <= int64_t(steps.size()); ++k) {
          const Place place = place_of(steps, k);
          const int64_t row = start_of(Unit::Row, k), tile = start_of(Unit::Tile, k);
          // Each turn by its first tile; a tile that is met again keeps its number.
          std::vector<std::pair<int32_t, int32_t>> met;
          int64_t tile_at = 0;
          for (int64_t turn = row; turn < end_of(Unit::Row, k); turn = unit_forward(steps, turn, Unit::Tile)) {
            const std::pair tile_of(steps[size_t(turn)].i, steps[size_t(turn)].j);
            const auto known = std::ranges::find(met, tile_of);
            if (turn == tile) tile_at = known - met.begin() + 1;
            if (known == met.end()) met.push_back(tile_of);
          }
          REQUIRE(place.tiles == int64_t(met.size()));
          REQUIRE(place.tile == tile_at);
          if (&schedule != &schedule_of(Method::Standard))
            REQUIRE(place.tiles == borders(Unit::Tile, row, end_of(Unit::Row, k)));
          REQUIRE(place.parts == borders(Unit::Part, tile, end_of(Unit::Tile, k)));
          REQUIRE(place.part == borders(Unit::Part, tile, end_of(Unit::Part, k)));
          REQUIRE(place.row >= 1);
          REQUIRE(place.row <= place.rows);
        }
      }
  }
}

TEST_CASE("places on four by four tiles") {
  const std::vector<Step> steps = fa2_steps();
  const Place none = place_of(steps, 0);
  CHECK(none.tile == 0);
  CHECK(none.rows == 0);
  const Place end = place_of(steps, int64_t(steps.size()));
  CHECK(end.row == 4);
  CHECK(end.rows == 4);
  CHECK(end.tile == 4);
  CHECK(end.tiles == 4);
  CHECK(end.part == 7);
  CHECK(end.parts == 7);
  CHECK(place_of({}, 3).tile == 0);
  // Three loops over the same four tiles are four tiles.
  const std::vector<Step> three = steps_of(
      schedule_of(Method::Standard),
      make_plan(schedule_of(Method::Standard), {.n_q = 16, .n_k = 16, .d = 8, .br = 4, .bc = 4}, VariantId::Paper));
  const auto weights = std::ranges::find(three, StepKind::Exponentiate, &Step::kind);
  const Place first = place_of(three, weights - three.begin() + 1);
  CHECK(first.tile == 1);
  CHECK(first.tiles == 4);
}

}  // namespace tilewalk::test_units
