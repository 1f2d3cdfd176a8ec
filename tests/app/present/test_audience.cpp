// The picture that a room sees, of every beat of every lesson that comes with the program and of each of its questions:
// no text under 28 px and no stroke under 3 px at 1080 lines, nothing cut off, covered or too faint.
#include "app/panels/audience.h"
#include "app/scene/layout_check.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace tilewalk;

namespace {

std::shared_ptr<const Course> shipped() {
  auto course = std::make_shared<Course>();
  course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"});
  return course;
}

// Strokes thinner than they may be, one sentence each. A fill that is thin is a stroke too.
std::vector<std::string> thin_strokes(const Scene& scene, float least) {
  std::vector<std::string> found;
  const float slack = 0.01f;
  for (const Item& item : scene.items) {
    if (const auto* line = std::get_if<Line>(&item); line && line->width < least - slack)
      found.push_back(fmt::format("a line at {:.0f}, {:.0f} is {:.1f} px wide", line->from.x, line->from.y, line->width));
    const auto* box = std::get_if<Box>(&item);
    if (!box) continue;
    const bool stroke = box->stroke.a > 0 && box->stroke_width > 0 && box->stroke_width < least - slack;
    const bool fill = box->fill.a > 0 && box->rect.w > 0 && box->rect.h > 0 && std::min(box->rect.w, box->rect.h) < least - slack;
    if (stroke || fill)
      found.push_back(fmt::format("a box at {:.0f}, {:.0f} of {:.1f} x {:.1f} has a stroke of {:.1f} px", box->rect.x,
                                  box->rect.y, box->rect.w, box->rect.h, box->stroke_width));
  }
  return found;
}

struct Found {
  int pictures = 0;
  std::set<std::string> said;
};

void check(Session& session, const ViewState& now, const std::string& where, Found& found) {
  ViewState view = now;
  view.playing = false;
  view.phase = 1;
  for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}})
    for (const Theme theme : {Theme::Projector, Theme::Dark}) {
      view.present.theme = theme;
      const Scene scene = layout_audience(session, view, size);
      const float unit = size.y / 1080;
      ++found.pictures;
      std::vector<std::string> faults = layout_faults(scene, kRoomText * unit, room_scale(view, size));
      for (std::string& thin : thin_strokes(scene, kRoomStroke * unit)) faults.push_back(std::move(thin));
      for (const std::string& fault : faults)
        if (found.said.insert(where + fault.substr(0, 60)).second)
          FAIL_CHECK(fmt::format("{} at {}x{}, theme {}: {}", where, size.x, size.y, int(theme), fault));
    }
}

}  // namespace

TEST_CASE("A room can read every beat of every lesson, and every question") {
  const std::shared_ptr<const Course> course = shipped();
  REQUIRE(course->entries().size() >= 14);
  Found found;
  for (const CourseEntry& entry : course->entries()) {
    REQUIRE(entry.lesson);
    Session session;
    ViewState view;
    view.lesson.course = course;
    view.lesson.cache = std::make_shared<LessonCache>();
    REQUIRE(open_lesson(session, view, entry.lesson->id, 0));
    begin_presenting(session, view, true);
    // As the clicker goes: every press another stop, to the end of the lesson.
    for (int stop = 0; stop < 200; ++stop) {
      const std::string where = fmt::format("{} beat {}{}", entry.lesson->id, view.lesson.beat + 1,
                                            view.present.question ? fmt::format(" question {}", view.lesson.question + 1) : "");
      CAPTURE(where);
      check(session, view, where, found);
      view.notice.clear();
      present_next(session, view);
      if (view.notice == "That was the last beat of the lesson.") break;
    }
    CHECK(view.lesson.beat + 1 == int(entry.lesson->beats.size()));
  }
  CHECK(found.pictures > 1000);
}

TEST_CASE("The picture is the largest of 16:9 that the screen holds") {
  CHECK(room_picture({1920, 1080}).w == 1920);
  const Rect high = room_picture({1024, 768});
  CHECK(high.w == 1024);
  CHECK(high.h == 576);
  CHECK(high.y == 96);
  const Rect wide = room_picture({2560, 1080});
  CHECK(wide.h == 1080);
  CHECK(wide.x == 320);
}
