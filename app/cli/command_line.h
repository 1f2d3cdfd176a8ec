// The program's command line: what each word means, and what the process leaves with. Knows no window; the caller says
// how one is opened.
#pragma once

#include "app/cli/console.h"

#include <functional>
#include <string>
#include <vector>

namespace tilewalk {

// What the options ask of the window. Fields that are empty or 0 were not given.
struct WindowRequest {
  std::string theme;  // "light", "dark", "projector"
  double scale = 0;   // 0.75 .. 3
  std::string file;   // to start with: a link, a recording, .npy or .safetensors
  std::string preset, schedule;
  bool portable = false;  // settings beside the program
  std::string log_level;  // "error" .. "trace"
  bool reduced_motion = false;
  std::string gpu_worker;  // command that starts a GPU worker
  double gpu_seconds = 0;  // how long a picture waits for it; 0: the usual
  // For pictures: where the playhead stands, commands that are run first, and the file that the window is drawn into.
  std::string at, tab, board, screenshot;
  std::vector<std::string> commands;
  std::string lesson;           // to begin with: a number or an id
  int beat = 0;                 // of it, from 1; 0: where one stopped
  bool reset_progress = false;  // forget what was done and answered, and leave
  int width = 0, height = 0;    // of the window, in pixels
  bool present = false, list_monitors = false;
  std::string join;               // a class: core/classroom/invitation.h
  std::string set_list, monitor;  // a file; a monitor's name, number or rectangle
};
using OpenWindow = std::function<int(const WindowRequest&)>;

// `arguments` without the program's own name. `open_window` may be empty: then there is none in this build.
int run_command_line(const std::vector<std::string>& arguments, Console& console, const OpenWindow& open_window);

}  // namespace tilewalk
