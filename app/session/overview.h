// The overview of a talk: a card for each stop of the set list, else for each beat of the lesson on show, and, where no
// set list leads, for each other lesson. Arrows move among the cards, digits name one, Enter goes there.
#pragma once

#include "app/state/keys.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct StopCard {
  std::string id;  // "set:3", "beat:0": what pressing it means, see app/session/hands.cpp
  std::string title;
  bool now = false;  // where one is
};
std::vector<StopCard> stop_cards(const ViewState& view);

constexpr int kCardsOnPage = 24;
// The card that comes after the one on show; empty at the end.
std::string next_card(const ViewState& view);
int overview_columns(int cards);  // of so many cards on a page
// The card that Enter chooses, from 0, of so many cards: the last one where another lesson or set list, opened
// under the overview, has fewer than the one that it was chosen in.
int chosen_card(const Presentation& p, int cards);

// What changes the set list there (app/session/set_edit.h).
struct OverviewKey {
  std::string_view title, keys;
  void (*act)(ViewState&);
};
std::span<const OverviewKey> set_keys();

void toggle_overview(ViewState& view);
// Says whether it was a key of the overview.
bool overview_key(const KeyPress& press, Session& session, ViewState& view);
bool go_to_stop(std::string_view id, Session& session, ViewState& view);  // and closes the overview

// Puts a session and a view of their own on the stop, as one who goes there would find it, for its picture.
void stand_on_stop(std::string_view id, const ViewState& view, Session& session, ViewState& there);

}  // namespace tilewalk
