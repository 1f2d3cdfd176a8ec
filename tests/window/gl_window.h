// A hidden OpenGL 3.3 window with Dear ImGui, for tests and tools that look at pixels. Needs an X display.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct GLFWwindow;

namespace tilewalk {

class GlWindow {
 public:
  GlWindow(int width, int height);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  const std::string& error() const { return error_; }  // empty when the window is there

  // Runs one frame: `draw` adds to ImGui's background draw list and `before_render` comes when the frame is complete.
  void frame(const std::function<void()>& draw, const std::function<void()>& before_render);
  std::vector<uint8_t> pixels() const;  // RGBA of the last frame, rows from the top

 private:
  GLFWwindow* window_ = nullptr;
  int width_, height_;
  unsigned framebuffer_ = 0, color_ = 0;
  std::string error_;
};

}  // namespace tilewalk
