// A stage that is lent: a question's proof, or a fault of "Break it", stands on it for a while, and then the stage is
// as it was, but for what the person has turned since.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"
#include "core/lesson/lesson.h"

#include <memory>
#include <string>

namespace tilewalk {

std::shared_ptr<const KeptStage> stage_now(const Session& session, const ViewState& view);

// Puts back what is lent already and then the setting on the stage; the sentence says what could not be done.
std::string lend_stage(Session& session, ViewState& view, const StageSetting& setting);

// Puts back each thing that still is as the setting left it: knobs, knobs within reach, step, row, the walk. No fault
// of "Break it" is on afterwards. Nothing where nothing is lent.
void put_back_stage(Session& session, ViewState& view);

}  // namespace tilewalk
