#include "app/session/commands.h"

#include "app/gpu/diagnostics.h"
#include "app/session/export_dialog.h"
#include "app/state/board_history.h"
#include "app/session/breaking.h"
#include "app/session/element.h"
#include "app/session/gpu_choices.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/link_moves.h"
#include "app/session/open_file.h"
#include "app/session/overlays.h"
#include "app/session/other_numbers.h"
#include "app/session/own_tensors.h"
#include "app/session/playback.h"
#include "app/session/present_commands.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "app/session/turn_walk.h"
#include "app/session/why_no_step.h"
#include "app/session/write_moves.h"
#include "core/attention/presets.h"
#include "core/lesson/review_of_ten.h"
#include "core/kernel/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

using S = Session;
using V = ViewState;

bool always(const S&, const V&) { return true; }
bool not_at_end(const S& s, const V& v) { return can_go_forward(s, v); }
bool not_at_start(const S& s, const V& v) { return can_go_back(s, v); }
bool on_walk(const S&, const V& v) { return v.board.board.empty(); }
template <int by>
void follow_beside(S& s, V& v) {
  if (!refused_turn(WalkKnob::Row, v)) follow_row(s, v, by);
}
bool in_lesson(const S&, const V& v) { return beat_on_show(v) != nullptr; }
bool plays(const S& s, const V& v) { return what_moves(s, v) == Moves::Walk || what_moves(s, v) == Moves::Board; }
bool asked(const V& v, bool answered) {
  const AskedQuestion asked = asked_now(v);
  return asked.question && settled(v, asked) == answered;
}
bool asked_open(const S&, const V& v) { return asked(v, false); }
bool asked_settled(const S&, const V& v) { return asked(v, true); }
std::string why_not_another(const S& s, const V& v) {
  return asked_open(s, v) ? "A asks this again with other numbers once it is answered or skipped."
                          : "No question is on show to be asked again; I gives a walk other numbers.";
}
void say(V& v, std::string sentence) { v.notice = std::move(sentence); }

void zoom(V& v, float factor) {
  // Tenths, so that going up and down comes back to where it was.
  const float next = factor == 0 ? 1 : std::round(v.scale * 10 + factor) / 10;
  v.scale = std::clamp(next, 0.75f, 3.0f);
  say(v, fmt::format("Scale {:.0f} %.", v.scale * 100));
}

void pace(V& v, float factor) {
  v.speed = std::clamp(v.speed * factor, kSlowest, kFastest);
  if (v.speed > 0.9f && v.speed < 1.1f) v.speed = 1;
  say(v, fmt::format("Speed {:.2g}×.", v.speed));
}

void compare(S& s, V& v) {
  // None, then each schedule that is not the first one, then none again.
  if (std::string words = behind_question_words(v); !words.empty()) return say(v, std::move(words));
  Setup setup = s.setup();
  if (schedule_of(setup).backward())
    return say(v, "A backward walk stands alone: choose the forward direction to compare schedules.");
  const auto all = schedules();
  size_t next = 0;
  if (setup.compared) next = size_t(std::ranges::find(all, *setup.compared, &Schedule::id) - all.begin()) + 1;
  while (next < all.size() && all[next].id == setup.schedule) ++next;
  setup.compared = next < all.size() ? std::optional(all[next].id) : std::nullopt;
  v.present.turned = v.present.on;
  if (const std::vector<Fault> faults = s.change(setup); !faults.empty()) return say(v, faults.front().message);
  wipe_strokes(v);  // the picture is another one
  settle(s, v);
  say(v, setup.compared ? fmt::format("{} beside {}, on the same inputs.", schedule_of(setup).name,
                                      schedule_of(*setup.compared).name)
                        : "One schedule.");
}

void keep_lasting(V& from, V& to) {
  static_cast<LastingView&>(to) = std::move(from);
  static_cast<LastingLessons&>(to.lesson) = std::move(from.lesson);
  static_cast<LastingNotes&>(to.present) = std::move(from.present);
  static_cast<LastingGpu&>(to.gpu) = std::move(from.gpu);
  static_cast<LastingWrite&>(to.write) = std::move(from.write);
  to.classroom = std::move(from.classroom);
}

void use_preset(S& s, V& v, std::string_view id) {
  const Preset& preset = *preset_named(id);
  Setup setup = s.setup();
  setup.problem = preset.problem;
  setup.preset = preset.id;
  close_overlays(v);
  const std::vector<Fault> faults = s.change(setup, inputs_of(preset));
  if (!faults.empty()) return say(v, faults.front().message);
  take_stage(v);
  drop_lesson(v);
  v.files.clear();
  v.file_groups.clear();
  v.typed.clear();
  v.refused.clear();
  v.row = 0;
  v.selection.clear();
  seek(s.walk(), v, 0);
  say(v, fmt::format("{}.", preset.title));
}

void copy_link(S& s, V& v) {
  LinkHere here = link_here(s, v);
  say(v, here.remark.empty() ? "A link to this place is on the clipboard."
                             : "The link is on the clipboard. " + here.remark);
  v.wishes.copy = std::move(here.text);
}

void flip(bool& flag) { flag = !flag; }

bool has_text(const S& s, const V& v) { return v.lesson.review || in_lesson(s, v) || !v.lesson.fault_of.empty(); }
void scroll_text(V& v, float by) {
  float& share = v.lesson.review        ? v.lesson.about.scroll
                 : v.tab == Tab::Lesson ? v.lesson.scroll
                                        : v.lesson.board_scroll;
  share = std::clamp(std::max(share, 0.0f) + by, 0.0f, 1.0f);
}

// Opens it, typing into its field if it has one; or closes it where it is open.
template <class Kind>
void toggle(V& v, Kind fresh, std::string_view field = {}) {
  const bool open = !is_open<Kind>(v);
  close_overlays(v);
  if (!open) return;
  v.over = std::move(fresh);
  v.editing = field;
  v.typing_begun = false;
}

// Asks the window for it.
template <bool Wishes::*Wish>
void wish(S&, V& v) {
  close_overlays(v);
  v.wishes.*Wish = true;
}
template <Tab Which>
void show(S&, V& v) {
  show_tab(v, Which);
}

bool can_undo_work(const S&, const V& v) { return write_on_show(v) ? !v.write.program.undone_by.empty() : can_undo(v); }
bool can_redo_work(const S&, const V& v) { return write_on_show(v) ? !v.write.program.redone_by.empty() : can_redo(v); }
// On a board, or in the text of Write.
void change_work(S& s, V& v, bool (*text)(EditedText&), void (*board)(V&)) {
  if (!write_on_show(v)) return board(v);
  text(v.write.program);
  run_written(s, v);
}

NextLesson next_on_path(const V& v) {
  return next_lesson(v.lesson.progress, v.lesson.course.get(), way_chosen(v.lesson));
}

constexpr float kTextShare = 0.25f;  // of what does not fit
constexpr std::string_view kPlay = "Playing", kStep = kStepping, kLook = "Looking", kLesson = "Lesson",
                           kTools = "Tools", kBoard = "Board", kFile = "Problem", kHelp = kFinding;

const auto kCommands = std::to_array<Command>({
    {"play", "Play or pause", kPlay, "Space", play_or_pause, plays},
    {"replay", "Replay this animation", kPlay, "Backspace", replay_last, not_at_start},
    {"slower", "Slower", kPlay, "[", [](S&, V& v) { pace(v, 0.5f); }, always},
    {"faster", "Faster", kPlay, "]", [](S&, V& v) { pace(v, 2); }, always},

    {"part-forward", "Part forward", kStep, "→",
     [](S& s, V& v) { go_forward(s, v, Unit::Part); }, not_at_end, false, Mode::Any,
     why_not_further},
    {"part-back", "Part back", kStep, "←", [](S& s, V& v) { go_back(s, v, Unit::Part); }, not_at_start},
    {"tile-forward", "Tile forward", kStep, "Shift+→ or Page Down",
     [](S& s, V& v) { go_forward(s, v, Unit::Tile); }, not_at_end, false, Mode::Any,
     why_not_further},
    {"tile-back", "Tile back", kStep, "Shift+← or Page Up",
     [](S& s, V& v) { go_back(s, v, Unit::Tile); }, not_at_start},
    {"row-forward", "Row of tiles forward", kStep, "Ctrl+→",
     [](S& s, V& v) { go_forward(s, v, Unit::Row); }, not_at_end, false, Mode::Any,
     why_not_further},
    {"row-back", "Row of tiles back", kStep, "Ctrl+←", [](S& s, V& v) { go_back(s, v, Unit::Row); }, not_at_start},
    {"mark-forward", "To the next mark on the scrubber", kStep, "Ctrl+Shift+→",
     [](S& s, V& v) { go_to_mark(s.walk(), v, mark_from(s.walk(), v, 1)); },
     [](const S& s, const V& v) { return on_walk(s, v) && mark_from(s.walk(), v, 1) >= 0; }},
    {"mark-back", "To the mark before", kStep, "Ctrl+Shift+←",
     [](S& s, V& v) { go_to_mark(s.walk(), v, mark_from(s.walk(), v, -1)); },
     [](const S& s, const V& v) { return on_walk(s, v) && mark_from(s.walk(), v, -1) >= 0; }},
    {"first", "To the start", kStep, "Home", go_to_start, not_at_start, false, Mode::Any, why_not_to_start},
    {"last", "To the end", kStep, "End", go_to_end, not_at_end, false, Mode::Any, why_not_further},
    {"go-to", "Go to a step, what happens, a lesson", kStep, "G",
     [](S&, V& v) { toggle(v, GoTo{}, "field:go-to"); }, always},

    {"row-up", "Follow the row above", kLook, "↑", follow_beside<-1>, on_walk},
    {"row-down", "Follow the row below", kLook, "↓", follow_beside<1>, on_walk},
    {"compare", "Compare with another schedule", kLook, "D", compare,
     [](const S& s, const V& v) { return on_walk(s, v) && !v.gpu.enlarged; }, false, Mode::Any,
     [](const S&, const V& v) {
       const std::string words = behind_question_words(v);
       return words.empty() ? std::string("The stage shows no walk, beside which D sets another.") : words;
     }},
    {"other-numbers", "Other numbers: the same step, the next seed", kLook, "I", other_numbers, always},
    {"tab-explain", "Explain: this step in words", kLook, "1", show<Tab::Explain>, always},
    {"tab-numbers", "Numbers: every value", kLook, "2", show<Tab::Numbers>, always},
    {"tab-problem", "Problem: sizes, schedule, inputs", kLook, "3", show<Tab::Problem>, always},
    {"tab-gpu", "GPU: real kernels on these inputs", kLook, "4", show<Tab::Gpu>, always},
    {"tab-lesson", "Lesson: its text and questions", kLook, "5", show<Tab::Lesson>, in_lesson},
    {"source", "The kernel's own source, or the pseudo-code", kLook, "U",
     [](S&, V& v) {
       show_tab(v, Tab::Explain);
       flip(v.source.open);
     },
     [](const S& s, const V& v) { return on_walk(s, v) && !rungs_of(s.setup().schedule).empty(); }},
    {"rail", "Fold or open the lessons", kLook, "Ctrl+B",
     [](S&, V& v) { flip(v.rail_floats ? v.rail_over : v.rail_open); }, always},
    {"column", "Show or hide the column", kLook, "Ctrl+E",
     [](S&, V& v) { flip(v.column_floats ? v.column_over : v.column_open); },
     [](const S&, const V& v) { return !v.lesson.review; }},
    {"theme", "Light, dark or projector", kLook, "T",
     [](S&, V& v) { v.theme = Theme((int(v.theme) + 1) % 3); }, always, true},
    {"larger", "Larger", kLook, "Ctrl++ or Ctrl+=", [](S&, V& v) { zoom(v, 1); }, always, true},
    {"smaller", "Smaller", kLook, "Ctrl+-", [](S&, V& v) { zoom(v, -1); }, always, true},
    {"usual-size", "Size 100 %", kLook, "Ctrl+0", [](S&, V& v) { zoom(v, 0); }, always, true},
    {"full-screen", "Full screen", kLook, "F11", [](S&, V& v) { v.wishes.full_screen = true; }, always, true},

    {"lesson-next", "Lock the answer, or continue", kLesson, "Enter", continue_lesson, can_continue},
    {"lesson-back", "The beat before", kLesson, "P",
     [](S& s, V& v) { show_beat(s, v, v.lesson.beat - 1); },
     [](const S&, const V& v) { return v.lesson.beat > 0 && !v.present.on; }, false, Mode::Any,
     [](const S&, const V& v) {
       return std::string(v.present.on ? "P does nothing in a talk: Page Up goes back, and G goes to any beat."
                                       : "No beat comes before this one.");
     }},
    {"lesson-resume", "Resume, or begin the next lesson", kLesson, "Ctrl+Enter",
     [](S& s, V& v) { open_lesson(s, v, next_on_path(v).lesson->id); },
     [](const S&, const V& v) { return next_on_path(v).lesson != nullptr; }},
    {"start-here", "Start here: five minutes before lesson 1", kLesson, "Ctrl+Home",
     [](S& s, V& v) {
       close_overlays(v);
       open_lesson(s, v, v.lesson.course->prologue()->id, 0);
     }, [](const S&, const V& v) { return v.lesson.course && v.lesson.course->prologue(); }},
    {"free-walk", "A walk of one's own", kLesson, "0", open_free_walk,
     [](const S&, const V& v) { return !v.present.on && (!v.lesson.id.empty() || tool_open(v) || v.write.open); },
     false, Mode::Any,
     [](const S&, const V& v) {
       return std::string(v.present.on ? "0 does nothing in a talk: G goes to lessons, Ctrl+1 to 3 to walks."
                                       : "A walk of one's own is on the stage.");
     }},
    {"question-sure", "Sure of the answer, or not", kLesson, "Shift+Enter",
     [](S&, V& v) { toggle_sure(v); }, asked_open},
    {"question-skip", "Skip the question", kLesson, "S", skip_question, asked_open},
    {"question-another", "Another one: other numbers", kLesson, "A", another_question, asked_settled, false,
     Mode::Any, why_not_another},
    {"mend", "Mend what is broken", kLesson, "Ctrl+X", mend,
     [](const S&, const V& v) { return !broken_words(v).empty(); }},
    {"break", "Break it: the lesson's faults, one by one", kLesson, "X", break_next, in_lesson, false, Mode::Any,
     [](const S&, const V&) { return std::string("Lessons break things on purpose; this is none."); }},
    {"for-kernels", "For kernel people: fold or unfold it", kLesson, "Q",
     [](S&, V& v) {
       flip(v.lesson.for_kernels);
       v.tab = Tab::Lesson;
     }, [](const S&, const V& v) { const Beat* beat = beat_on_show(v); return beat && !beat->kernel.empty(); }},
    {"text-down", "Scroll the text down", kLesson, "Shift+↓", [](S&, V& v) { scroll_text(v, kTextShare); }, has_text},
    {"text-up", "Scroll it up", kLesson, "Shift+↑", [](S&, V& v) { scroll_text(v, -kTextShare); }, has_text},
    {"review", "Review: questions of all lessons", kLesson, "V",
     [](S&, V& v) { close_overlays(v); flip(v.lesson.review); v.gpu.enlarged = false; v.playing = false; }, always},
    {"ten", "Ten questions on the lessons so far", kLesson, "Ctrl+End",
     [](S& s, V& v) {
       close_overlays(v);
       open_lesson(s, v, review_id(review_worded("ten", v.lesson)));
     }, [](const S&, const V& v) { return v.lesson.course && v.lesson.course->lesson_numbered(1); }},
    {"export-progress", "Save my answers as CSV", kLesson, "Ctrl+Shift+P", wish<&Wishes::export_progress>, always},
    {"take-along", "Take all that is kept along…", kLesson, "Ctrl+Shift+K", wish<&Wishes::take_along>, always},
    {"ask-reset", "Forget my progress…", kLesson, "Ctrl+Shift+Delete",
     [](S&, V& v) { toggle(v, ConfirmReset{}); }, always},
    {"reset-progress", "Forget it all", kLesson, "Ctrl+Shift+F",
     [](S&, V& v) {
       close_overlays(v);
       v.lesson.progress = {};
       v.lesson.progress_changed = true;
       v.lesson.questions.clear();
       v.lesson.left.clear();
       say(v, "What was done and answered is forgotten.");
     }, [](const S&, const V& v) { return is_open<ConfirmReset>(v); }, true},

    {"undo", "Undo what was done on the board, or typed", kBoard, "Ctrl+Z",
     [](S& s, V& v) { change_work(s, v, undo, undo_work); }, can_undo_work},
    {"redo", "Do it again", kBoard, "Ctrl+Shift+Z or Ctrl+Y",
     [](S& s, V& v) { change_work(s, v, redo, redo_work); }, can_redo_work},

    {"open-file", "Open your own Q, K, V…", kFile, "Ctrl+O", [](S&, V& v) { open_picker(v); }, always},
    {"own-tensors", "Copy ten lines that save a model's Q, K, V", kFile, "Ctrl+Shift+L",
     [](S&, V& v) {
       v.wishes.copy = own_tensors_code();
       if (!v.present.on) {
         close_overlays(v);
         v.tab = Tab::Problem;
         v.selection = kOwnTensorsShown;
         (v.column_floats ? v.column_over : v.column_open) = true;
       }
       say(v, "Ten lines of Python are copied: put them behind your model and tokens, then open qkv.safetensors.");
     }, always},
    {"real-head", "A real head, trained", kFile, "Ctrl+R",
     [](S& s, V& v) {
       close_overlays(v);
       drop_lesson(v);
       take_stage(v);
       if (std::string fault = open_real_head(s, v); !fault.empty()) say(v, std::move(fault));
     }, always},
    {"preset-micro", preset_named("micro")->title, kFile, "Ctrl+1",
     [](S& s, V& v) { use_preset(s, v, "micro"); }, always},
    {"preset-toy", preset_named("toy")->title, kFile, "Ctrl+2", [](S& s, V& v) { use_preset(s, v, "toy"); }, always},
    {"preset-causal", preset_named("causal")->title, kFile, "Ctrl+3",
     [](S& s, V& v) { use_preset(s, v, "causal"); }, always},
    {"element", "Type over a number of Q, K or V", kFile, "E",
     [](S& s, V& v) { toggle(v, TypeElement{element_prompt(s, v), {}}, "field:element"); }, always},
    {"take-away", "Export: picture, steps, page…", kFile, "Ctrl+Shift+E",
     [](S& s, V& v) { close_overlays(v); open_export(s, v); }, [](const S&, const V& v) { return !v.present.on; }},
    {"export", "Save picture as SVG", kFile, "Ctrl+S", wish<&Wishes::export_svg>, always},
    {"export-png", "Save picture as PNG", kFile, "Ctrl+Shift+I", wish<&Wishes::export_png>, always},
    {"export-csv", "Save numbers as CSV", kFile, "Ctrl+Shift+V", wish<&Wishes::export_csv>, always},
    {"copy-link", "Copy a link to this place", kFile, "Ctrl+C", copy_link, always},
    {"reset", "Begin again", kFile, "Ctrl+Shift+R",
     [](S& s, V& v) {
       end_presenting(s, v);  // gives the learner's progress back
       Setup setup;
       s.change(setup);
       V fresh;
       keep_lasting(v, fresh);
       v = std::move(fresh);
       use_preset(s, v, "toy");
     }, always},

    {"draw-roofline", "Draw a roofline", kTools, "Ctrl+4",
     [](S&, V& v) { close_overlays(v); open_tool(v, "draw"); }, always},
    {"estimate", "Estimate: your own model on any GPU", kTools, "Ctrl+5",
     [](S&, V& v) { close_overlays(v); open_tool(v, "estimate"); }, always},
    {"curves", "Curves: time, bytes and memory over N", kTools, "Ctrl+6",
     [](S&, V& v) { close_overlays(v); open_tool(v, "curves"); }, always},
    {"write", "Write: a schedule of your own", kTools, "W", open_write,
     [](const S&, const V& v) { return !v.present.on; }},
    {"programs", "Programs to begin from, and puzzles", kTools, "Ctrl+7",
     [](S&, V& v) { toggle(v, ProgramList{}), look_at_puzzles(v); },
     [](const S&, const V& v) { return !v.present.on; }},
    {"statements", "Lines: all that a program can say", kTools, "Ctrl+Shift+7",
     [](S&, V& v) {
       toggle(v, WordSheet{{}, 0, true}, "field:word-filter");
     }, [](const S&, const V& v) { return write_on_show(v); }},
    {"program-save", "Save what is written", kTools, "Ctrl+8",
     [](S&, V& v) { v.wishes.save_program = true; }, [](const S&, const V& v) { return write_on_show(v); }},
    {"program-run", "Run what is written on the GPU", kTools, "Ctrl+Shift+8",
     [](S&, V& v) { v.gpu.wishes.program = true; },
     [](const S&, const V& v) { return write_on_show(v) && !v.gpu.status.running_program; }},
    {"hint", "The puzzle's next hint", kTools, "Ctrl+Shift+T", [](S&, V& v) { next_hint(v); },
     [](const S&, const V& v) {
       return write_on_show(v) && v.write.puzzle && v.write.hints < kHints;
     }},
    {"leave-tool", "Back to what was on the stage", kTools, "Ctrl+Backspace", [](S&, V& v) { leave_tool(v); },
     [](const S&, const V& v) { return tool_open(v); }},

    {"keys", "All keys", kHelp, "F1 or ?", [](S&, V& v) { toggle(v, KeySheet{}, "field:key-filter"); }, always, true},
    {"words", "Words: what each one means", kHelp, "Shift+F1",
     [](S&, V& v) { toggle(v, WordSheet{}, "field:word-filter"); }, always, true},
    {"about", "About Tilewalk", kHelp, "Ctrl+F1", [](S&, V& v) { toggle(v, About{}); }, always, true},
    {"diagnostics", "Copy diagnostics", kHelp, "Ctrl+Shift+D",
     [](S&, V& v) {
       v.wishes.diagnostics = true;
       say(v, "What is known of the program, the display and the GPU is on the clipboard.");
     }, always, true},
    {"menu", "Menu", kHelp, "M", [](S&, V& v) { toggle(v, Menu{}); }, always},
    {"escape", "Close what is open, leave a field", kHelp, "Esc", [](S&, V& v) { leave_topmost(v); }, always, true},
    {"quit", "Quit", kHelp, "Ctrl+Q", [](S&, V& v) { v.wishes.quit = true; }, always, true},
});

}  // namespace

std::span<const Command> learner_commands() { return kCommands; }

}  // namespace tilewalk
