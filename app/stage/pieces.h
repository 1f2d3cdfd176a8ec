// The pieces of the stage, each laid out into its own rectangle, fast memory on top.
#pragma once

#include "app/stage/canvas.h"

namespace tilewalk {

// Where things lie in the SRAM card. Rows of Q, S, the statistics and O are level with each other; keys stand over the
// columns of S, and the columns of V over those of O, so that both products read off like products on paper.
struct SramPlan {
  Rect title, q, k, v, s, o;  // grids of the full tile size
  Rect q_label, k_label, v_label, s_label, o_label;
  Rect m, alpha, l, stat_labels;  // columns of the statistics, level with S
  Rect row_numbers, registers;
};
SramPlan sram_plan(const Canvas& canvas, Rect card);
constexpr float kRoomStatWidth = 112;                      // design pixels: six digits of display()
SramPlan room_sram_plan(const Canvas& canvas, Rect card);  // for a room: the statistics have the most room

// What the lesson on the stage has not explained yet, and does without: "l2", "ledger", "statistics";
// "gradients", of a backward walk all but what makes P again; "pairing": two schedules side by side go each at its own
// pace, and do not meet at the same tiles.
bool left_out(const ViewState& view, std::string_view part);

void layout_caption(Canvas& canvas, Rect rect, bool place = true);  // with where in the walk this is
void layout_room_caption(Canvas& canvas, Rect rect);                // at most two lines, the largest type first
void layout_sram(Canvas& canvas, Rect rect);
void layout_statistics(Canvas& canvas, const SramPlan& plan);
// One column of a statistic with its letter over it; the rows' numbers beside a tile, to follow one of them.
void layout_statistic(Canvas& canvas, Tensor tensor, Rect column, Rect label);
void layout_row_numbers(Canvas& canvas, Rect numbers, Rect tile, float right);
void layout_sram_title(Canvas& canvas, Rect slot);      // what the chip is, and how full
void layout_registers_note(Canvas& canvas, Rect rect);  // a bracket under what lies in registers
void layout_backward_sram(Canvas& canvas, Rect rect);
void layout_l2(Canvas& canvas, Rect rect);
void layout_dram(Canvas& canvas, Rect rect);
void layout_scores_in_dram(Canvas& canvas, Rect rect);  // the N x N grids
void layout_ledger(Canvas& canvas, Rect rect);
void layout_motion(Canvas& canvas);  // tiles on their way; last, over everything
// The places a travelling tile passes, from where it leaves to where it arrives; fewer than two where it is not drawn.
std::vector<Rect> travel_path(const Canvas& canvas, const Story::Move& move);

// Rows of the caption block that this width needs, so that it never changes from step to step.
float caption_height(const Style& style, float width, float height);

// Sentences for the pointer.
std::string tip_of_tile(const Canvas& canvas, Tensor tensor, int64_t i, int64_t j, Level where);
std::string meaning_of(Tensor tensor);  // one sentence, for its heading
std::string tip_of_stat(const Canvas& canvas, Tensor tensor, int64_t row);

}  // namespace tilewalk
