#include "app/session/lesson_moves.h"

#include "app/boards/board.h"
#include "app/session/go_to.h"
#include "app/session/lesson_path.h"
#include "app/session/lesson_walk.h"
#include "app/session/playback.h"
#include "app/session/questions.h"
#include "app/session/tools.h"
#include "app/session/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilewalk {
namespace {

// What the beats up to one make of the stage.
struct Folded {
  std::string stage = "walk";
  WalkWords walk;
  bool walk_named = false;   // by the last of the beats
  std::string seek, play, focus, tab;
  bool place_named = false;  // seek or play by the last of the beats
  int64_t row = -1;
  BoardState board;
};

void put_knobs(const StageSetting& setting, BoardState& state) {
  const Board* board = board_named(state.board);
  if (!board) return;
  for (const Knob& knob : board->knobs) {
    const auto named = setting.knobs.find(knob.id);
    if (named == setting.knobs.end()) continue;
    if (const auto value = knob_value_of(knob, named->second))
      state.knobs[std::string(knob.id)] = clamp_knob(knob, *value);
  }
  if (!setting.show.empty()) state.show = setting.show;
}

Folded fold(const Lesson& lesson, int beat) {
  Folded out;
  for (int k = 0; k <= beat; ++k) {
    const StageSetting& s = lesson.beats[size_t(k)].stage;
    if (!s.stage.empty() && s.stage != out.stage) {
      out.stage = s.stage;
      out.board = {};
      out.seek.clear(), out.play.clear();
      if (s.stage != "walk") out.board.board = s.stage;
    }
    for (const auto& [word, text] : s.walk) out.walk[word] = text;
    out.walk_named = !s.walk.empty();
    if (out.walk_named) out.seek.clear(), out.play.clear();
    out.place_named = !s.seek.empty() || !s.play.empty();
    if (!s.seek.empty()) out.seek = s.seek, out.play.clear();
    if (!s.play.empty()) out.play = s.play;
    if (s.row > 0) out.row = s.row;
    out.walk["fault"] = s.fault;
    out.focus = s.focus;
    out.tab = s.tab;
    put_knobs(s, out.board);
  }
  return out;
}

// "start", "end" or a number of steps.
int board_step(std::string_view words, int steps) {
  if (words == "end") return steps;
  int step = 0;
  std::from_chars(words.data(), words.data() + words.size(), step);
  return step;
}

std::string place_stage(Session& session, ViewState& view, const std::string& seek, const std::string& play) {
  if (!view.board.board.empty()) {
    const int steps = board_steps(session, view);
    if (!seek.empty()) seek_board(session, view, board_step(seek, steps));
    if (!play.empty()) play_board(session, view, board_step(play, steps));
    return {};
  }
  if (!seek.empty())
    if (std::string fault = go_to(seek, session, view); !fault.empty()) return fault;
  if (play.empty()) return {};
  const Target target = target_of(play, session.walk(), view.playhead);
  if (target.playhead) play_to(session.walk(), view, *target.playhead);
  return target.fault;
}

// Only the GPU's tab is a lesson's to open: another one would take the text away from who reads it.
void show_tab_named(ViewState& view, std::string_view name) {
  if (name != "gpu" || view.tab == Tab::Gpu) return;
  view.tab = Tab::Gpu;
  view.page = 0;
}

std::string set_walk(const WalkWords& words, Session& session, ViewState& view, bool& changed) {
  const std::vector<Fault> faults = take_walk(words, session, view, changed);
  return faults.empty() ? std::string() : faults.front().message;
}

std::string put_on_stage(Session& session, ViewState& view, const Folded& wanted, const StageSetting& own,
                         bool forward) {
  std::string fault;
  // A board may work on the inputs of the walk, so that one is made in any case. Where the steps are the same, as with
  // a mistake on purpose, one stays where one was.
  bool changed = false;
  const std::vector<Step> before = session.walk().replay.steps();
  fault = set_walk(wanted.walk, session, view, changed);
  changed = changed && before != session.walk().replay.steps();
  if (wanted.stage == "walk") {
    view.board = {};
    const bool place = !forward || changed || wanted.place_named;
    if (changed || (!forward && wanted.seek.empty())) seek(session.walk(), view, 0);
    if (place && fault.empty()) fault = place_stage(session, view, wanted.seek, wanted.play);
    if (wanted.row > 0 && (place || own.row > 0))
      view.row = std::clamp<int64_t>(wanted.row - 1, 0, session.problem().n_q - 1);
    return fault;
  }
  if (!board_named(wanted.stage)) {
    view.board = {};
    return fmt::format("There is no stage called \"{}\".", wanted.stage);
  }
  const bool same = view.board.board == wanted.stage;
  if (same && forward) {
    put_knobs(own, view.board);
  } else {
    std::map<std::string, std::string, std::less<>> cells;
    if (same) cells = std::move(view.board.cells);
    view.board = wanted.board;
    view.board.cells = std::move(cells);
    seek_board(session, view, 0);
  }
  if (fault.empty() && (!same || !forward || wanted.place_named))
    return place_stage(session, view, wanted.seek, wanted.play);
  return fault;
}

void keep_free_walk(const Session& session, ViewState& view) {
  if (view.lesson.kept) return;
  auto kept = std::make_shared<FreeWalk>();
  kept->setup = session.setup();
  kept->inputs = session.inputs();
  kept->playhead = view.playhead;
  kept->row = view.row;
  kept->board = view.board;
  view.lesson.kept = std::move(kept);
}

void clear_stage(ViewState& view) {
  view.playing = false;
  view.selection.clear();
  view.focus.clear();
  view.editing.clear();
  view.gpu.enlarged = false;
  view.lesson.review = false;
  view.lesson.fault_of.clear();
}

}  // namespace

std::shared_ptr<const Lesson> lesson_on_show(const ViewState& view) {
  return view.lesson.course && !view.lesson.id.empty() ? view.lesson.course->lesson_with(view.lesson.id) : nullptr;
}

const Beat* beat_on_show(const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson || lesson->beats.empty()) return nullptr;
  return &lesson->beats[size_t(std::clamp(view.lesson.beat, 0, int(lesson->beats.size()) - 1))];
}

bool open_lesson(Session& session, ViewState& view, std::string_view id, int beat) {
  leave_tool(view);
  const std::shared_ptr<const Lesson> lesson = view.lesson.course ? view.lesson.course->lesson_with(id) : nullptr;
  if (!lesson) return false;
  keep_free_walk(session, view);
  if (view.lesson.id != id) {
    view.lesson.questions.clear();
    view.lesson.cache = std::make_shared<LessonCache>();
  }
  view.lesson.id = id;
  view.lesson.beat = -1;
  const LessonRecord* record = record_of(view.lesson.progress, lesson->id);
  if (beat < 0) beat = record && !record->done ? record->beat : 0;
  view.tab = Tab::Lesson;
  (view.column_floats ? view.column_over : view.column_open) = true;
  view.rail_over = false;
  // The rail is turned to where the lesson stands in it.
  const std::vector<CourseEntry>& entries = view.lesson.course->entries();
  for (size_t k = 0; k < entries.size(); ++k)
    if (entries[k].lesson == lesson && entries.size() > 1)
      view.lesson.rail_scroll = std::clamp((float(k) / float(entries.size() - 1) - 0.2f) / 0.6f, 0.0f, 1.0f);
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
  clear_stage(view);
  view.lesson.id.clear();
  view.lesson.beat = view.lesson.question = 0;
  view.lesson.questions.clear();
  view.rail_over = false;
  if (view.tab == Tab::Lesson) view.tab = Tab::Explain;
  if (const std::shared_ptr<const FreeWalk> kept = std::exchange(view.lesson.kept, nullptr)) {
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
  const bool forward = view.lesson.beat >= 0 && beat == view.lesson.beat + 1;
  clear_stage(view);
  view.lesson.beat = beat;
  view.lesson.question = 0;
  view.lesson.scroll = 0;
  view.tab = Tab::Lesson;
  const Folded wanted = fold(*lesson, beat);
  const std::string fault = put_on_stage(session, view, wanted, lesson->beats[size_t(beat)].stage, forward);
  view.selection = wanted.focus;
  show_tab_named(view, wanted.tab);
  view.notice = fault;
  // The first question that is still open.
  const std::vector<AskedQuestion> questions = questions_on_show(view);
  while (view.lesson.question + 1 < int(questions.size()) && settled(view, questions[size_t(view.lesson.question)]))
    ++view.lesson.question;
  view.board.covered = covered_readings(view);
  note_visit(view, *lesson);
}

std::string apply_setting(Session& session, ViewState& view, const StageSetting& s) {
  std::string fault;
  if (!s.stage.empty() && s.stage != "walk" && s.stage != view.board.board) {
    if (!board_named(s.stage)) return fmt::format("There is no stage called \"{}\".", s.stage);
    view.board = {};
    view.board.board = s.stage;
  }
  if (s.stage == "walk" || !s.walk.empty()) view.board = {};
  if (!s.walk.empty() || !s.fault.empty()) {
    WalkWords words = walk_of_beat(view);
    for (const auto& [word, text] : s.walk) words[word] = text;
    words["fault"] = s.fault;
    bool changed = false;
    fault = set_walk(words, session, view, changed);
    if (changed) seek(session.walk(), view, 0);
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
    for (const Block& block : beat->text)
      if (block.kind == Block::Kind::Code && n-- == 0) return block.code;
  return {};
}

void settle_lesson(Session& session, ViewState& view) {
  if (view.lesson.cache) *view.lesson.cache = {};
  if (view.lesson.id.empty()) return;
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return open_free_walk(session, view);
  const int beat = std::clamp(view.lesson.beat, 0, int(lesson->beats.size()) - 1);
  view.lesson.beat = -1;
  show_beat(session, view, beat);
}

bool can_continue(const Session&, const ViewState& view) {
  if (!view.lesson.review) return beat_on_show(view) != nullptr;
  const AskedQuestion asked = asked_now(view);
  return asked.question && !settled(view, asked);
}

void drop_lesson(ViewState& view) {
  leave_tool(view);
  if (view.lesson.id.empty() && view.board.board.empty() && !view.lesson.review) return;
  view.lesson.kept = nullptr;
  view.lesson.id.clear();
  view.lesson.questions.clear();
  view.board = {};
  view.lesson.review = false;
  if (view.tab == Tab::Lesson) view.tab = Tab::Explain;
}

void continue_lesson(Session& session, ViewState& view) {
  if (view.lesson.review) {
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
    view.board.covered = covered_readings(view);
    return;
  }
  if (view.lesson.beat + 1 < int(lesson->beats.size())) return show_beat(session, view, view.lesson.beat + 1);
  if (const auto after = lesson_after(*lesson, *view.lesson.course)) open_lesson(session, view, after->id);
}

std::string continue_words(const Session&, const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (!lesson) return {};
  const AskedQuestion asked = asked_now(view);
  if (asked.question && !settled(view, asked)) return view.tab == Tab::Lesson ? "Lock answer" : "To the question";
  if (view.lesson.question + 1 < int(questions_on_show(view).size())) return "Next question";
  if (view.lesson.beat + 1 < int(lesson->beats.size())) return "Next";
  const auto after = lesson_after(*lesson, *view.lesson.course);
  return after ? lesson_words(*after) : std::string();
}

}  // namespace tilewalk
