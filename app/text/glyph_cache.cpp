#include "app/text/glyph_cache.h"

#include <algorithm>
#include <utility>

namespace tilewalk {

namespace {
constexpr int gap = 1;  // empty texels between glyphs
}

void GlyphCache::clear() {
  keys_.assign(4096, 0);
  glyphs_.assign(keys_.size(), {});
  shelves_.clear();
  used_ = 0;
  overflowed_ = false;
  height_ = std::max(height_, first_height);
  pixels_.assign(size_t{width} * static_cast<size_t>(height_), 0);
  next_shelf_ = white_size + gap;
  for (int y = 0; y < white_size; ++y)
    std::fill_n(pixels_.begin() + static_cast<ptrdiff_t>(y) * width, white_size, 255);
  dirty_left_ = dirty_top_ = 0;
  dirty_right_ = width;
  dirty_bottom_ = height_;
}

void GlyphCache::rehash(size_t size) {
  const auto old_keys = std::exchange(keys_, std::vector<uint64_t>(size, 0));
  const auto old_glyphs = std::exchange(glyphs_, std::vector<CachedGlyph>(size));
  for (size_t i = 0; i < old_keys.size(); ++i) {
    if (old_keys[i] == 0) continue;
    size_t at = slot_of(old_keys[i]);
    while (keys_[at] != 0) at = (at + 1) & (size - 1);
    keys_[at] = old_keys[i];
    glyphs_[at] = old_glyphs[i];
  }
}

const CachedGlyph& GlyphCache::add(uint64_t key, FontId font, uint32_t index, float pixels_per_em, int step) {
  if (!(pixels_per_em > 0) || pixels_per_em > largest_em) return keep(key, {});
  const float shift = static_cast<float>(step) / static_cast<float>(steps(pixels_per_em));
  return keep(key, rasterize(font, index, pixels_per_em, shift));
}

const CachedGlyph& GlyphCache::keep(uint64_t key, const GlyphBitmap& bitmap) {
  CachedGlyph glyph;
  if (bitmap.width > 0 && bitmap.height > 0) {
    if (place(bitmap.width, bitmap.height, glyph)) {
      glyph.left = static_cast<int16_t>(bitmap.left);
      glyph.top = static_cast<int16_t>(bitmap.top);
      for (int row = 0; row < bitmap.height; ++row) {
        std::copy_n(bitmap.alpha.begin() + static_cast<ptrdiff_t>(row) * bitmap.width, bitmap.width,
                    pixels_.begin() + static_cast<ptrdiff_t>(glyph.y + row) * width + glyph.x);
      }
      mark_dirty(glyph.x, glyph.y, glyph.w, glyph.h);
    } else {
      overflowed_ = true;
    }
  }

  if (++used_ * 2 > keys_.size()) rehash(keys_.size() * 2);
  size_t at = slot_of(key);
  while (keys_[at] != 0) at = (at + 1) & (keys_.size() - 1);
  keys_[at] = key;
  glyphs_[at] = glyph;
  return glyphs_[at];
}

// Shelves: rows of glyphs of about one height, filled from the left.
bool GlyphCache::place(int w, int h, CachedGlyph& glyph) {
  if (w + gap > width) return false;
  Shelf* best = nullptr;
  for (Shelf& shelf : shelves_) {
    const bool fits = shelf.height >= h && shelf.x + w + gap <= width;
    const bool wasteful = shelf.height > h + 4 + h / 4;
    if (fits && !wasteful && (!best || shelf.height < best->height)) best = &shelf;
  }
  if (!best) {
    const int tall = h + h / 8;  // room for the letters with a little more height that are sure to follow
    if (next_shelf_ + tall + gap > max_height) return false;
    shelves_.push_back({next_shelf_, tall, 0});
    next_shelf_ += tall + gap;
    best = &shelves_.back();
    while (height_ < next_shelf_) height_ *= 2;
    pixels_.resize(size_t{width} * static_cast<size_t>(height_), 0);
  }
  glyph.x = static_cast<uint16_t>(best->x);
  glyph.y = static_cast<uint16_t>(best->y);
  glyph.w = static_cast<uint16_t>(w);
  glyph.h = static_cast<uint16_t>(h);
  best->x += w + gap;
  return true;
}

void GlyphCache::mark_dirty(int x, int y, int w, int h) {
  const bool none = dirty_right_ <= dirty_left_;
  dirty_left_ = none ? x : std::min(dirty_left_, x);
  dirty_top_ = none ? y : std::min(dirty_top_, y);
  dirty_right_ = none ? x + w : std::max(dirty_right_, x + w);
  dirty_bottom_ = none ? y + h : std::max(dirty_bottom_, y + h);
}

GlyphCache::Area GlyphCache::take_dirty() {
  const Area area{dirty_left_, dirty_top_, dirty_right_ - dirty_left_, dirty_bottom_ - dirty_top_};
  dirty_left_ = dirty_top_ = dirty_right_ = dirty_bottom_ = 0;
  return area;
}

}  // namespace tilewalk
