// A question as a class's summary says it, which knows no lesson: in plain words, bounded, with the wall's letters.
#pragma once

#include "app/session/questions.h"
#include "core/classroom/poll.h"

namespace tilewalk {

// Fills in what the wall shows of the question: its order of options, its words, the right number with its unit.
void say_as_asked(PollAsked& poll, const AskedQuestion& asked, const Instance& instance, const Session& session,
                  const ViewState& view);

}  // namespace tilewalk
