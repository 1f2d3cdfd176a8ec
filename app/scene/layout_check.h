// Finds what a person would call broken in a finished scene: text cut off, on top of other text, too small, too faint
// or without glyphs, and places to point at that are nameless or too small. Looks at the scene as data; needs no
// screen.
#pragma once

#include "app/scene/scene.h"

#include <string>
#include <vector>

namespace tilewalk {

// One sentence for each fault, naming the label or region; empty when all is well. `minimum_text` is in scene pixels.
// `scale` is scene pixels for each design pixel: it sets how small a focusable region may be (24 design pixels) and
// from which size text counts as large (24 design pixels, bold 19), which may have a contrast of 3:1 and not 4.5:1.
// A scene is checked at rest: a tile that is moving over a label is reported.
std::vector<std::string> layout_faults(const Scene& scene, float minimum_text, float scale = 1);

// Where the ink of a label lies in the scene; w == 0 without ink.
Rect label_ink(const Label& label);

}  // namespace tilewalk
