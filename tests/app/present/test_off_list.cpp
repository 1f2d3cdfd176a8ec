// A question from the room: leaving the set list, coming back in one press, and whose notes are shown meanwhile; the
// same step with other numbers; and keys that do nothing here and say so.
#include "app/panels/presenter.h"
#include "app/panels/room_question.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "app/session/transport.h"
#include "app/session/turn_walk.h"
#include "app/session/typing.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_off_list {

namespace {

const char* const kTalk =
    "tilewalk://lesson/6/beat/1  # begin here\n"
    "tilewalk://lesson/6/beat/2  # wait for silence\n"
    "tilewalk://walk/step/12?schedule=fa2&N=64&seed=7\n"
    "tilewalk://board/clocks\n";

struct Talk {
  Session session;
  ViewState view;
  Scene scene;

  explicit Talk(bool present = true) {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(session, view, 7, 1));
    if (!present) return;
    view.present.set = read_set_list(kTalk, "a.set");
    press("F5");
    view.present.screens = Screens::Two;
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, scene, session, view);
  }
  Presentation& p() { return view.present; }
  std::string words() {
    std::string all;
    for (const Item& item : layout_presenter(session, view, {1920, 1080}).items)
      if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  }
};

}  // namespace

TEST_CASE("Off the set list Page Down and Page Up lead back to the stop that was left, and the presenter reads so") {
  for (const char* key : {"Page Down", "Page Up"}) {
    CAPTURE(key);
    Talk talk;
    REQUIRE(open_set_item(talk.session, talk.view, 1));
    CHECK_FALSE(off_set_list(talk.view));
    CHECK(talk.words().find("2 of 4 in the set list") != std::string::npos);
    REQUIRE(present_go_to("9.2", talk.session, talk.view).empty());
    CHECK(off_set_list(talk.view));
    CHECK(talk.words().find("Off the set list. Page Down returns to stop 2.") != std::string::npos);
    CHECK(talk.words().find("in the set list\n") == std::string::npos);
    CHECK(next_title(talk.view) == stop_title(talk.p().set.items[1], talk.view));
    talk.press(key);
    CHECK_FALSE(off_set_list(talk.view));
    CHECK(talk.p().place == 1);
    REQUIRE(lesson_on_show(talk.view));
    CHECK(lesson_on_show(talk.view)->number == 6);
    CHECK(talk.view.lesson.beat == 1);
  }
}

TEST_CASE("A question that is on the wall off the list gets its answer by the clicker before that leads back") {
  for (const char* asks : {"Enter", "Ctrl+P"}) {
    CAPTURE(asks);
    Talk talk;
    REQUIRE(present_go_to("6.3", talk.session, talk.view).empty());
    while (!asked_now(talk.view).question) show_beat(talk.session, talk.view, talk.view.lesson.beat + 1);
    const int beat = talk.view.lesson.beat;
    CHECK(next_in_beat_words(talk.view).empty());
    talk.press(asks);
    REQUIRE(talk.p().question);
    CHECK(next_in_beat_words(talk.view) == "The answer");
    CHECK(talk.words().find("Off the set list. Page Down returns to stop 1.") == std::string::npos);
    talk.press("Page Down");
    CHECK(talk.view.lesson.beat == beat);
    CHECK(settled(talk.view, asked_now(talk.view)));
    if (asked_goes_on(talk.view)) {
      CHECK(next_in_beat_words(talk.view) == "The picture, with the answer");
      talk.press("Page Down");
      CHECK(talk.view.lesson.beat == beat);
    }
    CHECK(talk.words().find("Off the set list. Page Down returns to stop 1.") != std::string::npos);
    talk.press("Page Down");
    CHECK(talk.p().place == 0);
    CHECK(talk.view.lesson.beat == 0);
    // Page Up leads back at once.
    REQUIRE(present_go_to("6.3", talk.session, talk.view).empty());
    talk.press("Ctrl+P");
    talk.press("Page Up");
    CHECK_FALSE(off_set_list(talk.view));
  }
}

TEST_CASE("A question on the beat one went to that nobody asked does not hold the way back up") {
  Talk talk;
  REQUIRE(present_go_to("6.3", talk.session, talk.view).empty());
  while (!asked_now(talk.view).question) show_beat(talk.session, talk.view, talk.view.lesson.beat + 1);
  talk.press("Page Down");
  CHECK(talk.p().place == 0);
  CHECK(talk.view.lesson.beat == 0);
}

TEST_CASE("G to a place of one's own list goes to that stop: the next such, else the nearest before, else it anew") {
  Talk talk(false);
  talk.view.present.set = read_set_list(
      "tilewalk://lesson/6/beat/2\ntilewalk://lesson/5/beat/3\ntilewalk://lesson/6\ntilewalk://board/clocks\n"
      "tilewalk://lesson/6/beat/2\ntilewalk://lesson/5/beat/3\n",
      "a.set");
  talk.press("F5");
  talk.p().screens = Screens::Two;
  for (const auto& [from, words, to] : {std::tuple{3, "5.3", 5},
                                        {0, "5.3", 1},
                                        {5, "6.2", 4},
                                        {4, "6.2", 0},
                                        {3, "6", 2},
                                        {3, "6.1", 2},
                                        {2, "6.1", 2},
                                        {3, "running max", 2}}) {
    CAPTURE(from);
    CAPTURE(words);
    for (const bool elsewhere : {false, true}) {
      REQUIRE(open_set_item(talk.session, talk.view, from));
      if (elsewhere) REQUIRE(present_go_to("9.2", talk.session, talk.view).empty());
      CHECK(present_go_to(words, talk.session, talk.view).empty());
      CHECK(talk.p().place == (elsewhere && from == 4 && words == std::string("6.2") ? 4 : to));
      CHECK_FALSE(off_set_list(talk.view));
    }
  }
  REQUIRE(present_go_to("5.3", talk.session, talk.view).empty());
  const int stop = talk.p().place;
  while (!settled(talk.view, asked_now(talk.view))) talk.press("Page Down");
  CHECK(talk.p().place == stop);
}

TEST_CASE("A question off the list has its answer, countdown and hands on the speaker's side, as one on it has") {
  Talk talk;
  for (const bool by_lesson : {false, true}) {
    CAPTURE(by_lesson);
    if (by_lesson) talk.view.present.set = {}, talk.press("Ctrl+F5"), talk.press("Shift+F5");
    talk.p().screens = Screens::Two;
    REQUIRE(present_go_to("12.3", talk.session, talk.view).empty());
    REQUIRE(asked_now(talk.view).question);
    CHECK(off_stop(talk.view) == !by_lesson);
    const std::string answer = "Answer: " + answer_words(talk.session, talk.view, asked_now(talk.view));
    CHECK(talk.words().find(answer) != std::string::npos);
    talk.press("Enter");
    REQUIRE(talk.p().question);
    talk.scene = layout_presenter(talk.session, talk.view, {1920, 1080});
    CHECK(talk.scene.find("command:countdown"));
    CHECK(talk.scene.find("command:hands"));
    CHECK(talk.words().find(answer) != std::string::npos);
    talk.press("Ctrl+H");
    CHECK(talk.view.editing == "field:hands");
    talk.scene = layout_presenter(talk.session, talk.view, {1920, 1080});
    CHECK(talk.scene.find("field:hands"));
    talk.p().hands_text = "3 4 5";
    finish_typing(talk.session, talk.view);
    CHECK(talk.words().find("A 3, B 4, C 5") != std::string::npos);
    // Once it is revealed hands can still be written down, where one sees what one types.
    talk.press("Enter");
    REQUIRE(settled(talk.view, asked_now(talk.view)));
    talk.press("Ctrl+H");
    CHECK(talk.view.editing == "field:hands");
    talk.scene = layout_presenter(talk.session, talk.view, {1920, 1080});
    CHECK(talk.scene.find("field:hands"));
    talk.view.editing.clear();
  }
}

TEST_CASE("Steps and rows of a stop's own walk are no other place; another lesson's or a tool's are") {
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  CHECK(talk.view.lesson.id.empty());
  talk.press("→");
  talk.press("↓");
  CHECK_FALSE(off_set_list(talk.view));
  talk.press("Ctrl+4");
  CHECK(off_set_list(talk.view));
  talk.press("Page Down");
  CHECK(talk.view.board.board.empty());
  CHECK(talk.view.playhead == 13);  // as it was left
  REQUIRE(open_set_item(talk.session, talk.view, 3));
  CHECK_FALSE(off_set_list(talk.view));
}

TEST_CASE("A stop's note is shown at the stop alone, and apart from the beat's") {
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  CHECK(notes_on_show(talk.view).stop == "wait for silence");
  CHECK(notes_on_show(talk.view).beat == beat_on_show(talk.view)->note);
  REQUIRE(present_go_to("9.2", talk.session, talk.view).empty());
  CHECK(notes_on_show(talk.view).stop.empty());
  CHECK(talk.words().find("wait for silence") == std::string::npos);
}

TEST_CASE("A stop is called by what it leads to, and its note is only a note") {
  Talk talk;
  const std::vector<StopCard> cards = stop_cards(talk.view);
  REQUIRE(cards.size() == 4);
  CHECK(cards[0].title == lesson_on_show(talk.view)->beats[0].title);
  CHECK(cards[1].title == lesson_on_show(talk.view)->beats[1].title);
  CHECK(cards[2].title == "Walk: FA2, N = 64, step 12");
  CHECK(cards[3].title == "Two clocks");
  CHECK(cards[0].now);
  REQUIRE(present_go_to("9.2", talk.session, talk.view).empty());
  for (const StopCard& card : stop_cards(talk.view)) CHECK_FALSE(card.now);
}

TEST_CASE("Other numbers are those of the next seed at the same step and row, and the stop brings its own back") {
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  talk.press("↓");
  const int64_t playhead = talk.view.playhead, row = talk.view.row;
  const uint64_t seed = talk.session.problem().seed, inputs = talk.session.input_hash();
  REQUIRE(playhead == 12);
  REQUIRE(row == 1);
  talk.press("I");
  CHECK(talk.session.problem().seed == seed + 1);
  CHECK(talk.session.input_hash() != inputs);
  CHECK(talk.view.playhead == playhead);
  CHECK(talk.view.row == row);
  CHECK(talk.view.notice == "Seed 8: the same step with other numbers.");
  CHECK_FALSE(off_set_list(talk.view));
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  CHECK(talk.session.input_hash() == inputs);
  // A board has none, nor have numbers that are written down.
  REQUIRE(open_set_item(talk.session, talk.view, 3));
  talk.press("I");
  CHECK(talk.view.notice.find("board") != std::string::npos);
  Talk study(false);
  run_command("free-walk", study.session, study.view);
  study.press("I");
  CHECK(study.view.notice.starts_with("Seed "));
  run_command("preset-micro", study.session, study.view);
  study.press("I");
  CHECK(study.view.notice.find("written down") != std::string::npos);
}

TEST_CASE("A key that does nothing here says why") {
  Talk study(false);
  while (asked_now(study.view).question) show_beat(study.session, study.view, study.view.lesson.beat - 1);
  for (const char* key : {"A", "Ctrl+P", "Ctrl+N"}) {
    CAPTURE(key);
    study.view.notice.clear();
    study.press(key);
    CHECK(study.view.notice.ends_with("."));
  }
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  for (const char* key : {"A", "Ctrl+P"}) {
    CAPTURE(key);
    talk.view.notice.clear();
    talk.press(key);
    CHECK(talk.view.notice.ends_with("."));
  }
}

TEST_CASE("0 and P take the wall for nothing in a talk, and say what does") {
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  for (const char* key : {"0", "P"}) {
    CAPTURE(key);
    talk.press(key);
    CHECK_FALSE(off_set_list(talk.view));
    CHECK(talk.view.lesson.beat == 1);
    CHECK(talk.view.notice.ends_with("."));
    CHECK(talk.view.notice.find("G goes") != std::string::npos);
  }
  talk.press("F1");
  const std::string words = talk.words();
  CHECK(words.find("\nThe beat before\n") == std::string::npos);
  CHECK(words.find("\nA walk of one's own\n") == std::string::npos);
}

TEST_CASE("Esc takes a comparison back before it leads anywhere, one thing at a time") {
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  const Setup prepared = talk.session.setup();
  REQUIRE_FALSE(prepared.compared);
  for (const int times : {1, 2}) {
    for (int k = 0; k < times; ++k) talk.press("D");
    REQUIRE(talk.session.setup().compared);
    const int64_t step = talk.view.playhead;
    talk.press("3");
    talk.press("Esc");
    CHECK(talk.p().tool == Tool::Normal);
    CHECK(talk.session.setup().compared);
    talk.press("Esc");
    CHECK(talk.session.setup() == prepared);
    CHECK(talk.view.playhead == step);
    CHECK(talk.view.notice.find("ends the presentation") == std::string::npos);
    CHECK(talk.p().place == 2);
  }
  talk.press("Esc");
  CHECK(talk.view.notice.find("ends the presentation") != std::string::npos);
  // What the stop itself compares stays.
  talk.p().set = read_set_list("tilewalk://walk/step/12?schedule=fa2&compare=standard&N=64&seed=7\n", "a.set");
  REQUIRE(open_set_item(talk.session, talk.view, 0));
  REQUIRE(talk.session.setup().compared);
  const Setup compares = talk.session.setup();
  talk.press("D");
  REQUIRE(talk.session.setup() != compares);
  talk.press("Esc");
  CHECK(talk.session.setup() == compares);
}

TEST_CASE("The sheet of keys begins with the presenter's, and shows no key that means something else now") {
  Talk talk;
  talk.press("F1");
  REQUIRE(is_open<KeySheet>(talk.view));
  const std::string words = talk.words();
  const size_t first = words.find("\nPresenting\n");
  REQUIRE(first != std::string::npos);
  CHECK(first < words.find("\nStepping\n"));
  CHECK(words.find("\nPlay or pause\n") == std::string::npos);                // Space goes on
  CHECK(words.find("\nExplain: this step in words\n") == std::string::npos);  // 1 is a tool
  CHECK(words.find("\nShift+→ or Page Down\n") == std::string::npos);
  CHECK(words.find("\nPresent from here\n") == std::string::npos);
}

TEST_CASE("The way out of a talk is said after one Esc, as long as it takes to read it") {
  Talk talk;
  pass_presentation_time(talk.view, 5);
  talk.press("Esc");
  CHECK(talk.view.notice == "Esc twice, quickly, ends the presentation; Ctrl+F5 does, too.");
  CHECK(talk.p().on);
  pass_presentation_time(talk.view, 0);
  pass_presentation_time(talk.view, 1.5f * kStopSeconds);
  CHECK_FALSE(talk.view.notice.empty());
  CHECK(seconds_to_presentation_change(talk.view) <= kNoticeSeconds);
  pass_presentation_time(talk.view, kNoticeSeconds);
  CHECK(talk.view.notice.empty());
  // What was said after it stays.
  talk.press("Esc");
  talk.view.notice = "Something else.";
  pass_presentation_time(talk.view, 2 * kNoticeSeconds);
  CHECK(talk.view.notice == "Something else.");
}

TEST_CASE("Lessons of a letter have their titles in a list, and G finds them") {
  Talk talk("tilewalk://lesson/6/beat/2\ntilewalk://lesson/F/beat/3\n");
  const std::string title = stop_title({"tilewalk://lesson/F/beat/3", {}}, talk.view);
  CHECK(title.find("not here") == std::string::npos);
  CHECK(title == stop_title({"tilewalk://lesson/flash-decoding/beat/3", {}}, talk.view));
  REQUIRE(present_go_to("F.4", talk.session, talk.view).empty());
  CHECK(talk.view.lesson.id == "flash-decoding");
  CHECK(talk.view.lesson.beat == 3);
  REQUIRE(present_go_to("r", talk.session, talk.view).empty());
  CHECK(talk.view.lesson.id == "ring-attention");
  CHECK(present_go_to("F.40", talk.session, talk.view).find("has beats 1 to") != std::string::npos);
}

TEST_CASE("A row that its knob turned is left at a stop as one that a key followed") {
  Talk talk("tilewalk://walk/step/12?schedule=fa2&N=16&seed=7\ntilewalk://lesson/6/beat/2\n");
  turn_walk(talk.session, talk.view, WalkKnob::Row, 1);
  const int64_t row = talk.view.row;
  talk.press("→");
  const int64_t step = talk.view.playhead;
  talk.press("Page Down");
  talk.press("Page Up");
  CHECK(talk.view.row == row);
  CHECK(talk.view.playhead == step);
}

}  // namespace tilewalk::test_off_list
