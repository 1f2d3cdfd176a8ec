// The whole stage of a board: its caption above, its picture, and the knobs within reach below.
#include "app/boards/board.h"
#include "app/boards/fixed_premises.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// One sentence or two, as large as they fit; the first line stays where it is when a second comes.
void layout_caption(const BoardView& view, Rect rect, std::string_view words) {
  const Style& st = view.style;
  const auto height = [&](float size) {
    return float(wrap_text(words, Face::Sans, size, rect.w).size()) * size * kLinePitch;
  };
  float size = st.title();
  while (size > st.body() && height(size) > rect.h) size -= st.px(1);
  text_block(view, {rect.x, rect.y, rect.w, std::min(height(size), rect.h) + 1}, words, Face::Sans, size, Role::Text);
}

// The plates of the question that was just answered, on their way up.
void lift_plates(const BoardView& now, Rect picture) {
  BoardState before = now.state;
  before.covered = now.view.lesson.lifting;
  std::vector<Rect> plates;
  Scene aside;
  aside.size = now.scene.size;
  now.board.layout({{before, now.session, now.view, now.board}, {aside, now.style}, &plates}, picture);
  const float gone = now.view.lesson.lift * now.view.lesson.lift;  // slow at first, as what is lifted is
  for (const Rect& plate : plates)
    now.box({plate.x, plate.y, plate.w, plate.h * (1 - gone)}, now.style.r_small(), {Role::SurfaceStrong, 1 - gone},
            {Role::Border, 1 - gone}, now.px(1.5f));
}

std::string knob_text_of(const Board& board, const BoardState& state, std::string_view id) {
  for (const Knob& knob : board.knobs)
    if (knob.id == id) return knob_text(knob, knob_value(board, state, id));
  return {};
}

// "Sequence length N 4,096 · GPU H100 · Causal mask on"; of a row its scores once, and nothing of a choice or switch
// that is as it always is; then what no knob turns.
std::string words_of_knobs(const Exhibit& view) {
  const Board& board = view.board;
  const BoardState& state = view.state;
  std::string words, scores;
  // A row's scores as far as it has keys: those behind them stand nowhere.
  const bool row = board.id == "row";
  int64_t left = row ? number_or(knob_text_of(board, state, "keys"), int64_t{0}) : 0;
  for (const Knob& knob : board.knobs) {
    if (knob.label.empty()) continue;
    const double value = knob_value(board, state, knob.id);
    if (row && knob.label.starts_with("Score of key")) {
      if (left-- > 0) scores += fmt::format("{}{}", scores.empty() ? "Scores " : ", ", knob_text(knob, value));
    } else if (!is_usual(knob, value)) {
      words += fmt::format("{}{} {}", words.empty() ? "" : " · ", knob.label, knob_text(knob, value));
    }
  }
  std::string all = std::move(scores);
  for (const std::string& more : {words, fixed_premises(view)})
    if (!more.empty()) all += (all.empty() ? "" : " · ") + more;
  return all;
}

}  // namespace

void layout_board(Scene& scene, const Session& session, const ViewState& view_state, const BoardState& state, Rect area,
                  const Style& style, BoardFor whom) {
  const Board* board = board_named(state.board);
  if (!board) return;
  const BoardView view{
      {state, session, view_state, *board}, {scene, style}, nullptr, whom == BoardFor::File, whom == BoardFor::Hands};
  const float s = style.scale, w = area.w / s, h = area.h / s;
  const float pad_x = w < 800 ? 12 : 24, pad_y = h < 560 ? 8 : 14;  // as every stage has them
  const Rect in = area.inset(style.px(pad_x), style.px(pad_y));
  const float caption = style.px(h < 560 ? 50 : 68);
  std::string told = board->caption(view);
  if (whom == BoardFor::File) told = without_controls(told);
  layout_caption(view, {in.x, in.y, in.w, caption}, told);

  const std::string values = whom == BoardFor::File ? words_of_knobs(view) : std::string();
  const float size = style.number(), line = size * kLinePitch;
  const float knobs = whom == BoardFor::Hands
                          ? knob_row_height(view, in.w)
                          : line * float(wrap_text(values, Face::Sans, size, in.w).size()) + style.px(1);
  const Rect row{in.x, in.bottom() - knobs, in.w, knobs};
  const float gap = style.px(h < 560 ? 8 : 16);
  const Rect picture{in.x, in.y + caption + gap, in.w, row.y - (knobs > 0 ? gap : 0) - in.y - caption - gap};
  board->layout(view, picture);
  if (whom != BoardFor::File && view_state.lesson.lift < 1) lift_plates(view, picture);
  if (whom == BoardFor::File)
    text_block(view, row, values, Face::Sans, size, Role::TextSecondary);
  else if (knobs > 0)
    layout_knob_row(view, row);
}

}  // namespace tilewalk
