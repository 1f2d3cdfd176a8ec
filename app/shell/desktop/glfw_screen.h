// The display: a GLFW window with OpenGL 3.3 core. Works in pixels throughout; where a desktop counts in points, as
// Wayland does, they are converted here.
#pragma once

#include "app/shell/desktop/awake.h"
#include "app/shell/desktop/monitors.h"
#include "app/window/frame.h"
#include "app/shell/desktop/room.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;
struct GLFWcursor;

namespace tilewalk {

struct ScreenOptions {
  Vec2 size{1600, 900};       // of the content, in pixels
  bool at_full_size = false;  // in pixels at 100 % instead: more where the monitor has more to a point
  bool visible = true, maximized = false, full_screen = false;
  std::string monitor;  // where it was last; the primary one if it is not there
};

class GlfwScreen : public Screen {
 public:
  GlfwScreen() = default;
  ~GlfwScreen() override;
  GlfwScreen(const GlfwScreen&) = delete;
  GlfwScreen& operator=(const GlfwScreen&) = delete;

  // Empty, or one sentence: why there is no window.
  std::string open(const ScreenOptions& options);

  void wait(float seconds, std::deque<InputEvent>& events) override;
  float seconds_since_last_frame() override;
  Vec2 size() override;
  void fonts_changed() override;
  void present(const Scene& scene, ImDrawData& data) override;
  void toggle_full_screen() override;

  Screens open_room(const std::string& wish, bool swapped, std::string& trouble) override;
  void close_room(bool ended) override;
  bool monitors_changed() override { return std::exchange(monitors_changed_, false); }
  Vec2 room_size() override;
  void hide_pointer(bool hidden) override;
  void keep_awake(bool on) override { awake_.hold(on); }
  bool resize_picture(Vec2 picture) override { return room_.resize(picture); }
  void paint_stage(ImDrawData& data, Color background) override { room_.paint_stage(data, background); }
  void paint_picture(ImDrawData& data, bool washed) override;
  uint64_t stage_texture() override { return room_.stage_texture(); }
  uint64_t picture_texture() override { return room_.picture_texture(); }
  void keep_picture() override { room_.keep_picture(); }
  void let_picture_go() override { room_.let_picture_go(); }
  uint64_t kept_texture() override { return room_.kept_texture(); }
  const RoomWindow& room() const { return room_; }
  void note_monitors() { monitors_changed_ = true; }  // for the callback
  static std::vector<Monitor> monitors();

  static void wake();  // ends wait() from any thread, while a screen is open
  float monitor_scale() const override;
  bool maximized() const;
  std::string monitor_name() const;
  std::string renderer() const override;
  void tell_place(Settings& kept, Vec2 size) const override;
  void add(InputEvent event);  // for the callbacks
  Vec2 to_pixels(double x, double y) const;
  void forget_pointer_shape() { shape_ = -1; }

 protected:
  virtual void swap();  // what was drawn comes to the display

 private:
  void connect();
  void connect_room(GLFWwindow* room);
  void forget_monitors();
  void shape_pointer(const Scene& scene);
  void fill_monitor(const Monitor& monitor);
  void leave_full_screen(const Monitor& onto);
  void put_on(const Monitor& monitor);
  void leave_room_alone();

  GLFWwindow* window_ = nullptr;
  GLFWcursor* cursors_[3] = {};
  int shape_ = -1;
  Vec2 pointer_{-1, -1};
  std::deque<InputEvent> arrived_;
  std::chrono::steady_clock::time_point last_frame_ = std::chrono::steady_clock::now(), last_wait_ = {};
  int windowed_[4] = {0, 0, 1600, 900};  // place and size before full screen
  bool started_ = false, imgui_ = false;
  RoomWindow room_;
  Awake awake_;
  bool monitors_changed_ = false, filled_for_room_ = false, pointer_hidden_ = false;
  int home_before_[2] = {0, 0};  // where the window was before it made room
  bool moved_home_ = false;
  Monitor full_before_;  // that it filled before it made room; of no size: none else
  // While the room has a monitor of its own: that one, the presenter's, and where the window was seen last.
  Monitor rooms_, presenters_;
  int seen_[2] = {0, 0};
};

}  // namespace tilewalk
