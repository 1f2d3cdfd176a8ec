#include "app/panels/form.h"

#include "app/session/fields.h"
#include "app/text/text.h"

#include <algorithm>

namespace tilewalk {
namespace {

float note_size(const Column& column) { return column.style.small(); }
float note_pitch(const Column& column) { return column.px(20); }
float mark_width(const Column& column) { return column.px(22); }

float widest_title(const Column& column, const std::vector<Option>& options) {
  float widest = 0;
  for (const Option& option : options)
    widest = std::max(widest, text_width(option.title, Face::SansBold, column.style.small()));
  return widest + column.px(12);
}

size_t per_line(const Column& column, const std::vector<Option>& options, float width) {
  const size_t fit = std::max<size_t>(1, size_t(width / widest_title(column, options)));
  if (fit >= options.size()) return options.size();
  const size_t lines = (options.size() + fit - 1) / fit;
  return (options.size() + lines - 1) / lines;  // as even as can be
}

float chip_width(const Column& column, const Chip& chip) {
  return text_width(chip.title, chip.chosen ? Face::SansBold : Face::Sans, column.style.number()) + column.px(28);
}

// Calls `place(chip, x, line)` for each chip in a flow of lines; returns the number of lines.
template <class Place>
int flow(const Column& column, const std::vector<Chip>& chips, float width, Place&& place) {
  float x = 0;
  int line = 0;
  for (const Chip& chip : chips) {
    const float w = std::min(chip_width(column, chip), width);
    if (x > 0 && x + w > width) x = 0, ++line;
    place(chip, x, line, w);
    x += w + column.px(8);
  }
  return line + 1;
}

}  // namespace

void layout_field(const Column& column, Rect area, std::string_view name, std::string_view caption,
                  std::string_view tip) {
  const Style& style = column.style;
  const std::string id = "field:" + std::string(name), key(name);
  const bool refused = column.view.refused.contains(key), typing = column.view.editing == id;
  const std::string locked = locked_field(column.session, name), text = field_text(column.session, column.view, name);
  Rect box = area;
  if (!caption.empty()) {
    const float height = style.px(20);
    column.scene.label({area.x, area.y, area.w, height}, caption, Face::Sans, style.small(),
                       column.color(Role::TextSecondary));
    box = {area.x, area.y + height, area.w, area.h - height};
  }
  const float radius = std::min(style.r_medium(), box.h / 4);
  if (!locked.empty() && !refused)
    column.scene.box(box, radius, column.color(Role::SurfaceStrong));
  else
    column.scene.box(box, radius, column.color(Role::Background),
                     column.color(refused  ? Role::Wrong
                                  : typing ? Role::Text
                                           : Role::Border),
                     style.px(refused || typing ? 2 : 1.5f));
  const Rect slot = box.inset(style.px(10), 0);
  if (!typing) fitted_label(column.scene, style, slot, text, Face::Mono, style.number(), column.color(Role::Text));
  column.scene.region(box, id, locked.empty() ? std::string(tip) : locked, true);
}

float segments_height(const Column& column, const std::vector<Option>& options, float width, float row) {
  const size_t line = per_line(column, options, width);
  return float((options.size() + line - 1) / line) * row;
}

void layout_segments(const Column& column, Rect area, std::string_view field, const std::vector<Option>& options,
                     std::string_view chosen, float row) {
  const Style& style = column.style;
  const size_t line = per_line(column, options, area.w);
  const float width = area.w / float(line), radius = std::min(style.r_medium(), row / 4);
  column.scene.box({area.x, area.y, area.w, segments_height(column, options, area.w, row)}, radius,
                   column.color(Role::SurfaceStrong));
  for (size_t k = 0; k < options.size(); ++k) {
    const Option& option = options[k];
    const Rect cell{area.x + float(k % line) * width, area.y + float(k / line) * row, width, row};
    const std::string id = "choice:" + std::string(field) + "/" + option.value;
    const bool now = option.value == chosen, hovered = column.view.hover == id;
    if (now)
      column.scene.box(cell.inset(style.px(3)), radius - style.px(1), column.color(Role::Background),
                       column.color(Role::Text), style.px(2));
    fitted_label(column.scene, style, cell.inset(style.px(4), 0), option.title, now ? Face::SansBold : Face::Sans,
                 style.number(), column.color(now || hovered ? Role::Text : Role::TextSecondary), Align::Center);
    column.scene.region(cell, id, option.tip.empty() ? option.title : option.tip, true);
  }
}

float chips_height(const Column& column, const std::vector<Chip>& chips, float width, float row) {
  const int lines = flow(column, chips, width, [](const Chip&, float, int, float) {});
  return float(lines) * (row + column.px(8)) - column.px(8);
}

void layout_chips(const Column& column, Rect area, const std::vector<Chip>& chips, float row) {
  const Style& style = column.style;
  flow(column, chips, area.w, [&](const Chip& chip, float x, int line, float width) {
    const Rect r{area.x + x, area.y + float(line) * (row + style.px(8)), width, row};
    const bool hovered = column.view.hover == chip.id;
    const float radius = std::min(style.r_medium(), row / 4);
    column.scene.box(r, radius, column.color(hovered ? Role::SurfaceStrong : Role::Background),
                     column.color(chip.chosen ? Role::Text : Role::Border), style.px(chip.chosen ? 2 : 1.5f));
    fitted_label(column.scene, style, r.inset(style.px(10), 0), chip.title, chip.chosen ? Face::SansBold : Face::Sans,
                 style.number(), column.color(Role::Text), Align::Center);
    column.scene.region(r, chip.id, chip.tip, true);
  });
}

float note_height(const Column& column, std::string_view text, float width, bool refusal) {
  const float indent = refusal ? mark_width(column) : 0;
  return float(wrap_text(text, Face::Sans, note_size(column), width - indent).size()) * note_pitch(column);
}

void layout_note(const Column& column, Rect area, std::string_view text, bool refusal) {
  const Color color = column.color(refusal ? Role::WrongText : Role::TextSecondary);
  const float indent = refusal ? mark_width(column) : 0, size = note_size(column), pitch = note_pitch(column);
  if (refusal) column.scene.label({area.x, area.y, indent, pitch}, "✕", Face::SansBold, size, color);
  float y = area.y;
  for (const std::string& line : wrap_text(text, Face::Sans, size, area.w - indent)) {
    column.scene.label({area.x + indent, y, area.w - indent, pitch}, ellipsize(line, Face::Sans, size, area.w - indent),
                       Face::Sans, size, color);
    y += pitch;
  }
}

}  // namespace tilewalk
