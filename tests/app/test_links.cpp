// Links: their text there and back, every place of the program to a link and from it, and what becomes of links that
// are wrong, old, new or too much.
#include "app/session/commands.h"
#include "app/session/fields.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "core/lesson/glossary.h"
#include "app/session/open_file.h"
#include "app/session/playback.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "app/boards/board.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace tilewalk::test_links {

namespace {

std::shared_ptr<const Course> lessons() {
  static const std::shared_ptr<const Course> course = [] {
    auto all = std::make_shared<Course>();
    all->open({TILEWALK_SOURCE_DIR "/lessons/en"});
    return all;
  }();
  return course;
}

struct Seat {
  Session session;
  ViewState view;
  Seat() {
    view.lesson.course = lessons();
    view.lesson.cache = std::make_shared<LessonCache>();
  }
  Opened open(std::string_view text) { return open_link(text, session, view); }
  LinkHere here() const { return link_here(session, view); }
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The same place, as far as a link can say.
void check_same(const Seat& a, const Seat& b) {
  CHECK(a.view.lesson.id == b.view.lesson.id);
  if (!a.view.lesson.id.empty()) CHECK(a.view.lesson.beat == b.view.lesson.beat);
  CHECK(a.view.board.board == b.view.board.board);
  CHECK(a.view.tab == b.view.tab);
  if (const Board* board = board_named(a.view.board.board)) {
    for (const Knob& knob : board->knobs)
      CHECK_MESSAGE(knob_value(*board, a.view.board, knob.id) == knob_value(*board, b.view.board, knob.id), knob.id);
    if (board->steps) CHECK(a.view.board.step == b.view.board.step);
    return;
  }
  CHECK(a.session.problem() == b.session.problem());
  CHECK(a.session.setup().schedule == b.session.setup().schedule);
  CHECK(a.session.setup().variant == b.session.setup().variant);
  CHECK(a.session.setup().compared == b.session.setup().compared);
  CHECK(a.session.setup().machine == b.session.setup().machine);
  CHECK(a.session.input_hash() == b.session.input_hash());
  CHECK(a.view.playhead == b.view.playhead);
  CHECK(a.view.row == b.view.row);
}

// To a link and back, in a program that was just started.
void check_round_trip(const Seat& seat) {
  const LinkHere here = seat.here();
  CAPTURE(here.text);
  CHECK(here.remark == "");
  CHECK(is_link(here.text));
  CHECK(here.text.size() < kLongestLink);
  Seat other;
  const Opened opened = other.open(here.text);
  CHECK(opened.there);
  CHECK(opened.words == "");
  check_same(seat, other);
  CHECK(other.here().text == here.text);
}

}  // namespace

TEST_CASE("a link's text is read and written alike") {
  Link link;
  link.place = Link::Place::Lesson;
  link.name = "a b/c?d";
  link.beat = 3;
  link.step = 37;
  link.keys = {{"at", "first rescale of Q tile 1"}, {"x", "50%&=#+"}, {"empty", ""}, {"m", "α − 1"}};
  const ReadLink read = read_link("  " + link_text(link) + "\n");
  CHECK(read.fault == "");
  CHECK(read.link == link);

  CHECK(read_link("TileWalk:walk/step/5").link.step == 5);  // as other programs may hand it on
  CHECK(read_link("tilewalk://walk/step/5?N=64#there").link.keys.size() == 1);
  CHECK(read_link("tilewalk://walk?v=7").link.version == 7);
  const ReadLink asked = read_link("tilewalk://lesson/8/beat/4?step=40");  // as others write it
  CHECK(asked.link.step == 40);
  CHECK(asked.link.keys.empty());
  CHECK(read_link("tilewalk://lesson/8/step/3?step=40").link.step == 3);
  CHECK(*read_link("tilewalk://walk?N=1&N=2").link.find("N") == "2");
}

TEST_CASE("what is no link says so in a sentence") {
  const std::string longest = "tilewalk://walk?x=" + std::string(kLongestLink, 'a');
  for (const auto& [text, words] :
       std::vector<std::pair<std::string, std::string>>{{"", "is no link"},
                                                        {"http://example.org", "is no link"},
                                                        {"tilewalk://", "which is no place here"},
                                                        {"tilewalk://moon/3", "\"moon\""},
                                                        {"tilewalk://lesson", "does not say which lesson"},
                                                        {"tilewalk://board/", "does not say which board"},
                                                        {"tilewalk://lesson/6/beat/two", "must be a whole number"},
                                                        {"tilewalk://walk/step/", "must be a whole number"},
                                                        {longest, "4096 at most"}}) {
    CAPTURE(text);
    CHECK(contains(read_link(text).fault, words));
    Seat seat;
    seat.view.playhead = 5;
    CHECK_FALSE(seat.open(text).there);
    CHECK(seat.view.playhead == 5);
  }
}

TEST_CASE("a walk goes to a link and comes back") {
  for (const std::string_view words :
       {"", "schedule=fa1&N=24&d=4&Br=8&Bc=4&mask=causal&seed=7",
        "schedule=standard&N=20&Nq=12&align=top-left&mask=causal", "schedule=fa3&compare=fa2&N=32",
        "schedule=fa2-backward&N=8&d=2&Br=4&Bc=2", "Nq=16&N=8&seed=18446744073709551615", "preset=micro&schedule=fa1",
        "preset=causal&arithmetic=kernel&format=bf16&distribution=outliers&scale=0.3",
        "variant=kernel&machine=h100&fault=no-rescale", "inputs=trained-head&layer=2&head=3&Br=8&schedule=fa1"}) {
    CAPTURE(words);
    Seat seat;
    const Opened opened = seat.open(fmt::format("tilewalk://walk/step/9?{}&row=3&view=numbers", words));
    CHECK(opened.there);
    const bool one_row = seat.session.problem().n_q == 1;  // row 3 is clamped there
    CHECK(opened.words == (one_row ? "Row 3 is out of range; 1 is taken." : ""));
    CHECK(seat.view.playhead == 9);
    CHECK(seat.view.row == (one_row ? 0 : 2));
    CHECK(seat.view.tab == Tab::Numbers);
    check_round_trip(seat);
  }
}

TEST_CASE("a walk's link names its first row where another one would be followed without it") {
  for (const auto& [words, named] :
       {std::pair("N=8&d=4&Br=4&Bc=4", true), std::pair("N=8&d=4&schedule=standard", false)}) {
    CAPTURE(words);
    Seat seat;
    CHECK(seat.open(fmt::format("tilewalk://walk?{}", words)).there);
    CHECK(contains(seat.here().text, "row=1") == named);
    seat.view.row = 1;
    CHECK(contains(seat.here().text, "row=2"));
  }
}

TEST_CASE("every beat of every lesson goes to a link and comes back") {
  for (const CourseEntry& entry : lessons()->entries()) {
    REQUIRE(entry.lesson);
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      CAPTURE(entry.lesson->id);
      CAPTURE(beat);
      Seat seat;
      REQUIRE(open_lesson(seat.session, seat.view, entry.lesson->id, beat));
      check_round_trip(seat);
      // And with something turned.
      if (const Board* board = board_named(seat.view.board.board); board && !board->knobs.empty())
        turn_to(*board, seat.view.board, board->knobs[0].id, board->knobs[0].most);
      else
        go_forward(seat.session, seat.view, Unit::Tile), seat.view.phase = 1;
      check_round_trip(seat);
    }
  }
}

TEST_CASE("every board goes to a link and comes back, and leaving it leads to where one was") {
  for (const Board* board : boards()) {
    CAPTURE(board->id);
    Seat seat;
    REQUIRE(open_lesson_numbered(seat.session, seat.view, 3, 1));
    CHECK(seat.open(fmt::format("tilewalk://board/{}", board->id)).there);
    for (const Knob& knob : board->knobs) turn_to(*board, seat.view.board, knob.id, knob.most);
    check_round_trip(seat);
    leave_tool(seat.view);
    CHECK(seat.view.lesson.beat == 1);
    CHECK_FALSE(seat.view.lesson.id.empty());
  }
}

TEST_CASE("a step of a lesson without a beat, as people write it") {
  Seat seat;
  const Opened opened =
      seat.open("tilewalk://lesson/7/step/37?N=64&d=16&Br=16&Bc=16&mask=causal&seed=7&view=numbers&v=1");
  CHECK(opened.there);
  CHECK(opened.words == "");
  CHECK(lesson_on_show(seat.view)->number == 7);
  CHECK(seat.view.board.board == "");
  CHECK(seat.session.problem().n_q == 64);
  CHECK(seat.session.problem().d == 16);
  CHECK(seat.session.problem().mask == Mask::Causal);
  CHECK(seat.session.problem().seed == 7);
  CHECK(seat.view.playhead == 37);
  CHECK(seat.view.tab == Tab::Numbers);
  check_round_trip(seat);

  // Lesson 6 has no walk of its own: one stands beside its text.
  Seat six;
  CHECK(six.open("tilewalk://lesson/6/step/37?N=64&d=16&Br=16&Bc=16&mask=causal&seed=7").there);
  CHECK(lesson_on_show(six.view)->number == 6);
  CHECK(six.view.board.board == "");
  CHECK(six.view.playhead == 37);
  check_round_trip(six);

  Seat words;
  CHECK(words.open("tilewalk://walk?at=first%20rescale+of+Q+tile+2").words == "");
  CHECK(words.view.playhead > 0);
}

TEST_CASE("what is too much is clamped and said; what is not known is left out") {
  Seat seat;
  const Opened opened = seat.open(
      "tilewalk://walk/step/99999999999999999999?Br=0&N=16&row=400&mask=round&flavour=salt&seed=x&schedule=fa9&v=3");
  CHECK(opened.there);
  for (const std::string_view part : {"newer Tilewalk (version 3", "Br 0 is out of range; 1 is taken.",
                                      "Row 400 is out of range; 16", "\"round\"", "is out of range; ", "\"fa9\""}) {
    CAPTURE(part);
    CHECK(contains(opened.words, part));
  }
  CHECK_FALSE(contains(opened.words, "flavour"));
  CHECK(seat.view.notice == opened.words);
  CHECK(seat.session.problem().br == 1);
  CHECK(seat.session.problem().seed == 4);
  CHECK(seat.view.playhead == seat.session.walk().replay.length());
  CHECK(seat.view.row == 15);

  Seat board;
  CHECK(contains(board.open("tilewalk://board/clocks?N=1e99&gpu=no-such-gpu").words, "N 1e99 is out of range"));
  Seat beat;
  CHECK(beat.open("tilewalk://lesson/7/beat/99").words.starts_with("Beat 99 is out of range; 9 is taken."));
  CHECK(beat.view.lesson.beat == 8);

  // More than can be walked: the walk that is there stays, and the words say why.
  Seat large;
  const Opened too_large = large.open("tilewalk://walk/step/3?N=1000000&Br=1&Bc=1");
  CHECK(too_large.there);
  CHECK(too_large.words != "");
  CHECK(large.session.problem().n_q == 16);
}

TEST_CASE("a link to what is gone changes nothing and says so") {
  for (const std::string_view text :
       {"tilewalk://lesson/42", "tilewalk://lesson/no-such-lesson/beat/2", "tilewalk://board/no-such-board"}) {
    CAPTURE(text);
    Seat seat;
    REQUIRE(open_lesson_numbered(seat.session, seat.view, 2, 1));
    const std::string before = seat.here().text;
    const Opened opened = seat.open(text);
    CHECK_FALSE(opened.there);
    CHECK(contains(opened.words, "which is not here"));
    CHECK(seat.here().text == before);
  }
  Seat none;  // without lessons at all
  none.view.lesson.course = nullptr;
  CHECK_FALSE(none.open("tilewalk://lesson/1").there);
}

TEST_CASE("the go-to field takes links and steps of lessons") {
  Seat seat;
  CHECK(go_anywhere("7.2", seat.session, seat.view) == "");
  CHECK(lesson_on_show(seat.view)->number == 7);
  CHECK(seat.view.lesson.beat == 1);
  CHECK(go_anywhere("7/37", seat.session, seat.view) == "");
  CHECK(lesson_on_show(seat.view)->number == 7);
  CHECK(seat.view.playhead == 37);
  CHECK(go_anywhere("12", seat.session, seat.view) == "");
  CHECK(seat.view.playhead == 12);
  CHECK(lesson_on_show(seat.view)->number == 7);
  CHECK(go_anywhere("tilewalk://walk/step/3", seat.session, seat.view) == "");
  CHECK(seat.view.lesson.id == "");
  CHECK(seat.view.playhead == 3);
  CHECK(contains(go_anywhere("99.1", seat.session, seat.view), "no lesson 99"));
  CHECK(contains(go_anywhere("99/1", seat.session, seat.view), "which is not here"));
  CHECK(go_anywhere("nonsense", seat.session, seat.view) != "");
  CHECK(seat.view.playhead == 3);
}

TEST_CASE("the go-to field finds a word's meaning and a lesson's title") {
  Seat seat;
  CHECK(go_anywhere("Ridge", seat.session, seat.view) == "");
  CHECK(is_open<WordSheet>(seat.view));
  CHECK(std::get<WordSheet>(seat.view.over).filter == "ridge");
  CHECK(go_anywhere("n×n that never", seat.session, seat.view) == "");
  REQUIRE(lesson_on_show(seat.view));
  CHECK(lesson_on_show(seat.view)->number == 3);
  // What happens in the walk goes before a word of the same name.
  seat = Seat();
  REQUIRE(term_named("rescale"));
  CHECK(go_anywhere("rescale", seat.session, seat.view) == "");
  CHECK_FALSE(is_open<WordSheet>(seat.view));
  CHECK(seat.view.playhead > 0);
  CHECK(go_anywhere("cau", seat.session, seat.view) != "");  // too few letters for a title
}

TEST_CASE("the go-to field finds a beat by its title, on a board without steps too") {
  Seat seat;
  for (const bool board : {false, true}) {
    CAPTURE(board);
    if (board) REQUIRE(go_anywhere("lesson 1", seat.session, seat.view) == "");
    REQUIRE(seat.view.board.board.empty() != board);
    CHECK(go_anywhere("tall or flat", seat.session, seat.view) == "");
    REQUIRE(beat_on_show(seat.view));
    CHECK(contains(beat_on_show(seat.view)->title, "all or flat"));
  }
}

TEST_CASE("numbers of one's own do not travel, and that is said") {
  Seat seat;
  REQUIRE(seat.session.edit(Tensor::K, 0, 0, 3).empty());
  const LinkHere here = seat.here();
  CHECK(contains(here.remark, "Numbers of your own stay here"));
  Seat other;
  CHECK(other.open(here.text).there);
  CHECK(other.session.problem().n_q == seat.session.problem().n_q);
  CHECK(other.session.problem().distribution == Distribution::Normal);

  REQUIRE(run_command("copy-link", seat.session, seat.view));
  CHECK(seat.view.wishes.copy == here.text);
  CHECK(contains(seat.view.notice, "on the clipboard"));
  CHECK(contains(seat.view.notice, here.remark));
}

TEST_CASE("a key that stands twice is told, and the last counts") {
  Seat seat;
  const Opened opened = seat.open("tilewalk://walk?N=32&seed=3&N=64&seed=4");
  CHECK(opened.there);
  CHECK_MESSAGE(contains(opened.words, "\"N\", \"seed\" stand more than once"), opened.words);
  CHECK(contains(opened.lost, "more than once"));
  CHECK(seat.session.problem().n_k == 64);
  CHECK(seat.open("tilewalk://walk?N=32&seed=3").words == "");
}

TEST_CASE("what a link says and nobody can honour is told") {
  Seat seat;
  for (const auto& [link, word] :
       {std::pair{"tilewalk://walk/step/3/step/4", "step/4"}, std::pair{"tilewalk://walk#x?N=3", "#x?N=3"},
        std::pair{"tilewalk://walk?=5", "=5"}, std::pair{"tilewalk://lesson/1/beat/1/beat/2", "beat/2"}}) {
    const Opened opened = seat.open(link);
    CHECK(opened.there);
    CHECK_MESSAGE(contains(opened.lost, word), opened.lost);
  }
}

TEST_CASE("the kernel's source is a place: there and back by link, by key and by choice") {
  Seat seat;
  CHECK(seat.open("tilewalk://walk/step/20?schedule=fa2&source=tiled").lost == "");
  CHECK(seat.view.source.shown(Method::Fa2) == Method::Tiled);
  CHECK(contains(seat.here().text, "source=tiled"));
  seat.view.source.scroll = 0.5f;
  CHECK(run_command("part-forward", seat.session, seat.view));
  CHECK(seat.view.source.scroll < 0);  // it follows the step again
  CHECK(run_command("source", seat.session, seat.view));
  CHECK_FALSE(seat.view.source.shown(Method::Fa2));
  CHECK_FALSE(contains(seat.here().text, "source="));
  REQUIRE(apply_choice(seat.session, seat.view, "source", "naive").empty());
  CHECK(seat.view.source.shown(Method::Fa2) == Method::Naive);
  CHECK(seat.view.source.shown(Method::Fa3) == Method::Fa3);  // which the choice is not of
  CHECK_FALSE(seat.view.source.shown(Method::Fa1Backward));   // no kernel runs it
  REQUIRE(apply_choice(seat.session, seat.view, "source", "steps").empty());
  CHECK_FALSE(seat.view.source.open);
  const Opened wrong = seat.open("tilewalk://walk?schedule=fa3&source=naive");
  CHECK_MESSAGE(contains(wrong.lost, "There is no source \"naive\" of this schedule."), wrong.lost);
}

}  // namespace tilewalk::test_links
