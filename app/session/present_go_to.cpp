// Where G leads in front of a room.
#include "app/session/present_moves.h"

#include "app/session/go_to.h"
#include "app/session/lesson_path.h"
#include "core/io/number.h"
#include "core/io/trimmed.h"
#include "core/lesson/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilewalk {

std::string present_go_to(std::string_view words, Session& session, ViewState& view) {
  words = trimmed(words);
  if (words.starts_with("lesson ")) words = trimmed(words.substr(7));
  const size_t dot = words.find('.');
  const auto number = number_of<int>(words.substr(0, dot));
  const std::string_view after = dot == std::string_view::npos ? std::string_view{} : words.substr(dot + 1);
  const auto beat = after.empty() ? std::optional(1) : after == "end" ? std::optional(100) : number_of<int>(after);
  if (!number || !beat) {
    std::string fault = view.board.board.empty() ? go_to(words, session, view)
                                                 : "Type a lesson or a beat by its title or number: 6 or 6.3.";
    if (fault.empty()) return fault;
    auto [titled, at] = std::pair(view.lesson.course ? lesson_in_rail(words, *view.lesson.course) : nullptr, 0);
    if (const Term* term = titled ? nullptr : term_named(words))
      return view.over = WordSheet{term->name, 0}, std::string();
    if (!view.lesson.course) return fault;
    if (!titled) titled = lesson_titled(words, *view.lesson.course);
    if (!titled) std::tie(titled, at) = beat_titled(words, *view.lesson.course);
    if (!titled) return fault;
    present_lesson(session, view, *titled, at);
    return {};
  }
  const auto lesson = view.lesson.course ? view.lesson.course->lesson_numbered(*number) : nullptr;
  if (!lesson) return fmt::format("There is no lesson {}.", *number);
  const int beats = int(lesson->beats.size());
  if (*beat < 1 || (*beat > beats && after != "end"))
    return fmt::format("Lesson {} has beats 1 to {}.", *number, beats);
  present_lesson(session, view, *lesson, std::min(*beat, beats) - 1);
  return {};
}

}  // namespace tilewalk
