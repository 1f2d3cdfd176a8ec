// What the beats of a lesson make of the stage: each changes what the one before it left.
#pragma once

#include "app/state/lesson_view.h"
#include "app/session/lesson_walk.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// The stage of a beat that walks; any other is a board's id.
constexpr std::string_view kWalkStage = "walk";

// What the beats up to one make of the stage.
struct Folded {
  std::string stage{kWalkStage};
  WalkWords walk;
  bool walk_named = false;  // by the last of the beats
  std::string seek, play, focus, tab;
  bool place_named = false;  // seek or play by the last of the beats
  int64_t row = -1;
  std::vector<std::string> without;
  BoardState board;
};

Folded fold(const Lesson& lesson, int beat);
BeatStage stage_of(const Folded& folded);

// Those of the board's knobs that the setting names.
void put_knobs(const StageSetting& setting, BoardState& state);
// What learners do by hand is done where a room looks on.
void put_room_knobs(const StageSetting& setting, BoardState& state);

// Each returns one sentence on what could not be done; empty otherwise.
std::string set_walk(const WalkWords& words, Session& session, ViewState& view, bool& changed);
std::string place_stage(Session& session, ViewState& view, const std::string& seek, const std::string& play);
// `own` is what the last beat itself names; `forward`: what the learner set stays where the beat says nothing of it.
std::string put_on_stage(Session& session, ViewState& view, const Folded& wanted, const StageSetting& own,
                         bool forward);

}  // namespace tilewalk
