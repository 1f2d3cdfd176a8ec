// Keeps the class that the view has joined on its wire: opens it, and again where it was lost, and carries what both
// sides say.
#pragma once

#include "app/window/frame.h"

namespace tilewalk {

// What has come of the class. Runs that are asked for after it go out by speak_in_class(), before the window sleeps.
void look_after_class(Window& window);
void speak_in_class(Window& window);
// What a class that is over came to, into "class.md" there; the sentence says where, or why not.
std::string save_class_summary(const ViewState& view, const std::filesystem::path& folder);
float seconds_to_class(const Window& window);  // infinity where nothing is due

}  // namespace tilewalk
