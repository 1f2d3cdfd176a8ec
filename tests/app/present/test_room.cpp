// Which screen the room's picture goes to, what lies over it, and the picture as a bright room leaves it.
#include "app/panels/room_overlay.h"
#include "app/scene/color_math.h"
#include "app/scene/palette.h"
#include "app/scene/wash.h"
#include "app/shell/desktop/monitors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk::test_room {

namespace {

const Monitor kLaptop{"eDP-1", 0, 0, 1366, 768}, kProjector{"HDMI-1", 1366, 0, 1920, 1080},
    kWall{"DP-1", 3286, 0, 3840, 2160};

}  // namespace

TEST_CASE("The room gets the largest other monitor, or the one that was asked for") {
  const std::array three{kLaptop, kProjector, kWall};
  CHECK(room_place(three, 0, "", false).monitor == 2);
  CHECK(room_place(three, 2, "", false).monitor == 1);
  CHECK(room_place(three, 0, "HDMI-1", false).monitor == 1);
  CHECK(room_place(three, 0, "2", false).monitor == 1);
  const RoomPlace lost = room_place(three, 0, "VGA-9", false);
  CHECK(lost.monitor == 2);
  CHECK(lost.trouble.find("VGA-9") != std::string::npos);
  const RoomPlace swapped = room_place(std::array{kLaptop, kProjector}, 0, "", true);
  CHECK(swapped.monitor == 0);
  CHECK(swapped.w == 1366);
}

TEST_CASE("A wish for a monitor that is not there is told before the room is opened") {
  const std::array two{kLaptop, kProjector};
  for (const char* fine : {"", "HDMI-1", "2", "1920x1080+1920+0"}) CHECK(wish_fault(two, fine) == "");
  CHECK(wish_fault(two, "VGA-9") == "There is no monitor \"VGA-9\" now; there are \"eDP-1\", \"HDMI-1\".");
  CHECK(wish_fault({}, "3") == "There is no monitor \"3\" now; there are none.");
}

TEST_CASE("One monitor, or two that show the same, is one screen: notes stay off it") {
  CHECK_FALSE(room_place(std::array{kLaptop}, 0, "", false).own_window);
  CHECK_FALSE(room_place(std::span<const Monitor>{}, 0, "", false).own_window);
  Monitor mirror = kProjector;
  mirror.x = 0;
  CHECK_FALSE(room_place(std::array{kLaptop, mirror}, 0, "", false).own_window);
  CHECK_FALSE(room_place(std::array{kLaptop, mirror}, 0, "HDMI-1", false).own_window);
  CHECK_FALSE(room_place(std::array{kLaptop, mirror}, 0, "", true).own_window);
}

TEST_CASE("A rectangle of the desktop serves as a monitor") {
  const RoomPlace place = room_place(std::array{kLaptop}, 0, "1920x1080+1366+0", false);
  CHECK(place.own_window);
  CHECK(place.monitor == -1);
  CHECK(place.x == 1366);
  CHECK(place.w == 1920);
  CHECK_FALSE(read_rectangle("1920x1080"));
  CHECK_FALSE(read_rectangle("1920x1080+0+0x"));
  CHECK_FALSE(read_rectangle("2x2+0+0"));
}

TEST_CASE("Black and white cover everything, the spotlight leaves a circle") {
  Presentation p;
  p.blank = Blank::Black;
  p.tool = Tool::Spotlight;
  Scene scene = layout_room_overlay(p, {1920, 1080});
  REQUIRE(scene.items.size() == 1);
  CHECK(std::get<Box>(scene.items[0]).fill == rgb(0x000000));
  p.blank = Blank::White;
  CHECK(std::get<Box>(layout_room_overlay(p, {1920, 1080}).items.at(0)).fill == rgb(0xFFFFFF));
  p.blank = Blank::None;
  scene = layout_room_overlay(p, {1920, 1080});
  const Box& dark = std::get<Box>(scene.items.at(0));
  CHECK(dark.rect.center().x == doctest::Approx(960));
  CHECK(dark.rect.w / 2 - dark.stroke_width == doctest::Approx(180));
  CHECK(dark.rect.x < -900);
  CHECK(dark.fill.a == 0);
  CHECK(int(dark.stroke.a) == int(std::lround(0.65 * 255)));
}

TEST_CASE("The lens shows a part of the picture in its own proportions") {
  Presentation p;
  p.lens = true;
  p.lens_zoom = 2;
  p.at = {0.25f, 0.5f};
  const Lens lens = lens_of(p, {1920, 1080});
  CHECK(lens.rect.center().x == doctest::Approx(480));
  CHECK(lens.source.w * 1920 == doctest::Approx(lens.rect.w / 2));
  CHECK(lens.source.h * 1080 == doctest::Approx(lens.rect.h / 2));
  CHECK(lens.source.center().x == doctest::Approx(0.25));
}

TEST_CASE("A bright room lifts black and leaves white; blur spreads an edge over its radius") {
  std::vector<uint8_t> row(16 * 4, 255);
  for (int x = 0; x < 8; ++x) row[size_t(x) * 4] = row[size_t(x) * 4 + 1] = row[size_t(x) * 4 + 2] = 0;
  wash_picture(row, 16, 1, 7, 0);
  CHECK(row[0] == washed(rgb(0x000000)).r);
  CHECK(row[0] > 90);
  CHECK(row[15 * 4] == 255);
  CHECK(row[3] == 255);
  wash_picture(row, 16, 1, 1000, 2);
  CHECK(row[7 * 4] > row[5 * 4]);
  CHECK(row[7 * 4] < row[9 * 4]);
  CHECK(row[15 * 4] == 255);
}

TEST_CASE("In a room of 7:1 the projector palette keeps what the dark theme loses") {
  const Color paper = washed(palette(Theme::Projector)[Role::Background]),
              night = washed(palette(Theme::Dark)[Role::Background]);
  const auto on = [](Color ink, Color ground) { return double(contrast(washed(ink), ground)); };
  const auto about = [](double value) { return doctest::Approx(value).epsilon(0.012); };
  CHECK(on(palette(Theme::Projector)[Role::Text], paper) == about(5.3));
  CHECK(on(palette(Theme::Projector)[Role::TextSecondary], paper) == about(5.3));  // no grey text on a wall
  CHECK(on(palette(Theme::Light)[Role::TextSecondary], paper) == about(4.0));
  CHECK(on(palette(Theme::Dark)[Role::Text], night) == about(4.9));
  CHECK(on(palette(Theme::Dark)[Role::TextSecondary], night) == about(2.9));
  double least = 100, most = 0;
  for (const Tensor t : {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::O}) {
    const double c = on(palette(Theme::Dark).fill(t), night);
    least = std::min(least, c), most = std::max(most, c);
  }
  // Fills on dark fall to between 1.6 and 3.3, which is why nothing is told by one alone.
  CHECK(least >= 1.6);
  CHECK(most == doctest::Approx(3.3).epsilon(0.02));
}

}  // namespace tilewalk::test_room
