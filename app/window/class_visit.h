// Keeps the class that the view has joined on its wire: opens it, and again where it was lost, and carries what both
// sides say.
#pragma once

#include "app/window/frame.h"

namespace tilewalk {

void look_after_class(Window& window);
float seconds_to_class(const Window& window);  // until a connection is due; infinity where none is

}  // namespace tilewalk
