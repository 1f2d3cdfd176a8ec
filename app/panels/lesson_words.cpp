// What the quantities and links of a lesson's text say: the number in its format, and where it comes from.
#include "app/panels/lesson_parts.h"
#include "app/panels/number_tip.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_names.h"
#include "app/session/lesson_path.h"
#include "core/lesson/glossary.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

std::string tip_of_link(std::string_view target, const Lesson&, const ViewState& view) {
  const size_t colon = target.find(':');
  const std::string_view kind = target.substr(0, colon),
                         rest = colon == std::string_view::npos ? "" : target.substr(colon + 1);
  if (kind == "step") {
    const auto step = step_named(rest);
    return step ? fmt::format("{}: {} Click to go to the next one.", info_of(*step).name, info_of(*step).meaning)
                : std::string(rest);
  }
  if (kind == "lesson" && view.lesson.course)
    for (const CourseEntry& entry : view.lesson.course->entries())
      if (entry.lesson && (entry.lesson->id == rest || std::to_string(entry.lesson->number) == rest))
        return fmt::format("{}: {}", lesson_words(*entry.lesson), entry.lesson->title);
  if (kind == "https" || kind == "http") return fmt::format("{} (click to copy)", target);
  if (kind == "term") {
    const Term* term = term_named(rest);
    return term ? fmt::format("{}: {}", term->name, term->meaning) : std::string(rest);
  }
  return "Lights up on the stage";
}

}  // namespace

std::string_view mark_of(Origin origin) {
  return origin == Origin::Recorded ? "◆ " : origin == Origin::Published ? "◇ " : "";
}

ProseWords words_of(const Lesson& of, const Instance* instance, std::string about, const Session& session,
                    const ViewState& view) {
  // What a review says is said with the names of the lesson that the beat is from.
  const Beat* beat = of.review ? beat_on_show(view) : nullptr;
  const Lesson& lesson = beat && beat->home ? *beat->home : of;
  ProseWords words;
  words.quantity = [&lesson, instance, about, &session, &view](const Span& span) -> ProseWords::Shown {
    const Evaluated value = value_of(span.text, lesson, instance, about, session, view);
    if (!value.quantity) return {"?", fmt::format("{}: {}", span.text, value.fault), true};
    const auto text = format_quantity(*value.quantity, span.format);
    if (!text) return {"?", fmt::format("There is no format called \"{}\".", span.format), true};
    const Worth worth = [&](std::string_view operand) {
      return value_of(operand, lesson, instance, about, session, view);
    };
    return {std::string(mark_of(value.quantity->origin)) + *text,
            number_tip(span.text, *text, *value.quantity, lesson, worth)};
  };
  words.link_tip = [&lesson, &view](std::string_view target) { return tip_of_link(target, lesson, view); };
  return words;
}

std::string_view title_of(BeatKind kind) {
  switch (kind) {
    case BeatKind::Hook: return "The question";
    case BeatKind::Explore: return "Explore";
    case BeatKind::Predict: return "Predict";
    case BeatKind::Reveal: return "Reveal";
    case BeatKind::Break: return "Break it";
    case BeatKind::Check: return "Check";
    case BeatKind::Compute: return "What you can now compute";
  }
  return "";
}

bool ends_lesson(const ViewState& view, const Lesson& lesson) {
  return view.lesson.beat + 1 >= int(lesson.beats.size()) && view.lesson.course;
}

namespace {

// How the ten went: "Seven of ten right, two wrong, one skipped."
std::string result_of(const ViewState& view, const Lesson& ten) {
  const LessonRecord* record = record_of(view.lesson.progress, ten.id);
  int right = 0, wrong = 0;
  const int all = int(ten.beats.size());
  for (const Beat& beat : ten.beats)
    for (const Question& question : beat.questions) {
      if (!record) continue;
      const auto answer = record->answers.find(question.id);
      if (answer != record->answers.end()) ++(answer->second.right ? right : wrong);
    }
  std::string out = fmt::format("{} of {} right", right, all);
  if (wrong > 0) out += fmt::format(", {} wrong", wrong);
  if (right + wrong < all) out += fmt::format(", {} skipped", all - right - wrong);
  return out + (wrong > 0 ? ". What went wrong comes again in the next review, and in Review (V) at once." : ".");
}

}  // namespace

std::string past_review_words(const ViewState& view, const Lesson& lesson) {
  if (!ends_lesson(view, lesson)) return {};
  const AskedQuestion asked = asked_now(view);
  if (asked.question && !settled(view, asked)) return {};
  const auto behind = lesson_behind(view.lesson, lesson);
  if (!behind || !behind->review) return {};
  const auto after = lesson_after(lesson, *view.lesson.course, way_chosen(view.lesson));
  return after ? lesson_words(*after) : std::string();
}

std::string lesson_past_review(const ViewState& view) {
  const auto lesson = lesson_on_show(view);
  const auto after = lesson ? lesson_after(*lesson, *view.lesson.course, way_chosen(view.lesson)) : nullptr;
  return after ? fmt::format("lesson:{}", after->number) : std::string();
}

std::string thread_words(const ViewState& view, const Lesson& lesson) {
  const AskedQuestion asked = asked_now(view);
  if (!ends_lesson(view, lesson) || (asked.question && !settled(view, asked))) return {};
  const auto after = lesson_after(lesson, *view.lesson.course, way_chosen(view.lesson));
  if (lesson.prologue)
    return after ? fmt::format("{} is next: {} ({:.0f} minutes).", lesson_words(*after), after->title, after->minutes)
                 : std::string();
  if (lesson.review)
    return result_of(view, lesson) +
           (leads_to_estimate(lesson)
                ? " Now say what FlashAttention wins for your own model: Estimate does it too, to compare."
                : "");
  std::string words =
      fmt::format("That was {}.", lesson.number > 0 ? fmt::format("lesson {}", lesson.number) : lesson.brief);
  if (after && lesson.number > 0)
    words += fmt::format(" One a day is a good pace; lesson {} is next: {} ({:.0f} minutes).", after->number,
                         after->title, after->minutes);
  else if (after)
    words += fmt::format(" Another relative: {}.", after->title);
  else
    words = lesson.number > 0 ? "That was the last lesson of the path." : "That was the last of the relatives.";
  if (const auto behind = lesson_behind(view.lesson, lesson); behind && behind->review)
    words += fmt::format(" First, if you like, ten questions on lessons 1 to {}: none is counted against you.",
                         lesson.number);
  const LessonRecord* record = record_of(view.lesson.progress, lesson.id);
  if (record && !record->done) {
    const int open = open_checks(lesson, *record);
    words += fmt::format(" It is ticked once each question of its check has an answer; {} open still.",
                         open == 1 ? "one is" : fmt::format("{} are", open));
  }
  return words;
}

}  // namespace tilewalk
