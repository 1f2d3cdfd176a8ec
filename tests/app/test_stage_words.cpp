// What a stage says on little room: a formula in full, a name for every tile, and the numbers of a row that is told.
#include "app/panels/audience.h"
#include "app/scene/layout_check.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/stage/stage.h"
#include "core/machine/words.h"
#include "core/playback/units.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tilewalk::test_stage_words {

namespace {

struct Size {
  Vec2 size;
  float scale;
};
// The stage of a window of 1280 × 720, 1920 × 1080 and 3840 × 2160.
constexpr Size kSizes[] = {{{824, 572}, 1}, {{1464, 932}, 1}, {{2928, 1864}, 2}};

Scene stage(Session& session, const ViewState& view, const Size& at) {
  const Style style(view.theme, at.scale);
  Scene scene;
  scene.size = at.size;
  scene.background = style[Role::Background];
  const Rect area{0, 0, at.size.x, at.size.y};
  const Moment moment = moment_of(session.walk(), view);
  if (session.other())
    layout_stage_pair(scene, session, moment, matching_moment(*session.other(), moment, view), view, area, style);
  else
    layout_stage(scene, session, moment, view, area, style);
  return scene;
}

struct Shown {
  Session session;
  ViewState view;
  Shown(int lesson, int beat) {
    give_shipped_lessons(view);
    REQUIRE(open_lesson_numbered(session, view, lesson, beat));
    view.phase = 1;
    view.playing = false;
  }
  void go_to(int64_t playhead) {
    view.playhead = playhead;
    view.from = unit_back(session.walk().replay.steps(), playhead, Unit::Part);
  }
};

std::vector<std::string> labels(const Scene& scene) {
  std::vector<std::string> out;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) out.push_back(label->text);
  return out;
}

bool says(const Scene& scene, std::string_view words) {
  return std::ranges::any_of(labels(scene), [&](const std::string& text) { return text.find(words) != text.npos; });
}

bool is_written(const Scene& scene, std::string_view number) { return std::ranges::count(labels(scene), number) > 0; }

std::string tip_of(const Scene& scene, std::string_view id) {
  for (const Region& region : scene.regions)
    if (region.id == id) return region.tip;
  return {};
}

}  // namespace

TEST_CASE("Of two walks side by side every formula is told in full") {
  Shown lesson(10, 1);
  REQUIRE(lesson.session.other());
  const std::vector<Step>& steps = lesson.session.walk().replay.steps();
  int parted = 0;
  for (int64_t at = 0; at < lesson.session.walk().replay.length(); at = unit_forward(steps, at, Unit::Part)) {
    lesson.go_to(at);
    for (const Size& size : kSizes) {
      const Scene scene = stage(lesson.session, lesson.view, size);
      for (const std::string& text : labels(scene)) CHECK_MESSAGE(text.find("…") == text.npos, text);
      parted += says(scene, "= 0.680;");
      CHECK(layout_faults(scene, 14 * size.scale, size.scale).empty());
    }
  }
  CHECK(parted > 0);
}

TEST_CASE("Weights have a name beside another walk, too") {
  Shown lesson(4, 3);
  REQUIRE(lesson.session.other());
  const std::vector<Step>& steps = lesson.session.walk().replay.steps();
  int weights = 0;
  for (int64_t at = 0; at < lesson.session.walk().replay.length(); at = unit_forward(steps, at, Unit::Part)) {
    lesson.go_to(at);
    const Moment moment = moment_of(lesson.session.walk(), lesson.view),
                 other = matching_moment(*lesson.session.other(), moment, lesson.view);
    const Resident* p = other.after.find(Tensor::P);
    if (!p) continue;
    ++weights;
    CHECK(says(stage(lesson.session, lesson.view, kSizes[0]), tile_name(Tensor::P, p->i, p->j)));
  }
  CHECK(weights > 0);
}

TEST_CASE("D = dO · O can be checked by the numbers on the stage of lesson 8") {
  Shown lesson(8, 4);
  for (const Size& size : kSizes) {
    CAPTURE(size.size.x);
    const Scene scene = stage(lesson.session, lesson.view, size);
    for (const char* number : {"1", "0", "1.2", "0.7"}) CHECK(is_written(scene, number));
    CHECK(layout_faults(scene, 14 * size.scale, size.scale).empty());
    CHECK(tip_of(scene, "tile:dO/0").ends_with(" Row 1: 1, 0."));
    CHECK(tip_of(scene, "tile:O/0").find(" Row 1: 1.2") != std::string::npos);
  }
}

TEST_CASE("The room can check it, too, and has the numbers of Q, dO and dS in the next beat") {
  for (const int beat : {4, 5}) {
    Shown lesson(8, beat);
    begin_presenting(lesson.session, lesson.view, false);
    lesson.view.phase = 1;
    for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}, Vec2{3840, 2160}}) {
      CAPTURE(size.x);
      CAPTURE(beat);
      const Scene scene = layout_audience(lesson.session, lesson.view, size);
      const std::vector<std::string> all = labels(scene);
      const auto times = [&](const char* number) { return std::ranges::count(all, number); };
      if (beat == 4) {
        for (const char* number : {"1", "0", "1.2", "0.7"}) CHECK(is_written(scene, number));
      } else {
        CHECK(std::ranges::any_of(all, [](const std::string& text) { return text.ends_with("0.04"); }));
        CHECK(times("1") >= 4);  // a row's number, of Q, of dO, of K and V
      }
      CHECK(layout_faults(scene, kRoomText * size.y / 1080, room_scale(lesson.view, size)).empty());
    }
  }
}

}  // namespace tilewalk::test_stage_words
