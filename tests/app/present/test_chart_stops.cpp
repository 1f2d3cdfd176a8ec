// The GPU's charts as a place: a link leads to them, Ctrl+D keeps them as a stop, and the room, the overview and the
// handout show them.
#include "app/export/talk_page.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/scene/layout_check.h"
#include "app/session/charts_link.h"
#include "app/session/commands.h"
#include "app/session/gpu_choices.h"
#include "app/session/hands.h"
#include "app/session/link_moves.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/window/stop_pictures.h"
#include "app/window/wishes.h"
#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <tuple>

namespace tilewalk::test_chart_stops {

namespace {

constexpr std::array kPlaces{
    "tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-on=h200&gpu-n=4096",
    "tilewalk://walk?d=128&mask=causal&charts=compare&gpu-shape=benchmark&gpu-on=h100&gpu-n=16384&gpu-kernel=fa3",
    "tilewalk://walk?d=128&charts=compare&gpu-shape=benchmark&gpu-on=h200&gpu-n=4096&gpu-group=4&gpu-kernel=fa3",
    "tilewalk://walk?charts=compare&gpu-shape=backward&gpu-on=h200&gpu-n=4096",
    "tilewalk://walk?charts=compare&gpu-shape=fp8&gpu-on=h200&gpu-n=4096&gpu-kernel=fa3-fp8%2Brotation",
    "tilewalk://walk?charts=compare&gpu-shape=decode&gpu-on=h200&gpu-decode-n=131072&gpu-group=8",
    "tilewalk://walk?charts=compare&gpu-shape=ladder&gpu-on=h200&gpu-ladder-d=128&gpu-ladder-mask=full&gpu-kernel=fa3",
    "tilewalk://walk?charts=compare&gpu-shape=ladder&gpu-on=h100&gpu-ladder-d=64&gpu-ladder-mask=causal&gpu-kernel=fa2",
    "tilewalk://walk?preset=toy&charts=statistics&gpu-shape=stage&gpu-on=h200&gpu-kernel=fa2",
    "tilewalk://walk?preset=toy&charts=difference&gpu-shape=stage&gpu-on=h200&gpu-kernel=fa3",
};

auto all_of(const GpuChoice& c) {
  return std::tuple(c.shape, c.benchmark_n, c.decode_n, c.group, c.ladder_d, c.ladder_mask, c.with, c.kernel, c.chart,
                    c.tile, c.enlarged, c.recorded, c.recorded_on);
}

struct Talk {
  Session session;
  ViewState view;

  explicit Talk(std::string_view set = {}) {
    give_shipped_lessons(view);
    view.reduced_motion = true;
    if (set.empty()) return;
    view.present.set = read_set_list(set, "a.set");
    begin_presenting(session, view, true);
    view.present.screens = Screens::Two;
  }
  void press(std::string_view words) {
    const Scene now = layout_presenter(session, view, {1920, 1080});
    for (const KeyPress& key : parse_keys(words)) key_pressed(key, now, session, view);
  }
  void click(std::string_view id) {
    const Scene now = layout_presenter(session, view, {1920, 1080});
    const Region* region = now.find(id);
    CAPTURE(id);
    REQUIRE(region);
    pressed(region->rect.center(), now, session, view);
    released(view);
  }
};

std::string words_in(const Scene& scene) {
  std::string all;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
  return all;
}

// A talk of a beat, charts and a walk.
std::string three_stops(size_t place = 0) {
  return fmt::format("tilewalk://lesson/6/beat/1\n{}\ntilewalk://walk/step/12?schedule=fa2&N=64\n", kPlaces[place]);
}

}  // namespace

TEST_CASE("A link leads to the GPU's charts, and the link of where one is then leads there again") {
  for (const char* place : kPlaces) {
    CAPTURE(std::string(place));
    Talk first, second;
    // Whatever was chosen before.
    choose_gpu(second.view.gpu, "gpu-shape", "decode");
    choose_gpu(second.view.gpu, "gpu-group", "4");
    second.view.gpu.tile = 3;
    const Opened opened = open_link(place, first.session, first.view);
    CHECK(opened.lost.empty());
    REQUIRE(first.view.gpu.enlarged);
    REQUIRE(first.view.gpu.board);
    CHECK(first.view.gpu.board->shows_recorded());
    const LinkHere here = link_here(first.session, first.view);
    CHECK(here.remark.empty());
    CHECK(open_link(here.text, second.session, second.view).lost.empty());
    CHECK(all_of(first.view.gpu) == all_of(second.view.gpu));
    CHECK(first.session.problem() == second.session.problem());
    CHECK(link_here(second.session, second.view).text == here.text);
  }
}

TEST_CASE("What a link to charts cannot mean is said, with what it can be, and nothing is out of bounds") {
  for (const auto& [link, said] :
       {std::pair{"tilewalk://walk?charts=sideways", "but compare, statistics, difference or waiting"},
        {"tilewalk://walk?charts=compare&gpu-n=99999999999999999999999", "but 512, 1024"},
        {"tilewalk://walk?charts=compare&gpu-n=-1", "but 512, 1024"},
        {"tilewalk://walk?charts=compare&gpu-on=tpu", "but h200 or h100"},
        {"tilewalk://walk?charts=compare&gpu-kernel=fa9", "gpu-kernel cannot be \"fa9\""},
        {"tilewalk://walk?charts=compare&gpu-kernel=fa3-fp8", "no kernel fa3-fp8"},
        {"tilewalk://walk?charts=waiting&gpu-n=512&gpu-kernel=fa3&gpu-tile=9999999999999999999", "gpu-tile cannot"},
        {"tilewalk://walk?charts=waiting&gpu-n=16384", "No recording on this machine holds this"},
        {"tilewalk://walk?N=48&d=24&charts=compare&gpu-shape=stage", "No recording on this machine holds this"},
        {"tilewalk://lesson/6/beat/2?charts=compare", "a place of their own"}}) {
    CAPTURE(std::string(link));
    Talk talk;
    const Opened opened = open_link(link, talk.session, talk.view);
    CHECK(opened.there);
    CHECK_MESSAGE(opened.words.find(said) != std::string::npos, opened.words);
    talk.view.present.on = true;
    layout_audience(talk.session, talk.view, {1920, 1080});
  }
}

TEST_CASE(
    "Ctrl+D keeps the GPU's charts as a stop, titled as what they show; Ctrl+Z in the overview takes others back") {
  const ScratchFolder folder;
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window(textures);
  window.pictures = folder.path;
  REQUIRE(open_link(kPlaces[1], window.session, window.view).lost.empty());
  window.view.wishes.add_to_set = true;
  carry_out_wishes(window, screen);
  CHECK_MESSAGE(window.view.notice.starts_with("Added to"), window.view.notice);
  REQUIRE(window.view.present.set.items.size() == 1);
  CHECK(stop_title(window.view.present.set.items[0], window.view) == "Kernels on the H100, N = 16,384");
  CHECK(window.view.notice.find("Kernels on the H100") != std::string::npos);
  // On the tab alone the stage is what is kept.
  window.view.gpu.enlarged = false;
  window.view.tab = Tab::Gpu;
  window.view.column_open = true;
  window.view.wishes.add_to_set = true;
  carry_out_wishes(window, screen);
  CHECK(window.view.notice.find("L enlarges its charts") != std::string::npos);
  REQUIRE(window.view.present.set.items.size() == 2);
  CHECK(window.view.present.set.items[1].link.find("charts=") == std::string::npos);
  begin_presenting(window.session, window.view, true);
  CHECK(window.view.gpu.enlarged);
  toggle_overview(window.view);
  CHECK(edit_set(window.view, SetEdit::Twice).find("there twice") != std::string::npos);
  CHECK(window.view.present.set.items.size() == 3);
  CHECK(undo_set_edit(window.view).find("as it was") != std::string::npos);
  CHECK(window.view.present.set.items.size() == 2);
}

TEST_CASE("What was measured just now is no stop: the recording is, and where there is none Ctrl+D says what to do") {
  Talk talk;
  REQUIRE(open_link(kPlaces[0], talk.session, talk.view).lost.empty());
  CHECK(why_no_charts_stop(talk.session, talk.view).empty());
  CHECK(charts_remark(talk.session, talk.view).empty());
  auto live = std::make_shared<GpuBoard>(*talk.view.gpu.board);
  for (GpuRow& row : live->rows) row.recorded = false;
  talk.view.gpu.board = live;
  const std::string remark = charts_remark(talk.session, talk.view);
  CHECK_MESSAGE(remark.find("The stop shows the recording of 2026-") != std::string::npos, remark);
  CHECK(remark.find("not what was measured just now") != std::string::npos);
  // At a shape that nobody recorded.
  talk.view.gpu.shape = GpuShape::Stage;
  REQUIRE(open_link("tilewalk://walk?N=48&d=24&charts=compare&gpu-shape=stage", talk.session, talk.view).there);
  CHECK(why_no_charts_stop(talk.session, talk.view).starts_with("Not kept: no recording holds this"));
  talk.view.gpu.board = live;
  CHECK(why_no_charts_stop(talk.session, talk.view).find("Ctrl+Shift+S") != std::string::npos);
}

TEST_CASE("A stop of charts comes and goes with the clicker, and is as it was when one comes back") {
  Talk talk(three_stops());
  talk.press("Page Down");
  while (talk.view.present.place == 0) talk.press("Page Down");
  REQUIRE(talk.view.present.place == 1);
  CHECK(talk.view.gpu.enlarged);
  CHECK_FALSE(off_set_list(talk.view));
  CHECK(words_in(layout_presenter(talk.session, talk.view, {1920, 1080})).find("2 of 3 in the set list") !=
        std::string::npos);
  // Keys of a walk do nothing to them but for the mask, and say so; those of the window neither.
  const Problem before = talk.session.problem();
  talk.press("V");
  CHECK(talk.view.notice.find("GPU's charts") != std::string::npos);
  CHECK(talk.session.problem() == before);
  talk.press("L");
  CHECK(talk.view.gpu.enlarged);
  CHECK(talk.view.notice.find("Ctrl+D makes that a stop") != std::string::npos);
  // A bar that is chosen in front of the room is a turn, which Ctrl+Backspace takes back.
  talk.click("choice:gpu-kernel/fa1");
  CHECK(talk.view.gpu.kernel == Method::Fa1);
  CHECK(talk.view.present.turned);
  // So is another GPU's recording, from the knobs below the stage; a walk's are not there but for the mask.
  CHECK(layout_presenter(talk.session, talk.view, {1920, 1080}).find("turn:Schedule/+") == nullptr);
  talk.click("choice:gpu-on/h100");
  CHECK(words_in(layout_audience(talk.session, talk.view, {1920, 1080})).find("on H100") != std::string::npos);
  talk.press("Ctrl+Backspace");
  CHECK(words_in(layout_audience(talk.session, talk.view, {1920, 1080})).find("on H200") != std::string::npos);
  CHECK(talk.view.gpu.kernel != Method::Fa1);
  CHECK_FALSE(talk.view.present.turned);
  talk.press("Page Down");
  CHECK(talk.view.present.place == 2);
  CHECK_FALSE(talk.view.gpu.enlarged);
  CHECK(layout_audience(talk.session, talk.view, {1920, 1080}).find("choice:gpu-kernel/fa3") == nullptr);
  talk.press("Page Up");
  CHECK(talk.view.present.place == 1);
  CHECK(talk.view.gpu.enlarged);
  CHECK(words_in(layout_audience(talk.session, talk.view, {1920, 1080})).find("as fast as") != std::string::npos);
  talk.press("Page Up");
  CHECK(talk.view.present.place == 0);
  CHECK_FALSE(talk.view.gpu.enlarged);
  // Left on the charts, one comes back to them.
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  end_presenting(talk.session, talk.view);
  begin_presenting(talk.session, talk.view, false);
  CHECK(talk.view.gpu.enlarged);
  CHECK_FALSE(off_set_list(talk.view));
}

TEST_CASE("Causal or not is answered at the charts: by C, by their knob, and as it was prepared when one comes back") {
  for (const size_t place : {size_t(0), size_t(3), size_t(4), size_t(6)}) {
    CAPTURE(std::string(kPlaces[place]));
    Talk talk(three_stops(place));
    REQUIRE(open_set_item(talk.session, talk.view, 1));
    const auto wall = [&] { return words_in(layout_audience(talk.session, talk.view, {1920, 1080})); };
    const std::string full = wall();
    CHECK(full.find("no mask") != std::string::npos);
    talk.press("C");
    const std::string causal = wall();
    CHECK(talk.view.notice == "Causal mask.");
    CHECK(causal.find("causal") != std::string::npos);
    CHECK(causal.find("no mask") == std::string::npos);
    CHECK(causal.find("Nothing was recorded") == std::string::npos);
    talk.press("Ctrl+Backspace");
    CHECK(wall() == full);
    talk.press("C");
    talk.press("Page Down");
    talk.press("Page Up");
    CHECK(wall() == full);
    if (talk.view.gpu.shape == GpuShape::Ladder) continue;
    talk.click("turn:Mask/+");
    CHECK(wall() == causal);
  }
}

TEST_CASE("Presenting from the charts shows them, where they are of no lesson") {
  Talk talk;
  REQUIRE(open_link(kPlaces[0], talk.session, talk.view).there);
  begin_presenting(talk.session, talk.view, false);
  CHECK(talk.view.gpu.enlarged);
  talk.press("C");
  CHECK(words_in(layout_audience(talk.session, talk.view, {1920, 1080})).find("causal") != std::string::npos);
  talk.press("Ctrl+Backspace");
  CHECK(words_in(layout_audience(talk.session, talk.view, {1920, 1080})).find("no mask") != std::string::npos);
}

TEST_CASE("A room can read the GPU's charts, and the number that they are there for is the largest") {
  for (const char* place : kPlaces)
    for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}})
      for (const Theme theme : {Theme::Projector, Theme::Dark}) {
        CAPTURE(std::string(place));
        CAPTURE(size.y);
        CAPTURE(int(theme));
        Talk talk(std::string(place) + "\n");
        talk.view.present.theme = theme;
        const Scene scene = layout_audience(talk.session, talk.view, size);
        for (const std::string& fault : layout_faults(scene, kRoomText * size.y / 1080, room_scale(talk.view, size)))
          FAIL_CHECK(fault);
        const Label* largest = nullptr;
        for (const Item& item : scene.items)
          if (const auto* label = std::get_if<Label>(&item)) {
            CHECK_MESSAGE(!label->text.ends_with("…"), label->text);
            if (!largest || label->size > largest->size) largest = label;
          }
        REQUIRE(largest);
        const bool number = largest->text.ends_with("×") || largest->text.find("e-") != std::string::npos;
        CHECK_MESSAGE((number || largest->text.find("the same") != std::string::npos), largest->text);
        if (number) CHECK(largest->size >= 60 * size.y / 540 * 0.99f);
      }
}

TEST_CASE("Charts are in the overview and in the handout as any stop is") {
  Talk talk(three_stops());
  toggle_overview(talk.view);
  StopPicturesMaker maker;
  while (maker.make_one(talk.view, {320, 180})) {
  }
  REQUIRE(talk.view.present.pictures);
  const auto picture = talk.view.present.pictures->find("set:1");
  REQUIRE(picture != talk.view.present.pictures->end());
  const std::string result = "4.6×";  // FA3's time in the recording, and standard's
  CHECK(words_in(picture->second).find(result) != std::string::npos);
  // Nothing of it is left on the next picture.
  CHECK(words_in(talk.view.present.pictures->at("set:2")).find(result) == std::string::npos);
  const std::string page = talk_page(shipped_lessons(), read_set_list(three_stops(), "a.set"), false);
  CHECK(page.find("2. Kernels on the H200, N = 4,096") != std::string::npos);
  CHECK(page.find(result) != std::string::npos);
}

TEST_CASE("That the charts' N turns the number of sequences too stands large beside the result") {
  for (const size_t place : {size_t(0), size_t(3), size_t(4)})
    for (const Vec2 size : {Vec2{1920, 1080}, Vec2{1280, 720}}) {
      CAPTURE(std::string(kPlaces[place]));
      Talk talk(three_stops(place));
      REQUIRE(open_set_item(talk.session, talk.view, 1));
      const auto told = [&](std::string_view words) {
        const Scene scene = layout_audience(talk.session, talk.view, size);
        CAPTURE(words_in(scene));
        CHECK(layout_faults(scene, kRoomText * size.y / 1080, room_scale(talk.view, size)).empty());
        for (const Item& item : scene.items)
          if (const auto* label = std::get_if<Label>(&item); label && label->text.find(words) != std::string::npos) {
            CHECK(label->size >= 36 * size.y / 1080);
            CHECK(label->slot.bottom() < size.y / 3);
            return;
          }
        FAIL_CHECK(std::string(words) << " is not told");
      };
      told("B × N = 16,384 at every N: 4 sequences of 4,096");
      talk.click("choice:gpu-n/16384");
      told("B × N = 16,384: four times as long, a quarter as many sequences");
      talk.click("choice:gpu-n/512");
      told("B × N = 16,384: an eighth as long, eight times as many sequences");
      talk.click("choice:gpu-n/2048");
      told("B × N = 16,384: half as long, twice as many sequences");
    }
}

}  // namespace tilewalk::test_chart_stops
