// Knobs in the hands of one who talks: arrows and digits on a slider, and what turns with a knob.
#include "app/boards/board.h"
#include "app/boards/gpu_offer.h"
#include "app/session/choice_list.h"
#include "app/session/link_moves.h"
#include "app/session/same_event.h"
#include "app/session/transport.h"
#include "app/stage/moment.h"
#include "app/session/typing.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_talk_knobs {

namespace {

struct Estimating : Talk {
  explicit Estimating(const std::string& words = "")
      : Talk("tilewalk://lesson/6/beat/1\ntilewalk://board/estimate" + words + "\ntilewalk://lesson/6/beat/2\n") {
    REQUIRE(open_set_item(session, view, 1));
  }
  double now(std::string_view knob) const { return knob_value(*board_named("estimate"), view.board, knob); }
  void choose(std::string_view knob, size_t place) {
    open_choices(session, view, knob);
    choose_from_list(session, view, int(place));
  }
  void choose_gpu(std::string_view id) { choose("gpu", *offered_named(id)); }
  void choose_method(Method method) { choose("method", size_t(method)); }
  void type(std::string_view text) {
    press(text.substr(0, 1));
    REQUIRE(view.editing == "field:knob/N");
    typed_into(view.editing, std::string(text), view);
  }
};

}  // namespace

TEST_CASE("On a GPU that cannot run FA3 Estimate shows FA2 and says so, unless FA3 is chosen there") {
  Estimating talk;
  CHECK(talk.now("method") == double(Method::Fa3));
  talk.choose_gpu("a100-80");
  CHECK(talk.now("method") == double(Method::Fa2));
  CHECK(talk.room().find("FA2 (FA3 does not run here) takes") != std::string::npos);
  CHECK(talk.room().find("as if it ran") == std::string::npos);
  talk.choose_gpu("h200");
  CHECK(talk.now("method") == double(Method::Fa3));
  CHECK(talk.room().find("does not run here") == std::string::npos);
  talk.choose_gpu("a100-80");
  talk.choose_method(Method::Fa3);
  CHECK(talk.now("method") == double(Method::Fa3));
  CHECK(talk.room().find("as if it ran") != std::string::npos);
  CHECK(link_here(talk.session, talk.view).text.find("method=fa3") != std::string::npos);
  talk.press("Ctrl+Backspace");
  CHECK(talk.now("method") == double(Method::Fa3));
  // A link that names a GPU alone names no method; one that names FA3 means it.
  CHECK(Estimating("?gpu=a100-80").now("method") == double(Method::Fa2));
  CHECK(Estimating("?gpu=a100-80&method=fa3").now("method") == double(Method::Fa3));
  // FA1 was chosen, and runs there.
  talk.choose_method(Method::Fa1);
  talk.choose_gpu("a100-80");
  CHECK(talk.now("method") == double(Method::Fa1));
}

TEST_CASE("The method of an estimate stays in the wall's foot, whatever else is turned") {
  Estimating talk;
  for (size_t gpu = 0; gpu < offered_count(); ++gpu) {
    talk.choose("gpu", gpu);
    if (!offered_gpu(gpu).roofs) continue;
    CAPTURE(offered_gpu(gpu).word);
    const std::string room = talk.room();
    CHECK_MESSAGE((room.find("Method FA") != std::string::npos || room.find(" · FA") != std::string::npos), room);
  }
}

TEST_CASE("An arrow at a slider's end leaves no stop") {
  Estimating talk;
  talk.click("knob:N");
  talk.press("End");
  REQUIRE(talk.now("N") == 262144);
  for (int k = 0; k < 3; ++k) talk.press("→");
  CHECK(talk.p().place == 1);
  CHECK(talk.now("N") == 262144);
  for (const char* key : {"Home", "←", "←"}) talk.press(key);
  CHECK(talk.p().place == 1);
  CHECK(talk.now("N") == 256);
}

TEST_CASE("From between two powers of two an arrow goes to the next one") {
  Estimating talk("?N=5632");
  talk.view.focus = "knob:N";
  talk.press("→");
  CHECK(talk.now("N") == 8192);
  talk.press("→");
  CHECK(talk.now("N") == 16384);
  turn_to(*board_named("estimate"), talk.view.board, "N", 5632);
  talk.press("←");
  CHECK(talk.now("N") == 4096);
  talk.press("←");
  CHECK(talk.now("N") == 2048);
}

TEST_CASE("A number is typed into a slider that was pressed; elsewhere digits take tools") {
  Estimating talk;
  talk.click("knob:N");
  talk.type("16384");
  finish_typing(talk.session, talk.view);
  CHECK(talk.now("N") == 16384);
  CHECK(talk.p().tool == Tool::Normal);
  CHECK(talk.p().turned);
  // Esc leaves it, and so does the clicker, which goes on.
  talk.view.editing.clear();
  talk.press("2");  // the number is set, and digits are tools again
  CHECK(talk.p().tool == Tool::Pointer);
  talk.press("1");
  talk.click("knob:N");
  const double pressed = talk.now("N");
  talk.type("512");
  leave_typing(talk.view);
  CHECK(talk.now("N") == pressed);
  talk.type("512");
  talk.press("Page Down");
  CHECK(talk.view.editing.empty());
  talk.press("Page Up");
  CHECK(talk.now("N") == 8192);  // as it was prepared
  while (talk.p().place < 2) talk.press("Page Down");
  talk.press("3");
  CHECK(talk.p().tool == Tool::Pen);
  // Of knobs that are no sliders digits are tools, and where no knob is to be seen.
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  talk.view.focus = "knob:d/1";
  talk.press("2");
  CHECK(talk.p().tool == Tool::Pointer);
  talk.view.focus = "knob:N";
  talk.view.present.screens = Screens::One;
  key_pressed(parse_keys("1").front(), layout_home_room(talk.session, talk.view, {1920, 1080}), talk.session,
              talk.view);
  CHECK(talk.view.editing.empty());
  CHECK(talk.p().tool == Tool::Normal);
}

TEST_CASE("Ctrl+Backspace twice in a row leaves no stop: only the second after a while leads back") {
  Talk talk("tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/2\n");
  present_go_to("7.2", talk.session, talk.view);
  REQUIRE(talk.p().place == 1);
  talk.press("→");
  const KeyPress back = parse_keys("Ctrl+Backspace").front();
  for (int twice = 0; twice < 2; ++twice) key_pressed(back, talk.scene(), talk.session, talk.view);
  CHECK(talk.p().place == 1);
  pass_presentation_time(talk.view, 2);
  talk.press("Ctrl+Backspace");
  CHECK(talk.p().place == 0);
}

TEST_CASE("At the GPU's charts I says what V and Y say, and nothing is turned") {
  Talk talk("tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200\n");
  talk.press("V");
  const std::string said = talk.view.notice;
  REQUIRE(said.find("GPU's charts") != std::string::npos);
  const Problem before = talk.session.problem();
  talk.view.notice.clear();
  talk.press("I");
  CHECK(talk.view.notice == said);
  CHECK(talk.session.problem() == before);
}

TEST_CASE("From a step that shows a rescale V comes to one that shows it, where the schedule has it as a step") {
  for (const bool causal : {false, true}) {
    CAPTURE(causal);
    Talk talk("tilewalk://lesson/7/beat/2\n");
    if (causal) talk.press("C");
    const auto shown = [&] {
      const Moment now = moment_of(talk.session.walk(), talk.view);
      return std::ranges::any_of(now.steps, [](const Step& step) { return step.kind == StepKind::Rescale; });
    };
    int tried = 0;
    const auto length = talk.session.walk().replay.length();
    for (int64_t at = 1; at <= length; ++at) {
      seek(talk.session.walk(), talk.view, at);
      const int64_t row = talk.view.row;
      if (event_now(talk.session, talk.view).rescales != true || !shown()) continue;
      CAPTURE(at);
      ++tried;
      for (size_t k = 0; k < schedules().size(); ++k) {
        talk.press("V");
        const auto& steps = talk.session.walk().replay.steps();
        const bool has = std::ranges::any_of(steps, [](const Step& s) { return s.kind == StepKind::Rescale; });
        CAPTURE(std::string(schedule_of(talk.session.setup()).name));
        CAPTURE(talk.view.playhead);
        CHECK(shown() == has);
      }
      CHECK(talk.view.playhead == at);
      CHECK(talk.view.row == row);
    }
    CHECK(tried > 0);
  }
}

TEST_CASE("C turns the mask of a board; a number that was typed lets go of the digits; More holds no arrow") {
  Talk talk({}, 14, 7);
  const Board& board = *board_named(talk.view.board.board);
  REQUIRE(board.id == "estimate");
  CHECK(knob_value(board, talk.view.board, "mask") == 0);
  talk.press("C");
  CHECK(knob_value(board, talk.view.board, "mask") == 1);
  talk.press("C");
  CHECK(knob_value(board, talk.view.board, "mask") == 0);

  begin_typing("field:knob/N", talk.view);
  talk.view.typing_begun = true;
  typed_into("field:knob/N", "4096", talk.view);
  finish_typing(talk.session, talk.view);
  CHECK(knob_value(board, talk.view.board, "N") == 4096);
  CHECK(talk.view.focus.empty());
  talk.view.editing.clear();
  talk.press("2");
  CHECK(talk.p().tool == Tool::Pointer);
  talk.press("G");
  CHECK(is_open<GoTo>(talk.view));
  CHECK_FALSE(talk.view.typing_begun);

  Talk stepped({}, 6, 1);
  stepped.view.focus = "knob:more/";
  const int before = stepped.view.board.step;
  stepped.press("→");
  CHECK(stepped.view.board.step == before + 1);
}

TEST_CASE("Letters over the list of a knob lead to a name and are no keys of the talk") {
  Talk talk({}, 14, 7);
  open_choices(talk.session, talk.view, "gpu");
  REQUIRE(is_open<ChoiceList>(talk.view));
  const std::vector<std::string_view> words = listed_choices(talk.session, talk.view).words;
  for (const char* key : {"h", "2", "0", "0"}) talk.press(key);
  REQUIRE(is_open<ChoiceList>(talk.view));
  CHECK(talk.p().countdown == 0);
  CHECK(talk.p().tool == Tool::Normal);
  CHECK(Talk::words_in(talk.scene()).find("›\n") != std::string::npos);  // where Enter leads
  talk.press("Enter");
  const double gpu = knob_value(*board_named("estimate"), talk.view.board, "gpu");
  CHECK(words[size_t(gpu)].starts_with("H200"));
  open_choices(talk.session, talk.view, "gpu");
  talk.press(".");  // a clicker's
  CHECK(talk.p().blank == Blank::Black);
}

TEST_CASE("Tab goes from knob to knob on the speaker's side, with a ring; digits are its number") {
  Talk talk("tilewalk://lesson/1/beat/1\n");
  const auto items = [&] { return talk.scene().items.size(); };
  const size_t without = items();
  for (int k = 0; k < 5 && talk.view.focus != "knob:N"; ++k) talk.press("Tab");
  REQUIRE(talk.view.focus == "knob:N");
  CHECK(items() > without);
  talk.press("5");
  CHECK(talk.view.editing == "field:knob/N");
}

TEST_CASE("Enter presses the button that Tab came to, and the answer waits; without a ring it shows it") {
  const char* kStop = "tilewalk://lesson/1/beat/3\n";
  const auto tab_to = [](Talk& talk, std::string_view id) {
    for (int k = 0; k < 30 && talk.view.focus != id; ++k) talk.press("Tab");
    REQUIRE(talk.view.focus == id);
  };
  const auto answered = [](const Talk& talk) { return settled(talk.view, asked_now(talk.view)); };
  Talk talk(kStop);
  const int page = talk.view.board.knob_page;
  tab_to(talk, "knob:more/");
  talk.press("Enter");
  CHECK(talk.view.board.knob_page != page);
  CHECK_FALSE(talk.p().question);
  // The one that is chosen already turns nothing.
  talk.press("Enter");
  tab_to(talk, "knob:gpu/0");
  talk.press("Enter");
  CHECK_FALSE(talk.p().turned);
  Talk asked(kStop);
  asked.press("Ctrl+P");
  REQUIRE(asked.p().question);
  tab_to(asked, "command:countdown");
  asked.press("Enter");
  CHECK(asked.p().countdown > 0);
  CHECK_FALSE(answered(asked));
  // A slider has nothing to press, and what the pointer pressed has no ring.
  tab_to(asked, "knob:N");
  const double n = knob_value(*board_named(asked.view.board.board), asked.view.board, "N");
  asked.press("Enter");
  CHECK(knob_value(*board_named(asked.view.board.board), asked.view.board, "N") == n);
  CHECK(answered(asked));
  Talk clicked(kStop);
  clicked.press("Ctrl+P");
  clicked.click("command:countdown");
  clicked.press("Enter");
  CHECK(answered(clicked));
}

TEST_CASE("Y and V turn a board's GPU and method, as C turns its mask; a board without says so") {
  Estimating talk;
  const double gpu = talk.now("gpu"), method = talk.now("method");
  talk.press("Y");
  CHECK(talk.now("gpu") == gpu + 1);
  talk.press("V");
  CHECK(talk.now("method") != method);
  talk.press("Ctrl+Backspace");
  CHECK(talk.now("gpu") == gpu);
  CHECK(talk.now("method") == method);
  talk.press("C");
  CHECK(talk.now("mask") == 1);
  Talk row("tilewalk://lesson/6/beat/2\n");
  row.press("Y");
  CHECK_MESSAGE(row.view.notice.find("no GPU to be turned") != std::string::npos, row.view.notice);
}

TEST_CASE("No turn before a room comes to a GPU without roofs where none is connected") {
  const auto here = [](const Talk& talk) {
    return size_t(knob_value(*board_named(talk.view.board.board), talk.view.board, "gpu"));
  };
  for (const char* tool : {"", "Ctrl+5", "Ctrl+6"}) {
    CAPTURE(std::string(tool));
    Talk talk("tilewalk://lesson/14/beat/6\n");
    if (*tool) talk.press(tool);
    const size_t first = here(talk), own = *offered_named(kThisGpu);
    REQUIRE(first != own);
    const auto nothing = [&] {
      return here(talk) == own || talk.room().find("No GPU is connected") != std::string::npos;
    };
    size_t turns = 0;
    do {
      talk.press("Y");
      CHECK_FALSE(nothing());
    } while (here(talk) != first && ++turns < offered_count());
    CHECK(turns + 2 == offered_count());
    talk.view.focus = "knob:gpu";
    talk.press("Left");
    for (size_t k = 0; k < offered_count(); ++k) {
      CHECK_FALSE(nothing());
      talk.view.focus = "knob:gpu";
      talk.press("Left");
    }
    const size_t before = here(talk);
    open_choices(talk.session, talk.view, "gpu");
    choose_from_list(talk.session, talk.view, int(own));
    CHECK(here(talk) == before);
    CHECK_MESSAGE(talk.view.notice.find("No GPU is connected") != std::string::npos, talk.view.notice);
    // One that is connected can be measured.
    auto hello = std::make_shared<Hello>();
    talk.view.gpu.status.hello = hello;
    talk.view.gpu.status.state = GpuState::Ready;
    for (size_t k = 0; k < offered_count() && here(talk) != own; ++k) talk.press("Y");
    CHECK(here(talk) == own);
  }
}

}  // namespace tilewalk::test_talk_knobs
