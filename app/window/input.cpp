#include "app/window/input.h"

#include <imgui.h>

namespace tilewalk {
namespace {

ImGuiKey imgui_key(const KeyPress& press) {
  switch (press.key) {
    case Key::Space: return ImGuiKey_Space;
    case Key::Left: return ImGuiKey_LeftArrow;
    case Key::Right: return ImGuiKey_RightArrow;
    case Key::Up: return ImGuiKey_UpArrow;
    case Key::Down: return ImGuiKey_DownArrow;
    case Key::PageUp: return ImGuiKey_PageUp;
    case Key::PageDown: return ImGuiKey_PageDown;
    case Key::Home: return ImGuiKey_Home;
    case Key::End: return ImGuiKey_End;
    case Key::Backspace: return ImGuiKey_Backspace;
    case Key::Delete: return ImGuiKey_Delete;
    default: break;
  }
  // Of the letters a text field knows cut, copy, paste, select all and undo.
  const bool letter = press.ctrl && press.character >= U'a' && press.character <= U'z';
  return letter ? ImGuiKey(ImGuiKey_A + int(press.character - U'a')) : ImGuiKey_None;
}

}  // namespace

bool edits_text(const InputEvent& event) {
  return event.kind == InputEvent::KeyDown && event.key.key != Key::Space && imgui_key(event.key) != ImGuiKey_None;
}

bool release_key(const InputEvent& event) {
  const ImGuiKey key = imgui_key(event.key);
  if (!ImGui::IsKeyDown(key)) return false;
  ImGui::GetIO().AddKeyEvent(key, false);
  return true;
}

void tell_imgui(const InputEvent& event) {
  ImGuiIO& io = ImGui::GetIO();
  switch (event.kind) {
    case InputEvent::Move: io.AddMousePosEvent(event.at.x, event.at.y); break;
    case InputEvent::Leave: io.AddMousePosEvent(-1e6f, -1e6f); break;
    case InputEvent::Press:
    case InputEvent::Release:
      io.AddMousePosEvent(event.at.x, event.at.y);
      io.AddMouseButtonEvent(0, event.kind == InputEvent::Press);
      break;
    case InputEvent::KeyDown:
    case InputEvent::KeyUp: {
      const bool down = event.kind == InputEvent::KeyDown;
      io.AddKeyEvent(ImGuiMod_Ctrl, event.key.ctrl);
      io.AddKeyEvent(ImGuiMod_Shift, event.key.shift);
      // A letter that is let go after Ctrl is never told of.
      for (int letter = ImGuiKey_A; letter <= ImGuiKey_Z; ++letter)
        if (letter != imgui_key(event.key)) io.AddKeyEvent(ImGuiKey(letter), false);
      if (const ImGuiKey key = imgui_key(event.key); key != ImGuiKey_None) {
        io.AddKeyEvent(key, down);
      }
      const char32_t character = event.key.key == Key::Space ? U' ' : event.key.character;
      if (down && !event.key.ctrl && character >= 32) io.AddInputCharacter(unsigned(character));
      break;
    }
    default: break;
  }
}

}  // namespace tilewalk
