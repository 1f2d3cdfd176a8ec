// Writes the program's icon into a folder, as desktops look for it: 16x16/apps/tilewalk.png ... and
// scalable/apps/tilewalk.svg. Usage: write_icons FOLDER
#include "app/scene/icon.h"
#include "app/scene/png.h"
#include "app/scene/svg_painter.h"
#include "core/io/file.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

int main(int count, char** arguments) {
  using namespace tilewalk;
  if (count != 2) {
    std::fprintf(stderr, "usage: write_icons FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  try {
    for (const int side : {16, 24, 32, 48, 64, 128, 256, 512}) {
      const std::filesystem::path place = folder / fmt::format("{0}x{0}", side) / "apps";
      std::filesystem::create_directories(place);
      write_file(place / "tilewalk.png", encode_png(side, side, icon_pixels(side)));
    }
    std::filesystem::create_directories(folder / "scalable/apps");
    SvgOptions options;
    options.title = "Tilewalk";
    write_file(folder / "scalable/apps/tilewalk.svg", to_svg(icon_scene(128), options));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_icons: %s\n", error.what());
    return 1;
  }
  return 0;
}
