// The wire to a class's server on the desktop: a WebSocket of libwebsockets in a thread of its own.
#pragma once

#include "app/window/class_socket.h"

#include <functional>
#include <memory>

namespace tilewalk {

// `wake` is called in that thread when something has come. Null where this build has no libwebsockets.
std::unique_ptr<ClassSocket> make_class_socket(std::function<void()> wake);

}  // namespace tilewalk
