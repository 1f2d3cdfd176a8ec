// Going on is seen in the room: no press of the clicker leaves the wall as it was, in any lesson.
#include "app/scene/svg_painter.h"

#include "tests/app/present/talk.h"

#include <fmt/format.h>

#include <string>

namespace tilewalk::test_wall_goes_on {

namespace {

constexpr Vec2 kWall{1920, 1080};
constexpr float kFoot = 0.94f;  // of its height; below it the foot and the line of progress say where one is

struct Wall {
  int beat;
  std::string picture;
};

Wall wall_of(Talk& talk) {
  talk.view.phase = 1;
  Scene scene = layout_audience(talk.session, talk.view, kWall);
  std::erase_if(scene.items, [](const Item& item) {
    const auto* label = std::get_if<Label>(&item);
    const auto* box = std::get_if<Box>(&item);
    return (label && label->slot.y > kWall.y * kFoot) || (box && box->rect.y > kWall.y * kFoot);
  });
  return {talk.view.lesson.beat + 1, to_svg(scene, {})};
}

}  // namespace

TEST_CASE("No press of the clicker leaves the wall of a lesson as it was") {
  for (int lesson = 1; lesson <= 14; ++lesson) {
    Talk talk({}, lesson, 0);
    const size_t beats = lesson_on_show(talk.view)->beats.size();
    const std::string id = talk.view.lesson.id;
    Wall before = wall_of(talk);
    for (int press = 0; press < 60; ++press) {
      const bool last = talk.view.lesson.beat + 1 == int(beats) && next_in_beat_words(talk.view).empty();
      if (last) break;
      present_next(talk.session, talk.view);
      pass_presentation_time(talk.view, 2);
      REQUIRE(talk.view.lesson.id == id);
      const Wall now = wall_of(talk);
      const std::string stops = fmt::format("{}.{} to {}.{}", lesson, before.beat, lesson, now.beat);
      CHECK_MESSAGE(now.picture != before.picture, stops);
      before = now;
    }
  }
}

TEST_CASE("What X breaks is said by the wall's title, which is another one before and after") {
  int faults = 0;
  for (int lesson = 1; lesson <= 14; ++lesson) {
    Talk talk({}, lesson, 0);
    const auto beats = lesson_on_show(talk.view)->beats;
    for (size_t beat = 0; beat < beats.size(); ++beat) {
      if (beats[beat].kind != BeatKind::Break) continue;
      present_beat(talk.session, talk.view, int(beat));
      const auto title = [&] {
        std::string words;
        for (const Item& item : layout_audience(talk.session, talk.view, kWall).items)
          if (const auto* label = std::get_if<Label>(&item); label && label->slot.y < kWall.y * 0.08f)
            words += label->text + " ";
        return words;
      };
      const std::string whole = title();
      CAPTURE(lesson);
      for (size_t fault = 0; fault < beats[beat].breaks.size(); ++fault, ++faults) {
        talk.press("X");
        CHECK_MESSAGE(title() != whole, whole);
        if (lesson == 5 && fault == 1)
          CHECK_MESSAGE(title().find("reads K and V 256 times") != std::string::npos, title());
      }
      talk.press("X");
      CHECK(title() == whole);
    }
  }
  CHECK(faults > 14);
}

}  // namespace tilewalk::test_wall_goes_on
