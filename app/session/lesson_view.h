// Where a person is in the lessons: the lesson on show, its beat, and the questions of it. Plain data.
#pragma once

#include "core/lesson/answer.h"
#include "core/lesson/course.h"
#include "core/lesson/progress.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace tilewalk {

// One question on show: its instance, and what has been answered.
struct QuestionView {
  uint64_t seed = 1;
  int chosen = -1;        // place of the chosen option as shown, from 0; -1 none
  std::string typed;      // the number, as it is typed
  std::string fault;      // why it could not be read
  bool sure = false;
  bool locked = false;    // answered: the reasons are shown
  bool skipped = false;
};

struct LessonView {
  std::shared_ptr<const Course> course;  // shared with the window, which reads it again when files change
  std::string id;            // of the lesson on show; empty: a walk of one's own
  int beat = 0;
  std::map<std::string, QuestionView> questions;  // of the lesson on show, by question id
  std::string asked;         // id of the question that has the keys 1-5 and Enter
  LearnerProgress progress;
  bool progress_changed = false;  // wish: to be saved by the window
  bool review = false;       // the review page is on the stage
  float scroll = 0;          // of the Lesson tab, in design pixels
};

}  // namespace tilewalk
