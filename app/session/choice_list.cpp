#include "app/session/choice_list.h"

#include "app/boards/knob_row.h"
#include "app/session/overlays.h"
#include "app/session/playback.h"

#include <fmt/format.h>

#include <string>

namespace tilewalk {
namespace {

const Knob* choice_of(const ViewState& view, std::string_view id) {
  const Board* board = board_named(view.board.board);
  if (!board || is_locked(view.board, id)) return nullptr;
  for (const Knob& knob : board->knobs)
    if (knob.id == id && knob.kind == Knob::Kind::Choice) return &knob;
  return nullptr;
}

}  // namespace

const Knob* listed_knob(const ViewState& view) {
  const ChoiceList* list = std::get_if<ChoiceList>(&view.over);
  return list ? choice_of(view, list->knob) : nullptr;
}

void open_choices(ViewState& view, std::string_view id) {
  const Knob* knob = choice_of(view, id);
  if (!knob) return;
  view.over = ChoiceList{std::string(id)};
  view.focus = fmt::format("choose:{}", int(knob_value(*board_named(view.board.board), view.board, id)));
  view.focus_ring = true;
}

void choose_from_list(const Session& session, ViewState& view, int place) {
  const Knob* knob = listed_knob(view);
  if (knob) {
    turn_to(*board_named(view.board.board), view.board, knob->id, double(place));
    view.present.turned |= view.present.on;
    within_steps(session, view);
  }
  close_overlays(view);
}

}  // namespace tilewalk
