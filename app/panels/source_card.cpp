// The second page of the code: the kernel's own source, the lines that carry out the step on the stage lit, scrolled to
// them. Lines that are too wide go on below, indented; nothing of the source is left out.
#include "app/panels/column_parts.h"
#include "app/panels/flow.h"
#include "app/panels/form.h"
#include "app/text/text.h"
#include "core/schedules/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::string_view kPseudoCode = "steps";

std::string_view file_name(const KernelSource& source) { return source.file.substr(source.file.rfind('/') + 1); }

// The pieces of a line of code, each of at most `columns` characters: broken behind a comma, a bracket or a blank.
std::vector<std::string> pieces_of(std::string_view line, size_t columns) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string go_on(std::min(indent + 4, columns / 2), ' ');
  std::vector<std::string> out;
  std::string before;
  while (before.size() + line.size() > columns) {
    const size_t room = columns - before.size();
    size_t at = line.find_last_of(" ,({", room - 1);
    at = at == std::string_view::npos || at < line.find_first_not_of(' ') + 1 ? room : at + 1;
    out.push_back(before + std::string(line.substr(0, at)));
    line.remove_prefix(at);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    before = go_on;
  }
  if (!line.empty() || out.empty()) out.push_back(before + std::string(line));
  return out;
}

// Why no line is lit.
std::string unlit_words(const KernelSource& source, const Step* step) {
  if (!step) return "A step lights the lines that carry it out.";
  const std::string name(info_of(step->kind).name);
  if (source.kernel == KernelId::Standard || source.kernel == KernelId::StandardBackward)
    return fmt::format("{}: in cuBLAS, whose source is not open.", name);
  return fmt::format("{}: no step of its own in this kernel.", name);
}

}  // namespace

const KernelSource* source_on_show(const Column& column) {
  const std::optional<KernelId> kernel = column.view.source.shown(column.moment.walk->schedule.id);
  return kernel ? source_of(*kernel) : nullptr;
}

float layout_code_choice(const Column& column, Rect area) {
  std::vector<Option> options{{std::string(kPseudoCode), "Pseudo-code", "The schedule's steps, line by line"}};
  for (const KernelId kernel : rungs_of(column.moment.walk->schedule.id)) {
    const KernelSource& source = *source_of(kernel);
    options.push_back({std::string(info_of(kernel).key), std::string(file_name(source)),
                       fmt::format("{}: the source of the kernel that runs on the GPU", source.file)});
  }
  const KernelSource* now = source_on_show(column);
  layout_segments(column, area, "source", options, now ? info_of(now->kernel).key : kPseudoCode, area.h);
  return segments_height(column, options, area.w, area.h);
}

void layout_source(const Column& column, const KernelSource& source, Rect area) {
  const Style& style = column.style;
  column.scene.box(area, style.r_medium(), column.color(Role::Background), column.color(Role::Border), style.px(1.5f));
  const Rect inner = area.inset(style.px(10), style.px(8));
  const Step* step = column.moment.step();
  const SourceBlock* block = step ? block_of(source, *step) : nullptr;
  const float margin = style.px(20), size = style.small(), pitch = style.px(20);
  Rect text{inner.x, inner.y, inner.w - margin, inner.h};
  if (!block) {
    fitted_label(column.scene, style, {inner.x, inner.y, inner.w, style.px(26)}, unlit_words(source, step), Face::Sans,
                 style.number(), column.color(Role::TextSecondary));
    text.y += style.px(30), text.h -= style.px(30);
  }
  const float glyph = text_width("0", Face::Mono, size), numbers = glyph * 4;
  const auto columns = size_t(std::max(20.0f, (text.w - numbers - style.px(8)) / glyph));

  Flow flow;
  float lit_top = 0;
  for (int k = 0; k < int(source.lines.size()); ++k) {
    const bool lit = block && k >= block->first && k <= block->last;
    if (block && k == block->first) lit_top = flow.height();
    const Color ink = column.color(lit ? Role::InverseText : Role::Text);
    const Color note_ink = column.color(lit ? Role::InverseText : Role::TextSecondary);
    std::string number = fmt::format("{}", k + 1);  // beside the first piece of the line
    bool in_note = false;                           // behind "//"
    for (const std::string& piece : pieces_of(source.lines[size_t(k)], columns)) {
      const size_t note = in_note ? 0 : std::min(piece.find("//"), piece.size());
      flow.add(pitch, [&column, lit, ink, note_ink, note, number, piece, pitch, size, numbers](Rect r) {
        const float x = r.x + numbers + column.px(4);
        const std::string code = piece.substr(0, note);
        column.scene.label({r.x, r.y, numbers - column.px(6), pitch}, number, Face::Mono, size, note_ink, Align::Right);
        column.scene.label({x, r.y, r.right() - x, pitch}, code, lit ? Face::MonoBold : Face::Mono, size, ink);
        const float from = x + text_width(code, Face::Mono, size);
        if (note < piece.size())
          column.scene.label({from, r.y, r.right() - from, pitch}, piece.substr(note), Face::Mono, size, note_ink);
      });
      number.clear();
      in_note = in_note || note < piece.size();
    }
    if (block && k == block->last)
      flow.ground(lit_top, [&column](Rect r) { column.scene.box(r, 0, column.color(Role::Inverse)); });
  }
  const float more = flow.height() - text.h;
  const float follow = more > 0 ? std::clamp((lit_top - text.h / 3) / more, 0.0f, 1.0f) : 0;
  const bool scrolled = column.view.source.scroll >= 0;
  layout_scrolled(column.scene, style, column.view, text, flow, scrolled ? column.view.source.scroll : follow, margin,
                  "source", fmt::format("{}: the lines of this step are lit", source.file));
}

}  // namespace tilewalk
