// What a window does in a class: it goes where the class goes, shows what is asked and says what is answered; that of
// who teaches leads the class by what the room sees, and asks it what the room is asked.
#pragma once

#include "app/session/questions.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Joins with what was typed or copied, in the seat of before where it is known; the sentence says why not. Empty where
// it is being tried.
std::string join_class(ViewState& view, std::string_view invitation, std::string seat = {});
void leave_class(ViewState& view);
bool in_class(const ViewState& view);  // joined, or trying to
bool teaches(const ViewState& view);

// Takes what has come of the class since: follows it, puts its question up; of who teaches, leads and asks. Called once
// a frame. True when there is something new to draw.
bool keep_up_with_class(Session& session, ViewState& view);
// Of who teaches: beats that the class has not come to are closed to pages, or open again.
void lock_ahead(ViewState& view);
bool locked_ahead(const ViewState& view);
void return_to_class(Session& session, ViewState& view);  // from looking around; its question where one is open

// ---- the question of the class

// Of who learns, as its lesson has it here; question == nullptr where none is asked, or this program has no such
// lesson.
AskedQuestion class_question(const ViewState& view);
// Under this key a page keeps the numbers and the order of options that the class's question has, apart from the
// learner's own answer to the same question.
std::string class_key_of(const PollAsked& asked);
// Whether the class is being asked that, so that its answer is not to be had in the lesson yet.
bool class_asks(const ViewState& view, const AskedQuestion& asked);
// "The option at that place", from 0 as it is lettered; -1: the number that was typed.
void vote_in_class(ViewState& view, const Session& session, int place);
void be_sure_in_class(ViewState& view, int sure);
std::optional<int> sure_in_class(const ViewState& view);  // nothing: it was not said yet
void send_picked(ViewState& view);  // an answer of which nothing is missing, once there is a connection
// On its card: A, B, C ... and how sure: G, R, S where no option has the letter; beside options 1 to 3, too.
bool class_key(const KeyPress& press, const Session& session, ViewState& view);
inline constexpr std::string_view kClassNumber = "field:class-number";
void begin_question(ViewState& view);       // nothing of another question's answer stays
void open_class_question(ViewState& view);  // its card, where one is
// Whether its card comes by itself: no text has the keys, and nothing that would be lost lies over the window.
bool card_may_come(const ViewState& view);
bool card_settles(const ViewState& view);  // it has just come up: a press was meant for what lay there before
std::optional<int> voted_place(const ViewState& view, const Session& session);  // of the vote that counts here

// What the room's question came to as far as it may be seen there: for each round the votes of each option as it is
// lettered, by how sure, or the numbers. `view` of either.
struct ClassVotes {
  struct Round {
    std::vector<std::array<int, kSureLevels>> options;
    std::vector<double> numbers;
    int votes = 0;
  };
  std::vector<Round> rounds;
  std::optional<double> answer;  // of numbers, once it is told
  std::optional<double> mine;    // of numbers, in the last round, on the page of who said it
  bool told = false;
};
ClassVotes class_votes(const ViewState& view, const AskedQuestion& asked, const Instance& instance);
ClassVotes votes_of(const PollAsked& asked, const std::vector<Tally>& rounds, bool told, const Instance& instance);
// A question that a class was asked, as its lesson has it here, with the class's numbers; question == nullptr where
// this program has no such lesson.
AskedQuestion question_left(const ViewState& view, const PollAsked& asked);
std::string count_words(const ViewState& view);  // "23 of 30 have answered"; empty where nothing is asked

// ---- who teaches: what the clicker does at a question of the class. False where it does what it does without one.
bool votes_to_show(const ViewState& view);  // some came, and the room does not see them yet
// Closes the round and shows what it came to; while fewer than half have answered, the first press says so.
bool show_votes(ViewState& view);
// Going back while a round is open: the first press only says what the second will do.
bool keeps_vote(ViewState& view);
bool ask_class_again(ViewState& view);
bool can_ask_again(const ViewState& view);
bool votes_shown(const ViewState& view);
std::string why_not_again(const ViewState& view);

// ---- words
std::string class_state_words(const ViewState& view);  // one line of where one stands to the class

}  // namespace tilewalk
