#include "app/shell/desktop/room.h"

#include "app/scene/wash.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr float kRoomContrast = 7;
constexpr int kBlurAt1080 = 2;  // pixels

void swap_rows(std::vector<uint8_t>& pixels, int width, int height) {
  const std::ptrdiff_t row = std::ptrdiff_t(width) * 4;
  for (std::ptrdiff_t top = 0, bottom = height - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(pixels.begin() + top * row, pixels.begin() + (top + 1) * row, pixels.begin() + bottom * row);
}

}  // namespace

RoomWindow::~RoomWindow() {
  let_picture_go();
  close();
}

bool RoomWindow::open(GLFWwindow* home, const RoomPlace& place) {
  close();
  home_ = home;
  if (!place.own_window) return true;
  glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // it stays while the presenter works in the other window
  glfwWindowHint(GLFW_MAXIMIZED, GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* monitor = place.monitor >= 0 && place.monitor < count ? monitors[place.monitor] : nullptr;
  window_ = glfwCreateWindow(std::max(place.w, 1), std::max(place.h, 1), "Tilewalk for the room", nullptr, home);
  glfwWindowHint(GLFW_VISIBLE, GLFW_TRUE);
  glfwWindowHint(GLFW_DECORATED, GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUSED, GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_TRUE);
  if (!window_) return false;
  // First onto the monitor, then over all of it: some window managers fill the monitor that a window is on, whichever
  // one was named. Where windows cannot be placed (Wayland) the name alone counts.
  glfwSetWindowPos(window_, place.x, place.y);
  if (glfwGetWindowAttrib(home, GLFW_VISIBLE)) glfwShowWindow(window_);
  if (monitor) {
    const GLFWvidmode* mode = glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(window_, monitor, 0, 0, std::max(place.w, 1), std::max(place.h, 1),
                         mode ? mode->refreshRate : GLFW_DONT_CARE);
  }
  glfwSetInputMode(window_, GLFW_CURSOR, GLFW_CURSOR_HIDDEN);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(0);  // the first window waits for the display; twice would be once too often
  glGenFramebuffers(1, &window_frame_);
  glfwMakeContextCurrent(home_);
  return true;
}

void RoomWindow::close() {
  if (!home_) return;
  drop(stage_);
  drop(picture_);
  width_ = height_ = 0;
  if (window_) {
    glfwMakeContextCurrent(window_);
    glDeleteFramebuffers(1, &window_frame_);
    glfwMakeContextCurrent(home_);
    glfwDestroyWindow(window_);
  }
  window_frame_ = 0;
  home_ = window_ = nullptr;
}

Vec2 RoomWindow::window_size() const {
  int w = 0, h = 0;
  if (window_) glfwGetFramebufferSize(window_, &w, &h);
  return {float(w), float(h)};
}

RoomWindow::Buffer RoomWindow::make() const {
  Buffer buffer;
  glGenTextures(1, &buffer.texture);
  glBindTexture(GL_TEXTURE_2D, buffer.texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glGenFramebuffers(1, &buffer.frame);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer.frame);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, buffer.texture, 0);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return buffer;
}

void RoomWindow::drop(Buffer& buffer) {
  if (buffer.frame) glDeleteFramebuffers(1, &buffer.frame);
  if (buffer.texture) glDeleteTextures(1, &buffer.texture);
  buffer = {};
}

bool RoomWindow::resize(Vec2 picture) {
  const int w = std::max(1, int(picture.x)), h = std::max(1, int(picture.y));
  if (w == width_ && h == height_) return false;
  drop(stage_);
  drop(picture_);
  width_ = w, height_ = h;
  stage_ = make();
  picture_ = make();
  return true;
}

void RoomWindow::keep_picture() {
  if (kept_.texture || !picture_.texture) return;
  kept_ = make();
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_.frame);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, kept_.frame);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void RoomWindow::paint(const Buffer& buffer, ImDrawData& data, Color background) {
  glBindFramebuffer(GL_FRAMEBUFFER, buffer.frame);
  glViewport(0, 0, width_, height_);
  glClearColor(background.r / 255.0f, background.g / 255.0f, background.b / 255.0f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void RoomWindow::paint_stage(ImDrawData& data, Color background) { paint(stage_, data, background); }

void RoomWindow::paint_picture(ImDrawData& data, bool as_washed) {
  paint(picture_, data, {0, 0, 0, 255});
  if (!as_washed) return;
  std::vector<uint8_t> seen = pixels(false);
  wash_picture(seen, width_, height_, kRoomContrast, std::max(1, kBlurAt1080 * height_ / 1080));
  swap_rows(seen, width_, height_);
  glBindTexture(GL_TEXTURE_2D, picture_.texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
}

void RoomWindow::show() {
  if (!window_) return;
  glfwMakeContextCurrent(window_);
  const Vec2 size = window_size();
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, window_frame_);
  glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture_.texture, 0);
  const int x = (int(size.x) - width_) / 2, y = (int(size.y) - height_) / 2;
  glBlitFramebuffer(0, 0, width_, height_, x, y, x + width_, y + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glfwSwapBuffers(window_);
  glfwMakeContextCurrent(home_);
}

std::vector<uint8_t> RoomWindow::pixels(bool stage) const {
  std::vector<uint8_t> out(size_t(width_) * size_t(height_) * 4);
  glBindFramebuffer(GL_FRAMEBUFFER, stage ? stage_.frame : picture_.frame);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  swap_rows(out, width_, height_);
  for (size_t k = 3; k < out.size(); k += 4) out[k] = 255;
  return out;
}

}  // namespace tilewalk
