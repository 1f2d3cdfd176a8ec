// The Lesson tab: a beat's title and text, its question, and below them where one stands in the lesson and the one
// button that goes on. What is higher than the column is scrolled.
#include "app/panels/cards.h"
#include "app/panels/lesson_parts.h"
#include "app/session/breaking.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// What is wrong in a file: one paragraph for each fault, with its line.
void set_faults(Flow& flow, const Column& column, const CourseEntry& entry, float width) {
  set_lines(flow, column, entry.path.filename().string(), {16, Face::MonoBold}, width);
  flow.space(column.px(6));
  for (const LessonFault& fault : entry.faults) {
    if (fault.line > 0)
      set_lines(flow, column, fmt::format("✕ line {}", fault.line), {16, Face::SansBold, Role::WrongText}, width);
    set_lines(flow, column, fault.message, {.pitch = 23}, width);
    flow.space(column.px(10));
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
                        w >= style.px(24), style.px(4));
  }
}

ui::Node foot_button(std::string words, ui::Press press, ui::Fill fill, float padding, Face face = Face::SansBold) {
  return ui::button(std::move(words), std::move(press), fill, {18, face}).padding(padding, 0);
}

// Back on the left, the one that goes on at the right and black; Skip beside it while a question is open.
ui::Node foot_buttons(const Column& column) {
  const ViewState& view = column.view;
  const std::string words = continue_words(column.session, view), past = past_review_words(view, *lesson_on_show(view));
  const float padding = past.empty() ? 18 : 12;  // with a third button the narrowest column has less room for each
  std::vector<ui::Node> row;
  if (view.lesson.beat > 0) row.push_back(foot_button("Back", runs("lesson-back"), ui::Fill::Solid, padding));
  row.push_back(ui::spacer());
  const AskedQuestion asked = asked_now(view);
  if (!words.empty() && asked.question && !settled(view, asked))
    row.push_back(foot_button("Skip", runs("question-skip"), ui::Fill::Plain, padding, Face::Sans));
  if (!past.empty())
    row.push_back(foot_button(past, {lesson_past_review(view), "Leaves the ten questions for later"}, ui::Fill::Plain,
                              padding, Face::Sans));
  if (!words.empty()) {
    const float w = text_width(words, Face::SansBold, column.style.body()) / column.style.scale + 2 * padding;
    row.push_back(foot_button(words, runs("lesson-next"), ui::Fill::Round, padding).width(ui::px(std::max(w, 110.f))));
  }
  return ui::row(std::move(row), 8);
}

// The button that breaks what the beat speaks of, and mends it again.
void set_break(Flow& flow, const Column& column, float width) {
  std::string words = break_words(column.view);
  if (words.empty()) return;
  flow.space(column.px(18));
  ui::Node button = ui::button(std::move(words), runs("break"), ui::Fill::Solid, {16, Face::SansBold}).padding(18, 0);
  column.set(flow, ui::row(ui::of(std::move(button), ui::spacer(ui::between(0, 0)))).height(ui::px(40)), width);
}

// The fold at the end of a beat: its row, and unfolded, what stands in it, set a little smaller.
void set_kernel_fold(Flow& flow, const Column& column, const ProsePage& page, const Beat& beat, float width) {
  if (beat.kernel.empty()) return;
  const bool open = column.view.lesson.for_kernels;
  flow.space(column.px(18));
  ui::Node row =
      ui::row(ui::of(ui::text(open ? "▾" : "▸", {16, Face::SansBold, Role::TextSecondary}).width(ui::px(20)),
                     ui::text("For kernel people", {16, Face::SansBold, Role::TextSecondary}), ui::spacer()),
              0, ui::Across::Center)
          .padding(8, 0)
          .on({.hot = Role::SurfaceStrong, .radius = 6, .inset = {-8, 0}})
          .pressed(runs("for-kernels", open ? "Folds it away (Q)" : "Unfolds it: nothing here is asked (Q)"));
  column.set(flow, std::move(row).height(ui::px(34)), width);
  if (!open) return;
  flow.space(column.px(6));
  const float top = flow.height(), indent = column.px(16), size = column.style.number();
  Flow inner;
  const auto codes = std::ranges::count(beat.text, Block::Kind::Code, &Block::kind);
  set_prose(inner, page, beat.kernel, {width - indent, size, std::round(size * 1.5f), column.color(Role::Text), false},
            int(codes));
  flow.append(inner, indent, width - indent);
  flow.ground(top, [&column](Rect r) {
    column.scene.box({r.x, r.y, column.px(3), r.h}, column.px(1.5f), column.color(Role::Line));
  });
}

// `card`: where the question's card begins.
void set_beat(Flow& flow, const Column& column, const Lesson& lesson, const Beat& beat, float width, float size,
              float& card) {
  const Style& style = column.style;
  const bool tall = column.scene.size.y / style.scale >= 900;
  flow.space(style.px(tall ? 22 : 10));
  set_lines(flow, column, title_of(beat.kind), {16, Face::SansBold, Role::AccentText}, width);
  const float title = tall ? 26 : 22;
  set_lines(flow, column, beat.title, {.size = title, .face = Face::SansBold, .pitch = title * 1.28f}, width);
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
  set_kernel_fold(flow, column, page, beat, width);
  flow.space(style.px(8));
}

// The end of a lesson: what is next, at one a day.
void set_thread(Flow& flow, const Column& column, const Lesson& lesson, float width) {
  if (ends_lesson(column.view, lesson) && !lesson.reading.empty()) {
    set_lines(flow, column, "Further reading", {16, Face::SansBold, Role::TextSecondary, Align::Left, 26}, width);
    for (const Source& source : lesson.reading)
      set_lines(flow, column, fmt::format("{}, {}", source.title, source.where), {}, width);
    flow.space(column.px(14));
  }
  const std::string words = thread_words(column.view, lesson);
  if (words.empty()) return;
  set_lines(flow, column, words, {16, Face::Sans, Role::TextSecondary}, width);
  flow.space(column.px(16));
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

void set_lines(Flow& flow, const Column& column, std::string_view words, const ui::Font& font, float width) {
  const float size = column.px(font.size), pitch = column.px(font.pitch > 0 ? font.pitch : font.size * 1.5f);
  for (const std::string& line : wrap_text(words, font.face, size, width))
    flow.add(pitch, [&column, line, font, size, width](Rect r) {
      column.scene.label(r, ellipsize(line, font.face, size, width), font.face, size, column.color(font.role));
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
    set_lines(flow, column, "This lesson cannot be read yet", {.size = 22, .face = Face::SansBold, .pitch = 32},
              area.w);
    flow.space(style.px(8));
    set_faults(flow, column, *faulty, area.w);
    set_lines(flow, column, "It is read again as soon as the file changes. The other lessons work.",
              {.role = Role::TextSecondary, .pitch = 23}, area.w);
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
      set_lines(flow, column, "The file has changed and has a fault; this is its last good version.",
                {.face = Face::SansBold, .role = Role::WrongText, .pitch = 23}, area.w);
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
  column.show(foot_buttons(column), {foot.x, foot.y + segments, foot.w, buttons});
  return {area.x, area.y, area.w, foot.y - area.y - style.px(4)};
}

}  // namespace tilewalk
