// X at every beat of the lessons: where it offers to break something, the board says something else afterwards.
#include "app/boards/board.h"
#include "app/session/breaking.h"
#include "app/session/lesson_moves.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace tilewalk::test_breaking {

namespace {

// The sentence over the board and the numbers of it.
std::string said_by_board(const Session& session, const ViewState& view) {
  const Board& board = *board_named(view.board.board);
  const Exhibit exhibit{view.board, session, view, board};
  std::string all = board.caption(exhibit);
  for (const Reading& reading : board.readings(exhibit))
    all += fmt::format("\n{} {} {:.9g}", reading.id, reading.label, reading.quantity.value);
  return all;
}

}  // namespace

TEST_CASE("X is offered where what it breaks is seen, and says elsewhere where it would be") {
  int offered = 0, elsewhere = 0;
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    if (!entry.lesson) continue;
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id));
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      show_beat(session, view, beat);
      INFO(entry.lesson->id, ", beat ", beat + 1);
      const size_t faults = faults_on_stage(view).size();
      CHECK((faults > 0 || entry.lesson->beats[size_t(beat)].breaks.empty()));
      if (faults == 0) {
        CHECK(break_words(view).empty());
        break_next(session, view);
        ++elsewhere;
        CHECK((view.notice.starts_with("Nothing breaks here. ") || view.notice == "This lesson breaks nothing."));
        continue;
      }
      for (size_t k = 0; k < faults; ++k) {
        mend(session, view);
        if (view.board.board.empty()) break;  // of a walk what is broken is its arithmetic
        const std::string whole = said_by_board(session, view);
        view.lesson.broken = int(k);
        break_next(session, view);
        INFO(broken_words(view));
        CHECK(said_by_board(session, view) != whole);
        ++offered;
      }
      mend(session, view);
    }
  }
  CHECK(offered > 40);
  CHECK(elsewhere > 40);
}

}  // namespace tilewalk::test_breaking
