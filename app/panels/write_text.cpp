// The text of a program while it is written: lines with their numbers, the caret and what is selected, the line that
// the walk is at, and what is wrong in the line where it is.
#include "app/panels/write_parts.h"
#include "app/session/write_moves.h"
#include "app/state/written.h"
#include "app/text/text.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr float kGutter = 38, kPad = 8;

struct TextPicture {
  Scene& scene;
  const ViewState& view;
  const Style& style;
  Rect area;
  int at;  // the line that the walk is at
  float pitch = text_pitch(area, style), size = pitch / 1.5f;
  Rect room{area.x + style.px(kGutter), area.y + style.px(kPad), area.w - style.px(kGutter + kPad),
            area.h - 2 * style.px(kPad)};

  float width(std::string_view text) const { return text_width(text, Face::Mono, size); }

  // How much of a line lies left of what is seen, in bytes: only the caret's line is turned.
  size_t hidden(std::string_view line, size_t caret) const {
    size_t from = 0;
    while (from < caret && width(line.substr(from, caret - from)) > room.w - style.px(12)) {
      do ++from;
      while (from < line.size() && (static_cast<unsigned char>(line[from]) & 0xC0) == 0x80);
    }
    return from;
  }

  void selection(std::string_view shown, size_t begin, float y) const {
    const EditedText& program = view.write.program;
    const size_t low = std::min(program.caret, program.anchor), high = std::max(program.caret, program.anchor);
    const size_t end = begin + shown.size();
    if (low == high || high < begin || low > end) return;
    const float from = low > begin ? width(shown.substr(0, low - begin)) : 0;
    const float to = high <= end ? width(shown.substr(0, high - begin)) : width(shown) + style.px(6);
    scene.box({room.x + from, y, std::min(to, room.w) - from, pitch}, 0, with_alpha(style[Role::Accent], 0.35f));
  }

  void label(std::string_view words, float x, float y, float most, Role role, Face face = Face::Mono) const {
    if (words.empty() || most < style.px(12)) return;
    const std::string shown = ellipsize(std::string(words), face, size, most);
    scene.label({x, y, std::min(most, text_width(shown, face, size) + 1), pitch}, shown, face, size, style[role]);
  }

  void line(size_t number, std::string_view text, size_t begin, float y) const {
    const EditedText& program = view.write.program;
    const bool typing = typing_in_program(view);
    const bool here = program.caret >= begin && program.caret <= begin + text.size();
    const std::optional<LineFault> wrong = fault_of_line(view, number);
    const Rect whole{area.x + style.px(2), y, area.w - style.px(4), pitch};
    if (int(number) + 1 == at) {
      scene.box(whole, style.r_small(), style[Role::SurfaceStrong]);
      scene.box({whole.x, y, style.px(4), pitch}, 0, style[Role::Text]);
    }
    scene.label({area.x + style.px(6), y, style.px(kGutter - 14), pitch}, fmt::format("{}", number + 1), Face::Mono,
                style.small() * 0.999f < size ? style.small() : size,
                style[wrong ? Role::WrongText : Role::TextSecondary], Align::Right);
    const size_t left = typing && here ? hidden(text, program.caret - begin) : 0;
    const std::string_view shown = text.substr(left);
    if (typing && here) {  // under the letters
      const float x = room.x + width(text.substr(left, program.caret - begin - left));
      scene.box({x - style.px(1), y + style.px(2), style.px(2), pitch - style.px(4)}, 0, style[Role::Text]);
    }
    selection(shown, begin + left, y);

    const size_t comment = std::min(shown.find('#'), shown.size());
    const float code_w = width(shown.substr(0, comment));  // a comment stays where it was typed
    label(is_shown_with_glyphs(view, number) ? walk_shown(shown) : shown.substr(0, comment), room.x, y, room.w,
          Role::Text);
    label(shown.substr(comment), room.x + code_w, y, room.w - code_w, Role::TextSecondary);
    const float used = std::min(width(shown), room.w);
    Rect told;
    if (wrong) {
      const std::string_view before = shown.substr(0, at_place(shown, {0, size_t(std::max(wrong->column - 1, 0))}));
      const float from = wrong->column > 0 ? std::min(width(before), room.w) : 0;
      const float to = std::max(used, from + style.px(8));
      scene.line({room.x + from, y + pitch - style.px(1.5f)},
                 {room.x + std::min(to, room.w), y + pitch - style.px(1.5f)}, style[Role::WrongText], style.px(2));
      const float words = used + style.px(16);
      // The first one's words stand below in full: beside it they stand whole or not at all.
      const bool below = written_says(view).line == int(number) + 1;
      const float least = below ? text_width(wrong->words, Face::Sans, size) + 1 : style.px(90);
      const bool fits = room.w - words > least;
      if (fits) label(wrong->words, room.x + words, y, room.w - words, Role::WrongText, Face::Sans);
      told = fits ? Rect{room.x + words, y, room.w - words, pitch} : Rect{area.x, y, style.px(kGutter - 4), pitch};
    }
    std::string id = fmt::format("write:line/{}", number);
    if (left > 0) id += fmt::format("/{}", left);
    scene.region({room.x, y, room.w, pitch}, std::move(id), fmt::format("Line {}", number + 1), false);
    if (wrong) scene.region(told, fmt::format("write:fault/{}", number), wrong->words, false);
  }

  void paint() const {
    const std::vector<std::string_view> lines = lines_of(view.write.program);
    const size_t top = top_line(view, at);
    for (size_t k = top; k < std::min(lines.size(), top + view.write.shown); ++k)
      line(k, lines[k], size_t(lines[k].data() - view.write.program.text.data()), room.y + float(k - top) * pitch);
    if (lines.size() <= view.write.shown) return;
    // Where in the text one is.
    const float part = float(view.write.shown) / float(lines.size()), from = float(top) / float(lines.size());
    scene.box({area.right() - style.px(5), room.y + room.h * from, style.px(3), room.h * part}, style.px(1.5f),
              style[Role::TextSecondary]);
  }
};

}  // namespace

float text_pitch(Rect area, const Style& style) { return style.px(area.w >= style.px(580) ? 24 : 21); }

ui::Node written_text(const ViewState& view, int at) {
  return ui::canvas([&view, at](Scene& scene, Rect r, const Style& s) {
           TextPicture{scene, view, s, r, at}.paint();
         })
      .height({150, 60, 1})
      .on({.fill = Role::Background,
           .border = typing_in_program(view) ? Role::Focus : Role::Border,
           .radius = 8,
           .border_width = typing_in_program(view) ? 2 : 1.5f})
      .pressed({std::string(kWriteText),
                "The program's text: type here. Esc leaves it, then the keys step the walk",
                {},
                true});
}

}  // namespace tilewalk
