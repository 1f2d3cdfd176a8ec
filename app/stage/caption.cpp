// The sentence over the stage, the formula with its numbers, and where in the walk this is.
#include "app/stage/formula.h"
#include "app/stage/pieces.h"
#include "app/text/text.h"
#include "core/walk/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr float kWidestCaption = 1040;  // about 110 characters at 20 px

std::string place_words(const Canvas& canvas) {
  const Place& at = canvas.now.place;
  if (!canvas.story.any) return "start";
  const std::string part = fmt::format("part {} of {}", at.part, at.parts);
  const WalkProgram& program = *canvas.now.walk->schedule.forms[canvas.now.walk->plan().variant.form].program;
  const auto pass = canvas.now.step()->pass;
  const WalkNest* nest = nest_on_show(canvas.now);
  if (!nest || nest->inner.empty()) return part;
  // What the inner loop runs over; the block or row that it belongs to is told in SRAM.
  return fmt::format("{} {} of {} · {}", program.keys_outside(pass) ? "Q tile" : "K/V tile", at.tile, at.tiles, part);
}

}  // namespace

float caption_height(const Style& style, float width, float height) {
  const bool one_line = width >= style.px(kWidestCaption);
  const bool low = height < style.px(560);
  return style.px((one_line ? 32 : 54) + (low ? 26 : 30));
}

std::string shown_formula(const Moment& moment, const ViewState& view) {
  const Step* step = moment.step();
  const bool statistic = step && (step->kind == StepKind::RowMax || step->kind == StepKind::RowSum ||
                                  step->kind == StepKind::Rescale || step->kind == StepKind::Exponentiate);
  return statistic && left_out(view, "statistics") ? std::string() : moment.words.formula;
}

void layout_caption(Canvas& canvas, Rect rect, bool place) {
  const Style& st = canvas.style;
  const std::string& words = canvas.now.words.caption;
  const bool one_line = rect.w >= st.px(kWidestCaption);
  const float below = rect.h - st.px(one_line ? 32 : 54);
  const Rect top{rect.x, rect.y, rect.w, rect.h - below};

  // The largest size at which the caption takes the lines there are.
  const size_t lines_there = one_line ? 1 : 2;
  float size = st.heading();
  std::vector<std::string> lines;
  for (; size >= st.px(16); size -= st.px(1)) {
    lines = wrap_text(words, Face::Sans, size, rect.w);
    if (lines.size() <= lines_there && (lines_there == 1 || size <= st.px(20))) break;
  }
  if (lines.size() > lines_there) {
    lines.resize(lines_there);
    size = st.px(16);
    lines.back() = ellipsize(lines.back() + " …", Face::Sans, size, rect.w);
  }
  // One line where there is room for two stands next to the formula.
  const float line = lines_there == 1 ? top.h : top.h / 2, first = float(lines_there - lines.size());
  for (size_t n = 0; n < lines.size(); ++n)
    canvas.scene.label({top.x, top.y + (first + float(n)) * line, top.w, line}, lines[n], Face::Sans, size,
                       st[Role::Text]);

  // Formula to the left, place to the right; the place gives way first.
  const Rect row{rect.x, top.bottom(), rect.w, below};
  const std::string formula = shown_formula(canvas.now, canvas.view);
  float formula_size = st.caption();
  while (formula_size > st.px(15) && text_width(formula, Face::MonoBold, formula_size) > rect.w * 0.72f)
    formula_size -= st.px(1);
  const float width = canvas.fit(row, {formula}, Face::MonoBold, formula_size, st[Role::AccentText]);
  if (!place) return;
  Rect right{rect.x + width + st.px(16), row.y, rect.w - width - st.px(16), below};
  if (const Mistake mistake = canvas.now.walk->plan().problem.mistake; mistake != Mistake::None) {
    const std::string words(words_of(mistake));
    right.w -= canvas.fit(right, {"Broken on purpose: " + words, "Broken: " + words, "Broken on purpose", "Broken"},
                          Face::SansBold, st.number(), st[Role::WrongText], Align::Right) +
               st.px(24);
  }
  const std::string name(canvas.now.walk->schedule.name);
  const Schedule& schedule = canvas.now.walk->schedule;
  const std::string pass = canvas.story.any && schedule.passes.size() > 1
                               ? std::string(schedule.passes[canvas.now.step()->pass]) + " · "
                               : std::string();
  const std::string brief = place_words(canvas), tile = brief.substr(0, brief.find(" · "));
  for (const std::string& text : {name + " · " + pass + brief, name + " · " + brief, brief, tile})
    if (text_width(text, Face::Sans, st.number()) <= right.w) {
      canvas.scene.label(right, text, Face::Sans, st.number(), st[Role::TextSecondary], Align::Right);
      break;
    }
}

}  // namespace tilewalk
