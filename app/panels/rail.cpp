// The rail: the walk of one's own, the lessons of the path in their phases, the relatives, and a person's own
// lessons; at the foot how far one has come and what is next. Folded it shows numbers alone.
#include "app/panels/flow.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/lesson_path.h"
#include "app/session/tools.h"
#include "app/session/write_moves.h"
#include "app/text/text.h"
#include "core/lesson/review_of_ten.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace tilewalk {
namespace {

// What the phases of the path are called; which lesson is in which says the lesson.
constexpr std::array<std::string_view, 4> kPhases{"Why it bleeds memory", "Tiles and online softmax", "FA1, FA2, FA3",
                                                  "Roofline"};

struct RailRow {
  std::string id, brief, tip = {};  // of its region
  std::string mark = {};            // in the disc: "6", "F", "!"
  LessonState state = LessonState::NotWritten;
  bool here = false;         // it is on the stage
  bool plays = false;        // a play triangle in its disc
  bool aside = false;        // not on the way that was chosen
  std::string heading = {};  // above it
};

std::string tip_of_row(const Lesson& lesson, LessonState state, bool aside) {
  const std::string name = lesson.number > 0 ? fmt::format("Lesson {}: {}", lesson.number, lesson.title) : lesson.title;
  const std::string_view word = state == LessonState::Done    ? "Done"
                                : state == LessonState::Begun ? "Begun"
                                                              : "Not begun";
  return fmt::format("{}. {:.0f} minutes. {}{}", name, lesson.minutes, word, aside ? ". Not on the way you chose" : "");
}

RailRow row_of(const CourseEntry& entry, const ViewState& view) {
  RailRow row;
  row.state = state_of(entry, view.lesson.progress);
  if (entry.lesson) {
    const Lesson& lesson = *entry.lesson;
    row.id = lesson.number > 0 ? fmt::format("lesson:{}", lesson.number) : "lesson:" + lesson.id;
    row.brief = lesson.brief;
    row.mark = lesson.number > 0 ? fmt::format("{}", lesson.number) : lesson.prologue ? "→" : lesson.brief.substr(0, 1);
    row.aside = !on_way(lesson, way_chosen(view.lesson));
    row.tip = tip_of_row(lesson, row.state, row.aside);
    row.here = view.lesson.id == lesson.id && !view.lesson.review && view.lesson.fault_of.empty();
  } else {
    row.id = "fault:" + entry.path.string();
    row.brief = entry.path.stem().string();
    row.here = view.lesson.fault_of == entry.path;
  }
  if (!entry.faults.empty()) {
    const LessonFault& fault = entry.faults.front();
    row.tip = fault.line > 0 ? fmt::format("{}:{}: {}", entry.path.filename().string(), fault.line, fault.message)
                             : fmt::format("{}: {}", entry.path.filename().string(), fault.message);
  }
  return row;
}

// "06-running-max.md" has a place in the path even while it cannot be read.
int number_of(const CourseEntry& entry) {
  if (entry.lesson) return entry.lesson->number;
  int number = 0;
  for (const char c : entry.path.filename().string()) {
    if (c < '0' || c > '9' || number > 99) break;
    number = number * 10 + (c - '0');
  }
  return number;
}

// Of the path: those with a number, in its order, the good version of two that share one.
std::vector<const CourseEntry*> path_of(const Course& course) {
  std::vector<const CourseEntry*> path;
  for (const CourseEntry& entry : course.entries())
    if (number_of(entry) > 0) path.push_back(&entry);
  std::ranges::stable_sort(path, {},
                           [](const CourseEntry* e) { return std::pair(number_of(*e), e->lesson == nullptr); });
  const auto same = [](const CourseEntry* one, const CourseEntry* two) { return number_of(*one) == number_of(*two); };
  path.erase(std::unique(path.begin(), path.end(), same), path.end());
  return path;
}

// A review of ten, behind the lesson of that number.
RailRow ten_row(int after, const ViewState& view) {
  const std::string id = review_id(after);
  const LessonRecord* record = record_of(view.lesson.progress, id);
  const bool begun = record && (record->furthest > 0 || !record->answers.empty());
  return {.id = "lesson:" + id,
          .brief = "Ten questions",
          .tip = review_title(after) + ", first those that went wrong",
          .mark = "?",
          .state = !begun         ? LessonState::NotBegun
                   : record->done ? LessonState::Done
                                  : LessonState::Begun,
          .here = view.lesson.id == id && !view.lesson.review && view.lesson.fault_of.empty()};
}

std::vector<RailRow> rows_of(const ViewState& view) {
  std::vector<RailRow> rows;
  const Course* course = view.lesson.course.get();
  if (!course) return rows;
  for (const CourseEntry& entry : course->entries())
    if (entry.lesson && entry.lesson->prologue) rows.push_back(row_of(entry, view));
  int phase = 0;
  for (const CourseEntry* entry : path_of(*course)) {
    rows.push_back(row_of(*entry, view));
    rows.back().mark = fmt::format("{}", number_of(*entry));
    if (entry->lesson && entry->lesson->phase != phase) {
      phase = entry->lesson->phase;
      if (phase >= 1 && phase <= int(kPhases.size())) rows.back().heading = kPhases[size_t(phase - 1)];
    }
    if (entry->lesson && std::ranges::find(kReviewsAfter, entry->lesson->number) != kReviewsAfter.end())
      rows.push_back(ten_row(entry->lesson->number, view));
  }
  if (rows.empty()) {
    rows.push_back({.id = "rail:none",
                    .brief = "No lessons found",
                    .tip = "The lessons lie in a folder beside the program; it is not there."});
  }
  // The program's own appendices lie beside its lessons; the rest is a person's.
  for (const bool own : {false, true}) {
    bool headed = false;
    for (const CourseEntry& entry : course->entries()) {
      const bool prologue = entry.lesson && entry.lesson->prologue;
      if (prologue || number_of(entry) > 0 || (entry.path.parent_path().filename() != "en") != own) continue;
      rows.push_back(row_of(entry, view));
      if (!headed) rows.back().heading = own ? "Your own" : "Relatives";
      headed = true;
    }
  }
  return rows;
}

void draw_disc(Scene& scene, const Style& s, Vec2 at, float size, const RailRow& row) {
  const Rect rect{at.x - size / 2, at.y - size / 2, size, size};
  const Color ink = s[row.here ? Role::InverseText : Role::Text];
  const auto label = [&](std::string_view text, Color color, Face face) {
    scene.label(rect, text, face, s.small(), color, Align::Center);
  };
  switch (row.state) {
    case LessonState::Done:
      scene.box(rect, size / 2, row.here ? ink : s[Role::Right]);
      label("✓", row.here ? s[Role::Inverse] : text_on(s[Role::Right]), Face::SansBold);
      break;
    case LessonState::Faulty:
      scene.box(rect, size / 2, row.here ? ink : s[Role::WrongText]);
      label("!", row.here ? s[Role::Inverse] : text_on(s[Role::WrongText]), Face::SansBold);
      break;
    case LessonState::Begun:
      if (row.plays) {
        const Color ground = s[row.here ? Role::Inverse : Role::Surface];
        scene.box(rect, size / 2, ink);
        draw_icon(scene, Icon::Play, rect.inset(size / 4).shifted(size * 0.03f, 0), ground);
        break;
      }
      scene.box(rect, size / 2, {}, ink, s.px(3));
      label(row.mark, ink, Face::SansBold);
      break;
    case LessonState::NotBegun:
      scene.box(rect, size / 2, {}, row.here ? ink : s[row.aside ? Role::Line : Role::TextSecondary], s.px(1.5f));
      label(row.mark, row.aside && !row.here ? s[Role::TextSecondary] : ink, Face::Sans);
      break;
    case LessonState::NotWritten:
      scene.box(rect, size / 2, {}, s[Role::Ghost], s.px(1.5f), s.px(3));
      label(row.mark, s[Role::TextSecondary], Face::Sans);
      break;
  }
}

struct RailLook {
  float row, heading, disc, disc_x, text_x, text_w;
  bool folded;
};

void draw_row(Scene& scene, const ViewState& view, const Style& s, const RailLook& look, const RailRow& row,
              Rect area) {
  const Rect body = area.inset(s.px(8), s.px(1));
  if (row.here)
    scene.box(body, s.r_medium(), s[Role::Inverse]);
  else if (view.hover == row.id)
    scene.box(body, s.r_medium(), s[Role::SurfaceStrong]);
  draw_disc(scene, s, {area.x + look.disc_x, body.center().y}, look.disc, row);
  if (!look.folded)
    fitted_label(scene, s, {area.x + look.text_x, body.y, look.text_w, body.h}, row.brief,
                 row.here ? Face::SansBold : Face::Sans, s.number(),
                 s[row.here                                            ? Role::InverseText
                   : row.aside || row.state == LessonState::NotWritten ? Role::TextSecondary
                                                                       : Role::Text]);
  if (row.id.empty()) return;  // a word, and nothing to press
  scene.region({body.x, area.y, body.w, area.h}, row.id, row.tip, true, s.r_medium());
}

RailRow review_row(const ViewState& view) {
  return {.id = "command:review",
          .brief = "Review",
          .tip = "Questions everybody asks, quick checks, interviews (V)",
          .mark = "?",
          .state = LessonState::NotBegun,
          .here = view.lesson.review};
}

// The walk that needs no lesson: a play triangle in its disc.
RailRow free_walk_row(const Session& session, const ViewState& view) {
  return {.id = "lesson:0",
          .brief = "Free walk",
          .tip = fmt::format("A walk of your own: {} on {} (0)", session.walk().schedule.name, session.inputs().source),
          .state = LessonState::Begun,
          .here = view.lesson.id.empty() && view.lesson.fault_of.empty() && !view.lesson.review && !tool_open(view) &&
                  !view.write.open,
          .plays = true};
}

RailRow write_row(const ViewState& view) {
  return {.id = "command:write",
          .brief = "Write",
          .tip = "Write a schedule of your own, or solve a puzzle (W)",
          .mark = "✎",
          .state = LessonState::NotBegun,
          .here = write_on_show(view)};
}

// What a disc looks like in each state that a lesson passes through.
void draw_legend(Scene& scene, const Style& s, Rect area) {
  float x = area.x;
  for (const auto& [state, words] : {std::pair{LessonState::NotBegun, "new"}, std::pair{LessonState::Begun, "begun"},
                                     std::pair{LessonState::Done, "done"}}) {
    const RailRow row{.id = {}, .brief = {}, .state = state};
    const float disc = s.px(14), w = text_width(words, Face::Sans, s.small()) + s.px(2);
    if (state == LessonState::Done)
      scene.box({x, area.center().y - disc / 2, disc, disc}, disc / 2, s[Role::Right]);
    else
      draw_disc(scene, s, {x + disc / 2, area.center().y}, disc, row);
    scene.label({x + disc + s.px(6), area.y, w, area.h}, words, Face::Sans, s.small(), s[Role::TextSecondary]);
    x += disc + s.px(6) + w + s.px(16);
  }
}

// How far one has come, what is next, and the button that folds.
void draw_foot(Scene& scene, const ViewState& view, const Style& s, Rect foot, bool folded) {
  const float side = s.px(36);
  icon_button(scene, view, s,
              {folded ? foot.center().x - side / 2 : foot.right() - side - s.px(10), foot.bottom() - side - s.px(6),
               side, side},
              Icon::Rail, "rail", Look::Plain);
  if (folded) return;
  const LessonWay* way = way_chosen(view.lesson);
  const int all = way                  ? int(way->lessons.size())
                  : view.lesson.course ? int(path_of(*view.lesson.course).size())
                                       : 0,
            done = lessons_done(view.lesson.progress, view.lesson.course.get(), way);
  const Rect track{foot.x + s.px(20), foot.bottom() - s.px(25), s.px(96), s.px(6)};
  scene.box(track, track.h / 2, s[Role::SurfaceStrong]);
  if (done > 0 && all > 0)
    scene.box({track.x, track.y, track.w * float(done) / float(all), track.h}, track.h / 2, s[Role::Right]);
  scene.label({track.right() + s.px(10), foot.bottom() - s.px(42),
               foot.right() - side - s.px(14) - track.right() - s.px(10), s.px(40)},
              fmt::format("{} of {}", done, all), Face::Sans, s.small(), s[Role::TextSecondary]);
  const NextLesson next = next_lesson(view.lesson.progress, view.lesson.course.get(), way);
  if (!next.lesson || next.lesson->id == view.lesson.id) return;
  const std::string words = next.lesson->prologue
                                ? std::string("Start here")
                                : fmt::format("{} lesson {}", next.resumes ? "Resume" : "Next:", next.lesson->number);
  text_button(scene, view, s, {foot.x + s.px(14), foot.y + s.px(6), foot.w - s.px(28), s.px(40)}, words,
              "command:lesson-resume", fmt::format("{} ({})", next.lesson->title, "Ctrl+Enter"),
              view.lesson.id.empty() ? Look::Round : Look::Solid, Face::SansBold, s.number());
}

}  // namespace

void layout_rail(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s, bool folded) {
  scene.box(area, 0, s[Role::Surface]);
  scene.line({area.right() - s.px(0.5f), area.y}, {area.right() - s.px(0.5f), area.bottom()}, s[Role::Line], s.px(1));

  const std::vector<RailRow> rows = rows_of(view);
  const bool legend = !folded && area.h >= s.px(880);
  const float foot_h = s.px(folded ? 48 : legend ? 120 : 96);
  const Rect list{area.x, area.y + s.px(8), area.w, area.h - foot_h - s.px(8)};
  const auto headings = float(std::ranges::count_if(rows, [](const RailRow& row) { return !row.heading.empty(); }));
  // As roomy as the list allows, but never smaller than a finger finds; what then does not fit is scrolled.
  const float count = float(rows.size()) + 3.4f, heading_share = folded ? 0.3f : 0.8f;
  const float row_h = std::clamp(list.h / (count + headings * heading_share), s.px(28.5f), s.px(44));
  const float margin = s.px(folded ? 8 : 10);
  RailLook look{
      row_h, row_h * heading_share, std::min(s.px(24), row_h - s.px(4)), folded ? area.w / 2 : s.px(32), s.px(54), 0,
      folded};
  look.text_w = area.w - margin - look.text_x - s.px(2);

  Flow flow;
  std::optional<float> here;  // where the row on show begins
  const auto add = [&](const RailRow& row) {
    if (row.here) here = flow.height();
    flow.add(row_h, [&](Rect r) { draw_row(scene, view, s, look, row, {r.x, r.y, area.w, r.h}); });
  };
  const RailRow walk = free_walk_row(session, view), write = write_row(view), review = review_row(view);
  add(walk);
  add(write);
  for (const RailRow& row : rows) {
    if (!row.heading.empty() && folded) flow.space(look.heading);
    if (!row.heading.empty() && !folded)
      flow.add(look.heading, [&](Rect r) {
        fitted(scene, {r.x + s.px(20), r.y + r.h * 0.12f, area.w - s.px(32), r.h * 0.88f}, row.heading, Face::SansBold,
               s.small(), s[Role::TextSecondary]);
      });
    add(row);
  }
  if (!folded) flow.space(look.heading * 0.4f);
  add(review);
  // Turned no further than to the row on show and the one beyond it, and not at all where it is in sight.
  float share = view.lesson.rail_scroll;
  if (const float more = flow.height() - list.h; view.lesson.rail_shows && here && more > 0) {
    float above = more * std::clamp(share, 0.0f, 1.0f);
    if (*here < above) above = *here - row_h;
    if (*here + row_h > above + list.h) above = *here + 2 * row_h - list.h;
    share = std::clamp(above / more, 0.0f, 1.0f);
  }
  layout_scrolled(scene, s, view, {list.x, list.y, list.w - margin, list.h}, flow, share, margin, "rail",
                  "The lesson path");
  draw_foot(scene, view, s, {area.x, area.bottom() - foot_h, area.w, foot_h}, folded);
  if (legend) draw_legend(scene, s, {area.x + s.px(20), area.bottom() - s.px(70), area.w - s.px(30), s.px(20)});
}

}  // namespace tilewalk
