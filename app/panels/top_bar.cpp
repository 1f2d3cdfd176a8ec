// The top bar: menu, name, what is walked, theme, and on which schedule and machine.
#include "app/boards/board.h"
#include "app/panels/gpu_parts.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/breaking.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/tools.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tilewalk {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kThemes{
    {{"light", "Light"}, {"dark", "Dark"}, {"projector", "Projector"}}};

// A switch of three; returns its left edge.
float theme_switch(Scene& scene, const ViewState& view, const Style& s, float right, Rect bar) {
  const float pad = s.px(14), h = s.px(30);
  float width = 0;
  for (const auto& [id, title] : kThemes) width += text_width(title, Face::SansBold, s.number()) + 2 * pad;
  Rect rect{right - width, bar.center().y - h / 2, width, h};
  scene.box(rect, h / 2, s[Role::SurfaceStrong]);
  float x = rect.x;
  for (size_t k = 0; k < kThemes.size(); ++k) {
    const auto& [id, title] = kThemes[k];
    const Rect part{x, rect.y, text_width(title, Face::SansBold, s.number()) + 2 * pad, h};
    const bool on = size_t(view.theme) == k, hot = view.hover == fmt::format("theme:{}", id);
    if (on) scene.box(part, h / 2, s[Role::Inverse]);
    if (hot && !on) scene.box(part, h / 2, s[Role::Line]);
    scene.label(part, title, on ? Face::SansBold : Face::Sans, s.number(),
                s[on ? Role::InverseText : Role::TextSecondary], Align::Center);
    scene.region(part, fmt::format("theme:{}", id), fmt::format("{} theme (T goes through all three)", title), true);
    scene.regions.back().focus_radius = h / 2;
    x += part.w;
  }
  return rect.x;
}

// What the GPU is doing, in a glyph and a few words; returns its left edge.
float gpu_pill(Scene& scene, const ViewState& view, const Style& s, float right, Rect bar) {
  const GpuWords words = gpu_words(view.gpu);
  const float glyph = s.px(24), pad = s.px(12), h = bar.h - s.px(18);
  const float most = s.px(view.column_floats ? 150 : view.rail_floats ? 236 : 290);
  const std::string text = ellipsize(words.pill, Face::SansBold, s.number(), most - glyph - 2 * pad);
  const float width = text_width(text, Face::SansBold, s.number()) + glyph + 2 * pad;
  const Rect pill{right - width, bar.y + s.px(9), width, h};
  const bool hot = view.hover == "command:tab-gpu";
  scene.box(pill, h / 2, s[hot ? Role::Line : Role::SurfaceStrong]);
  scene.label({pill.x + pad, pill.y, glyph, h}, words.glyph, Face::SansBold, s.number(), s[words.role]);
  scene.label({pill.x + pad + glyph, pill.y, width - 2 * pad - glyph, h}, text, Face::SansBold, s.number(),
              s[Role::Text]);
  scene.region(pill, "command:tab-gpu",
               words.sentence.empty() ? words.headline + " (4)" : words.headline + ". " + words.sentence + " (4)",
               true);
  scene.regions.back().focus_radius = h / 2;
  return pill.x;
}

// The schedule and the machine of the walk; returns its left edge.
float walk_pill(Scene& scene, const Session& session, const ViewState& view, const Style& s, float right, Rect bar) {
  const Walk& walk = session.walk();
  const std::string machine = walk.spec.title.empty() ? std::string() : std::string(walk.spec.title);
  const std::string pill =
      session.other() ? fmt::format("{} and {} · {}", walk.schedule.name, session.other()->schedule.name, machine)
                      : fmt::format("{} · {}", walk.schedule.name, machine);
  const float pill_w = text_width(pill, Face::SansBold, s.number()) + s.px(32);
  const Rect pill_rect{right - pill_w, bar.y + s.px(9), pill_w, bar.h - s.px(18)};
  const bool hot = view.hover == "command:tab-problem";
  scene.box(pill_rect, pill_rect.h / 2, s[hot ? Role::Line : Role::SurfaceStrong]);
  scene.label(pill_rect, pill, Face::SansBold, s.number(), s[Role::Text], Align::Center);
  scene.region(
      pill_rect, "command:tab-problem",
      fmt::format("{}, on the memories of {}. Change it under Problem (3)", walk.schedule.title, walk.spec.title),
      true);
  scene.regions.back().focus_radius = pill_rect.h / 2;
  return pill_rect.x;
}

// What "Break it" has broken, for as long as it is; a click breaks the next thing, or mends it.
void broken_pill(Scene& scene, const ViewState& view, const Style& s, float left, float right, Rect bar) {
  const std::string says = broken_words(view);
  const float room = right - left - s.px(28);
  if (says.empty() || room < s.px(40)) return;
  const std::string words = ellipsize("✕ " + says, Face::SansBold, s.number(), room);
  const Rect pill{left, bar.y + s.px(9), text_width(words, Face::SansBold, s.number()) + s.px(28), bar.h - s.px(18)};
  scene.box(pill, pill.h / 2, s[view.hover == "command:break" ? Role::Line : Role::SurfaceStrong], s[Role::WrongText],
            s.px(2));
  scene.label(pill, words, Face::SansBold, s.number(), s[Role::WrongText], Align::Center);
  scene.region(pill, "command:break", fmt::format("Broken on purpose: {}. {} (X)", says, break_words(view)), true);
  scene.regions.back().focus_radius = pill.h / 2;
}

}  // namespace

void layout_top_bar(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  scene.box(area, 0, s[Role::Background]);
  scene.line({area.x, area.bottom() - s.px(0.5f)}, {area.right(), area.bottom() - s.px(0.5f)}, s[Role::Line], s.px(1));

  // From the left: menu, name.
  const float h = area.h;
  icon_button(scene, view, s, Rect{area.x + s.px(4), area.y, h, h}.inset(s.px(5)), Icon::Menu, "menu", Look::Plain,
              {true, view.menu});
  const float name_x = area.x + h + s.px(12);
  scene.label({name_x, area.y, s.px(130), h}, "Tilewalk", Face::SansBold, s.heading(), s[Role::Text]);
  float left = area.x + s.px(view.rail_floats ? 176 : 288);
  if (view.rail_floats) {
    icon_button(scene, view, s, Rect{left, area.y, h, h}.inset(s.px(5)), Icon::Rail, "rail", Look::Plain,
                {true, view.rail_over});
    left += h + s.px(12);
  }

  // From the right: column, machine, theme.
  float right = area.right() - s.px(10);
  icon_button(scene, view, s, Rect{right - h, area.y, h, h}.inset(s.px(5)), Icon::Column, "column", Look::Plain,
              {true, view.column_floats ? view.column_over : view.column_open});
  right -= h + s.px(6);

  right = gpu_pill(scene, view, s, right, area) - s.px(10);

  // A board says itself what it is about.
  if (view.board.board.empty()) right = walk_pill(scene, session, view, s, right, area) - s.px(16);
  right = theme_switch(scene, view, s, right, area) - s.px(20);

  if (tool_open(view) && !view.lesson.review) {
    const std::string back = "‹ Back";
    const float w = text_width(back, Face::SansBold, s.number()) + s.px(28);
    text_button(scene, view, s, {left, area.y + s.px(9), w, h - s.px(18)}, back, "command:leave-tool",
                fmt::format("Back to {} (Esc)", back_words(view)), Look::Solid, Face::SansBold, s.number());
    left += w + s.px(16);
  }

  // Between them: what is on the stage, and where in it.
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const Board* tool = tool_open(view) ? board_named(view.board.board) : nullptr;
  const std::string name = view.lesson.review ? "Review" : lesson ? lesson_words(*lesson) : tool ? "Tool" : "Free walk";
  std::string_view title = view.lesson.review ? "Questions of all lessons"
                                 : lesson           ? std::string_view(lesson->title)
                                 : tool             ? tool->title
                                                    : std::string_view(session.walk().schedule.title);
  const float lead = text_width(name, Face::Sans, s.body()) + s.px(1);
  if (right - left <= lead) return;
  scene.label({left, area.y, lead, h}, name, Face::Sans, s.body(), s[Role::TextSecondary]);
  float x = left + lead + s.px(12);
  const std::string beat = lesson && !view.lesson.review ? fmt::format("{} of {}", view.lesson.beat + 1, lesson->beats.size()) : "";
  const float beat_w = beat.empty() ? 0 : text_width(beat, Face::Mono, s.number()) + s.px(1);
  // What is broken goes before the title: it is why the numbers are wrong.
  const std::string broken = broken_words(view);
  const float pill = broken.empty() ? 0 : text_width("✕ " + broken, Face::SansBold, s.number()) + s.px(44);
  const float room = right - x - (beat_w > 0 ? beat_w + s.px(14) : 0) -
                     std::min(pill, std::max(0.0f, right - x - s.px(140)));
  if (room < s.px(60)) return;
  // Rather the short name, as in the rail, than half of the long one; a relative's stands before it already.
  if (lesson && !view.lesson.review && text_width(title, Face::SansBold, s.body()) > room) {
    const size_t colon = lesson->title.find(": ");
    title = lesson->number > 0 || colon == std::string::npos ? std::string_view(lesson->brief)
                                                             : std::string_view(lesson->title).substr(colon + 2);
  }
  const float size = std::clamp(s.body() * room / std::max(1.0f, text_width(title, Face::SansBold, s.body()) + 1),
                                s.small(), s.body());
  x += fitted(scene, {x, area.y, room, h}, title, Face::SansBold, size, s[Role::Text]) + s.px(14);
  if (beat_w > 0) scene.label({x, area.y, beat_w, h}, beat, Face::Mono, s.number(), s[Role::TextSecondary]);
  broken_pill(scene, view, s, x + beat_w + s.px(14), right, area);
}

}  // namespace tilewalk
