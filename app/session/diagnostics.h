// What somebody who helps asks for first, as text: version, display, place, GPU worker, and the log's last lines.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <deque>
#include <string>

namespace tilewalk {

// No more of paths and names than those lines hold.
std::string program_diagnostics(const Session& session, const ViewState& view, const std::deque<std::string>& log);

}  // namespace tilewalk
