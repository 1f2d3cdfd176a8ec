#include "app/shell/desktop/window.h"

#include "app/gpu/recordings.h"
#include "app/panels/audience.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/class_moves.h"
#include "app/session/write_moves.h"
#include "app/shell/desktop/class_wire.h"
#include "app/shell/desktop/gl_texture.h"
#include "app/shell/desktop/glfw_screen.h"
#include "app/shell/desktop/lost_display.h"
#include "app/shell/desktop/offscreen.h"
#include "app/window/program.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/lesson/course.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Places places_of(const WindowOptions& options) {
  const Environment environment = read_environment();
  const Folders folders = find_folders(environment, options.portable);
  Places places;
  places.config = folders.config, places.data = folders.data, places.state = folders.state;
  places.notice = folders.notice;
  places.pictures = find_pictures(environment);
  places.lessons = lesson_folders(environment.program.parent_path(), folders.data);
  return places;
}

DeskOptions desk_options(const WindowOptions& options, const Settings& kept, std::function<void()> wake) {
  const Environment environment = read_environment();
  const fs::path program = environment.program.parent_path(), data = find_folders(environment, options.portable).data;
  DeskOptions out;
  out.command = worker_command(options.gpu_worker.empty() ? kept.gpu_worker : options.gpu_worker, program);
  out.recordings = recording_folders(program, data);
  if (!data.empty()) out.save_to = data / "recordings";
  out.clock = seconds_now;
  out.date = [] { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); };
  out.wake = std::move(wake);
  return out;
}

// Everything is kept; what still runs beside the window (a picture that is painted, a worker that does not want to go)
// has this long to end in order.
void leave_soon(int code) {
  std::fflush(nullptr);
  try {
    std::thread([code] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      std::_Exit(code);
    }).detach();
  } catch (const std::system_error&) {  // then in their own time
  }
}

// What is being worked out is not waited for, nor looked at: what was kept before it began, and what can be kept
// without it, is all.
[[noreturn]] void leave_behind(Program& program) {
  const std::string lost = program.finish_without();
  if (!lost.empty()) std::fprintf(stderr, "tilewalk: %s\n", printable(lost).c_str());
  const Window& window = program.window();
  if (const int worker = window.gpu ? window.gpu->client().pid() : -1; worker > 0) kill(-worker, SIGKILL);
  std::fflush(nullptr);
  std::_Exit(lost.empty() ? 0 : 1);
}

int fail(const std::string& sentence) {
  std::fprintf(stderr, "tilewalk: %s\n", printable(sentence).c_str());
  return 1;
}

// Until the GPU has done what the commands asked for, or the time is up.
void wait_for_gpu(const WindowOptions& options, const Session& session, ViewState& view) {
  GpuDesk desk(desk_options(options, {}, {}));
  desk.start();
  const double until = seconds_now() + options.gpu_seconds;
  do {
    update_gpu(desk, session, view, view.notice);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  } while (seconds_now() < until && !desk.settled());
  update_gpu(desk, session, view, view.notice);
}

int take_screenshot(const WindowOptions& options) {
  Session session;
  ViewState view;
  apply(options, {}, view);
  view.scale = options.scale.value_or(1);
  const Vec2 size = options.size.value_or(Vec2{1920, 1080});
  fit(view, size);
  lesson_files(options, places_of(options))->open(view);
  const std::vector<std::string> undone = begin(options, session, view);
  if (shows_gpu_data(view) || write_on_show(view) || !options.gpu_worker.empty()) wait_for_gpu(options, session, view);
  view.lesson.lift = 1;
  const Rect picture = room_picture(size);
  const Scene scene =
      view.present.on ? layout_audience(session, view, {picture.w, picture.h}) : layout_window(session, view, size);
  if (std::string fault = write_png(scene, options.screenshot); !fault.empty()) return fail(fault);
  for (const std::string& each : undone) fail(each);
  if (!view.gpu.unread.empty()) fail(view.gpu.unread);
  return undone.empty() && view.gpu.unread.empty() ? 0 : 1;
}

ScreenOptions wanted_screen(const WindowOptions& options, const Settings& kept) {
  ScreenOptions wanted;
  wanted.size = options.size.value_or(Vec2{float(kept.window_width), float(kept.window_height)});
  wanted.at_full_size = !options.size;
  wanted.maximized = kept.window_maximized && !options.size;
  wanted.full_screen = options.full_screen;
  wanted.visible = !options.list_monitors;
  wanted.monitor = kept.monitor;
  return wanted;
}

int list_monitors() {
  const std::vector<Monitor> all = GlfwScreen::monitors();
  for (size_t k = 0; k < all.size(); ++k)
    fmt::print("{}  {}x{}+{}+{}  {}\n", k + 1, all[k].w, all[k].h, all[k].x, all[k].y, printable(all[k].name));
  return std::fflush(stdout) == 0 ? 0 : fail("The output could not be written.");
}

}  // namespace

int open_window(const WindowOptions& options) {
  if (!options.screenshot.empty()) return take_screenshot(options);
  const Places places = places_of(options);
  Memory memory = remember(places);

  // Dear ImGui outlives the screen, and the painter must go before the screen does.
  struct Context {
    Context() { ImGui::CreateContext(), set_up_imgui(); }
    ~Context() { ImGui::DestroyContext(); }
  } context;
  GlfwScreen screen;
  if (const std::string fault = screen.open(wanted_screen(options, memory.settings)); !fault.empty())
    return fail(fault);
  if (options.list_monitors) return list_monitors();

  GlAlphaTextures textures;
  DeskOptions desk = desk_options(options, memory.settings, GlfwScreen::wake);
  say_when_display_is_lost();
  if (std::string fault = wish_fault(GlfwScreen::monitors(), options.monitor); !fault.empty())
    memory.notices.push_back(std::move(fault));
  Program program(options, places, std::move(memory), std::move(desk), textures, screen,
                  std::make_unique<Aside>(GlfwScreen::wake));
  program.window().class_socket = make_class_socket(GlfwScreen::wake);
  if (!options.join.empty())
    if (const std::string fault = join_class(program.window().view, options.join); !fault.empty())
      program.window().view.notice = fault;
  // In front of a room nothing is said on screen.
  if (const std::string& notice = program.window().view.notice; options.present && !notice.empty())
    fail(notice);
  else
    for (const std::string& each : program.undone()) fail(each);
  while (program.window().open && !program.left_behind()) program.frame();
  if (program.left_behind()) leave_behind(program);
  const std::string lost = program.finish();
  leave_soon(lost.empty() ? 0 : 1);
  return lost.empty() ? 0 : fail(lost);
}

}  // namespace tilewalk
