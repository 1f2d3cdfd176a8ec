// Explain and Numbers where a board has the stage: how its picture is derived, and all its numbers with their sources.
// What a question still asks for stands in neither.
#include "app/boards/estimate_model.h"
#include "app/panels/lesson_parts.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/text/text.h"
#include "app/session/beat_stage.h"
#include "core/lesson/board_words.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {
namespace {

constexpr std::string_view kLater =
    "The rest answers a question of this lesson: it stands here once you have answered it.";

// First, of an estimate: the call as it is set, in sentences.
void set_model(Flow& flow, const Column& column, const Board& board, float width, float size) {
  const SaidOfModel* said = said_of_model({column.view.board, column.session, column.view, board});
  if (!said) return;
  const float points = size / column.style.scale;
  set_lines(flow, column, "Your model", {points, Face::SansBold}, width);
  for (const std::string& sentence : said->sentences) {
    flow.space(column.px(6));
    set_lines(flow, column, sentence, {points}, width);
  }
  flow.space(column.px(14));
  if (!said->unknown.empty()) set_lines(flow, column, "Not known here", {points, Face::SansBold}, width);
  for (const std::string& sentence : said->unknown) {
    flow.space(column.px(6));
    set_lines(flow, column, sentence, {points, Face::Sans, Role::TextSecondary}, width);
  }
  flow.space(column.px(14));
  set_lines(flow, column, "How the times come about", {points, Face::SansBold}, width);
  flow.space(column.px(6));
}

// `board`: none for two walks side by side, which their beat explains.
Flow page_of(const Column& column, const Board* board, float width, float size) {
  Flow flow;
  flow.space(column.px(column.scene.size.y / column.style.scale >= 900 ? 22 : 10));
  const Beat* beat = beat_on_show(column.view);
  set_lines(flow, column, board ? std::string(board->title) : beat->title, {22, Face::SansBold}, width);
  flow.space(column.px(8));
  if (board) set_model(flow, column, *board, width, size);
  const bool own =
      beat && !beat->explain.empty() &&
      stage_of_beat(*lesson_on_show(column.view), column.view.lesson.beat) == (board ? board->id : kWalkStage);
  const Prose* prose = own ? &beat->explain : explanation_of_board(board->id);
  if (!prose) return flow;
  static const Lesson kNone;
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(column.view);
  const std::vector<std::string>& covered = column.view.board.covered;
  ProseWords words = words_of(lesson ? *lesson : kNone, nullptr, "", column.session, column.view);
  words.quantity = [shown = words.quantity, &covered](const Span& span) -> ProseWords::Shown {
    for (const std::string& reading : covered)
      if (span.text == "stage." + reading) return {"?", "A question asks for this", false};
    return shown(span);
  };
  const ProsePage page{column.scene, column.style, column.view, words};
  // While a question is open, what the picture shows; how it comes about would answer it.
  // Who has been through the lesson has read it already.
  const LessonRecord* record = lesson ? record_of(column.view.lesson.progress, lesson->id) : nullptr;
  const bool whole = covered.empty() || (record && record->done);
  const size_t blocks = whole ? prose->size() : std::min<size_t>(1, prose->size());
  set_prose(flow, page, std::span(*prose).first(blocks),
            {width, size, std::round(size * 1.5f), column.color(Role::Text), false});
  flow.space(column.px(8));
  if (!whole) set_lines(flow, column, kLater, {size / column.style.scale, Face::Sans, Role::TextSecondary}, width);
  return flow;
}

// One number: what it is and its value in a line, below it where it comes from.
void set_reading(Flow& flow, const Column& column, const Reading& reading, bool covered, float width) {
  const Style& style = column.style;
  const auto text = format_quantity(reading.quantity, "");
  const std::string value = covered ? "?" : std::string(mark_of(reading.quantity.origin)) + text.value_or("?");
  const float value_w = std::min(width * 0.45f, text_width(value, Face::MonoBold, style.number()) + style.px(8));
  flow.add(style.px(26), [&column, label = reading.label, value, value_w](Rect r) {
    const Style& s = column.style;
    fitted_label(column.scene, s, {r.x, r.y, r.w - value_w - s.px(8), r.h}, label, Face::Sans, s.number(),
                 column.color(Role::Text));
    fitted_label(column.scene, s, {r.right() - value_w, r.y, value_w, r.h}, value, Face::MonoBold, s.number(),
                 column.color(Role::Text), Align::Right);
  });
  const std::string_view source = reading.quantity.source;
  set_lines(flow, column,
            covered ? "asked for by a question"
                    : fmt::format("{}{}{}", name_of(reading.quantity.origin), source.empty() ? "" : ": ", source),
            {14, Face::Sans, Role::TextSecondary}, width);
  flow.space(style.px(6));
}

void show(const Column& column, Rect area, const Flow& flow, std::string_view tip) {
  const float margin = column.px(area.w >= column.px(384) ? 28 : 18);
  layout_scrolled(column.scene, column.style, column.view, area, flow, column.view.lesson.board_scroll, margin, "board",
                  tip);
}

}  // namespace

void layout_board_explain(const Column& column, const Board* board, Rect area) {
  // The largest type in which nothing has to be scrolled, else the smallest.
  const Style& style = column.style;
  Flow flow = page_of(column, board, area.w, style.body());
  if (flow.height() > area.h) flow = page_of(column, board, area.w, style.number());
  show(column, area, flow, "How this picture is derived");
}

void layout_board_numbers(const Column& column, const Board& board, Rect area) {
  const Exhibit view{column.view.board, column.session, column.view, board};
  Flow flow;
  flow.space(column.px(14));
  for (const Reading& reading : board.readings(view))
    set_reading(flow, column, reading, view.covered(reading.id), area.w);
  show(column, area, flow, "The numbers of this picture");
}

}  // namespace tilewalk
