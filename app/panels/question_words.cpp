// What a question says of itself and of its answer, in words: its card sets them, and who does not see the card is told
// them.
#include "app/panels/lesson_parts.h"
#include "app/session/lesson_names.h"

#include <fmt/format.h>

namespace tilewalk {

std::string question_title(const AskedQuestion& asked, int place, int count) {
  std::string title = asked.question->predict ? "Your prediction" : "Question";
  if (count > 1) title = fmt::format("Question {} of {}", place + 1, count);
  if (asked.returns) title += fmt::format(" · again, from lesson {}", asked.lesson->number);
  return title;
}

std::string verdict_words(const Question& question, const Instance& instance, const QuestionView& answer) {
  if (answer.skipped) return "Skipped";
  const Judged judged = judge(question, instance, answer);
  std::string words = judged.right ? "✓ Right" : "✕ Not this time";
  if (question.options.empty())
    words = judged.words.starts_with("right") ? "✓ R" + judged.words.substr(1)
            : judged.score == 100             ? fmt::format("✓ Right, though {}", judged.words)
                                              : fmt::format("{} {}", judged.right ? "✓ Close:" : "✕", judged.words);
  if (answer.sure && !judged.right) words += ", and you were sure";
  return words;
}

std::vector<Span> answer_spans(const Question& question) {
  return {{Span::Kind::Text, "It is ", {}, false, false, {}},
          {Span::Kind::Quantity, question.answer, question.format, false, false, {}},
          {Span::Kind::Text, ".", {}, false, false, {}}};
}

ProseWords words_of_answer(ProseWords words, const Question& question, const Instance& instance) {
  if (const auto own = answer_in_unit(instance.answer->value, question))
    words.quantity = [say = words.quantity, mark = mark_of(instance.answer->origin), own = *own](const Span& span) {
      ProseWords::Shown shown = say(span);
      shown.text = std::string(mark) + own;
      return shown;
    };
  return words;
}

std::vector<const Prose*> reasons_of(const Question& question, const Instance& instance, const QuestionView& answer) {
  std::vector<const Prose*> out;
  const auto add = [&out](const Prose& why) {
    if (!why.empty()) out.push_back(&why);
  };
  if (!question.options.empty()) {
    if (!answer.skipped) add(question.options[size_t(instance.order[size_t(answer.chosen)])].why);
    if (answer.skipped || !judge(question, instance, answer).right)
      for (size_t k = 0; k < question.options.size(); ++k)
        if (instance.right[k]) add(question.options[k].why);
  }
  add(question.why);
  return out;
}

}  // namespace tilewalk
