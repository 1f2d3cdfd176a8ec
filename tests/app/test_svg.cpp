#include "app/scene/shape.h"
#include "app/scene/svg_painter.h"
#include "app/text/text.h"
#include "tests/app/sample_scene.h"
#include "tests/app/xml.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace tilewalk::test_svg {

namespace {

constexpr Color black = rgb(0x000000), violet = rgb(0x9F55FF);

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string svg_of(const std::function<void(Scene&)>& draw) {
  Scene scene;
  scene.size = {100, 50};
  draw(scene);
  return to_svg(scene);
}

}  // namespace

TEST_CASE("A small scene, to the byte") {
  Scene scene;
  scene.size = {200, 100.5f};
  scene.background = rgb(0xFFFFFF);
  scene.box({10, 10, 80, 40}, 6, violet, black, 2);
  scene.label({10, 10, 80, 40}, "a < b & \"c\"", Face::Mono, 10, black, Align::Center);
  scene.line({0, 0}, {30, 40}, with_alpha(black, 0.5f), 1.5f);
  scene.polygon({{1, 2}, {3.333f, 4}, {-5.006f, 6}}, black);
  scene.label({100, 60, 90, 30}, "K", Face::SansBold, 20, violet, Align::Right);
  scene.region({10, 10, 80, 40}, "tile:K/0", "K, tile 1 & more");
  CHECK(to_svg(scene, {.title = "One <tile>", .description = "", .tips = true}) ==
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100.5" viewBox="0 0 200 100.5" role="img")"
        R"( xml:space="preserve" style="font-variant-ligatures:none">
<title>One &lt;tile&gt;</title>
<rect x="0" y="0" width="200" height="100.5" fill="#ffffff"/>
<rect x="11" y="11" width="78" height="38" rx="5" fill="#9f55ff" stroke="#000000" stroke-width="2"/>
<g font-family="'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-weight="400">
<text x="50" y="34" font-size="10" fill="#000000" text-anchor="middle">a &lt; b &amp; &quot;c&quot;</text>
<line x1="0" y1="0" x2="30" y2="40" stroke="#000000" stroke-opacity="0.5" stroke-width="1.5"/>
<polygon points="1,2 3.33,4 -5.01,6" fill="#000000"/>
</g>
<g font-family="Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif" font-weight="600">
<text x="190" y="82" font-size="20" fill="#9f55ff" text-anchor="end">K</text>
</g>
<rect x="10" y="10" width="80" height="40" fill="none" pointer-events="all"><title>K, tile 1 &amp; more</title></rect>
</svg>
)");
}

TEST_CASE("The sample is well-formed, stable and without rasters in every theme") {
  for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
    for (const float scale : {1.0f, 1.25f, 2.0f}) {
      const std::string svg = to_svg(sample_scene(theme, scale));
      CHECK(well_formed(svg));
      CHECK(svg == to_svg(sample_scene(theme, scale)));
      CHECK_FALSE(has(svg, "<image"));
      CHECK_FALSE(has(svg, "nan"));
      CHECK_FALSE(has(svg, "-0\""));
    }
  }
}

TEST_CASE("Text is escaped, and bytes that XML forbids do not get out") {
  CHECK(xml_escape("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(xml_escape("α\n√") == "α\n√");
  CHECK(xml_escape(std::string_view("\x01\xFF\x00z", 4)) == "\uFFFD\uFFFD\uFFFDz");
}

TEST_CASE("Nothing is written for what paints nothing") {
  const std::string empty = svg_of([](Scene&) {});
  CHECK(svg_of([](Scene& s) {
          s.box({0, 0, 10, 10}, 2, {}, {}, 2);
          s.box({0, 0, 10, 10}, 2, {}, black, 0);
          s.label({0, 0, 10, 10}, "", Face::Sans, 12, black);
          s.label({0, 0, 10, 10}, "x", Face::Sans, 12, {});
          s.line({0, 0}, {9, 9}, {}, 1);
          s.polygon({{0, 0}, {1, 1}}, black);
        }) == empty);
}

TEST_CASE("A translucent or dashed stroke lies over the whole fill") {
  const auto rects = [](Color stroke, float dash) {
    return count(svg_of([&](Scene& s) { s.box({0, 0, 40, 40}, 4, violet, stroke, 2, dash); }), "<rect");
  };
  CHECK(rects(black, 0) == 1);
  CHECK(rects(with_alpha(black, 0.5f), 0) == 2);
  CHECK(rects(black, 4) == 2);
}

TEST_CASE("Characters that programming fonts join are kept apart, and each font's glyphs are asked of it") {
  const auto text = [](std::string_view t, Face face) {
    return svg_of([&](Scene& s) { s.label({0, 0, 1000, 20}, t, face, 12, black); });
  };
  CHECK(has(text("a -> b", Face::Mono), "a -<tspan>&gt; b</tspan>"));
  CHECK(has(text("4x8", Face::Sans), "4<tspan>x8</tspan>"));
  CHECK(has(text("Max", Face::Sans), ">Max<"));
  CHECK(has(text("Kᵀ V", Face::Sans), "K<tspan font-family=\"'DejaVu Sans', sans-serif\">ᵀ</tspan> V"));
  CHECK(has(text("Kⱼ", Face::Mono), "<tspan font-family=\"Inter,"));
}

TEST_CASE("A space at an end of a label is kept, by the label: browsers print none that the picture alone asks for") {
  const auto kept = [](const char* words) {
    const std::string svg = svg_of([&](Scene& s) { s.label({0, 0, 1000, 20}, words, Face::Sans, 12, black); });
    return svg.find("xml:space", svg.find("<text")) != std::string::npos;
  };
  CHECK(kept("N = "));
  CHECK(kept(" heads"));
  CHECK_FALSE(kept("N = 8"));
}

TEST_CASE("Only a label that is close to filling its slot is pinned to its width") {
  const float width = text_width("Traffic", Face::Sans, 20);
  const auto pinned = [&](float slot) {
    return has(svg_of([&](Scene& s) { s.label({0, 0, slot, 20}, "Traffic", Face::Sans, 20, black); }), "textLength");
  };
  CHECK(pinned(width + 1));
  CHECK_FALSE(pinned(width * 1.5f));
}

TEST_CASE("Dashes close evenly round a loop and end a line with a dash") {
  for (const float wanted : {2.0f, 3.0f, 7.5f}) {
    for (const float length : {31.0f, 100.0f, 404.5f}) {
      const float loop = dash_of_loop(length, wanted), line = dash_of_line(length, wanted);
      CHECK(loop == doctest::Approx(wanted).epsilon(0.35));
      CHECK(line == doctest::Approx(wanted).epsilon(0.35));
      const float pairs = length / (2 * loop), odd = length / line;
      CHECK(pairs == doctest::Approx(std::round(pairs)));
      CHECK(std::fmod(std::round(odd), 2.0f) == 1.0f);
      CHECK(odd == doctest::Approx(std::round(odd)));
    }
  }
  CHECK(dash_of_loop(100, 0) == 0);
  CHECK(dash_of_line(0, 5) == 0);
}

TEST_CASE("An outline is as long as its perimeter says and stays inside the box") {
  for (const float radius : {0.0f, 3.0f, 12.0f, 500.0f}) {
    const RoundedRect shape = rounded({10, 20, 60, 40}, radius);
    CHECK(shape.radius <= 20);
    std::vector<Vec2> points;
    outline(shape, points);
    float length = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      const Vec2 a = points[i], b = points[(i + 1) % points.size()];
      length += std::hypot(b.x - a.x, b.y - a.y);
      CHECK(a.x >= 9.999f);
      CHECK(a.x <= 70.001f);
      CHECK(a.y >= 19.999f);
      CHECK(a.y <= 60.001f);
    }
    CHECK(length == doctest::Approx(perimeter(shape)).epsilon(0.005));
  }
}

TEST_CASE("An arrow's head points at its end and never outgrows the line") {
  const ArrowHead head = arrow_head({{0, 0}, {100, 0}, black, 2, 0, true});
  CHECK(head.tip.x == 100);
  CHECK(head.left.x == doctest::Approx(91));
  CHECK(head.left.y == doctest::Approx(-head.right.y));
  CHECK(head.line_end.x > head.left.x);
  CHECK(head.line_end.x < 100);
  CHECK(arrow_head({{0, 0}, {3, 0}, black, 2, 0, true}).left.x >= 0);
}

TEST_CASE("Moving edges to whole pixels keeps neighbours together") {
  const Rect a = on_pixels({10.3f, 20.7f, 30.4f, 9.9f}), b = on_pixels({40.7f, 20.7f, 30.4f, 9.9f});
  CHECK(a.x == 10);
  CHECK(a.y == 21);
  CHECK(a.bottom() == 31);
  CHECK(a.right() == b.x);
}

TEST_CASE("Level and upright lines get an edge on a pixel's border") {
  const auto moved = [](Vec2 from, Vec2 to, float width) { return crisp({from, to, black, width}); };
  CHECK(moved({20, 0}, {20, 90}, 1).from.x == 20.5f);
  CHECK(moved({20.2f, 0}, {20.2f, 90}, 2).to.x == 20);
  CHECK(moved({0, 7.4f}, {50, 7.4f}, 1.5f).from.y == 7.75f);
  CHECK(moved({0, 7.4f}, {50, 7.5f}, 1.5f).from.y == 7.4f);
}

}  // namespace tilewalk::test_svg
