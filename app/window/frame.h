// One frame of the window, and what it works on. The world outside is a Screen: GLFW and OpenGL in the program, nothing
// at all in a test.
#pragma once

#include "app/gpu/desk.h"
#include "app/scene/scene.h"
#include "app/state/session.h"
#include "app/session/speaker_notes.h"
#include "app/state/view_state.h"
#include "app/window/aside.h"
#include "app/window/class_socket.h"
#include "app/window/exporting.h"
#include "app/window/imgui_painter.h"
#include "app/window/input.h"
#include "app/window/lesson_files.h"
#include "app/window/own_gpus.h"
#include "app/window/run_marker.h"
#include "app/window/settings_file.h"
#include "app/window/stop_pictures.h"
#include "app/window/text_field.h"
#include "core/io/log.h"

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>

struct ImDrawData;

namespace tilewalk {

class Screen {
 public:
  virtual ~Screen() = default;
  // Waits for events up to that many seconds (0: only looks, infinity: for ever) and appends them.
  virtual void wait(float seconds, std::deque<InputEvent>& events) = 0;
  virtual float seconds_since_last_frame() = 0;
  virtual Vec2 size() = 0;           // pixels
  virtual void fonts_changed() = 0;  // Dear ImGui's atlas has to go to the graphics card anew
  virtual void present(const Scene& scene, ImDrawData& data) = 0;  // over the scene's background
  virtual void toggle_full_screen() {}
  // Shows a list of files that the machine has, what is chosen of it comes as dropped; false: it has none.
  virtual bool pick_files() { return false; }
  virtual float monitor_scale() const { return 1; }    // pixels for one design pixel
  virtual std::string renderer() const { return {}; }  // what draws, in its own words: "llvmpipe ..., OpenGL 4.5"
  virtual void tell_place(Settings&, Vec2) const {}    // of the window, whose size is given in pixels, as is to be kept
  // The room's screen while somebody presents. On one screen the window itself shows the picture, full screen.
  virtual Screens open_room(const std::string&, bool, std::string&) { return Screens::One; }  // wish, swapped, trouble
  virtual void close_room(bool ended) { (void)ended; }  // not ended: it opens again at once, elsewhere
  virtual bool monitors_changed() { return false; }     // since it was asked last
  virtual bool room_closed() { return false; }  // likewise: the room's window, not by the program; the talk ends
  // On one screen a talk fills a page of a browser, whose own bars stay: there the first Esc leads back.
  virtual bool first_escape_ends() const { return false; }
  virtual Vec2 room_size() { return size(); }  // of the room's window, pixels
  virtual void hide_pointer(bool) {}
  virtual void keep_awake(bool) {}  // neither blank nor sleep, as far as the desktop lets one ask for it
  // As in app/shell/desktop/room.h.
  virtual bool resize_picture(Vec2) { return false; }  // true where what was painted is gone
  virtual void paint_stage(ImDrawData&, Color) {}
  virtual void paint_picture(ImDrawData&, bool) {}
  virtual uint64_t stage_texture() { return 0; }
  virtual uint64_t picture_texture() { return 0; }
  // The picture as it was painted last is kept until it is let go, whatever becomes of the room's screen; 0: none is.
  virtual void keep_picture() {}
  virtual void let_picture_go() {}
  virtual uint64_t kept_texture() { return 0; }
};

struct Window {
  explicit Window(AlphaTextures& textures) : painter(textures) {}

  Session session;
  ViewState view;
  Scene scene;  // the one on screen
  ImguiPainter painter;
  TextField text_field;
  std::deque<InputEvent> events;
  int64_t generation = 0;  // of the session that the view was settled on
  int redraw = 2;          // frames that have to be drawn even if nothing moves
  int64_t drawn = 0;       // frames so far
  Vec2 size;
  bool open = true;
  bool gpu_started = false;
  bool room_open = false, room_swapped = false;
  bool room_counts = false;  // a countdown was painted into the room's picture last
  StopPicturesMaker stop_pictures, next_picture;
  RunMarker marker;                      // says where one is, for the next start if this run does not come to its end
  double marked = -1000;                 // on the clock
  SettingsFile settings;                 // without a file: they are not kept
  bool coach_read = false;               // the hint of the first start was on show and is not any more
  std::filesystem::path notes_file;      // of the speaker's own notes; empty: they are not kept
  Notes notes_known;                     // as the file had them when it was read or written last
  double notes_tried = -1000;            // on the clock
  FileBusy notes_busy;                   // another window saves just now
  std::string room_wish;                 // the monitor that was asked for; see app/shell/desktop/monitors.h
  std::unique_ptr<GpuDesk> gpu;          // may be missing: then the GPU tab has nothing to say
  std::unique_ptr<LessonFiles> lessons;  // may be missing: then there are none
  OwnGpus own_gpus{{}};
  std::unique_ptr<ClassSocket> class_socket;  // may be missing: then no class can be joined
  bool class_open = false;                    // it is opened, or being so
  int64_t class_told = -1;                    // what of the class was drawn
  double class_heard = 0;                     // when something came of it
  std::shared_ptr<ClassGpu> class_gpu;        // that `gpu` asks; null: its own worker
  Exports exports;                            // what is being measured or written
  bool told_of_writing = false;               // somebody wanted to leave meanwhile
  Log log;                                    // what was said and done; in memory alone unless a file is given
  std::string logged;                         // the notice that was logged last
  GpuState gpu_logged = GpuState::Probing;
  double clock = 0;                // seconds since the window was opened
  std::filesystem::path pictures;  // where what is saved goes; empty is the working folder
  std::unique_ptr<Aside> aside;    // where what may take long is done; without it everything is done at once
  std::chrono::steady_clock::time_point looked{};  // after its display, the last time
};

// A hand over what can be clicked, a bar over what can be typed into.
enum class PointerShape : uint8_t { Arrow, Hand, Bar };
PointerShape pointer_shape(const Scene& scene, Vec2 at);

// Waits until there is something to do, does it, and draws if anything changed.
void frame(Window& window, Screen& screen);

// Whether the GPU's results, live or recorded, are looked at: in their tab, or on the board of lanes.
bool shows_gpu_data(const ViewState& view);
// Brings the view's GPU panel up to date, and the GPU that boards offer as this one; true when there is something new
// to draw.
bool update_gpu(GpuDesk& desk, const Session& session, ViewState& view, std::string& notice);

// Sets Dear ImGui up for this program: no files, no navigation of its own, no blinking. A context must be current.
void set_up_imgui();

}  // namespace tilewalk
