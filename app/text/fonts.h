// Glyphs: which font supplies a code point, how far it advances, its ink, its pixels. FreeType lives behind this
// header. Outlines are never hinted and advances are linear, so widths are proportional to size. Safe to call from any
// thread.
#pragma once

#include "app/text/face.h"
#include "app/text/geometry.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class FontId : uint8_t { Sans, SansBold, Mono, MonoBold, Fallback, FallbackBold };

struct Glyph {
  uint32_t index = 0;  // in the font; 0 is the font's box for an unknown code point
  FontId font = FontId::Sans;
  bool missing = false;  // no embedded font has the code point
  float advance = 0;     // em
};

// The face itself, else the other family, else DejaVu Sans (made bolder for the bold faces).
Glyph glyph_of(Face face, char32_t code);

// Change of the advance of `left` before `right`, in em; 0 unless both are of one font that has pair kerning.
float kerning(const Glyph& left, const Glyph& right);

// The code point that is drawn for the next one of `text`, which moves on by it: the letter l alone is a row's sum, and
// as Inter's l is its I it is drawn as the papers write it, ℓ.
char32_t next_drawn(std::string_view text, size_t& pos);
std::string as_drawn(std::string_view text);  // for those who draw it themselves

struct PlacedGlyph {
  Glyph glyph;
  float x;  // pen position in em from the start of the text
};
// Appends the glyphs of one line and returns its advance in em.
float place_glyphs(std::string_view text, Face face, std::vector<PlacedGlyph>& out);

// Ink of a glyph in em, relative to the pen on the baseline, y downwards; w == 0 for a space.
Rect glyph_ink(FontId font, uint32_t index);

// Coverage of one glyph, 8 bits a pixel, rows from the top. left and top: from the pen on the baseline to the bitmap's
// first column, and up to its first row. The outline is moved right by `shift` pixels (0..1) first.
struct GlyphBitmap {
  int width = 0, height = 0, left = 0, top = 0;
  std::vector<uint8_t> alpha;
};
GlyphBitmap rasterize(FontId font, uint32_t index, float pixels_per_em, float shift);

// Name of the font's family as its file gives it ("Inter", "JetBrains Mono", "DejaVu Sans").
const char* font_family(FontId font);

}  // namespace tilewalk
