// The window: opens it, shows one session until it is closed, and remembers what a person set. Everything here needs a
// display with OpenGL 3.3; pictures and words without one come from `tilewalk export` and `tilewalk walk`.
#pragma once

#include "app/window/beginning.h"

namespace tilewalk {

// Runs until the window is closed. The exit code: 0, or 1 after one sentence on standard error.
int open_window(const WindowOptions& options);

}  // namespace tilewalk
