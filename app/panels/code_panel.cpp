// The schedule's pseudo-code: the line that the playhead is on is the black bar; lines that belong to what is pointed
// at are lit. And below it the formula of the step, in symbols and with the followed row's numbers.
#include "app/panels/column_parts.h"
#include "app/panels/widgets.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/kernel/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

float line_pitch(const Column& column) { return column.px(24); }
float card_pad(const Column& column) { return column.px(10); }

// The kinds of step that a line stands for, one bit each.
using Kinds = uint64_t;
static_assert(kStepKindCount <= 64);
constexpr Kinds bit(StepKind kind) { return Kinds{1} << int(kind); }

std::span<const std::string> code_of(const Column& column) {
  return column.moment.walk->schedule.code(column.plan().variant);
}

// Read off the walk, line by line: the first and the last steps of each pass show all of them.
std::vector<Kinds> kinds_of_lines(const Column& column) {
  constexpr int64_t kEnough = 1024;
  std::vector<Kinds> kinds(code_of(column).size());
  const std::vector<Step>& steps = column.moment.walk->replay.steps();
  const int64_t end = int64_t(steps.size());
  for (int64_t pass_end, k = 0; k < end; k = pass_end) {
    const int pass = steps[size_t(k)].pass;
    pass_end = std::partition_point(steps.begin() + k, steps.end(), [&](const Step& s) { return s.pass == pass; }) -
               steps.begin();
    for (int64_t n = 0; n < std::min(kEnough, pass_end - k); ++n)
      for (const Step& step : {steps[size_t(k + n)], steps[size_t(pass_end - 1 - n)]})
        kinds[step.line] |= bit(step.kind);
  }
  return kinds;
}

bool touches(Kinds kinds, std::initializer_list<StepKind> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](StepKind kind) { return kinds & bit(kind); });
}

// The formula of the step, or, for steps of several kinds, the line that they make up.
std::string symbols_of(const Column& column) {
  const Step* step = column.moment.step();
  if (!step) return column.moment.walk->schedule.backward() ? "dQ, dK, dV from dO" : "O = softmax(Q Kᵀ · scale) V";
  const bool alike = std::all_of(column.moment.steps.begin(), column.moment.steps.end(),
                                 [&](const Step& s) { return s.kind == step->kind; });
  if (alike) return std::string(info_of(step->kind).formula);
  const std::string_view line = code_of(column)[step->line];
  return std::string(line.substr(line.find_first_not_of(' ')));
}

// Whether what is pointed at, anywhere in the window, belongs to this line.
bool lit(const Column& column, int line, Kinds kinds) {
  using enum StepKind;
  const std::string& hover = column.view.hover;
  const auto begins = [&](std::string_view with) { return hover.starts_with(with); };
  const std::string id = "line:" + std::to_string(line);
  if (hover == id || column.view.selection == id) return true;
  if (begins("tile:dQ")) return touches(kinds, {LoadDQ, AccumulateDQ, AddDQ, StoreDQ, ConvertDQ});
  if (begins("tile:dK")) return touches(kinds, {InitDK, AccumulateDK, StoreDK});
  if (begins("tile:dV")) return touches(kinds, {InitDV, AccumulateDV, StoreDV});
  if (begins("tile:dO")) return touches(kinds, {LoadDO});
  if (begins("tile:dP")) return touches(kinds, {GradientP, LoadDP, StoreDP});
  if (begins("tile:dS")) return touches(kinds, {GradientS, LoadDS, StoreDS});
  if (begins("stat:L/")) return touches(kinds, {LoadLse, LogSumExp});
  if (begins("stat:D/")) return touches(kinds, {DotO, DotP, LoadD});
  if (begins("tile:Q") || begins("cell:Q")) return touches(kinds, {LoadQ});
  if (begins("tile:K") || begins("cell:K")) return touches(kinds, {LoadK});
  if (begins("tile:V") || begins("cell:V")) return touches(kinds, {LoadV});
  if (begins("tile:S")) return touches(kinds, {Score, LoadS, StoreS});
  if (begins("tile:O")) return touches(kinds, {LoadO, Rescale, Accumulate, Normalize, StoreO});
  if (begins("stat:m/") || begins("stat:alpha/")) return touches(kinds, {RowMax});
  if (begins("stat:l/")) return touches(kinds, {RowSum});
  if (begins("marker:")) {
    const int64_t step = std::atoll(hover.c_str() + 7);
    const std::vector<Step>& steps = column.moment.walk->replay.steps();
    return step > 0 && step <= int64_t(steps.size()) && steps[size_t(step - 1)].line == line;
  }
  return false;
}

// For steps that compute nothing: what crossed which link.
std::vector<std::string> moved_words(const Column& column) {
  const Moment& m = column.moment;
  const int64_t in = m.after.meters.fill_bytes() - m.before.meters.fill_bytes();
  const int64_t out = m.after.meters.drain_bytes() - m.before.meters.drain_bytes();
  const int64_t dram = m.walk->l2.dram_read(m.playhead) - m.walk->l2.dram_read(m.from);
  if (in)
    return {fmt::format("{} L2→SM, {}", bytes_words(in),
                        dram == 0    ? "found in L2"
                        : dram == in ? "all from DRAM"
                                     : fmt::format("{} of them from DRAM", with_commas(dram)))};
  if (out) return {fmt::format("{} SM→L2", bytes_words(out))};
  return {};
}

std::string tip_of(Kinds kinds, std::string_view line) {
  std::string tip(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  for (const StepInfo& info : vocabulary())
    if (kinds & bit(info.kind)) tip += "\n" + std::string(info.meaning);
  return tip;
}

constexpr std::string_view kBetween = ";  ";  // two statements of one line

float room_for_code(const Column& column, float width) {
  return width - column.px(12) - 2 * (column.px(12) - column.px(4));
}

// Lines that are too wide lose the indentation that all of those shown share.
size_t shared_indent(const Column& column, std::span<const std::string> shown, float room) {
  const auto is_wide = [&](std::string_view line) {
    return text_width(line, Face::MonoBold, column.style.number()) > room;
  };
  if (std::none_of(shown.begin(), shown.end(), is_wide)) return 0;
  size_t indent = 99;
  for (std::string_view line : shown) indent = std::min(indent, line.find_first_not_of(' '));
  return indent;
}

// Where a line goes on in a second row; npos: it has one.
size_t break_in(const Column& column, std::string_view line, float room) {
  if (text_width(line, Face::MonoBold, column.style.number()) <= room) return std::string_view::npos;
  const size_t at = line.find(kBetween);
  return at == std::string_view::npos ? at : at + 1;
}

int rows_in(const Column& column, std::span<const std::string> shown, float room) {
  const size_t indent = shared_indent(column, shown, room);
  int rows = int(shown.size());
  for (const std::string& line : shown)
    rows += break_in(column, std::string_view(line).substr(indent), room) != std::string_view::npos;
  return rows;
}

}  // namespace

int code_rows(const Column& column, float width) {
  return rows_in(column, code_of(column), room_for_code(column, width));
}

float code_height(const Column& column, int rows) { return float(rows) * line_pitch(column) + 2 * card_pad(column); }

void layout_code(const Column& column, Rect area) {
  const Style& style = column.style;
  const std::span<const std::string> code = code_of(column);
  const float pitch = line_pitch(column), pad = card_pad(column), text_pad = style.px(12);
  column.scene.box(area, style.r_medium(), column.color(Role::Background), column.color(Role::Border), style.px(1.5f));

  // A window of lines around the current one where not all have room.
  const int rows = int((area.h - 2 * pad) / pitch + 0.01f);
  int count = std::min(int(code.size()), rows);
  const int current = column.moment.step() ? column.moment.step()->line : -1;
  int first = std::clamp(std::max(current, 0) - count / 2, 0, int(code.size()) - count);
  const float room = room_for_code(column, area.w);
  for (; count > 1 && rows_in(column, code.subspan(size_t(first), size_t(count)), room) > rows; --count)
    if (current - first > first + count - 1 - current) ++first;  // what is farther from the line goes
  const auto kinds = kinds_of_lines(column);

  const size_t indent = shared_indent(column, code.subspan(size_t(first), size_t(count)), room);
  std::vector<float> tops;
  float y = area.y + pad;
  for (int k = 0; k < count; ++k) {
    const int line = first + k;
    const std::string_view words = std::string_view(code[size_t(line)]).substr(indent);
    const size_t cut = break_in(column, words, room);
    const bool two = cut != std::string_view::npos && y + 2 * pitch <= area.bottom() - pad + 1;
    const Rect bar{area.x + style.px(6), y, area.w - style.px(12), two ? 2 * pitch : pitch};
    tops.push_back(y);
    y += bar.h;
    const bool now = line == current;
    if (now)
      column.scene.box(bar, style.r_small(), column.color(Role::Inverse));
    else if (lit(column, line, kinds[size_t(line)]))
      column.scene.box(bar, style.r_small(), column.color(Role::SurfaceStrong));
    const auto set = [&](float top, std::string text) {
      fitted_label(column.scene, style, Rect{bar.x, top, bar.w, pitch}.inset(text_pad - style.px(4), 0),
                   std::move(text), now ? Face::MonoBold : Face::Mono, style.number(),
                   column.color(now ? Role::InverseText : Role::Text));
    };
    set(bar.y, std::string(two ? words.substr(0, cut) : words));
    if (two) {  // under its beginning
      const std::string_view rest = words.substr(words.find_first_not_of(' ', cut));
      set(bar.y + pitch, std::string(words.find_first_not_of(' '), ' ') + std::string(rest));
    }
    column.scene.region(bar, "line:" + std::to_string(line), tip_of(kinds[size_t(line)], code[size_t(line)]), true);
  }
  if (rungs_of(column.moment.walk->schedule.id).empty()) return;

  // The way to the kernel's own source, at the end of a line that leaves room for it.
  const Rect button{area.right() - style.px(76), 0, style.px(66), pitch};
  for (const int k : {count - 1, 0}) {
    const std::string_view line = std::string_view(code[size_t(first + k)]).substr(indent);
    if (area.x + text_pad + text_width(line, Face::MonoBold, style.number()) > button.x - style.px(8)) continue;
    text_button(column.scene, column.view, style, {button.x, tops[size_t(k)], button.w, pitch}, "CUDA",
                "command:source", "The source of the kernel that runs this on a GPU, at this step (U)", Look::Solid,
                Face::SansBold, style.small());
    return;
  }
}

float formula_height(const Column& column, float width, float usual) {
  const float longest = text_width(info_of(StepKind::RowMax).formula, Face::Mono, column.style.number());
  return usual + (longest > width - column.px(32) ? column.px(24) : 0);  // the same at every step
}

void layout_formula(const Column& column, Rect area) {
  const Style& style = column.style;
  column.scene.box(area, style.r_medium(), column.color(Role::Surface));
  const Rect inner = area.inset(style.px(16), style.px(area.h >= style.px(80) ? 10 : 6));

  // The numbers may be two equations; each has a line of its own.
  std::vector<std::string> lines;
  std::string rest = column.moment.words.formula;
  for (size_t at; (at = rest.find(";  ")) != std::string::npos; rest = rest.substr(at + 3))
    lines.push_back(rest.substr(0, at));
  if (!rest.empty()) lines.push_back(rest);
  if (lines.empty()) lines = moved_words(column);
  std::vector<std::string> symbols{symbols_of(column)};
  const size_t cut = symbols[0].find(kBetween);
  if (cut != std::string::npos && text_width(symbols[0], Face::Mono, style.number()) > inner.w &&
      inner.h / float(lines.size() + 2) >= style.px(20))
    symbols = {symbols[0].substr(0, cut + 1), symbols[0].substr(cut + kBetween.size())};
  const bool symbols_fit = symbols.size() > 1 || inner.h / float(lines.size() + 1) >= style.px(22) || lines.empty();
  const size_t above = symbols_fit ? symbols.size() : 0;
  const float pitch = inner.h / float(lines.size() + above);

  for (size_t k = 0; k < above; ++k)
    fitted_label(column.scene, style, {inner.x, inner.y + float(k) * pitch, inner.w, pitch}, symbols[k], Face::Mono,
                 style.number(), column.color(lines.empty() ? Role::Text : Role::TextSecondary));
  for (size_t k = 0; k < lines.size(); ++k)
    fitted_label(column.scene, style, {inner.x, inner.y + float(k + above) * pitch, inner.w, pitch}, lines[k],
                 Face::MonoBold, style.body(), column.color(Role::AccentText));
}

}  // namespace tilewalk
