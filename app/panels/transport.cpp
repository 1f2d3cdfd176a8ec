// The transport: buttons, the scrubber with its marks, where the playhead stands, speed. A program may have a million
// steps and the scrubber a thousand pixels, so that marks and ticks are gathered by place. Where no walk is on the
// stage, the steps of a board that is stepped, or else the beats of the lesson.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/stage/pieces.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

struct TransportButton {
  Icon icon;
  std::string_view command;
  bool enabled;
};
// The ground, and buttons from the left; returns where they end.
float transport_buttons(Scene& scene, const ViewState& view, const Style& s, Rect area,
                        const std::vector<TransportButton>& buttons) {
  scene.box(area, 0, s[Role::Background]);
  scene.line({area.x, area.y + s.px(0.5f)}, {area.right(), area.y + s.px(0.5f)}, s[Role::Line], s.px(1));
  const float side = std::min(s.px(56), area.h - s.px(16)), gap = s.px(8), y = area.center().y - side / 2;
  float x = area.x + s.px(24);
  for (const TransportButton& button : buttons) {
    icon_button(scene, view, s, {x, y, side, side}, button.icon, button.command,
                button.command == "play" ? Look::Round : Look::Solid, {button.enabled, false});
    x += side + gap;
  }
  return x - gap;
}

// From the right: keys, and speed where something plays. Moves `right` to where they begin; returns the line they lie
// on.
Rect transport_right(Scene& scene, const ViewState& view, const Style& s, Rect area, bool speed, float& right) {
  const float side = s.px(40), y = area.center().y - side / 2;
  text_button(scene, view, s, {right - side, y, side, side}, "?", "command:keys", tip_of("keys"), Look::Plain,
              Face::SansBold, s.heading());
  right -= side + s.px(6);
  if (speed) {
    const std::string words =
        fmt::format("{}×", view.speed < 1 ? fmt::format("{:.2g}", view.speed) : fmt::format("{:.1f}", view.speed));
    const float w = text_width("0.25×", Face::Mono, s.caption()) + s.px(16);
    text_button(scene, view, s, {right - w, y, w, side}, words, "speed",
                "Speed: click for the next one ([ slower, ] faster)", Look::Plain, Face::Mono, s.caption());
    right -= w + s.px(10);
  }
  return {area.x, y, right - area.x, side};
}

// The knob of a scrubber, whose region is `id`.
void draw_playhead(Scene& scene, const ViewState& view, const Style& s, std::string_view id, Vec2 at) {
  const float r = s.px(view.hover == id || view.held == id ? 14 : 12);
  scene.box({at.x - r, at.y - r, 2 * r, 2 * r}, r, s[Role::Inverse]);
  scene.box({at.x - r * 0.4f, at.y - r * 0.4f, r * 0.8f, r * 0.8f}, r * 0.4f, s[Role::InverseText]);
}

struct Scrubber {
  const std::vector<Step>& steps;
  Rect track;
  int64_t length() const { return int64_t(steps.size()); }
  float x_of(int64_t k) const {
    return track.x + (length() ? float(double(track.w) * double(k) / double(length())) : 0.0f);
  }
};

struct Tick {
  float x;
  bool row;  // a row begins here, not only a tile
};

bool new_row(const Step& a, const Step& b) { return a.pass != b.pass || a.section != b.section; }
bool new_tile(const Step& a, const Step& b) { return new_row(a, b) || a.visit != b.visit; }

// Borders between tiles, looked for at most once a pixel.
std::vector<Tick> ticks_of(const Scrubber& scrubber) {
  std::vector<Tick> ticks;
  const std::vector<Step>& steps = scrubber.steps;
  const int64_t stride = std::max<int64_t>(1, int64_t(double(scrubber.length()) / std::max(1.0f, scrubber.track.w)));
  for (int64_t k = stride; k < scrubber.length(); k += stride) {
    const Step &before = steps[size_t(k - stride)], &after = steps[size_t(k)];
    if (new_tile(before, after)) ticks.push_back({scrubber.x_of(k), new_row(before, after)});
  }
  return ticks;
}

void draw_ticks(Scene& scene, const Style& s, const Scrubber& scrubber, float played_to) {
  const std::vector<Tick> ticks = ticks_of(scrubber);
  const auto rows = std::ranges::count_if(ticks, &Tick::row);
  const bool tiles_fit = float(ticks.size() + 1) * s.px(7) <= scrubber.track.w;
  const bool rows_fit = float(rows + 1) * s.px(7) <= scrubber.track.w;
  const float y = scrubber.track.center().y;
  for (const Tick& tick : ticks) {
    if (tick.row ? !rows_fit : !tiles_fit) continue;
    const float half = s.px(tick.row ? 13 : 9);
    const Color color = s[tick.row ? Role::Text : Role::Ghost];
    // Where the track is filled a thin tick would vanish in it.
    const bool filled = tick.x < played_to;
    scene.line({tick.x, y - half}, {tick.x, y + half}, color, s.px(tick.row ? 2 : 1.2f));
    if (filled) scene.line({tick.x, y - s.px(5)}, {tick.x, y + s.px(5)}, s[Role::Background], s.px(1.2f));
  }
}

std::string_view words_of(Marker::Kind kind, bool backward) {
  return kind == Marker::MaxRose  ? "a running max rises"
         : kind == Marker::Masked ? "a masked tile"
         : backward               ? "a gradient goes to memory"
                                  : "O goes to memory";
}

void draw_mark(Scene& scene, const Style& s, Marker::Kind kind, Vec2 at) {
  const float u = s.px(6);
  switch (kind) {
    case Marker::MaxRose:
      scene.polygon({{at.x, at.y - u}, {at.x + u, at.y + u * 0.8f}, {at.x - u, at.y + u * 0.8f}}, s[Role::Accent]);
      break;
    case Marker::Stored:
      scene.box({at.x - u * 0.9f, at.y - u * 0.9f, 1.8f * u, 1.8f * u}, s.px(1), s.palette.fill(Tensor::O));
      break;
    case Marker::Masked: {
      const float v = u * 0.8f;
      scene.line({at.x - v, at.y - v}, {at.x + v, at.y + v}, s[Role::TextSecondary], s.px(2));
      scene.line({at.x - v, at.y + v}, {at.x + v, at.y - v}, s[Role::TextSecondary], s.px(2));
      break;
    }
  }
}

// Marks of one kind that would touch stand for each other: the first is drawn, and its tip says how many there are.
void draw_marks(Scene& scene, const Style& s, const Scrubber& scrubber, const std::vector<Marker>& markers,
                Marker::Kind kind, float y, bool backward) {
  const float apart = s.px(13);
  float drawn_at = -1e9f;
  int64_t first = 0, gathered = 0;
  std::string one;  // what the tip of a single mark says
  const auto finish = [&] {
    if (gathered == 0) return;
    const float side = s.px(18);
    std::string tip = gathered == 1 ? fmt::format("Step {}: {}", with_commas(first), one)
                                    : fmt::format("{} places from step {}: {}", with_commas(gathered),
                                                  with_commas(first), words_of(kind, backward));
    scene.region({drawn_at - side / 2, y - side / 2, side, side}, fmt::format("marker:{}", first), std::move(tip),
                 false);
  };
  for (const Marker& marker : markers) {
    if (marker.kind != kind) continue;
    const float x = scrubber.x_of(marker.step);
    if (x - drawn_at < apart) {
      ++gathered;
      continue;
    }
    finish();
    drawn_at = x;
    first = marker.step;
    one = words_of(kind, backward);
    if (kind == Marker::MaxRose)
      one = marker.first_row == marker.last_row
                ? fmt::format("row {}: the max rises", marker.first_row + 1)
                : fmt::format("among rows {} to {}: the max rises", marker.first_row + 1, marker.last_row + 1);
    gathered = 1;
    draw_mark(scene, s, kind, {x, y});
  }
  finish();
}

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

void layout_transport(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                      const Style& s) {
  // Seven buttons; the one in the middle is the largest.
  const Walk& walk = session.walk();
  const bool start = view.playhead <= 0, end = view.playhead >= walk.replay.length();
  const float x = transport_buttons(scene, view, s, area,
                                    {{Icon::First, "first", !start},
                                     {Icon::TileBack, "tile-back", !start},
                                     {Icon::PartBack, "part-back", !start},
                                     {view.playing ? Icon::Pause : Icon::Play, "play", true},
                                     {Icon::PartForward, "part-forward", !end},
                                     {Icon::TileForward, "tile-forward", !end},
                                     {Icon::Last, "last", !end}});

  float right = area.right() - s.px(16);
  const Rect small = transport_right(scene, view, s, area, true, right);
  const std::string total = with_commas(walk.replay.length());
  const std::string where = fmt::format("{} / {}", with_commas(view.playhead), total);
  const float where_w = text_width(fmt::format("{} / {}", total, total), Face::Mono, s.caption()) + s.px(16);
  text_button(scene, view, s, {right - where_w, small.y, where_w, small.h}, where, "command:go-to", tip_of("go-to"),
              Look::Plain, Face::Mono, s.caption());
  right -= where_w + s.px(22);

  // The scrubber: track, what is played, ticks, marks, knob.
  const float left = x + s.px(34), track_h = s.px(10);
  const Scrubber scrubber{walk.replay.steps(),
                          {left, area.center().y - track_h / 2, std::max(1.0f, right - left), track_h}};
  const Rect hit{left, area.center().y - s.px(28), scrubber.track.w, s.px(56)};
  scene.region(hit, "scrubber",
               fmt::format("Step {} of {}. Drag, or use the arrow keys", with_commas(view.playhead), total), true);
  scene.box(scrubber.track, track_h / 2, s[Role::SurfaceStrong]);
  // While the unit on show is animated the knob travels with it.
  const float from = scrubber.x_of(moment.from), to = scrubber.x_of(view.playhead);
  const float knob_x = from + (to - from) * view.phase;
  scene.box({left, scrubber.track.y, std::max(track_h, knob_x - left), track_h}, track_h / 2, s[Role::Text]);
  draw_ticks(scene, s, scrubber, knob_x);
  const std::vector<Marker>& markers = walk.replay.markers();
  const bool backward = walk.schedule.backward();
  const float above = area.center().y - s.px(24), below = area.center().y + s.px(24);
  if (!left_out(view, "statistics")) draw_marks(scene, s, scrubber, markers, Marker::MaxRose, above, backward);
  draw_marks(scene, s, scrubber, markers, Marker::Masked, below, backward);
  draw_marks(scene, s, scrubber, markers, Marker::Stored, below, backward);
  draw_playhead(scene, view, s, "scrubber", {knob_x, area.center().y});
}

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
