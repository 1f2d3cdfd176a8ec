// Text measuring without a screen. The faces are Inter, JetBrains Mono and, for glyphs these lack, DejaVu Sans; they
// are embedded in the program, so a picture is the same on every machine.
#pragma once

#include "app/text/face.h"
#include "app/text/geometry.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Width in pixels of one line of UTF-8 text set at `size` pixels per em.
float text_width(std::string_view text, Face face, float size);

// Vertical extent of a face per em: ascent above and descent below the baseline, both positive.
struct FaceMetrics {
  float ascent, descent, x_height, cap_height;
};
FaceMetrics face_metrics(Face face);

// Where the baseline of a label lies so that its capitals stand in the vertical middle of the slot.
float baseline_in(const Rect& slot, Face face, float size);

// Smallest rectangle round the ink of one line, from its pen start on the baseline, y downwards; w == 0 without ink.
Rect text_ink(std::string_view text, Face face, float size);

// Greedy line breaking at spaces, none of them in a formula that fits on a line (app/text/bound.h); a word wider than
// `width` stands alone on its line.
std::vector<std::string> wrap_text(std::string_view text, Face face, float size, float width);

// The least width at which it has as many lines as at `width`: lines of about one length, and no word left alone.
float balanced_width(std::string_view text, Face face, float size, float width);

// Shortens with "…" until it fits.
std::string ellipsize(std::string_view text, Face face, float size, float width);
// The first of these forms that fits, else the last.
std::string form_that_fits(const std::vector<std::string>& forms, Face face, float size, float width);

// Code points of `text` for which no embedded face has a glyph.
std::vector<char32_t> missing_glyphs(std::string_view text, Face face);

}  // namespace tilewalk
