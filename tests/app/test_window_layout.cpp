// The whole window at the sizes and scales that are promised, in three themes: no text cut off, covered, too small or
// too faint, nothing to point at without a name.
#include "app/boards/board.h"
#include "app/export/job.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/export_dialog.h"
#include "app/session/go_to.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/open_file.h"
#include "app/session/transport.h"
#include "tests/app/shipped_lessons.h"
#include "tests/app/window_shape.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace tilewalk::test_window_layout {

namespace {

const std::vector<Shape> kShapes = {
    {{1280, 720}, 1},
    {{1280, 720}, 1.25f},
    {{1600, 900}, 1},
    {{1920, 1080}, 1},
    {{1920, 1080}, 1.5f},
    {{1920, 1080}, 1.75f},
    {{3840, 2160}, 1},
    {{3840, 2160}, 2},
    {{3840, 2160}, 3},
    // The ends of the range: more than fits is held at what does.
    {{1280, 720}, 0.75f},
    {{1280, 720}, 3},
    {{1920, 1080}, 0.75f},
    {{1920, 1080}, 3},
    {{3840, 2160}, 0.75f},
};

// Faults of one window, each with where it was found.
void check(Session& session, ViewState view, const Shape& shape, const std::string& what) {
  float scale = 1;
  const Scene scene = window_of(session, view, shape, scale);
  const WindowGrid grid = window_grid(shape.size, view);
  const bool covered = grid.rail_over.w > 0 || grid.column_over.w > 0;
  for (const std::string& fault : layout_faults(scene, 14 * scale, scale)) {
    // A panel that floats hides what is below it, and is meant to.
    if (covered && fault.find("is hidden under") != std::string::npos) continue;
    FAIL_CHECK(fmt::format("{} {}: {}", what, words_of(shape, view), fault));
  }
}

struct Situation {
  std::string name;
  std::function<void(Session&, ViewState&)> arrange;
};

void arrange(Session& session, ViewState& view, std::string_view preset, std::string_view where) {
  run_command(fmt::format("preset-{}", preset), session, view);
  view.notice.clear();
  REQUIRE(go_to(where, session, view).empty());
}

const std::vector<Situation> kSituations = {
    {"the start", [](Session&, ViewState&) {}},
    {"a rescale", [](Session& s, ViewState& v) { arrange(s, v, "toy", "first rescale of Q tile 2"); }},
    {"the end", [](Session& s, ViewState& v) { arrange(s, v, "toy", "end"); }},
    {"one row on paper", [](Session& s, ViewState& v) { arrange(s, v, "micro", "last rescale"); }},
    {"a masked tile", [](Session& s, ViewState& v) { arrange(s, v, "causal", "first mask"); }},
    {"numbers",
     [](Session& s, ViewState& v) {
       arrange(s, v, "toy", "tile 6");
       v.tab = Tab::Numbers;
     }},
    {"the problem's form",
     [](Session& s, ViewState& v) {
       arrange(s, v, "toy", "tile 6");
       v.tab = Tab::Problem;
     }},
    {"two schedules",
     [](Session& s, ViewState& v) {
       arrange(s, v, "toy", "tile 6");
       run_command("compare", s, v);
       v.notice.clear();
     }},
    {"a real head", [](Session& s, ViewState& v) { run_command("real-head", s, v); }},
    {"floating panels",
     [](Session& s, ViewState& v) {
       arrange(s, v, "toy", "tile 6");
       v.rail_over = v.column_over = true;
     }},
    {"folded panels",
     [](Session& s, ViewState& v) {
       arrange(s, v, "toy", "tile 6");
       v.rail_open = v.column_open = false;
     }},
    {"a long message",
     [](Session&, ViewState& v) {
       v.notice =
           "Tiles of 4096 rows need 33,554,432 bytes of SRAM and 227 KiB are there: take fewer rows, or a machine "
           "with more; the walk on the stage is still the one before.";
     }},
};

// Overlays cover what lies below, so only what is above the scrim is looked at.
void check_overlay(Session& session, ViewState view, const Shape& shape, const std::string& what) {
  view.scale = shape.scale;
  fit(view, shape.size);
  const float scale = window_grid(shape.size, view).scale;
  const Style style(view.theme, scale);
  const Rect window{0, 0, shape.size.x, shape.size.y};
  Scene scene;
  scene.size = shape.size;
  scene.background = style[Role::Background];
  if (is_open<Menu>(view)) layout_menu(scene, session, view, window, style);
  if (is_open<GoTo>(view)) layout_go_to(scene, session, view, window, style);
  if (is_open<WordSheet>(view)) layout_word_sheet(scene, view, window, style);
  if (is_open<KeySheet>(view)) layout_key_sheet(scene, view, window, style);
  if (is_open<ExportSheet>(view)) layout_export(scene, session, view, window, style);
  CHECK(scene.items.size() > 5);
  // The scrim is drawn as a wash over everything; here it would hide nothing.
  scene.items.erase(scene.items.begin());
  std::erase_if(scene.regions, [](const Region& r) { return r.id == "scrim" || r.id == "card"; });
  for (const std::string& fault : layout_faults(scene, 14 * scale, scale))
    FAIL_CHECK(fmt::format("{} {}: {}", what, words_of(shape, view), fault));
}

}  // namespace

TEST_CASE("The window has no fault at any promised size, scale and theme") {
  for (const Situation& situation : kSituations) {
    Session session;
    ViewState view;
    situation.arrange(session, view);
    for (const Shape& shape : kShapes)
      for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
        view.theme = theme;
        check(session, view, shape, situation.name);
      }
  }
}

TEST_CASE("Every button runs a command that is there") {
  for (const Situation& situation : kSituations) {
    Session session;
    ViewState view;
    situation.arrange(session, view);
    for (const bool menu : {false, true}) {
      view.over = menu ? Overlay(Menu{}) : Overlay();
      int buttons = 0;
      for (const Region& region : layout_window(session, view, {1920, 1080}).regions) {
        if (!region.id.starts_with("command:")) continue;
        ++buttons;
        CHECK_MESSAGE(command_named(region.id.substr(8)), region.id);
      }
      CHECK(buttons > 5);
    }
  }
}

TEST_CASE("Overlays have no fault either") {
  Session session;
  for (const Shape& shape : kShapes)
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      ViewState view;
      view.theme = theme;
      view.over = Menu{};
      check_overlay(session, view, shape, "the menu");
      view.over = KeySheet{};
      check_overlay(session, view, shape, "the key sheet");
      view.over = KeySheet{"tile", 0};
      check_overlay(session, view, shape, "the filtered key sheet");
      view.over = WordSheet{};
      check_overlay(session, view, shape, "the words");
      view.over = WordSheet{{}, 1};
      check_overlay(session, view, shape, "the last words");
      view.over = WordSheet{"xyz", 1};
      check_overlay(session, view, shape, "no word");
      view.over = GoTo{go_to("banana of Q tile 12", session, view)};
      check_overlay(session, view, shape, "go to");
      view.over = {};
      view.exporting.places = {"/home/ada/Pictures", "/home/ada"};
      open_export(session, view);
      check_overlay(session, view, shape, "taking a picture away");
      view.exporting.order.what = ExportWhat::Steps, view.exporting.own_size = true;
      view.exporting.fault = too_large_words(14'200'000, true);
      check_overlay(session, view, shape, "taking steps away");
      view.exporting.busy = true, view.exporting.share = 0.4f;
      check_overlay(session, view, shape, "steps being written");
    }
}

TEST_CASE("A label made too long is found") {
  Session session;
  ViewState view;
  Scene scene = layout_window(session, view, {1920, 1080});
  REQUIRE(layout_faults(scene, 14, 1).empty());
  for (Item& item : scene.items)
    if (Label* label = std::get_if<Label>(&item); label && label->text == "Free walk") {
      label->text = "Free walk through every tile there is and then some more";
      break;
    }
  CHECK_FALSE(layout_faults(scene, 14, 1).empty());
}

TEST_CASE("Where more does not fit, the scale is held, and the status line says so") {
  CHECK(shown_scale({1920, 1080}, 1.5f).note.empty());
  const ShownScale held = shown_scale({1280, 720}, 3);
  CHECK(held.scale == doctest::Approx(1.25f));
  CHECK(held.note.find("125 %") != std::string::npos);
  Session session;
  ViewState view;
  view.scale = 3;
  const Scene scene = layout_window(session, view, {1280, 720});
  const Region* notice = scene.find("notice");
  REQUIRE(notice);
  CHECK(notice->tip.find("instead of 300 %") != std::string::npos);
}

TEST_CASE("Panels fill the window without overlapping, at every size") {
  for (float w = 640; w <= 3840; w += 97)
    for (float h = 360; h <= 2160; h += 83)
      for (float scale : {0.75f, 1.0f, 2.0f}) {
        ViewState view;
        view.scale = scale;
        const WindowGrid g = window_grid({w, h}, view);
        CAPTURE(w);
        CAPTURE(h);
        CAPTURE(scale);
        CHECK(g.rail.right() <= g.stage.x + 0.01f);
        CHECK(g.stage.right() <= g.column.x + 0.01f);
        CHECK(g.column.right() == doctest::Approx(w));
        CHECK(g.stage.y == doctest::Approx(g.top_bar.bottom()));
        CHECK(g.stage.bottom() == doctest::Approx(g.transport.y));
        CHECK(g.status.bottom() == doctest::Approx(h));
        CHECK(g.stage.w > 0.5f * w * (g.column.w > 0 ? 0.8f : 1));
        CHECK(g.stage.h > 0.5f * h);
      }
}

TEST_CASE("Every region that the keyboard reaches can be found by its name and says what it is") {
  Session session;
  ViewState view;
  const Scene scene = layout_window(session, view, {1920, 1080});
  std::vector<std::string> stops;
  for (size_t k = 0; k < 400; ++k) {
    key_pressed({Key::Tab}, scene, session, view);
    REQUIRE(scene.find(view.focus));
    if (!stops.empty() && view.focus == stops.front()) break;
    stops.push_back(view.focus);
    CHECK_FALSE(scene.find(view.focus)->tip.empty());
  }
  for (const std::string id : {"command:menu", "command:play", "command:part-forward", "scrubber", "command:keys",
                               "lesson:0", "command:theme", "command:present", "tab:problem", "command:go-to"}) {
    CAPTURE(id);
    CHECK(std::ranges::find(stops, id) != stops.end());
  }
  // And back again.
  const std::string last = view.focus;
  key_pressed({Key::Tab}, scene, session, view);
  key_pressed({.key = Key::Tab, .shift = true}, scene, session, view);
  CHECK(view.focus == last);
}

TEST_CASE("A tooltip never lies over what it speaks of, and is gone while a dialog or a field is open") {
  Session session;
  ViewState view;
  view.tab = Tab::Problem;
  const Vec2 size{1600, 900};
  const Scene plain = layout_window(session, view, size);
  int seen = 0;
  for (const Region& region : plain.regions) {
    view.pointer = region.rect.center();
    const Region* under = plain.hit(view.pointer);
    if (!under || under->id != region.id || !under->focusable) continue;
    view.hover = region.id;
    view.hover_for = 0;
    const size_t without = layout_window(session, view, size).items.size();
    view.hover_for = 10;
    const Scene scene = layout_window(session, view, size);
    if (scene.items.size() == without) continue;
    ++seen;
    // The tip is drawn last: its box, then its lines.
    size_t at = scene.items.size();
    while (!std::holds_alternative<Box>(scene.items[at - 1])) --at;
    const Rect tip = std::get<Box>(scene.items[at - 1]).rect, about = scene.hit(view.pointer)->rect;
    const bool apart =
        tip.right() <= about.x || about.right() <= tip.x || tip.bottom() <= about.y || about.bottom() <= tip.y;
    CHECK_MESSAGE(apart, region.id);
    for (const Overlay& over : {Overlay(Menu{}), Overlay(GoTo{}), Overlay(KeySheet{}), Overlay(TypeElement{})}) {
      ViewState other = view;
      other.over = over;
      other.hover_for = 0;
      const size_t quiet = layout_window(session, other, size).items.size();
      other.hover_for = 10;
      CHECK(layout_window(session, other, size).items.size() == quiet);
    }
  }
  CHECK(seen > 40);
}

TEST_CASE("A tip covers no words where there is room beside them, and J rings what it is on") {
  Session session;
  ViewState view;
  const Vec2 size{1920, 1080};
  const auto overlap = [](const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
  };
  // The tip is drawn last: its box, then its lines.
  const auto tip_of_scene = [](const Scene& scene) {
    size_t at = scene.items.size();
    while (!std::holds_alternative<Box>(scene.items[at - 1])) --at;
    return at - 1;
  };
  seek(session.walk(), view, session.walk().replay.length() / 3);
  int words = 0;
  for (int k = 0; k < 24; ++k) {
    REQUIRE(key_pressed({Key::Character, U'j'}, layout_window(session, view, size), session, view));
    const Scene scene = layout_window(session, view, size);
    const size_t at = tip_of_scene(scene);
    const Rect tip = std::get<Box>(scene.items[at]).rect;
    const Style style(view.theme, window_grid(size, view).scale);
    const Box* ring = std::get_if<Box>(&scene.items[at - 1]);
    REQUIRE(ring);
    CHECK(ring->stroke == style[Role::Focus]);
    CHECK_FALSE(overlap(tip, scene.hit(view.pointer)->rect));
    for (size_t n = 0; n < at; ++n)
      if (const auto* label = std::get_if<Label>(&scene.items[n])) words += overlap(tip, label_ink(*label));
  }
  CHECK(words == 0);
  // The mouse takes the ring away.
  pointer_moved({5, 5}, layout_window(session, view, size), session, view);
  CHECK_FALSE(view.pointed);

  // Lesson 5's plot has buttons below it.
  view = {};
  view.board = read_board_state("tiles");
  const Scene plain = layout_window(session, view, size);
  const Region* pad = plain.find("board:pad");
  REQUIRE(pad);
  view.pointer = pad->rect.center(), view.hover = "board:pad", view.hover_for = 10;
  const Scene scene = layout_window(session, view, size);
  const Rect tip = std::get<Box>(scene.items[tip_of_scene(scene)]).rect;
  for (const Region& region : scene.regions)
    if (region.focusable && region.id != "board:pad") CHECK_MESSAGE(!overlap(tip, region.rect), region.id);

  // What Enter presses on a board says what it does once it has the focus.
  view = {};
  view.board = read_board_state("dispatch");
  view.focus = "knob:dtype/+";
  const size_t quiet = layout_window(session, view, size).items.size();
  view.focus_ring = true;
  CHECK(layout_window(session, view, size).items.size() > quiet + 2);  // more than the ring
}

TEST_CASE("A step key at the last step says so") {
  Session session;
  ViewState view;
  seek(session.walk(), view, session.walk().replay.length());
  const Scene scene = layout_window(session, view, {1920, 1080});
  CHECK(key_pressed({Key::Right}, scene, session, view));
  CHECK(view.notice == "That was the last step. Home begins anew.");
}

TEST_CASE("At the last step of a lesson's walk the step key once more goes on, held down it does not") {
  Session session;
  ViewState view;
  give_shipped_lessons(view);
  for (const Key key : {Key::Right, Key::PageDown}) {
    REQUIRE(open_lesson_numbered(session, view, 4, 3));  // a walk without a question
    seek(session.walk(), view, session.walk().replay.length());
    view.notice.clear();
    const auto press = [&](bool held) {
      KeyPress on{key};
      on.repeat = held;
      key_pressed(on, layout_window(session, view, {1920, 1080}), session, view);
    };
    press(false);
    CHECK(view.notice == kLastStep);
    press(true);
    CHECK(view.lesson.beat == 3);
    press(false);
    CHECK(view.lesson.beat == 4);
  }
}

}  // namespace tilewalk::test_window_layout
