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

namespace {

struct FormulaLines {
  std::vector<std::string> lines;
  float size;
};

// On one line, the larger the better; where it has no room there on two of the smallest type, parted between its
// equations if they fit.
FormulaLines formula_lines(const Style& st, const std::string& formula, float width) {
  const auto wide = [&](std::string_view text, float size) { return text_width(text, Face::MonoBold, size); };
  float size = st.caption();
  while (size > st.px(15) && wide(formula, size) > width * 0.72f) size -= st.px(1);
  if (wide(formula, size) <= width) return {{formula}, size};
  size = st.small();
  if (wide(formula, size) <= width) return {{formula}, size};
  constexpr std::string_view kBetween = ";  ";
  if (const size_t at = formula.find(kBetween); at != std::string::npos) {
    const std::string first = formula.substr(0, at + 1), second = formula.substr(at + kBetween.size());
    if (std::max(wide(first, size), wide(second, size)) <= width) return {{first, second}, size};
  }
  std::vector<std::string> lines = wrap_text(formula, Face::MonoBold, size, width);
  if (lines.size() > 2) {
    lines.resize(2);
    lines.back() = ellipsize(lines.back() + " …", Face::MonoBold, size, width);
  }
  return {lines, size};
}

}  // namespace

void layout_caption(Canvas& canvas, Rect rect, bool place) {
  const Style& st = canvas.style;
  const std::string& words = canvas.now.words.caption;
  const bool one_line = rect.w >= st.px(kWidestCaption);
  const auto [formula, formula_size] = formula_lines(st, shown_formula(canvas.now, canvas.view), rect.w);
  const float pitch = formula_size * 1.25f;
  const float below = std::max(rect.h - st.px(one_line ? 32 : 54), formula.size() > 1 ? 2 * pitch : 0);
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
  float width = 0;
  for (size_t n = 0; n < formula.size(); ++n) {
    const Rect line = formula.size() == 1 ? row : Rect{row.x, row.y + float(n) * pitch, row.w, pitch};
    width = std::max(width, canvas.fit(line, {formula[n]}, Face::MonoBold, formula_size, st[Role::AccentText]));
  }
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
