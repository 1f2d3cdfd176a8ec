#include "app/shell/desktop/lost_display.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace tilewalk {
namespace {

constexpr int kFailure = 1;

// Settings, progress and notes are kept when they change, so that there is nothing left to be kept here; and what runs
// beside this thread must not be torn down under its feet.
int end_without_display(void*) {
  std::fputs(
      "tilewalk: The display went away. Settings, progress and notes are kept; the next start offers to go on where "
      "this was.\n",
      stderr);
  std::fflush(nullptr);
  std::_Exit(kFailure);
}

}  // namespace

void say_when_display_is_lost() {
  // GLFW has loaded Xlib where it draws with it; on Wayland there is none.
  void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!xlib) return;
  using Handler = int (*)(void*);
  using Set = Handler (*)(Handler);
  if (const auto set = reinterpret_cast<Set>(dlsym(xlib, "XSetIOErrorHandler"))) set(end_without_display);
}

}  // namespace tilewalk
