// What GLFW tells of keys, pointer, files and monitors, as events of the window.
#include "app/shell/desktop/glfw_screen.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

constexpr float kShortestFrame = 1.0f / 125;  // where the display does not wait for its refresh
GlfwScreen* monitors_owner = nullptr;         // GLFW tells of monitors without saying for whom

GlfwScreen& screen_of(GLFWwindow* window) { return *static_cast<GlfwScreen*>(glfwGetWindowUserPointer(window)); }

Key key_of(int key) {
  switch (key) {
    case GLFW_KEY_SPACE: return Key::Space;
    case GLFW_KEY_LEFT: return Key::Left;
    case GLFW_KEY_RIGHT: return Key::Right;
    case GLFW_KEY_UP: return Key::Up;
    case GLFW_KEY_DOWN: return Key::Down;
    case GLFW_KEY_PAGE_UP: return Key::PageUp;
    case GLFW_KEY_PAGE_DOWN: return Key::PageDown;
    case GLFW_KEY_HOME: return Key::Home;
    case GLFW_KEY_END: return Key::End;
    case GLFW_KEY_BACKSPACE: return Key::Backspace;
    case GLFW_KEY_DELETE: return Key::Delete;
    case GLFW_KEY_TAB: return Key::Tab;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return Key::Enter;
    case GLFW_KEY_ESCAPE: return Key::Escape;
    case GLFW_KEY_F1: return Key::F1;
    case GLFW_KEY_F5: return Key::F5;
    case GLFW_KEY_F6: return Key::F6;
    case GLFW_KEY_F8: return Key::F8;
    case GLFW_KEY_F11: return Key::F11;
    default: return Key::None;
  }
}

// What the layout prints on a key, for combinations with Ctrl, of which no character is reported.
char32_t printed_on(int key, int scancode) {
  switch (key) {
    case GLFW_KEY_KP_ADD: return U'+';
    case GLFW_KEY_KP_SUBTRACT: return U'-';
    case GLFW_KEY_KP_0: return U'0';
    default: break;
  }
  const char* name = glfwGetKeyName(key, scancode);
  return name && name[0] && !name[1] ? char32_t(static_cast<unsigned char>(name[0])) : 0;
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  InputEvent event{action == GLFW_RELEASE ? InputEvent::KeyUp : InputEvent::KeyDown, {}, 0, {}, {}};
  event.key.key = key_of(key);
  event.key.ctrl = mods & GLFW_MOD_CONTROL;
  event.key.shift = mods & GLFW_MOD_SHIFT;
  event.key.repeat = action == GLFW_REPEAT;
  if (event.key.key == Key::None && event.key.ctrl) {
    event.key.character = printed_on(key, scancode);
    if (event.key.character) event.key.key = Key::Character;
  }
  if (event.key.key != Key::None) screen_of(window).add(std::move(event));
}

void on_character(GLFWwindow* window, unsigned code) {
  if (code <= 32) return;  // the space bar is a key
  InputEvent event{InputEvent::KeyDown, {}, 0, {}, {}};
  event.key.key = Key::Character;
  event.key.character = code;
  screen_of(window).add(std::move(event));
}

void on_move(GLFWwindow* window, double x, double y) {
  GlfwScreen& screen = screen_of(window);
  screen.add({InputEvent::Move, screen.to_pixels(x, y), 0, {}, {}});
}

void on_button(GLFWwindow* window, int button, int action, int) {
  if (button != GLFW_MOUSE_BUTTON_LEFT) return;
  double x = 0, y = 0;
  glfwGetCursorPos(window, &x, &y);
  GlfwScreen& screen = screen_of(window);
  screen.add({action == GLFW_PRESS ? InputEvent::Press : InputEvent::Release, screen.to_pixels(x, y), 0, {}, {}});
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
  InputEvent event{InputEvent::Drop, {}, 0, {}, {}};
  for (int k = 0; k < count; ++k) event.files.emplace_back(paths[k]);
  screen_of(window).add(std::move(event));
}

void say_changed(GLFWwindow* window) { screen_of(window).add({InputEvent::Changed, {}, 0, {}, {}}); }

}  // namespace

void GlfwScreen::connect() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, on_key);
  glfwSetCharCallback(window_, on_character);
  glfwSetCursorPosCallback(window_, on_move);
  glfwSetMouseButtonCallback(window_, on_button);
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double y) {
    screen_of(w).add({InputEvent::Wheel, {}, float(y), {}, {}});
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
    screen_of(w).forget_pointer_shape();
    if (!entered) screen_of(w).add({InputEvent::Leave, {}, 0, {}, {}});
  });
  glfwSetDropCallback(window_, on_drop);
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { screen_of(w).add({InputEvent::Close, {}, 0, {}, {}}); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { say_changed(w); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { say_changed(w); });
  glfwSetWindowRefreshCallback(window_, say_changed);
  monitors_owner = this;
  glfwSetMonitorCallback([](GLFWmonitor*, int) {
    if (!monitors_owner) return;
    monitors_owner->note_monitors();
    monitors_owner->add({InputEvent::Changed, {}, 0, {}, {}});
  });
  cursors_[1] = glfwCreateStandardCursor(GLFW_HAND_CURSOR);
  cursors_[2] = glfwCreateStandardCursor(GLFW_IBEAM_CURSOR);

  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = window_;
  io.SetClipboardTextFn = [](void* w, const char* text) { glfwSetClipboardString(static_cast<GLFWwindow*>(w), text); };
  io.GetClipboardTextFn = [](void* w) {
    const char* text = glfwGetClipboardString(static_cast<GLFWwindow*>(w));
    return text ? text : "";
  };
}

void GlfwScreen::add(InputEvent event) {
  if (event.kind == InputEvent::Move) pointer_ = event.at;
  // Of many moves between two frames the last one counts.
  if (event.kind == InputEvent::Move && !arrived_.empty() && arrived_.back().kind == InputEvent::Move)
    arrived_.pop_back();
  arrived_.push_back(std::move(event));
}

void GlfwScreen::wake() { glfwPostEmptyEvent(); }

void GlfwScreen::wait(float seconds, std::deque<InputEvent>& events) {
  using Seconds = std::chrono::duration<float>;
  const float since = Seconds(std::chrono::steady_clock::now() - last_wait_).count();
  const float least = std::max(0.0f, kShortestFrame - since);
  // A driver that does not wait for the display must not be asked for more frames than can be seen.
  if (seconds <= least && least > 0.001f)
    glfwWaitEventsTimeout(double(least));
  else if (seconds <= 0)
    glfwPollEvents();
  else if (std::isinf(seconds))
    glfwWaitEvents();
  else
    glfwWaitEventsTimeout(double(seconds));
  last_wait_ = std::chrono::steady_clock::now();
  leave_room_alone();
  for (InputEvent& event : arrived_) events.push_back(std::move(event));
  arrived_.clear();
}

Vec2 GlfwScreen::to_pixels(double x, double y) const {
  int w = 0, h = 0, fw = 0, fh = 0;
  glfwGetWindowSize(window_, &w, &h);
  glfwGetFramebufferSize(window_, &fw, &fh);
  return {float(w > 0 ? x * fw / w : x), float(h > 0 ? y * fh / h : y)};
}

void GlfwScreen::connect_room(GLFWwindow* room) {
  glfwSetWindowUserPointer(room, this);
  glfwSetKeyCallback(room, on_key);
  glfwSetCharCallback(room, on_character);
  glfwSetWindowRefreshCallback(room, say_changed);
  glfwSetFramebufferSizeCallback(room, [](GLFWwindow* r, int, int) { say_changed(r); });
  glfwSetWindowCloseCallback(room, [](GLFWwindow* r) { glfwSetWindowShouldClose(r, GLFW_FALSE); });
}

void GlfwScreen::forget_monitors() {
  if (monitors_owner == this) monitors_owner = nullptr;
}

}  // namespace tilewalk
