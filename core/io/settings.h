// settings.toml: what the program remembers between two starts. The file carries comments and may be edited by hand; it
// can be damaged, old or new in any way without stopping the program.
#pragma once

#include "core/io/look.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Settings {
  Theme theme = Theme::Light;
  double scale = 1;                              // of text and controls, times the monitor's own; 0.75 to 3
  double speed = 1;                              // of playing; 0.1 to 8
  int window_width = 1600, window_height = 900;  // pixels at 100 %; 640 to 16384 and 360 to 16384
  bool window_maximized = false;
  std::string monitor;  // name of the one the window was on; empty when not known
  bool rail_folded = false;
  bool right_column_hidden = false;
  bool reduced_motion = false;
  std::string gpu_worker;     // command that starts a worker elsewhere; empty is the one beside the program
  bool coach_seen = false;    // the first-start hint was dismissed
  bool for_kernels = false;   // in lessons, what is for kernel people is unfolded
  std::string way;            // through the lessons, that was chosen: "idea", "kernels"; empty: none
  bool left_on_walk = false;  // a walk of one's own was on the stage at the end, no lesson
  std::map<std::string, std::string> last_problem;  // whatever the app puts there

  std::string unknown;  // keys of other versions, as TOML; written back as they were

  bool operator==(const Settings&) const = default;
};

struct LoadedSettings {
  Settings settings;
  std::vector<std::string> notices;  // one sentence each; what a person should hear once
  bool damaged = false;              // the file was no good: the last notice says what became of it
  bool blocked = false;              // it could not even be set aside: nothing may be written over it
};

// Never throws. A missing file, or an empty path, gives the defaults. A file that cannot be read, is no TOML or is of a
// newer version is set aside as `*.bad-<suffix>` and gives the defaults; a value of the wrong type gives its default; a
// number out of range is clamped; each with a notice. Unknown keys are kept without one.
LoadedSettings load_settings(const std::filesystem::path& file, std::string_view suffix);

// The text of the file, comments included.
std::string settings_text(const Settings& settings);

// Replaces the file atomically, making its folder, unless it already reads so; true if it was written. An empty path
// writes nothing. IoError (core/io/file.h) as for write_file.
bool save_settings(const std::filesystem::path& file, const Settings& settings);

// What was changed here since both were `known`, over what is in the file by now. The window's size and place go
// together.
Settings merged(const Settings& known, const Settings& ours, const Settings& theirs);

// Reads the file again under its folder's lock, which is waited for up to so many seconds, merges, and saves; so two
// windows do not take back each other's settings. A damaged file is set aside, and the sentence says so. IoError as for
// save_settings, also where the lock cannot be had. An empty path keeps nothing.
std::string keep_settings(const std::filesystem::path& file, const Settings& known, const Settings& ours,
                          std::string_view suffix, double patience);

}  // namespace tilewalk
