#include "app/scene/raster.h"
#include "app/text/text.h"
#include "app/window/box_mask.h"
#include "app/window/imgui_painter.h"
#include "tests/app/sample_scene.h"
#include "tests/app/soft_raster.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <cmath>
#include <limits>

namespace tilewalk::test_imgui_painter {

namespace {

constexpr Color white = rgb(0xFFFFFF), black = rgb(0x000000), violet = rgb(0x9F55FF);

// Dear ImGui with no back end at all.
class Frame {
 public:
  Frame(float width, float height, float pixels_per_unit = 1) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.DisplaySize = ImVec2(width / pixels_per_unit, height / pixels_per_unit);
    io.DisplayFramebufferScale = ImVec2(pixels_per_unit, pixels_per_unit);
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
    ImGui::NewFrame();
  }
  ~Frame() { ImGui::DestroyContext(); }
  ImDrawList& list() { return *ImGui::GetBackgroundDrawList(); }
  const ImDrawData& finish() {
    ImGui::Render();
    return *ImGui::GetDrawData();
  }
};

Picture paint(const Scene& scene, Vec2 origin = {}, float pixels_per_unit = 1) {
  Frame frame(scene.size.x, scene.size.y, pixels_per_unit);
  SoftTextures textures;
  ImguiPainter painter(textures);
  painter.begin_frame();
  painter.paint(scene, frame.list(), origin, pixels_per_unit);
  painter.upload();
  Picture picture(static_cast<int>(scene.size.x), static_cast<int>(scene.size.y), white);
  picture.draw(frame.finish(), textures);
  return picture;
}

Scene blank(float width, float height) {
  Scene scene;
  scene.size = {width, height};
  return scene;
}

bool close(Color a, Color b, int by = 1) {
  return std::abs(a.r - b.r) <= by && std::abs(a.g - b.g) <= by && std::abs(a.b - b.b) <= by;
}

// The area that is painted, in pixels of full coverage of black.
double covered(const Picture& p) {
  double sum = 0;
  for (int y = 0; y < p.height(); ++y) {
    for (int x = 0; x < p.width(); ++x) sum += (255 - p.at(x, y).g) / 255.0;
  }
  return sum;
}

}  // namespace

TEST_CASE("A box on whole pixels is sharp, and its stroke lies inside") {
  Scene scene = blank(40, 30);
  scene.box({10, 8, 20, 12}, 0, violet, black, 2);
  const Picture p = paint(scene);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) {
      const bool outside = x < 10 || x >= 30 || y < 8 || y >= 20;
      const bool rim = x < 12 || x >= 28 || y < 10 || y >= 18;
      CAPTURE(x);
      CAPTURE(y);
      CHECK(close(p.at(x, y), outside ? white : rim ? black : violet));
    }
  }
}

TEST_CASE("Edges between pixels cover what they cover") {
  Scene scene = blank(40, 30);
  scene.box({10.25f, 8, 20.5f, 12}, 0, black);
  const Picture p = paint(scene);
  CHECK(close(p.at(10, 12), rgb(0x404040), 3));
  CHECK(close(p.at(30, 12), rgb(0x404040), 3));
  CHECK(close(p.at(11, 12), black));
  CHECK(covered(p) == doctest::Approx(20.5 * 12).epsilon(0.01));
}

TEST_CASE("Rounded boxes have the area of rounded boxes") {
  for (const float radius : {2.0f, 3.0f, 6.0f, 12.0f, 20.0f}) {
    Scene scene = blank(80, 60);
    scene.box({10, 10, 60, 40}, radius, black);
    CHECK(covered(paint(scene)) == doctest::Approx(60 * 40 - (4 - 3.14159f) * radius * radius).epsilon(0.002));

    Scene ring = blank(80, 60);
    ring.box({10, 10, 60, 40}, radius, {}, black, 2);
    const double inner = std::max(0.0f, radius - 2);
    const double area = 60 * 40 - 56 * 36 - 0.8584 * (radius * radius - inner * inner);
    CHECK(covered(paint(ring)) == doctest::Approx(area).epsilon(0.02));
  }
}

TEST_CASE("A box stretched from its corners is the box drawn whole") {
  for (const float radius : {0.0f, 5.25f, 14.0f, 40.0f}) {
    for (const float stroke : {0.0f, 1.0f, 3.5f}) {
      for (const Rect r :
           {Rect{10, 8, 180, 90}, Rect{10.25f, 8.5f, 180.5f, 20.75f}, Rect{30.75f, 8.25f, 9.5f, 90.5f}}) {
        Scene scene = blank(200, 110);
        stroke > 0 ? scene.box(r, radius, {}, black, stroke) : scene.box(r, radius, black);
        const Picture p = paint(scene);
        const GlyphBitmap expected = box_coverage(200, 110, r, radius, stroke);
        int worst = 0;
        for (int y = 0; y < 110; ++y) {
          for (int x = 0; x < 200; ++x) {
            worst = std::max(worst, std::abs(255 - p.at(x, y).g - expected.alpha[static_cast<size_t>(y * 200 + x)]));
          }
        }
        CAPTURE(radius);
        CAPTURE(stroke);
        CAPTURE(r.w);
        CHECK(worst <= 3);
      }
    }
  }
}

TEST_CASE("Shapes too large for a mask are drawn alike") {
  Scene scene = blank(300, 300);
  scene.box({10, 10, 280, 280}, 140, black);
  CHECK(covered(paint(scene)) == doctest::Approx(3.14159 * 140 * 140).epsilon(0.002));
  Scene ring = blank(300, 300);
  ring.box({10, 10, 280, 280}, 140, {}, black, 30);
  CHECK(covered(paint(ring)) == doctest::Approx(3.14159 * (140 * 140 - 110 * 110)).epsilon(0.002));
}

TEST_CASE("Boxes of one size share their coverage, and a small one is two triangles") {
  Frame frame(500, 500);
  SoftTextures textures;
  ImguiPainter painter(textures);
  painter.begin_frame();
  Scene scene = blank(500, 500);
  for (int i = 0; i < 100; ++i) {
    scene.box({static_cast<float>(i % 10) * 40, static_cast<float>(i / 10) * 40, 30, 30}, 6, violet);
  }
  painter.paint(scene, frame.list());
  CHECK(painter.glyphs().count() == 1);
  CHECK(frame.list().IdxBuffer.Size == 600);
  frame.finish();
}

TEST_CASE("A translucent stroke is not painted twice anywhere") {
  Scene scene = blank(60, 60);
  scene.box({10, 10, 40, 40}, 8, {}, with_alpha(black, 0.5f), 4);
  scene.line({5.5f, 55}, {55, 57}, with_alpha(black, 0.5f), 3);
  const Picture p = paint(scene);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) CHECK(p.at(x, y).g >= 126);
  }
  CHECK(close(p.at(30, 11), rgb(0x7F7F7F), 2));
}

TEST_CASE("Dashes cover half of the outline, evenly") {
  for (const float radius : {0.0f, 8.0f}) {
    Scene solid = blank(80, 60), dashed = blank(80, 60);
    solid.box({10, 10, 60, 40}, radius, {}, black, 2);
    dashed.box({10, 10, 60, 40}, radius, {}, black, 2, 4);
    const Picture p = paint(dashed);
    CHECK(covered(p) == doctest::Approx(covered(paint(solid)) / 2).epsilon(0.05));
    int changes = 0;
    for (int x = 11; x < 69; ++x) changes += (p.at(x, 10).g < 128) != (p.at(x - 1, 10).g < 128);
    CHECK(changes >= 8);
  }
}

TEST_CASE("A dashed outline has as many dashes in a window as in a file, whatever its size") {
  for (float side = 70; side < 72; side += 0.01f) {  // past one at which there is one more
    Scene scene = blank(110, 110);
    scene.box({10, 10, side, side}, 4, {}, black, 1, 4);
    const Picture window = paint(scene);
    scene.background = white;
    const Pixels file = Rasterizer().paint(scene);
    double ink = 0, apart = 0;
    for (int y = 0; y < 110; ++y) {
      for (int x = 0; x < 110; ++x) {
        const int in_file = file.rgba[size_t(4 * (110 * y + x) + 1)], in_window = window.at(x, y).g;
        ink += 255 - in_file;
        apart += std::abs(in_file - in_window);
      }
    }
    INFO(side);
    CHECK(apart < 0.3 * ink);
  }
}

TEST_CASE("Lines, arrows and polygons cover their area") {
  Scene scene = blank(80, 60);
  scene.line({10, 20}, {60, 50}, black, 3);
  CHECK(covered(paint(scene)) == doctest::Approx(3 * std::hypot(50, 30)).epsilon(0.02));

  Scene triangle = blank(80, 60);
  triangle.polygon({{10, 10}, {60, 30}, {10, 50}}, black);
  CHECK(covered(paint(triangle)) == doctest::Approx(1000).epsilon(0.02));
  Scene other_way = blank(80, 60);
  other_way.polygon({{10, 50}, {60, 30}, {10, 10}}, black);
  CHECK(covered(paint(other_way)) == doctest::Approx(1000).epsilon(0.02));

  Scene hairline = blank(80, 60);
  hairline.line({20, 0}, {20, 60}, black, 1);
  const Picture p = paint(hairline);
  CHECK(close(p.at(20, 30), black));
  CHECK(close(p.at(19, 30), white));
  CHECK(close(p.at(21, 30), white));

  Scene arrow = blank(80, 60);
  arrow.line({10, 30}, {70, 30}, black, 2, 0, true);
  CHECK(close(paint(arrow).at(68, 30), rgb(0x000000), 130));
  CHECK(close(paint(arrow).at(71, 30), white));
}

TEST_CASE("Text is where measuring says it is") {
  for (const Align align : {Align::Left, Align::Center, Align::Right}) {
    Scene scene = blank(200, 40);
    scene.label({20, 4, 160, 32}, "HIM", Face::SansBold, 20, black, align);
    const Picture p = paint(scene);
    int left = 200, right = 0, top = 40, bottom = 0;
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 200; ++x) {
        if (p.at(x, y).g > 128) continue;
        left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
      }
    }
    const float width = text_width("HIM", Face::SansBold, 20), slack = 160 - width;
    const float start = align == Align::Left ? 20 : align == Align::Center ? 20 + slack / 2 : 20 + slack;
    CHECK(static_cast<float>(left) == doctest::Approx(start + 1.5f).epsilon(0.05));
    CHECK(static_cast<float>(right) == doctest::Approx(start + width - 2.5f).epsilon(0.02));
    CHECK(bottom + 1 == static_cast<int>(baseline_in({20, 4, 160, 32}, Face::SansBold, 20)));
    CHECK(std::abs((top + bottom + 1) / 2.0 - 20) <= 0.6);
  }
}

TEST_CASE("A picture does not depend on how many pixels make one unit of ImGui") {
  const Scene scene = sample_scene(Theme::Light, 1);
  const Picture one = paint(scene), two = paint(scene, {}, 2);
  int different = 0;
  for (int y = 0; y < one.height(); ++y) {
    for (int x = 0; x < one.width(); ++x) different += !close(one.at(x, y), two.at(x, y), 2);
  }
  CHECK(different == 0);
}

TEST_CASE("The sample is one draw command with sound indices and coordinates") {
  const Scene scene = sample_scene(Theme::Dark, 1.5f);
  Frame frame(scene.size.x, scene.size.y);
  SoftTextures textures;
  ImguiPainter painter(textures);
  painter.begin_frame();
  painter.paint(scene, frame.list());
  painter.upload();
  CHECK(textures.made == 1);
  const ImDrawData& data = frame.finish();
  REQUIRE(data.CmdListsCount == 1);
  const ImDrawList& list = *data.CmdLists[0];
  int drawn = 0;
  for (const ImDrawCmd& command : list.CmdBuffer) drawn += command.ElemCount > 0;
  CHECK(drawn == 1);
  for (const ImDrawIdx i : list.IdxBuffer) REQUIRE(static_cast<int>(i) < list.VtxBuffer.Size);
  for (const ImDrawVert& v : list.VtxBuffer) {
    REQUIRE(std::isfinite(v.pos.x + v.pos.y));
    REQUIRE((v.uv.x >= 0 && v.uv.x <= 1 && v.uv.y >= 0 && v.uv.y <= 1));
  }
}

TEST_CASE("The background can be left to who clears the frame") {
  Scene scene = blank(50, 50);
  scene.background = violet;
  Frame frame(50, 50);
  SoftTextures textures;
  ImguiPainter painter(textures);
  painter.begin_frame();
  painter.paint(scene, frame.list(), {}, 1, false);
  CHECK(frame.list().VtxBuffer.Size == 0);
  painter.paint(scene, frame.list());
  painter.upload();
  Picture picture(50, 50, white);
  picture.draw(frame.finish(), textures);
  CHECK(close(picture.at(0, 0), violet));
  CHECK(close(picture.at(49, 49), violet));
}

TEST_CASE("More than 65536 vertices and items out of sight are no trouble") {
  Scene scene = blank(2000, 2000);
  for (int i = 0; i < 4000; ++i) {
    const Rect r{static_cast<float>(i % 64) * 30, static_cast<float>(i / 64) * 30, 28, 28};
    scene.box(r, 4, violet, black, 1);
    scene.label(r, "0.81", Face::Mono, 10, black, Align::Center);
  }
  Frame frame(2000, 2000);
  SoftTextures textures;
  ImguiPainter painter(textures);
  painter.begin_frame();
  painter.paint(scene, frame.list());
  const int all = frame.list().VtxBuffer.Size;
  CHECK(all > 65536);
  CHECK(frame.list().CmdBuffer.Size > 1);
  painter.paint(scene, frame.list(), {1900, 1900});
  CHECK(frame.list().VtxBuffer.Size - all < all / 20);
  frame.finish();
}

TEST_CASE("Numbers that mean nothing draw nothing and break nothing") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, inf, -inf, 1e30f, -1e30f, -5.0f}) {
    Scene scene = blank(50, 50);
    for (const float ok : {10.0f, bad}) {
      scene.box({bad, ok, 10, 10}, 3, black, black, 2);
      scene.box({ok, ok, bad, 10}, 3, black, black, 2, 3);
      scene.box({200, 200, 10, 10}, bad, black, black, bad, bad);
      scene.label({bad, ok, 10, 10}, "x", Face::Sans, 12, black);
      scene.label({200, 200, 10, bad}, "x", Face::Sans, bad, black, Align::Center);
      scene.line({bad, ok}, {200, 200}, with_alpha(black, 0), 2, 3, true);
      scene.polygon({{bad, bad}, {bad, bad}, {bad, bad}}, black);
      scene.polygon({{bad, bad}}, black);
    }
    // What is finite may cover something; what is not covers nothing.
    const double ink = covered(paint(scene));
    if (!std::isfinite(bad)) CHECK(ink == 0);
    CHECK(ink <= 2500);
  }
}

TEST_CASE("A full glyph cache asks for another frame, and that frame is whole") {
  Frame frame(4000, 1000);
  SoftTextures textures;
  ImguiPainter painter(textures);
  for (float size = 60; !painter.needs_another_frame() && size < 900; size += 3) {
    Scene scene = blank(4000, 1000);
    scene.label({0, 0, 4000, 1000}, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", Face::Sans, size, black);
    painter.begin_frame();
    painter.paint(scene, frame.list());
  }
  CHECK(painter.needs_another_frame());
  painter.begin_frame();
  CHECK_FALSE(painter.needs_another_frame());
  Scene scene = blank(100, 40);
  scene.label({0, 0, 100, 40}, "HIM", Face::Sans, 20, black);
  const int before = frame.list().VtxBuffer.Size;
  painter.paint(scene, frame.list());
  CHECK(frame.list().VtxBuffer.Size - before == 12);
  frame.finish();
}

}  // namespace tilewalk::test_imgui_painter
