// Writes a scene as SVG. Text stays text, shapes stay shapes, and the same scene gives the same bytes everywhere.
#pragma once

#include "app/scene/scene.h"

#include <string>
#include <string_view>

namespace tilewalk {

struct SvgOptions {
  std::string title, description;  // what a reader without the picture is told; left out where empty
  bool tips = false;               // a <title> for every region, which browsers show when pointed at
};

std::string to_svg(const Scene& scene, const SvgOptions& options = {});

// Text for element content or a quoted attribute: escaped, and without what XML forbids.
std::string xml_escape(std::string_view text);

}  // namespace tilewalk
