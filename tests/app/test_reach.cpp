// By keyboard alone: at every stop of every lesson, in each tab, overlay and tool, whatever a click acts on is a stop
// of Tab, or has a key on the key sheet. And the ring round the stop is seen, on any ground, in three themes.
#include "app/boards/board.h"
#include "app/panels/panels.h"
#include "app/panels/presenter.h"
#include "app/panels/window_grid.h"
#include "app/scene/color_math.h"
#include "app/session/commands.h"
#include "app/session/go_to.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/open_file.h"
#include "app/session/questions.h"
#include "app/session/region_id.h"
#include "app/session/tools.h"
#include "core/lesson/course.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tilewalk::test_reach {

namespace {

struct Reader {
  Session session;
  ViewState view;
  Vec2 size{1600, 900};
  Reader() {
    auto course = std::make_shared<Course>();
    course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons/en"});
    view.lesson.course = std::move(course);
    view.lesson.cache = std::make_shared<LessonCache>();
    fit(view, size);
  }
  Scene scene() { return layout_window(session, view, size); }
};

// What a press of the button does nothing to: it is there to be pointed at, for its words.
bool only_words(std::string_view id) {
  constexpr std::array kKinds{"reading", "word",     "quantity", "facts",   "notice",   "panel",    "card", "scrim",
                              "gpu",     "figure",   "label",    "element", "device",   "sm",       "gap",  "part",
                              "lane",    "recorded", "present",  "begins",  "interval", "stat-lane"};
  return std::ranges::find(kKinds, kind_of(id)) != kKinds.end();
}

// Selected by a click, and by J and K, which go over them.
bool selected_by_keys(std::string_view id) {
  const std::string_view kind = kind_of(id);
  return kind == "tile" || kind == "line" || kind == "level" || kind == "ledger";
}

// Of a board: whether a press there changes what is set on it.
bool acts_on_board(std::string_view id, const BoardState& state) {
  const Board* board = board_named(state.board);
  if (!board || !board->act) return false;
  for (const float at : {0.1f, 0.35f, 0.5f, 0.8f}) {
    BoardState after = state;
    board->act(id, {at, at}, false, after);
    if (!(after == state)) return true;
  }
  return false;
}

// The key that does what a click there does: it is named in the words of a command, which make the key sheet.
std::string_view command_instead(std::string_view id) {
  const std::string_view kind = kind_of(id);
  if (kind == "command") return rest_of(id);
  if (kind == "row" || kind == "stat") return "row-down";  // the row that is followed
  if (kind == "marker") return "mark-forward";
  if (kind == "cell") return "element";  // typed over
  if (kind == "scroll" || kind == "thumb") return "text-down";
  if (kind == "digit") return "lesson-next";  // opens the field that digits are typed into
  if (id == "speed") return "faster";
  return {};
}

// Of many like parts of a board one is a stop, which arrows move over all of them.
bool moved_by_arrows(const std::string& id, const std::set<std::string_view>& stops) {
  if (id == "board:grid") return stops.contains("board:cursor");
  if (id.starts_with("board:member/")) return stops.contains("board:picked");
  if (id.starts_with("board:digit/"))  // typed into the chosen cell, which is a stop
    return std::ranges::any_of(stops, [&](std::string_view stop) { return stop.starts_with("field:"); });
  return id.starts_with("board:") && stops.contains(std::string_view(id).substr(0, id.find('/')));
}

// Faults of one picture, each once: what cannot be reached.
void reach(const Scene& scene, const ViewState& view, std::map<std::string, std::string>& faults,
           const std::string& where) {
  size_t begin = 0;  // what lies under an overlay takes no input
  for (size_t k = 0; k < scene.regions.size(); ++k)
    if (scene.regions[k].id == "scrim") begin = k + 1;
  std::set<std::string_view> stops;
  for (size_t k = begin; k < scene.regions.size(); ++k)
    if (scene.regions[k].focusable) stops.insert(scene.regions[k].id);
  for (size_t k = begin; k < scene.regions.size(); ++k) {
    const Region& region = scene.regions[k];
    if (stops.contains(region.id) || only_words(region.id) || selected_by_keys(region.id)) continue;
    if (kind_of(region.id) == "board" && !acts_on_board(region.id, view.board)) continue;
    if (moved_by_arrows(region.id, stops)) continue;
    const Command* command = command_named(command_instead(region.id));
    if (command && !command->keys.empty()) continue;
    // A number is typed on its slider, too, which is a stop.
    if (region.id.starts_with("field:knob/") &&
        stops.contains(std::string("knob:") + region.id.substr(region.id.find('/') + 1)))
      continue;
    // The options of a choice have one stop, the chosen one; arrows go on from it.
    const std::string knob = region.id.substr(0, region.id.find('/') + 1);
    if (region.id.starts_with("knob:") && !knob.empty() &&
        std::ranges::any_of(stops, [&](std::string_view stop) { return stop.starts_with(knob); }))
      continue;
    faults.emplace(std::string(kind_of(region.id)) + " " + region.id.substr(0, region.id.find('/')),
                   region.id + ", " + where);
  }
}

void report(const std::map<std::string, std::string>& faults) {
  for (const auto& [kind, fault] : faults) FAIL_CHECK(fault);
}

}  // namespace

TEST_CASE("Whatever a click acts on is a stop of Tab or has a key, at every stop of every lesson") {
  Reader reader;
  std::map<std::string, std::string> faults;
  int stops = 0;
  for (const CourseEntry& entry : reader.view.lesson.course->entries()) {
    REQUIRE(entry.lesson);
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      REQUIRE(open_lesson(reader.session, reader.view, entry.lesson->id, beat));
      reach(reader.scene(), reader.view, faults, entry.lesson->id + " " + std::to_string(beat + 1));
      ++stops;
    }
  }
  CHECK(stops > 120);
  report(faults);
}

TEST_CASE("The same in every tab, overlay and tool, in a wide window and a narrow one") {
  std::map<std::string, std::string> faults;
  for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}}) {
    Reader reader;
    reader.size = size;
    go_to("first rescale", reader.session, reader.view);
    const ViewState plain = reader.view;
    for (const char* command :
         {"tab-explain",   "tab-numbers", "tab-problem", "tab-gpu", "menu",      "go-to",  "open-file",
          "element",       "ask-reset",   "about",       "keys",    "take-away", "review", "gpu-large",
          "draw-roofline", "estimate",    "curves",      "compare", "rail",      "column"}) {
      reader.view = plain;
      REQUIRE_MESSAGE(run_command(command, reader.session, reader.view), command);
      reach(reader.scene(), reader.view, faults, command);
      if (std::string_view(command) == "compare") reader.session.change(Setup{});
    }
  }
  report(faults);
}

TEST_CASE("The same after a crash, and in the window of the one who presents") {
  std::map<std::string, std::string> faults;
  Reader reader;
  reader.view.over = LeftOverOffer{};
  reader.view.left_over.link = "tilewalk://lesson/6";
  reach(reader.scene(), reader.view, faults, "after a crash");
  reader.view.over = {};
  REQUIRE(open_lesson_numbered(reader.session, reader.view, 6));
  REQUIRE(run_command("present", reader.session, reader.view));
  for (const char* command : {"", "present-overview", "present-go-to"}) {
    if (*command) REQUIRE_MESSAGE(run_command(command, reader.session, reader.view), command);
    const Scene scene = layout_presenter(reader.session, reader.view, {1600, 900});
    CHECK(scene.find("command:present-end") != nullptr);
    reach(scene, reader.view, faults, "presenting");
  }
  report(faults);
}

TEST_CASE("Tab comes round to every stop of an overlay, and to nothing under it") {
  Reader reader;
  for (const char* command : {"menu", "open-file", "ask-reset", "about", "keys", "take-away"}) {
    CAPTURE(command);
    reader.view.focus = "scrubber";  // from before
    reader.view.focus_ring = true;
    REQUIRE(run_command(command, reader.session, reader.view));
    reader.view.editing.clear();
    const Scene scene = reader.scene();
    std::set<std::string> wanted, seen;
    bool above = false;
    for (const Region& region : scene.regions) {
      if (above && region.focusable) wanted.insert(region.id);
      above = above || region.id == "scrim";
    }
    // Nothing under the overlay is pressed by Enter, whatever had the focus before.
    const bool played = reader.view.playing;
    const int64_t before = reader.view.playhead;
    key_pressed({.key = Key::Enter}, scene, reader.session, reader.view);
    CHECK(reader.view.playing == played);
    CHECK(reader.view.playhead == before);
    for (size_t k = 0; k < wanted.size() + 3; ++k) {
      key_pressed({.key = Key::Tab}, scene, reader.session, reader.view);
      seen.insert(reader.view.focus);
    }
    CHECK(seen == wanted);
    run_command("escape", reader.session, reader.view);
  }
}

TEST_CASE("J and K point at everything on the stage that has words, and select what a click selects") {
  Reader reader;
  REQUIRE(go_to("first rescale", reader.session, reader.view) == "");
  reader.view.hover_for = -1;
  const Scene scene = reader.scene();
  std::set<std::string> seen;
  for (size_t k = 0; k < scene.regions.size() + 1; ++k) {
    REQUIRE(key_pressed({.key = Key::Character, .character = U'j'}, scene, reader.session, reader.view));
    const Region* region = scene.hit(reader.view.pointer);
    REQUIRE(region);
    CHECK(region->id == reader.view.hover);
    CHECK(selected_by_keys(region->id) == (reader.view.selection == region->id));
    seen.insert(region->id);
  }
  for (const char* id : {"tile:Q/0", "tile:K/2", "tile:S/0/0", "tile:O/0", "level:sram", "level:l2", "level:dram",
                         "ledger:fill", "stat:m/1", "word:m"})
    CHECK_MESSAGE(seen.contains(id), id);
  // What is pointed at says what it is, as under the mouse.
  reader.view.hover.clear();
  const size_t without = reader.scene().items.size();
  key_pressed({.key = Key::Character, .character = U'j'}, scene, reader.session, reader.view);
  CHECK(reader.scene().items.size() > without);
  const std::string first = reader.view.hover;
  key_pressed({.key = Key::Character, .character = U'j'}, scene, reader.session, reader.view);
  CHECK(reader.view.hover != first);
  key_pressed({.key = Key::Character, .character = U'k'}, scene, reader.session, reader.view);
  CHECK(reader.view.hover == first);
}

TEST_CASE("F6 goes from panel to panel and comes round") {
  Reader reader;
  REQUIRE(open_lesson_numbered(reader.session, reader.view, 6));
  const Scene scene = reader.scene();
  std::vector<std::string> panels;
  for (int k = 0; k < 8; ++k) {
    key_pressed({.key = Key::F6}, scene, reader.session, reader.view);
    const Region* region = scene.find(reader.view.focus);
    REQUIRE(region);
    CHECK(region->focusable);
    CHECK(reader.view.focus_ring);
    if (!panels.empty() && reader.view.focus == panels.front()) break;
    panels.push_back(reader.view.focus);
  }
  CHECK(panels.size() == 5);  // bar, lessons, stage, column, transport
  const std::string last = reader.view.focus;
  key_pressed({.key = Key::F6}, scene, reader.session, reader.view);
  key_pressed({.key = Key::F6, .shift = true}, scene, reader.session, reader.view);
  CHECK(reader.view.focus == last);
}

TEST_CASE("The ring stands out from its ground in every theme, whatever lies under it, and lies in the window") {
  Reader reader;
  for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
    reader.view.theme = theme;
    const Palette& p = palette(theme);
    CHECK(contrast(p[Role::Focus], p[Role::Background]) >= 3);
    reader.view.focus.clear();
    const size_t without = reader.scene().items.size();
    for (int k = 0; k < 60; ++k) {
      key_pressed({.key = Key::Tab}, reader.scene(), reader.session, reader.view);
      const Scene scene = reader.scene();
      REQUIRE(scene.items.size() >= without + 2);
      const Box* ground = std::get_if<Box>(&scene.items[scene.items.size() - 2]);
      const Box* ring = std::get_if<Box>(&scene.items.back());
      REQUIRE(ground);
      REQUIRE(ring);
      CHECK(ring->stroke == p[Role::Focus]);
      CHECK(ring->stroke_width >= 3);
      CHECK(ground->stroke == p[Role::Background]);
      // The ground is seen on both sides of the ring.
      CHECK(ground->rect.x < ring->rect.x);
      CHECK(ground->rect.w - 2 * ground->stroke_width < ring->rect.w - 2 * ring->stroke_width);
      CHECK(ring->rect.x >= 0);
      CHECK(ring->rect.y >= 0);
      CHECK(ring->rect.right() <= reader.size.x);
      CHECK(ring->rect.bottom() <= reader.size.y);
    }
  }
}

}  // namespace tilewalk::test_reach
