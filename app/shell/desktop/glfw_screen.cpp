#include "app/shell/desktop/glfw_screen.h"

#include "app/scene/icon.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr int kLeastWidth = 1280, kLeastHeight = 720;

std::string glfw_words() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? words : "no reason given";
}

std::string no_window(std::string_view reason) {
  return fmt::format(
      "Tilewalk's window needs a display with OpenGL 3.3: {}. Without one, `tilewalk walk` prints a walk "
      "and `tilewalk export` writes its picture.",
      reason);
}

GLFWmonitor* monitor_named(const std::string& name) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k)
    if (const char* its = glfwGetMonitorName(monitors[k]); its && name == its) return monitors[k];
  return nullptr;
}

Monitor described(GLFWmonitor* monitor) {
  Monitor m;
  if (const char* name = glfwGetMonitorName(monitor)) m.name = name;
  glfwGetMonitorPos(monitor, &m.x, &m.y);
  if (const GLFWvidmode* mode = glfwGetVideoMode(monitor)) m.w = mode->width, m.h = mode->height;
  return m;
}

GLFWmonitor* monitor_at(const Monitor& place) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k)
    if (described(monitors[k]) == place) return monitors[k];
  return nullptr;
}

// Pixels for one at 100 %: on X11 what Xft.dpi says, over 96.
float sane_scale(float x, float y) { return std::clamp(std::max(x, y), 0.5f, 4.0f); }

// In three sizes, of which the desktop takes what it needs.
void show_icon(GLFWwindow* window) {
  std::vector<uint8_t> pixels[3];
  GLFWimage images[3];
  for (int k = 0; k < 3; ++k) {
    const int side = 16 << k;
    pixels[k] = icon_pixels(side);
    images[k] = {side, side, pixels[k].data()};
  }
  glfwSetWindowIcon(window, 3, images);
}

}  // namespace

GlfwScreen::~GlfwScreen() {
  room_.let_picture_go();
  room_.close();
  forget_monitors();
  if (imgui_) ImGui_ImplOpenGL3_Shutdown();
  for (GLFWcursor* cursor : cursors_)
    if (cursor) glfwDestroyCursor(cursor);
  if (window_) glfwDestroyWindow(window_);
  if (started_) glfwTerminate();
}

std::string GlfwScreen::open(const ScreenOptions& options) {
  if (!glfwInit()) return no_window(glfw_words());
  started_ = true;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, options.visible);
  glfwWindowHint(GLFW_MAXIMIZED, options.maximized && options.visible);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "Tilewalk");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "tilewalk");
  // Never larger than the monitor, whatever was asked for or remembered.
  Vec2 size = options.size;
  if (options.at_full_size && glfwGetPrimaryMonitor()) {
    float x = 1, y = 1;
    glfwGetMonitorContentScale(glfwGetPrimaryMonitor(), &x, &y);
    const float scale = sane_scale(x, y);
    size = {size.x * scale, size.y * scale};
  }
  if (const GLFWvidmode* mode = options.visible ? glfwGetVideoMode(glfwGetPrimaryMonitor()) : nullptr)
    size = {std::min(size.x, float(mode->width)), std::min(size.y, float(mode->height))};
  window_ = glfwCreateWindow(int(size.x), int(size.y), "Tilewalk", nullptr, nullptr);
  if (!window_) return no_window(glfw_words());
  glfwMakeContextCurrent(window_);
  if (gladLoaderLoadGL() < GLAD_MAKE_VERSION(3, 3)) return no_window("the driver offers less than OpenGL 3.3");
  glfwSwapInterval(options.visible ? 1 : 0);
  if (options.visible) show_icon(window_);
  if (options.visible) glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);

  // A window that was on another monitor goes back there, where the desktop lets a program choose.
  GLFWmonitor* monitor = options.monitor.empty() ? nullptr : monitor_named(options.monitor);
  if (options.visible && monitor && monitor != glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
    glfwSetWindowPos(window_, x + std::max(0, (w - int(size.x)) / 2), y + std::max(0, (h - int(size.y)) / 2));
  }
  connect();
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) return no_window("Dear ImGui could not compile its shaders");
  imgui_ = true;
  ImGui_ImplOpenGL3_NewFrame();
  if (options.full_screen) toggle_full_screen();
  return {};
}

float GlfwScreen::seconds_since_last_frame() {
  const auto now = std::chrono::steady_clock::now();
  const float seconds = std::chrono::duration<float>(now - last_frame_).count();
  last_frame_ = now;
  return seconds;
}

Vec2 GlfwScreen::size() {
  int w = 0, h = 0;
  glfwGetFramebufferSize(window_, &w, &h);
  return {float(w), float(h)};
}

void GlfwScreen::fonts_changed() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void GlfwScreen::present(const Scene& scene, ImDrawData& data) {
  glViewport(0, 0, int(scene.size.x), int(scene.size.y));
  glClearColor(scene.background.r / 255.0f, scene.background.g / 255.0f, scene.background.b / 255.0f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  shape_pointer(scene);
  swap();
}

void GlfwScreen::swap() { glfwSwapBuffers(window_); }

void GlfwScreen::shape_pointer(const Scene& scene) {
  const int shape = int(pointer_shape(scene, pointer_));
  if (shape != shape_) glfwSetCursor(window_, cursors_[shape]);
  shape_ = shape;
}

void GlfwScreen::toggle_full_screen() {
  if (GLFWmonitor* full = glfwGetWindowMonitor(window_)) {
    // Never onto another monitor: what is there now may be the room.
    leave_full_screen(described(full));
    return;
  }
  glfwGetWindowPos(window_, &windowed_[0], &windowed_[1]);
  glfwGetWindowSize(window_, &windowed_[2], &windowed_[3]);
  GLFWmonitor* monitor = monitor_named(monitor_name());
  if (!monitor) monitor = glfwGetPrimaryMonitor();
  if (!monitor) return;
  fill_monitor(described(monitor));
}

void GlfwScreen::leave_full_screen(const Monitor& onto) {
  if (!onto.holds_middle(windowed_[0], windowed_[1], windowed_[2], windowed_[3])) {
    windowed_[0] = onto.x + std::max(0, (onto.w - windowed_[2]) / 2);
    windowed_[1] = onto.y + std::max(0, (onto.h - windowed_[3]) / 2);
  }
  glfwSetWindowMonitor(window_, nullptr, windowed_[0], windowed_[1], windowed_[2], windowed_[3], GLFW_DONT_CARE);
}

void GlfwScreen::fill_monitor(const Monitor& monitor) {
  GLFWmonitor* to = monitor_at(monitor);
  if (!to) return;
  if (GLFWmonitor* full = glfwGetWindowMonitor(window_); full && full != to) leave_full_screen(monitor);
  glfwSetWindowMonitor(window_, to, 0, 0, monitor.w, monitor.h, glfwGetVideoMode(to)->refreshRate);
}

float GlfwScreen::monitor_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return sane_scale(x, y);
}

std::vector<Monitor> GlfwScreen::monitors() {
  std::vector<Monitor> found;
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) found.push_back(described(all[k]));
  return found;
}

Screens GlfwScreen::open_room(const std::string& wish, bool swapped, std::string& trouble) {
  const std::vector<Monitor> all = monitors();
  constexpr int kHome = 0;  // GLFW names the primary monitor first
  const RoomPlace place = room_place(all, kHome, wish, swapped);
  trouble = place.trouble;
  // The presenter's window leaves the room's monitor: notes are for the other one.
  if (place.own_window && place.monitor >= 0) {
    rooms_ = all[size_t(place.monitor)];
    presenters_ = all[size_t(swapped ? room_place(all, kHome, wish, false).monitor : kHome)];
    if (std::exchange(filled_for_room_, false) && glfwGetWindowMonitor(window_)) leave_full_screen(presenters_);
    // Full screen it stays, and visible while the other window has the keyboard.
    if (glfwGetWindowMonitor(window_)) glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    put_on(presenters_);
  }
  if (!room_.open(window_, place)) trouble = fmt::format("The room's window could not be opened: {}.", glfw_words());
  if (GLFWwindow* room = room_.window()) {
    connect_room(room);
    glfwFocusWindow(window_);
    return Screens::Two;
  }
  rooms_ = {};
  if (GLFWmonitor* full = glfwGetWindowMonitor(window_)) {
    fill_monitor(described(full));  // its size may be another one now
  } else {
    filled_for_room_ = true;
    toggle_full_screen();
  }
  return Screens::One;
}

// The window, as it is, onto that monitor; where it was is kept until presenting ends. Some window managers leave a
// window that fills one monitor there when it is to fill another: it goes there first, and fills it then.
void GlfwScreen::put_on(const Monitor& monitor) {
  int x = 0, y = 0, w = 0, h = 0;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetWindowSize(window_, &w, &h);
  seen_[0] = x, seen_[1] = y;
  if (monitor.holds_middle(x, y, w, h)) return;
  if (GLFWmonitor* full = glfwGetWindowMonitor(window_)) {
    if (full_before_.w <= 0) full_before_ = described(full);
    leave_full_screen(monitor);  // also where GLFW holds it to be there already
    fill_monitor(monitor);
  } else {
    if (!std::exchange(moved_home_, true)) home_before_[0] = x, home_before_[1] = y;
    glfwSetWindowPos(window_, monitor.x + std::max(0, (monitor.w - w) / 2),
                     monitor.y + std::max(0, (monitor.h - h) / 2));
  }
}

// A window manager moves windows when it gets to it: after monitors have changed, or a window has left full screen, its
// place is known only later. Wherever it comes from, the presenter's window does not stay on the room's monitor.
void GlfwScreen::leave_room_alone() {
  if (!room_.window() || rooms_.w <= 0) return;
  int x = 0, y = 0, w = 0, h = 0;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetWindowSize(window_, &w, &h);
  if (x == seen_[0] && y == seen_[1]) return;
  seen_[0] = x, seen_[1] = y;
  if (rooms_.holds_middle(x, y, w, h)) put_on(presenters_);
}

void GlfwScreen::close_room(bool ended) {
  room_.close();
  rooms_ = {};
  hide_pointer(false);
  if (!ended) return;
  if (std::exchange(filled_for_room_, false) && glfwGetWindowMonitor(window_)) toggle_full_screen();
  glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_TRUE);
  // A monitor may have gone meanwhile.
  const Monitor full = std::exchange(full_before_, {});
  if (full.w > 0 && glfwGetWindowMonitor(window_)) fill_monitor(full);
  if (std::exchange(moved_home_, false)) glfwSetWindowPos(window_, home_before_[0], home_before_[1]);
}

Vec2 GlfwScreen::room_size() { return room_.window() ? room_.window_size() : size(); }

void GlfwScreen::hide_pointer(bool hidden) {
  if (hidden != std::exchange(pointer_hidden_, hidden))
    glfwSetInputMode(window_, GLFW_CURSOR, hidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
}

void GlfwScreen::paint_picture(ImDrawData& data, bool washed) {
  room_.paint_picture(data, washed);
  room_.show();
}

void GlfwScreen::tell_place(Settings& kept, Vec2 size) const {
  kept.window_maximized = maximized();
  if (!kept.window_maximized && size.x > 0) {
    kept.window_width = int(size.x / monitor_scale() + 0.5f);
    kept.window_height = int(size.y / monitor_scale() + 0.5f);
  }
  if (std::string name = monitor_name(); !name.empty()) kept.monitor = std::move(name);
}

bool GlfwScreen::maximized() const { return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0; }

std::string GlfwScreen::renderer() const {
  const auto words = [](GLenum what) {
    const GLubyte* text = glGetString(what);
    return text ? reinterpret_cast<const char*>(text) : "not known";
  };
  return fmt::format("{}, OpenGL {}", words(GL_RENDERER), words(GL_VERSION));
}

std::string GlfwScreen::monitor_name() const {
  // The monitor in whose area the middle of the window lies.
  int x = 0, y = 0, w = 0, h = 0, count = 0;
  glfwGetWindowPos(window_, &x, &y);
  glfwGetWindowSize(window_, &w, &h);
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int mx = 0, my = 0, mw = 0, mh = 0;
    glfwGetMonitorWorkarea(monitors[k], &mx, &my, &mw, &mh);
    const int cx = x + w / 2, cy = y + h / 2;
    const char* name = glfwGetMonitorName(monitors[k]);
    if (name && cx >= mx && cy >= my && cx < mx + mw && cy < my + mh) return name;
  }
  return {};
}

}  // namespace tilewalk
