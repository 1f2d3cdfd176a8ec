// The go-to field: "37", "tile 7", "turn 2", "Q tile 2", "row 41", "next rise", "end", or a query such as "first
// rescale of Q tile 1". A row is followed where the walk stands.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

struct Target {
  std::optional<int64_t> playhead;
  std::optional<int64_t> row;  // query row to follow, from 0
  std::string fault;           // one sentence where there is none
};

// `playhead`: where "next rise" looks from.
Target target_of(std::string_view words, const Walk& walk, int64_t playhead = 0);

// Rests there, or says why not. Empty when it went well.
std::string go_to(std::string_view words, const Session& session, ViewState& view);

}  // namespace tilewalk
