// The display in a browser: one canvas with WebGL 2. Nothing here waits: events are added as they come, and wait() says
// how long the frame would have slept, so that the page comes back after that time or with the next event.
#pragma once

#include "app/shell/web/gl_renderer.h"
#include "app/shell/web/gl_room.h"
#include "app/window/frame.h"

#include <deque>
#include <string>
#include <utility>

namespace tilewalk {

class WebScreen : public Screen {
 public:
  std::string open();   // empty, or one sentence: why there is no picture
  std::string ready();  // likewise, before the first one: what the GPU has to make for it, it makes between the two

  void wait(float seconds, std::deque<InputEvent>& events) override;
  float seconds_since_last_frame() override;
  Vec2 size() override { return size_; }
  float monitor_scale() const override { return density_; }
  std::string renderer() const override;
  void fonts_changed() override { renderer_.fonts_changed(); }
  void present(const Scene& scene, ImDrawData& data) override;
  void toggle_full_screen() override;
  bool pick_files() override;

  // The room's window, as large as `room_changed` says: {0, 0} once somebody has closed it.
  Screens open_room(const std::string& wish, bool swapped, std::string& trouble) override;
  void close_room(bool ended) override;
  bool room_closed() override { return std::exchange(room_gone_, false); }
  bool first_escape_ends() const override { return true; }
  Vec2 room_size() override { return room_size_; }
  void room_changed(Vec2 size);
  void hide_pointer(bool hidden) override;
  void keep_awake(bool on) override;
  bool resize_picture(Vec2 picture) override { return room_.resize(picture); }
  void paint_stage(ImDrawData& data, Color background) override { room_.paint_stage(data, background); }
  void paint_picture(ImDrawData& data, bool washed) override;
  uint64_t stage_texture() override { return room_.stage_texture(); }
  uint64_t picture_texture() override { return room_.picture_texture(); }
  void keep_picture() override { room_.keep_picture(); }
  void let_picture_go() override { room_.let_picture_go(); }
  uint64_t kept_texture() override { return room_.kept_texture(); }

  void add(InputEvent event);
  void paste(std::string text);  // for whoever asks for the clipboard next
  bool anything_new() const { return !arrived_.empty(); }
  Vec2 pointer() const { return pointer_; }
  float slept_for() const { return asked_; }  // seconds, of the last wait()
  void resize(Vec2 size, float density);      // of the canvas, pixels; pixels to a point

 private:
  void shape_pointer(int shape);

  std::deque<InputEvent> arrived_;
  Vec2 size_{0, 0}, pointer_{-1, -1};
  float density_ = 1, asked_ = 0;
  double last_frame_ = 0;
  int shape_ = 0;
  bool hidden_ = false, awake_ = false;
  Vec2 room_size_{0, 0};
  bool two_ = false, room_gone_ = false;
  GlRenderer renderer_;
  GlRoom room_{renderer_};
};

}  // namespace tilewalk
