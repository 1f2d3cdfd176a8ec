// What the window stands on: GLFW opens an OpenGL 3.3 window, glad loads it, Dear ImGui draws the project's fonts
// (built by FreeType) into it, and the pixels come back. Nothing of the program itself.
#include <doctest/doctest.h>

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <array>
#include <string>
#include <vector>

namespace {
constexpr int kWidth = 320, kHeight = 120;

std::string glfw_error() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? words : "";
}

// A hidden window with a current OpenGL 3.3 core context and Dear ImGui on it.
struct Window {
  GLFWwindow* window = nullptr;

  Window() {
    REQUIRE_MESSAGE(glfwInit(), glfw_error());
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    window = glfwCreateWindow(kWidth, kHeight, "test", nullptr, nullptr);
    REQUIRE_MESSAGE(window, glfw_error());
    glfwMakeContextCurrent(window);
    REQUIRE(gladLoaderLoadGL() >= GLAD_MAKE_VERSION(3, 3));
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().Fonts->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    REQUIRE(ImGui_ImplGlfw_InitForOpenGL(window, false));
    REQUIRE(ImGui_ImplOpenGL3_Init("#version 330 core"));
  }
  ~Window() {
    if (ImGui::GetCurrentContext()) {
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext();
    }
    if (window) glfwDestroyWindow(window);
    glfwTerminate();
  }
};
}  // namespace

TEST_CASE("A window opens, and text in each of the fonts reaches its pixels") {
  Window display;
  ImGuiIO& io = ImGui::GetIO();
  std::vector<ImFont*> fonts;
  for (const char* file : {TILEWALK_FONT_INTER, TILEWALK_FONT_INTER_BOLD, TILEWALK_FONT_MONO, TILEWALK_FONT_MONO_BOLD,
                           TILEWALK_FONT_FALLBACK}) {
    ImFont* font = io.Fonts->AddFontFromFileTTF(file, 20);
    REQUIRE_MESSAGE(font, file);
    fonts.push_back(font);
  }
  REQUIRE(io.Fonts->Build());

  glfwPollEvents();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  float y = 0;
  for (ImFont* font : fonts) {
    ImGui::GetForegroundDrawList()->AddText(font, 20, {0, y}, IM_COL32(255, 0, 0, 255), "softmax");
    y += 24;
  }
  ImGui::Render();
  glViewport(0, 0, kWidth, kHeight);
  glClearColor(1, 1, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

  // Each line of text leaves red pixels in its own 24 rows; the rest of the window stays white.
  std::vector<std::array<unsigned char, 4>> pixels(kWidth * kHeight);
  glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  CHECK(glGetError() == GL_NO_ERROR);
  for (size_t line = 0; line < fonts.size(); ++line) {
    int red = 0;
    for (int row = 0; row < 24; ++row) {
      const int from_top = int(line) * 24 + row;
      for (int x = 0; x < kWidth; ++x) red += pixels[size_t(kHeight - 1 - from_top) * kWidth + x][1] < 128;
    }
    CAPTURE(line);
    CHECK(red > 50);
    CHECK(red < 1500);
  }
  CHECK(pixels[kWidth - 1] == std::array<unsigned char, 4>{255, 255, 255, 255});
}
