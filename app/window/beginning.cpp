#include "app/window/beginning.h"

#include "app/boards/board.h"
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/session/go_to.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/link.h"
#include "app/session/link_moves.h"
#include "app/session/open_any.h"
#include "app/session/present_moves.h"
#include "app/session/set_reread.h"
#include "app/session/tools.h"
#include "core/io/printable.h"
#include "core/lesson/course.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

// Why the lesson is not open; empty when it is.
std::string begin_lesson(const WindowOptions& options, Session& session, ViewState& view) {
  const auto lesson = view.lesson.course ? lesson_typed(options.lesson, *view.lesson.course) : nullptr;
  if (open_lesson(session, view, lesson ? lesson->id : options.lesson, options.beat - 1)) return {};
  int last = 0;
  if (view.lesson.course)
    for (const CourseEntry& entry : view.lesson.course->entries())
      if (entry.lesson) last = std::max(last, entry.lesson->number);
  return fmt::format("Lesson {} is not there: {}.", printable(options.lesson),
                     last > 0 ? fmt::format("the path has lessons 1 to {}", last)
                              : std::string("no lessons were found beside the program"));
}

// What cannot be set is said; without such a board all stays as it is.
std::string begin_board(const std::string& words, ViewState& view) {
  std::vector<std::string> faults;
  const BoardState state = read_board_state(words, &faults);
  if (board_named(state.board)) open_tool(view, state);
  return fmt::format("{}", fmt::join(faults, " "));
}

}  // namespace

void apply(const WindowOptions& options, const Settings& kept, ViewState& view) {
  view.theme = options.theme.value_or(kept.theme);
  view.scale = float(kept.scale);
  view.speed = float(kept.speed);
  view.rail_open = !kept.rail_folded;
  view.column_open = !kept.right_column_hidden;
  view.lesson.for_kernels = kept.for_kernels;
  view.lesson.way = kept.way;
  view.reduced_motion = options.reduced_motion || kept.reduced_motion;
}

bool says_what(const WindowOptions& o) {
  return !o.screenshot.empty() || !o.files.empty() || !o.preset.empty() || !o.schedule.empty() || !o.at.empty() ||
         !o.board.empty() || !o.lesson.empty() || !o.tab.empty() || !o.set_list.empty() || !o.link.empty() ||
         !o.commands.empty();
}

std::vector<std::string> begin(const WindowOptions& options, Session& session, ViewState& view) {
  std::vector<std::string> undone;
  const auto did = [&](std::string fault) {
    if (fault.empty()) return;
    view.notice = fault;
    undone.push_back(std::move(fault));
  };
  if (!options.preset.empty() && !run_command("preset-" + options.preset, session, view))
    did(fmt::format("There is no preset \"{}\".", printable(options.preset)));
  if (const Schedule* schedule = schedule_named(options.schedule)) {
    Setup setup = session.setup();
    setup.schedule = schedule->id;
    if (const std::vector<Fault> faults = session.change(setup); !faults.empty()) did(faults.front().message);
    view.playhead = view.from = 0;
  }
  if (!options.lesson.empty())
    did(begin_lesson(options, session, view));
  else if (!options.board.empty())
    did(begin_board(options.board, view));
  if (!options.link.empty()) {
    const Opened opened = open_link(options.link, session, view);
    view.notice = opened.words;
    if (!opened.there) did(opened.words);
  }
  if (!options.files.empty() && !open_any(session, view, options.files)) did(view.notice);
  view.tab = named<Tab>(kTabNames, options.tab).value_or(view.tab);
  if (!options.at.empty()) did(go_to(options.at, session, view));
  std::string bad_lines = options.set_list.empty() ? "" : use_set_list(session, view, options.set_list);
  if (const SetList& set = view.present.set; !options.present && !set.items.empty() && bad_lines.empty())
    view.notice =
        fmt::format("{}: {} stop{}. {} presents from the first, {} from here.", printable(set.file.filename().string()),
                    set.items.size(), set.items.size() == 1 ? "" : "s", key_of("present"), key_of("present-here"));
  // Where a link or a beat is named, there; a talk from its first stop.
  const bool named_place =
      !options.link.empty() || options.beat > 0 || (!options.files.empty() && is_link(options.files.front().native()));
  if (options.present) begin_presenting(session, view, !named_place || !view.present.set.items.empty());
  did(std::move(bad_lines));
  for (const std::string& id : options.commands)
    if (id.starts_with("press:")) {  // a key, as the key sheet names it
      const Scene scene = layout_window(session, view, options.size.value_or(Vec2{1920, 1080}));
      for (const KeyPress& key : parse_keys(std::string_view(id).substr(6))) key_pressed(key, scene, session, view);
    } else if (id.starts_with("hover:")) {  // a region that is pointed at
      view.hover = id.substr(6);
    } else if (id.starts_with("click:")) {
      const Scene scene = layout_window(session, view, options.size.value_or(Vec2{1920, 1080}));
      activate(std::string_view(id).substr(6), {}, scene, session, view);
    } else if (!run_command(id, session, view)) {
      did(fmt::format("The command \"{}\" is not there, or not now.", printable(id)));
    }
  return undone;
}

}  // namespace tilewalk
