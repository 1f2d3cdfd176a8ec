// Carries out what a person asked for that is not of the session: leaving, full screen, a picture in a file.
#pragma once

#include "app/window/frame.h"

namespace tilewalk {

void carry_out_wishes(Window& window, Screen& screen);

// Writes the stage as SVG to `folder`; the sentence to show, either way.
std::string export_stage(Session& session, const ViewState& view, const std::filesystem::path& folder);

}  // namespace tilewalk
