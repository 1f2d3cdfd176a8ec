// The lesson's part of what is told: it stands in full, however much of it is scrolled out of sight.
#include "app/panels/lesson_parts.h"
#include "app/panels/told.h"
#include "app/panels/told_prose.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tilewalk {
namespace {

void add_text(std::vector<Told>& out, std::span<const Block> prose, const ProseWords& words) {
  std::vector<std::string> lines;
  tell_prose(lines, prose, words);
  for (std::string& line : lines) out.push_back({Told::Role::Text, std::move(line)});
}

void add_options(std::vector<Told>& out, const Question& question, const Instance& instance, const QuestionView& answer,
                 const ProseWords& words) {
  out.push_back({Told::Role::Choices, "Answers"});
  for (size_t k = 0; k < std::min(question.options.size(), instance.order.size()); ++k) {
    std::vector<std::string> lines;
    tell_prose(lines, question.options[size_t(instance.order[k])].text, words);
    Told choice{Told::Role::Choice, fmt::format("{}: {}", k + 1, fmt::join(lines, " ")), fmt::format("option:{}", k)};
    choice.on = answer.chosen == int(k) && !answer.skipped;
    out.push_back(std::move(choice));
  }
}

void add_reasons(std::vector<Told>& out, const Question& question, const Instance& instance, const QuestionView& answer,
                 const ProseWords& words) {
  out.push_back({Told::Role::Status, verdict_words(question, instance, answer), "verdict"});
  if (question.options.empty() && instance.answer) {
    Block block;
    block.spans = answer_spans(question);
    add_text(out, {&block, 1}, words_of_answer(words, question, instance));
  }
  for (const Prose* why : reasons_of(question, instance, answer)) add_text(out, *why, words);
}

void add_question(std::vector<Told>& out, const AskedQuestion& asked, int place, int count, const Session& session,
                  const ViewState& view) {
  const QuestionView& answer = question_view(view, asked);
  const Instance instance = instance_on_show(asked, session, view);
  const Question& question = *asked.question;
  const ProseWords words =
      words_of(*asked.lesson, &instance, fmt::format("{}#{}", asked.key, answer.seed), session, view);
  out.push_back({Told::Role::Heading, question_title(asked, place, count), {}, {}, {}, 3});
  add_text(out, question.text, words);
  if (!instance.fault.empty()) return out.push_back({Told::Role::Text, instance.fault});
  if (!question.options.empty()) add_options(out, question, instance, answer, words);
  if (question.options.empty() && !settled(answer)) {
    const std::string unit = question.unit.empty() ? "" : ", in " + question.unit;
    out.push_back({Told::Role::Field, "Your answer" + unit, "field:answer", answer.typed,
                   "Type a number, then Enter: 66.9, 1e3, 2^20"});
  }
  if (settled(answer)) add_reasons(out, question, instance, answer, words);
  if (!answer.fault.empty()) out.push_back({Told::Role::Status, answer.fault, "fault"});
}

}  // namespace

void tell_lesson_part(std::vector<Told>& out, const Session& session, const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const Beat* beat = beat_on_show(view);
  if (!lesson || !beat) return;
  out.push_back({Told::Role::Part, "Lesson", "told:lesson"});
  out.push_back({Told::Role::Heading,
                 lesson->number > 0 ? fmt::format("{}: {}", lesson_words(*lesson), lesson->title) : lesson->title,
                 {},
                 {},
                 {},
                 2});
  const std::string title = fmt::format("Beat {} of {}. {}{}", view.lesson.beat + 1, lesson->beats.size(),
                                        title_of(beat->kind), beat->title.empty() ? "" : ": " + beat->title);
  out.push_back({Told::Role::Heading, title, {}, {}, {}, 3});
  add_text(out, beat->text, words_of(*lesson, nullptr, "", session, view));
  const std::vector<AskedQuestion> questions = questions_on_show(view);
  if (!questions.empty()) {
    const int place = std::clamp(view.lesson.question, 0, int(questions.size()) - 1);
    add_question(out, questions[size_t(place)], place, int(questions.size()), session, view);
  }
  if (!beat->kernel.empty()) {
    Told fold{Told::Role::Toggle, "For kernel people", "command:for-kernels"};
    fold.on = view.lesson.for_kernels;
    out.push_back(std::move(fold));
    if (view.lesson.for_kernels) add_text(out, beat->kernel, words_of(*lesson, nullptr, "", session, view));
  }
  if (ends_lesson(view, *lesson) && !lesson->reading.empty()) {
    out.push_back({Told::Role::Heading, "Further reading", {}, {}, {}, 3});
    for (const Source& source : lesson->reading)
      out.push_back({Told::Role::Text, fmt::format("{}, {}", source.title, source.where)});
  }
  if (std::string words = thread_words(view, *lesson); !words.empty())
    out.push_back({Told::Role::Text, std::move(words)});
  if (std::string past = past_review_words(view, *lesson); !past.empty())
    out.push_back({Told::Role::Button, std::move(past), lesson_past_review(view)});
}

}  // namespace tilewalk
