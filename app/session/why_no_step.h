// Why a step key moves nothing: what it says at either end of what is stepped.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

std::string why_not_further(const Session& session, const ViewState& view);
std::string why_not_to_start(const Session& session, const ViewState& view);

}  // namespace tilewalk
