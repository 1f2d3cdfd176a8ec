// The transport where no walk is on the stage: the steps of a board that is stepped, or else the beats of the lesson.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct Track {
  int at, count;  // places 0 .. count
  float from, to;
  float x_of(int place) const { return count > 0 ? from + (to - from) * float(place) / float(count) : from; }
};

void draw_track(Scene& scene, const ViewState& view, const Style& s, Rect area, const Track& track, float x,
                std::string id, std::string tip) {
  const float y = area.center().y, h = s.px(10);
  scene.region({track.from, y - s.px(28), track.to - track.from, s.px(56)}, id, std::move(tip), true);
  scene.box({track.from, y - h / 2, track.to - track.from, h}, h / 2, s[Role::SurfaceStrong]);
  scene.box({track.from, y - h / 2, std::max(h, x - track.from), h}, h / 2, s[Role::Text]);
  if (float(track.count) * s.px(7) <= track.to - track.from)
    for (int k = 1; k < track.count; ++k) {
      const float at = track.x_of(k);
      scene.line({at, y - s.px(9)}, {at, y + s.px(9)}, s[Role::Ghost], s.px(1.2f));
      if (at < x) scene.line({at, y - s.px(5)}, {at, y + s.px(5)}, s[Role::Background], s.px(1.2f));
    }
  const float r = s.px(view.hover == id || view.held == id ? 14 : 12);
  scene.box({x - r, y - r, 2 * r, 2 * r}, r, s[Role::Inverse]);
  scene.box({x - r * 0.4f, y - r * 0.4f, r * 0.8f, r * 0.8f}, r * 0.4f, s[Role::InverseText]);
}

}  // namespace

void layout_board_transport(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  scene.box(area, 0, s[Role::Background]);
  scene.line({area.x, area.y + s.px(0.5f)}, {area.right(), area.y + s.px(0.5f)}, s[Role::Line], s.px(1));
  const bool board = what_moves(session, view) == Moves::Board;
  const bool start = !can_go_back(session, view), end = !can_go_forward(session, view);

  const float side = std::min(s.px(56), area.h - s.px(16)), gap = s.px(8), y = area.center().y - side / 2;
  float x = area.x + s.px(24);
  const auto button = [&](Icon icon, std::string_view command, bool enabled, Look look) {
    icon_button(scene, view, s, {x, y, side, side}, icon, command, look, {enabled, false});
    x += side + gap;
  };
  button(Icon::First, "first", !start, Look::Solid);
  button(Icon::PartBack, "part-back", !start, Look::Solid);
  if (board) button(view.playing ? Icon::Pause : Icon::Play, "play", true, Look::Round);
  button(Icon::PartForward, "part-forward", !end, Look::Solid);
  button(Icon::Last, "last", !end, Look::Solid);

  float right = area.right() - s.px(16);
  const float small_side = s.px(40), small_y = area.center().y - small_side / 2;
  text_button(scene, view, s, {right - small_side, small_y, small_side, small_side}, "?", "command:keys",
              tip_of("keys"), Look::Plain, Face::SansBold, s.heading());
  right -= small_side + s.px(6);
  if (board) {
    const std::string speed =
        fmt::format("{}×", view.speed < 1 ? fmt::format("{:.2g}", view.speed) : fmt::format("{:.1f}", view.speed));
    const float w = text_width("0.25×", Face::Mono, s.caption()) + s.px(16);
    text_button(scene, view, s, {right - w, small_y, w, small_side}, speed, "speed",
                "Speed: click for the next one ([ slower, ] faster)", Look::Plain, Face::Mono, s.caption());
    right -= w + s.px(10);
  }
  if (what_moves(session, view) == Moves::Nothing) return;
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const int beats = lesson ? int(lesson->beats.size()) : 1;
  const int count = board ? board_steps(session, view) : beats - 1, at = board ? view.board.step : view.lesson.beat;
  const std::string where = board ? fmt::format("{} / {}", at, count) : fmt::format("{} / {}", at + 1, beats);
  const float where_w =
      text_width(fmt::format("{} / {}", std::max(count, beats), std::max(count, beats)), Face::Mono, s.caption()) +
      s.px(16);
  scene.label({right - where_w, small_y, where_w, small_side}, where, Face::Mono, s.caption(), s[Role::Text],
              Align::Center);
  right -= where_w + s.px(22);

  const Track track{at, count, x - gap + s.px(34), std::max(right, x + s.px(40))};
  // While a step is animated the knob travels with it.
  const float to = track.x_of(at), from = board && at > 0 ? track.x_of(at - 1) : to;
  draw_track(scene, view, s, area, track, from + (to - from) * view.phase, board ? "steps" : "beats",
             board ? fmt::format("Step {} of {}. Drag, or use the arrow keys", at, count)
                   : fmt::format("Beat {} of {}: {}", at + 1, beats,
                                 lesson->beats[size_t(std::clamp(at, 0, beats - 1))].title));
}

}  // namespace tilewalk
