// The top bar: menu, name, what is walked; Study or Present, schedule and machine, GPU, theme.
#include "app/boards/board.h"
#include "app/panels/gpu_parts.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/breaking.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/tools.h"
#include "app/session/write_moves.h"
#include "app/state/why_a_model.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tilewalk {
namespace {

// Words in a round button; `glyph` room for a sign before them.
void pill(Scene& scene, const ViewState& view, const Style& s, Rect rect, std::string_view words, Role role,
          std::string id, std::string tip, float glyph = 0) {
  const Color edge = role == Role::WrongText ? s[role] : Color{};
  scene.box(rect, rect.h / 2, s[view.hover == id ? Role::Line : Role::SurfaceStrong], edge, edge.a ? s.px(2) : 0);
  scene.label({rect.x + glyph, rect.y, rect.w - glyph, rect.h}, words, Face::SansBold, s.number(), s[role],
              glyph > 0 ? Align::Left : Align::Center);
  scene.region(rect, std::move(id), std::move(tip), true, rect.h / 2);
}

// What the GPU is doing, in a glyph and a few words; returns its left edge.
float gpu_pill(Scene& scene, const ViewState& view, const Style& s, float right, Rect bar) {
  const GpuWords words = gpu_words(view.gpu);
  const float glyph = s.px(24), pad = s.px(12);
  const float most = s.px(view.column_floats ? 150 : view.rail_floats ? 236 : 290);
  const std::string text = ellipsize(words.pill, Face::SansBold, s.number(), most - glyph - 2 * pad);
  const float width = text_width(text, Face::SansBold, s.number()) + glyph + 2 * pad;
  const Rect rect{right - width, bar.y + s.px(9), width, bar.h - s.px(18)};
  pill(scene, view, s, rect, text, Role::Text, "command:tab-gpu",
       words.sentence.empty() ? words.headline + " (4)" : words.headline + ". " + words.sentence + " (4)", pad + glyph);
  scene.label({rect.x + pad, rect.y, glyph, rect.h}, words.glyph, Face::SansBold, s.number(), s[words.role]);
  return rect.x;
}

// The schedule and the machine of the walk; returns its left edge.
float walk_pill(Scene& scene, const Session& session, const ViewState& view, const Style& s, float right, Rect bar) {
  const Walk& walk = session.walk();
  const std::string name = session.other()
                               ? fmt::format("{} and {}", walk.schedule.name, session.other()->schedule.name)
                               : std::string(walk.schedule.name);
  const std::string words = fmt::format("{} · {}", name, walk.spec.title);
  const std::string model = why_a_model(walk.schedule.id, walk.spec);
  const float width = text_width(words, Face::SansBold, s.number()) + s.px(32);
  pill(scene, view, s, {right - width, bar.y + s.px(9), width, bar.h - s.px(18)}, words, Role::Text,
       "command:tab-problem",
       fmt::format("{}, on the memories of {}. {}{}Change it under Problem (3)", walk.schedule.title, walk.spec.title,
                   model, model.empty() ? "" : " "));
  return right - width;
}

// What "Break it" has broken, for as long as it is; a click mends it.
void broken_pill(Scene& scene, const ViewState& view, const Style& s, float left, float right, Rect bar) {
  const std::string says = broken_words(view);
  const float room = right - left - s.px(28);
  if (says.empty() || room < s.px(40)) return;
  const std::string words = ellipsize("✕ " + says, Face::SansBold, s.number(), room);
  pill(scene, view, s,
       {left, bar.y + s.px(9), text_width(words, Face::SansBold, s.number()) + s.px(28), bar.h - s.px(18)}, words,
       Role::WrongText, "command:mend", fmt::format("Broken on purpose: {}. Click to mend it", says));
}

}  // namespace

float layout_mode_switch(Scene& scene, const ViewState& view, const Style& s, float right, Rect bar) {
  struct Part {
    std::string_view title, key, command;
    bool on;
  };
  const Part parts[] = {{"Study", view.present.on ? key_of("present-end") : "", "present-end", !view.present.on},
                        {"Present", view.present.on ? "" : key_of("present"), "present", view.present.on}};
  const float pad = s.px(14), gap = s.px(8), h = s.px(30);
  const auto key_w = [&](const Part& p) {
    return p.key.empty() ? 0 : gap + text_width(p.key, Face::Mono, s.small()) + s.px(1);
  };
  const auto width = [&](const Part& p) {
    return text_width(p.title, Face::SansBold, s.number()) + s.px(1) + key_w(p) + 2 * pad;
  };
  float total = 0;
  for (const Part& p : parts) total += width(p);
  const Rect all{right - total, bar.center().y - h / 2, total, h};
  scene.box(all, h / 2, s[Role::SurfaceStrong]);
  float x = all.x;
  for (const Part& p : parts) {
    const std::string id = fmt::format("command:{}", p.command);
    const Rect part{x, all.y, width(p), h};
    if (p.on) scene.box(part, h / 2, s[Role::Inverse]);
    if (!p.on && view.hover == id) scene.box(part, h / 2, s[Role::Line]);
    scene.label({part.x + pad, part.y, part.w - 2 * pad - key_w(p), h}, p.title, p.on ? Face::SansBold : Face::Sans,
                s.number(), s[p.on ? Role::InverseText : Role::Text]);
    if (!p.key.empty()) {
      const float w = key_w(p) - gap;
      scene.label({part.right() - pad - w, part.y, w, h}, p.key, Face::Mono, s.small(), s[Role::TextSecondary]);
    }
    // The half that is on has nothing to do.
    if (!p.on) {
      scene.region(part, id, tip_of(p.command), true, h / 2);
    }
    x += part.w;
  }
  return all.x;
}

void layout_top_bar(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  scene.box(area, 0, s[Role::Background]);
  scene.line({area.x, area.bottom() - s.px(0.5f)}, {area.right(), area.bottom() - s.px(0.5f)}, s[Role::Line], s.px(1));

  // From the left: menu, name.
  const float h = area.h;
  icon_button(scene, view, s, Rect{area.x + s.px(4), area.y, h, h}.inset(s.px(5)), Icon::Menu, "menu", Look::Plain,
              {true, is_open<Menu>(view)});
  const float name_x = area.x + h + s.px(12);
  scene.label({name_x, area.y, s.px(130), h}, "Tilewalk", Face::SansBold, s.heading(), s[Role::Text]);
  float left = area.x + s.px(view.rail_floats ? 176 : 288);
  if (view.rail_floats) {
    icon_button(scene, view, s, Rect{left, area.y, h, h}.inset(s.px(5)), Icon::Rail, "rail", Look::Plain,
                {true, view.rail_over});
    left += h + s.px(12);
  }

  // From the right: column, theme, GPU, machine, what the window is for.
  float right = area.right() - s.px(10);
  icon_button(scene, view, s, Rect{right - h, area.y, h, h}.inset(s.px(5)), Icon::Column, "column", Look::Plain,
              {!view.lesson.review, view.column_floats ? view.column_over : view.column_open});
  right -= h;
  icon_button(scene, view, s, Rect{right - h, area.y, h, h}.inset(s.px(5)), Icon::Theme, "theme", Look::Plain);
  right -= h + s.px(6);

  right = gpu_pill(scene, view, s, right, area) - s.px(10);

  // A board says itself what it is about.
  if (view.board.board.empty()) right = walk_pill(scene, session, view, s, right, area) - s.px(16);
  right = layout_mode_switch(scene, view, s, right, area) - s.px(20);

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
  const bool writes = write_on_show(view);
  const std::string written = writes ? written_name(view) : std::string();
  const std::string name = view.lesson.review ? "Review"
                           : lesson           ? lesson_words(*lesson)
                           : tool             ? "Tool"
                           : writes           ? "Write"
                                              : "Free walk";
  std::string_view title = view.lesson.review ? "Questions of all lessons"
                           : lesson           ? std::string_view(lesson->title)
                           : tool             ? tool->title
                           : writes           ? std::string_view(written)
                                              : std::string_view(session.walk().schedule.title);
  const float lead = text_width(name, Face::Sans, s.body()) + s.px(1);
  if (right - left <= lead) return;
  scene.label({left, area.y, lead, h}, name, Face::Sans, s.body(), s[Role::TextSecondary]);
  float x = left + lead + s.px(12);
  const std::string beat =
      lesson && !view.lesson.review ? fmt::format("{} of {}", view.lesson.beat + 1, lesson->beats.size()) : "";
  const float beat_w = beat.empty() ? 0 : text_width(beat, Face::Mono, s.number()) + s.px(1);
  // What is broken goes before the title: it is why the numbers are wrong.
  const std::string broken = broken_words(view);
  const float pill = broken.empty() ? 0 : text_width("✕ " + broken, Face::SansBold, s.number()) + s.px(44);
  const float room =
      right - x - (beat_w > 0 ? beat_w + s.px(14) : 0) - std::min(pill, std::max(0.0f, right - x - s.px(140)));
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
