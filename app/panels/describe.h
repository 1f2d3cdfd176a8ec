// What is on show, in plain words for those who do not see it: the lesson's text and questions, the stage's caption,
// formula and numbers, what lies in which memory, and the bytes so far; of a board its knobs and readings.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <vector>

namespace tilewalk {

// Paragraphs, each of one line however long; an empty one parts what belongs together.
std::vector<std::string> describe(Session& session, const ViewState& view);
std::vector<std::string> describe_stage(Session& session, const ViewState& view);  // without the lesson's text

}  // namespace tilewalk
