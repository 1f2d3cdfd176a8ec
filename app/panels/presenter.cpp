#include "app/panels/presenter.h"

#include "app/boards/board.h"
#include "app/panels/audience.h"
#include "app/panels/cards.h"
#include "app/panels/flow.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/gpu_parts.h"
#include "app/panels/overlays.h"
#include "app/panels/panels.h"
#include "app/panels/place_scene.h"
#include "app/panels/presenter_side.h"
#include "app/panels/room_overview.h"
#include "app/panels/room_question.h"
#include "app/panels/room_overlay.h"
#include "app/panels/said_strip.h"
#include "app/panels/talk_knobs.h"
#include "app/panels/widgets.h"
#include "app/panels/window_grid.h"
#include "app/session/charts_link.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/home_knobs.h"
#include "app/session/jumps.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/stop_way.h"
#include "app/session/talk_time.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr Color kFrozen = rgb(0x2C6FD1);
constexpr float kFrozenFrame = 8;  // pixels of 1080 lines

// On the only screen the one who talks sees by it that keys lead on unseen. It takes the margin alone.
void frozen_frame(Scene& scene, Rect picture) { scene.box(picture, 0, {}, kFrozen, kFrozenFrame * picture.h / 1080); }

// On the only screen what is typed stands at the foot of the picture.
void layout_typed_strip(Scene& scene, const ViewState& view, Rect picture, const Style& s) {
  const bool note = view.editing == "field:note";
  if (!note && view.editing != "field:hands") return;
  const std::string words = note                    ? "Note of this stop, unread here (Enter keeps it)"
                            : can_count_hands(view) ? "Hands, A first (Enter shows them)"
                                                    : why_no_hands(view);
  const float h = s.px(34), pad = s.px(14), most = picture.w - 2 * pad;
  const float w = std::min(most, text_width(words, Face::Sans, s.small()) + s.px(2));
  // A countdown stands at its right.
  const float counts = view.present.countdown > 0 && view.present.blank == Blank::None
                           ? (countdown_plate(view.present).w + 2 * kCountdownMargin) * picture.h / 1080
                           : 0;
  const Rect strip{picture.x, picture.bottom() - h, picture.w - counts, h};
  scene.box(strip, 0, s[Role::Inverse]);
  scene.label({strip.x + pad, strip.y, w, h}, words, Face::Sans, s.small(), s[Role::InverseText]);
  const float x = strip.x + w + 2 * pad;
  const Rect field{x, strip.y + s.px(3), strip.right() - x - s.px(3), h - s.px(6)};
  scene.box(field, s.r_small(), s[Role::Background], s[Role::Focus], s.px(2));
  scene.region(field.inset(s.px(2)), view.editing, "Enter keeps it, Esc leaves it as it was");
}

// What is drawn over the stage, as the presenter sees it: the stage stays light and never goes blank.
Presentation as_marks(Presentation p) {
  p.blank = Blank::None;
  if (p.tool == Tool::Spotlight) p.tool = Tool::Normal;
  return p;
}

// A GPU that has failed says so in a pill and nowhere else; returns what is left of it.
float gpu_trouble(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const GpuState state = view.gpu.status.state;
  if (state != GpuState::Failed && state != GpuState::RemoteLost) return area.right();
  const GpuWords words = gpu_words(view.gpu);
  const std::string text = fmt::format("{} {}", words.glyph, words.pill);
  const float h = s.px(32), w = text_width(text, Face::SansBold, s.number()) + s.px(28);
  const Rect pill{area.right() - w, area.center().y - h / 2, w, h};
  scene.box(pill, h / 2, s[Role::SurfaceStrong]);
  scene.label(pill, text, Face::SansBold, s.number(), s[words.role], Align::Center);
  scene.region(pill, "present:gpu", words.headline);
  return pill.x - s.px(28);
}

// What is on the stage without a lesson: "Estimate", "FA2, N = 16".
std::string stage_title(const Session& session, const ViewState& view) {
  if (view.gpu.enlarged) return title_of_charts(view);
  if (const Board* board = board_named(view.board.board)) return std::string(board->title);
  return fmt::format("{}, N = {}", schedule_of(session.setup()).name, session.problem().n_q);
}

void layout_head(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  const Presentation& p = view.present;
  const std::string gone = clock_words(p.elapsed);
  const float clock_w = text_width(p.clock, Face::Mono, s.heading()) + s.px(2),
              gone_w = text_width(gone, Face::MonoBold, s.display()) + s.px(2);
  float right = layout_mode_switch(scene, view, s, area.right(), area) - s.px(28);
  scene.label({right - gone_w, area.y, gone_w, area.h}, gone, Face::MonoBold, s.display(), s[Role::Text]);
  scene.region({right - gone_w, area.y, gone_w, area.h}, "present:elapsed", "Time gone since the beginning");
  right -= gone_w + s.px(28);
  if (!p.clock.empty()) {
    scene.label({right - clock_w, area.y, clock_w, area.h}, p.clock, Face::Mono, s.heading(), s[Role::TextSecondary]);
    right -= clock_w + s.px(28);
  }
  right = gpu_trouble(scene, view, {area.x, area.y, right - area.x, area.h}, s);
  const auto lesson = lesson_on_show(view);
  const bool off_list = off_stop(view);
  const std::string back = way_back_words(session, view);
  const std::string leads = back.empty() ? back : fmt::format(". {} {}.", keys_of("present-restore"), back);
  const std::string_view first = answer_waits(view)    ? "answers, then "
                                 : asked_goes_on(view) ? "shows the picture, then "
                                                       : "";
  const std::string place = off_list && p.set.items.empty() ? "Page Down returns to the lesson."
                            : off_list             ? fmt::format("Off the set list. Page Down {}{} stop {}.", first,
                                                     p.landed.beat < 0 ? "goes to" : "returns to", p.place + 1)
                            : !p.set.items.empty() ? fmt::format("{} of {}{}", p.place + 1, p.set.items.size(),
                                                                 leads.empty() ? " in the set list" : leads)
                            : lesson ? fmt::format("{} of {}{}", view.lesson.beat + 1, lesson->beats.size(), leads)
                                     : std::string();
  const bool tells_way = off_list || !leads.empty();
  const Face place_face = tells_way ? Face::SansBold : Face::Mono;
  const Beat* beat = beat_on_show(view);
  const std::string* slide = slide_on_show(view);
  const SetItem* stop = stop_on_show(view);
  const std::string title = stop && !stop->title.empty() ? stop->title
                            : slide                      ? slide_of(*slide).name()
                            : lesson                     ? fmt::format("{} · {}", lesson_words(*lesson), beat->title)
                                                         : stage_title(session, view);
  const float place_w = place.empty() ? 0 : text_width(place, place_face, s.body()) + s.px(2);
  const float title_w = fitted(scene, {area.x, area.y, right - area.x - place_w - s.px(20), area.h}, title,
                               Face::SansBold, s.title(), s[Role::Text]);
  if (place_w > 0)
    scene.label({area.x + title_w + s.px(20), area.y, place_w, area.h}, place, place_face, s.body(),
                s[tells_way ? Role::Text : Role::TextSecondary]);
}

void layout_tools(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const Presentation& p = view.present;
  struct Choice {
    std::string_view words, command;
    bool on;
  };
  const std::array<Choice, 9> choices{{{"1 Hand", "tool-normal", p.tool == Tool::Normal},
                                       {"2 Pointer", "tool-pointer", p.tool == Tool::Pointer},
                                       {"3 Pen", "tool-pen", p.tool == Tool::Pen},
                                       {"4 Eraser", "tool-eraser", p.tool == Tool::Eraser},
                                       {"5 Spotlight", "tool-spotlight", p.tool == Tool::Spotlight},
                                       {"Z Lens", "present-lens", p.lens},
                                       {"F Freeze", "present-freeze", p.frozen},
                                       {"B Black", "present-black", p.blank == Blank::Black},
                                       {"W White", "present-white", p.blank == Blank::White}}};
  std::vector<ui::Node> buttons;
  for (const Choice& c : choices) {
    const ui::Surface off{.fill = Role::SurfaceStrong, .hot = Role::Line, .radius = 10}, on{Role::Inverse, {}, {}, 10};
    const ui::Font font{16, c.on ? Face::SansBold : Face::Sans, c.on ? Role::InverseText : Role::Text, Align::Center};
    std::vector<std::string> forms{std::string(c.words)};
    if (c.command == "tool-spotlight") forms.emplace_back("5 Spot");
    buttons.push_back(
        ui::text(std::move(forms), font).padding(6, 0).width(ui::grow()).on(c.on ? on : off).pressed(runs(c.command)));
  }
  ui::show(scene, ui::row(std::move(buttons), 6), area, s, view.hover);
}

// How far one is: a mark for each stop, and beside them the time.
void layout_stops(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  const std::string pace = pace_words(view);
  const float pace_w = text_width(pace, Face::Sans, s.number()) + s.px(2);
  const Rect time{area.right() - pace_w, area.y, pace_w, area.h};
  scene.label(time, pace, Face::Sans, s.number(), s[Role::Text]);
  scene.region(time, "present:pace", "Time at this stop, and of the talk where its set list says how long it is");
  area.w -= pace_w + s.px(20);
  const auto lesson = lesson_on_show(view);
  const bool set = !view.present.set.items.empty();
  const int count = set ? int(view.present.set.items.size()) : lesson ? int(lesson->beats.size()) : 0;
  const int now = set ? view.present.place : view.lesson.beat;
  if (count == 0) return;
  const float gap = s.px(count > 40 ? 1 : 4), w = (area.w - gap * float(count - 1)) / float(count);
  for (int k = 0; k < count; ++k) {
    const float h = s.px(k == now ? 8 : 4);
    scene.box({area.x + float(k) * (w + gap), area.center().y - h / 2, w, h}, h / 2,
              s[k == now  ? Role::Text
                : k < now ? Role::TextSecondary
                          : Role::Line]);
  }
}

}  // namespace

Scene layout_presenter(Session& session, const ViewState& view, Vec2 size, size_t* under) {
  const Presentation& p = view.present;
  const Style s(view.theme, shown_scale(size, view.scale * view.monitor_scale).scale);
  Scene scene;
  scene.size = size;
  scene.background = s[Role::Background];
  const Rect in = Rect{0, 0, size.x, size.y}.inset(s.px(24), s.px(14));
  const float head = s.px(50), tools = s.px(40), stops = s.px(26), status = s.px(28), gap = s.px(14);
  // Knobs on every stop, so that the stage stays where it is; the overview has none.
  const float knobs = p.overview ? 0 : s.px(64), knobs_gap = p.overview ? 0 : s.px(10);
  layout_head(scene, session, view, {in.x, in.y, in.w, head}, s);
  const auto of_head = std::ptrdiff_t(scene.regions.size());

  // The stage as large as the notes leave it, the side column beside it.
  const float side_least = s.px(380), below = knobs + knobs_gap + tools + stops + status + 2 * gap;
  float w = std::min(in.w - side_least - s.px(32), (in.h - head - gap - below) * 16 / 9);
  const Rect stage{in.x, in.y + head + gap, std::floor(w), std::floor(w * 9 / 16)};
  if (p.frozen) scene.box(stage.inset(-6), 0, kFrozen);
  scene.box(stage.inset(-s.px(1)), 0, s[Role::Border]);
  ViewState live = view;
  Scene picture = layout_audience(session, live, {stage.w, stage.h}, Hands::On);
  draw_strokes(picture, as_marks(p));
  scene.box(stage, 0, picture.background);
  scene.region(stage, "present:stage", "The stage");
  if (p.overview) {
    layout_overview(scene, view, stage, s);
  } else {
    place_items(scene, picture, {stage.x, stage.y});
    place_regions(scene, picture, {stage.x, stage.y});
    place_items(scene, layout_room_overlay(as_marks(p), {stage.w, stage.h}), {stage.x, stage.y});
    if (p.tool == Tool::Spotlight) {
      const float r = p.spot * stage.h / 1080;
      scene.box({stage.x + p.at.x * stage.w - r, stage.y + p.at.y * stage.h - r, 2 * r, 2 * r}, r, {}, s[Role::Text],
                s.px(3));
    }
  }

  float y = stage.bottom() + gap;
  if (knobs > 0 && !slide_on_show(view) && talk_knobs_height(view, s) > 0)
    layout_talk_knobs(scene, session, view, {stage.x, y, stage.w, knobs}, s);
  y += knobs + knobs_gap;
  layout_tools(scene, view, {stage.x, y, stage.w, tools}, s);
  y += tools;
  layout_stops(scene, view, {stage.x, y, stage.w, stops}, s);
  y += stops;
  const std::string& words = !p.trouble.empty() ? p.trouble : view.notice;
  if (!words.empty())
    fitted(scene, {stage.x, y, stage.w, status}, words, Face::Sans, s.number(), s[Role::TextSecondary]);
  layout_presenter_side(
      scene, session, view,
      {stage.right() + s.px(32), in.y + head + gap, in.right() - stage.right() - s.px(32), in.h - head - gap}, s);
  // Tab goes to the stage and its knobs first, to the head last.
  std::rotate(scene.regions.begin(), scene.regions.begin() + of_head, scene.regions.end());
  if (under) *under = scene.items.size();
  layout_overlays(scene, session, view, {0, 0, scene.size.x, scene.size.y}, s);
  layout_focus(scene, view, s);
  return scene;
}

// Over the foot of the picture the knobs that the speaker asked for, and nothing else of his side.
static void layout_home_knobs(Scene& scene, const Session& session, const ViewState& view, Rect picture) {
  // As large as in the speaker's window of 720 lines, and so over all of the foot.
  const Style s(view.present.theme, picture.h / 720);
  const float pad = s.px(14), h = talk_knobs_height(view, s) + 2 * pad;
  const Rect strip{picture.x, picture.bottom() - h, picture.w, h};
  scene.box(strip, 0, s[Role::Background]);
  scene.region(strip, std::string(kKnobsOverPicture), "The knobs");
  scene.line({strip.x, strip.y}, {strip.right(), strip.y}, s[Role::Text], s.px(2));
  layout_talk_knobs(scene, session, view, strip.inset(s.px(24), pad), s);
  layout_focus(scene, view, s);
}

Scene layout_home_room(Session& session, const ViewState& view, Vec2 size) {
  Scene scene;
  scene.size = size;
  scene.background = rgb(0x000000);
  const Rect picture = room_picture(size);
  scene.region(picture, "present:stage", "The stage");
  const Style s(view.present.theme, room_scale(view, {picture.w, picture.h}));
  if (view.present.overview)
    layout_overview(scene, view, picture, s);
  else if (shows_home_knobs(view))
    layout_home_knobs(scene, session, view, picture);
  else
    place_regions(scene, layout_audience(session, view, {picture.w, picture.h}), {picture.x, picture.y});
  if (view.present.frozen && view.present.blank == Blank::None) frozen_frame(scene, picture);
  layout_said(scene, view, picture, s);
  layout_typed_strip(scene, view, picture, s);
  // Dialogs are for the one who talks, in a window's type.
  layout_overlays(scene, session, view, {0, 0, scene.size.x, scene.size.y},
                  Style(view.present.theme, shown_scale(size, view.scale * view.monitor_scale).scale));
  return scene;
}

}  // namespace tilewalk
