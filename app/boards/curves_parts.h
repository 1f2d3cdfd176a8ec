// The board "curves", private to its files.
#pragma once

#include "app/boards/attention_case.h"
#include "app/boards/board_runs.h"
#include "app/boards/series_chart.h"
#include "core/roofline/rest.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class CurvesView : uint8_t { Time, Win, L2, Dram, Memory, Against };
extern const std::array<std::string_view, 6> kCurvesViewIds;
constexpr std::array<Method, 5> kCurvesMethods{Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3, Method::Fa4};
// Those that a kernel of this program, and so a run of it, follows.
constexpr std::array<Method, 4> kRunMethods{Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3};
CurvesView curves_view(const Exhibit& view);

bool keeps_tokens(const BoardState& state);           // with N: the tokens, or B and H
const std::vector<double>& curve_stops(bool tokens);  // where there are values
Case case_at(const Exhibit& view, double n);          // the call that the knobs describe, at another N
double model_value(CurvesView what, Method method, const Case& asked, const Roofs& roofs);
SeriesChart curves_chart(const Exhibit& view, const Roofs& roofs);

// The ink of a method, one in all charts: the standard one grey, FA3 in the accent.
struct MethodInk {
  Paint line, text;
  float width, dash;
};
MethodInk ink_of(Method method);

// One kernel of this project that was timed, with the problem that it ran.
struct RecordedRun {
  BoardRun from;
  const RunResult* run;
  const KernelResult* kernel;
  Method method;
  Case asked;
};
// All of 512 tokens or more, and those of one GPU.
std::vector<RecordedRun> all_recorded(const GpuView& gpu);
std::vector<RecordedRun> recorded_on(const Roofs& roofs, const GpuView& gpu);

std::string_view suffix_of(RunKind kind);  // "_recorded": of a series' id

// What was told of a model's curve at exactly that N: this session's before a person's own before the shipped ones.
struct ToldValue {
  RunKind kind;
  Series::Point point;
  const Series& series;  // of the chart
};
std::optional<ToldValue> told_at(const SeriesChart& chart, const std::string& id, double n);

// "◆ recorded on NVIDIA H200, 2026-11-21 to 2026-11-28", or that there is nothing of this GPU.
std::string words_of_recordings(const std::vector<RecordedRun>& runs);
bool same_call(const Case& a, const Case& b);  // the same problem and pass, whatever the method

// "Predicted and measured": model over recorded for every recorded shape, and for the chosen one what is missing.
std::string caption_against(const Exhibit& view, const Roofs& roofs);
void layout_against(const BoardView& view, Rect area, const Roofs& roofs);
std::vector<Series> series_against(const Exhibit& view, const Roofs& roofs);
// The recorded run that the knobs choose: the nearest N of that d, mask and method; null without recordings.
const RecordedRun* chosen_run(const std::vector<RecordedRun>& runs, const Exhibit& view);
std::string act_against(std::string_view id, BoardState& state);

}  // namespace tilewalk
