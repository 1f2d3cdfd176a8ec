// The room's picture in OpenGL: a frame buffer with the stage as it was painted last, one with the picture (the stage
// and what lies over it), and, where there is a screen for it, a window of its own that shows the picture. Its context
// shares textures with the first window's, which must be current at every call and is so afterwards.
#pragma once

#include "app/shell/desktop/monitors.h"
#include "app/scene/scene.h"

#include <cstdint>
#include <vector>

struct GLFWwindow;
struct ImDrawData;

namespace tilewalk {

class RoomWindow {
 public:
  RoomWindow() = default;
  ~RoomWindow();
  RoomWindow(const RoomWindow&) = delete;
  RoomWindow& operator=(const RoomWindow&) = delete;

  // Makes the frame buffers; a window too where the place has one of its own. False without a window although one was
  // wanted: the desktop refused it.
  bool open(GLFWwindow* home, const RoomPlace& place);
  void close();
  bool is_open() const { return home_ != nullptr; }
  GLFWwindow* window() const { return window_; }  // null on one screen
  Vec2 window_size() const;                       // pixels; {0, 0} without one

  // Frame buffers of that many pixels. True where they had another size and are empty now.
  bool resize(Vec2 picture);
  void paint_stage(ImDrawData& data, Color background);
  // The picture anew, from draw data that shows the stage's texture and what lies over it. `washed`: as in rehearsal.
  void paint_picture(ImDrawData& data, bool washed);
  void show();  // the picture in the middle of the room's window, black around it

  // A copy of the picture as it is now, until it is let go: it outlives close() and another size.
  void keep_picture();
  void let_picture_go() { drop(kept_); }

  uint64_t stage_texture() const { return stage_.texture; }
  uint64_t picture_texture() const { return picture_.texture; }
  uint64_t kept_texture() const { return kept_.texture; }  // 0: none is kept
  std::vector<uint8_t> pixels(bool stage) const;           // RGBA, rows from the top; for tests and pictures

 private:
  struct Buffer {
    unsigned texture = 0, frame = 0;
  };
  Buffer make() const;
  static void drop(Buffer& buffer);
  void paint(const Buffer& buffer, ImDrawData& data, Color background);

  GLFWwindow *home_ = nullptr, *window_ = nullptr;
  int width_ = 0, height_ = 0;
  Buffer stage_, picture_, kept_;
  unsigned window_frame_ =
      0;  // frame buffers belong to a context, so that the window has one for the picture's texture
};

}  // namespace tilewalk
