// The path as a person stands on it: which lessons are begun and done, and which one is next. At the pace of one a day.
#pragma once

#include "app/state/view_state.h"

#include <memory>
#include <string>

namespace tilewalk {

enum class LessonState : uint8_t { NotWritten, NotBegun, Begun, Done, Faulty };
LessonState state_of(const CourseEntry& entry, const LearnerProgress& progress);

const LessonRecord* record_of(const LearnerProgress& progress, std::string_view lesson);  // or null

// The way through the path that was chosen; null: none, and the path is whole.
const LessonWay* way_chosen(const LessonView& view);
// Chooses one by its id, and unfolds what is for kernel people where the way has all lessons.
void choose_way(ViewState& view, std::string_view id);

// Where the path goes on: before the first lesson its prologue, then a lesson that was begun and not done, else the
// first on the way that is not done. Null when all are.
struct NextLesson {
  std::shared_ptr<const Lesson> lesson;
  bool resumes = false;
};
NextLesson next_lesson(const LearnerProgress& progress, const Course* course, const LessonWay* way = nullptr);
// By number, on the way; or null.
std::shared_ptr<const Lesson> lesson_after(const Lesson& lesson, const Course& course, const LessonWay* way = nullptr);

// A lesson without a number, by its letter in the rail or the beginning of its name, in any case: "f", "ring"; or null.
std::shared_ptr<const Lesson> relative_called(std::string_view words, const Course& course);
// Any: by number, id, or as above; or null.
std::shared_ptr<const Lesson> lesson_typed(std::string_view words, const Course& course);

// "review 4", or "ten" or "ten questions" for the one behind the furthest lesson that was begun; 0 for other words.
int review_worded(std::string_view words, const LessonView& view);
// By its id, also a review of ten: the one that was opened last as it was drawn, any other drawn anew. Or null.
std::shared_ptr<const Lesson> lesson_called(const LessonView& view, std::string_view id);
// Where the last beat of a lesson leads: to the review of ten behind it, until that was gone through, else on the way.
std::shared_ptr<const Lesson> lesson_behind(const LessonView& view, const Lesson& lesson);

int open_checks(const Lesson& lesson, const LessonRecord& record);  // questions of its checks without an answer

// "Lesson 6", or the title of one without a number.
std::string lesson_words(const Lesson& lesson);

// Of the numbered ones, on the way.
int lessons_done(const LearnerProgress& progress, const Course* course, const LessonWay* way = nullptr);

// Where a lesson stands after one beat or answer more: furthest beat, done, date.
void note_visit(ViewState& view, const Lesson& lesson);

}  // namespace tilewalk
