#include "app/text/text.h"

#include "app/text/bound.h"
#include "app/text/font_faces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include FT_TRUETYPE_TABLES_H

namespace tilewalk {

namespace {

FontId own_font(Face face) { return static_cast<FontId>(face); }

FaceMetrics read_metrics(Face face) {
  const auto lock = FontFaces::get().lock();
  FT_Face font = FontFaces::get().face(own_font(face));
  const float em = 1.0f / static_cast<float>(font->units_per_EM);
  const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(font, FT_SFNT_OS2));
  return {static_cast<float>(font->ascender) * em, static_cast<float>(-font->descender) * em,
          os2 ? static_cast<float>(os2->sxHeight) * em : 0.5f, os2 ? static_cast<float>(os2->sCapHeight) * em : 0.7f};
}

// Where a line of `text` may break: the longest prefix that fits and ends at a code point.
size_t fitting_prefix(std::string_view text, Face face, float em) {
  float x = 0;
  Glyph previous;
  for (size_t pos = 0; pos < text.size();) {
    const size_t start = pos;
    const Glyph glyph = glyph_of(face, next_drawn(text, pos));
    if (start > 0) x += kerning(previous, glyph);
    x += glyph.advance;
    if (x > em) return start;
    previous = glyph;
  }
  return text.size();
}

}  // namespace

float text_width(std::string_view text, Face face, float size) {
  float x = 0;
  Glyph previous;
  for (size_t pos = 0; pos < text.size();) {
    const bool first = pos == 0;
    const Glyph glyph = glyph_of(face, next_drawn(text, pos));
    if (!first) x += kerning(previous, glyph);
    x += glyph.advance;
    previous = glyph;
  }
  return x * size;
}

FaceMetrics face_metrics(Face face) {
  static const FaceMetrics all[] = {read_metrics(Face::Sans), read_metrics(Face::SansBold), read_metrics(Face::Mono),
                                    read_metrics(Face::MonoBold)};
  return all[static_cast<size_t>(face)];
}

// On whole pixels, so that stems and bars of a line of text are equally sharp everywhere.
float baseline_in(const Rect& slot, Face face, float size) {
  return std::round(slot.y + (slot.h + face_metrics(face).cap_height * size) / 2);
}

Rect text_ink(std::string_view text, Face face, float size) {
  std::vector<PlacedGlyph> glyphs;
  place_glyphs(text, face, glyphs);
  float left = 0, top = 0, right = 0, bottom = 0;
  bool any = false;
  for (const PlacedGlyph& placed : glyphs) {
    const Rect ink = glyph_ink(placed.glyph.font, placed.glyph.index);
    if (ink.w <= 0) continue;
    left = any ? std::min(left, placed.x + ink.x) : placed.x + ink.x;
    right = any ? std::max(right, placed.x + ink.right()) : placed.x + ink.right();
    top = any ? std::min(top, ink.y) : ink.y;
    bottom = any ? std::max(bottom, ink.bottom()) : ink.bottom();
    any = true;
  }
  return {left * size, top * size, (right - left) * size, (bottom - top) * size};
}

std::vector<std::string> wrap_text(std::string_view words, Face face, float size, float width) {
  const std::string text = loosen(bind_formulas(std::string(words)),
                                  [&](std::string_view word) { return text_width(word, face, size) <= width; });
  std::vector<std::string> lines;
  std::string line;
  for (size_t pos = 0; pos < text.size();) {
    const size_t start = text.find_first_not_of(" \n", pos);
    if (start == std::string_view::npos) break;
    const size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string_view word = std::string_view(text).substr(start, end - start);
    const bool forced = std::string_view(text).substr(pos, start - pos).find('\n') != std::string_view::npos;
    pos = end;
    if (!line.empty()) {
      const size_t kept = line.size();
      line.append(" ").append(word);
      if (!forced && text_width(line, face, size) <= width) continue;
      line.resize(kept);
      lines.push_back(std::move(line));
    }
    line = word;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  for (std::string& each : lines) each = unbound(std::move(each));
  return lines;
}

float balanced_width(std::string_view text, Face face, float size, float width) {
  const size_t lines = wrap_text(text, face, size, width).size();
  if (lines < 2) return width;
  float narrow = width / 2, wide = width;
  while (wide - narrow > 1) {
    const float middle = (narrow + wide) / 2;
    (wrap_text(text, face, size, middle).size() > lines ? narrow : wide) = middle;
  }
  return wide;
}

std::string form_that_fits(const std::vector<std::string>& forms, Face face, float size, float width) {
  for (const std::string& form : forms)
    if (text_width(form, face, size) <= width) return form;
  return forms.empty() ? std::string() : forms.back();
}

std::string ellipsize(std::string_view text, Face face, float size, float width) {
  if (text_width(text, face, size) <= width) return std::string(text);
  const std::string_view dots = "…";
  const float room = width - text_width(dots, face, size);
  if (room <= 0 || size <= 0) return std::string(dots);
  size_t end = fitting_prefix(text, face, room / size);
  while (end > 0 && text[end - 1] == ' ') --end;
  // Kerning before the dots may add a little.
  std::string shortened = std::string(text.substr(0, end)).append(dots);
  while (end > 0 && text_width(shortened, face, size) > width) {
    end = previous_start(text, end);
    shortened = std::string(text.substr(0, end)).append(dots);
  }
  return shortened;
}

std::vector<char32_t> missing_glyphs(std::string_view text, Face face) {
  std::vector<char32_t> missing;
  for (size_t pos = 0; pos < text.size();) {
    const char32_t code = next_drawn(text, pos);
    if (glyph_of(face, code).missing && std::find(missing.begin(), missing.end(), code) == missing.end()) {
      missing.push_back(code);
    }
  }
  return missing;
}

}  // namespace tilewalk
