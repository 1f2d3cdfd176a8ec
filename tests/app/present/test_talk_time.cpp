// The speaker's side of time: at this stop, of the talk, against its plan; the countdown that the room sees; and hands
// that were counted.
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/panels/room_overlay.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/talk_time.h"
#include "app/session/typing.h"
#include "core/io/file.h"

#include "tests/app/shipped_lessons.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace tilewalk::test_talk_time {

namespace {

const char* const kTalk =
    "length: 20 min\n"
    "slide: Hello  # [2 min] say who\n"
    "tilewalk://lesson/6/beat/2\n"
    "slide: Between\n"
    "tilewalk://lesson/6/beat/3  # [6 min]\n";

struct Talk {
  Session session;
  ViewState view;
  explicit Talk(const char* set = kTalk) {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    view.present.set = read_set_list(set, "a.set");
    CHECK(view.present.set.faults.empty());
    begin_presenting(session, view, true);
    view.present.screens = Screens::Two;
    pass(0);
  }
  Presentation& p() { return view.present; }
  void pass(float seconds) { pass_presentation_time(view, seconds); }
  void press(std::string_view words) {
    const Scene scene = layout_presenter(session, view, {1920, 1080});
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, scene, session, view);
  }
  // To a question with options, as the room sees it.
  AskedQuestion ask() {
    for (int lesson = 1; lesson <= 14; ++lesson)
      for (int beat = 1; present_go_to(fmt::format("{}.{}", lesson, beat), session, view).empty(); ++beat)
        if (const AskedQuestion asked = asked_now(view); asked.question && asked.question->options.size() > 2) {
          present_next(session, view);
          REQUIRE(view.present.question);
          return asked;
        }
    FAIL("no question with options");
    return {};
  }
};

std::vector<std::string> labels(const Scene& scene) {
  std::vector<std::string> all;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) all.push_back(label->text);
  return all;
}

bool says(const Scene& scene, const std::string& words) {
  for (const std::string& label : labels(scene))
    if (label.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("A set list says how long its talk is to take, and a note what its stop may") {
  const SetList list = read_set_list(kTalk, "a.set");
  CHECK(list.length == 1200);
  REQUIRE(list.items.size() == 4);
  CHECK(list.items[0].seconds == 120);
  CHECK(list.items[0].note == "[2 min] say who");
  CHECK(list.items[1].seconds == 0);
  // What is left is shared alike.
  const double begins[] = {0, 120, 480, 840}, ends[] = {120, 480, 840, 1200};
  for (int k = 0; k < 4; ++k) {
    CHECK(planned_time(list, k).begin == doctest::Approx(begins[k]));
    CHECK(planned_time(list, k).end == doctest::Approx(ends[k]));
  }
  for (const char* bad : {"length: forty", "length: 40", "length: 0 min", "length: 601 min", "length:"}) {
    const SetList read = read_set_list(bad, "a.set");
    REQUIRE(read.faults.size() == 1);
    CHECK(faults_of(read)[0] == "a.set line 1: a talk's length is written as \"length: 40 min\", 1 to 600 minutes.");
  }
  const SetList full = read_set_list("length: 5 min\nslide: A # [4 min]\nslide: B # [3 min]\n", "a.set");
  REQUIRE(full.faults.size() == 1);
  CHECK(faults_of(full)[0] == "a.set: the stops' own minutes come to 7, and the talk is 5 long: change one.");
}

TEST_CASE("The one who talks sees the time at this stop, and how far the talk is behind or ahead") {
  Talk talk;
  talk.pass(65);
  CHECK(pace_words(talk.view) == "At this stop 1:05 · 1:05 of 20:00, on time");
  talk.pass(135);
  CHECK(pace_words(talk.view) == "At this stop 3:20 · 3:20 of 20:00, 1:20 behind");
  CHECK(says(layout_presenter(talk.session, talk.view, {1920, 1080}), "3:20 of 20:00, 1:20 behind"));
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  talk.pass(10);
  CHECK(pace_words(talk.view) == "At this stop 0:10 · 3:30 of 20:00, 4:30 ahead");
  // Off the set list the stop's time goes on.
  talk.press("Ctrl+5");
  talk.pass(10);
  CHECK(pace_words(talk.view).starts_with("At this stop 0:20"));
  // All visits together, and where the talk is left for a while, too.
  REQUIRE(open_set_item(talk.session, talk.view, 0));
  talk.pass(5);
  CHECK(pace_words(talk.view).starts_with("At this stop 3:25"));
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  talk.pass(1);
  CHECK(pace_words(talk.view).starts_with("At this stop 0:21"));
  end_presenting(talk.session, talk.view);
  talk.pass(30);
  go_on_presenting(talk.session, talk.view);
  talk.pass(1);
  CHECK(pace_words(talk.view).starts_with("At this stop 0:22"));
  talk.press("Ctrl+Shift+Backspace");
  CHECK(pace_words(talk.view).starts_with("At this stop 0:00"));
  end_presenting(talk.session, talk.view);
  begin_presenting(talk.session, talk.view, true);
  talk.pass(2);
  CHECK(pace_words(talk.view).starts_with("At this stop 0:02"));
  Talk without("tilewalk://lesson/6/beat/2\n");
  without.pass(3);
  CHECK(pace_words(without.view) == "At this stop 0:03");
}

TEST_CASE("A countdown is seen in the room, goes by itself, and Esc takes it away first") {
  Talk talk;
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  talk.press("H");
  CHECK(talk.p().countdown == 30);
  CHECK(says(layout_room_overlay(talk.p(), {1920, 1080}), "30"));
  talk.pass(0.5f);
  CHECK(says(layout_room_overlay(talk.p(), {1920, 1080}), "30"));
  CHECK(seconds_to_presentation_change(talk.view) <= doctest::Approx(0.5));
  talk.pass(0.6f);
  CHECK(says(layout_room_overlay(talk.p(), {1920, 1080}), "29"));
  talk.press("H");
  CHECK(countdown_words(talk.p().countdown) == "59");
  talk.press("H");
  CHECK(countdown_words(talk.p().countdown) == "1:29");
  talk.pass(100);
  CHECK(talk.p().countdown == 0);
  CHECK(layout_room_overlay(talk.p(), {1920, 1080}).items.empty());
  talk.press("H");
  talk.p().tool = Tool::Pen;
  talk.press("Esc");
  CHECK(talk.p().countdown == 0);
  CHECK(talk.p().tool == Tool::Pen);
  talk.press("H");
  talk.p().blank = Blank::Black;
  CHECK_FALSE(says(layout_room_overlay(talk.p(), {1920, 1080}), "30"));
  talk.press("H");
  CHECK(talk.view.notice.find("blank") != std::string::npos);
}

TEST_CASE("Revealing ends the countdown, which would lie over the answer") {
  Talk talk("tilewalk://lesson/12/beat/3\n");
  talk.press("Enter");
  REQUIRE(talk.p().question);
  talk.press("H");
  REQUIRE(talk.p().countdown > 0);
  talk.press("Enter");
  REQUIRE(settled(talk.view, asked_now(talk.view)));
  CHECK(talk.p().countdown == 0);
}

TEST_CASE("A countdown stays where it was begun: the next stop has none") {
  Talk talk("tilewalk://lesson/12/beat/3\ntilewalk://lesson/6/beat/2\n");
  talk.press("H");
  REQUIRE(talk.p().countdown > 20);
  talk.pass(1);
  CHECK(talk.p().countdown > 20);
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  talk.pass(0.1f);
  CHECK(talk.p().countdown == 0);
}

TEST_CASE("G to another lesson ends the countdown, and its time is not the stop's") {
  Talk talk;
  talk.pass(20);
  talk.press("H");
  REQUIRE(talk.p().countdown > 0);
  CHECK(present_go_to("9.2", talk.session, talk.view).empty());
  talk.pass(7);
  CHECK(talk.p().countdown == 0);
  CHECK(pace_words(talk.view).starts_with("At this stop 0:07"));
  talk.press("Ctrl+Backspace");
  talk.pass(1);
  CHECK(pace_words(talk.view).starts_with("At this stop 0:21"));
}

TEST_CASE("A question that is answered already has no countdown, and H says so") {
  Talk talk("tilewalk://lesson/12/beat/3\n");
  talk.press("Enter");
  talk.press("Enter");
  REQUIRE(talk.p().question);
  REQUIRE(settled(talk.view, asked_now(talk.view)));
  talk.press("H");
  CHECK(talk.p().countdown == 0);
  CHECK(talk.view.notice.find("answered") != std::string::npos);
  talk.press("Page Up");
  talk.press("H");
  CHECK(talk.p().countdown > 0);
}

TEST_CASE("Hands that were counted are bars beside their options, before the answer and after") {
  Talk talk("");
  const AskedQuestion asked = talk.ask();
  const size_t options = asked.question->options.size();
  talk.press("Ctrl+H");
  REQUIRE(talk.view.editing == "field:hands");
  CHECK(layout_presenter(talk.session, talk.view, {1920, 1080}).find("field:hands"));
  const auto type = [&](const std::string& text) {
    typed_into("field:hands", text, talk.view);
    finish_typing(talk.session, talk.view);
  };
  type("12 x");
  CHECK(talk.view.notice.find("\"x\" is no count of hands") == 0);
  CHECK(talk.view.editing == "field:hands");
  type("1 2 3 4 5 6 7 8 9");
  CHECK(talk.view.notice.find("type one for each, A first") != std::string::npos);
  type("4");  // nobody is for the others
  CHECK(hands_words(talk.view, asked).starts_with("A 4, B 0"));
  talk.press("Ctrl+H");
  std::string numbers;
  for (size_t k = 0; k < options; ++k) numbers += (k ? "," : "") + std::to_string(10 * k + 7);
  type(numbers);
  CHECK(talk.view.editing.empty());
  CHECK(hands_words(talk.view, asked).starts_with("A 7, B 17"));
  const auto widths = [&] {
    std::vector<float> all;
    for (const Item& item : layout_audience(talk.session, talk.view, {1920, 1080}).items)
      if (const auto* box = std::get_if<Box>(&item); box && box->rect.x > 1100 && box->stroke.a > 0 && box->fill.a > 0)
        all.push_back(box->rect.w);
    return all;
  };
  const std::vector<float> before = widths();
  REQUIRE(before.size() == options);
  for (size_t k = 0; k < options; ++k)
    CHECK(before[k] / before.back() == doctest::Approx(float(10 * k + 7) / float(10 * options - 3)).epsilon(0.02));
  talk.press("Enter");
  CHECK(settled(talk.view, asked_now(talk.view)));
  CHECK(widths() == before);
  // Asked once more it has them still, and nothing typed takes them away.
  present_back(talk.session, talk.view);
  present_next(talk.session, talk.view);
  CHECK(widths() == before);
  talk.press("Ctrl+H");
  CHECK(text_in("field:hands", talk.session, talk.view).starts_with("7 17"));
  type("");
  CHECK(hands_for(talk.view, asked).empty());
}

// Goes to each beat of the fourteen lessons in turn.
template <class Look>
void at_every_beat(Talk& talk, const Look& look) {
  for (int lesson = 1; lesson <= 14; ++lesson) {
    const auto of = talk.view.lesson.course->lesson_numbered(lesson);
    REQUIRE(of);
    for (int beat = 1; beat <= int(of->beats.size()); ++beat) {
      const std::string place = std::to_string(lesson) + "." + std::to_string(beat);
      REQUIRE(present_go_to(place, talk.session, talk.view).empty());
      CAPTURE(place);
      look();
    }
  }
}

TEST_CASE("With bars and a countdown every question of the lessons can be read and nothing lies over it") {
  Talk talk("tilewalk://lesson/1/beat/1\n");
  int questions = 0;
  at_every_beat(talk, [&] {
    const int count = int(questions_on_show(talk.view).size());
    for (int k = 0; k < count; ++k) {
      talk.view.lesson.question = k;
      talk.p().question = true;
      talk.p().countdown = 30;
      if (can_count_hands(talk.view)) {
        begin_hands(talk.view);
        talk.p().hands_text = "";
        for (size_t o = 0; o < asked_now(talk.view).question->options.size(); ++o)
          talk.p().hands_text += std::to_string(o * 40) + " ";
        REQUIRE(keep_hands(talk.view).empty());
      }
      const Vec2 size{1920, 1080};
      Scene room = layout_audience(talk.session, talk.view, size);
      const Scene over = layout_room_overlay(talk.p(), size);
      room.items.insert(room.items.end(), over.items.begin(), over.items.end());
      const std::vector<std::string> faults = layout_faults(room, kRoomText, room_scale(talk.view, size));
      CHECK_MESSAGE(faults.empty(), (faults.empty() ? std::string() : faults.front()));
      ++questions;
    }
  });
  CHECK(questions > 40);
}

TEST_CASE("A countdown lies over no words of a picture: it is as high as the foot, which makes room") {
  Talk talk("tilewalk://lesson/1/beat/1\n");
  const Vec2 size{1920, 1080};
  int pictures = 0;
  at_every_beat(talk, [&] {
    talk.p().countdown = 90;
    const Scene room = layout_audience(talk.session, talk.view, size);
    const Rect plate = std::get<Box>(layout_room_overlay(talk.p(), size).items.at(0)).rect;
    std::string covered;
    for (const Item& item : room.items)
      if (const auto* label = std::get_if<Label>(&item))
        if (intersection(label_ink(*label), plate).w > 0) covered += label->text + " | ";
    CHECK(covered == "");
    ++pictures;
  });
  CHECK(pictures > 100);
}

TEST_CASE("Under a frozen picture no countdown begins that would be half run down when it is lifted") {
  Talk talk;
  talk.press("F");
  talk.press("H");
  CHECK(talk.view.present.countdown == 0);
  CHECK(talk.view.notice.find("then H begins one") != std::string::npos);
  talk.press("F");
  talk.press("H");
  CHECK(talk.view.present.countdown == 30);
}

}  // namespace tilewalk::test_talk_time
