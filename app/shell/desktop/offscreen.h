// Any scene as a PNG file, drawn by OpenGL into a frame buffer of the scene's own size. Shows no window.
#pragma once

#include "app/scene/scene.h"

#include <filesystem>
#include <string>

namespace tilewalk {

// Empty when the picture was written, otherwise one sentence that says why not.
std::string write_png(const Scene& scene, const std::filesystem::path& file);       // needs a display
std::string write_png_here(const Scene& scene, const std::filesystem::path& file);  // an OpenGL context is current

}  // namespace tilewalk
