#include "app/stage/room.h"

#include "app/stage/pieces.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// The sentence in at most two lines, the formula below it as large as it fits.
void layout_room_caption(Canvas& canvas, Rect rect, float formula_h) {
  const Style& st = canvas.style;
  const Rect top{rect.x, rect.y, rect.w, rect.h - formula_h};
  std::vector<std::string> lines;
  float size = st.heading();
  for (;; size -= st.px(0.5f)) {
    lines = wrap_text(canvas.now.words.caption, Face::SansBold, size, rect.w);
    if (lines.size() <= 2 || size <= st.caption()) break;
  }
  if (lines.size() > 2) {
    lines.resize(2);
    lines.back() = ellipsize(lines.back() + " …", Face::SansBold, size, rect.w);
  }
  const float pitch = top.h / 2;
  for (size_t n = 0; n < lines.size(); ++n)
    canvas.scene.label({top.x, top.y + float(n) * pitch, top.w, pitch}, lines[n], Face::SansBold, size, st[Role::Text]);

  const std::string& formula = canvas.now.words.formula;
  float number = st.display();
  while (number > st.small() && text_width(formula, Face::MonoBold, number) > rect.w) number -= st.px(0.5f);
  // One line of the sentence leaves its second line to the formula.
  const float y = lines.size() > 1 ? top.bottom() : top.bottom() - pitch * 0.5f;
  canvas.fit({rect.x, y, rect.w, formula_h}, {formula}, Face::MonoBold, number, st[Role::AccentText]);
}

}  // namespace

std::string room_place_words(const Moment& moment) {
  const std::string name(moment.walk->schedule.name);
  if (moment.steps.empty()) return name;
  const Place& at = moment.place;
  return fmt::format("{} · tile {} of {} · part {} of {}", name, at.tile, at.tiles, at.part, at.parts);
}

void layout_room_stage(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                       const Style& style) {
  Canvas canvas(scene, session, moment, view, style);
  const float gap = style.px(8), caption = style.px(52), formula = style.px(40), dram = style.px(112);
  const Rect words{area.x, area.y, area.w, caption + formula};
  const Rect low{area.x, area.bottom() - dram, area.w, dram};
  layout_room_caption(canvas, words, formula);
  layout_sram(canvas, {area.x, words.bottom() + gap, area.w, low.y - words.bottom() - 2 * gap});
  layout_dram(canvas, low);
  layout_motion(canvas);
}

}  // namespace tilewalk
