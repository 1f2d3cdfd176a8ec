// Answering questions: choosing, typing, locking, skipping, another one; and what is remembered of it. Nothing is timed
// and nothing blocks.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// A question as it is asked: its own lesson, and the key of its view and its record: the question's id, or
// "lesson/question" for one that comes back in another lesson or stands on the review page.
struct AskedQuestion {
  std::shared_ptr<const Lesson> lesson;
  const Question* question = nullptr;
  std::string key;
  bool returns = false;  // it was answered wrong three lessons ago
};

// Of the beat on show, those that come back first.
std::vector<AskedQuestion> questions_on_show(const ViewState& view);
// The one that has the keys 1-5 and Enter; question == nullptr without one.
AskedQuestion asked_now(const ViewState& view);
const QuestionView& question_view(const ViewState& view, const AskedQuestion& asked);
Instance instance_on_show(const AskedQuestion& asked, const Session& session, const ViewState& view);
bool settled(const QuestionView& answer);  // answered or skipped: its reasons are on show
bool settled(const ViewState& view, const AskedQuestion& asked);

void choose_option(ViewState& view, int place);  // from 0, as shown
void toggle_sure(ViewState& view);
// Locks the answer and shows its proof, or leaves QuestionView::fault. True where it was locked.
bool lock_answer(Session& session, ViewState& view);
// Shows the answer and its proof, and keeps no record of it.
void skip_question(Session& session, ViewState& view);
void another_question(Session& session, ViewState& view);

std::string no_number_words(std::string_view typed);  // of what was typed as an answer

// What an answer is worth.
struct Judged {
  bool right = false;
  int score = 0;      // 0 .. 100
  std::string first;  // what was answered, for the record
  std::string words;  // of a number: "1.32× too high"
};
Judged judge(const Question& question, const Instance& instance, const QuestionView& answer);

// What covers the stage now: the readings of the question on show until it is answered, those of the beat's other open
// questions, and what the beat itself covers.
std::vector<std::string> covered_readings(const ViewState& view);

// The knobs that would show an answer that is not given yet: those that its proof turns, and those that the question
// locks by name.
std::vector<std::string> locked_knobs(const ViewState& view);
// Covers and locks the board on show as these say.
void cover_board(ViewState& view);

}  // namespace tilewalk
