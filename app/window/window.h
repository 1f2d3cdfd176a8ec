// The window: opens it, shows one session until it is closed, and remembers what a person set. Everything here needs a
// display with OpenGL 3.3; pictures and words without one come from `tilewalk export` and `tilewalk walk`.
#pragma once

#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "core/io/log.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// What the command line decides. What is left open comes from the settings file, else from the defaults.
struct WindowOptions {
  std::optional<Theme> theme;
  std::optional<float> scale;                // 0.75 .. 3, in place of the monitor's and the remembered one
  std::optional<Vec2> size;                  // pixels
  std::vector<std::filesystem::path> files;  // to open at once; see app/session/open_any.h
  std::string preset;                        // to begin with: "micro", "toy", "causal"; empty is toy
  std::string schedule;                      // to begin with: a Schedule's key; empty is fa2
  std::string at;                            // where the playhead begins: "37", "tile 7", "first rescale of Q tile 1"
  LogLevel log_level = LogLevel::Info;       // of the log file
  bool portable = false;                     // keep settings beside the program
  bool reduced_motion = false;
  bool full_screen = false;
  std::filesystem::path screenshot;  // draw one frame, write it here as PNG and leave
  std::string gpu_worker;            // command that starts a GPU worker; empty: the remembered one
  double gpu_seconds = 20;           // how long a screenshot waits for the GPU at most
  std::string board;                 // to begin with: "clocks?N=1024&gpu=h100"
  std::string lesson;                // to begin with: a number or an id
  int beat = 0;                      // of it, from 1; 0 is where one stopped
  std::string tab;                   // "explain", "numbers", "problem", "gpu", "lesson"
  bool present = false, list_monitors = false;
  std::filesystem::path set_list;     // of a talk
  std::string monitor;                // for the room: see app/window/monitors.h
  std::vector<std::string> commands;  // ids of app/session/commands.h, run at the start
};

// Runs until the window is closed. The exit code: 0, or 1 after one sentence on standard error.
int open_window(const WindowOptions& options);

}  // namespace tilewalk
