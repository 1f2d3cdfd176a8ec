#include "app/panels/talk_knobs.h"

#include "app/boards/knob_row.h"
#include "app/panels/widgets.h"
#include "app/session/turn_walk.h"
#include "app/ui/layout.h"

#include <fmt/format.h>

#include <array>

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
  ui::Node value =
      ui::text(words_of_knob(knob, session, view), {16, Face::SansBold, Role::Text, Align::Center, 0, true})
          .width(ui::grow());
  return ui::column(
             ui::of(ui::text(label, {14, Face::Sans, Role::TextSecondary}).height(ui::px(24)),
                    ui::row(ui::of(step("‹", "-", -1), std::move(value), step("›", "+", 1)), 4).height(ui::px(40))))
      .width(ui::grow());
}

}  // namespace

float talk_knobs_height(const ViewState& view, const Style& style) {
  const Board* board = board_named(view.board.board);
  return board && all_knobs(*board).empty() ? 0 : style.px(kHeight);
}

void layout_talk_knobs(Scene& scene, const Session& session, const ViewState& view, Rect row, const Style& style) {
  if (const Board* board = board_named(view.board.board)) {
    if (!all_knobs(*board).empty()) layout_knob_row({{view.board, session, view, *board}, {scene, style}}, row);
    return;
  }
  std::vector<ui::Node> knobs;
  for (const WalkKnob knob : kWalkKnobs) knobs.push_back(walk_knob(knob, session, view));
  ui::show(scene, ui::row(std::move(knobs), 20), row, style, view.hover);
}

}  // namespace tilewalk
