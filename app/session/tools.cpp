#include "app/session/tools.h"

#include "app/session/lesson_path.h"
#include "app/session/present_moves.h"
#include "app/session/set_stops.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilewalk {

// What the pen drew belongs to what it was drawn over.
static bool passes(const PenStroke& stroke) { return !stroke.pinned; }

bool tool_open(const ViewState& view) { return view.before_tool != nullptr; }

void open_tool(ViewState& view, std::string_view board) {
  Presentation& p = view.present;
  if (p.on && view.board.board == board && !p.elsewhere && !off_stop(view)) {
    view.notice = "This stop shows it already.";
    p.tool_is_stop = true;
    return;
  }
  end_lights(view);
  if (tool_open(view) && view.board.board == board) return leave_tool(view);
  const auto known = p.on ? view.tools.end() : view.tools.find(board);  // in a talk as at first, as its stops come
  BoardState state;
  state.board = board;
  open_tool(view, known != view.tools.end() ? known->second : state);
  if (p.on && board == p.landed.board) p.elsewhere = true;  // no stop of the talk
}

void open_tool(ViewState& view, BoardState state) {
  if (tool_open(view)) {
    view.tools[view.board.board] = view.board;
  } else {
    auto before = std::make_shared<StageBefore>();
    before->lesson = view.lesson;
    before->board = view.board;
    before->tab = view.tab;
    before->column = view.column_open;
    before->charts = view.gpu.enlarged;
    before->selection = view.selection;
    std::ranges::copy_if(view.present.strokes, std::back_inserter(before->strokes), passes);
    view.before_tool = std::move(before);
  }
  std::erase_if(view.present.strokes, passes);
  // A tool has the stage to itself: no lesson's text beside it, and room.
  view.lesson.id.clear();
  view.lesson.fault_of.clear();
  view.lesson.review = false;
  view.gpu.enlarged = false;
  if (view.tab == Tab::Lesson) view.tab = Tab::Explain;
  view.column_open = view.column_over = view.rail_over = false;
  view.playing = false;
  view.selection.clear();
  view.focus.clear();
  view.editing.clear();
  view.board = std::move(state);
}

void leave_tool(ViewState& view) {
  const std::shared_ptr<const StageBefore> before = std::exchange(view.before_tool, nullptr);
  if (!before) return;
  view.tools[view.board.board] = view.board;
  const std::string left = view.board.board;
  // What was done and what the window knows meanwhile stays.
  LessonView lesson = before->lesson;
  lesson.course = view.lesson.course;
  lesson.progress = std::move(view.lesson.progress);
  lesson.progress_changed = view.lesson.progress_changed;
  lesson.now = view.lesson.now;
  lesson.rail_scroll = view.lesson.rail_scroll;
  lesson.rail_shows = view.lesson.rail_shows;
  view.lesson = std::move(lesson);
  view.board = before->board;
  view.tab = before->tab;
  view.column_open = before->column;
  view.gpu.enlarged = before->charts;
  if (view.present.on && left == view.present.landed.board) view.present.elsewhere = false;
  view.selection = before->selection;
  std::erase_if(view.present.strokes, passes);
  view.present.strokes.insert(view.present.strokes.end(), before->strokes.begin(), before->strokes.end());
  view.focus.clear();
  view.editing.clear();
  view.playing = false;
}

bool tool_over_other_stop(const ViewState& view) {
  if (!tool_open(view) || !off_stop(view)) return false;
  const LessonView& before = view.before_tool->lesson;
  return !before.id.empty() && StopPlace{before.id, {}, before.beat} != view.present.landed;
}

std::string back_words(const ViewState& view) {
  if (!tool_open(view)) return {};
  const LessonView& lesson = view.before_tool->lesson;
  if (lesson.review) return "the review";
  const std::shared_ptr<const Lesson> found = lesson.id.empty() ? nullptr : lesson_called(lesson, lesson.id);
  return found ? lesson_words(*found) : "the walk";
}

}  // namespace tilewalk
