// Every beat of every lesson that comes with the program, and its questions before and after the answer: no text cut
// off, covered, too small or too faint, at the sizes, scales and themes that are promised.
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_path.h"
#include "app/session/questions.h"

#include "tests/app/shipped_lessons.h"
#include "tests/app/window_shape.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tilewalk::test_lesson_layout {

namespace {

const std::vector<Shape> kShapes = {{{1280, 720}, 1}, {{1920, 1080}, 1.5f}, {{1920, 1080}, 1}, {{3840, 2160}, 2}};

struct Found {
  std::set<std::string> said;  // one fault is said once, not in every theme
};

void check(Session& session, ViewState view, const std::string& what, Found& found) {
  for (const Shape& shape : kShapes)
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      view.theme = theme;
      for (const std::string& fault : window_faults(session, view, shape))
        if (found.said.insert(what + fault).second)
          FAIL_CHECK(fmt::format("{} {}: {}", what, words_of(shape, view), fault));
    }
}

}  // namespace

TEST_CASE("Every beat of every lesson has no fault, nor has any of its questions" * doctest::test_suite("sweep")) {
  const std::shared_ptr<const Course> course = shipped_lessons();
  REQUIRE_FALSE(course->entries().empty());
  for (const CourseEntry& entry : course->entries()) {
    CHECK_MESSAGE(entry.faults.empty(), entry.path.string());
    if (!entry.lesson) continue;
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      if (beat > 0) show_beat(session, view, beat);
      CHECK_MESSAGE(view.notice.empty(), fmt::format("{} beat {}: {}", entry.lesson->id, beat + 1, view.notice));
      const std::string where = fmt::format("{} beat {}", entry.lesson->id, beat + 1);
      view.playing = false;
      view.phase = 1;
      Found found;
      check(session, view, where, found);
      const int questions = int(questions_on_show(view).size());
      for (int k = 0; k < questions; ++k) {
        view.lesson.question = k;
        put_question(session, view);
        const AskedQuestion asked = asked_now(view);
        const Instance instance = instance_on_show(asked, session, view);
        CHECK_MESSAGE(instance.fault.empty(), fmt::format("{} {}: {}", where, asked.key, instance.fault));
        if (asked.question->options.empty()) type_answer(view, "3");
        choose_option(view, 0);
        check(session, view, where + " chosen", found);
        ViewState before = view;
        lock_answer(session, view);
        view.playing = false;
        view.phase = view.lesson.lift = 1;
        CHECK(question_view(view, asked).locked);
        for (const float share : {0.0f, 1.0f, kScrollToQuestion}) {
          view.lesson.scroll = share;
          check(session, view, where + " answered", found);
        }
      }
    }
  }
}

TEST_CASE("What was answered wrong in lessons 4 and 5 comes back in 7 and 8") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  const auto each_beat = [&](int number, auto visit) {
    const std::shared_ptr<const Lesson> lesson = course->lesson_numbered(number);
    for (int beat = 0; beat < int(lesson->beats.size()); ++beat) {
      REQUIRE(open_lesson(session, view, lesson->id, beat));
      visit(lesson->beats[size_t(beat)]);
    }
  };
  for (const int number : {4, 5}) {
    each_beat(number, [&](const Beat& beat) {
      for (int k = 0; k < int(beat.questions.size()); ++k) {
        view.lesson.question = k;
        put_question(session, view);
        const Instance instance = instance_on_show(asked_now(view), session, view);
        if (instance.order.empty()) type_answer(view, "1e30");
        for (size_t place = 0; place < instance.order.size(); ++place)
          if (!instance.right[size_t(instance.order[place])]) choose_option(view, int(place));
        CHECK(lock_answer(session, view));
      }
    });
    size_t returned = 0;
    each_beat(number + 3, [&](const Beat&) {
      returned += size_t(std::ranges::count_if(questions_on_show(view), &AskedQuestion::returns));
    });
    CHECK(returned >= 3);
  }
}

TEST_CASE("The review page has no fault, whatever is chosen") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  view.lesson.review = true;
  for (const std::string kind : {"faq", "quick", "recap", "interview", "lessons"}) {
    view.lesson.about = {};
    view.lesson.about.kind = kind;
    Found found;
    check(session, view, "review " + kind, found);
    const Scene scene = layout_window(session, view, {1920, 1080});
    for (const Region& region : scene.regions)
      if (region.id.starts_with("review:open/")) {
        view.lesson.about.open = region.id.substr(12);
        check(session, view, "review " + kind + " open", found);
        break;
      }
    view.lesson.about.scroll = 0.7f;
    check(session, view, "review " + kind + " further down", found);
  }
}

TEST_CASE("A lesson with everything that text can hold has no fault") {
  // Long words, wide tables, code that is too wide, lists in lists, quantities that are wrong: in a column of any
  // width.
  auto course = std::make_shared<Course>();
  course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "tests" / "app" / "lessons"});
  REQUIRE(course->entries().size() == 2);
  Session session;
  ViewState view;
  view.lesson.course = course;
  view.lesson.cache = std::make_shared<LessonCache>();
  REQUIRE(open_lesson(session, view, "everything", 0));
  Found found;
  for (const float share : {0.0f, 0.5f, 1.0f}) {
    view.lesson.scroll = share;
    check(session, view, "everything", found);
  }
  for (const CourseEntry& entry : course->entries())
    if (!entry.lesson) view.lesson.fault_of = entry.path;
  REQUIRE_FALSE(view.lesson.fault_of.empty());
  view.lesson.scroll = 0;
  check(session, view, "faults", found);
}

TEST_CASE("at a lesson's end the three ways on are read whole, in the narrowest column, too") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  open_lesson_numbered(session, view, 4, 1);
  const int last = int(lesson_on_show(view)->beats.size()) - 1;
  REQUIRE(open_lesson(session, view, view.lesson.id, last));
  for (const Vec2 size : {Vec2{1280, 720}, {1280, 800}, {1920, 1080}}) {
    CAPTURE(size.x);
    float scale = 1;
    const Scene scene = window_of(session, view, {size, 1}, scale);
    for (const std::string_view words : {"Back", "Lesson 5", "Ten questions"})
      CHECK(std::ranges::any_of(scene.items, [&](const Item& item) {
        const Label* label = std::get_if<Label>(&item);
        return label && label->text == words;
      }));
  }
}

}  // namespace tilewalk::test_lesson_layout
