#include "app/session/lesson_moves.h"

#include "app/boards/board.h"
#include "app/gpu/run_plan.h"
#include "app/session/beat_stage.h"
#include "app/session/go_to.h"
#include "app/session/lent_stage.h"
#include "app/session/lesson_path.h"
#include "app/session/lesson_walk.h"
#include "app/session/playback.h"
#include "app/session/questions.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "core/io/number.h"
#include "core/io/trimmed.h"
#include "core/lesson/answer.h"
#include "core/lesson/proof.h"
#include "core/lesson/review_of_ten.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

// Only the GPU's tab is a lesson's to open: another one would take the text away from who reads it.
void show_tab_named(ViewState& view, std::string_view name) {
  if (name != "gpu" || view.tab == Tab::Gpu) return;
  view.tab = Tab::Gpu;
  view.page = 0;
}

void keep_free_walk(const Session& session, ViewState& view) {
  if (view.lesson.kept) return;
  view.lesson.kept = stage_now(session, view);
}

// What was answered stays until the lesson is opened again; what came back in it from another one does not, nor what
// is drawn or asked anew each time.
void put_answers_away(ViewState& view) {
  std::map<std::string, QuestionView> answers = std::exchange(view.lesson.questions, {});
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || lesson->review || view.present.on) return;
  std::erase_if(answers, [](const auto& answer) { return answer.first.find('/') != std::string::npos; });
  view.lesson.left[lesson->id] = std::move(answers);
}

void take_answers_out(const Lesson& lesson, ViewState& view) {
  if (view.present.on) return;
  if (auto left = view.lesson.left.extract(lesson.id)) view.lesson.questions = std::move(left.mapped());
}

// The first question that is open, by what is recorded too: what was answered in another run of the program is not on
// show any more. Where all are recorded they are asked once more.
int first_open(const ViewState& view, const Lesson& lesson) {
  const std::vector<AskedQuestion> questions = questions_on_show(view);
  const LessonRecord* record = view.present.on ? nullptr : record_of(view.lesson.progress, lesson.id);
  const auto asks = [&](const AskedQuestion& asked) { return !settled(view, asked); };
  const auto is_new = [&](const AskedQuestion& asked) {
    return asks(asked) && (!record || !record->answers.contains(asked.key));
  };
  auto first = std::ranges::find_if(questions, is_new);
  if (first == questions.end()) first = std::ranges::find_if(questions, asks);
  return int(std::min(first - questions.begin(), std::max<std::ptrdiff_t>(0, std::ssize(questions) - 1)));
}

void forget_lent(ViewState& view) {
  view.lesson.lent = view.lesson.lent_as = nullptr;
  view.lesson.broken = 0;
}

// The GPU tab shows what the lesson speaks of; where it says nothing, and without a lesson, the inputs on the stage.
void show_gpu_page(ViewState& view, const GpuPage& page) {
  const bool decode = kernel_named(page.kernel) == Method::SplitKv;
  const bool offered = decode ? std::ranges::find(kDecodeN, page.n) != kDecodeN.end()
                              : std::ranges::find(kBenchmarkN, page.n) != kBenchmarkN.end();
  const std::optional<Method> kernel = kernel_named(page.kernel);
  const bool backward = kernel && schedule_of(*kernel).backward();
  view.gpu.shape = !offered                   ? GpuShape::Stage
                   : decode                   ? GpuShape::Decode
                   : backward                 ? GpuShape::Backward
                   : kernel == Method::Fa3Fp8 ? GpuShape::Fp8
                                              : GpuShape::Benchmark;
  if (offered) (decode ? view.gpu.decode_n : view.gpu.benchmark_n) = page.n;
  view.gpu.with = Switch::None;
  view.gpu.group = 1;
  view.gpu.kernel_chosen = kernel.has_value();
  if (kernel) view.gpu.kernel = *kernel;
}

void clear_stage(ViewState& view) {
  view.playing = false;
  view.selection.clear();
  view.focus.clear();
  view.editing.clear();
  view.gpu.enlarged = false;
  view.lesson.review = false;
  view.lesson.fault_of.clear();
  view.lesson.lift = 1;
}

}  // namespace

std::shared_ptr<const Lesson> lesson_on_show(const ViewState& view) {
  return view.lesson.id.empty() ? nullptr : lesson_called(view.lesson, view.lesson.id);
}

const Beat* beat_on_show(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || lesson->beats.empty()) return nullptr;
  return &lesson->beats[size_t(std::clamp(view.lesson.beat, 0, int(lesson->beats.size()) - 1))];
}

bool open_lesson(Session& session, ViewState& view, std::string_view id, int beat) {
  leave_tool(view);
  if (view.lesson.id != id) view.lesson.ten = nullptr;  // a review is drawn from what was answered until now
  const std::shared_ptr<const Lesson> lesson = lesson_called(view.lesson, id);
  if (!lesson) return false;
  if (view.lesson.id != id) put_answers_away(view);
  if (lesson->review) view.lesson.ten = lesson;
  view.write.open = false;
  keep_free_walk(session, view);
  if (view.lesson.id != id) {
    take_answers_out(*lesson, view);
    view.lesson.cache = std::make_shared<LessonCache>();
  }
  if (view.lesson.id != id) show_gpu_page(view, lesson->gpu);
  view.lesson.id = lesson->id;
  view.lesson.beat = -1;
  // Other numbers than where the question was asked first.
  if (lesson->review)
    for (const Beat& each : lesson->beats)
      for (const Question& question : each.questions)
        if (!question.vary.empty()) {
          uint64_t& seed = view.lesson.questions.try_emplace(question.id).first->second.seed;
          seed = seed_of_other_numbers(question, std::string_view(question.id).substr(question.id.rfind('/') + 1),
                                       seed + 1);
        }
  const LessonRecord* record = record_of(view.lesson.progress, lesson->id);
  if (beat < 0) beat = record && !record->done ? record->beat : 0;
  view.tab = Tab::Lesson;
  // Whether it floats is told by what was on the stage before, which may have been Write.
  view.column_open = true;
  view.column_over = view.column_floats;
  view.rail_over = false;
  view.lesson.rail_shows = true;
  show_beat(session, view, beat);
  return true;
}

bool open_lesson_numbered(Session& session, ViewState& view, int number, int beat) {
  const std::shared_ptr<const Lesson> lesson =
      view.lesson.course ? view.lesson.course->lesson_numbered(number) : nullptr;
  return lesson && open_lesson(session, view, lesson->id, beat);
}

void open_free_walk(Session& session, ViewState& view) {
  leave_tool(view);
  view.write.open = false;
  clear_stage(view);
  put_answers_away(view);
  view.lesson.id.clear();
  view.lesson.beat = view.lesson.question = 0;
  forget_lent(view);
  show_gpu_page(view, {});
  view.rail_over = false;
  if (view.tab == Tab::Lesson) view.tab = Tab::Explain;
  if (const std::shared_ptr<const KeptStage> kept = std::exchange(view.lesson.kept, nullptr)) {
    if (const std::vector<Fault> faults = session.change(kept->setup, kept->inputs); !faults.empty())
      view.notice = faults.front().message;
    view.board = kept->board;
    view.row = kept->row;
    seek(session.walk(), view, kept->playhead);
  }
}

void show_beat(Session& session, ViewState& view, int beat) {
  leave_tool(view);
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || lesson->beats.empty()) return;
  beat = std::clamp(beat, 0, int(lesson->beats.size()) - 1);
  // A question's own stage is not the learner's, and does not go on with them.
  const auto own_stage = [](const Question& question) { return question.stage.line != 0; };
  const bool forward = view.lesson.beat >= 0 && beat == view.lesson.beat + 1 && !lesson->review &&
                       std::ranges::none_of(lesson->beats[size_t(view.lesson.beat)].questions, own_stage);
  put_back_stage(session, view);
  clear_stage(view);
  view.lesson.beat = beat;
  view.lesson.question = 0;
  view.lesson.scroll = view.lesson.board_scroll = 0;
  view.tab = Tab::Lesson;
  const Folded wanted = fold(*lesson, beat);
  view.lesson.put = stage_of(wanted);
  const std::string fault = put_on_stage(session, view, wanted, lesson->beats[size_t(beat)].stage, forward);
  view.selection = wanted.focus;
  show_tab_named(view, wanted.tab);
  view.notice = fault;
  view.lesson.question = first_open(view, *lesson);
  cover_board(view);
  put_question(session, view);
  note_visit(view, *lesson);
}

void put_question(Session& session, ViewState& view) {
  put_back_stage(session, view);
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || settled(view, asked)) return;
  const BeatStage& put = view.lesson.put;
  if (view.board.board != put.board.board) view.board = put.board;  // another question's stage
  view.board.knobs = put.board.knobs;
  view.board.show = put.board.show;
  if (!put.board.board.empty() && !put.seek.empty()) place_stage(session, view, put.seek, {});
  if (asked.question->stage.line != 0 && !asked.returns)  // what comes back was asked on another stage
    if (std::string fault =
            apply_setting(session, view, stage_of(*asked.question, instance_on_show(asked, session, view)));
        !fault.empty())
      view.notice = std::move(fault);
  cover_board(view);
}

std::optional<std::string> go_to_lesson(std::string_view words, Session& session, ViewState& view) {
  words = trimmed(words, " ");
  const bool named = words.starts_with("lesson ");
  if (named) words.remove_prefix(7);
  const size_t dot = std::min(words.rfind('.'), words.size());
  const std::string_view name = words.substr(0, dot), last = words.substr(dot);
  const std::optional<int> number = number_of<int>(name),
                           beat = last.empty() ? std::optional(1) : number_of<int>(last.substr(1));
  std::shared_ptr<const Lesson> lesson;
  if (const int after = review_worded(name, view.lesson); after && !named)
    lesson = lesson_called(view.lesson, review_id(after));
  else if (view.lesson.course)
    lesson = number ? view.lesson.course->lesson_numbered(*number) : relative_called(name, *view.lesson.course);
  if (!named && (number ? last.empty() : !lesson)) {  // a step, or what happens
    if (view.board.board.empty()) return std::nullopt;
    const int steps = board_steps(session, view);
    if (steps == 0) return "This stage has no steps to go to. Type a lesson and its beat, such as 6.3.";
    if (!number || *number < 0 || *number > steps)
      return fmt::format("Type a step from 0 to {}, or a lesson and its beat, such as 6.3.", steps);
    seek_board(session, view, *number);
    return std::string();
  }
  if (!beat || (!number && !lesson)) return "Type a lesson and its beat, such as 6.3.";
  if (!lesson) return fmt::format("There is no lesson {}.", *number);
  const int beats = int(lesson->beats.size());
  if (*beat < 1 || *beat > beats) return fmt::format("{} has beats 1 to {}.", lesson_words(*lesson), beats);
  open_lesson(session, view, lesson->id, *beat - 1);
  return std::string();
}

std::string apply_setting(Session& session, ViewState& view, const StageSetting& s) {
  std::string fault;
  if (!s.stage.empty() && s.stage != kWalkStage && s.stage != view.board.board) {
    if (!board_named(s.stage)) return fmt::format("There is no stage called \"{}\".", s.stage);
    view.board = {};
    view.board.board = s.stage;
  }
  if (s.stage == kWalkStage || !s.walk.empty()) view.board = {};
  if (!s.walk.empty() || !s.fault.empty()) {
    WalkWords words = walk_of_beat(view);
    for (const auto& [word, text] : s.walk) words[word] = text;
    words["fault"] = s.fault;
    bool changed = false;
    const std::vector<Step> before = session.walk().replay.steps();
    fault = set_walk(words, session, view, changed);
    if (changed && before != session.walk().replay.steps()) seek(session.walk(), view, 0);
  }
  put_knobs(s, view.board);
  if (fault.empty()) fault = place_stage(session, view, s.seek, s.play);
  if (s.row > 0) view.row = std::clamp<int64_t>(s.row - 1, 0, session.problem().n_q - 1);
  if (!s.focus.empty()) view.selection = s.focus;
  show_tab_named(view, s.tab);
  return fault;
}

std::string stage_of_beat(const Lesson& lesson, int beat) { return fold(lesson, beat).stage; }

WalkWords walk_of_beat(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  return lesson ? fold(*lesson, std::max(0, view.lesson.beat)).walk : WalkWords{};
}

BoardState board_of_beat(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  return lesson ? fold(*lesson, std::max(0, view.lesson.beat)).board : BoardState{};
}

std::string code_of_beat(const ViewState& view, int n) {
  const Beat* beat = beat_on_show(view);
  if (beat)
    for (const Prose* prose : {&beat->text, &beat->kernel})
      for (const Block& block : *prose)
        if (block.kind == Block::Kind::Code && n-- == 0) return block.code;
  return {};
}

void settle_lesson(Session& session, ViewState& view) {
  if (view.lesson.cache) *view.lesson.cache = {};
  if (view.lesson.id.empty()) return;
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return open_free_walk(session, view);
  const int beat = std::clamp(view.lesson.beat, 0, int(lesson->beats.size()) - 1);
  const Folded wanted = fold(*lesson, beat);
  if (beat == view.lesson.beat && stage_of(wanted) == view.lesson.put) {  // only words have changed
    const int asked = int(questions_on_show(view).size());
    view.lesson.question = std::clamp(view.lesson.question, 0, std::max(0, asked - 1));
    cover_board(view);
    return;
  }
  // What the person has turned stays turned.
  const BoardState turned = view.board, put = view.lesson.put.board;
  const float scroll = view.lesson.scroll;
  view.lesson.beat = -1;
  show_beat(session, view, beat);
  view.lesson.scroll = scroll;
  if (turned.board != view.board.board) return;
  for (const auto& [id, value] : turned.knobs)
    if (const auto was = put.knobs.find(id); was == put.knobs.end() || was->second != value)
      view.board.knobs[id] = value;
}

bool can_continue(const Session&, const ViewState& view) {
  if (beat_on_show(view)) return true;
  const AskedQuestion asked = view.lesson.review ? asked_now(view) : AskedQuestion{};
  return asked.question && !settled(view, asked);
}

void drop_lesson(ViewState& view) {
  leave_tool(view);
  if (view.lesson.id.empty() && view.board.board.empty() && !view.lesson.review) return;
  view.lesson.kept = nullptr;
  forget_lent(view);
  put_answers_away(view);
  view.lesson.id.clear();
  view.board = {};
  view.lesson.review = false;
  if (view.tab == Tab::Lesson) view.tab = Tab::Explain;
}

bool leads_to_estimate(const Lesson& lesson) { return lesson.review == kReviewsAfter.back(); }

void continue_lesson(Session& session, ViewState& view) {
  if (view.lesson.review) {
    const AskedQuestion open = asked_now(view);
    if (!open.question || settled(view, open))
      view.lesson.review = false;
    else
      lock_answer(session, view);
    return;
  }
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return;
  const AskedQuestion asked = asked_now(view);
  if (asked.question && !settled(view, asked)) {
    // Nothing is locked out of sight.
    if (view.tab == Tab::Lesson)
      lock_answer(session, view);
    else
      view.tab = Tab::Lesson;
    return;
  }
  if (view.lesson.question + 1 < int(questions_on_show(view).size())) {
    ++view.lesson.question;
    view.lesson.scroll = 0;
    view.tab = Tab::Lesson;
    view.lesson.lift = 1;
    put_question(session, view);
    return;
  }
  if (view.lesson.beat + 1 < int(lesson->beats.size())) return show_beat(session, view, view.lesson.beat + 1);
  if (const auto after = lesson_behind(view.lesson, *lesson)) {
    open_lesson(session, view, after->id);
  } else if (leads_to_estimate(*lesson)) {
    open_tool(view, "estimate");
  } else {
    clear_stage(view);
    view.lesson.review = true;  // the path, or the row of relatives, ends with what can be asked again
  }
}

std::string continue_words(const Session&, const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return {};
  const AskedQuestion asked = asked_now(view);
  const bool open = asked.question && !settled(view, asked);
  if (view.lesson.review) return open ? "Lock answer" : "To the lesson";
  if (open) return view.tab == Tab::Lesson ? "Lock answer" : "To the question";
  if (view.lesson.question + 1 < int(questions_on_show(view).size())) return "Next question";
  if (view.lesson.beat + 1 < int(lesson->beats.size())) return "Next";
  const auto after = lesson_behind(view.lesson, *lesson);
  if (!after && leads_to_estimate(*lesson)) return "Your model";
  return !after ? "Review" : after->review ? after->brief : lesson_words(*after);
}

}  // namespace tilewalk
