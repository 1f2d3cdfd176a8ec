// The second page of the code: the kernel's own source, the lines that carry out the step on the stage lit, scrolled to
// them. Lines that are too wide go on below, indented; nothing of the source is left out.
#include "app/panels/column_parts.h"
#include "app/panels/flow.h"
#include "app/panels/form.h"
#include "app/text/text.h"
#include "core/kernel/kernel_source.h"

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

// The lines that carry out what is on show: all steps of a part, which the stage shows at once. Sorted, without those
// that no line does.
std::vector<const SourceBlock*> lit_blocks(const KernelSource& source, const Moment& moment) {
  std::vector<const SourceBlock*> out;
  for (const Step& step : moment.steps)
    if (const SourceBlock* block = block_of(source, step); block && std::ranges::find(out, block) == out.end())
      out.push_back(block);
  std::ranges::sort(out, {}, &SourceBlock::first);
  return out;
}

// Why no line is lit, or how the kernel's order differs from the stage's; empty where there is nothing to say.
std::string remark(const KernelSource& source, const Moment& moment, bool lit) {
  const Step* step = moment.step();
  if (!step) return "A step lights the lines that carry it out.";
  const bool standard = source.kernel == Method::Standard || source.kernel == Method::StandardBackward;
  if (!lit)
    return fmt::format("{}: {}.", info_of(step->kind).name,
                       standard ? "in cuBLAS, whose source is not open" : "no step of its own in this kernel");
  const Plan& plan = moment.walk->plan();
  const Plan kernel = make_plan(moment.walk->schedule, plan.problem, VariantId::Kernel);
  const bool rungs_below = source.kernel == Method::Naive || source.kernel == Method::Tiled;
  if (kernel.variant.last_to_first && !plan.variant.last_to_first && !rungs_below)
    return "The kernel goes from the last tile to the first; so does the stage in the kernel's variant (tab Problem).";
  if (rungs_below && plan.variant.last_to_first) return "This kernel goes from the first key to the last.";
  return {};
}

}  // namespace

const KernelSource* source_on_show(const Column& column) {
  const std::optional<Method> kernel = column.view.source.shown(column.moment.walk->schedule.id);
  return kernel ? source_of(*kernel) : nullptr;
}

float layout_code_choice(const Column& column, Rect area) {
  std::vector<Option> options{{std::string(kPseudoCode), "Pseudo-code", "The schedule's steps, line by line"}};
  for (const Method kernel : rungs_of(column.moment.walk->schedule.id)) {
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
  const std::vector<const SourceBlock*> lit = lit_blocks(source, column.moment);
  const float margin = style.px(20), size = style.small(), pitch = style.px(20);
  Rect text{inner.x, inner.y, inner.w - margin, inner.h};
  if (const std::string words = remark(source, column.moment, !lit.empty()); !words.empty())
    for (const std::string& line : wrap_text(words, Face::Sans, style.number(), inner.w)) {
      column.scene.label({inner.x, text.y, inner.w, style.px(24)}, line, Face::Sans, style.number(),
                         column.color(Role::TextSecondary));
      text.y += style.px(24), text.h -= style.px(24);
    }
  const float glyph = text_width("0", Face::Mono, size), numbers = glyph * 4;
  const auto columns = size_t(std::max(20.0f, (text.w - numbers - style.px(8)) / glyph));

  Flow flow;
  float first_lit = -1, block_top = 0;
  for (int k = 0; k < int(source.lines.size()); ++k) {
    const auto around = std::ranges::find_if(lit, [&](const SourceBlock* b) { return k >= b->first && k <= b->last; });
    const SourceBlock* block = around == lit.end() ? nullptr : *around;
    if (block && k == block->first) block_top = flow.height();
    if (block && first_lit < 0) first_lit = block_top;
    const Color ink = column.color(block ? Role::InverseText : Role::Text);
    const Color note_ink = column.color(block ? Role::InverseText : Role::TextSecondary);
    std::string number = fmt::format("{}", k + 1);  // beside the first piece of the line
    bool in_note = false;                           // behind "//"
    for (const std::string& piece : pieces_of(source.lines[size_t(k)], columns)) {
      const size_t note = in_note ? 0 : std::min(piece.find("//"), piece.size());
      flow.add(pitch, [&column, bold = block != nullptr, ink, note_ink, note, number, piece, pitch, size,
                       numbers](Rect r) {
        const float x = r.x + numbers + column.px(4);
        const std::string code = piece.substr(0, note);
        column.scene.label({r.x, r.y, numbers - column.px(6), pitch}, number, Face::Mono, size, note_ink, Align::Right);
        column.scene.label({x, r.y, r.right() - x, pitch}, code, bold ? Face::MonoBold : Face::Mono, size, ink);
        const float from = x + text_width(code, Face::Mono, size);
        if (note < piece.size())
          column.scene.label({from, r.y, r.right() - from, pitch}, piece.substr(note), Face::Mono, size, note_ink);
      });
      number.clear();
      in_note = in_note || note < piece.size();
    }
    if (block && k == block->last)
      flow.ground(block_top, [&column](Rect r) { column.scene.box(r, 0, column.color(Role::Inverse)); });
  }
  const float more = flow.height() - text.h;
  const float follow = more > 0 ? std::clamp((std::max(first_lit, 0.0f) - text.h / 4) / more, 0.0f, 1.0f) : 0;
  const bool scrolled = column.view.source.scroll >= 0;
  layout_scrolled(column.scene, style, column.view, text, flow, scrolled ? column.view.source.scroll : follow, margin,
                  "source", fmt::format("{}: what carries out this step is lit", source.file));
}

}  // namespace tilewalk
