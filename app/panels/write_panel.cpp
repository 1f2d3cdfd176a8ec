// Write: the program's name, the puzzle that is tried, the text, one sentence on it, and its meters.
#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "app/panels/write_parts.h"
#include "app/session/write_moves.h"
#include "app/state/written.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

using namespace ui;

Node small_button(std::string words, std::string_view command, std::string tip = {}) {
  return button(std::move(words), runs(command, std::move(tip)), Fill::Solid, {16, Face::SansBold}).padding(12, 0);
}

Node head(const ViewState& view) {
  return row(of(text(written_name(view), {18, Face::SansBold}).width(grow()),
                text(is_written_saved(view) ? "" : "•", {18, Face::SansBold}).width(px(10)),
                small_button("Lines", "statements"), small_button("Puzzles", "programs"),
                small_button("Save", "program-save"), small_button("Link", "copy-link")),
             6)
      .height(px(34));
}

Node sentence(const ViewState& view) {
  const WrittenSays says = written_says(view);
  const Role role = says.tone == WrittenSays::Tone::Good    ? Role::RightText
                    : says.tone == WrittenSays::Tone::Fault ? Role::WrongText
                                                            : Role::TextSecondary;
  std::string words = says.line > 0 ? fmt::format("Line {}: {}", says.line, says.words) : says.words;
  return wrapped(words.empty() ? " " : std::move(words), {16, Face::Sans, role, Align::Left, 21}, 4)
      .height(between(42, 42))
      .pressed({"write:says",
                (says.words.empty() ? "" : says.words + "\n") +
                    "What the judge finds: it runs the program on small problems in float64",
                {},
                false});
}

// Always as high, so that nothing moves while one types.
Node below(const ViewState& view) {
  const Written* now = view.write.now.get();
  const bool stands = now && now->faults.empty() && now->unfit.empty();
  const bool empty = view.write.program.text.find_first_not_of(" \n") == std::string::npos;
  if (stands && view.write.puzzle && now->tried.solved() && view.gpu.program_card && view.gpu.program)
    return written_on_gpu(view, true).height(px(18));
  return text((stands || empty) && typing_in_program(view)
                  ? "F1: all lines · Tab, Shift+Tab: deeper, back · Esc: leave it"
              : stands || empty ? "W: back to the text · F1: all lines"
                                : "The stage shows the last text that could be read.",
              {14, Face::Sans, Role::TextSecondary, Align::Left, 18})
      .height(px(18));
}

// A low window tells the GPU in a line first, then leaves it out, then the meters, then all hints but the newest.
enum class Room : uint8_t { Full, GpuLine, NoGpu, NoMeters, OneHint };

Node panel_for(const ViewState& view, int at, Room room) {
  std::vector<Node> parts = of(head(view));
  if (view.write.puzzle) parts.push_back(puzzle_card(view, room == Room::OneHint));
  parts.push_back(written_text(view, at));
  parts.push_back(below(view));
  parts.push_back(sentence(view));
  if (room <= Room::NoGpu) parts.push_back(written_meters(view));
  if (room <= Room::GpuLine) parts.push_back(written_on_gpu(view, room == Room::GpuLine));
  return column(std::move(parts), 8).padding(12, 10);
}

constexpr float kTextHeight = 150;  // of the text, at least where there is room; it takes what the rest leaves

// Who tries a puzzle sees all of the text, as long as it was and as it is to become: so nothing moves while one types.
// The goals say what the meters would, which stand there where there is room for both.
size_t lines_wanted(const ViewState& view) {
  const WriteView& write = view.write;
  if (!write.puzzle) return 0;
  const auto lines = [](const std::string& text) { return size_t(std::ranges::count(text, '\n')) + 1; };
  return std::min<size_t>(std::max(lines(write.puzzle->solution.text), lines(write.puzzle->start.text)) + 1, 24);
}

Node panel(const ViewState& view, int at, Rect area, const Style& style) {
  const size_t lines = lines_wanted(view);
  const float wanted =
      lines == 0 ? 0 : text_pitch(area.inset(style.px(12), 0), style) * float(lines) + style.px(16 - kTextHeight);
  for (const Room room : {Room::Full, Room::GpuLine, Room::NoGpu, Room::NoMeters}) {
    if (lines > 0 && room < Room::NoGpu) continue;
    Node node = panel_for(view, at, room);
    const float rest = area.h - height_of(node, area.w, style.scale);
    if (rest >= (room == Room::NoMeters ? 0 : std::max(0.0f, wanted))) return node;
  }
  return panel_for(view, at, Room::OneHint);
}

const Placed* text_of(const Placed& placed) {
  if (placed.node->press.name == kWriteText) return &placed;
  for (const Placed& kid : placed.kids)
    if (const Placed* found = text_of(kid)) return found;
  return nullptr;
}

// The line of the text that the step on show stands in; 0: none.
int line_on_show(const Moment& moment, const ViewState& view) {
  const Step* step = moment.step();
  const Written* now = view.write.now.get();
  const bool own = now && moment.walk->schedule.id == Method::Own && now->faults.empty() && now->unfit.empty();
  return step && own && step->line < now->line_of_code.size() ? now->line_of_code[step->line] : 0;
}

}  // namespace

size_t write_lines(const ViewState& view, Rect area, const Style& style) {
  if (area.w <= 0) return view.write.shown;
  const Node tree = panel(view, 0, area, style);
  const Placed placed = layout(tree, area, style.scale);
  const Placed* text = text_of(placed);
  const float room = text ? text->rect.h - style.px(16) : 0;
  return size_t(std::max(1.0f, text ? room / text_pitch(text->rect, style) + 0.01f : 1.0f));
}

void layout_write(Scene& scene, const Session&, const Moment& moment, const ViewState& view, Rect area,
                  const Style& style) {
  scene.box(area, 0, style[Role::Surface]);
  scene.line({area.right() - style.px(0.5f), area.y}, {area.right() - style.px(0.5f), area.bottom()}, style[Role::Line],
             style.px(1));
  show(scene, panel(view, line_on_show(moment, view), area, style), area, style, view.hover);
}

}  // namespace tilewalk
