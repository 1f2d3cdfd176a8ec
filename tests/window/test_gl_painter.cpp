// The painter's texture in OpenGL: the pixels are those that the same triangles give on the processor.
#include "app/shell/desktop/gl_texture.h"
#include "app/window/imgui_painter.h"
#include "tests/app/sample_scene.h"
#include "tests/app/soft_raster.h"
#include "tests/window/gl_window.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <cstdlib>

namespace tilewalk::test_gl_painter {

TEST_CASE("OpenGL shows the sample as the processor draws it") {
  GlWindow window(960, 600);
  REQUIRE_MESSAGE(window.error().empty(), window.error());
  const Scene scene = sample_scene(Theme::Dark, 1);
  GlAlphaTextures in_gl;
  SoftTextures in_memory;
  ImguiPainter painter(in_gl), reference(in_memory);

  Picture expected(960, 600, rgb(0xFFFFFF));
  window.frame([&] { reference.paint(scene, *ImGui::GetBackgroundDrawList()); },
               [&] {
                 reference.upload();
                 expected.draw(*ImGui::GetDrawData(), in_memory);
                 // These triangles name a texture that OpenGL does not have.
                 ImGui::GetDrawData()->Clear();
               });
  // Glyphs come to the texture in two frames, so that a later, smaller upload is seen too.
  Scene first = scene;
  first.items.resize(scene.items.size() / 2);
  for (const Scene* part : {static_cast<const Scene*>(&first), &scene}) {
    window.frame([&] { painter.paint(*part, *ImGui::GetBackgroundDrawList()); }, [&] { painter.upload(); });
  }
  const std::vector<uint8_t> shown = window.pixels();

  int different = 0;
  for (int y = 0; y < 600; ++y) {
    for (int x = 0; x < 960; ++x) {
      const Color e = expected.at(x, y);
      const uint8_t* s = &shown[static_cast<size_t>(y * 960 + x) * 4];
      different += std::abs(e.r - s[0]) > 4 || std::abs(e.g - s[1]) > 4 || std::abs(e.b - s[2]) > 4;
    }
  }
  CHECK(different < 60);  // of 576,000: rasterisers may differ where an edge meets a pixel's centre
}

}  // namespace tilewalk::test_gl_painter
