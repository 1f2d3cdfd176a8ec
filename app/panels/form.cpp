#include "app/panels/form.h"

#include "app/session/fields.h"
#include "app/state/action.h"
#include "app/text/text.h"
#include "app/ui/layout.h"
#include "app/ui/parts.h"

#include <algorithm>

namespace tilewalk {
namespace {

using namespace ui;

float radius_of(float row) { return std::min(10.f, row / 4); }

size_t per_line(const Column& column, const std::vector<Option>& options, float width) {
  float widest = 0;
  for (const Option& option : options)
    widest = std::max(widest, text_width(option.title, Face::SansBold, column.style.small()));
  const size_t fit = std::max<size_t>(1, size_t(width / (widest + column.px(12))));
  if (fit >= options.size()) return options.size();
  const size_t lines = (options.size() + fit - 1) / fit;
  return (options.size() + lines - 1) / lines;  // as even as can be
}

}  // namespace

Node field_node(const Column& column, const std::string& name, std::string caption, std::string tip, float row) {
  const std::string id = "field:" + name, locked = locked_field(column.session, name);
  const bool refused = column.view.refused.contains(name), typing = column.view.editing == id;
  Surface box{.fill = Role::Background,
              .border = refused  ? Role::Wrong
                        : typing ? Role::Text
                                 : Role::Border,
              .radius = radius_of(row),
              .border_width = refused || typing ? 2 : 1.5f};
  if (!locked.empty() && !refused) box = {.fill = Role::SurfaceStrong, .radius = radius_of(row)};
  Node field = text(typing ? std::string() : field_text(column.session, column.view, name),
                    {16, Face::Mono, Role::Text, Align::Left, 0, true})
                   .height(px(row))
                   .padding(10, 0)
                   .on(box)
                   .pressed({id, locked.empty() ? std::move(tip) : locked, means(TypeInto{id})});
  if (caption.empty()) return field;
  return ui::column(
      of(text(std::move(caption), {14, Face::Sans, Role::TextSecondary}).height(px(20)), std::move(field)));
}

Node segments_node(const Column& column, std::string_view field, const std::vector<Option>& options,
                   std::string_view chosen, float width, float row) {
  std::vector<Choice> choices;
  for (const Option& option : options)
    choices.push_back(
        {option.title, {"choice:" + std::string(field) + "/" + option.value, option.tip}, option.value == chosen});
  return segments(std::move(choices), per_line(column, options, width), row);
}

Node chips_node(const std::vector<Chip>& chips, float row) {
  std::vector<Node> nodes;
  for (const Chip& chip : chips)
    nodes.push_back(
        text(chip.title, {16, chip.chosen ? Face::SansBold : Face::Sans, Role::Text, Align::Center, 0, true})
            .height(px(row))
            .padding(14, 0)
            .on({.fill = Role::Background,
                 .hot = Role::SurfaceStrong,
                 .border = chip.chosen ? Role::Text : Role::Border,
                 .radius = radius_of(row),
                 .border_width = chip.chosen ? 2 : 1.5f})
            .pressed({chip.id, chip.tip}));
  return flow(std::move(nodes), 8);
}

Node note_node(std::string words, bool refusal) {
  const Font font{14, Face::Sans, refusal ? Role::WrongText : Role::TextSecondary, Align::Left, 20};
  Node note = wrapped(std::move(words), font).width(grow());
  if (!refusal) return note;
  Font mark = font;
  mark.face = Face::SansBold;
  return row(of(text("✕", mark).width(px(22)), std::move(note)), 0, Across::Start);
}

float segments_height(const Column& column, const std::vector<Option>& options, float width, float row) {
  const size_t line = per_line(column, options, width);
  return float((options.size() + line - 1) / line) * row;
}
void layout_segments(const Column& column, Rect area, std::string_view field, const std::vector<Option>& options,
                     std::string_view chosen, float row) {
  column.show(segments_node(column, field, options, chosen, area.w, row / column.style.scale),
              {area.x, area.y, area.w, segments_height(column, options, area.w, row)});
}

float chips_height(const Column& column, const std::vector<Chip>& chips, float width, float row) {
  return height_of(chips_node(chips, row / column.style.scale), width, column.style.scale);
}
void layout_chips(const Column& column, Rect area, const std::vector<Chip>& chips, float row) {
  column.show(chips_node(chips, row / column.style.scale), area);
}

float note_height(const Column& column, std::string_view text, float width, bool refusal) {
  return height_of(note_node(std::string(text), refusal), width, column.style.scale);
}
void layout_note(const Column& column, Rect area, std::string_view text, bool refusal) {
  column.show(note_node(std::string(text), refusal), area);
}

}  // namespace tilewalk
