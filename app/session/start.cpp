#include "app/session/start.h"

#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"

#include <fmt/format.h>

namespace tilewalk {

void start_where_one_stopped(Session& session, ViewState& view, bool coach_seen, bool left_on_walk) {
  const LearnerProgress& progress = view.lesson.progress;
  const bool first = progress.lessons.empty();
  if (left_on_walk && !first) return;
  const NextLesson next = next_lesson(progress, view.lesson.course.get(), way_chosen(view.lesson));
  if (!next.lesson) return;
  const bool begun = next.resumes || lessons_done(progress, view.lesson.course.get()) > 0;
  if (!open_lesson(session, view, next.lesson->id)) return;
  view.coach = !coach_seen && !begun;
  if (next.resumes)
    view.notice = fmt::format("{}, where you stopped. 0 is a walk of your own.", lesson_words(*next.lesson));
}

}  // namespace tilewalk
