// The transport where no walk is on the stage: the steps of a board that is stepped, or else the beats of the lesson.
#include "app/panels/panels.h"
#include "app/panels/transport_parts.h"
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
  draw_playhead(scene, view, s, id, {x, y});
}

}  // namespace

void layout_board_transport(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  const bool board = what_moves(session, view) == Moves::Board;
  const bool start = !can_go_back(session, view), end = !can_go_forward(session, view);
  std::vector<TransportButton> buttons{{Icon::First, "first", !start},
                                       {Icon::PartBack, "part-back", !start},
                                       {view.playing ? Icon::Pause : Icon::Play, "play", true},
                                       {Icon::PartForward, "part-forward", !end},
                                       {Icon::Last, "last", !end}};
  if (!board) buttons.erase(buttons.begin() + 2);
  const float x = transport_buttons(scene, view, s, area, buttons);
  float right = area.right() - s.px(16);
  const Rect small = transport_right(scene, view, s, area, board, right);
  if (what_moves(session, view) == Moves::Nothing) return;
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const int beats = lesson ? int(lesson->beats.size()) : 1;
  const int count = board ? board_steps(session, view) : beats - 1, at = board ? view.board.step : view.lesson.beat;
  const std::string where = board ? fmt::format("{} / {}", at, count) : fmt::format("{} / {}", at + 1, beats);
  const float where_w =
      text_width(fmt::format("{} / {}", std::max(count, beats), std::max(count, beats)), Face::Mono, s.caption()) +
      s.px(16);
  scene.label({right - where_w, small.y, where_w, small.h}, where, Face::Mono, s.caption(), s[Role::Text],
              Align::Center);
  right -= where_w + s.px(22);

  const Track track{at, count, x + s.px(34), std::max(right, x + s.px(48))};
  // While a step is animated the knob travels with it.
  const float to = track.x_of(at), from = board && at > 0 ? track.x_of(at - 1) : to;
  draw_track(scene, view, s, area, track, from + (to - from) * view.phase, board ? "steps" : "beats",
             board ? fmt::format("Step {} of {}. Drag, or use the arrow keys", at, count)
                   : fmt::format("Beat {} of {}: {}", at + 1, beats,
                                 lesson->beats[size_t(std::clamp(at, 0, beats - 1))].title));
}

}  // namespace tilewalk
