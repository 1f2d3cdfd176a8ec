#include "app/session/review.h"

#include "app/session/lesson_path.h"

#include <algorithm>

namespace tilewalk {
namespace {

void note_card(ViewState& view, std::string_view id, bool knew) {
  AnswerRecord& record = view.lesson.progress.lessons[std::string(kReviewRecord)].answers[std::string(id)];
  if (record.attempts == 0) record = {knew ? "knew" : "not yet", knew, knew ? 100 : 0, false, 0, view.lesson.now};
  record.right = knew;
  record.score = knew ? 100 : 0;
  ++record.attempts;
  view.lesson.progress_changed = true;
  view.lesson.about.open.clear();
}

}  // namespace

std::vector<const ReviewCard*> cards_on_show(const ViewState& view) {
  const ReviewView& about = view.lesson.about;
  const bool interview = about.kind == name_of(CardKind::Interview);
  const CardFilter filter{about.kind, interview ? about.level : "", interview ? about.at : ""};
  std::vector<const ReviewCard*> out;
  for (const ReviewCard& card : review_cards())
    if (passes(card, filter)) out.push_back(&card);
  return out;
}

std::vector<AskedQuestion> all_questions(const ViewState& view) {
  std::vector<AskedQuestion> out;
  if (!view.lesson.course) return out;
  for (const CourseEntry& entry : view.lesson.course->entries()) {
    if (!entry.lesson) continue;
    for (const Beat& beat : entry.lesson->beats)
      for (const Question* question : all_questions_of(beat))
        out.push_back({entry.lesson, question, entry.lesson->id + "/" + question->id, false});
  }
  return out;
}

AskedQuestion question_in_review(const ViewState& view) {
  if (view.lesson.about.kind != "lessons" || view.lesson.about.open.empty()) return {};
  for (AskedQuestion& asked : all_questions(view))
    if (asked.key == view.lesson.about.open) return asked;
  return {};
}

bool review_click(std::string_view what, ViewState& view) {
  ReviewView& about = view.lesson.about;
  const std::string_view verb = what.substr(0, what.find('/')),
                         rest = what.substr(std::min(what.size(), verb.size() + 1));
  if (verb == "kind") {
    about = {};
    about.kind = rest;
  } else if (verb == "level" || verb == "at") {
    std::string& filter = verb == "level" ? about.level : about.at;
    filter = filter == rest ? std::string() : std::string(rest);
    about.open.clear();
    about.scroll = 0;
  } else if (verb == "open") {
    about.open = about.open == rest ? std::string() : std::string(rest);
    view.editing.clear();
  } else if (verb == "knew" || verb == "again") {
    note_card(view, rest, verb == "knew");
  }
  return true;
}

}  // namespace tilewalk
