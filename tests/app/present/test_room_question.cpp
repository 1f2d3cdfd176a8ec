// A question alone on the wall has the room: large type, options set apart, nothing cut, whatever its length and number
// of options; and a number that is asked for says its unit and what it takes.
#include "app/boards/board.h"
#include "app/panels/audience.h"
#include "app/panels/room_question.h"
#include "app/scene/layout_check.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "core/lesson/course.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk::test_room_question {

namespace {

constexpr std::array<Vec2, 3> kWalls{{{1280, 720}, {1920, 1080}, {3840, 2160}}};
constexpr float kFoot = 0.93f;  // of the wall's height: where the line below begins

struct Page {
  float taken = 0;  // of the height above the foot, from the first line of words to the last mark or word
  float below = 0;  // of it, below the last
  float type = 0;   // of the options, or of the question where it has none; pixels of 1080 lines
  float told = 0;   // of the number that answers it
  std::vector<std::string> faults, words;
};

Page page_of(Session& session, const ViewState& view, Vec2 wall, const std::string& answer = {}) {
  const Scene scene = layout_audience(session, view, wall);
  Page page;
  float top = wall.y, bottom = 0;
  for (const Item& item : scene.items) {
    Rect r{};
    if (const auto* label = std::get_if<Label>(&item)) {
      page.words.push_back(label->text);
      if (!answer.empty() && label->text.ends_with(answer))
        page.told = std::max(page.told, label->size * 1080 / wall.y);
      if (label->slot.y > kFoot * wall.y) continue;
      r = label_ink(*label);
      if (label->text == "A" || page.type == 0) page.type = label->size * 1080 / wall.y;
    } else if (const auto* box = std::get_if<Box>(&item)) {
      r = box->rect;
    }
    if (r.w <= 0 || r.h <= 0 || r.bottom() > kFoot * wall.y) continue;
    top = std::min(top, r.y), bottom = std::max(bottom, r.bottom());
  }
  page.taken = (bottom - top) / (kFoot * wall.y);
  page.below = 1 - bottom / (kFoot * wall.y);
  page.faults = layout_faults(scene, kRoomText * wall.y / 1080, room_scale(view, wall));
  return page;
}

void ask_room(Session& session, ViewState& view, int question) {
  view.lesson.question = question;
  view.present.question = true;
  put_question(session, view);
  view.phase = 1;
}

// A course of one question with so many options, of a few words or of two lines.
std::shared_ptr<const Course> course_of(int options, bool long_ones) {
  std::string text =
      "+++\nid = \"first\"\nnumber = 1\nphase = 1\ntitle = \"One question\"\nbrief = \"One\"\nminutes = 2\n+++\n\n"
      "## check: A question\n\nWords.\n\n```scene\nstage = \"clocks\"\n```\n\n```ask\nid = \"one\"\n"
      "text = \"Which of these moves the most bytes, and why does nobody notice it?\"\n";
  for (int k = 0; k < options; ++k)
    text += fmt::format("\n[[options]]\ntext = \"{} {}\"\nright = \"{}\"\nwhy = \"It reads all of it once more.\"\n",
                        long_ones ? "The one that reads all of K and V again for every tile of Q, and hides that under"
                                    " the products of the tile before, number"
                                  : "Kernel",
                        k + 1, k == 1);
  text += "```\n";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("tilewalk-room-question-{}", getpid());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "01-first.md") << text;
  auto course = std::make_shared<Course>();
  course->open({folder});
  std::filesystem::remove_all(folder);
  return course;
}

}  // namespace

TEST_CASE("Every question of the lessons has most of the wall, and its answer, too") {
  int questions = 0;
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      present_lesson(session, view, *entry.lesson, beat);
      for (int k = 0; k < int(questions_on_show(view).size()); ++k, ++questions) {
        ask_room(session, view, k);
        const Question& question = *asked_now(view).question;
        CAPTURE(entry.lesson->id);
        CAPTURE(question.id);
        const Vec2 wall = kWalls[size_t(questions) % kWalls.size()];
        const Page page = page_of(session, view, wall);
        CHECK(page.type >= 48);
        for (const std::string& line : page.words)
          for (const char* at_the_desk : {"Press", "press ", "click", "Drag", "Type ", "type `", "Tab"}) {
            CAPTURE(line);
            CHECK(line.find(at_the_desk) == std::string::npos);
          }
        if (question.options.empty()) {
          CHECK(page.type >= 64);
          CHECK(page.taken > 0.55f);
          CHECK(page.below < 0.25f);
          CHECK((question.unit.empty() || std::ranges::count(page.words, question.unit) == 1));
        } else {
          CHECK(page.taken > 0.7f);
          CHECK(page.below < 0.2f);
        }
        CHECK_MESSAGE(page.faults.empty(), fmt::format("{}", fmt::join(page.faults, "\n")));
        skip_question(session, view);
        const bool number = question.options.empty();
        const Page answered =
            page_of(session, view, wall, number ? answer_words(session, view, asked_now(view)) : std::string());
        if (number) {
          CHECK(answered.told > 79);
          CHECK(answered.taken > 0.7f);
          CHECK(answered.below < 0.2f);
          CHECK(std::ranges::count(answered.words, "✓") == 1);
        }
        CHECK(answered.type == doctest::Approx(page.type));
        CHECK(answered.faults.empty());
      }
    }
  }
  CHECK(questions > 40);
}

TEST_CASE("The picture that comes after a number's answer tells that number as the answer does") {
  int compared = 0;
  for (const CourseEntry& entry : shipped_lessons()->entries()) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      show_beat(session, view, beat);
      for (int k = 0; k < int(questions_on_show(view).size()); ++k) {
        view.lesson.question = k;
        const Question& question = *asked_now(view).question;
        if (!question.options.empty() || question.proof.line == 0) continue;
        for (int variant = 0; variant < 12; ++variant) {
          if (variant > 0) another_question(session, view);
          put_question(session, view);
          skip_question(session, view);
          const Board* board = board_named(view.board.board);
          if (!board || !board->readings) break;
          const Quantity answer = *instance_on_show(asked_now(view), session, view).answer;
          const std::string told = answer_words(session, view, asked_now(view));
          CAPTURE(entry.lesson->id);
          CAPTURE(question.id);
          double off = 1;
          Quantity nearest;
          for (const Reading& reading : board->readings({view.board, session, view, *board}))
            if (std::ranges::find(question.cover, reading.id) != question.cover.end())
              if (const double by = std::abs(reading.quantity.value / answer.value - 1); by < off)
                off = by, nearest = reading.quantity;
          if (off > 0.1) continue;
          CHECK(off < 0.003);
          if (nearest.unit == "s") CHECK(format_quantity(nearest, "time").value_or("") == told);
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 30);
}

TEST_CASE("Two to five options, short or long, have the wall of every size") {
  for (int options = 2; options <= 5; ++options)
    for (const bool long_ones : {false, true}) {
      CAPTURE(options);
      CAPTURE(long_ones);
      Session session;
      ViewState view;
      view.lesson.course = course_of(options, long_ones);
      view.lesson.cache = std::make_shared<LessonCache>();
      REQUIRE(open_lesson(session, view, "first", 0));
      begin_presenting(session, view, true);
      ask_room(session, view, 0);
      float type = 0;
      for (const Vec2 wall : kWalls) {
        const Page page = page_of(session, view, wall);
        CHECK(page.faults.empty());
        CHECK(page.taken > 0.6f);
        CHECK(page.below < 0.3f);
        CHECK(page.type >= (long_ones ? 40 : 60));
        if (type > 0) CHECK(page.type == doctest::Approx(type).epsilon(0.05));
        type = page.type;
      }
    }
}

}  // namespace tilewalk::test_room_question
