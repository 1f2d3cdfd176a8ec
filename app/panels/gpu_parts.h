// The pieces of the GPU panel, private to it: words for each state, bars, charts.
#pragma once

#include "app/panels/column_parts.h"
#include "app/panels/form.h"
#include "app/scene/hatch.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What the pill and the head of the panel say.
struct GpuWords {
  std::string_view glyph;  // never the colour alone
  std::string pill;        // a few words
  std::string headline;    // the same, with room
  std::string sentence;    // the reason, and what to do; may be empty
  std::vector<Chip> actions;
  Role role = Role::Text;  // of the glyph; WrongText, RightText, TextSecondary or Text
};
GpuWords gpu_words(const GpuView& gpu);

// Why a row has no time here, for the place of its bar; and beside a recording that stands in for it: "not run here:
// ...".
std::string no_time_words(const GpuRow& row);
std::string stand_in_words(const GpuRow& row);

std::string short_gpu_name(std::string_view name);  // "NVIDIA H200" -> "H200", "NVIDIA H100 80GB HBM3" -> "H100"
std::string date_words(std::string_view iso);       // "2026-11-20T..." -> "20 Nov 2026"
// "1.54 ms", "12.3 µs"; in the unit of another time where one is given, so that the two can be compared.
std::string time_words(double milliseconds, double beside = 0);
std::string l2_words(const GpuBoard& board);                 // ", L2 warm" of the times that are shown; may be empty
std::string rate_words(const GpuRow& row);                   // "680 TFLOP/s", empty without a time
std::string error_words(double value);                       // "4.1e-4", "0"
std::string ratio_words(double measured, double predicted);  // "1.000×"
// "1.000× predicted"; for a few kilobytes, where a launch's own reads weigh more, "67,840 B over predicted".
std::string against_words(double measured, double predicted);
std::string moment_words(std::string_view utc, std::string_view today);  // "13:14" here; "13:14 on 20 Nov 2026"
// "now" of the last run; "at 13:14" of an earlier one, and of what a class's GPU answers from what it kept.
std::string measured_when(const RunResult& run, const GpuView& gpu);
// Where the shown numbers are from: "Measured now on H200", "◆ Recorded 20 Nov 2026 on H200, same inputs".
std::string source_words(const GpuBoard& board, const GpuView& gpu, bool recorded);
// Of the tensor cores' peak at the clock that was read, where both are known; else empty.
std::string share_words(const GpuRow& row);
// The model's time under that GPU's recorded roofs and what to expect beside it; else what the matrix products take at
// that peak; else empty. And in a sentence, what it is and what calls that were measured took over it.
std::string model_words(const GpuRow& row, const GpuBoard& board);
std::string model_tip(const GpuRow& row, const GpuBoard& board);
// Why a form of FA1 takes longer than standard attention beside it, in idle multiprocessors and bytes: "64 blocks leave
// 68 of 132 multiprocessors idle; 1.4× the DRAM bytes". Empty where it does not.
std::string slower_words(const GpuRow& row, const GpuBoard& board);
// Of FP8: what eight bits cost, "O off by 5.3e-2 of its length, L by 1.3e-2"; of split-KV the splits and their blocks.
// Empty for others.
std::string cost_words(const GpuRow& row);
// Of FP8: "rounding before it takes 208 µs more: 653 TFLOP/s with it". Empty for others.
std::string pass_words(const GpuRow& row);
// The row whose details are shown; null where the board has none.
const GpuRow* chosen_row(const GpuView& gpu);
std::string count_words(double bytes);           // "8,437 B", "4.36 GB"
double bytes_of_dram(const Counters& counters);  // read plus written; negative where either is missing

// Two bars of one quantity: predicted as an outline, measured solid (hatched where recorded), with their numbers.
struct BarPair {
  double predicted = -1, measured = -1, most = 1;  // negative: not known
  bool recorded = false;
  std::string waiting;  // said in place of an unknown prediction; empty where there is none to come
};
void layout_bar_pair(const Column&, Rect, const BarPair&);

void layout_times(const Column&, Rect, const GpuBoard&);
std::string peers_words(const GpuBoard& board);  // whose numbers board.peers are, where from, how measured
float bytes_height(const Column&);
void layout_bytes(const Column&, Rect, const GpuRow&, bool named);  // named: says whose bytes

// What the chart on show is there to say, from the numbers themselves.
std::string gpu_finding(const GpuBoard&, const GpuRow* chosen, const GpuView&);

// Charts, each over the whole rectangle.
void layout_comparison(const Column&, Rect, const GpuBoard&);
void layout_gpu_statistics(const Column&, Rect, const GpuRow&, const GpuBoard&);
void layout_gpu_difference(const Column&, Rect, const GpuRow&, const GpuBoard&);
void layout_gpu_stamps(const Column&, Rect, const GpuRow&);
void layout_gpu_chart(const Column&, Rect, const GpuRow&, const GpuBoard&);  // of these three the one that is chosen

// The ladder: whole, with its switches; in the column, the switches alone; which problem it is of; and its headline.
void layout_ladder(const Column&, Rect, const GpuBoard&);
void layout_ladder_switches(const Column&, Rect, const GpuBoard&);
void layout_ladder_choice(const Column&, Rect line);
std::string ladder_finding(const GpuBoard&);

// A sentence in the middle of an empty chart.
void layout_nothing(const Column&, Rect, std::string_view headline, std::string_view sentence);
// How to come by what only a run brings: "they are small enough to be traced", where there is a GPU to run on.
std::string by_a_run(const Column&, std::string_view small_enough);

}  // namespace tilewalk
