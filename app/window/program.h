// The program, whatever machine is around it: reads what was kept, begins somewhere, draws frames, and keeps what
// changes. A shell (app/shell) makes the screen, says where things are kept, and asks for one frame after the other.
#pragma once

#include "app/window/draft.h"
#include "app/window/beginning.h"
#include "app/window/frame.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// Where things are, on this machine. What is empty is not kept.
struct Places {
  std::filesystem::path config, data, state;
  std::filesystem::path pictures;              // where what is saved goes; empty is the working folder
  std::vector<std::filesystem::path> lessons;  // folders
  bool lessons_watched = true;                 // somebody may write in them meanwhile
  std::string notice;                          // why something is not kept
  std::string kept_where;                      // what the about box says in place of paths: "in this browser"
};

// What was kept of the last time: read before there is a screen, since it says how large the window was.
struct Memory {
  SettingsFile file;
  Settings settings;
  std::vector<std::string> notices;
};
Memory remember(const Places& places);

std::unique_ptr<LessonFiles> lesson_files(const WindowOptions& options, const Places& places);

class Program {
 public:
  // The screen is open, and Dear ImGui has a context that outlives the program. Without `aside` all is done in this
  // thread.
  Program(const WindowOptions& options, const Places& places, Memory memory, DeskOptions desk, AlphaTextures& textures,
          Screen& screen, std::unique_ptr<Aside> aside = nullptr);

  void frame();          // waits as the screen does, and draws what has changed
  std::string finish();  // keeps the rest; what could not be kept, or empty
  // Somebody has left while something was worked out, which goes on: nothing that it works on may be looked at any
  // more, and finish_without() keeps what can be kept so.
  bool left_behind() const;
  std::string finish_without();
  Window& window() { return window_; }
  const std::vector<std::string>& undone() const { return undone_; }  // what the command line asked for in vain

 private:
  void tell_about(const WindowOptions& options, const Places& places);
  Settings settings_now();

  Screen& screen_;
  Window window_;
  Settings kept_, last_;    // as they were read, and when they were looked at last
  bool own_scale_ = false;  // a person's choice, and not the command line's
  bool coached_ = false;
  std::vector<std::string> undone_;
  Draft draft_;
};

}  // namespace tilewalk
