// The vocabulary: complete, in order, and fit to be read.
#include "core/machine/step.h"

#include <doctest/doctest.h>

#include <array>
#include <iterator>
#include <set>
#include <string>

namespace tilewalk::test_step {

TEST_CASE("the table has every step in the order of the enum") {
  REQUIRE(vocabulary().size() == size_t(kStepKindCount));
  std::set<std::string_view> names;
  for (int k = 0; k < kStepKindCount; ++k) {
    const StepInfo& info = vocabulary()[size_t(k)];
    INFO(info.name);
    CHECK(info.kind == StepKind(k));
    CHECK(&info_of(StepKind(k)) == &info);
    CHECK(names.insert(info.name).second);
    CHECK(info.name.find(' ') == std::string_view::npos);
    CHECK(!info.formula.empty());
    CHECK(info.meaning.size() > 10);
    CHECK(info.meaning.back() == '.');
  }
}

TEST_CASE("loads load, stores store, products run on tensor cores") {
  for (const StepInfo& info : vocabulary()) {
    INFO(info.name);
    CHECK((info.engine == Engine::Load) == info.name.starts_with("Load"));
    CHECK((info.engine == Engine::Store) == (info.name.starts_with("Store") || info.kind == StepKind::AddDQ));
    CHECK((info.engine == Engine::TensorCore) ==
          (info.kind == StepKind::Score || info.kind == StepKind::GradientP || info.name.starts_with("Accumulate")));
    CHECK((info.engine == Engine::Exponential) ==
          (info.kind == StepKind::Exponentiate || info.kind == StepKind::Recompute ||
           info.kind == StepKind::MergeWeight));
  }
}

TEST_CASE("what moves is what the names say") {
  for (const StepInfo& info : vocabulary()) {
    INFO(info.name);
    const auto moved = moved_tensors(info.kind);
    const bool moves = info.engine == Engine::Load || info.engine == Engine::Store;
    CHECK((moved[0] != kNoTensor) == moves);
    CHECK(moved[2] == kNoTensor);
    if (!moves) CHECK(info.touched.writes[0] != kNoTensor);
  }
  CHECK(moved_tensors(StepKind::LoadStats) == moved_tensors(StepKind::StoreStats));
  CHECK(moved_tensors(StepKind::LoadPart) == moved_tensors(StepKind::StorePart));
  CHECK(moved_tensors(StepKind::AddDQ)[0] == Tensor::DQ);

  CHECK(load_of(Tensor::Lse) == StepKind::LoadLse);  // not a split's part
  CHECK(store_of(Tensor::O) == StepKind::StoreO);
  CHECK(store_of(Tensor::DQ) == StepKind::StoreDQ);  // not the atomic add
  CHECK(load_of(Tensor::L) == StepKind::LoadStats);
  CHECK(!store_of(Tensor::Q));
  CHECK(!load_of(Tensor::DK));
  CHECK(!load_of(Tensor::Alpha));
  CHECK(!load_of(kNoTensor));
}

TEST_CASE("alpha is touched where the max may still rise") {
  const Step rising{.kind = StepKind::RowSum}, last{.kind = StepKind::RowSum, .flags = Step::kFinalMax};
  CHECK(touched_by(rising).reads == std::array{Tensor::P, Tensor::L, Tensor::Alpha});
  CHECK(touched_by(last).reads == std::array{Tensor::P, Tensor::L, kNoTensor});
  CHECK(touched_by({.kind = StepKind::RowMax, .flags = Step::kFinalMax}).writes[1] == kNoTensor);
}

TEST_CASE("steps are found by name, however it is written") {
  for (const StepInfo& info : vocabulary()) CHECK(step_named(info.name) == info.kind);
  CHECK(step_named("row max") == StepKind::RowMax);
  CHECK(step_named("ROW-MAX") == StepKind::RowMax);
  CHECK(step_named("load K") == StepKind::LoadK);
  CHECK(!step_named("load"));
  CHECK(!step_named(""));
}

TEST_CASE("tensors have the papers' letters") {
  std::set<std::string_view> symbols;
  for (int t = 0; t < kTensorCount; ++t) CHECK(symbols.insert(symbol_of(Tensor(t))).second);
  CHECK(symbol_of(Tensor::Alpha) == "α");
  CHECK(symbol_of(Tensor::M) == "m");
  CHECK(symbol_of(Tensor::Lse) == "L");
}

TEST_CASE("what tells a tensor's tiles apart, of every tensor") {
  struct Row {
    Tensor tensor;
    bool by_query, by_key, scores, statistic;
  };
  constexpr Row kRows[] = {
      {Tensor::Q, true, false, false, false},   {Tensor::K, false, true, false, false},
      {Tensor::V, false, true, false, false},   {Tensor::S, true, true, true, false},
      {Tensor::P, true, true, true, false},     {Tensor::O, true, false, false, false},
      {Tensor::M, true, false, false, true},    {Tensor::L, true, false, false, true},
      {Tensor::Alpha, true, true, false, true}, {Tensor::Lse, true, false, false, true},
      {Tensor::DO, true, false, false, false},  {Tensor::DP, true, true, true, false},
      {Tensor::DS, true, true, true, false},    {Tensor::DQ, true, false, false, false},
      {Tensor::DK, false, true, false, false},  {Tensor::DV, false, true, false, false},
      {Tensor::D, true, false, false, true},
  };
  static_assert(std::size(kRows) == kTensorCount);
  for (const Row& row : kRows) {
    INFO(symbol_of(row.tensor));
    CHECK(row.tensor == Tensor(&row - kRows));
    CHECK(row.tensor != kNoTensor);
    CHECK(by_query_tile(row.tensor) == row.by_query);
    CHECK(by_key_tile(row.tensor) == row.by_key);
    CHECK(is_scores(row.tensor) == row.scores);
    CHECK(is_statistic(row.tensor) == row.statistic);
  }
  for (Tensor t : {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::P, Tensor::O}) CHECK(primal_of(t) == t);
  CHECK(primal_of(Tensor::DK) == Tensor::K);
  CHECK(share_registers(Tensor::S, Tensor::P));
  CHECK(share_registers(Tensor::DS, Tensor::DP));
  CHECK(!share_registers(Tensor::P, Tensor::DP));
  CHECK(!by_query_tile(kNoTensor));
  CHECK(!by_key_tile(kNoTensor));
  CHECK(!is_statistic(kNoTensor));
}

}  // namespace tilewalk::test_step
