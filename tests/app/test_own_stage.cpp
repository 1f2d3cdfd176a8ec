// The stage under a schedule of somebody's own: several loops over the same tiles in one kernel, no alpha, an alpha
// that nobody uses.
#include "app/panels/panels.h"
#include "app/session/write_moves.h"
#include "core/machine/words.h"
#include "core/puzzle/puzzle.h"
#include "core/judge/shrinks.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tilewalk::test_own_stage {

namespace {

struct OwnWalk {
  Session session;
  ViewState view;

  OwnWalk(std::string_view puzzle, bool solved) {
    REQUIRE(begin_puzzle_named(session, view, puzzle));
    if (solved) replace_all(view.write.program, view.write.puzzle->solution.text);
    run_written(session, view);
    REQUIRE(session.walk().schedule.id == Method::Own);
  }
  // After the step of this kind on Q tile 1 and K/V tile `j`, from 1.
  bool says(StepKind kind, int32_t j, std::string_view words) {
    const std::vector<Step>& steps = session.walk().replay.steps();
    const auto step =
        std::ranges::find_if(steps, [&](const Step& s) { return s.kind == kind && s.i == 0 && s.j == j - 1; });
    REQUIRE(step != steps.end());
    view.playhead = step - steps.begin() + 1;
    view.from = view.playhead - 1;
    const Scene scene = layout_window(session, view, {1920, 1080});
    return std::ranges::any_of(scene.items, [&](const Item& item) {
      const auto* label = std::get_if<Label>(&item);
      return label && label->text.find(words) != std::string::npos;
    });
  }
};

}  // namespace

TEST_CASE("One kernel with several loops over the same tiles is told by those tiles") {
  OwnWalk w("fuse-all", true);
  using enum StepKind;
  for (const StepKind kind : {Score, RowMax, Exponentiate, NormalizeP, Accumulate}) {
    CAPTURE(info_of(kind).name);
    for (const int32_t j : {1, 3}) {
      CHECK(w.says(kind, j, "K/V tile " + std::to_string(j) + " of 4"));
      CHECK(w.says(kind, j, tile_name(Tensor::K, 0, j - 1) + "ᵀ"));  // the one on show is the one that it is about
      CHECK(w.says(kind, j, "no α"));
      CHECK_FALSE(w.says(kind, j, "what the past shrinks by"));
    }
  }
  // The row of S that was made stays on chip while the next K tile comes.
  CHECK(w.says(LoadK, 3, "2 tiles on chip"));
  CHECK_FALSE(w.says(Accumulate, 2, "unnormalised"));  // its weights were divided before
}

TEST_CASE("An alpha that no line uses is told so") {
  OwnWalk start("why-alpha", false);
  CHECK(start.says(StepKind::RowMax, 2, "made here and never used"));
  CHECK(start.says(StepKind::RowMax, 2, "but nothing that was summed shrinks."));
  OwnWalk solved("why-alpha", true);
  CHECK(solved.says(StepKind::RowMax, 2, "what the past shrinks by"));
  CHECK(solved.says(StepKind::RowMax, 2, "so all that was summed shrinks."));
  CHECK(solved.says(StepKind::Accumulate, 2, "unnormalised"));
}

}  // namespace tilewalk::test_own_stage
