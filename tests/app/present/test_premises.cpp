// What a number on the wall depends on stands on the wall; nothing is cut; the answer has its letter for the one who
// asks, the same as in the room, and keeps it when it is revealed.
#include "app/panels/asked_premises.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/panels/room_question.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/tools.h"
#include "app/session/transport.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>
#include <string>
#include <vector>

namespace tilewalk::test_premises {

namespace {

std::vector<std::string> labels(const Scene& scene) {
  std::vector<std::string> all;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) all.push_back(label->text);
  return all;
}

std::string words(const Scene& scene) { return fmt::format("{}", fmt::join(labels(scene), "\n")); }

}  // namespace

TEST_CASE("Beside a machine that cannot run FA3 stands that the walk is a model") {
  for (const auto& [machine, model] : {std::pair{"rtx4090", true}, std::pair{"a100", true}, std::pair{"h100", false}}) {
    CAPTURE(std::string(machine));
    Session session;
    ViewState view;
    Setup setup = session.setup();
    setup.schedule = Method::Fa3;
    setup.machine = machine;
    REQUIRE(session.change(setup).empty());
    begin_presenting(session, view, false);
    view.phase = 1;
    const std::string all = words(layout_audience(session, view, {1920, 1080}));
    CHECK_MESSAGE((all.find("a model: FA3 needs Hopper") != std::string::npos) == model, all);
  }
}

TEST_CASE("A sheet on paper says at every beat which one it is, and of how many tiles") {
  for (const auto& [beat, sheet] : {std::pair{3, 4}, {4, 5}, {5, 0}}) {
    CAPTURE(beat);
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson_numbered(session, view, 7, beat));
    begin_presenting(session, view, false);
    REQUIRE(view.board.board == "paper");
    const std::string all = words(layout_audience(session, view, {1920, 1080}));
    CHECK_MESSAGE(all.find(fmt::format("Sheet {} · ", sheet)) != std::string::npos, all);
    CHECK_MESSAGE(all.find("Tiles of two keys 2") != std::string::npos, all);
  }
}

TEST_CASE("The tools have their premises on the wall, and nothing of them is cut") {
  for (const char* tool : {"estimate", "curves", "draw"}) {
    CAPTURE(tool);
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    begin_presenting(session, view, false);
    open_tool(view, tool);
    view.phase = 1;
    const Scene scene = layout_audience(session, view, {1920, 1080});
    for (const std::string& label : labels(scene))
      if (label.find('_') == std::string::npos) CHECK_MESSAGE(!label.ends_with("…"), label);
    CHECK(layout_faults(scene, kRoomText, room_scale(view, {1920, 1080})).empty());
    const std::string all = words(scene);
    if (std::string_view(tool) != "estimate") continue;
    CAPTURE(all);
    for (const char* premise : {"H100", "N 8,192", "d 128", "B 1", "H 16", "no mask", "memory needed"})
      CHECK(all.find(premise) != std::string::npos);
  }
}

TEST_CASE("What no knob turns stands on the wall too, and under a question") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  for (const int lesson : {1, 2, 4, 5}) {
    CAPTURE(lesson);
    REQUIRE(open_lesson_numbered(session, view, lesson, 0));
    begin_presenting(session, view, true);
    view.phase = 1;
    const auto room = [&] { return words(layout_audience(session, view, {1920, 1080})); };
    for (const char* premise : {"one head", "no mask", "fp16", "N 4,096"})
      CHECK_MESSAGE(room().find(premise) != std::string::npos, room());
    view.present.countdown = 30;
    CHECK(room().find("one head") != std::string::npos);
    view.present.countdown = 0;
    while (!view.present.question && view.lesson.beat + 1 < int(lesson_on_show(view)->beats.size()))
      present_next(session, view);
    REQUIRE(view.present.question);
    CHECK_MESSAGE(room().find("On the stage: ") != std::string::npos, room());
    end_presenting(session, view);
  }
}

TEST_CASE("Beside a question stands nothing of the stage that the question sets otherwise") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(open_lesson_numbered(session, view, 3, 2));
  const AskedQuestion asked = questions_on_show(view).front();
  REQUIRE(asked.question->id == "s-at-32k");  // "N = 32,768, 32 heads, fp16, ..."
  CHECK(premises_beside(asked, "N 4,096 · d 128 · fp16", session, view) == "d 128 · fp16");
  CHECK(premises_beside(asked, "Sequence length N 4,096", session, view).empty());
  CHECK(premises_beside(asked, "GPU H100 SXM · head dimension 128", session, view) ==
        "head dimension 128");  // "... an A100"
  REQUIRE(open_lesson_numbered(session, view, 1, 2));
  const AskedQuestion a100 = questions_on_show(view).front();  // "An A100 ..."
  CHECK(premises_beside(a100, "GPU H100 SXM · d 64", session, view) == "d 64");
  CHECK(premises_beside(a100, "GPU A100 SXM 80 GB · d 64", session, view) == "GPU A100 SXM 80 GB · d 64");
}

TEST_CASE("At every stop of every lesson a time, bytes or a rate has what it depends on beside it on the wall") {
  const std::regex time("[0-9] ?(ns|µs|ms|s)\\b|\\bticks?\\b"), rate("[0-9] ?([kMGTP]i?B|[GTP]?FLOP)/s");
  const std::regex bytes("[0-9] ?(B|bytes?|[kMGT]i?B)\\b(?!/s)"), n("\\bNq?( =)? [0-9]|[Tt]okens");
  const std::regex gpu("\\b(A100|H100|H200|B200|T4|RTX 4090|L40S|[Tt]oy)\\b"), format("fp16|bf16|fp32|FP8|e4m3");
  const std::regex head_size("\\bd( =)? [0-9]|head dimension|hidden size");
  int times = 0, amounts = 0, rates = 0;
  const auto check = [&](Session& session, const ViewState& view) {
    std::string all, numbers;
    for (const std::string& label : labels(layout_audience(session, view, {1920, 1080}))) all += label + "\n";
    // "A100 80 GB" is a name.
    numbers = std::regex_replace(all, std::regex("(SXM|A100|H100|H200) [0-9]+ (GB|GiB)"), "$1");
    const auto there = [](const std::string& text, const std::regex& what) { return std::regex_search(text, what); };
    CAPTURE(all);
    CHECK(all.find("· V on") == std::string::npos);  // "Softmax under P V" is no V
    const bool has_time = there(numbers, time), has_bytes = there(numbers, bytes), has_rate = there(numbers, rate);
    times += has_time, amounts += has_bytes, rates += has_rate;
    if (has_time || has_rate) CHECK(there(all, gpu));
    if (has_time || has_bytes) CHECK(there(all, n));
    if (has_time || has_bytes) CHECK(there(all, head_size));
    if (has_bytes) CHECK(there(all, format));
  };
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    for (int stop = 0; stop < 200 && view.notice != "That was the last beat of the lesson."; ++stop) {
      view.phase = 1;
      view.playing = false;
      CAPTURE(entry.lesson->id);
      CAPTURE(view.lesson.beat);
      CAPTURE(view.present.question);
      for (const double countdown : {0.0, 90.0}) {
        CAPTURE(countdown);
        view.present.countdown = countdown;
        check(session, view);
      }
      view.present.countdown = 0;
      view.notice.clear();
      present_next(session, view);
    }
  }
  CHECK(times > 30);
  CHECK(amounts > 60);
  CHECK(rates > 20);
}

TEST_CASE("An answer has its question's premises where it stands on the same stage") {
  int same = 0;
  const auto foot = [](Session& session, const ViewState& view) -> std::string {
    for (const std::string& label : labels(layout_audience(session, view, {1920, 1080})))
      if (label.starts_with("On the stage: "))
        return std::regex_replace(label.substr(std::string("On the stage: ").size()),
                                  std::regex(" · (◇ published|◆ recorded)"), "");  // marks of what is on show
    return {};
  };
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    std::string asked, before;
    BoardState stage;
    for (int stop = 0; stop < 200 && view.notice != "That was the last beat of the lesson."; ++stop) {
      view.phase = 1;
      view.playing = false;
      const std::string key = view.present.question ? asked_now(view).key : "", now = foot(session, view);
      if (!key.empty() && key == asked && !view.board.board.empty() && view.board.board == stage.board &&
          view.board.knobs == stage.knobs) {
        ++same;
        CAPTURE(key);
        CAPTURE(now);
        const std::regex between(" · ");  // the answer may say more: knobs that come with it
        for (std::sregex_token_iterator premise(before.begin(), before.end(), between, -1), end; premise != end;
             ++premise)
          CHECK_MESSAGE(now.find(*premise) != std::string::npos, premise->str());
      }
      asked = key, before = now, stage = view.board;
      view.notice.clear();
      present_next(session, view);
    }
  }
  CHECK(same > 5);
}

TEST_CASE("Before a room nothing asks to be stepped, drawn or pressed") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  begin_presenting(session, view, false);
  const auto room = [&] { return words(layout_audience(session, view, {1920, 1080})); };
  seek(session.walk(), view, 0);
  CHECK(room().find("nothing is on chip yet") != std::string::npos);
  CHECK(room().find("Step forward") == std::string::npos);
  // Points that were drawn for another N: what is to be typed is the speaker's alone.
  REQUIRE(
      open_link("tilewalk://board/draw?N=4096&roofs=dram:3.35e12,tensor:9.89e14&points=fa2:34e9:b8.4e6", session, view)
          .there);
  CHECK(room().find("type their") == std::string::npos);
  open_tool(view, "draw");
  view.board = {};
  view.board.board = "draw";
  CHECK(room().find("Empty axes") != std::string::npos);
  CHECK(room().find("Add a roof") == std::string::npos);
}

TEST_CASE("A stop of a drawn roofline has the drawing") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  REQUIRE(
      open_link("tilewalk://board/draw?N=4096&roofs=dram:3.35e12,tensor:9.89e14&points=fa2:34e9:b8.4e6", session, view)
          .words.empty());
  const BoardState drawn = view.board;
  CHECK(drawn.cells.at("roofs") == "dram:3.35e12,tensor:9.89e14");
  const LinkHere here = link_here(session, view);
  CHECK(here.remark.empty());
  ViewState other;
  give_shipped_lessons(other);
  CHECK(open_link(here.text, session, other).words.empty());
  CHECK(other.board.cells == drawn.cells);
  CHECK(open_link("tilewalk://board/draw?roofs=nonsense", session, other).words.find("roofs") != std::string::npos);
}

TEST_CASE("A walk on the wall says its N, d, tiles, mask and machine") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  begin_presenting(session, view, false);
  seek(session.walk(), view, 9);
  const auto room = [&] { return words(layout_audience(session, view, {1920, 1080})); };
  const Problem& p = session.problem();
  CHECK(room().find(fmt::format("N {} · d {} · tiles {} × {} · fp16 · no mask · H200 · seed 4 · tile", p.n_q, p.d, p.br,
                                p.bc)) != std::string::npos);
  REQUIRE(run_command("turn-mask", session, view));
  CHECK(room().find("· causal ·") != std::string::npos);
  REQUIRE(run_command("other-numbers", session, view));
  CHECK_MESSAGE(room().find("· seed 5 ·") != std::string::npos, room());
}

TEST_CASE("A tool in a talk begins as it comes and not as it was left by its owner, who finds it as it was") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  run_command("estimate", session, view);
  view.board.knobs["N"] = 65536;
  run_command("leave-tool", session, view);
  begin_presenting(session, view, false);
  run_command("estimate", session, view);
  CHECK(view.board.knobs.count("N") == 0);
  run_command("present-restore", session, view);
  end_presenting(session, view);
  run_command("estimate", session, view);
  CHECK(view.board.knobs["N"] == 65536);
}

TEST_CASE("At every question the presenter reads the letter that the room has, and the room keeps it") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  int letters = 0, numbers = 0;
  for (const CourseEntry& entry : course->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    view.present.screens = Screens::Two;
    for (int stop = 0; stop < 200 && view.notice != "That was the last beat of the lesson."; ++stop) {
      view.phase = 1;
      view.playing = false;
      CAPTURE(entry.lesson->id);
      CAPTURE(view.lesson.beat);
      const AskedQuestion asked = asked_now(view);
      if (view.present.question) {
        const std::string answer = answer_words(session, view, asked);
        CHECK_FALSE(answer.empty());
        CHECK(words(layout_presenter(session, view, {1920, 1080})).find("Answer: " + answer) != std::string::npos);
        if (!asked.question->options.empty()) {
          ++letters;
          const Instance instance = instance_on_show(asked, session, view);
          REQUIRE(answer.size() == 1);
          CHECK(instance.right[size_t(instance.order[size_t(answer[0] - 'A')])]);
          // Every letter is there, before and after the answer, and one tick after it.
          int badges = 0, ticks = 0;
          for (const std::string& label : labels(layout_audience(session, view, {1920, 1080}))) {
            badges += label.size() == 1 && label[0] >= 'A' && label[0] < char('A' + asked.question->options.size());
            ticks += label == "✓";
          }
          CHECK(badges >= int(asked.question->options.size()));
          CHECK(ticks == int(settled(view, asked)));
        } else {
          ++numbers;
        }
      }
      view.notice.clear();
      present_next(session, view);
    }
  }
  CHECK(letters > 50);
  CHECK(numbers > 10);
}

TEST_CASE("At no stop of any lesson a sentence on the wall is for one who learns alone") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  for (const CourseEntry& entry : course->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    for (int stop = 0; stop < 200 && view.notice != "That was the last beat of the lesson."; ++stop) {
      view.phase = 1;
      CAPTURE(entry.lesson->id);
      CAPTURE(view.lesson.beat);
      const std::string all = fmt::format("{}", fmt::join(labels(layout_audience(session, view, {1920, 1080})), " "));
      for (const std::string learners :
           {"Lock it", "Fill the table", "digits are enough", "Filled in already", "Lift each", "Read the call",
            "until the question is answered", "give the answer away", "Draw the roofline", "Add a ", "Press ",
            "type their", "Drag ", "Click ", "Step on"})
        if (entry.lesson->id != "start" || learners != "Draw the roofline")  // lesson 14 is called so
          CHECK_MESSAGE(all.find(learners) == std::string::npos, learners << ": " << all);
      view.notice.clear();
      present_next(session, view);
    }
  }
}

TEST_CASE("The question of lessons 12.3 and 13.3 stands alone on the wall, with what it is about") {
  for (const auto& [place, premise] : {std::pair{"12.3", "from flash_attn import flash_attn_func"},
                                       std::pair{"13.3", "F.scaled_dot_product_attention"}}) {
    CAPTURE(place);
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    begin_presenting(session, view, true);
    REQUIRE(present_go_to(place, session, view).empty());
    present_reveal(session, view);
    REQUIRE(view.present.question);
    const std::string all = fmt::format("{}", fmt::join(labels(layout_audience(session, view, {1920, 1080})), " "));
    CHECK_MESSAGE(all.find(premise) != std::string::npos, all);
    CHECK(layout_faults(layout_audience(session, view, {1920, 1080}), kRoomText, 2).empty());
  }
}

}  // namespace tilewalk::test_premises
