// Where a person is in the lessons: the lesson on show, its beat, and the questions of it. Plain data.
#pragma once

#include "app/state/board_state.h"
#include "app/state/session.h"
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
  int chosen = -1;    // place of the chosen option as shown, from 0; -1 none
  std::string typed;  // the number, as it is typed
  std::string fault;  // why it could not be read, or that nothing is chosen yet
  bool sure = false;
  bool locked = false;   // answered: the reasons are shown
  bool skipped = false;  // the answer is shown, and nothing is recorded
};

// A stage as it was, kept until it comes back: a walk of one's own while a lesson has the stage, a beat's while a proof
// or a fault stands on it.
struct KeptStage {
  Setup setup;
  Inputs inputs;
  int64_t playhead = 0, row = 0;
  BoardState board;
};

// What a beat wants on the stage: where the text changes and this does not, the stage stays as it is.
struct BeatStage {
  std::string stage = "walk", seek, play;
  std::map<std::string, std::string, std::less<>> walk;
  std::vector<std::string> without;  // parts of the walk's stage that are not explained yet
  BoardState board;
  bool operator==(const BeatStage&) const = default;
};

// What does not depend on the stage is evaluated once; see app/session/lesson_names.h.
struct LessonCache {
  std::map<std::string, Evaluated, std::less<>> values;
  std::map<std::string, Instance, std::less<>> instances;
  std::map<std::string, int64_t, std::less<>> effort_left;  // of each lesson, for numbers that are kept
};

// What the review page shows.
struct ReviewView {
  std::string kind = "faq";  // "faq", "quick", "recap", "interview", or "lessons": the lessons' own questions
  std::string level, at;     // of interviews; empty is all
  std::string open;          // id of the card that is open, or key of a lesson's question; empty: none
  float scroll = 0;          // share above, 0..1
};

constexpr float kScrollToQuestion = -1;  // the card of the question begins where the text does, if it is that low

// What "Begin again" keeps.
struct LastingLessons {
  std::shared_ptr<const Course> course;  // shared with the window, which reads it again when files change
  LearnerProgress progress;
  bool progress_changed = false;  // wish: to be saved by the window
  std::string now;                // date and time, ISO 8601; the window tells it
  std::string way;                // the way through the path that was chosen: its id; empty: none yet
  bool for_kernels = false;       // what is for kernel people is unfolded
};

struct LessonView : LastingLessons {
  std::shared_ptr<const Lesson> ten;  // the review of ten that was opened last: see app/session/lesson_path.h
  std::string id;                     // of the lesson on show; empty: a walk of one's own
  int beat = 0;
  int question = 0;                               // of the beat's questions, returning ones first: the one on show
  std::map<std::string, QuestionView> questions;  // by key: see app/session/questions.h
  std::map<std::string, std::map<std::string, QuestionView>> left;  // the same of lessons that were left, by their id
  std::string fault_of;  // path of a file without a good version, whose faults are read in place of a lesson
  std::shared_ptr<const KeptStage> kept;
  BeatStage put;                                   // by the beat on show
  std::shared_ptr<const KeptStage> lent, lent_as;  // the stage before a proof or a fault, and as that made it
  int broken = 0;                    // which of the lesson's faults is on, from 1; 0 none: see app/session/breaking.h
  std::vector<std::string> lifting;  // readings whose plates are going up
  float lift = 1;                    // how far, 0..1
  std::shared_ptr<LessonCache> cache;
  bool review = false;      // the review page is on the stage
  ReviewView about;         // and what it shows
  float scroll = 0;         // of the Lesson tab: share of what does not fit that lies above, 0..1; or kScrollToQuestion
  float board_scroll = 0;   // of Explain and Numbers where a board has the stage
  float rail_scroll = 0;    // of the rail, likewise
  bool rail_shows = false;  // the rail is turned from there as far as the lesson on show needs
};

}  // namespace tilewalk
