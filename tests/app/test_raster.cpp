// Pictures without a display: what covers a pixel by half colours it by half; the GIF holds what it was given.
#include "app/export/color_table.h"
#include "app/export/gif.h"
#include "app/scene/coverage.h"
#include "app/scene/raster.h"

#include <doctest/doctest.h>

#include <array>
#include <numbers>

namespace tilewalk::test_raster {

namespace {

constexpr Color black = rgb(0x000000), white = rgb(0xFFFFFF);

std::vector<float> covered(std::vector<std::vector<Vec2>> loops, int width, int height) {
  Coverage coverage(width, height);
  for (const auto& loop : loops) coverage.add(loop);
  std::vector<float> out(size_t(width * height));
  coverage.take([&](int y, int x, std::span<const float> shares) {
    for (const float share : shares) out[size_t(y * width + x++)] = share;
  });
  // Begun anew.
  coverage.take([](int, int, std::span<const float>) { FAIL("left over"); });
  return out;
}

float sum(const std::vector<float>& shares) {
  float out = 0;
  for (const float share : shares) out += share;
  return out;
}

std::array<int, 3> pixel(const Pixels& p, int x, int y) {
  const uint8_t* at = p.rgba.data() + (y * p.width + x) * 4;
  return {at[0], at[1], at[2]};
}

}  // namespace

TEST_CASE("Coverage is exact: boxes between pixels, slanted edges, circles, holes, and shapes that hang over") {
  const auto box = covered({{{1.25f, 1.5f}, {3.5f, 1.5f}, {3.5f, 3}, {1.25f, 3}}}, 6, 4);
  CHECK(box[1 * 6 + 1] == doctest::Approx(0.375));
  CHECK(box[1 * 6 + 2] == doctest::Approx(0.5));
  CHECK(box[2 * 6 + 3] == doctest::Approx(0.5));
  CHECK(box[2 * 6 + 2] == doctest::Approx(1));
  CHECK(sum(box) == doctest::Approx(2.25 * 1.5));
  CHECK(sum(covered({{{0, 0}, {8, 0}, {0, 8}}}, 10, 10)) == doctest::Approx(32));
  CHECK(sum(covered({{{1, 1}, {9, 2}, {4, 8.5f}}}, 10, 10)) == doctest::Approx(28.5));
  std::vector<Vec2> circle;
  for (int k = 0; k < 400; ++k) {
    const float a = float(k) / 400 * 2 * std::numbers::pi_v<float>;
    circle.push_back({10 + 7 * std::cos(a), 10 + 7 * std::sin(a)});
  }
  CHECK(sum(covered({circle}, 20, 20)) == doctest::Approx(49 * std::numbers::pi).epsilon(0.001));
  const std::vector<Vec2> outer{{1, 1}, {7, 1}, {7, 7}, {1, 7}}, inner{{2, 2}, {2, 6}, {6, 6}, {6, 2}};
  CHECK(sum(covered({outer, inner}, 8, 8)) == doctest::Approx(20));
  CHECK(sum(covered({outer, outer}, 8, 8)) == doctest::Approx(36));
  CHECK(sum(covered({{{-5, -5}, {3, -5}, {3, 3}, {-5, 3}}}, 8, 8)) == doctest::Approx(9));
  CHECK(sum(covered({{{5, 5}, {50, 5}, {50, 50}, {5, 50}}}, 8, 8)) == doctest::Approx(9));
  CHECK(sum(covered({{{NAN, 5}, {50, 5}, {50, 50}}}, 8, 8)) == 0);
}

TEST_CASE("A scene is painted: ground, fill, stroke inside the edge, dashes, text, translucent over opaque") {
  Scene scene;
  scene.size = {200, 100};
  scene.background = white;
  scene.box({10, 10, 40, 30}, 0, rgb(0xFF0000), black, 2);
  scene.box({60, 10, 40, 30}, 8, with_alpha(black, 0.5f));
  scene.box({110, 10, 60, 30}, 0, {}, black, 2, 5);
  scene.label({10, 60, 100, 30}, "Tile", Face::SansBold, 24, black);
  scene.line({0, 55}, {200, 55}, black, 2);
  Rasterizer raster;
  const Pixels p = raster.paint(scene);
  CHECK(pixel(p, 5, 5) == std::array<int, 3>{255, 255, 255});
  CHECK(pixel(p, 10, 20) == std::array<int, 3>{0, 0, 0});
  CHECK(pixel(p, 30, 20) == std::array<int, 3>{255, 0, 0});
  CHECK(pixel(p, 80, 20) == std::array<int, 3>{127, 127, 127});
  CHECK(pixel(p, 60, 10) == std::array<int, 3>{255, 255, 255});  // a round corner
  CHECK(pixel(p, 100, 55)[0] < 5);
  int dark = 0, gaps = 0, ink = 0;
  for (int x = 112; x < 168; ++x) (pixel(p, x, 10)[0] < 128 ? dark : gaps) += 1;
  CHECK(dark == doctest::Approx(gaps).epsilon(0.3));
  for (int y = 60; y < 90; ++y)
    for (int x = 10; x < 110; ++x) ink += pixel(p, x, y)[0] < 128;
  CHECK(ink > 150);
  CHECK(raster.paint(scene).rgba == p.rgba);
}

TEST_CASE("A table keeps every colour of few, and the commonest of many") {
  ColorCounts few{{0xFFFFFF, 1000}, {0x9F55FF, 10}, {0, 5}};
  const ColorTable exact = make_color_table(few, 255);
  CHECK(exact.colors.size() == 3);
  for (const auto& [color, count] : few) CHECK(exact.colors[exact.place.at(color)] == color);
  ColorCounts many;
  for (uint32_t c = 0; c < 4000; ++c) many[c * 4001 % 0xFFFFFF] = 1 + c % 7;
  many[0xFFFFFF] = 100000, many[0x9F55FF] = 5000;
  const ColorTable cut = make_color_table(many, 255);
  CHECK(cut.colors.size() == 255);
  CHECK(cut.colors[cut.place.at(0xFFFFFF)] == 0xFFFFFF);
  CHECK(cut.colors[cut.place.at(0x9F55FF)] == 0x9F55FF);
}

TEST_CASE("A GIF grows by what changes, and a frame of another size is refused") {
  Scene scene;
  scene.size = {300, 200};
  scene.background = white;
  Rasterizer raster;
  GifWriter gif(300, 200);
  for (int k = 0; k < 20; ++k) scene.label({10, 10 + 8.0f * float(k), 280, 20}, "m l alpha O", Face::Mono, 14, black);
  REQUIRE(gif.add(raster.paint(scene), 90));
  const size_t first = gif.bytes();
  scene.box({150, 100, 10, 10}, 0, black);
  REQUIRE(gif.add(raster.paint(scene), 90));
  CHECK(gif.bytes() - first < first / 2);
  REQUIRE(gif.add(raster.paint(scene), 250));  // nothing has changed
  scene.size = {301, 200};
  GifWriter other(300, 200);
  CHECK_FALSE(other.add(raster.paint(scene), 90));
  CHECK(other.finish().empty());
  const std::string bytes = gif.finish();
  CHECK(bytes.starts_with("GIF89a"));
  CHECK(bytes.ends_with(';'));
  CHECK(bytes.find("NETSCAPE2.0") != std::string::npos);
}

}  // namespace tilewalk::test_raster
