// Writes the sample picture as SVG: render_sample FOLDER. A tool for looking, not a test.
#include "app/scene/svg_painter.h"
#include "tests/app/sample_scene.h"

#include <fstream>
#include <string>

using namespace tilewalk;

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const char* names[] = {"light", "dark", "projector"};
  for (int theme = 0; theme < 3; ++theme) {
    for (const int scale : {1, 2}) {
      const Scene scene = sample_scene(static_cast<Theme>(theme), static_cast<float>(scale));
      std::ofstream(folder + "/" + names[theme] + std::to_string(scale) + ".svg") << to_svg(scene);
    }
  }
}
