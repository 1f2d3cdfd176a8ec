// The walk that a lesson's scene block asks for, in the words of the command line: preset, n, n-q, n-k, d, br, bc,
// mask, align, seed, scale, format, arithmetic, distribution, schedule, compare, variant, machine.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

using WalkWords = std::map<std::string, std::string, std::less<>>;  // "fault" too: a Mistake by its name

// "n-q" and "n_q"; "scale-softmax" is "scale".
std::string field_of_word(std::string_view word);
std::string word_of_field(std::string_view field);

struct WantedWalk {
  Setup setup;
  std::vector<Fault> faults;  // words that are not known, values that cannot be read
};
WantedWalk wanted_walk(const WalkWords& words);

// Puts it on the stage unless it is there already; `changed` says whether it was not. Faults leave the walk as it is.
std::vector<Fault> take_walk(const WalkWords& words, Session& session, ViewState& view, bool& changed);

}  // namespace tilewalk
