// "Break it" (X): a lesson's break beats name what can be broken on their stage; X puts the first of these faults on
// the stage, then the next, then none.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <vector>

namespace tilewalk {

struct StageFault {
  int beat;          // that names it
  std::string says;  // "Rescale skipped"
  StageSetting set;
};

// Of the lesson on show, those that fit what is on the stage; those of the beat on show come first.
std::vector<StageFault> faults_on_stage(const ViewState& view);
// The one that is on, in words; empty where none is.
std::string broken_words(const ViewState& view);
// What X will do next: "Break it: rescale skipped", "Mend it"; empty where nothing of the lesson can break here.
std::string break_words(const ViewState& view);

void mend(Session& session, ViewState& view);  // puts the stage back as it was
// The notice speaks of a fault; where that was mended by hand, nobody needs to read it.
bool says_broken(const ViewState& view);
void break_next(Session& session, ViewState& view);

}  // namespace tilewalk
