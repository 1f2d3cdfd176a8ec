// The review page: the cards of questions that come back (core/lesson/review.h), and every question of every lesson. A
// card is opened, thought about, and said to be known or not; that is kept like an answer, under the lesson "review".
#pragma once

#include "app/session/questions.h"
#include "core/lesson/review.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr std::string_view kReviewRecord = "review";  // id in the progress

std::vector<const ReviewCard*> cards_on_show(const ViewState& view);  // none for the lessons' own questions

// The lessons' own questions in the order of the path; key "lesson/question".
std::vector<AskedQuestion> all_questions(const ViewState& view);
AskedQuestion question_in_review(const ViewState& view);  // the one that is open; question == nullptr without one

// "kind/faq", "level/senior", "at/research", "open/<id>", "knew/<id>", "again/<id>": the rest of a region's id.
bool review_click(std::string_view what, ViewState& view);

}  // namespace tilewalk
