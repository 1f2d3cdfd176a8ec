#include "app/text/glyph_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tilewalk::test_glyph_cache {

namespace {

const CachedGlyph& get(GlyphCache& cache, char32_t code, float size, int step = 0, Face face = Face::Sans) {
  const Glyph glyph = glyph_of(face, code);
  return cache.get(glyph.font, glyph.index, size, step);
}

}  // namespace

TEST_CASE("A glyph is drawn once, where its bitmap says") {
  GlyphCache cache;
  cache.take_dirty();
  const CachedGlyph first = get(cache, U'g', 20);
  CHECK(cache.count() == 1);
  const CachedGlyph again = get(cache, U'g', 20);
  CHECK(cache.count() == 1);
  CHECK(first.x == again.x);
  CHECK(first.y == again.y);

  const Glyph g = glyph_of(Face::Sans, U'g');
  const GlyphBitmap bitmap = rasterize(g.font, g.index, 20, 0);
  REQUIRE(first.w == bitmap.width);
  REQUIRE(first.h == bitmap.height);
  CHECK(first.top == bitmap.top);
  for (int row = 0; row < bitmap.height; ++row) {
    for (int column = 0; column < bitmap.width; ++column) {
      CHECK(cache.pixels()[static_cast<size_t>((first.y + row) * GlyphCache::width + first.x + column)] ==
            bitmap.alpha[static_cast<size_t>(row * bitmap.width + column)]);
    }
  }
}

TEST_CASE("Sizes, faces and positions between pixels are different glyphs") {
  GlyphCache cache;
  get(cache, U'a', 16, 0);
  get(cache, U'a', 16, 1);
  get(cache, U'a', 16.5f, 0);
  get(cache, U'a', 16, 0, Face::Mono);
  get(cache, U'b', 16, 0);
  CHECK(cache.count() == 5);
  CHECK(GlyphCache::steps(14) == 4);
  CHECK(GlyphCache::steps(100) == 1);
}

TEST_CASE("Glyphs do not touch each other, and only what changed is dirty") {
  GlyphCache cache;
  const auto all = cache.take_dirty();
  CHECK(all.w == GlyphCache::width);
  CHECK(cache.take_dirty().w == 0);

  std::vector<CachedGlyph> glyphs;
  for (const float size : {12.0f, 14.0f, 20.0f, 33.0f, 60.0f}) {
    for (char32_t code = U'!'; code < U'~'; ++code) glyphs.push_back(get(cache, code, size));
  }
  const auto dirty = cache.take_dirty();
  for (size_t i = 0; i < glyphs.size(); ++i) {
    const CachedGlyph& a = glyphs[i];
    CHECK(a.x >= dirty.x);
    CHECK(a.y >= dirty.y);
    CHECK(a.x + a.w <= dirty.x + dirty.w);
    CHECK(a.y + a.h <= dirty.y + dirty.h);
    CHECK(a.y >= GlyphCache::white_size);
    for (size_t k = 0; k < i; ++k) {
      const CachedGlyph& b = glyphs[k];
      const bool apart = a.x + a.w < b.x || b.x + b.w < a.x || a.y + a.h < b.y || b.y + b.h < a.y;
      if (!apart) CHECK(apart);
    }
  }
  get(cache, U'!', 12);
  CHECK(cache.take_dirty().w == 0);
  const CachedGlyph one = get(cache, U'Q', 45);
  const auto its = cache.take_dirty();
  CHECK((its.x == one.x && its.y == one.y && its.w == one.w && its.h == one.h));
  CHECK(cache.pixels()[0] == 255);
}

TEST_CASE("Glyphs stay found while the cache grows, and a full cache says so and starts again") {
  GlyphCache cache;
  const CachedGlyph early = get(cache, U'Q', 18);
  float size = 20;
  for (; !cache.overflowed() && size < 900; size += 1) {
    for (char32_t code = U'A'; code <= U'Z'; ++code) get(cache, code, size);
  }
  CHECK(cache.overflowed());
  CHECK(cache.height() == GlyphCache::max_height);
  CHECK(cache.count() > 2048);
  const CachedGlyph still = get(cache, U'Q', 18);
  CHECK(still.x == early.x);
  CHECK(still.y == early.y);
  cache.clear();
  CHECK_FALSE(cache.overflowed());
  CHECK(cache.count() == 0);
  CHECK(get(cache, U'Q', 18).w == early.w);
  CHECK(cache.take_dirty().h == cache.height());
}

TEST_CASE("Sizes no one can mean draw nothing") {
  GlyphCache cache;
  for (const float size : {0.0f, 5000.0f}) CHECK(get(cache, U'Q', size).w == 0);
  CHECK(get(cache, U' ', 20).w == 0);
}

}  // namespace tilewalk::test_glyph_cache
