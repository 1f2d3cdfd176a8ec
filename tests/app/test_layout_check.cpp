#include "app/scene/layout_check.h"

#include "app/text/text.h"
#include "tests/app/sample_scene.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace tilewalk::test_layout_check {

namespace {

constexpr Color white = rgb(0xFFFFFF), black = rgb(0x111111), violet = rgb(0x9F55FF);
constexpr Rect slot{20, 20, 120, 30};

std::vector<std::string> faults_of(const std::function<void(Scene&)>& draw) {
  Scene scene;
  scene.size = {400, 200};
  scene.background = white;
  draw(scene);
  return layout_faults(scene, 14);
}

// Exactly one fault, which says `words`.
bool only(const std::vector<std::string>& faults, std::string_view words) {
  return faults.size() == 1 && faults[0].find(words) != std::string::npos;
}

Label& label_with(Scene& scene, std::string_view text) {
  for (Item& item : scene.items) {
    auto* label = std::get_if<Label>(&item);
    if (label && label->text == text) return *label;
  }
  FAIL("no such label");
  std::abort();
}

}  // namespace

TEST_CASE("A sound scene has no faults") {
  CHECK(faults_of([](Scene& s) {
          s.box(slot, 6, black);
          s.label(slot, "Tile 3 of 4", Face::Sans, 16, white, Align::Center);
          s.label({20, 60, 120, 30}, "", Face::Sans, 2, white);
          s.region(slot, "tile:K/2", "K, tile 3", true);
        }).empty());
  for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
    for (const float scale : {1.0f, 1.5f, 3.0f}) {
      const auto faults = layout_faults(sample_scene(theme, scale), 10 * scale, scale);
      for (const auto& fault : faults) MESSAGE(fault);
      CHECK(faults.empty());
    }
  }
}

TEST_CASE("A label made too long is found in a full scene") {
  Scene scene = sample_scene(Theme::Light, 1);
  label_with(scene, "Causal tiles").text = "Causal tiles, and what they save";
  const auto faults = layout_faults(scene, 10);
  REQUIRE_FALSE(faults.empty());
  CHECK(faults[0].find("Causal tiles, and what they save") != std::string::npos);
  CHECK(faults[0].find("wide in a slot of 144.0 px") != std::string::npos);
}

TEST_CASE("Two labels on one place are found in a full scene") {
  Scene scene = sample_scene(Theme::Light, 1);
  label_with(scene, "The running max").slot = label_with(scene, "Causal tiles").slot;
  CHECK(only(layout_faults(scene, 10), "overlap"));
}

TEST_CASE("Text must fit its slot both ways") {
  const float width = text_width("Traffic", Face::Sans, 16);
  const auto at = [](Rect r) { return faults_of([&](Scene& s) { s.label(r, "Traffic", Face::Sans, 16, black); }); };
  CHECK(at({20, 20, width, 20}).empty());
  CHECK(only(at({20, 20, width - 1, 20}), "wide in a slot"));
  CHECK(only(at({20, 20, width, 9}), "high and leaves its slot"));
}

TEST_CASE("Text must be inside the picture") {
  const auto at = [](float x, float y, Align align) {
    return faults_of([&](Scene& s) { s.label({x, y, 120, 20}, "Traffic", Face::Sans, 16, black, align); });
  };
  CHECK(at(0, 0, Align::Left).empty());
  CHECK(only(at(-20, 0, Align::Left), "outside the picture"));
  CHECK(only(at(300, 0, Align::Right), "outside the picture"));
  CHECK(only(at(0, 190, Align::Left), "outside the picture"));
  CHECK(at(300, 0, Align::Left).empty());  // only the slot reaches out
}

TEST_CASE("Ink may not overlap, slots may") {
  const auto two = [](float dx, std::string_view second) {
    return faults_of([&](Scene& s) {
      s.label(slot, "First", Face::Sans, 16, black);
      s.label(slot.shifted(dx, 0), second, Face::Sans, 16, black);
    });
  };
  CHECK(only(two(10, "Second"), "overlap"));
  CHECK(two(60, "Second").empty());
  CHECK(two(10, "   ").empty());
}

TEST_CASE("Text under a later opaque box is hidden, under an outline or a tint it is not") {
  const auto under = [](Color fill, Rect r) {
    return faults_of([&](Scene& s) {
      s.label(slot, "Hidden", Face::Sans, 16, black);
      s.box(r, 4, fill, violet, 1);
    });
  };
  CHECK(only(under(white, slot), "hidden under a later box"));
  CHECK(only(under(white, {40, 0, 300, 200}), "hidden under a later box"));
  CHECK(under({}, slot).empty());
  CHECK(under(with_alpha(violet, 0.2f), slot).empty());
  CHECK(under(white, slot.shifted(0, 40)).empty());
}

TEST_CASE("Text has a smallest size and needs glyphs") {
  const auto set = [](std::string_view text, float size) {
    return faults_of([&](Scene& s) { s.label(slot, text, Face::Sans, size, black); });
  };
  CHECK(set("small", 14).empty());
  CHECK(only(set("small", 13.5f), "under the smallest size of 14.0 px"));
  CHECK(only(set("漢", 16), "U+6F22"));
}

TEST_CASE("Contrast is taken with what lies below the ink") {
  const auto on = [](Color ground, Color text, float size = 16, Face face = Face::Sans) {
    return faults_of([&](Scene& s) {
      s.box(slot, 4, ground);
      s.label(slot, "Text", face, size, text);
    });
  };
  CHECK(on(black, white).empty());
  CHECK(only(on(black, black), "has a contrast of 1.00:1"));
  CHECK(only(on(white, violet), "needs 4.5:1"));         // 4.0:1
  CHECK(on(white, violet, 24).empty());                  // large text
  CHECK(on(white, violet, 19, Face::SansBold).empty());  // bold counts as large sooner
  CHECK(only(on(white, violet, 18, Face::SansBold), "4.5:1"));
  CHECK(only(on(with_alpha(black, 0.7f), black), "contrast"));  // a tint darkens the ground
  CHECK(only(on(white, with_alpha(black, 0.3f)), "contrast"));  // faint text
  CHECK(only(faults_of([](Scene& s) {
               s.box({60, 20, 80, 30}, 0, black);  // only the end of the word stands on it
               s.label(slot, "Half and half", Face::Sans, 16, black);
             }),
             "contrast"));
  CHECK(only(faults_of([](Scene& s) {
               s.polygon({{0, 0}, {200, 0}, {200, 100}, {0, 100}}, black);
               s.label(slot, "On a polygon", Face::Sans, 16, black);
             }),
             "contrast"));
}

TEST_CASE("At a larger scale the bounds grow with it") {
  Scene scene;
  scene.size = {400, 200};
  scene.background = white;
  scene.label(slot, "Text", Face::Sans, 24, violet);
  scene.region({0, 0, 30, 30}, "a", "a", true);
  CHECK(layout_faults(scene, 14, 1).empty());
  CHECK(layout_faults(scene, 28, 2).size() == 3);
}

TEST_CASE("Regions have names, tips and room for a finger") {
  const auto region = [](Rect r, std::string id, std::string tip, bool focusable) {
    return faults_of([&](Scene& s) { s.region(r, id, tip, focusable); });
  };
  CHECK(region({0, 0, 24, 24}, "a", "A", true).empty());
  CHECK(region({0, 0, 5, 5}, "a", "A", false).empty());
  CHECK(only(region({0, 0, 24, 23}, "a", "A", true), "only 24.0 x 23.0 px"));
  CHECK(only(region({0, 0, 24, 24}, "", "A", true), "has no id"));
  CHECK(only(region({0, 0, 24, 24}, "a", "", true), "has no tip"));
}

}  // namespace tilewalk::test_layout_check
