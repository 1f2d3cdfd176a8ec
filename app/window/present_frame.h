// A frame in front of a room: the stage goes into a frame buffer unless the room's picture is frozen; from it and what
// lies over it comes the picture; the window shows the presenter's view, or, on one screen, the picture.
#pragma once

#include "app/window/frame.h"

namespace tilewalk {

// Opens the room's screen when a presentation begins, closes it when it ends, and follows monitors that come and go.
// True while somebody presents.
bool look_after_room(Window& window, Screen& screen);

// Keeps the speaker's own notes where they have changed: why not, where that is worth saying (busy.h), or what was
// damaged, or nothing to say. Waits for another window up to so many seconds.
std::string keep_window_notes(Window& window, double patience);
float seconds_to_keep_notes(const Window& window);  // infinity while all are kept

// False where somebody leaves while it is being laid out (app/window/working.h).
bool draw_room_frame(Window& window, Screen& screen, float seconds);

}  // namespace tilewalk
