// What stands on the stage when nobody says what to begin with, and the one line of a first start.
#include "app/scene/layout_check.h"
#include "app/session/start.h"
#include "tests/app/learner.h"

namespace tilewalk::test_start {

TEST_CASE("A first start opens lesson 1 paused, with one line until the first step") {
  for (const char* way : {"part-forward", "lesson-next"}) {
    CAPTURE(way);
    Learner learner;
    start_where_one_stopped(learner.session, learner.view, false, false);
    CHECK(learner.view.lesson.id == "first");
    CHECK(learner.view.lesson.beat == 0);
    CHECK_FALSE(learner.view.playing);
    CHECK(learner.view.coach);
    CHECK(says(learner, "takes the next step"));
    CHECK(says(learner, "shows all keys"));
    run_command("theme", learner.session, learner.view);
    CHECK(learner.view.coach);
    REQUIRE(run_command(way, learner.session, learner.view));
    CHECK_FALSE(learner.view.coach);
    CHECK_FALSE(says(learner, "takes the next step"));
  }
}

TEST_CASE("Once it was read the line does not come again") {
  Learner learner;
  start_where_one_stopped(learner.session, learner.view, true, false);
  CHECK(learner.view.lesson.id == "first");
  CHECK_FALSE(learner.view.coach);
}

TEST_CASE("A later start begins where one stopped") {
  Learner learner;
  LessonRecord record;
  record.beat = record.furthest = 2;
  learner.view.lesson.progress.lessons["first"] = record;
  learner.view.lesson.progress.last = "first";
  const LearnerProgress before = learner.view.lesson.progress;

  start_where_one_stopped(learner.session, learner.view, false, false);
  CHECK(learner.view.lesson.id == "first");
  CHECK(learner.view.lesson.beat == 2);
  CHECK_FALSE(learner.view.coach);
  CHECK(learner.view.notice.find("where you stopped") != std::string::npos);

  // On a walk of one's own, where that was on the stage.
  learner.view = ViewState{};
  learner.view.lesson.progress = before;
  start_where_one_stopped(learner.session, learner.view, false, true);
  CHECK(learner.view.lesson.id.empty());
}

TEST_CASE("Who has done a lesson begins with the next one, and with all done on a walk") {
  Learner learner;
  LessonRecord done;
  done.beat = done.furthest = 5;
  done.done = true;
  learner.view.lesson.progress.lessons["first"] = done;
  learner.view.lesson.progress.last = "first";
  start_where_one_stopped(learner.session, learner.view, false, false);
  CHECK(learner.view.lesson.id == "lesson-2");
  CHECK_FALSE(learner.view.coach);

  Learner all;
  for (const CourseEntry& entry : all.view.lesson.course->entries())
    all.view.lesson.progress.lessons[entry.lesson->id] = done;
  start_where_one_stopped(all.session, all.view, false, false);
  CHECK(all.view.lesson.id.empty());
}

TEST_CASE("The line is read at every size, and covers nothing") {
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1600, 900}, Vec2{1920, 1080}, Vec2{3840, 2160}})
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      Learner learner;
      learner.size = size;
      learner.view.theme = theme;
      if (size.x > 3000) learner.view.scale = 2;
      start_where_one_stopped(learner.session, learner.view, false, false);
      REQUIRE(says(learner, "takes the next step"));
      const float scale = window_grid(size, learner.view).scale;
      for (const std::string& fault : layout_faults(learner.scene(), 14 * scale, scale)) FAIL_CHECK(fault);
    }
}

}  // namespace tilewalk::test_start
