// The rail: the walk of one's own, then the fourteen lessons in their four phases. Folded it shows their numbers alone.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/lessons.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct RailSizes {
  float row, heading, disc, text;
};

RailSizes sizes_for(float height, bool folded, const Style& s) {
  // Fifteen rows, four headings (gaps where it is folded), and the legend below.
  const float legend = s.px(folded ? 52 : 56);
  const float roomy = 15 * 44 + (folded ? 4 * 12 : 4 * 36);
  const float k = std::min(1.0f, (height - legend - s.px(12)) / s.px(roomy));
  return {s.px(44) * k, s.px(folded ? 12 : 36) * k, std::min(s.px(24), s.px(44) * k - s.px(3)), s.number()};
}

void disc(Scene& scene, const Style& s, Vec2 at, float size, int number, bool written) {
  const Rect rect{at.x - size / 2, at.y - size / 2, size, size};
  scene.box(rect, size / 2, {}, s[written ? Role::Text : Role::Ghost], s.px(1.5f), written ? 0 : s.px(3));
  scene.label(rect, fmt::format("{}", number), Face::Sans, s.small(), s[Role::TextSecondary], Align::Center);
}

// A page with a play triangle: the walk that needs no lesson.
void walk_icon(Scene& scene, Vec2 at, float size, Color ink, Color ground) {
  scene.box({at.x - size / 2, at.y - size / 2, size, size}, size / 2, ink);
  draw_icon(scene, Icon::Play, {at.x - size / 4 + size * 0.03f, at.y - size / 4, size / 2, size / 2}, ground);
}

}  // namespace

void layout_rail(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s, bool folded) {
  scene.box(area, 0, s[Role::Surface]);
  scene.line({area.right() - s.px(0.5f), area.y}, {area.right() - s.px(0.5f), area.bottom()}, s[Role::Line], s.px(1));
  scene.region(area, "panel:rail", "The lesson path", false);

  const RailSizes size = sizes_for(area.h, folded, s);
  const float disc_x = folded ? area.center().x : area.x + s.px(32);
  const float text_x = area.x + s.px(54), text_w = area.right() - s.px(10) - text_x;
  float y = area.y + s.px(10);

  // The walk of one's own comes first; it is what is on the stage now.
  const Rect own = Rect{area.x, y, area.w, size.row}.inset(s.px(8), s.px(1));
  scene.box(own, s.r_medium(), s[Role::Inverse]);
  walk_icon(scene, {disc_x, own.center().y}, size.disc, s[Role::InverseText], s[Role::Inverse]);
  if (!folded)
    fitted(scene, {text_x, own.y, text_w, own.h}, "Free walk", Face::SansBold, size.text, s[Role::InverseText]);
  scene.region({own.x, y, own.w, size.row}, "lesson:0",
               fmt::format("A walk of your own: {} on {}", session.walk().schedule.name, session.inputs().source),
               true);
  scene.regions.back().focus_radius = s.r_medium();
  y += size.row;

  int phase = -1;
  for (const LessonTitle& lesson : kLessons) {
    if (lesson.phase != phase) {
      phase = lesson.phase;
      if (!folded)
        fitted(scene, {area.x + s.px(20), y + size.heading * 0.12f, area.w - s.px(32), size.heading * 0.88f},
               kPhases[size_t(phase)], Face::SansBold, s.small(), s[Role::TextSecondary]);
      y += size.heading;
    }
    const Rect row = Rect{area.x, y, area.w, size.row}.inset(s.px(8), s.px(1));
    const std::string id = fmt::format("lesson:{}", lesson.number);
    if (view.hover == id) scene.box(row, s.r_medium(), s[Role::SurfaceStrong]);
    disc(scene, s, {disc_x, row.center().y}, size.disc, lesson.number, false);
    if (!folded)
      fitted(scene, {text_x, row.y, text_w, row.h}, lesson.brief, Face::Sans, size.text, s[Role::TextSecondary]);
    scene.region({row.x, y, row.w, size.row}, id,
                 fmt::format("Lesson {}: {}. Not written yet", lesson.number, lesson.title), true);
    scene.regions.back().focus_radius = s.r_medium();
    y += size.row;
  }

  // What a dashed ring says, and the button that folds.
  const float foot = area.bottom() - s.px(46);
  const float side = s.px(36);
  if (!folded) {
    const float ring = s.px(16);
    scene.box({disc_x - ring / 2, foot + s.px(23) - ring / 2, ring, ring}, ring / 2, {}, s[Role::Ghost], s.px(1.5f),
              s.px(3));
    scene.label({text_x, foot, text_w - side, s.px(46)}, "not written yet", Face::Sans, s.small(),
                s[Role::TextSecondary]);
  }
  const Rect button{folded ? area.center().x - side / 2 : area.right() - side - s.px(10), foot + s.px(5), side, side};
  icon_button(scene, view, s, button, Icon::Rail, "rail", Look::Plain);
}

}  // namespace tilewalk
