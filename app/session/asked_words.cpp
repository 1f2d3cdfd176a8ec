#include "app/session/asked_words.h"

#include "app/session/lesson_names.h"
#include "core/io/printable.h"
#include "core/lesson/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tilewalk {
namespace {

// At most so many bytes, whole characters.
std::string bounded(std::string words) {
  if (words.size() <= kMostAskedWords) return words;
  constexpr std::string_view kMore = "…";
  size_t end = 0;
  for (size_t next = 0;
       end + (next = utf8_length(std::string_view(words).substr(end))) <= kMostAskedWords - kMore.size(); end += next)
    if (next == 0) break;
  return words.substr(0, end).append(kMore);
}

std::string words_of(const Prose& prose, const AskedQuestion& asked, const Instance& instance, const Session& session,
                     const ViewState& view) {
  // Values are kept by what they are asked for; those of a class are apart from the learner's own.
  const std::string about = fmt::format("class/{}#{}", asked.key, question_view(view, asked).seed);
  std::string out;
  const auto add = [&](const std::vector<Span>& spans) {
    for (const Span& span : spans)
      if (span.kind == Span::Kind::Quantity) {
        const Evaluated value = value_of(span.text, *asked.lesson, &instance, about, session, view);
        out += value.quantity ? format_quantity(*value.quantity, span.format).value_or("?") : "?";
      } else {
        out += span.kind == Span::Kind::Break ? " " : span.text;
      }
  };
  for (const Block& block : prose) {
    if (!out.empty()) out += ' ';
    out += block.code;
    add(block.spans);
    for (const auto& row : block.rows)
      for (const auto& cell : row) add(cell), out += ' ';
  }
  std::ranges::replace(out, '\n', ' ');
  return bounded(printable(out));
}

}  // namespace

void say_as_asked(PollAsked& poll, const AskedQuestion& asked, const Instance& instance, const Session& session,
                  const ViewState& view) {
  const Question& question = *asked.question;
  poll.words = words_of(question.text, asked, instance, session, view);
  for (const AnswerOption& option : question.options)
    poll.said.push_back(words_of(option.text, asked, instance, session, view));
  if (instance.order.size() == question.options.size()) poll.order = instance.order;
  if (!question.options.empty()) return;
  poll.one_unit = typed_number("1", question);
  if (!instance.answer) return;
  const auto own = answer_in_unit(instance.answer->value, question);
  poll.answer_words = bounded(own ? *own : format_quantity(*instance.answer, question.format).value_or(""));
}

}  // namespace tilewalk
