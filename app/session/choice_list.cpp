#include "app/session/choice_list.h"

#include "app/boards/knob_row.h"
#include "app/boards/roofs_knob.h"
#include "app/session/board_hands.h"
#include "app/session/overlays.h"
#include "app/session/playback.h"
#include "app/session/stop_way.h"
#include "app/session/turn_walk.h"
#include "core/io/letters.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

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

ListedChoices listed_choices(const Session& session, const ViewState& view) {
  const ChoiceList* list = std::get_if<ChoiceList>(&view.over);
  if (!list) return {};
  if (const auto turned = walk_knob_of(list->knob)) {
    if (!view.present.on || !view.board.board.empty() || view.gpu.enlarged) return {};
    WalkNames names = names_of_knob(*turned, session);
    return {label_of(*turned), std::move(names.all), names.now};
  }
  const Knob* knob = choice_of(view, list->knob);
  if (!knob) return {};
  const auto words = knob->words();
  return {knob->label,
          {words.begin(), words.end()},
          size_t(knob_value(*board_named(view.board.board), view.board, knob->id))};
}

void open_choices(const Session& session, ViewState& view, std::string_view knob) {
  view.over = ChoiceList{std::string(knob)};
  const ListedChoices choices = listed_choices(session, view);
  if (choices.words.empty()) {
    view.over = {};
    return;
  }
  view.focus = fmt::format("choose:{}", choices.now < choices.words.size() ? choices.now : 0);
  view.focus_ring = true;
}

bool type_in_list(char32_t character, const Session& session, ViewState& view) {
  const std::vector<std::string_view> words = listed_choices(session, view).words;
  if (words.empty() || character <= U' ' || character > U'~') return false;
  ChoiceList& list = std::get<ChoiceList>(view.over);
  const auto lead = [&](std::string typed) {
    auto found =
        std::ranges::find_if(words, [&](std::string_view w) { return same_letters(w.substr(0, typed.size()), typed); });
    if (found == words.end())
      found = std::ranges::find_if(words, [&](std::string_view w) { return has_letters(w, typed); });
    if (found == words.end()) return false;
    list.typed = std::move(typed);
    view.focus = fmt::format("choose:{}", found - words.begin());
    view.focus_ring = true;
    return true;
  };
  // A letter that does not go on with what was typed begins anew.
  return lead(list.typed + char(character)) || lead(std::string(1, char(character)));
}

void choose_from_list(Session& session, ViewState& view, int place) {
  const ChoiceList* list = std::get_if<ChoiceList>(&view.over);
  const std::string id = list ? list->knob : std::string();
  const bool open = !listed_choices(session, view).words.empty();
  close_overlays(view);
  if (!open || (walk_knob_of(id) ? refused_turn(*walk_knob_of(id), view) : refused_behind_question(id, view))) return;
  if (const auto turned = walk_knob_of(id)) return turn_walk_to(session, view, *turned, place);
  if (view.present.on && leads_to_no_roofs(*choice_of(view, id), double(place), view.gpu.status)) {
    view.notice = no_roofs(offered_gpu(size_t(place)), view.gpu.status);
    return;
  }
  const Board& board = *board_named(view.board.board);
  const std::optional<double> method = method_on_board(view);
  const double before = knob_value(board, view.board, id);
  turn_to(board, view.board, id, double(place));
  wipe_after_method(id, method, view);
  view.present.turned |= view.present.on && knob_value(board, view.board, id) != before;
  within_steps(session, view);
}

}  // namespace tilewalk
