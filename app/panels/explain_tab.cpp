// The Explain tab, from top to bottom: what this step is about, the followed row as a chart, the schedule's
// pseudo-code, the formula. Where the column is low the code shrinks to a few lines, then goes; then the chart goes.
#include "app/panels/column_parts.h"
#include "app/text/text.h"
#include "core/playback/explain.h"

#include <algorithm>

namespace tilewalk {
namespace {

// Whole sentences, as many as fit `lines` lines; the first is always there.
std::vector<std::string> paragraph(const std::vector<std::string>& sentences, float size, float width, size_t lines) {
  std::vector<std::string> out;
  std::string text;
  for (const std::string& sentence : sentences) {
    text += (text.empty() ? "" : " ") + sentence;
    std::vector<std::string> wrapped = wrap_text(text, Face::Sans, size, width);
    if (!out.empty() && wrapped.size() > lines) break;
    out = std::move(wrapped);
  }
  if (out.size() > lines) {
    out.resize(lines);
    out.back() = ellipsize(out.back() + " …", Face::Sans, size, width);
  }
  return out;
}

}  // namespace

void layout_explain(const Column& column, Rect area) {
  Scene& scene = column.scene;
  const Style& style = column.style;
  const bool tall = area.h >= style.px(760), low = area.h < style.px(600);
  const Replay& replay = column.moment.walk->replay;
  const bool backward = replay.schedule().backward();
  const RowTrace trace = backward ? RowTrace() : trace_row(replay, column.moment.playhead, column.query_row());
  const GradientTrace gradients =
      backward ? trace_gradients(replay, column.moment.playhead, column.query_row()) : GradientTrace();
  const Moment& now = column.moment;
  const Explanation words = backward ? explain(replay, now.from, now.playhead, now.row, gradients)
                                     : explain(replay, now.from, now.playhead, now.row, trace);

  // Title and text keep their height from step to step, so that nothing below them jumps.
  float y = area.y + style.px(tall ? 22 : low ? 10 : 14);
  const float title_height = style.px(tall ? 36 : 30);
  fitted_label(scene, style, {area.x, y, area.w, title_height}, words.title, Face::SansBold,
               tall ? style.title() : style.heading(), column.color(Role::Text));
  y += title_height + style.px(tall ? 8 : 4);
  const float size = tall ? style.body() : style.number(), pitch = size * (tall ? 1.5f : 1.4f);
  const bool narrow = area.w < style.px(420);
  const size_t lines = low ? (narrow ? 4 : 2) : (narrow ? 5 : 4);
  for (const std::string& line : paragraph(words.sentences, size, area.w, lines)) {
    scene.label({area.x, y, area.w, pitch}, line, Face::Sans, size, column.color(Role::Text));
    y += pitch;
  }
  y = area.y + style.px(tall ? 22 : low ? 10 : 14) + title_height + style.px(tall ? 8 : 4) + float(lines) * pitch;

  if (const KernelSource* source = source_on_show(column)) {
    const float bottom = area.bottom() - style.px(tall ? 20 : 10);
    y += style.px(tall ? 16 : 8);
    y += layout_code_choice(column, {area.x, y, area.w, style.px(34)}) + style.px(6);
    if (bottom - y >= style.px(80)) layout_source(column, *source, {area.x, y, area.w, bottom - y});
    return;
  }

  // The rest goes to the chart, the code and the formula, in this order of need.
  const float gap = style.px(tall ? 16 : 10), formula_height = tilewalk::formula_height(column, area.w,
                                                                                        style.px(tall  ? 92
                                                                                                 : low ? 64
                                                                                                       : 84));
  const float bottom = area.bottom() - style.px(tall ? 20 : 10);
  float left = bottom - y - gap;
  const bool formula = left >= formula_height + gap + style.px(130);
  if (formula) left -= formula_height + gap;
  const int all_lines = code_rows(column, area.w);
  const float least_strip = style.px(tall ? 240 : low ? 170 : 206);
  int code_lines = all_lines;
  while (code_lines > 0 && left - gap - code_height(column, code_lines) < least_strip) --code_lines;
  if (code_lines < std::min(3, all_lines)) code_lines = 0;
  const float code = code_lines ? code_height(column, code_lines) : 0;
  const float strip = std::min(left - (code_lines ? code + gap : 0), style.px(460));

  y += gap;
  if (strip >= style.px(110)) {
    if (backward)
      layout_gradient_strip(column, gradients, {area.x, y, area.w, strip});
    else
      layout_row_strip(column, trace, {area.x, y, area.w, strip});
    y += strip + gap;
  }
  if (code_lines) {
    layout_code(column, {area.x, y, area.w, code});
    y += code + gap;
  }
  if (formula) layout_formula(column, {area.x, y, area.w, formula_height});
}

}  // namespace tilewalk
