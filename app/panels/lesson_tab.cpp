// The Lesson tab: a beat's title and text, its question, and below them where one stands in the lesson and the one
// button that goes on. What is higher than the column is scrolled.
#include "app/panels/lesson_parts.h"
#include "app/panels/widgets.h"
#include "app/session/breaking.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {
namespace {

// What is wrong in a file: one paragraph for each fault, with its line.
void set_faults(Flow& flow, const Column& column, const CourseEntry& entry, float width) {
  const Style& style = column.style;
  set_lines(flow, column, entry.path.filename().string(), Face::MonoBold, style.number(), style.px(24),
            column.color(Role::Text), width);
  flow.space(style.px(6));
  for (const LessonFault& fault : entry.faults) {
    if (fault.line > 0)
      set_lines(flow, column, fmt::format("✕ line {}", fault.line), Face::SansBold, style.number(), style.px(24),
                column.color(Role::WrongText), width);
    set_lines(flow, column, fault.message, Face::Sans, style.number(), style.px(23), column.color(Role::Text), width);
    flow.space(style.px(10));
  }
}

// One segment for each beat: seen ones are filled, the one on show is the widest mark. A click goes there.
void layout_segments_of(const Column& column, Rect area, const Lesson& lesson) {
  const Style& style = column.style;
  const int count = int(lesson.beats.size()), now = column.view.lesson.beat;
  const LessonRecord* record = record_of(column.view.lesson.progress, lesson.id);
  const int furthest = std::max(now, record ? record->furthest : 0);
  const float gap = style.px(4), w = (area.w - gap * float(count - 1)) / float(count), mid = area.center().y;
  for (int k = 0; k < count; ++k) {
    const Rect cell{area.x + float(k) * (w + gap), area.y, w, area.h};
    const float h = style.px(k == now ? 8 : 4);
    const std::string id = fmt::format("beat:{}", k);
    const bool hot = column.view.hover == id;
    column.scene.box({cell.x, mid - h / 2, w, h}, h / 2,
                     column.color(k == now || hot ? Role::Text
                                  : k <= furthest ? Role::TextSecondary
                                                  : Role::Line));
    column.scene.region(cell, id, fmt::format("{} of {}: {}", k + 1, count, lesson.beats[size_t(k)].title),
                        w >= style.px(24));
    column.scene.regions.back().focus_radius = style.px(4);
  }
}

float button_width(const Column& column, std::string_view words) {
  return text_width(words, Face::SansBold, column.style.body()) + column.px(36);
}

// Back on the left, the one that goes on at the right and black; Skip beside it while a question is open.
void layout_buttons(const Column& column, Rect area) {
  const Style& style = column.style;
  const ViewState& view = column.view;
  if (view.lesson.beat > 0)
    text_button(column.scene, view, style, {area.x, area.y, button_width(column, "Back"), area.h}, "Back",
                "command:lesson-back", tip_of("lesson-back"), Look::Solid, Face::SansBold, style.body());
  const std::string words = continue_words(column.session, view);
  if (words.empty()) return;
  const float w = std::max(button_width(column, words), style.px(110));
  const Rect next{area.right() - w, area.y, w, area.h};
  text_button(column.scene, view, style, next, words, "command:lesson-next", tip_of("lesson-next"), Look::Round,
              Face::SansBold, style.body());
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || settled(view, asked)) return;
  const float skip = button_width(column, "Skip");
  text_button(column.scene, view, style, {next.x - skip - style.px(8), area.y, skip, area.h}, "Skip",
              "command:question-skip", tip_of("question-skip"), Look::Plain, Face::Sans, style.body());
}

// The button that breaks what the beat speaks of, and mends it again.
void set_break(Flow& flow, const Column& column, float width) {
  const Style& style = column.style;
  const std::string words = break_words(column.view);
  if (words.empty()) return;
  flow.space(style.px(18));
  flow.add(style.px(40), [&column, words, width](Rect r) {
    const Style& style = column.style;
    const std::string shown = ellipsize(words, Face::SansBold, style.number(), width - column.px(36));
    const float w = text_width(shown, Face::SansBold, style.number()) + column.px(36);
    text_button(column.scene, column.view, style, {r.x, r.y, w, r.h}, shown, "command:break", tip_of("break"),
                Look::Solid, Face::SansBold, style.number());
  });
}

// `card`: where the question's card begins.
void set_beat(Flow& flow, const Column& column, const Lesson& lesson, const Beat& beat, float width, float size,
              float& card) {
  const Style& style = column.style;
  const bool tall = column.scene.size.y / style.scale >= 900;
  flow.space(style.px(tall ? 22 : 10));
  set_lines(flow, column, title_of(beat.kind), Face::SansBold, style.number(), style.px(24),
            column.color(Role::AccentText), width);
  const float title = tall ? style.title() : style.heading();
  set_lines(flow, column, beat.title, Face::SansBold, title, title * 1.28f, column.color(Role::Text), width);
  flow.space(style.px(tall ? 14 : 8));

  const ProseWords words = words_of(lesson, nullptr, "", column.session, column.view);
  const ProsePage page{column.scene, style, column.view, words};
  set_prose(flow, page, beat.text, {width, size, std::round(size * 1.5f), column.color(Role::Text), false});

  if (beat.kind == BeatKind::Break) set_break(flow, column, width);
  const std::vector<AskedQuestion> questions = questions_on_show(column.view);
  if (!questions.empty()) {
    const int place = std::clamp(column.view.lesson.question, 0, int(questions.size()) - 1);
    flow.space(style.px(beat.text.empty() ? 4 : tall ? 24 : 16));
    card = flow.height();
    set_question(flow, column, questions[size_t(place)], place, int(questions.size()), width,
                 std::min(size, style.body()));
  }
  flow.space(style.px(8));
}

// The end of a lesson: what is next, at one a day.
void set_thread(Flow& flow, const Column& column, const Lesson& lesson, float width) {
  const Style& style = column.style;
  if (ends_lesson(column.view, lesson) && !lesson.reading.empty()) {
    set_lines(flow, column, "Further reading", Face::SansBold, style.number(), style.px(26),
              column.color(Role::TextSecondary), width);
    for (const Source& source : lesson.reading)
      set_lines(flow, column, fmt::format("{}, {}", source.title, source.where), Face::Sans, style.number(),
                style.px(24), column.color(Role::Text), width);
    flow.space(style.px(14));
  }
  const std::string words = thread_words(column.view, lesson);
  if (words.empty()) return;
  set_lines(flow, column, words, Face::Sans, style.number(), style.px(24), column.color(Role::TextSecondary), width);
  flow.space(style.px(16));
}

const CourseEntry* entry_at(const ViewState& view, std::string_view path) {
  if (view.lesson.course && !path.empty())
    for (const CourseEntry& entry : view.lesson.course->entries())
      if (entry.path == path) return &entry;
  return nullptr;
}

const CourseEntry* entry_of(const ViewState& view, const Lesson& lesson) {
  for (const CourseEntry& entry : view.lesson.course->entries())
    if (entry.lesson && entry.lesson->id == lesson.id) return &entry;
  return nullptr;
}

}  // namespace

void set_lines(Flow& flow, const Column& column, std::string_view words, Face face, float size, float pitch,
               Color color, float width) {
  for (const std::string& line : wrap_text(words, face, size, width))
    flow.add(pitch, [&scene = column.scene, line, face, size, color, width](Rect r) {
      scene.label(r, ellipsize(line, face, size, width), face, size, color);
    });
}

void layout_lesson(const Column& column, Rect area) {
  const Style& style = column.style;
  const float margin = style.px(area.w >= style.px(384) ? 28 : 18);
  const auto show = [&](Rect room, const Flow& flow, std::string_view tip, float card = 0) {
    const float more = flow.height() - room.h, scroll = column.view.lesson.scroll;
    const float share = scroll == kScrollToQuestion ? (more > 0 ? card / more : 0) : scroll;
    layout_scrolled(column.scene, style, column.view, room, flow, share, margin, "lesson", tip);
  };
  if (const CourseEntry* faulty = entry_at(column.view, column.view.lesson.fault_of)) {
    Flow flow;
    flow.space(style.px(18));
    set_lines(flow, column, "This lesson cannot be read yet", Face::SansBold, style.heading(), style.px(32),
              column.color(Role::Text), area.w);
    flow.space(style.px(8));
    set_faults(flow, column, *faulty, area.w);
    set_lines(flow, column, "It is read again as soon as the file changes. The other lessons work.", Face::Sans,
              style.number(), style.px(23), column.color(Role::TextSecondary), area.w);
    return show(area, flow, "What is wrong");
  }
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(column.view);
  const Beat* beat = beat_on_show(column.view);
  if (!beat) return;

  const CourseEntry* entry = entry_of(column.view, *lesson);
  float card = 0;
  const auto page = [&](float size) {
    Flow flow;
    if (entry && !entry->faults.empty()) {
      flow.space(style.px(12));
      set_lines(flow, column, "The file has changed and has a fault; this is its last good version.", Face::SansBold,
                style.number(), style.px(23), column.color(Role::WrongText), area.w);
      set_faults(flow, column, *entry, area.w);
    }
    set_beat(flow, column, *lesson, *beat, area.w, size, card);
    set_thread(flow, column, *lesson, area.w);
    return flow;
  };
  // The largest type in which nothing has to be scrolled, else the smallest.
  const bool tall = area.h >= style.px(672);
  Flow flow = page(tall ? style.caption() : style.body());
  for (const float size : {style.body(), style.number()})
    if (flow.height() > area.h) flow = page(size);
  show(area, flow, "The lesson's text", card);
}

Rect layout_lesson_foot(const Column& column, Rect area) {
  const ViewState& view = column.view;
  const bool faults = view.tab == Tab::Lesson && entry_at(view, view.lesson.fault_of);
  if (!beat_on_show(view) || faults) return area;
  const Style& style = column.style;
  const float segments = style.px(26), buttons = style.px(44), low = style.px(14);
  const Rect foot{area.x, area.bottom() - segments - buttons - low, area.w, segments + buttons + low};
  layout_segments_of(column, {foot.x, foot.y, foot.w, segments}, *lesson_on_show(view));
  layout_buttons(column, {foot.x, foot.y + segments, foot.w, buttons});
  return {area.x, area.y, area.w, foot.y - area.y - style.px(4)};
}

}  // namespace tilewalk
