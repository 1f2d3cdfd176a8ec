// Pixels of the glyphs shown so far, packed into one 8-bit picture that a painter keeps as a texture. Glyphs are drawn
// when first asked for, so a start costs only what is on the screen. Knows no graphics library.
#pragma once

#include "app/text/fonts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewalk {

struct CachedGlyph {
  uint16_t x = 0, y = 0, w = 0, h = 0;  // in the atlas; w == 0 has no ink
  int16_t left = 0, top = 0;            // from the pen on the baseline to the first column; up to the first row
};

class GlyphCache {
 public:
  // The texture has this size from the start; the rows in use, and the memory behind them, grow from first_height.
  static constexpr int width = 2048, max_height = 4096, first_height = 256;
  // Texels in this square are fully covered: what shapes without a glyph are painted with.
  static constexpr int white_size = 4;
  static constexpr float largest_em = 1000;  // larger text is not drawn

  GlyphCache() { clear(); }

  // Positions between two pixels that a glyph is drawn for: fewer as text grows.
  static int steps(float pixels_per_em) { return pixels_per_em < 24 ? 4 : pixels_per_em < 48 ? 2 : 1; }

  // The glyph moved right by step / steps(pixels_per_em) pixels. Sizes are told apart to a sixteenth of a pixel.
  const CachedGlyph& get(FontId font, uint32_t index, float pixels_per_em, int step) {
    const uint64_t key = uint64_t{static_cast<uint32_t>(pixels_per_em * 16 + 0.5f)} << 32 |
                         uint64_t{index & 0xFFFF} << 8 | uint64_t{static_cast<uint8_t>(font)} << 4 |
                         static_cast<uint32_t>(step) | glyph_mark;
    size_t at = slot_of(key);
    while (keys_[at] != key) {
      if (keys_[at] == 0) return add(key, font, index, pixels_per_em, step);
      at = (at + 1) & (keys_.size() - 1);
    }
    return glyphs_[at];
  }

  // Other coverage that a painter keeps beside the glyphs, under keys of its own below 2^62; null if not there yet.
  const CachedGlyph* find_other(uint64_t key) const {
    key |= other_mark;
    for (size_t at = slot_of(key); keys_[at] != 0; at = (at + 1) & (keys_.size() - 1)) {
      if (keys_[at] == key) return &glyphs_[at];
    }
    return nullptr;
  }
  const CachedGlyph& keep_other(uint64_t key, const GlyphBitmap& bitmap) { return keep(key | other_mark, bitmap); }

  // True when a glyph found no room. Start the next frame with clear(): nothing drawn before it may be shown again.
  bool overflowed() const { return overflowed_; }
  void clear();

  int height() const { return height_; }  // rows in use or reserved
  size_t count() const { return used_; }
  std::span<const uint8_t> pixels() const { return pixels_; }  // width() x height(), rows from the top

  // What changed since the last call, in texels; w == 0 when nothing did.
  struct Area {
    int x = 0, y = 0, w = 0, h = 0;
  };
  Area take_dirty();

 private:
  size_t slot_of(uint64_t key) const { return (key * 0x9E3779B97F4A7C15u >> 40) & (keys_.size() - 1); }
  static constexpr uint64_t glyph_mark = uint64_t{1} << 63, other_mark = uint64_t{1} << 62;
  const CachedGlyph& keep(uint64_t key, const GlyphBitmap& bitmap);
  const CachedGlyph& add(uint64_t key, FontId font, uint32_t index, float pixels_per_em, int step);
  bool place(int w, int h, CachedGlyph& glyph);
  void mark_dirty(int x, int y, int w, int h);
  void rehash(size_t size);

  struct Shelf {
    int y, height, x;
  };
  std::vector<uint64_t> keys_;
  std::vector<CachedGlyph> glyphs_;
  std::vector<Shelf> shelves_;
  std::vector<uint8_t> pixels_;
  size_t used_ = 0;
  int height_ = 0, next_shelf_ = 0;
  int dirty_left_ = 0, dirty_top_ = 0, dirty_right_ = 0, dirty_bottom_ = 0;
  bool overflowed_ = false;
};

}  // namespace tilewalk
