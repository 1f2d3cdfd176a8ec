#include "app/session/write_moves.h"

#include "app/session/fields.h"
#include "app/session/lesson_moves.h"
#include "app/session/overlays.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "app/state/written.h"
#include "core/io/embedded.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

void goes_on_show(Session& session, ViewState& view) {
  if (!view.write.open) open_free_walk(session, view);
  leave_tool(view);
  close_overlays(view);
  view.lesson.review = view.gpu.enlarged = false;
  view.write.open = view.write.begun = true;
  view.board = {};
  view.playing = false;
  view.column_open = view.column_over = view.rail_over = false;
  view.focus = kWriteText;
  view.focus_ring = false;
}

// On the stage, the playhead where it was; what it says is why not.
std::string walk_it(Session& session, ViewState& view, WalkProgram program) {
  Setup setup = session.setup();
  setup.own = std::make_shared<const Schedule>(own_schedule(std::move(program)));
  setup.schedule = Method::Own;
  if (setup.own->backward()) setup.compared.reset();
  const WalkPlace before = place_in_walk(session, view);
  if (const std::vector<Fault> faults = session.change(setup); !faults.empty()) return faults.front().message;
  settle_view(session, view, before);
  return {};
}

// The task's problem; where it is too large to be walked, the stage keeps its own and the goals have the task's.
void take_problem_of(const Puzzle& puzzle, Session& session) {
  Setup setup = session.setup();
  setup.problem = puzzle.problem;
  setup.machine = puzzle.machine;
  setup.preset.clear();
  setup.compared.reset();
  session.change(setup);
}

}  // namespace

void keep_caret_on_show(ViewState& view) {
  WriteView& write = view.write;
  write.read_at = view.playhead;
  const size_t line = text_place(write.program.text, write.program.caret).line;
  if (line < write.top) write.top = line;
  if (line >= write.top + write.shown) write.top = line + 1 - write.shown;
}

bool write_on_show(const ViewState& view) {
  return view.write.open && !view.lesson.review && view.board.board.empty() && !view.present.on;
}

void open_write(Session& session, ViewState& view) {
  const bool fresh = !view.write.begun;
  goes_on_show(session, view);
  if (fresh && view.write.program.text.empty()) {
    // What is here first gives nothing away that a puzzle asks for, and the list says what else there is.
    begin_program(session, view, "standard");
    view.over = ProgramList{};
    return look_at_puzzles(view);
  }
  if (fresh && view.write.puzzle) take_problem_of(*view.write.puzzle, session);
  run_written(session, view, true);
}

void look_at_puzzles(ViewState& view) {
  if (!is_open<ProgramList>(view)) return;
  for (const auto& puzzle : shipped_puzzles())
    if (!view.write.solved.contains(puzzle->id)) {
      view.focus = "begin-puzzle:" + puzzle->id;
      view.focus_ring = true;
      return;
    }
}

void leave_write(ViewState& view) { view.write.open = false; }

std::span<const std::string_view> shipped_programs() {
  static const auto all = [] {
    std::vector<std::string_view> keys;
    for (const bool backward : {false, true})
      for (const Schedule& schedule : all_schedules())
        if (schedule.backward() == backward) keys.push_back(schedule.key);
    return keys;
  }();
  return all;
}
std::string_view shipped_program(std::string_view key) {
  return schedule_named(key) ? embedded_file(fmt::format("core/schedules/{}.walk", key)) : std::string_view();
}

std::string clean_program(std::string_view foreign) {
  std::string text;
  for (const char c : foreign)
    if (c == '\t')
      text += "  ";
    else if (c != '\r')
      text += c;
  return printable(text, "\n");
}

namespace {

// Each puzzle, and what is one's own, has a text of its own: leaving one for another loses nothing, and what is undone
// is undone in its own. True where the text was here before.
bool change_text(WriteView& write, std::shared_ptr<const Puzzle> puzzle) {
  const std::string from = write.puzzle ? write.puzzle->id : "", to = puzzle ? puzzle->id : "";
  write.top = 0;
  write.puzzle = std::move(puzzle);
  if (from == to) return false;
  write.left[from] = {std::move(write.program), std::move(write.file), std::move(write.kept), write.hints};
  LeftText text;
  const auto before = write.left.find(to);
  const bool known = before != write.left.end();
  if (known) text = std::move(before->second), write.left.erase(before);
  write.program = std::move(text.program);
  write.file = std::move(text.file);
  write.kept = std::move(text.kept);
  write.hints = text.hints;
  return known;
}

}  // namespace

void take_program(Session& session, ViewState& view, std::string_view text) {
  goes_on_show(session, view);
  WriteView& write = view.write;
  change_text(write, nullptr);
  replace_all(write.program, text);
  write.kept = write.program.text;
  write.file.clear();
  write.hints = 0;
  run_written(session, view, true);
  seek(session.walk(), view, 0);
}

void begin_program(Session& session, ViewState& view, std::string_view key) {
  take_program(session, view, shipped_program(key));
}

void begin_puzzle(Session& session, ViewState& view, std::shared_ptr<const Puzzle> puzzle) {
  goes_on_show(session, view);
  WriteView& write = view.write;
  const bool own = !write.puzzle;
  // The puzzle that is on show begins anew, and that can be undone.
  const bool known = change_text(write, puzzle);
  if (own) write.left[""].setup = std::make_shared<const Setup>(session.setup());
  if (!known) {
    if (write.program.text.empty())
      write.program.text = puzzle->start.text;
    else
      replace_all(write.program, puzzle->start.text);
    write.kept = write.program.text;
    write.file.clear();
    write.hints = 0;
  }
  take_problem_of(*puzzle, session);
  // Where its text cannot be read the stage has how it began, and not what another puzzle left there.
  if (!read_walk(write.program.text).program)
    if (std::optional<WalkProgram> begins = read_walk(puzzle->start.text).program) walk_it(session, view, *begins);
  run_written(session, view, true);
  seek(session.walk(), view, 0);
}

bool begin_puzzle_named(Session& session, ViewState& view, std::string_view id) {
  std::shared_ptr<const Puzzle> puzzle = puzzle_named(id);
  if (!puzzle) return false;
  begin_puzzle(session, view, std::move(puzzle));
  return true;
}

void back_to_own_text(Session& session, ViewState& view) {
  goes_on_show(session, view);
  const auto own = view.write.left.find("");
  if (own != view.write.left.end() && own->second.setup) session.change(*own->second.setup);
  change_text(view.write, nullptr);
  run_written(session, view, true);
}

void next_hint(ViewState& view) {
  if (view.write.puzzle) view.write.hints = std::min(view.write.hints + 1, kHints);
}

bool is_program_file(const fs::path& path) { return path.extension() == ".walk" || path.extension() == ".puzzle"; }

std::string open_program(Session& session, ViewState& view, const fs::path& path) {
  std::string text;
  const bool program = path.extension() == ".walk";
  try {
    text = read_file(path, program ? kMostWalkBytes : kMostPuzzleBytes);
  } catch (const IoError& error) {
    return error.what();
  }
  if (!program) {
    PuzzleRead read = read_puzzle(text, path.filename().string());
    if (!read.puzzle)
      return fmt::format("{}:{}: {}", printable_path(path.filename()), read.faults[0].line, read.faults[0].message);
    begin_puzzle(session, view, std::move(read.puzzle));
    return {};
  }
  take_program(session, view, clean_program(text));
  view.write.file = path;
  return {};
}

void run_written(Session& session, ViewState& view, bool anew) {
  WriteView& write = view.write;
  if (!anew && write.now && write.now->text == write.program.text) return;
  auto made = std::make_shared<Written>(write.now ? *write.now : Written());
  made->text = write.program.text;
  made->unfit.clear();
  made->verdict.reset();
  made->tried = {};
  made->generation = -1;
  WalkRead read = read_walk(made->text);
  made->faults = std::move(read.faults);
  if (read.program) {
    made->verdict = judge(*read.program);
    made->unfit = walk_it(session, view, *read.program);
    if (made->unfit.empty()) made->line_of_code = read.program->source_line;
  }
  write.now = std::move(made);
  meter_written(session, view);
}

void meter_written(const Session& session, ViewState& view) {
  WriteView& write = view.write;
  if (!write.open || !write.now || write.now->generation == session.generation()) return;
  auto made = std::make_shared<Written>(*write.now);
  made->generation = session.generation();
  const Walk& walk = session.walk();
  const auto one_head = [&](const Schedule& schedule) {
    return meters_of(schedule, make_plan(schedule, session.problem(), session.setup().variant), walk.spec);
  };
  const MeteredOn on{session.problem(), std::string(walk.spec.id), walk.schedule.backward()};
  if (made->meters.empty() || made->on != on) {
    made->meters.assign(1, {});
    for (const Schedule& schedule : on.backward ? backward_schedules() : schedules())
      made->meters.push_back({std::string(schedule.name.substr(0, schedule.name.find(' '))), one_head(schedule)});
    made->on = on;
  }
  const bool own = walk.schedule.id == Method::Own;
  made->meters.front() = {own ? "Yours" : "", own ? one_head(walk.schedule) : ProgramMeters()};
  const std::optional<WalkProgram> program =
      made->verdict ? read_walk(made->text).program : std::optional<WalkProgram>();
  const Problem& p = session.problem();
  made->on_stage.reset();
  if (program && made->verdict->kind != Verdict::Kind::Exact && can_judge_on(p, session.inputs()))
    made->on_stage = judge_on(*program, p, session.inputs());
  if (write.puzzle) {
    made->tried =
        program ? attempt(*write.puzzle, *program, *made->verdict, p.br, p.bc) : untried(*write.puzzle, p.br, p.bc);
    if (made->tried.solved()) write.solved.insert(write.puzzle->id);
  }
  write.now = std::move(made);
}

bool typing_in_program(const ViewState& view) { return write_on_show(view) && view.focus == kWriteText; }

bool program_key(const KeyPress& press, Session& session, ViewState& view) {
  const char32_t letter = press.ctrl && press.key == Key::Character ? press.character | 0x20 : 0;
  // Wherever the focus is: who saves in Write means the program.
  if (write_on_show(view) && letter == U's' && !press.shift && view.editing.empty())
    return view.wishes.save_program = true;
  if (write_on_show(view) && press.key == Key::F1 && !press.ctrl && !press.shift && !overlay_open(view)) {
    view.over = WordSheet{{}, 0, true};
    return view.editing = "field:word-filter", true;
  }
  if (!typing_in_program(view)) return false;
  EditedText& program = view.write.program;
  if (press.key == Key::Escape) return view.focus.clear(), true;
  if (press.key == Key::Tab && !press.ctrl) {
    indent(program, press.shift);
    keep_caret_on_show(view);
    return run_written(session, view), true;
  }
  if (letter == U'v' && !press.shift) return view.wishes.paste = true;
  if ((letter == U'c' || letter == U'x') && !press.shift) {
    if (program.caret == program.anchor) return true;
    view.wishes.copy = selected(program);
    if (letter == U'x') type_words(program, {});
  } else if (!text_key(program, press, std::max<size_t>(1, view.write.shown - 1))) {
    return false;
  }
  keep_caret_on_show(view);
  run_written(session, view);
  return true;
}

bool in_loop_head(const ViewState& view) {
  const EditedText& program = view.write.program;
  const std::string_view line = lines_of(program)[text_place(program.text, program.caret).line];
  return line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("for each ");
}

void type_statement(Session& session, ViewState& view, std::string_view typed) {
  close_overlays(view);
  EditedText& program = view.write.program;
  const size_t number = text_place(program.text, program.caret).line;
  const std::string_view line = lines_of(program)[number];
  if (typed.starts_with(kGoesOn)) {
    const size_t colon = std::min(line.rfind(':'), line.size());
    put_caret(program, {number, characters(line.substr(0, colon))}, false);
    typed.remove_prefix(kGoesOn.size());
  } else {
    text_key(program, {.key = Key::End});
    if (line.find_first_not_of(' ') != std::string_view::npos) text_key(program, {.key = Key::Enter});
  }
  type_words(program, typed);
  view.focus = kWriteText;
  keep_caret_on_show(view);
  run_written(session, view);
}

void paste_into_program(Session& session, ViewState& view, std::string_view words) {
  if (!typing_in_program(view)) return;
  EditedText& program = view.write.program;
  std::string pasted = clean_program(words);
  // A line is as deep as where it is put.
  const std::string_view line = lines_of(program)[text_place(program.text, program.caret).line];
  const bool indented = line.find_first_not_of(' ') == line.npos && !line.empty();
  if (indented && program.caret == program.anchor) pasted.erase(0, pasted.find_first_not_of(' '));
  type_words(program, pasted);
  keep_caret_on_show(view);
  run_written(session, view);
}

size_t top_line(const ViewState& view, int at) {
  const WriteView& write = view.write;
  const size_t lines = size_t(std::ranges::count(write.program.text, '\n')) + 1;
  const size_t last = lines > write.shown ? lines - write.shown : 0;
  const auto line = size_t(std::max(at, 1) - 1);
  const bool follows =
      at > 0 && view.playhead != write.read_at && (line < write.top || line >= write.top + write.shown);
  return std::min(follows ? line - std::min(line, write.shown / 2) : write.top, last);
}

}  // namespace tilewalk
