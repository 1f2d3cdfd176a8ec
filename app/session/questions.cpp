#include "app/session/questions.h"

#include "app/boards/board.h"
#include "app/session/class_moves.h"
#include "app/session/lent_stage.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_names.h"
#include "app/session/lesson_path.h"
#include "app/session/review.h"
#include "core/lesson/proof.h"
#include "core/quantity/closeness.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr int kReturnsAfter = 3;  // lessons

bool names_stage(std::string_view expression) {
  return expression.find("stage.") != std::string_view::npos || expression.find("knob.") != std::string_view::npos;
}
bool names_stage(const Prose& prose) {
  return std::ranges::any_of(prose, [](const Block& block) {
    return std::ranges::any_of(
        block.spans, [](const Span& span) { return span.kind == Span::Kind::Quantity && names_stage(span.text); });
  });
}
// A question about what stands on its stage cannot be asked on another one.
bool needs_its_stage(const Question& question) {
  return names_stage(question.answer) || names_stage(question.text) || names_stage(question.why) ||
         std::ranges::any_of(question.options, [](const AnswerOption& option) {
           return names_stage(option.right) || names_stage(option.text) || names_stage(option.why);
         });
}

// Questions of the lesson three before this one whose first answer was wrong and that have not come back yet.
void add_returning(const ViewState& view, const Lesson& lesson, std::vector<AskedQuestion>& out) {
  if (!view.lesson.course || lesson.number <= kReturnsAfter) return;
  const std::shared_ptr<const Lesson> before = view.lesson.course->lesson_numbered(lesson.number - kReturnsAfter);
  const LessonRecord* record = before ? record_of(view.lesson.progress, before->id) : nullptr;
  if (!record) return;
  const LessonRecord* here = record_of(view.lesson.progress, lesson.id);
  for (const Beat& beat : before->beats)
    for (const Question& question : beat.questions) {
      const auto answer = record->answers.find(question.id);
      if (answer == record->answers.end() || answer->second.right || needs_its_stage(question)) continue;
      AskedQuestion asked{before, &question, before->id + "/" + question.id, true};
      const bool on_show = view.lesson.questions.contains(asked.key);
      if (on_show || !here || !here->answers.contains(asked.key)) out.push_back(std::move(asked));
    }
}

bool first_check(const Lesson& lesson, int beat) {
  for (int k = 0; k < int(lesson.beats.size()); ++k)
    if (lesson.beats[size_t(k)].kind == BeatKind::Check) return k == beat;
  return false;
}

QuestionView& view_of(ViewState& view, const AskedQuestion& asked) { return view.lesson.questions[asked.key]; }

// The record that an answer goes into: of the lesson that asks, which is not always the question's own.
AnswerRecord& answer_record(ViewState& view, const AskedQuestion& asked) {
  if (view.lesson.review) return view.lesson.progress.lessons[asked.lesson->id].answers[asked.question->id];
  const std::string& lesson = view.lesson.id.empty() ? asked.lesson->id : view.lesson.id;
  return view.lesson.progress.lessons[lesson].answers[asked.key];
}

void note_answer(ViewState& view, const AskedQuestion& asked, const Judged& judged, bool sure) {
  AnswerRecord& record = answer_record(view, asked);
  if (record.attempts == 0) record = {judged.first, judged.right, judged.score, sure, 0, view.lesson.now};
  ++record.attempts;
  view.lesson.progress_changed = true;
  if (const auto lesson = lesson_on_show(view); lesson && !view.lesson.review) note_visit(view, *lesson);
}

// What a question, once it is locked or skipped, uncovers and sets.
void show_reasons(Session& session, ViewState& view, const AskedQuestion& asked) {
  view.focus.clear();
  view.editing.clear();
  if (view.lesson.review) return;  // the stage has no room for a proof
  view.lesson.lifting = view.board.covered;
  cover_board(view);
  view.lesson.lift = view.reduced_motion || view.lesson.lifting.empty() ? 1.0f : 0.0f;
  view.lesson.scroll = kScrollToQuestion;
  const StageSetting& proof = asked.question->proof;
  if (proof.line == 0 || asked.returns) return;  // what comes back was asked on another stage
  const StageSetting shown = proof_of(*asked.question, instance_on_show(asked, session, view));
  if (std::string fault = lend_stage(session, view, shown); !fault.empty()) view.notice = std::move(fault);
}

}  // namespace

std::vector<AskedQuestion> questions_on_show(const ViewState& view) {
  std::vector<AskedQuestion> out;
  if (view.lesson.review) {
    if (AskedQuestion open = question_in_review(view); open.question) out.push_back(std::move(open));
    return out;
  }
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const Beat* beat = beat_on_show(view);
  if (!beat) return out;
  if (first_check(*lesson, view.lesson.beat)) add_returning(view, *lesson, out);
  for (const Question& question : beat->questions)
    out.push_back({beat->home ? beat->home : lesson, &question, question.id, false});
  return out;
}

AskedQuestion asked_now(const ViewState& view) {
  const std::vector<AskedQuestion> all = questions_on_show(view);
  if (all.empty()) return {};
  return all[size_t(std::clamp(view.lesson.question, 0, int(all.size()) - 1))];
}

const QuestionView& question_view(const ViewState& view, const AskedQuestion& asked) {
  static const QuestionView kFresh{};
  const auto found = view.lesson.questions.find(asked.key);
  return found == view.lesson.questions.end() ? kFresh : found->second;
}

Instance instance_on_show(const AskedQuestion& asked, const Session& session, const ViewState& view) {
  return instance_now(*asked.lesson, *asked.question, question_view(view, asked).seed, session, view);
}

std::string no_number_words(std::string_view typed) {
  return fmt::format("\"{}\" is no number; type one such as 66.9, 1e3 or 2^20.", typed);
}

bool settled(const QuestionView& answer) { return answer.locked || answer.skipped; }
bool settled(const ViewState& view, const AskedQuestion& asked) { return settled(question_view(view, asked)); }

void choose_option(ViewState& view, int place) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || place < 0 || place >= int(asked.question->options.size())) return;
  QuestionView& now = view_of(view, asked);
  if (settled(view, asked)) return;
  now.chosen = place;
  now.fault.clear();
}

void toggle_sure(ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question) return;
  QuestionView& now = view_of(view, asked);
  if (!settled(view, asked)) now.sure = !now.sure;
}

Judged judge(const Question& question, const Instance& instance, const QuestionView& answer) {
  Judged out;
  if (!question.options.empty()) {
    const size_t place = size_t(std::max(0, answer.chosen));
    if (place >= instance.order.size()) return out;
    const int option = instance.order[place];
    out.right = instance.right[size_t(option)];
    out.score = out.right ? 100 : 0;
    out.first = fmt::format("{}", option + 1);
    return out;
  }
  if (!instance.answer) return out;
  const std::optional<double> typed = typed_number(answer.typed, question, instance.answer->value);
  if (!typed) return out;
  out.score = score_of(*typed, instance.answer->value, question.exact);
  out.right = out.score >= 80;
  out.first = answer.typed;
  out.words = score_words(*typed, instance.answer->value, question.unit);
  return out;
}

namespace {

// What the class is being asked is answered there, and its answer comes when all are told.
bool ask_in_class(ViewState& view, const AskedQuestion& asked) {
  if (!class_asks(view, asked)) return false;
  view.over = ClassCard{};
  return true;
}

}  // namespace

bool lock_answer(Session& session, ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || ask_in_class(view, asked)) return false;
  QuestionView& now = view_of(view, asked);
  if (settled(view, asked)) return false;  // who skipped has seen the answer
  const Question& question = *asked.question;
  if (!question.options.empty() && now.chosen < 0) {
    now.fault = "Choose an answer first, or press Skip (S).";
    return false;
  }
  if (question.options.empty() && !typed_number(now.typed, question)) {
    now.fault = now.typed.empty() ? "Enter a number first, or press Skip." : no_number_words(now.typed);
    return false;
  }
  const Instance instance = instance_on_show(asked, session, view);
  if (!instance.fault.empty()) {
    now.fault = instance.fault;
    return false;
  }
  now.fault.clear();
  now.locked = true;
  note_answer(view, asked, judge(question, instance, now), now.sure);
  show_reasons(session, view, asked);
  return true;
}

void skip_question(Session& session, ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || settled(view, asked) || ask_in_class(view, asked)) return;
  QuestionView& now = view_of(view, asked);
  now.skipped = true;
  now.fault.clear();
  if (!view.lesson.review) view.tab = Tab::Lesson;
  show_reasons(session, view, asked);
}

void another_question(Session& session, ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || !settled(view, asked)) return;
  QuestionView& now = view_of(view, asked);
  // The next seed that gives other numbers; where nothing varies, the options change places.
  const Instance before = instance_on_show(asked, session, view);
  const auto differs = [&](const Instance& instance) {
    for (const auto& [name, quantity] : instance.variables) {
      const auto old = before.variables.find(name);
      if (old == before.variables.end() || old->second.value != quantity.value) return true;
    }
    return asked.question->vary.empty() && instance.order != before.order;
  };
  uint64_t seed = now.seed;
  for (int tries = 0; tries < 32; ++tries)
    if (differs(instance_now(*asked.lesson, *asked.question, ++seed, session, view))) break;
  now = {};
  now.seed = seed;
  if (view.lesson.review) return;
  view.lesson.lift = 1;
  view.lesson.scroll = 0;
  put_question(session, view);
}

std::vector<std::string> covered_readings(const ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  const Beat* beat = view.lesson.review ? nullptr : beat_on_show(view);
  std::vector<std::string> out;
  if (beat) out = beat->stage.cover;
  if (!asked.question) return out;
  const std::vector<std::string>& own = asked.question->cover;
  const bool open = !settled(view, asked);
  if (open) out.insert(out.end(), own.begin(), own.end());
  // Nor may the stage answer what is asked after this one; but what this one's answer shows is shown, unless it was
  // asked on another stage.
  for (const AskedQuestion& later : questions_on_show(view)) {
    if (later.key == asked.key || settled(view, later)) continue;
    for (const std::string& reading : later.question->cover)
      if (open || asked.returns || std::ranges::find(own, reading) == own.end()) out.push_back(reading);
  }
  return out;
}

std::vector<std::string> locked_knobs(const ViewState& view) {
  std::vector<std::string> out;
  const Board* board = board_named(view.board.board);
  const AskedQuestion asked = asked_now(view);
  if (!board || !asked.question || view.lesson.review) return out;
  if (view.present.on && !view.present.question) return out;  // who presents turns what they like until they ask
  const auto turned = [&](const Question& question) {
    std::vector<std::string> ids = question.lock;
    if (!question.proof.stage.empty() && question.proof.stage != board->id) return ids;
    for (const auto& [id, text] : question.proof.knobs) {
      if (const auto set = question.stage.knobs.find(id); set != question.stage.knobs.end()) {
        if (set->second != text) ids.push_back(id);
        continue;
      }
      const auto knob = std::ranges::find(board->knobs, id, &Knob::id);
      if (knob == board->knobs.end()) continue;
      if (knob_value_of(*knob, text) != knob_value(*board, view.lesson.put.board, id)) ids.push_back(id);
    }
    return ids;
  };
  const bool open = !settled(view, asked);
  const std::vector<std::string> own = asked.returns ? std::vector<std::string>{} : turned(*asked.question);
  if (open) out = own;
  for (const AskedQuestion& later : questions_on_show(view)) {
    if (later.key == asked.key || later.returns || settled(view, later)) continue;
    for (std::string& id : turned(*later.question))
      if (open || std::ranges::find(own, id) == own.end()) out.push_back(std::move(id));
  }
  return out;
}

void cover_board(ViewState& view) {
  view.board.covered = covered_readings(view);
  view.board.locked = locked_knobs(view);
}

}  // namespace tilewalk
