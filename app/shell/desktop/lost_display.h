// The display can go away: an X server that ends, a connection that breaks. Xlib then ends the program by itself.
#pragma once

namespace tilewalk {

// From now on that end says what happened and what is kept, and waits for nothing that is being worked out. Once a
// screen is open. What marks the run (app/window/run_marker.h) stays, so that the next start offers where one was.
void say_when_display_is_lost();

}  // namespace tilewalk
