#include "app/panels/talk_knobs.h"

#include "app/boards/knob_row.h"
#include "app/gpu/run_plan.h"
#include "app/panels/widgets.h"
#include "app/session/gpu_choices.h"
#include "app/session/turn_walk.h"
#include "app/ui/layout.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <vector>

namespace tilewalk {
namespace {

constexpr float kHeight = 64;  // design pixels, of a board's row of knobs

constexpr std::array kWalkKnobs{WalkKnob::Mask, WalkKnob::Schedule, WalkKnob::Machine, WalkKnob::Seed, WalkKnob::Row};

// "Schedule", and below it ‹ FA2 ›.
ui::Node walk_knob(WalkKnob knob, const Session& session, const ViewState& view) {
  const std::string label(label_of(knob));
  const auto step = [&](std::string_view glyph, std::string_view name, int by) {
    return ui::text(std::string(glyph), {16, Face::SansBold, Role::Text, Align::Center})
        .width(ui::px(36))
        .on({Role::SurfaceStrong, Role::Line, {}, 10})
        .pressed({fmt::format("turn:{}/{}", label, name),
                  fmt::format("{}: {}", label, by > 0 ? "the next" : "the one before"), means(TurnWalk{knob, by})});
  };
  const std::string words = words_of_knob(knob, session, view);
  const ui::Font font{16, Face::SansBold, Role::Text, Align::Center, 0, true};
  // One of many names opens the list of them, as a board's does.
  const size_t names = names_of_knob(knob, session).all.size();
  ui::Node value = names == 0 ? ui::text(words, font).width(ui::grow())
                              : ui::text({words + " ▾", words}, font)
                                    .width(ui::grow())
                                    .padding(6, 0)
                                    .on({Role::SurfaceStrong, Role::Line, {}, 10})
                                    .pressed({choices_region(list_of_knob(knob)),
                                              fmt::format("{}: the list of all {} (Enter)", label, names),
                                              means(OpenChoices{list_of_knob(knob)})});
  return ui::column(
             ui::of(ui::text(label, {14, Face::Sans, Role::TextSecondary}).height(ui::px(24)),
                    ui::row(ui::of(step("‹", "-", -1), std::move(value), step("›", "+", 1)), 4).height(ui::px(40))))
      .width(ui::grow());
}

// Of the GPU's charts: whose recording, which size, which chart. A press is the GPU tab's own.
struct ChartChoice {
  std::string_view label, field;
  std::vector<std::pair<std::string, std::string>> values;  // and what stands on them
};

std::vector<ChartChoice> chart_choices(const GpuView& gpu) {
  const auto sizes = [](std::span<const int64_t> all) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const int64_t n : all)
      out.emplace_back(std::to_string(n), n < 1024 ? std::to_string(n) : fmt::format("{}k", n / 1024));
    return out;
  };
  std::vector<ChartChoice> out{{"Recorded on", "gpu-on", {{"h200", "H200"}, {"h100", "H100"}}}};
  if (has_sizes(gpu.shape)) out.push_back({"N", "gpu-n", sizes(kBenchmarkN)});
  if (gpu.shape == GpuShape::Decode) out.push_back({"Keys", "gpu-decode-n", sizes(kDecodeN)});
  if (gpu.shape == GpuShape::Ladder) {
    out.push_back({"Head dimension", "gpu-ladder-d", {{"64", "64"}, {"128", "128"}}});
    out.push_back({"Mask", "gpu-ladder-mask", {{"full", "none"}, {"causal", "causal"}}});
  }
  return out;
}

ui::Node chart_knob(const ChartChoice& choice, const ViewState& view) {
  const std::string now = gpu_choice(view.gpu, choice.field);
  std::vector<ui::Node> options;
  for (const auto& [value, words] : choice.values) {
    const bool on = value == now;
    options.push_back(
        ui::text(words, {16, on ? Face::SansBold : Face::Sans, on ? Role::InverseText : Role::Text, Align::Center})
            .width(ui::grow())
            .on(on ? ui::Surface{Role::Inverse, {}, {}, 10} : ui::Surface{Role::SurfaceStrong, Role::Line, {}, 10})
            .pressed({fmt::format("choice:{}/{}", choice.field, value), fmt::format("{}: {}", choice.label, words)}));
  }
  return ui::column(
             ui::of(ui::text(std::string(choice.label), {14, Face::Sans, Role::TextSecondary}).height(ui::px(24)),
                    ui::row(std::move(options), 4).height(ui::px(40))))
      .width(ui::grow(float(choice.values.size())));
}

}  // namespace

float talk_knobs_height(const ViewState& view, const Style& style) {
  const Board* board = view.gpu.enlarged ? nullptr : board_named(view.board.board);
  return board && all_knobs(*board).empty() ? 0 : style.px(kHeight);
}

void layout_talk_knobs(Scene& scene, const Session& session, const ViewState& view, Rect row, const Style& style) {
  if (view.gpu.enlarged) {
    std::vector<ui::Node> knobs;
    for (const ChartChoice& choice : chart_choices(view.gpu)) knobs.push_back(chart_knob(choice, view));
    if (has_sizes(view.gpu.shape)) knobs.push_back(walk_knob(WalkKnob::Mask, session, view).width(ui::grow(2)));
    return ui::show(scene, ui::row(std::move(knobs), 20), row, style, view.hover);
  }
  if (const Board* board = board_named(view.board.board)) {
    if (!all_knobs(*board).empty()) layout_knob_row({{view.board, session, view, *board}, {scene, style}}, row);
    return;
  }
  std::vector<ui::Node> knobs;
  for (const WalkKnob knob : kWalkKnobs) knobs.push_back(walk_knob(knob, session, view));
  ui::show(scene, ui::row(std::move(knobs), 20), row, style, view.hover);
}

}  // namespace tilewalk
