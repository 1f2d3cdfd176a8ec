// Puzzles of Write: begun, hinted at, solved, left and come back to.
#include "app/session/commands.h"
#include "app/session/fields.h"
#include "app/session/update.h"
#include "app/state/written.h"
#include "core/puzzle/puzzle.h"
#include "tests/app/writer.h"

namespace tilewalk::test_write_puzzles {

TEST_CASE("a puzzle is told from its start to its solution, hints come one by one") {
  Writer w;
  for (const auto& puzzle : shipped_puzzles()) {
    CAPTURE(puzzle->id);
    update(w.session, w.view, BeginPuzzle{puzzle->id});
    REQUIRE(w.view.write.puzzle == puzzle);
    CHECK_FALSE(w.view.write.solved.contains(puzzle->id));
    CHECK(w.session.problem().mask == puzzle->problem.mask);
    for (int k = 1; k <= kHints; ++k) {
      CHECK(run_command("hint", w.session, w.view));
      CHECK(w.view.write.hints == k);
    }
    CHECK_FALSE(run_command("hint", w.session, w.view));
    if (puzzle->own_tiles) {  // the form's tiles count
      REQUIRE(apply_field(w.session, w.view, "br", "240").empty());
      REQUIRE(apply_field(w.session, w.view, "bc", "8").empty());
      settle(w.session, w.view);
      CHECK(w.view.write.solved.contains(puzzle->id));
      continue;
    }
    replace_all(w.view.write.program, puzzle->solution.text);
    run_written(w.session, w.view);
    CHECK(w.view.write.solved.contains(puzzle->id));
  }
}

TEST_CASE("A puzzle that is solved offers the next one that is not") {
  Writer w;
  const auto all = shipped_puzzles();
  REQUIRE(all.size() > 2);
  w.view.write.solved = {all[1]->id};
  update(w.session, w.view, BeginPuzzle{all[0]->id});
  const auto offered = [&](const auto& puzzle) { return w.scene().find("begin-puzzle:" + puzzle->id) != nullptr; };
  CHECK_FALSE(offered(all[2]));
  replace_all(w.view.write.program, all[0]->solution.text);
  run_written(w.session, w.view);
  CHECK_FALSE(offered(all[1]));
  CHECK(offered(all[2]));
  for (const auto& puzzle : all) w.view.write.solved.insert(puzzle->id);
  CHECK_FALSE(offered(all[2]));
}

TEST_CASE("Each puzzle has a text of its own: what is undone is undone in it, and what is left is there again") {
  Writer w;
  const std::string own = w.text();
  REQUIRE(begin_puzzle_named(w.session, w.view, "streaming-max"));
  const std::string first = w.text();
  w.type("# mine");
  const std::string mine = w.text();
  REQUIRE(mine != first);
  run_command("hint", w.session, w.view);
  REQUIRE(begin_puzzle_named(w.session, w.view, "keep-p"));
  const std::string second = w.text();
  CHECK(second != mine);
  CHECK(w.view.write.hints == 0);
  for (int k = 0; k < 5; ++k) w.ctrl(U'z');
  CHECK(w.text() == second);
  REQUIRE(begin_puzzle_named(w.session, w.view, "streaming-max"));
  CHECK(w.text() == mine);
  CHECK(w.view.write.hints == 1);
  // The puzzle that is on show begins anew, which can be taken back.
  REQUIRE(begin_puzzle_named(w.session, w.view, "streaming-max"));
  CHECK(w.text() == first);
  w.ctrl(U'z');
  CHECK(w.text() == mine);
  // One's own text likewise.
  begin_program(w.session, w.view, "fa1");
  CHECK(w.text() != own);
  CHECK_FALSE(w.view.write.puzzle);
  w.ctrl(U'z');
  CHECK(w.text() == own);
}

TEST_CASE("A puzzle's goals stay in their place while its program is typed, whatever can be read of it") {
  for (const Vec2 size : {Vec2{1280, 720}, {1920, 1080}, {3840, 2160}})
    for (const auto& puzzle : shipped_puzzles()) {
      CAPTURE(puzzle->id);
      CAPTURE(size.x);
      Writer w;
      w.fit(size);
      w.view.monitor_scale = size.x >= 3000 ? 2 : 1;
      REQUIRE(begin_puzzle_named(w.session, w.view, puzzle->id));
      replace_all(w.view.write.program, "");
      run_written(w.session, w.view);
      const auto goals = [&] {
        std::vector<float> tops;
        for (const Item& item : w.scene().items)
          if (const auto* label = std::get_if<Label>(&item);
              label && (label->text.find("wanted at") != std::string::npos || label->text.starts_with("It ") ||
                        label->text.starts_with("Without ")))
            tops.push_back(label->slot.y);
        return tops;
      };
      const auto rows = [&] {
        const Rect r = w.scene().find(kWriteText)->rect;
        return std::pair(r.y, r.h);
      };
      const auto first = goals();
      const auto room = rows();
      CHECK(first.size() == puzzle->goals.size());
      const std::string& solution = puzzle->solution.text;
      for (size_t end = 0; end < solution.size(); end += 29) {
        w.view.write.program.text = solution.substr(0, end);
        w.view.write.program.caret = w.view.write.program.anchor = end;
        run_written(w.session, w.view);
        CHECK(goals() == first);
        CHECK(rows() == room);
      }
      w.view.write.program.text = solution;
      run_written(w.session, w.view);
      CHECK(goals() == first);
      CHECK(rows().first == room.first);  // what it takes comes below it
    }
}

}  // namespace tilewalk::test_write_puzzles
