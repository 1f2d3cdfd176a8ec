#include "app/session/lesson_path.h"
#include "core/io/letters.h"
#include "core/io/number.h"
#include "core/lesson/review_of_ten.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

bool begun(const LessonRecord* record) { return record && (record->furthest > 0 || !record->answers.empty()); }

}  // namespace

int open_checks(const Lesson& lesson, const LessonRecord& record) {
  int open = 0;
  if (lesson.review) return open;  // what is skipped in a review stays skipped
  for (const Beat& beat : lesson.beats)
    if (beat.kind == BeatKind::Check)
      for (const Question& question : beat.questions) open += !record.answers.contains(question.id);
  return open;
}

const LessonRecord* record_of(const LearnerProgress& progress, std::string_view lesson) {
  const auto found = progress.lessons.find(std::string(lesson));
  return found == progress.lessons.end() ? nullptr : &found->second;
}

LessonState state_of(const CourseEntry& entry, const LearnerProgress& progress) {
  if (!entry.faults.empty()) return LessonState::Faulty;
  if (!entry.lesson) return LessonState::NotWritten;
  const LessonRecord* record = record_of(progress, entry.lesson->id);
  return !begun(record) ? LessonState::NotBegun : record->done ? LessonState::Done : LessonState::Begun;
}

const LessonWay* way_chosen(const LessonView& view) {
  return view.course ? view.course->way_called(view.way) : nullptr;
}

void choose_way(ViewState& view, std::string_view id) {
  view.lesson.way = id;
  const LessonWay* way = way_chosen(view.lesson);
  if (!way) return;
  const auto left_out = [&](const CourseEntry& entry) { return entry.lesson && !on_way(*entry.lesson, way); };
  view.lesson.for_kernels = std::ranges::none_of(view.lesson.course->entries(), left_out);
}

NextLesson next_lesson(const LearnerProgress& progress, const Course* course, const LessonWay* way) {
  if (!course) return {};
  const auto is_done = [&](const Lesson& lesson) {
    const LessonRecord* record = record_of(progress, lesson.id);
    return record && record->done;
  };
  if (progress.lessons.empty())
    if (auto prologue = course->prologue()) return {std::move(prologue), false};
  const auto last = course->lesson_with(progress.last);
  // One of the path that was opened and left on its first beat is the next one still.
  if (last && !is_done(*last) && (begun(record_of(progress, last->id)) || last->number > 0))
    return {last, begun(record_of(progress, last->id))};
  // Behind the one that was done last, and only then what was left out before it.
  for (auto after = last ? lesson_after(*last, *course, way) : nullptr; after;
       after = lesson_after(*after, *course, way))
    if (after->number > 0 && !is_done(*after)) return {after, begun(record_of(progress, after->id))};
  for (const CourseEntry& entry : course->entries())
    if (entry.lesson && entry.lesson->number > 0 && on_way(*entry.lesson, way) && !is_done(*entry.lesson))
      return {entry.lesson, begun(record_of(progress, entry.lesson->id))};
  return {};
}

std::shared_ptr<const Lesson> lesson_after(const Lesson& lesson, const Course& course, const LessonWay* way) {
  std::shared_ptr<const Lesson> after;
  if (lesson.number == 0 && !lesson.prologue) {
    bool passed = false;
    for (const CourseEntry& entry : course.entries()) {
      if (!entry.lesson || entry.lesson->number > 0 || entry.lesson->prologue) continue;
      if (passed) return entry.lesson;
      passed = entry.lesson->id == lesson.id;
    }
    return after;
  }
  for (const CourseEntry& entry : course.entries())
    if (entry.lesson && entry.lesson->number > lesson.number && on_way(*entry.lesson, way) &&
        (!after || entry.lesson->number < after->number))
      after = entry.lesson;
  return after;
}

int review_worded(std::string_view words, const LessonView& view) {
  for (const int after : kReviewsAfter)
    for (const std::string_view begins : {"review ", "ten ", "review-"})
      if (same_letters(words, fmt::format("{}{}", begins, after))) return after;
  if (!same_letters(words, "ten") && !same_letters(words, "ten questions")) return 0;
  int due = kReviewsAfter.front();
  for (const int after : kReviewsAfter)
    if (view.course)
      if (const auto lesson = view.course->lesson_numbered(after);
          lesson && begun(record_of(view.progress, lesson->id)))
        due = after;
  return due;
}

std::shared_ptr<const Lesson> lesson_called(const LessonView& view, std::string_view id) {
  if (!view.course) return nullptr;
  if (view.ten && view.ten->id == id) return view.ten;
  if (const int after = review_named(id)) return review_of_ten(*view.course, view.progress, way_chosen(view), after);
  return view.course->lesson_with(id);
}

std::shared_ptr<const Lesson> lesson_behind(const LessonView& view, const Lesson& lesson) {
  if (!view.course) return nullptr;
  if (lesson.review) {
    const auto before = view.course->lesson_numbered(lesson.review);
    return before ? lesson_after(*before, *view.course, way_chosen(view)) : nullptr;
  }
  if (std::ranges::find(kReviewsAfter, lesson.number) != kReviewsAfter.end()) {
    const std::string id = review_id(lesson.number);
    const LessonRecord* record = record_of(view.progress, id);
    if (!record || !record->done)
      if (auto ten = lesson_called(view, id)) return ten;
  }
  return lesson_after(lesson, *view.course, way_chosen(view));
}

std::shared_ptr<const Lesson> relative_called(std::string_view words, const Course& course) {
  for (const CourseEntry& entry : course.entries()) {
    if (!entry.lesson || entry.lesson->number > 0 || entry.lesson->prologue) continue;
    const std::string_view name = entry.lesson->brief;
    if (!words.empty() && same_letters(words, name.substr(0, words.size()))) return entry.lesson;
  }
  return nullptr;
}

std::shared_ptr<const Lesson> lesson_typed(std::string_view words, const Course& course) {
  if (const auto number = number_of<int>(words)) return course.lesson_numbered(*number);
  const auto lesson = course.lesson_with(words);
  return lesson ? lesson : relative_called(words, course);
}

std::string lesson_words(const Lesson& lesson) {
  if (lesson.review) return "Review";
  return lesson.number > 0 ? fmt::format("Lesson {}", lesson.number) : lesson.brief;
}

int lessons_done(const LearnerProgress& progress, const Course* course, const LessonWay* way) {
  int done = 0;
  if (course)
    for (const CourseEntry& entry : course->entries())
      if (entry.lesson && entry.lesson->number > 0 && on_way(*entry.lesson, way))
        if (const LessonRecord* record = record_of(progress, entry.lesson->id)) done += record->done;
  return done;
}

void note_visit(ViewState& view, const Lesson& lesson) {
  LessonRecord& record = view.lesson.progress.lessons[lesson.id];
  record.beat = view.lesson.beat;
  record.furthest = std::max(record.furthest, view.lesson.beat);
  record.done = record.done || (record.furthest + 1 >= int(lesson.beats.size()) && open_checks(lesson, record) == 0);
  record.seen = view.lesson.now;
  if (!lesson.review) view.lesson.progress.last = lesson.id;  // the path goes on where it was left
  view.lesson.progress_changed = true;
}

}  // namespace tilewalk
