#include "app/boards/board.h"
#include "app/gpu/diagnostics.h"
#include "app/window/window.h"

#include "app/panels/audience.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/commands.h"
#include "app/session/go_to.h"
#include "app/session/speaker_notes.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/open_any.h"
#include "app/session/present_moves.h"
#include "app/session/start.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "app/window/frame.h"
#include "app/window/gl_texture.h"
#include "app/window/glfw_screen.h"
#include "app/window/lesson_files.h"
#include "app/window/lost_display.h"
#include "app/window/offscreen.h"
#include "app/window/present_frame.h"
#include "app/window/settings_file.h"
#include "app/window/working.h"
#include "core/io/file.h"
#include "core/io/number.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/io/settings.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>

#include <chrono>
#include <cmath>
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

struct Memory {
  SettingsFile file;
  Settings settings;  // as they are to be kept
  std::vector<std::string> notices;
};

Memory remember(bool portable) {
  const Folders folders = find_folders(read_environment(), portable);
  Memory memory;
  if (!folders.config.empty())
    memory.file = SettingsFile(folders.config / "settings.toml",
                               [] { return fmt::format("{:%Y-%m-%d-%H%M%S}", fmt::localtime(std::time(nullptr))); });
  memory.settings = memory.file.open(memory.notices);
  if (!folders.notice.empty()) memory.notices.push_back(folders.notice);
  return memory;
}

std::optional<float> scale_of_environment() {
  const char* text = std::getenv("TILEWALK_SCALE");
  if (!text) return std::nullopt;
  char* end = nullptr;
  const float scale = std::strtof(text, &end);
  return end != text && !*end && scale >= 0.75f && scale <= 3 ? std::optional(scale) : std::nullopt;
}

// What was remembered, then what the command line says otherwise. Leaves the scale of the monitor alone.
void apply(const WindowOptions& options, const Settings& kept, ViewState& view) {
  view.theme = options.theme.value_or(Theme(int(kept.theme)));
  view.scale = float(kept.scale);
  view.speed = float(kept.speed);
  view.rail_open = !kept.rail_folded;
  view.column_open = !kept.right_column_hidden;
  view.reduced_motion = options.reduced_motion || kept.reduced_motion;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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

std::unique_ptr<LessonFiles> lesson_files(const WindowOptions& options) {
  const Environment environment = read_environment();
  const fs::path data = find_folders(environment, options.portable).data;
  // A picture shows a lesson as it is for everybody, and keeps nothing.
  const bool keeps = options.screenshot.empty() && !data.empty();
  return std::make_unique<LessonFiles>(lesson_folders(environment.program.parent_path(), data),
                                       keeps ? data / "progress.json" : fs::path());
}

fs::path config_folder(const WindowOptions& options) {
  return find_folders(read_environment(), options.portable).config;
}

// Whether the command line says what to begin with. A picture does too: it shows the program as it is for everybody.
bool says_what(const WindowOptions& o) {
  return !o.screenshot.empty() || !o.files.empty() || !o.preset.empty() || !o.schedule.empty() || !o.at.empty() ||
         !o.board.empty() || !o.lesson.empty() || !o.tab.empty() || !o.set_list.empty() || !o.commands.empty();
}

void begin_lesson(const WindowOptions& options, Session& session, ViewState& view) {
  if (options.lesson.empty()) return;
  const auto number = number_of<int>(options.lesson);
  const bool open = number ? open_lesson_numbered(session, view, *number, options.beat - 1)
                           : open_lesson(session, view, options.lesson, options.beat - 1);
  if (!open) view.notice = fmt::format("Lesson {} is not there.", options.lesson);
}

// The walk to begin with. Faults become the first message; the toy walk is there in any case.
void begin(const WindowOptions& options, Session& session, ViewState& view) {
  if (!options.preset.empty()) run_command("preset-" + options.preset, session, view);
  if (const Schedule* schedule = schedule_named(options.schedule)) {
    Setup setup = session.setup();
    setup.schedule = schedule->id;
    if (const std::vector<Fault> faults = session.change(setup); !faults.empty()) view.notice = faults.front().message;
    view.playhead = view.from = 0;
  }
  begin_lesson(options, session, view);
  if (options.lesson.empty() && !options.board.empty()) open_tool(view, read_board_state(options.board));
  if (!options.files.empty()) open_any(session, view, options.files);
  if (options.tab == "explain") view.tab = Tab::Explain;
  if (options.tab == "numbers") view.tab = Tab::Numbers;
  if (options.tab == "problem") view.tab = Tab::Problem;
  if (options.tab == "gpu") view.tab = Tab::Gpu;
  if (!options.at.empty())
    if (std::string fault = go_to(options.at, session, view); !fault.empty()) view.notice = std::move(fault);
  const std::string bad_lines = options.set_list.empty() ? "" : use_set_list(session, view, options.set_list);
  if (options.present) begin_presenting(session, view, true);
  if (!bad_lines.empty()) view.notice = bad_lines;
  for (const std::string& id : options.commands)
    if (id.starts_with("press:")) {  // a key, as the key sheet names it
      const Scene scene = layout_window(session, view, options.size.value_or(Vec2{1920, 1080}));
      for (const KeyPress& key : parse_keys(std::string_view(id).substr(6))) key_pressed(key, scene, session, view);
    } else if (id.starts_with("hover:")) {  // a region that is pointed at
      view.hover = id.substr(6);
    } else if (id.starts_with("click:")) {
      const Scene scene = layout_window(session, view, options.size.value_or(Vec2{1920, 1080}));
      activate(std::string_view(id).substr(6), {}, scene, session, view);
    } else if (!run_command(id, session, view))
      view.notice = fmt::format("The command \"{}\" is not there, or not now.", id);
}

// What is to be remembered of the window as it is now. `own_scale`: its scale is a person's choice.
Settings settings_now(Settings s, const Window& window, const GlfwScreen& screen, bool own_scale) {
  const ViewState& view = window.view;
  s.theme = Settings::Theme(int(view.theme));
  s.speed = double(view.speed);
  if (own_scale) s.scale = std::round(double(view.scale) * 100) / 100;  // as a person would write it
  s.rail_folded = !view.rail_open;
  s.right_column_hidden = !(view.before_tool ? view.before_tool->column : view.column_open);
  s.left_on_walk = view.lesson.id.empty() && !tool_open(view);
  s.coach_seen = s.coach_seen || window.coach_read;
  s.window_maximized = screen.maximized();
  if (!s.window_maximized && window.size.x > 0) {
    const float monitor_scale = screen.monitor_scale();
    s.window_width = int(window.size.x / monitor_scale + 0.5f);
    s.window_height = int(window.size.y / monitor_scale + 0.5f);
  }
  if (std::string monitor = screen.monitor_name(); !monitor.empty()) s.monitor = monitor;
  return s;
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
[[noreturn]] void leave_behind(Window& window, const Settings& settings) {
  std::string lost = window.settings.finish(settings);
  if (const std::string said = window.lessons->save_rest(); !said.empty()) lost += (lost.empty() ? "" : " ") + said;
  if (!lost.empty()) std::fprintf(stderr, "tilewalk: %s\n", printable(lost).c_str());
  window.marker.end();
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
  lesson_files(options)->open(view);
  begin(options, session, view);
  if (shows_gpu_data(view) || !options.gpu_worker.empty()) wait_for_gpu(options, session, view);
  view.lesson.lift = 1;
  const Rect picture = room_picture(size);
  const Scene scene =
      view.present.on ? layout_audience(session, view, {picture.w, picture.h}) : layout_window(session, view, size);
  const std::string fault = write_png(scene, options.screenshot);
  return fault.empty() ? 0 : fail(fault);
}

// What a run that did not come to its end has left: where it was, and the end of its log.
void offer_left_over(const fs::path& state, const fs::path& log, ViewState& view) {
  const std::optional<std::string> link = state.empty() ? std::nullopt : take_left_over(state / "running");
  if (!link) return;
  constexpr size_t kLines = 50;
  try {
    std::string_view text;
    const std::string whole = read_file(log, uint64_t{8} << 20);
    for (text = whole; !text.empty();) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      view.left_over.log.push_back(printable(line));
    }
    if (view.left_over.log.size() > kLines)
      view.left_over.log.erase(view.left_over.log.begin(), view.left_over.log.end() - kLines);
  } catch (const IoError&) {
  }
  view.left_over.link = *link;
  view.left_over.open = !view.present.on;  // nobody in front of a room wants it; the diagnostics have it
  if (view.left_over.open) view.focus = "left-over:go";
}

// Where things are kept, for the about box; and the log, with what one asks for first.
void tell_about(const WindowOptions& options, Window& window, GlfwScreen& screen) {
  const Folders folders = find_folders(read_environment(), options.portable);
  AboutFacts& facts = window.view.about_facts;
  facts.renderer = screen.renderer();
  const fs::path log = folders.state.empty() ? fs::path() : folders.state / "tilewalk.log";
  for (const auto& [what, path] :
       {std::pair{"Settings", window.settings.file()}, std::pair{"Progress", folders.data}, std::pair{"Log", log}})
    facts.places.emplace_back(what, path.empty() ? "not kept" : printable_path(path));
  offer_left_over(folders.state, log, window.view);
  if (!folders.state.empty()) window.marker = RunMarker(folders.state / "running");
  window.log = Log(log, iso_now);
  window.log.set_level(options.log_level);
  window.log.line(LogLevel::Info, fmt::format("Tilewalk {}, {}", program_version(), facts.renderer));
  window.log.line(LogLevel::Debug, fmt::format("opened with {:.0f} x {:.0f} pixels, of a monitor at {:.2f}",
                                               screen.size().x, screen.size().y, screen.monitor_scale()));
}

}  // namespace

int open_window(const WindowOptions& options) {
  if (!options.screenshot.empty()) return take_screenshot(options);
  Memory memory = remember(options.portable);

  // Dear ImGui outlives the screen, and the painter must go before the screen does.
  struct Context {
    Context() { ImGui::CreateContext(), set_up_imgui(); }
    ~Context() { ImGui::DestroyContext(); }
  } context;
  GlfwScreen screen;
  ScreenOptions wanted;
  wanted.size = options.size.value_or(Vec2{float(memory.settings.window_width), float(memory.settings.window_height)});
  wanted.at_full_size = !options.size;
  wanted.maximized = memory.settings.window_maximized && !options.size;
  wanted.full_screen = options.full_screen;
  wanted.visible = !options.list_monitors;
  wanted.monitor = memory.settings.monitor;
  if (const std::string fault = screen.open(wanted); !fault.empty()) return fail(fault);

  if (options.list_monitors) {
    const std::vector<Monitor> all = GlfwScreen::monitors();
    for (size_t k = 0; k < all.size(); ++k)
      fmt::print("{}  {}x{}+{}+{}  {}\n", k + 1, all[k].w, all[k].h, all[k].x, all[k].y, printable(all[k].name));
    return 0;
  }

  say_when_display_is_lost();
  GlAlphaTextures textures;
  Window window(textures);
  window.aside = std::make_unique<Aside>(GlfwScreen::wake);
  window.settings = std::move(memory.file);
  window.room_wish = options.monitor;
  apply(options, memory.settings, window.view);
  const std::optional<float> given = options.scale ? options.scale : scale_of_environment();
  if (given) window.view.scale = *given;
  for (const std::string& notice : memory.notices)
    window.view.notice += (window.view.notice.empty() ? "" : " ") + notice;
  fit(window.view, screen.size());
  window.lessons = lesson_files(options);
  window.own_gpus = OwnGpus(config_folder(options));
  window.own_gpus.refresh(0, window.view.notice);
  window.pictures = find_pictures(read_environment());
  if (const std::string notice = window.lessons->open(window.view); !notice.empty())
    window.view.notice += (window.view.notice.empty() ? "" : " ") + notice;
  if (const fs::path data = find_folders(read_environment(), options.portable).data; !data.empty()) {
    window.notes_file = data / "notes.json";
    OwnNotes own = load_notes(window.notes_file, iso_now().substr(0, 10));
    window.view.present.own_notes = window.notes_known = std::move(own.notes);
    if (!own.notice.empty()) window.view.notice += (window.view.notice.empty() ? "" : " ") + own.notice;
  }
  const std::string remembered = std::exchange(window.view.notice, {});
  if (!says_what(options))
    start_where_one_stopped(window.session, window.view, memory.settings.coach_seen, memory.settings.left_on_walk);
  work(window, screen, [&] { begin(options, window.session, window.view); });  // a link may be to a long walk
  if (left_behind(window)) leave_behind(window, memory.settings);
  if (!remembered.empty())
    window.view.notice = remembered + (window.view.notice.empty() ? "" : " ") + window.view.notice;
  window.generation = window.session.generation();
  tell_about(options, window, screen);
  window.gpu = std::make_unique<GpuDesk>(desk_options(options, memory.settings, GlfwScreen::wake));

  const bool coached = window.view.coach;
  const auto now = [&] {
    window.coach_read = coached && !window.view.coach;
    return settings_now(memory.settings, window, screen, !given);
  };
  Settings last = memory.settings;
  while (window.open) {
    window.view.monitor_scale = given ? 1 : screen.monitor_scale();
    frame(window, screen);
    if (left_behind(window)) break;
    const Settings before = std::exchange(last, now());
    if (last == before && window.settings.seconds_to_look(window.clock) > 0) continue;
    work(window, screen, [&] {
      const std::string said = window.settings.look(last, window.clock);
      if (said.empty()) return;
      say_too(window.view.notice, said);
      window.redraw = std::max(window.redraw, 1);
    });
  }
  if (left_behind(window)) leave_behind(window, last);
  std::string lost;
  for (const std::string& said :
       {window.settings.finish(now()), keep_window_notes(window, Busy::kLastPatience), window.lessons->save_rest()})
    if (!said.empty()) lost += (lost.empty() ? "" : " ") + said;
  window.log.line(LogLevel::Info, "left");
  leave_soon(lost.empty() ? 0 : 1);
  return lost.empty() ? 0 : fail(lost);
}

}  // namespace tilewalk
