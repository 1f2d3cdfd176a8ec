#include "app/shell/desktop/offscreen.h"

#include "app/scene/png.h"
#include "app/shell/desktop/gl_texture.h"
#include "app/shell/desktop/glfw_screen.h"
#include "core/io/file.h"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

// A Dear ImGui of its own for the picture; the one that was current is so again afterwards.
class ImguiContext {
 public:
  ImguiContext() : before_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(own_);
    set_up_imgui();
  }
  ~ImguiContext() {
    ImGui::DestroyContext(own_);
    ImGui::SetCurrentContext(before_);
  }
  ImguiContext(const ImguiContext&) = delete;
  ImguiContext& operator=(const ImguiContext&) = delete;

 private:
  ImGuiContext *before_, *own_;
};

// The scene's pixels, rows from the top; empty if the frame buffer could not be made.
std::vector<uint8_t> draw(const Scene& scene, int width, int height) {
  GLuint texture = 0, buffer = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glGenFramebuffers(1, &buffer);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  std::vector<uint8_t> pixels;
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) {
    GlAlphaTextures textures;
    ImguiPainter painter(textures);
    // A scene with more glyphs than fit the texture at once comes out whole in the second try.
    for (int pass = 0; pass < 2; ++pass) {
      ImGuiIO& io = ImGui::GetIO();
      io.DisplaySize = {scene.size.x, scene.size.y};
      io.DeltaTime = 1.0f / 60;
      ImGui_ImplOpenGL3_NewFrame();
      ImGui::NewFrame();
      painter.begin_frame();
      painter.paint(scene, *ImGui::GetBackgroundDrawList());
      painter.upload();
      ImGui::Render();
      glBindFramebuffer(GL_FRAMEBUFFER, buffer);
      glViewport(0, 0, width, height);
      glClearColor(scene.background.r / 255.0f, scene.background.g / 255.0f, scene.background.b / 255.0f, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
      if (!painter.needs_another_frame()) break;
    }
    pixels.resize(size_t(width) * size_t(height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    const size_t row = size_t(width) * 4;
    for (size_t top = 0, bottom = size_t(height) - 1; top < bottom; ++top, --bottom)
      std::swap_ranges(pixels.begin() + std::ptrdiff_t(top * row), pixels.begin() + std::ptrdiff_t((top + 1) * row),
                       pixels.begin() + std::ptrdiff_t(bottom * row));
    for (size_t k = 3; k < pixels.size(); k += 4) pixels[k] = 255;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &buffer);
  glDeleteTextures(1, &texture);
  return pixels;
}

}  // namespace

std::string write_png_here(const Scene& scene, const std::filesystem::path& file) {
  ImguiContext imgui;
  if (!ImGui_ImplOpenGL3_Init("#version 330 core"))
    return "The picture could not be drawn: Dear ImGui could not compile its shaders.";
  const int width = int(scene.size.x), height = int(scene.size.y);
  const std::vector<uint8_t> pixels = width > 0 && height > 0 ? draw(scene, width, height) : std::vector<uint8_t>{};
  ImGui_ImplOpenGL3_Shutdown();
  if (pixels.empty()) return "The picture could not be drawn: OpenGL refused a frame buffer of that size.";
  try {
    write_file(file, encode_png(width, height, pixels));
    return {};
  } catch (const IoError& error) {
    return error.what();
  }
}

std::string write_png(const Scene& scene, const std::filesystem::path& file) {
  ImguiContext imgui;
  GlfwScreen screen;
  ScreenOptions options;
  options.visible = false;
  options.size = {64, 64};
  if (std::string why = screen.open(options); !why.empty()) return why;
  return write_png_here(scene, file);
}

}  // namespace tilewalk
