#include "core/lesson/check_paper.h"

#include "core/io/printable.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>

namespace tilewalk {

std::vector<LessonFault> check_paper(const Lesson& lesson) {
  std::vector<LessonFault> faults;
  if (lesson.number < 1 && !lesson.prologue) return faults;
  const auto look = [&](const Prose& prose) {
    for (const Block& block : prose)
      if (const std::string told = unmarked_control(block); !told.empty())
        faults.push_back(
            {lesson.file, block.line,
             fmt::format("{} speaks of what paper has not; write [[...]] around it, or say it so that it holds there.",
                         in_quotes(told, 60))});
  };
  for (const Beat& beat : lesson.beats) {
    look(beat.text);
    look(beat.kernel);
    look(beat.explain);
    for (const Question* question : all_questions_of(beat)) {
      look(question->text);
      look(question->why);
      for (const AnswerOption& option : question->options) look(option.text), look(option.why);
    }
    if (const std::string words = unfit_for_speaking(beat.note); !words.empty())
      faults.push_back({lesson.file, beat.line,
                        fmt::format("the note says {}, which does not hold while one presents; say it by its name.",
                                    in_quotes(words, 40))});
  }
  return faults;
}

}  // namespace tilewalk
