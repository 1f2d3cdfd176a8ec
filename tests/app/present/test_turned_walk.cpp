// What the knobs below a walk say in front of a room, and the lists that they open; where G leads; what stops are
// called in the overview; and sentences that are the speaker's, not a learner's.
#include "app/panels/audience.h"
#include "app/panels/panels.h"
#include "app/panels/presenter.h"
#include "app/scene/layout_check.h"
#include "app/session/breaking.h"
#include "app/session/commands.h"
#include "app/session/go_to.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/same_event.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/transport.h"
#include "app/session/turn_walk.h"
#include "app/session/typing.h"
#include "app/stage/moment.h"
#include "app/stage/story.h"
#include "core/machine/machine_spec.h"

#include "tests/app/learner.h"
#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

namespace tilewalk::test_turned_walk {

namespace {

const char* const kWalks =
    "tilewalk://walk/step/72?schedule=fa2&N=16&d=4&Br=4&Bc=4&mask=causal&seed=3\n"
    "tilewalk://walk/step/0?schedule=fa2&N=16&d=4&seed=3\n";

}  // namespace

TEST_CASE("The knob Row says the row that the wall shows, at every step, and a turn goes on from it") {
  Talk talk(kWalks);
  REQUIRE(talk.view.playhead == 72);
  const auto on_the_wall = [&] {
    const Moment moment = moment_of(talk.session.walk(), talk.view);
    return fmt::format("{}", moment.tile * talk.session.walk().plan().tiling.br + moment.row + 1);
  };
  const auto knob = [&] { return words_of_knob(WalkKnob::Row, talk.session, talk.view); };
  REQUIRE(talk.view.row == 0);
  REQUIRE(on_the_wall() != "1");
  int named = 0;
  for (int64_t at = 0; at <= talk.session.walk().replay.length(); ++at) {
    seek(talk.session.walk(), talk.view, at);
    CAPTURE(at);
    CHECK(knob() == on_the_wall());
    if (at % 5 == 0) named += talk.room().find("ow " + knob()) != std::string::npos;
  }
  CHECK(named > 3);
  seek(talk.session.walk(), talk.view, 72);
  const std::string before = knob();
  talk.click("turn:Row/+");
  CHECK(knob() == on_the_wall());
  CHECK(knob() == fmt::format("{}", std::stoi(before) + 1));
}

TEST_CASE("C keeps a rescale: at the same step, else where some row of the causal walk has one, else it says so") {
  int here = 0, moved = 0, none = 0;
  for (int seed = 0; seed < 40; ++seed) {
    const std::string walk =
        fmt::format("tilewalk://walk/step/0?schedule=fa2&N={}&d=2&Br=4&Bc=4&seed={}\n", seed % 2 ? 8 : 16, seed);
    Talk talk(seed == 0 ? "tilewalk://lesson/7/beat/2\n" : walk.c_str());
    const auto rescaled = [&](int64_t at) {
      seek(talk.session.walk(), talk.view, at);
      for (int64_t row = 0; row < talk.session.problem().n_q; ++row) {
        talk.view.row = row;
        if (event_now(talk.session, talk.view).rescales == true) return true;
      }
      return false;
    };
    const auto length = [&] { return talk.session.walk().replay.length(); };
    int64_t at = seed == 0 ? talk.view.playhead : 1;
    while (seed > 0 && at < length() && !rescaled(at)) ++at;
    if (event_now(talk.session, talk.view).rescales != true) continue;
    const int64_t row = talk.view.row;
    CAPTURE(seed);
    talk.press("C");
    REQUIRE(talk.session.problem().mask == Mask::Causal);
    const int64_t stands = talk.view.playhead, follows = talk.view.row;
    const bool has_it = event_now(talk.session, talk.view).rescales == true;
    const std::string said = talk.view.notice;
    bool anywhere = false;
    for (int64_t k = 1; k <= length() && !anywhere; ++k) anywhere = rescaled(k);
    CHECK(has_it == anywhere);
    CHECK((said.find("no row of this walk is rescaled") == std::string::npos) == anywhere);
    here += has_it && said.find("the same step") != std::string::npos;
    moved += has_it && said.find("No row of this tile is rescaled here") != std::string::npos;
    none += !has_it;
    seek(talk.session.walk(), talk.view, stands);
    talk.view.row = follows;
    talk.press("C");
    CHECK(talk.view.playhead == at);
    CHECK(talk.view.row == row);
    CHECK(event_now(talk.session, talk.view).rescales == true);
  }
  CHECK(here > 0);
  CHECK(moved > 0);
  CHECK(none > 0);
}

TEST_CASE("C at a stop goes by that stop alone, whatever was turned at the one before it") {
  const char* const kSet = "tilewalk://lesson/4/beat/4\ntilewalk://lesson/8/beat/5\n";
  const auto to_stop = [](Talk& talk, int place, bool clicker) {
    for (int k = 0; clicker && k < 9 && talk.p().place != place; ++k)
      talk.press(place > talk.p().place ? "Page Down" : "Page Up");
    if (!clicker) {
      talk.press("G");
      typed_into(talk.view.editing, place == 0 ? "4.4" : "8.5", talk.view);
      finish_typing(talk.session, talk.view);
    }
    REQUIRE(talk.p().place == place);
    talk.p().question = false;
  };
  for (const int from : {0, 1})
    for (const char* key : {"C", "I"})
      for (const bool clicker : {true, false}) {
        CAPTURE(from);
        CAPTURE(key);
        CAPTURE(clicker);
        Talk alone(kSet), after(kSet);
        for (Talk* talk : {&alone, &after}) {
          to_stop(*talk, from, false);
          if (talk == &after) talk->press(key);
          to_stop(*talk, 1 - from, clicker);
          talk->press("C");
        }
        CHECK(after.view.playhead == alone.view.playhead);
        CHECK(after.view.row == alone.view.row);
        CHECK(after.view.notice == alone.view.notice);
        CHECK(after.room() == alone.room());
      }
}

TEST_CASE("That a turn has kept the step is said only where it has") {
  int same = 0, other = 0;
  for (int seed = 1; seed < 12; ++seed)
    for (const char* keys : {"C", "CC", "CI", "CIC"}) {
      Talk talk(fmt::format("tilewalk://walk/step/0?schedule=fa2&N=16&d=2&Br=4&Bc=4&seed={}\n", seed).c_str());
      for (int64_t at = 2; at < talk.session.walk().replay.length(); at += 7) {
        CAPTURE(seed);
        CAPTURE(keys);
        CAPTURE(at);
        talk.press("Ctrl+Backspace");
        seek(talk.session.walk(), talk.view, at);
        Step before = *event_now(talk.session, talk.view).step;
        for (const char key : std::string_view(keys)) {
          before = *event_now(talk.session, talk.view).step;
          talk.press(std::string(1, key));
        }
        const Step now = *event_now(talk.session, talk.view).step;
        const bool stays = now.kind == before.kind && same_visit(now, before);
        CAPTURE(talk.view.notice);
        if (talk.view.notice.find("the same step") != std::string::npos) CHECK(stays);
        (stays ? same : other) += 1;
      }
    }
  CHECK(same > 0);
  CHECK(other > 0);
}

TEST_CASE("V keeps the rescale that a stop is about: its alpha stays on the wall, or it is said why not") {
  // FA3's sum of the product comes once the scores of the next tile are there, which hide alpha.
  Talk talk("tilewalk://lesson/7/beat/2\ntilewalk://walk/step/0?schedule=fa2&N=16&d=2&Br=4&Bc=4&seed=3\n");
  const auto alpha = [&] { return event_now(talk.session, talk.view).rescales == true; };
  for (const int stop : {0, 1}) {
    CAPTURE(stop);
    REQUIRE(open_set_item(talk.session, talk.view, stop));
    const auto next_rescale = [&](StepKind kind) {
      for (int64_t at = talk.view.playhead + 1; at <= talk.session.walk().replay.length(); ++at) {
        if (talk.session.walk().replay.steps()[size_t(at - 1)].kind != kind) continue;
        seek(talk.session.walk(), talk.view, at);
        for (talk.view.row = 0; talk.view.row < talk.session.problem().n_q; ++talk.view.row)
          if (alpha()) return true;
      }
      return false;
    };
    if (stop == 1) REQUIRE(next_rescale(StepKind::Accumulate));
    REQUIRE(alpha());
    const int64_t step = talk.view.playhead, row = talk.view.row;
    int lost = 0;
    for (size_t k = 0; k < schedules().size(); ++k) {
      talk.press("V");
      const std::string name(schedule_of(talk.session.setup()).name), said = talk.view.notice;
      CAPTURE(name);
      CAPTURE(said);
      const bool says_none = said.find("With it no row of this walk is rescaled.") != std::string::npos;
      CHECK(alpha() == !says_none);
      lost += says_none;
      if (says_none) CHECK(said.starts_with(name + "."));
      // What the room sees, in the column of alpha.
      const Moment now = moment_of(talk.session.walk(), talk.view);
      const Resident* made = now.after.find(Tensor::Alpha);
      const int32_t slot = newest_slot(talk.session.walk(), talk.view.playhead, StepKind::LoadK);
      const Resident* k_tile = now.after.find(Tensor::K, slot);
      if (alpha()) {
        REQUIRE(made);
        CHECK(made->data->at(now.row, 0) < 1);
        if (k_tile) CHECK(k_tile->j == made->j);
      }
    }
    CHECK(lost == 1);  // standard attention
    CHECK(talk.session.setup().schedule == Method::Fa2);
    CHECK(talk.view.playhead == step);
    CHECK(talk.view.row == row);
  }
}

TEST_CASE("V keeps what a stop of a backward pass is about, its tiles and its row") {
  using enum StepKind;
  struct Kept {
    const char* at;
    std::vector<std::pair<const char*, StepKind>> by;
  };
  for (const Kept& kept :
       {Kept{"first recompute", {{"fa1-backward", NormalizeP}, {"standard-backward", LoadP}}},
        Kept{"first score", {{"fa1-backward", Score}, {"standard-backward", LoadP}}},
        Kept{"gradient s of K tile 1", {{"fa1-backward", GradientS}, {"standard-backward", GradientS}}},
        Kept{"AddDQ of Q tile 2 and K tile 2", {{"fa1-backward", StoreDQ}, {"standard-backward", AccumulateDQ}}}}) {
    CAPTURE(kept.at);
    Talk talk("tilewalk://walk?preset=toy&schedule=fa2-backward&row=6\n");
    REQUIRE(go_to(kept.at, talk.session, talk.view).empty());
    talk.view.row = 5;
    const int64_t began = talk.view.playhead;
    const Step was = *event_now(talk.session, talk.view).step;
    for (int turns = 0; turns < 3; ++turns) {
      talk.press("V");
      const Step now = *event_now(talk.session, talk.view).step;
      CAPTURE(schedule_of(talk.session.setup()).key);
      CHECK(now.i == was.i);
      CHECK(now.j == was.j);
      CHECK(talk.view.row == 5);
      for (const auto& [key, kind] : kept.by)
        if (schedule_of(talk.session.setup()).key == key) CHECK(now.kind == kind);
    }
    REQUIRE(schedule_of(talk.session.setup()).key == "fa2-backward");
    CHECK(talk.view.playhead == began);
  }
}

TEST_CASE("Other numbers after C keep a rescale, of another row of the tile where the mask hides it from this one") {
  Talk talk("tilewalk://lesson/7/beat/2\n");
  REQUIRE(event_now(talk.session, talk.view).rescales == true);
  talk.press("C");
  REQUIRE(event_now(talk.session, talk.view).rescales == true);
  for (int k = 0; k < 6; ++k) {
    talk.press("I");
    CAPTURE(talk.view.notice);
    CHECK(event_now(talk.session, talk.view).rescales == true);
    CHECK(talk.view.notice.find("not with the same event") == std::string::npos);
  }
}

TEST_CASE("Other numbers of a rescale are such that a sum is rescaled and no zero") {
  Talk talk("tilewalk://lesson/7/beat/2\n");
  REQUIRE(talk.room().find(" × (−1.49) + 1.51") != std::string::npos);
  for (int k = 0; k < 60; ++k) {
    talk.press("I");
    CAPTURE(talk.view.notice);
    const std::string room = talk.room();
    CHECK(event_now(talk.session, talk.view).rescales == true);
    for (const char* zero : {" × 0 + ", " × 0 − "}) CHECK_MESSAGE(room.find(zero) == std::string::npos, room);
  }
}

TEST_CASE("The machine's and the schedule's names are a list, as a board's are: one is chosen without those between") {
  for (const char* label : {"Machine", "Schedule"}) {
    CAPTURE(label);
    Talk talk(kWalks);
    const Setup before = talk.session.setup();
    const std::string list = fmt::format("turn:{}/list", label);
    talk.click(list);
    REQUIRE(is_open<ChoiceList>(talk.view));
    CHECK(talk.session.setup() == before);
    CHECK_FALSE(talk.p().turned);
    const Scene now = talk.scene();
    Scene list_alone;
    list_alone.size = {1920, 1080};
    layout_overlays(list_alone, talk.session, talk.view, {0, 0, 1920, 1080}, Style(Theme::Light, 1));
    for (const std::string& fault : layout_faults(list_alone, 14, 1)) FAIL_CHECK(fault);
    const std::string words = talk.words_in(now);
    if (label == std::string_view("Machine"))
      for (const MachineSpec& machine : machines()) {
        CAPTURE(machine.title);
        CHECK(words.find(machine.title) != std::string::npos);
      }
    REQUIRE(now.find(talk.view.focus));  // the one that is on
    talk.press("Esc");
    CHECK_FALSE(is_open<ChoiceList>(talk.view));
    CHECK(talk.p().on);
    CHECK(talk.view.focus == list);
    CHECK(talk.session.setup() == before);
    // By the keyboard, too.
    talk.view.focus_ring = true;
    talk.press("Enter");
    REQUIRE(is_open<ChoiceList>(talk.view));
    int last = 0;
    while (talk.scene().find(fmt::format("choose:{}", last + 1))) ++last;
    REQUIRE(last >= 2);
    const bool at_last = talk.view.focus == fmt::format("choose:{}", last);
    talk.click(fmt::format("choose:{}", at_last ? 0 : last));
    CHECK_FALSE(is_open<ChoiceList>(talk.view));
    CHECK(talk.session.setup() != before);
    CHECK(talk.p().turned);
    talk.press("Ctrl+Backspace");
    CHECK(talk.session.setup() == before);
  }
}

TEST_CASE("G finds a lesson by the title that the rail shows before a word that is called so") {
  for (const bool room : {true, false})
    for (const auto& [words, lesson] : {std::pair{"memory traffic", 1}, {"running max", 6}, {"causal", 9}}) {
      CAPTURE(words);
      CAPTURE(room);
      for (const int from : {7, 5}) {  // from a walk and from a board
        Talk talk({}, from, 0, room);
        const std::string fault =
            room ? present_go_to(words, talk.session, talk.view) : go_anywhere(words, talk.session, talk.view);
        CHECK(fault.empty());
        CHECK_FALSE(is_open<WordSheet>(talk.view));
        REQUIRE(lesson_on_show(talk.view));
        CHECK(lesson_on_show(talk.view)->number == lesson);
      }
    }
}

TEST_CASE(
    "Every stop is called something in words: a puzzle by its title, a program Write, and what leads nowhere so") {
  Talk talk(
      "tilewalk://write/step/0?N=8&d=2&puzzle=why-alpha\n"
      "tilewalk://write\n"
      "tilewalk://write/step/3?program=Zm9yIGVhY2g\n"
      "tilewalk://lesson/99/beat/3\n"
      "tilewalk://board/no-such\n"
      "tilewalk://write?puzzle=no-such\n");
  const std::vector<StopCard> cards = stop_cards(talk.view);
  REQUIRE(cards.size() == 6);
  CHECK(cards[0].title == "Why the sum needs alpha");
  CHECK(cards[1].title == "Write");
  CHECK(cards[2].title == "Write: a program, step 3");
  CHECK(cards[3].title == "Lesson 99, which is not here");
  CHECK(cards[4].title == "Board no-such, which is not here");
  CHECK(cards[5].title == "Write: puzzle no-such, which is not here");
}

TEST_CASE("A question with numbers of its own, which no picture shows, leads to none: what comes next is the next") {
  // Lesson 6 with such a question: its first one without a stage of its own.
  Folder folder;
  std::ifstream file(TILEWALK_SOURCE_DIR "/lessons/en/06-running-max.md");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t scene = text.find("[scene]", text.find("another-l"));
  text.erase(scene, text.find("```", scene) - scene);
  folder.write("06-max.md", text);
  const auto course = std::make_shared<Course>();
  course->open({folder.path});
  Talk talk({}, 6, 0, false);
  talk.view.lesson.course = course;
  talk.view.lesson.cache = std::make_shared<LessonCache>();
  talk.press("Shift+F5");
  talk.p().screens = Screens::Two;
  const auto lesson = lesson_on_show(talk.view);
  while (lesson->beats[size_t(talk.view.lesson.beat)].kind != BeatKind::Check)
    present_beat(talk.session, talk.view, talk.view.lesson.beat + 1);
  REQUIRE(questions_on_show(talk.view).size() > 1);
  REQUIRE(asked_now(talk.view).question->id == "another-l");
  talk.press("Page Down");
  talk.press("Page Down");
  REQUIRE(settled(talk.view, asked_now(talk.view)));
  REQUIRE(talk.p().question);
  CHECK(next_in_beat_words(talk.view) == "One more question");
  talk.press("Page Down");
  CHECK(talk.p().question);
  CHECK(asked_now(talk.view).question->id != "another-l");
  // One that is asked of what stands on the stage leads back to it.
  present_beat(talk.session, talk.view, 2);
  REQUIRE(asked_now(talk.view).question->id == "new-l");
  talk.press("Page Down");
  talk.press("Page Down");
  CHECK(next_in_beat_words(talk.view) == "The picture, with the answer");
  talk.press("Page Down");
  CHECK_FALSE(talk.p().question);
}

TEST_CASE("What is broken in front of a room is said without a word of what only a learner's window has") {
  for (const Screens screens : {Screens::One, Screens::Two}) {
    Talk talk({}, 6, 0);
    talk.p().screens = screens;
    while (faults_on_stage(talk.view).size() < 2 || faults_on_stage(talk.view)[0].beat != talk.view.lesson.beat)
      present_beat(talk.session, talk.view, talk.view.lesson.beat + 1);
    talk.press("X");
    CHECK(talk.view.notice.find("Broken on purpose (1 of 2): the rescale is skipped.") == 0);
    CHECK(talk.view.notice.find("above") == std::string::npos);
    CHECK((talk.view.notice.find("Ctrl+X") != std::string::npos) == (screens == Screens::Two));
    end_presenting(talk.session, talk.view);
  }
  Talk study({}, 6, 4, false);
  study.press("X");
  CHECK(study.view.notice.find("Its name above mends it (Ctrl+X).") != std::string::npos);
}

TEST_CASE("R and L at a stop of the GPU's charts say in plain words how a run is shown to a room") {
  Talk talk("tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200\n");
  REQUIRE(talk.view.gpu.enlarged);
  for (const char* key : {"R", "L"}) {
    CAPTURE(key);
    talk.view.notice.clear();
    talk.press(key);
    const std::string& said = talk.view.notice;
    CHECK(talk.view.gpu.enlarged);
    CHECK(said.starts_with("Runs are made outside a talk:"));
    size_t at = 0;
    for (const char* word : {"Esc Esc", "R,", "Ctrl+Shift+S", "L enlarges", "Ctrl+D"}) {
      CAPTURE(word);
      at = said.find(word, at);
      REQUIRE(at != std::string::npos);
    }
    CHECK(layout_faults(talk.scene(), 14, 1).empty());
  }
  // Which leads where it says.
  for (int twice = 0; twice < 2; ++twice)
    for (const KeyPress& key : parse_keys("Esc")) key_pressed(key, talk.scene(), talk.session, talk.view);
  CHECK_FALSE(talk.p().on);
}

}  // namespace tilewalk::test_turned_walk
