#include "app/text/fonts.h"

#include "app/text/font_faces.h"
#include "app/text/kerning.h"
#include "app/text/utf8.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>

#include FT_ADVANCES_H
#include FT_BBOX_H
#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H

namespace tilewalk {

namespace {

constexpr char32_t code_end = 0x20000;  // planes 0 and 1
constexpr int page_bits = 8;
constexpr float bolder = 0.035f;  // em added to the strokes of the fallback font in a bold face

using Page = std::array<Glyph, 1 << page_bits>;

// The order in which fonts are asked for a code point.
std::array<FontId, 3> chain(Face face) {
  switch (face) {
    case Face::Sans: return {FontId::Sans, FontId::Mono, FontId::Fallback};
    case Face::SansBold: return {FontId::SansBold, FontId::MonoBold, FontId::FallbackBold};
    case Face::Mono: return {FontId::Mono, FontId::Sans, FontId::Fallback};
    case Face::MonoBold: return {FontId::MonoBold, FontId::SansBold, FontId::FallbackBold};
  }
  return {};
}

float advance_em(FT_Face font, uint32_t index) {
  FT_Fixed advance = 0;
  FT_Get_Advance(font, index, FT_LOAD_NO_SCALE, &advance);
  return static_cast<float>(advance) / static_cast<float>(font->units_per_EM);
}

Glyph look_up(Face face, char32_t code) {
  FontFaces& fonts = FontFaces::get();
  for (const FontId id : chain(face)) {
    FT_Face font = fonts.face(id);
    if (const uint32_t index = FT_Get_Char_Index(font, code)) return {index, id, false, advance_em(font, index)};
  }
  const FontId own = chain(face)[0];
  return {0, own, true, advance_em(fonts.face(own), 0)};
}

// Glyphs by face and code point, in pages filled when first asked for. A page never changes once it is published.
class GlyphPages {
 public:
  const Glyph& at(Face face, char32_t code) {
    std::atomic<const Page*>& slot = pages_[static_cast<size_t>(face)][code >> page_bits];
    const Page* page = slot.load(std::memory_order_acquire);
    if (!page) page = fill(slot, face, code >> page_bits);
    return (*page)[code & ((1 << page_bits) - 1)];
  }

 private:
  const Page* fill(std::atomic<const Page*>& slot, Face face, char32_t number) {
    const auto lock = FontFaces::get().lock();
    if (const Page* page = slot.load(std::memory_order_acquire)) return page;
    auto page = std::make_unique<Page>();
    for (size_t i = 0; i < page->size(); ++i) {
      (*page)[i] = look_up(face, static_cast<char32_t>(number << page_bits | i));
    }
    const Page* published = page.get();
    owned_.push_back(std::move(page));
    slot.store(published, std::memory_order_release);
    return published;
  }

  std::array<std::array<std::atomic<const Page*>, (code_end >> page_bits)>, 4> pages_{};
  std::vector<std::unique_ptr<Page>> owned_;
};

// Kerning of a font with the last answers kept: an entry is the pair's two indices and the adjustment, in one word.
class CachedKerning {
 public:
  explicit CachedKerning(FontId id) {
    const auto lock = FontFaces::get().lock();
    FT_Face font = FontFaces::get().face(id);
    units_ = static_cast<float>(font->units_per_EM);
    FT_ULong length = 0;
    if (FT_Load_Sfnt_Table(font, FT_MAKE_TAG('G', 'P', 'O', 'S'), 0, nullptr, &length) != 0) return;
    table_.resize(length);
    if (FT_Load_Sfnt_Table(font, FT_MAKE_TAG('G', 'P', 'O', 'S'), 0, reinterpret_cast<FT_Byte*>(table_.data()),
                           &length) != 0) {
      return;
    }
    pairs_ = PairKerning(table_);
  }

  float em(uint32_t left, uint32_t right) {
    if (pairs_.empty() || left > 0xFFFF || right > 0xFFFF) return 0;
    const uint64_t key = uint64_t{left} << 16 | right | uint64_t{1} << 32;
    std::atomic<uint64_t>& entry = cache_[(left * 193 + right) % cache_.size()];
    const uint64_t kept = entry.load(std::memory_order_relaxed);
    if (kept >> 16 == key) return static_cast<float>(static_cast<int16_t>(kept & 0xFFFF)) / units_;
    const auto value = static_cast<int16_t>(pairs_.adjust(left, right));
    entry.store(key << 16 | static_cast<uint16_t>(value), std::memory_order_relaxed);
    return static_cast<float>(value) / units_;
  }

 private:
  std::vector<std::byte> table_;
  PairKerning pairs_;
  float units_ = 1;
  std::array<std::atomic<uint64_t>, 16384> cache_{};
};

}  // namespace

Glyph glyph_of(Face face, char32_t code) {
  static GlyphPages pages;
  return pages.at(face, code < code_end ? code : U'\uFFFF');
}

float kerning(const Glyph& left, const Glyph& right) {
  if (left.font != right.font) return 0;
  if (left.font == FontId::Sans) {
    static CachedKerning sans(FontId::Sans);
    return sans.em(left.index, right.index);
  }
  if (left.font == FontId::SansBold) {
    static CachedKerning bold(FontId::SansBold);
    return bold.em(left.index, right.index);
  }
  return 0;
}

char32_t next_drawn(std::string_view text, size_t& pos) {
  const size_t at = pos;
  const char32_t code = next_code_point(text, pos);
  if (code != U'l') return code;
  // Part of a word, accented letters included ("él", "l'été"), of a name or of an option of a command ("-l").
  const auto letter = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c >= 0xC3 && c <= 0xC9);
  };
  const auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : '\0'; };
  const bool behind = at > 0 && (letter(byte(at - 1)) || byte(at - 1) == '-' || byte(at - 1) == '\'' ||
                                 (at > 1 && byte(at - 2) >= 0xC3 && byte(at - 2) <= 0xC9));
  const bool before = letter(byte(pos)) || (byte(pos) == '\'' && letter(byte(pos + 1)));
  return behind || before ? code : U'ℓ';
}

std::string as_drawn(std::string_view text) {
  std::string out;
  for (size_t pos = 0; pos < text.size();) {
    const size_t start = pos;
    if (next_drawn(text, pos) == U'ℓ')
      out += "ℓ";
    else
      out += text.substr(start, pos - start);
  }
  return out;
}

float place_glyphs(std::string_view text, Face face, std::vector<PlacedGlyph>& out) {
  float x = 0;
  const size_t first = out.size();
  for (size_t pos = 0; pos < text.size();) {
    const Glyph glyph = glyph_of(face, next_drawn(text, pos));
    if (out.size() > first) x += kerning(out.back().glyph, glyph);
    out.push_back({glyph, x});
    x += glyph.advance;
  }
  return x;
}

Rect glyph_ink(FontId id, uint32_t index) {
  static std::unordered_map<uint64_t, Rect> kept;
  const auto lock = FontFaces::get().lock();
  const auto [it, fresh] = kept.try_emplace(uint64_t{static_cast<uint8_t>(id)} << 32 | index);
  if (!fresh) return it->second;
  FT_Face font = FontFaces::get().face(id);
  if (FT_Load_Glyph(font, index, FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP) != 0) return {};
  FT_BBox box;
  FT_Outline_Get_BBox(&font->glyph->outline, &box);
  const float em = 1.0f / static_cast<float>(font->units_per_EM);
  const float extra = id == FontId::FallbackBold ? bolder / 2 : 0;
  if (box.xMax <= box.xMin) return {};
  it->second = Rect{static_cast<float>(box.xMin) * em - extra, static_cast<float>(-box.yMax) * em - extra,
                    static_cast<float>(box.xMax - box.xMin) * em + 2 * extra,
                    static_cast<float>(box.yMax - box.yMin) * em + 2 * extra};
  return it->second;
}

GlyphBitmap rasterize(FontId id, uint32_t index, float pixels_per_em, float shift) {
  GlyphBitmap out;
  const auto lock = FontFaces::get().lock();
  FT_Face font = FontFaces::get().face(id);
  if (FT_Set_Char_Size(font, 0, static_cast<FT_F26Dot6>(pixels_per_em * 64 + 0.5f), 72, 72) != 0) return out;
  if (FT_Load_Glyph(font, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) return out;
  FT_Outline& outline = font->glyph->outline;
  if (id == FontId::FallbackBold) {
    const auto strength = static_cast<FT_Pos>(bolder * pixels_per_em * 64);
    FT_Outline_Embolden(&outline, strength);
    FT_Outline_Translate(&outline, -strength / 2, -strength / 2);
  }
  FT_Outline_Translate(&outline, static_cast<FT_Pos>(shift * 64 + 0.5f), 0);
  if (FT_Render_Glyph(font->glyph, FT_RENDER_MODE_NORMAL) != 0) return out;
  const FT_Bitmap& bitmap = font->glyph->bitmap;
  out.width = static_cast<int>(bitmap.width);
  out.height = static_cast<int>(bitmap.rows);
  out.left = font->glyph->bitmap_left;
  out.top = font->glyph->bitmap_top;
  out.alpha.resize(size_t{bitmap.width} * bitmap.rows);
  for (unsigned row = 0; row < bitmap.rows; ++row) {
    const auto* from = bitmap.buffer + static_cast<ptrdiff_t>(row) * bitmap.pitch;
    std::copy(from, from + bitmap.width, out.alpha.begin() + static_cast<ptrdiff_t>(size_t{row} * bitmap.width));
  }
  return out;
}

const char* font_family(FontId id) {
  const auto lock = FontFaces::get().lock();
  return FontFaces::get().face(id)->family_name;
}

}  // namespace tilewalk
