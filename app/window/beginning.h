// What the program begins with: what the command line says, and else what was remembered.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"
#include "core/io/log.h"
#include "core/io/settings.h"

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
  std::string monitor;                // for the room: see app/shell/desktop/monitors.h
  std::string link;                   // to begin with: tilewalk://..., a place in the program
  std::string join;                   // a class, as core/classroom/invitation.h reads it
  std::vector<std::string> commands;  // ids of app/session/commands.h, run at the start
};

// What was remembered, then what the options say otherwise. Leaves the scale of the monitor alone.
void apply(const WindowOptions& options, const Settings& kept, ViewState& view);

// Whether the options say what to begin with. A picture does too: it shows the program as it is for everybody.
bool says_what(const WindowOptions& options);

// The walk to begin with; the toy walk is there in any case. The sentences say what was asked for and could not be
// done; they are the first message, too.
std::vector<std::string> begin(const WindowOptions& options, Session& session, ViewState& view);

}  // namespace tilewalk
