// The right column: its tabs, and the room that each gets. The tabs' contents are in files of their own.
#include "app/panels/column_parts.h"
#include "app/panels/cards.h"
#include "app/session/lesson_moves.h"
#include "app/text/text.h"
#include "app/session/beat_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace tilewalk {
namespace {

// Whether the beat on show has words of its own for the walk on the stage.
bool explains_itself(const ViewState& view) {
  const Beat* beat = beat_on_show(view);
  return beat && !beat->explain.empty() && stage_of_beat(*lesson_on_show(view), view.lesson.beat) == kWalkStage;
}

struct TabRow {
  Tab tab;
  std::string_view title, id, tip;
};
constexpr std::array<TabRow, 5> kTabs{{
    {Tab::Lesson, "Lesson", "tab:lesson", "The lesson's text and questions (5)"},
    {Tab::Explain, "Explain", "tab:explain", "What this step does, in words, as a chart and as code"},
    {Tab::Numbers, "Numbers", "tab:numbers", "The followed row and all bytes, in six digits"},
    {Tab::Problem, "Problem", "tab:problem", "Sizes, tiles, mask, schedule and inputs"},
    {Tab::Gpu, "GPU", "tab:gpu", "Real kernels on a real GPU, or what one did, beside the prediction"},
}};

// The lesson's is there only while a lesson is open.
std::span<const TabRow> tabs_for(const ViewState& view) {
  const bool lesson = !view.lesson.id.empty() || !view.lesson.fault_of.empty();
  return std::span(kTabs).subspan(lesson ? 0 : 1);
}

float layout_tabs(const Column& column, Rect area, float pad) {
  const std::span<const TabRow> tabs = tabs_for(column.view);
  const Style& style = column.style;
  const float height = style.px(area.h >= style.px(700) ? 54 : 44), size = style.body();
  float words = 0;
  for (const TabRow& tab : tabs) words += text_width(tab.title, Face::SansBold, size) + style.px(2);
  const float gap = std::clamp((area.w - 2 * pad - words) / float(tabs.size() - 1), style.px(6), style.px(26));
  float x = area.x + pad;
  column.scene.line({area.x, area.y + height}, {area.right(), area.y + height}, column.color(Role::Line), style.px(1));
  for (const TabRow& tab : tabs) {
    const bool open = column.view.tab == tab.tab, hovered = column.view.hover == tab.id;
    const float width = text_width(tab.title, Face::SansBold, size) + style.px(2);
    const Rect slot{x, area.y, width, height};
    column.scene.label(slot, tab.title, open ? Face::SansBold : Face::Sans, size,
                       column.color(open || hovered ? Role::Text : Role::TextSecondary));
    if (open)
      column.scene.box({x, area.y + height - style.px(3), width, style.px(3)}, style.px(1.5f),
                       column.color(Role::Text));
    column.scene.region({x - gap / 2, area.y, width + gap, height}, std::string(tab.id), std::string(tab.tip), true);
    x += width + gap;
  }
  return height;
}

}  // namespace

std::string_view id_of(Tab tab) { return std::ranges::find(kTabs, tab, &TabRow::tab)->id; }

void Column::show(const ui::Node& node, Rect area) const { ui::show(scene, node, area, style, view.hover); }

void Column::set(Flow& flow, ui::Node node, float width) const {
  const auto kept = std::make_shared<const ui::Node>(std::move(node));
  flow.add(ui::height_of(*kept, width, style.scale), [this, kept](Rect r) { show(*kept, r); });
}

ui::Node page_switch(const std::vector<std::string>& titles, int open) {
  std::vector<ui::Choice> choices;
  for (const std::string& title : titles) {
    const int k = int(choices.size());
    choices.push_back({title, {fmt::format("choice:page/{}", k), "Shows " + title, means(TurnPage{k})}, k == open});
  }
  return ui::segments(std::move(choices)).height(ui::px(36));
}

float row_chevrons(const Column& column, Rect card) {
  const Style& s = column.style;
  const int64_t row = column.query_row(), first = column.moment.tile * column.tiling().br;
  const int64_t end = first + column.tiling().rows(column.moment.tile);
  if (end - first <= 1) return card.right();
  const float side = s.px(24);
  float x = card.right();
  for (const bool up : {false, true}) {
    const int64_t to = row + (up ? -1 : 1);
    const bool can = to >= first && to < end;
    const std::string id = fmt::format("row:{}", to);
    const Rect r{x -= side, card.y, side, side};
    const Color color = s[!can ? Role::Border : Role::Text];
    if (can && column.view.hover == id) column.scene.box(r, s.r_small(), s[Role::SurfaceStrong]);
    const Vec2 c = r.center();
    const float dx = s.px(5), dy = s.px(up ? 2.5f : -2.5f), width = s.px(2);
    column.scene.line({c.x - dx, c.y + dy}, {c.x, c.y - dy}, color, width);
    column.scene.line({c.x, c.y - dy}, {c.x + dx, c.y + dy}, color, width);
    if (can) column.scene.region(r, id, fmt::format("Follow row {}", to + 1), true);
    if (!up) x -= s.px(4);
  }
  return x - s.px(12);
}

Rect pages_room(const Column& column, Rect area) { return {area.x, area.y, area.w, area.h - column.px(52)}; }

Rect layout_pages(const Column& column, Rect area, const std::vector<std::string>& titles) {
  const Rect room = pages_room(column, area);
  const int open = std::clamp(column.view.page, 0, int(titles.size()) - 1);
  column.show(page_switch(titles, open), {area.x, room.bottom() + column.px(6), area.w, column.px(36)});
  return room;
}

void layout_column(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                   const Style& style) {
  const Column column{scene, session, moment, view, style};
  scene.box(area, 0, style[Role::Background]);
  scene.line({area.x, area.y}, {area.x, area.bottom()}, style[Role::Line], style.px(1));
  const float pad = style.px(area.w >= style.px(440) ? 28 : 18);
  const float tabs = layout_tabs(column, area, pad);
  const Rect content = layout_lesson_foot(column, {area.x + pad, area.y + tabs, area.w - 2 * pad, area.h - tabs});
  const Board* board = board_named(view.board.board);
  switch (view.tab) {
    case Tab::Lesson: layout_lesson(column, content); break;
    case Tab::Explain:
      if (board || (session.other() && explains_itself(view)))
        layout_board_explain(column, board, content);
      else
        layout_explain(column, content);
      break;
    case Tab::Numbers: board ? layout_board_numbers(column, *board, content) : layout_numbers(column, content); break;
    case Tab::Problem: layout_problem(column, content); break;
    case Tab::Gpu: layout_gpu(column, content); break;
  }
}

}  // namespace tilewalk
