// The whole window: where each panel lies at this size and scale, and what lies over them.
#include "app/boards/board.h"
#include "app/panels/class_panels.h"
#include "app/panels/links.h"
#include "app/panels/overlays.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/class_moves.h"
#include "app/session/lesson_moves.h"
#include "app/session/tools.h"
#include "app/session/write_moves.h"
#include "app/stage/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// Design pixels. Below the first the text would no longer fit, so the scale is held.
constexpr Vec2 kLeast{1024, 576};
constexpr float kColumnBesideWrite = 2200, kColumnFloats = 1280, kRailFloats = 1360, kRailHides = 1180;

}  // namespace

ShownScale shown_scale(Vec2 size, float wanted) {
  const float most = std::max(0.25f, std::min(size.x / kLeast.x, size.y / kLeast.y));
  ShownScale shown{std::min(wanted, most), false, {}};
  if (wanted > most * 1.005f)
    shown.note = fmt::format("Shown at {:.0f} % instead of {:.0f} %: a larger window (F11) has room for more.",
                             most * 100, wanted * 100);
  shown.overlays = size.x / shown.scale < kColumnFloats;
  return shown;
}

WindowGrid window_grid(Vec2 size, const ViewState& view) {
  WindowGrid g;
  const ShownScale shown = shown_scale(size, view.scale * view.monitor_scale);
  g.scale = shown.scale;
  const float width = size.x / g.scale, height = size.y / g.scale;  // design pixels
  const auto px = [&](float design) { return std::round(design * g.scale); };
  const bool writes = write_on_show(view);
  g.column_floats = width < (writes ? kColumnBesideWrite : kColumnFloats);
  g.rail_floats = width < kRailFloats;
  const bool rail_hides = width < kRailHides;

  // What is not stepped needs no transport.
  const Board* board = tool_open(view) ? board_named(view.board.board) : nullptr;
  const bool steps = !view.lesson.review && (!board || board->steps);
  const float bar = px(48), joined = in_class(view) ? px(44) : 0, top = bar + joined, foot = px(24),
              transport = px(!steps         ? 0
                             : height < 800 ? 76
                                            : 96);
  g.top_bar = {0, 0, size.x, bar};
  g.class_bar = {0, bar, size.x, joined};
  g.status = {0, size.y - foot, size.x, foot};
  g.transport = {0, size.y - foot - transport, size.x, transport};
  const float mid_h = g.transport.y - top;

  const float rail_full = px(264), rail_thin = px(56);
  g.rail_folded = g.rail_floats || !view.rail_open;
  const float rail_w = rail_hides ? 0 : g.rail_folded ? rail_thin : rail_full;
  g.rail = {0, top, rail_w, mid_h};
  if (g.rail_floats && view.rail_over) g.rail_over = {0, top, rail_full, size.y - top};

  // The column is as wide as a line of text reads well, less where the stage needs the room.
  const float column_w = px(std::clamp(width * 0.28f, 400.0f, 536.0f));
  const bool column_there = !view.lesson.review;  // the review page speaks of no step
  const float docked = column_there && !g.column_floats && view.column_open ? column_w : 0;
  g.column = {size.x - docked, top, docked, mid_h};
  if (column_there && g.column_floats && view.column_over) g.column_over = {size.x - px(460), top, px(460), mid_h};
  const float coach = view.coach && transport > 0 && !writes ? px(60) : 0;  // there the keys are the text's
  const float write = writes ? px(std::clamp(width * 0.38f, 460.0f, 720.0f)) : 0;
  g.write = {rail_w, top, write, mid_h};
  g.stage = {rail_w + write, top, size.x - rail_w - write - docked, mid_h - coach};
  g.coach = {rail_w, g.stage.bottom(), coach > 0 ? g.stage.w : 0, coach};
  return g;
}

void fit(ViewState& view, Vec2 size) {
  const WindowGrid grid = window_grid(size, view);
  view.rail_floats = grid.rail_floats;
  view.column_floats = grid.column_floats;
  const size_t shown = write_lines(view, grid.write, Style(view.theme, grid.scale));
  const bool fewer = shown < std::exchange(view.write.shown, shown);
  if (fewer && typing_in_program(view)) keep_caret_on_show(view);
  view.picker.shown = picker_rows({0, 0, size.x, size.y}, Style(view.theme, grid.scale));
}

void layout_overlays(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& style) {
  if (is_open<Menu>(view)) layout_menu(scene, session, view, window, style);
  if (is_open<GoTo>(view)) layout_go_to(scene, session, view, window, style);
  if (is_open<TypeElement>(view)) layout_element(scene, session, view, window, style);
  if (is_open<FileList>(view)) layout_picker(scene, view, window, style);
  if (is_open<ConfirmReset>(view)) layout_confirm_reset(scene, view, window, style);
  if (is_open<ExportSheet>(view)) layout_export(scene, session, view, window, style);
  if (is_open<LeftOverOffer>(view)) layout_left_over(scene, view, window, style);
  if (is_open<ChoiceList>(view)) layout_choice_list(scene, session, view, window, style);
  if (is_open<ProgramList>(view)) layout_programs(scene, view, window, style);
  if (is_open<JoinClass>(view)) layout_join_class(scene, view, window, style);
  if (is_open<ClassCard>(view)) layout_class_card(scene, session, view, window, style);
  if (is_open<ClassDesk>(view)) layout_class_desk(scene, session, view, window, style);
  if (is_open<ClassSummary>(view)) layout_class_summary(scene, session, view, window, style);
  if (is_open<About>(view)) layout_about(scene, view, window, style);
  if (is_open<WordSheet>(view)) layout_word_sheet(scene, view, window, style);
  if (is_open<KeySheet>(view)) layout_key_sheet(scene, view, window, style);
}

Scene layout_window(Session& session, const ViewState& wanted, Vec2 size) {
  ViewState view = wanted;
  fit(view, size);
  const WindowGrid grid = window_grid(size, view);
  const Style style(view.theme, grid.scale);
  const Rect window{0, 0, size.x, size.y};
  Scene scene;
  scene.size = size;
  scene.background = style[Role::Background];
  if (const std::string note = shown_scale(size, view.scale * view.monitor_scale).note;
      view.notice.empty() && !note.empty())
    view.notice = note;  // it stands there all the time: what is new goes before it

  const Moment moment = moment_of(session.walk(), view);
  const auto begins = [&](std::string_view part) {  // F6 goes from one to the next
    scene.region({}, fmt::format("begins:{}", part), "A part of the window", false);
  };
  begins("bar");
  layout_top_bar(scene, session, view, grid.top_bar, style);
  if (grid.class_bar.h > 0) layout_class_bar(scene, view, grid.class_bar, style);
  begins("lessons");
  if (grid.rail.w > 0) layout_rail(scene, session, view, grid.rail, style, grid.rail_folded);
  if (grid.write.w > 0) {
    begins("text");
    layout_write(scene, session, moment, view, grid.write, style);
  }
  const size_t before_stage = scene.regions.size();
  begins("stage");
  ViewState on_stage = view;
  on_stage.hover = hover_of_stage(session, view);
  if (view.gpu.enlarged)
    layout_gpu_charts(scene, session, moment, view, grid.stage, style);
  else if (view.lesson.review)
    layout_review(scene, session, moment, view, grid.stage, style);
  else if (!view.board.board.empty())
    layout_board(scene, session, on_stage, view.board, grid.stage, style);
  else if (session.other())
    layout_stage_pair(scene, session, moment, matching_moment(*session.other(), moment, view), on_stage, grid.stage,
                      style);
  else
    layout_stage(scene, session, moment, on_stage, grid.stage, style);
  ring_linked(scene, view, before_stage, scene.regions.size(), grid.stage, style);
  begins("column");
  if (grid.column.w > 0) layout_column(scene, session, moment, view, grid.column, style);
  begins("transport");
  if (view.board.board.empty() && !view.lesson.review)
    layout_transport(scene, session, moment, view, grid.transport, style);
  else if (grid.transport.h > 0)
    layout_board_transport(scene, session, view, grid.transport, style);
  if (grid.coach.w > 0) layout_coach(scene, grid.coach, style);
  layout_status(scene, session, view, grid.status, style);
  // In a lesson Tab goes to the stage first, then to the text, and to the rail last.
  if (beat_on_show(view)) {
    const auto first = scene.regions.begin();
    std::rotate(first, first + std::ptrdiff_t(before_stage), scene.regions.end());
  }

  // Panels that lie over the stage, then what takes all input.
  const auto over = [&](Rect rect) {
    scene.box(rect.inset(-style.px(10), 0), 0, with_alpha(rgb(0x000000), 0.14f));
    scene.region(rect, "panel:over", "A panel over the stage", false);
  };
  if (grid.rail_over.w > 0) over(grid.rail_over), layout_rail(scene, session, view, grid.rail_over, style, false);
  if (grid.column_over.w > 0)
    over(grid.column_over), layout_column(scene, session, moment, view, grid.column_over, style);
  layout_cell_steps(scene, session, view, window, style);
  layout_overlays(scene, session, view, window, style);
  layout_focus(scene, view, style);
  layout_tip(scene, view, window, style);
  return scene;
}

}  // namespace tilewalk
