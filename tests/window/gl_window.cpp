#include "tests/window/gl_window.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

namespace tilewalk {

GlWindow::GlWindow(int width, int height) : width_(width), height_(height) {
  const auto fail = [this](const char* what) {
    const char* words = nullptr;
    glfwGetError(&words);
    error_ = std::string(what) + (words ? std::string(": ") + words : "");
  };
  if (!glfwInit()) {
    fail("GLFW did not start");
    return;
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  window_ = glfwCreateWindow(64, 64, "test", nullptr, nullptr);
  if (!window_) {
    fail("No OpenGL 3.3 window");
    return;
  }
  glfwMakeContextCurrent(window_);
  if (!gladLoaderLoadGL()) {
    fail("OpenGL did not load");
    return;
  }
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  ImGui_ImplOpenGL3_Init("#version 330 core");

  // A picture of its own, so that the window's size on the screen does not matter.
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glGenRenderbuffers(1, &color_);
  glBindRenderbuffer(GL_RENDERBUFFER, color_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
}

GlWindow::~GlWindow() {
  if (ImGui::GetCurrentContext()) {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlWindow::frame(const std::function<void()>& draw, const std::function<void()>& before_render) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
  ImGui::GetIO().DisplayFramebufferScale = ImVec2(1, 1);
  ImGui::NewFrame();
  draw();
  ImGui::Render();
  before_render();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(1, 1, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  if (ImDrawData* data = ImGui::GetDrawData()) ImGui_ImplOpenGL3_RenderDrawData(data);  // null once it was cleared
  glFinish();
}

std::vector<uint8_t> GlWindow::pixels() const {
  const auto row = static_cast<size_t>(width_) * 4;
  std::vector<uint8_t> upside_down(row * static_cast<size_t>(height_)), out(upside_down.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  for (int y = 0; y < height_; ++y) {
    const auto from = upside_down.begin() + static_cast<ptrdiff_t>(row) * (height_ - 1 - y);
    std::copy(from, from + static_cast<ptrdiff_t>(row), out.begin() + static_cast<ptrdiff_t>(row) * y);
  }
  return out;
}

}  // namespace tilewalk
