// The pieces of the Lesson tab, private to it: the words of quantities and links, and the card of a question.
#pragma once

#include "app/panels/column_parts.h"
#include "app/panels/prose_text.h"
#include "app/session/questions.h"

#include <string>
#include <vector>

namespace tilewalk {

// Quantities of that lesson, with an instance's variables where there is one; `about` as in value_of.
ProseWords words_of(const Lesson& lesson, const Instance* instance, std::string about, const Session& session,
                    const ViewState& view);

// A number from elsewhere is marked where it stands, not in its tip alone: "◆ ", "◇ ", or nothing.
std::string_view mark_of(Origin origin);

std::string_view title_of(BeatKind kind);  // "Break it"

// On a lesson's last beat: that it is one, and what comes next; empty before the last question has its answer.
bool ends_lesson(const ViewState& view, const Lesson& lesson);
std::string thread_words(const ViewState& view, const Lesson& lesson);
// There, where a review of ten comes next: the lesson past it, "Lesson 5"; empty anywhere else.
std::string past_review_words(const ViewState& view, const Lesson& lesson);
std::string lesson_past_review(const ViewState& view);  // the region that opens it: "lesson:5"

// What a question says of itself and of its answer. "Question 1 of 2 · again, from lesson 3".
std::string question_title(const AskedQuestion& asked, int place, int count);
std::string verdict_words(const Question& question, const Instance& instance, const QuestionView& answer);
// "It is 66.9 µs.": in the unit that was typed; where it comes from stays as it is.
std::vector<Span> answer_spans(const Question& question);
ProseWords words_of_answer(ProseWords words, const Question& question, const Instance& instance);
// What explains the answer, none of it empty.
std::vector<const Prose*> reasons_of(const Question& question, const Instance& instance, const QuestionView& answer);

// Words wrapped to the width, line by line.
void set_lines(Flow& flow, const Column& column, std::string_view words, const ui::Font& font, float width);

// A question with its options or field, and, once it is answered, the reasons. `place` and `count` of the beat's;
// `size` of the text.
void set_question(Flow& flow, const Column& column, const AskedQuestion& asked, int place, int count, float width,
                  float size);

}  // namespace tilewalk
