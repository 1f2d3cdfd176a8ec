// Trees of nodes: how they share room, what they leave out, and the regions they leave behind.
#include "app/ui/layout.h"

#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/session/update.h"
#include "app/ui/parts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::test_ui {
namespace {

using namespace ui;

constexpr Font kPlain{16};

std::vector<std::string> words_of(const Scene& scene) {
  std::vector<std::string> out;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) out.push_back(label->text);
  return out;
}

std::vector<std::string> shown(const Node& node, float width, float height) {
  Scene scene;
  show(scene, node, {0, 0, width, height}, Style(Theme::Light, 1), {});
  return words_of(scene);
}

Node line(int k) { return text(fmt::format("{}", k), kPlain).height(between(20, 30)); }

}  // namespace

TEST_CASE("A row gives what is left to those that grow, by their weights, and first takes what loses nothing") {
  const Node node = row(of(text("ab", kPlain).width(px(40)), spacer(grow(1)), spacer(grow(3))), 10);
  const Placed wide = layout(node, {0, 0, 220, 20}, 1);
  CHECK(wide.kids[0].rect.w == doctest::Approx(40));
  CHECK(wide.kids[1].rect.w == doctest::Approx(40));
  CHECK(wide.kids[2].rect.w == doctest::Approx(120));
  CHECK(wide.kids[2].rect.x == doctest::Approx(100));
  // 60 of want, 20 of which can go: both lose half of what they can.
  const Node tight = row(of(spacer(between(10, 30)), spacer(between(30, 30)), spacer(between(0, 10))));
  const Placed narrow = layout(tight, {0, 0, 55, 20}, 1);
  CHECK(narrow.kids[0].rect.w == doctest::Approx(20));
  CHECK(narrow.kids[1].rect.w == doctest::Approx(30));
  CHECK(narrow.kids[2].rect.w == doctest::Approx(5));
}

TEST_CASE("Lengths are design pixels: at twice the scale everything is twice as far") {
  const Node node = column(of(spacer(px(10)), text("x", kPlain).height(px(20))), 5);
  const Rect once = layout(node, {0, 0, 100, 100}, 1).kids[1].rect,
             twice = layout(node, {0, 0, 200, 200}, 2).kids[1].rect;
  CHECK(twice.y == doctest::Approx(2 * once.y));
  CHECK(twice.h == doctest::Approx(2 * once.h));
  CHECK(height_of(node, 200, 2) == doctest::Approx(2 * height_of(node, 100, 1)));
}

TEST_CASE("A text takes the longest of its forms that fits, and is cut where none does") {
  const Node node = text(std::vector<std::string>{"Shift+→ or Page Down", "Shift+→"}, kPlain);
  CHECK(shown(node, 400, 30) == std::vector<std::string>{"Shift+→ or Page Down"});
  CHECK(shown(node, 80, 30) == std::vector<std::string>{"Shift+→"});
  const std::vector<std::string> cut = shown(node, 40, 30);
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].ends_with("…"));
  CHECK(shown(wrapped("one two three four", kPlain, 2), 60, 100).size() == 2);
}

TEST_CASE("A list leaves out its last lines and says how many, and never more than it may") {
  const auto more = [](int left) { return text(fmt::format("… {} more", left), kPlain).height(px(20)); };
  const auto made = [&](int keep) {
    return column(of(list(of(line(1), line(2), line(3), line(4), line(5)), keep, more), spacer()));
  };
  CHECK(shown(made(1), 100, 200) == std::vector<std::string>{"1", "2", "3", "4", "5"});
  CHECK(shown(made(1), 100, 100).size() == 5);  // they are lower first
  CHECK(shown(made(1), 100, 80) == std::vector<std::string>{"1", "2", "3", "… 2 more"});
  CHECK(shown(made(3), 100, 60) == std::vector<std::string>{"1", "2", "3", "… 2 more"});
}

TEST_CASE(
    "What flows takes as many lines as it needs; pages are as high as the highest; the first form that fits is taken") {
  const auto chip = [] { return spacer(px(40)); };
  const auto chips = [&] { return flow(of(chip(), chip(), chip()), 10); };
  CHECK(height_of(chips(), 140, 1) == doctest::Approx(40));
  CHECK(height_of(chips(), 139, 1) == doctest::Approx(90));
  CHECK(layout(chips(), {5, 5, 139, 90}, 1).kids[2].rect.y == doctest::Approx(55));
  const auto two = [&](int seen) { return pages(of(line(1), spacer(px(70))), seen); };
  CHECK(height_of(two(0), 100, 1) == doctest::Approx(70));
  CHECK(shown(two(0), 100, 70) == std::vector<std::string>{"1"});
  CHECK(shown(two(1), 100, 70).empty());
  const auto choice = [] {
    return first_that_fits({[] { return text("wide", kPlain).width(px(200)); }, [] { return text("small", kPlain); }});
  };
  CHECK(shown(choice(), 250, 30) == std::vector<std::string>{"wide"});
  CHECK(shown(choice(), 100, 30) == std::vector<std::string>{"small"});
}

TEST_CASE("Segments in several lines are cells of one width, each with what it stands for") {
  std::vector<Choice> choices;
  for (const char* name : {"one", "two", "three", "four", "five"})
    choices.push_back({name, {name, {}}, std::string_view(name) == "four"});
  Scene scene;
  show(scene, segments(std::move(choices), 3, 30), {0, 0, 300, 60}, Style(Theme::Light, 1), {});
  REQUIRE(scene.regions.size() == 5);
  for (size_t k = 0; k < 5; ++k) {
    const Region& region = scene.regions[k];
    CHECK(region.rect.w == doctest::Approx(100));
    CHECK(region.rect.h == doctest::Approx(30));
    CHECK(region.rect.x == doctest::Approx(100 * float(k % 3)));
    CHECK(region.rect.y == doctest::Approx(30 * float(k / 3)));
    CHECK(region.tip == region.id);  // its title, where nothing more is said
  }
}

TEST_CASE("Whatever an overlay lets one press says itself what that means") {
  for (const std::string_view command :
       {"menu", "keys", "go-to", "element", "about", "ask-reset", "take-away", "open-file"}) {
    Session session;
    ViewState view;
    view.exporting.places = {"/home/ada/Pictures", "/home/ada"};
    run_command("preset-toy", session, view);
    REQUIRE(run_command(command, session, view));
    const Scene scene = layout_window(session, view, {1920, 1080});
    const auto scrim = std::ranges::find(scene.regions, "scrim", &Region::id);
    REQUIRE(scrim != scene.regions.end());
    int presses = 0;
    for (auto region = scrim + 1; region != scene.regions.end(); ++region) {
      if (!region->focusable) continue;
      ++presses;
      CHECK_MESSAGE(region->press, region->id);
    }
    CHECK(presses > 0);
  }
}

TEST_CASE("An action needs no region: what it means is carried out as it stands") {
  Session session;
  ViewState view;
  update(session, view, Action(RunCommand{"keys"}));
  REQUIRE(std::get_if<KeySheet>(&view.over));
  update(session, view, Action(NextKeys{}));
  CHECK(std::get<KeySheet>(view.over).page == 1);
  update(session, view, Action(RunCommand{"take-away"}));
  REQUIRE(is_open<ExportSheet>(view));
  update(session, view, Action(ChooseExport{ExportWhat::Steps}));
  CHECK(view.exporting.order.format == ExportFormat::Gif);
  CHECK(view.exporting.order.size == kUsualGif);
  update(session, view, Action(ChooseExport{PictureSize{1920, 1080}}));
  CHECK(view.exporting.order.size == PictureSize{1920, 1080});
  update(session, view, Action(ChooseExport{OwnSize{}}));
  CHECK(view.exporting.own_size);
  CHECK(view.exporting.order.size == PictureSize{1280, 720});
  view.exporting.busy = true;
  update(session, view, Action(ChooseExport{Theme::Dark}));
  CHECK(view.exporting.order.theme == Theme::Light);
  update(session, view, Action(WriteExport{}));
  CHECK_FALSE(view.exporting.start);
  update(session, view, Action(TypeInto{"field:export-file"}));
  CHECK(view.editing == "field:export-file");
}

}  // namespace tilewalk::test_ui
