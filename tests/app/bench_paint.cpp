// Measures what text and painting cost on the processor, without a display. A program to run and read, not a test.
#include "app/scene/layout_check.h"
#include "app/scene/svg_painter.h"
#include "app/text/text.h"
#include "app/window/imgui_painter.h"
#include "tests/app/sample_scene.h"
#include "tests/app/soft_raster.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace tilewalk;

namespace {

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median_of(int runs, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(milliseconds(work));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// A stage with many cells, each with its number, on a window of 1920 x 1080.
Scene full_stage(int cells) {
  Scene scene;
  scene.size = {1920, 1080};
  scene.background = rgb(0xFFFFFF);
  const Palette& p = palette(Theme::Light);
  for (int i = 0; i < cells; ++i) {
    const Rect r{static_cast<float>(i % 60) * 32, static_cast<float>(i / 60) * 16, 30, 14};
    const ValueColors c = fill_for(p, Tensor::S, static_cast<float>(i % 97) / 97);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%.2f", i % 97 / 97.0);
    scene.box(r, 3, c.fill);
    scene.label(r, digits, Face::Mono, 12, c.text, Align::Center);
  }
  return scene;
}

}  // namespace

int main() {
  float sum = 0;
  std::printf("first text measured (opens a font): %.2f ms\n",
              milliseconds([&] { sum += text_width("Tilewalk", Face::Sans, 18); }));
  const std::string sentence =
      "K₃ holds a larger score for row 6. Its max rises to 0.81, so all that was summed shrinks.";
  std::printf("10,000 sentences measured: %.2f ms\n", median_of(20, [&] {
                for (int i = 0; i < 10000; ++i) sum += text_width(sentence, Face::Sans, 18);
              }));

  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.DisplaySize = ImVec2(1920, 1200);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  {
    SoftTextures textures;
    ImguiPainter painter(textures);
    const auto frame = [&](const Scene& scene) {
      ImGui::NewFrame();
      painter.begin_frame();
      const double ms = milliseconds([&] { painter.paint(scene, *ImGui::GetBackgroundDrawList()); });
      painter.upload();
      ImGui::Render();
      return ms;
    };
    const auto measure = [&](const char* name, const Scene& scene) {
      const double first = frame(scene);
      std::vector<double> times;
      for (int i = 0; i < 60; ++i) times.push_back(frame(scene));
      std::sort(times.begin(), times.end());
      std::printf("%s (%zu items): painted in %.2f ms at first, then %.2f ms, %d vertices\n", name, scene.items.size(),
                  first, times[times.size() / 2], ImGui::GetDrawData()->TotalVtxCount);
    };
    measure("sample", sample_scene(Theme::Light, 1));
    measure("full stage", full_stage(4000));
    std::printf("glyphs drawn so far: %zu\n", painter.glyphs().count());
  }
  ImGui::DestroyContext();

  const Scene stage = full_stage(4000);
  size_t bytes = 0;
  std::printf("full stage laid out: %.2f ms\n", median_of(20, [&] { bytes += full_stage(4000).items.size(); }));
  std::printf("full stage as SVG: %.2f ms\n", median_of(20, [&] { bytes += to_svg(stage).size(); }));
  std::printf("full stage checked: %.2f ms\n", median_of(3, [&] { bytes += layout_faults(stage, 10).size(); }));
  return sum > 0 && bytes > 0 ? 0 : 1;
}
