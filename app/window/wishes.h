// Carries out what a person asked for that is not of the session: leaving, full screen, pictures and tables in files.
#pragma once

#include "app/window/frame.h"

namespace tilewalk {

void carry_out_wishes(Window& window, Screen& screen);

// What is on the stage, in a file of its own in `folder`, never over one that is there; the sentence to show, either
// way. A picture of pixels has twice the window's size, or its size where that is large already.
std::string save_svg(Session& session, const ViewState& view, const std::filesystem::path& folder);
std::string save_png(Session& session, const ViewState& view, const std::filesystem::path& folder, Vec2 window);
std::string save_csv(const Session& session, const ViewState& view, const std::filesystem::path& folder);

}  // namespace tilewalk
