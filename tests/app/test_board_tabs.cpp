// Explain and Numbers where a board has the stage: every board of the program has its derivation, its numbers are the
// board's, and what a question asks for stands in neither.
#include "app/boards/board.h"
#include "app/session/lesson_names.h"
#include "core/lesson/board_words.h"
#include "core/lesson/glossary.h"
#include "tests/app/learner.h"

#include <algorithm>

namespace tilewalk::test_board_tabs {

namespace {

// What ends a sentence, in the text of its spans. A colon begins another clause, not another sentence.
int sentences(const Prose& prose) {
  int count = 0;
  for (const Block& block : prose) {
    std::string text;
    for (const Span& span : block.spans) text += span.kind == Span::Kind::Text ? span.text : "x";
    for (size_t k = 0; k < text.size(); ++k)
      count += (text[k] == '.' || text[k] == '?') && (k + 1 == text.size() || text[k + 1] == ' ');
  }
  return count;
}

std::string all_labels(Learner& learner) {
  std::string text;
  const Scene scene = learner.scene();
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item)) text += label->text + "\n";
  return text;
}

}  // namespace

TEST_CASE("every board says how its picture is derived, in words and numbers that hold") {
  Session session;
  const Lesson none;
  for (const Board* board : boards()) {
    CAPTURE(board->id);
    const Prose* prose = explanation_of_board(board->id);
    REQUIRE(prose);
    CHECK(sentences(*prose) >= 5);
    CHECK(sentences(*prose) <= 10);
    ViewState view;
    view.board.board = board->id;
    for (const Block& block : *prose)
      for (const Span& span : block.spans) {
        if (span.target.starts_with("term:")) CHECK_MESSAGE(term_named(span.target.substr(5)), span.target);
        if (span.kind == Span::Kind::Text) CHECK_MESSAGE(span.text.find("{{") == std::string::npos, span.text);
        if (span.kind != Span::Kind::Quantity) continue;
        const Evaluated value = value_of(span.text, none, nullptr, "", session, view);
        REQUIRE_MESSAGE(value.quantity, span.text, ": ", value.fault);
        CHECK_MESSAGE(format_quantity(*value.quantity, span.format), span.format);
      }
  }
  CHECK(explanation_of_board("no-such-board") == nullptr);
}

TEST_CASE("a file of boards' words is read by its headings") {
  const auto sections = read_board_words("left out\n## one\n\nFirst.\n\n## two\nSecond.");
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].first == "one");
  REQUIRE(sections[1].second.size() == 1);
  CHECK(sections[1].second[0].spans.at(0).text == "Second.");
  CHECK(sections[1].second[0].line == 7);
}

TEST_CASE("on a board beat Explain derives and Numbers lists, but neither answers an open question") {
  Learner l;
  REQUIRE(open_lesson_numbered(l.session, l.view, 1, 1));
  REQUIRE(l.view.board.board == "clocks");
  l.view.tab = Tab::Explain;
  CHECK(all_labels(l).find("two jobs") != std::string::npos);
  l.view.tab = Tab::Numbers;
  std::string numbers = all_labels(l);
  for (const Reading& reading :
       board_named("clocks")->readings(Exhibit{l.view.board, l.session, l.view, *board_named("clocks")})) {
    CHECK_MESSAGE(numbers.find(reading.label) != std::string::npos, reading.label);
    CHECK(numbers.find(*format_quantity(reading.quantity, "")) != std::string::npos);
  }
  // The choice of the fourth beat covers the time.
  REQUIRE(open_lesson_numbered(l.session, l.view, 1, 3));
  REQUIRE_FALSE(l.view.board.covered.empty());
  l.view.tab = Tab::Explain;
  const std::string held = all_labels(l);
  CHECK(held.find("two jobs") != std::string::npos);
  CHECK(held.find("slower one sets") == std::string::npos);
  CHECK(held.find("The rest answers a question") != std::string::npos);
  // A number that is asked for is none of them either.
  open_lesson_numbered(l.session, l.view, 1, 1);
  l.view.tab = Tab::Explain;
  l.view.board.covered = {"time"};
  const auto tips = [&] {
    const Scene scene = l.scene();
    return std::ranges::count_if(scene.regions, [](const Region& r) { return r.tip.find("268 MFLOP") == 0; });
  };
  CHECK(tips() == 1);
  l.view.board.covered = {"flop"};
  CHECK(tips() == 0);
  open_lesson_numbered(l.session, l.view, 1, 3);
  l.view.tab = Tab::Numbers;
  CHECK(all_labels(l).find("asked for by a question") != std::string::npos);
}

}  // namespace tilewalk::test_board_tabs
