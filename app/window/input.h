// What happened outside since the last frame, as plain data; and the same told to Dear ImGui, which needs it for the
// text field that is open. Where the events come from (GLFW, a test) does not matter here.
#pragma once

#include "app/scene/scene.h"
#include "app/state/keys.h"

#include <filesystem>
#include <vector>

namespace tilewalk {

struct InputEvent {
  enum Kind : uint8_t { Move, Leave, Press, Release, Wheel, KeyDown, KeyUp, Drop, Changed, Close } kind;
  Vec2 at;                                   // Move, Press, Release: pixels
  float notches = 0;                         // Wheel: up is positive
  KeyPress key;                              // KeyDown, KeyUp; characters come as KeyDown alone
  std::vector<std::filesystem::path> files;  // Drop
};

void tell_imgui(const InputEvent& event);

// Keys that change or move about in the text: Dear ImGui sees such a key only in a frame at whose end it is down, and
// sees it anew only after a frame at whose end it is up.
bool edits_text(const InputEvent& event);
bool release_key(const InputEvent& event);  // tells that it is up; false where it is up already

}  // namespace tilewalk
