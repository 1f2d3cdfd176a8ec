// Whatever may take longer than a frame is done aside (app/window/aside.h). Where it does take longer, the window goes
// on showing the last picture, says calmly that something is being worked out, and can be left.
#pragma once

#include "app/window/frame.h"

#include <functional>

namespace tilewalk {

// Seconds: after so long without a look the window looks after its display again; after so long it says that it works;
// and so long does somebody who leaves wait for what is in hand.
constexpr double kAtOnce = 0.02, kSaysSo = 0.25, kToLeave = 0.05;

// Does it. False: somebody leaves, and it still goes on, so that session and view must not be looked at any more.
// `act` may touch session, view and all that is kept, but neither Dear ImGui nor the screen nor Window::scene and
// Window::events. Without Window::aside it is simply done.
bool work(Window& window, Screen& screen, const std::function<void()>& act);

// Whether something that somebody left behind is still being worked out.
bool left_behind(const Window& window);

}  // namespace tilewalk
