// Paints the sample picture in OpenGL as PNG files: paint_sample FOLDER. A tool for looking, not a test.
#include "app/scene/png.h"
#include "app/shell/desktop/gl_texture.h"
#include "app/window/imgui_painter.h"
#include "tests/app/sample_scene.h"
#include "tests/window/gl_window.h"

#include <imgui.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

using namespace tilewalk;

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const char* names[] = {"light", "dark", "projector"};
  for (const int scale : {1, 2}) {
    GlWindow window(960 * scale, 600 * scale);
    if (!window.error().empty()) {
      std::fprintf(stderr, "%s\n", window.error().c_str());
      return 1;
    }
    GlAlphaTextures textures;
    ImguiPainter painter(textures);
    for (int theme = 0; theme < 3; ++theme) {
      const Scene scene = sample_scene(static_cast<Theme>(theme), static_cast<float>(scale));
      for (int frame = 0; frame < 3; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        double painted = 0;
        window.frame(
            [&] {
              const auto before = std::chrono::steady_clock::now();
              painter.begin_frame();
              painter.paint(scene, *ImGui::GetBackgroundDrawList());
              painted = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
            },
            [&] { painter.upload(); });
        const double all = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        std::printf("%s at %d: frame %d: paint %.2f ms, whole frame %.2f ms, %d vertices, %zu glyphs\n", names[theme],
                    scale, frame, painted, all, ImGui::GetDrawData()->TotalVtxCount, painter.glyphs().count());
      }
      std::ofstream(folder + "/" + names[theme] + std::to_string(scale) + ".gl.png", std::ios::binary)
          << encode_png(960 * scale, 600 * scale, window.pixels());
    }
  }
}
