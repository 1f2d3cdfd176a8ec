// Which screen the room's picture goes to. Plain data, so that it is decided the same with any number of monitors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

struct Monitor {
  std::string name;
  int x = 0, y = 0, w = 0, h = 0;  // pixels of the desktop

  bool holds_middle(int of_x, int of_y, int of_w, int of_h) const {  // of a window there
    const int mx = of_x + of_w / 2, my = of_y + of_h / 2;
    return mx >= x && my >= y && mx < x + w && my < y + h;
  }
  bool operator==(const Monitor&) const = default;
};

struct RoomPlace {
  bool own_window = false;  // else the only window becomes the room's
  int monitor = -1;         // index of the monitor to fill; -1: the rectangle x, y, w, h without a frame
  int x = 0, y = 0, w = 0, h = 0;
  std::string trouble;  // one sentence where the wish could not be met
  bool operator==(const RoomPlace&) const = default;
};

// `home`: the index of the monitor that the presenter's window belongs on, the primary one. `wish`: a monitor's name,
// its number from 1, a rectangle "1920x1080+1920+0" of the desktop, or empty: the largest that is not home. Monitors
// that show the same part of the desktop are one, so that notes never reach a room by a mirrored output. `swapped`
// gives home to the room.
RoomPlace room_place(std::span<const Monitor> monitors, int home, std::string_view wish, bool swapped);

// Why the wish cannot be met with these monitors, and which there are; empty where it can, or nothing is wished.
std::string wish_fault(std::span<const Monitor> monitors, std::string_view wish);

// "1920x1080+1920+0"
std::optional<Monitor> read_rectangle(std::string_view text);

}  // namespace tilewalk
