// Any scene as a PNG file, drawn by OpenGL into a frame buffer of the scene's own size. Needs a display, shows no window.
#pragma once

#include "app/scene/scene.h"

#include <filesystem>
#include <string>

namespace tilewalk {

// True when the picture was written; otherwise `fault`, if given, says why in one sentence.
bool write_png(const Scene& scene, const std::filesystem::path& file, std::string* fault = nullptr);

}  // namespace tilewalk
