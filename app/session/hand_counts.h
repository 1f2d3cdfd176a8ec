// Hands that went up in the room, counted by the one who talks: a number for each option of the question on the wall,
// which shows them as bars.
#pragma once

#include "app/session/questions.h"

#include <string>
#include <vector>

namespace tilewalk {

// Of the options as they stand on the wall, A first; empty where none were counted.
std::vector<int> hands_for(const ViewState& view, const AskedQuestion& asked);

bool can_count_hands(const ViewState& view);
std::string why_no_hands(const ViewState& view);
// Where none can be counted the field says why, and keeps nothing: digits that are typed unawares command nothing.
void begin_hands(ViewState& view);
// Keeps what was typed, "12 5 0 3"; nothing typed takes the bars away. The sentence says why not.
std::string keep_hands(ViewState& view);
// "A 12, B 5, C 0", or empty.
std::string hands_words(const ViewState& view, const AskedQuestion& asked);

}  // namespace tilewalk
