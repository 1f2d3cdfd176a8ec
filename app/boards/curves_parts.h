// The board "curves", private to its files.
#pragma once

#include "app/boards/attention_case.h"
#include "app/boards/series_chart.h"
#include "core/roofline/rest.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

enum class CurvesView : uint8_t { Time, Win, L2, Dram, Memory, Against };

// The ink of a method, one in all charts: the standard one grey, FA3 in the accent.
struct MethodInk {
  Color line, text;
  float width, dash;
};
MethodInk ink_of(Method method, const Style& style);

// One recorded kernel of this project with the problem that it ran.
struct RecordedRun {
  const RunResult* run;
  const KernelResult* kernel;
  Method method;
  Case asked;
  size_t number;  // among all that were recorded: the dot's region is "board:dot/<number>"
};
// All of 512 tokens or more that were timed, and those of one GPU.
std::vector<RecordedRun> all_recorded();
std::vector<RecordedRun> recorded_on(const Roofs& roofs);

// "◆ recorded on NVIDIA H200, 2026-11-21", or that there is nothing of this GPU.
std::string words_of_recordings(const std::vector<RecordedRun>& runs);

// "Predicted and measured": model over recorded for every recorded shape, and for the chosen one what is missing.
std::string caption_against(const BoardView& view, const Roofs& roofs);
void layout_against(Scene& scene, const BoardView& view, Rect area, const Roofs& roofs);
std::vector<Series> series_against(const BoardView& view, const Roofs& roofs);
// The recorded run that the knobs choose: the nearest N of that d, mask and method; null without recordings.
const RecordedRun* chosen_run(const std::vector<RecordedRun>& runs, const BoardView& view);
std::string act_against(std::string_view id, BoardState& state);

}  // namespace tilewalk
