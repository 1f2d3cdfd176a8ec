// The program in a page. page/page.js starts it, hands it every event, and asks for a turn when one is due; between two
// turns the page is free.
#include "app/gpu/recordings.h"
#include "app/scene/icon.h"
#include "app/scene/svg_painter.h"
#include "app/session/class_moves.h"
#include "app/session/commands.h"
#include "app/session/focus.h"
#include "app/session/hands.h"
#include "app/session/link_moves.h"
#include "app/shell/web/gl_texture.h"
#include "app/shell/web/keys.h"
#include "app/shell/web/mirror.h"
#include "app/shell/web/page.h"
#include "app/shell/web/web_class_socket.h"
#include "app/shell/web/web_screen.h"
#include "app/window/program.h"
#include "core/classroom/invitation.h"
#include "core/io/background.h"
#include "core/io/embedded.h"
#include "core/io/file.h"
#include "core/lesson/course.h"
#include "core/roofline/held.h"
#include "core/run/shipped.h"

#include <emscripten.h>
#include <imgui.h>
#include <malloc.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

// Folders of the page's own file system. Only what is under kKept outlives the page.
constexpr const char *kKept = "/kept", *kOut = "/downloads";
// The program as if it were installed: what it looks for beside itself lies under /tilewalk/share (CMakeLists.txt).
constexpr const char* kProgram = "/tilewalk/bin/tilewalk";

struct Page {
  WebScreen screen;
  WebAlphaTextures textures;
  std::unique_ptr<Program> program;
  std::string link;              // told to the page last
  std::string invitation, seat;  // likewise, of the class
  Rect field;                    // where something is typed; likewise
  double frame_ms = 0;
  bool clicker = false;  // F5 presents
  // Once the large files are here, and what boards hold against them: all at once they would hold up the page.
  Background ahead{[] { return read_shipped_ahead() || (held_cells(), false); }};
};
std::unique_ptr<Page> page;

Places places() {
  Places out;
  const fs::path kept = kKept;
  out.config = kept / "config", out.data = kept / "data";
  out.pictures = kOut;
  out.lessons = lesson_folders(fs::path(kProgram).parent_path(), out.data);
  out.lessons_watched = false;
  out.kept_where = "in this browser";
  return out;
}

DeskOptions desk_options() {
  DeskOptions out;
  out.command.missing = "A page in a browser cannot start a GPU worker.";
  out.command.remedy =
      "Recorded runs are here; on Linux the program itself measures, also on a GPU in another computer.";
  out.recordings = {fs::path(kKept) / "data" / "recordings"};
  out.shipped = true;
  out.clock = [] { return emscripten_get_now() / 1000; };
  out.date = [] { return iso_now(); };
  out.ahead = false;  // it would hold up the page
  return out;
}

// Empty, or why the program cannot be here.
std::string start(const std::string& link) {
  ImGui::CreateContext();
  set_up_imgui();
  page = std::make_unique<Page>();
  if (std::string fault = page->screen.open(); !fault.empty()) return fault;
  try {
    for (const char* folder : {kKept, kOut, "/tilewalk/bin"}) fs::create_directories(folder);
    fs::create_symlink(kProgram, "/proc/self/exe");
  } catch (const std::exception& error) {
    return error.what();
  }
  bring_large_files(page_bring);
  page_icon(to_svg(icon_scene(128), {}));
  WindowOptions options;
  options.link = link;
  const Places where = places();
  page->program =
      std::make_unique<Program>(options, where, remember(where), desk_options(), page->textures, page->screen);
  page->program->window().class_socket = std::make_unique<WebClassSocket>();
  return page->screen.ready();
}

Window& window() { return page->program->window(); }

void tell_link() {
  std::string link = link_here(window().session, window().view).text;
  if (link == page->link) return;
  page->link = std::move(link);
  page_link(page->link);
}

void tell_class() {
  const ClassView& c = window().view.classroom;
  const bool in = c.with && c.with->state() != Attendance::State::Refused && c.with->state() != Attendance::State::Over;
  const std::string invitation =
      in ? invitation_text({c.socket, c.page, c.with->ticket().code, c.with->ticket().teacher}) : std::string();
  const std::string seat = in ? c.with->ticket().seat : std::string();
  if (invitation == page->invitation && seat == page->seat) return;
  page->invitation = invitation;
  page->seat = seat;
  page_class(invitation, seat);
}

// Who teaches a class, or has a set list open, may hold a clicker.
void tell_clicker() {
  const ViewState& view = window().view;
  const bool class_on = teaches(view) && view.classroom.with->state() != Attendance::State::Refused &&
                        view.classroom.with->state() != Attendance::State::Over;
  const bool takes = class_on || !view.present.set.items.empty();
  if (takes == page->clicker) return;
  page->clicker = takes;
  take_clicker_keys(takes);
  window().redraw = std::max(window().redraw, 1);  // keys are named on screen
}

// What is typed goes through a field of the page, which lies over the one that is drawn.
void tell_field() {
  const Window& w = window();
  const Region* field = w.view.editing.empty() ? nullptr : w.scene.find(w.view.editing);
  const Rect where = field ? field->rect : Rect{};
  if (where.x == page->field.x && where.y == page->field.y && where.w == page->field.w && where.h == page->field.h)
    return;
  page->field = where;
  page_type_here(field != nullptr, where, field ? field->tip : std::string());
}

// The answer: milliseconds until the next turn at the latest; 0 for the next refresh, -1 for none before an event.
double turn() {
  Window& w = window();
  const bool had_events = page->screen.anything_new();
  const int64_t drawn = w.drawn;
  tell_clicker();
  const double from = emscripten_get_now();
  page->program->frame();
  w.open = true;  // a page is left by its tab
  if (w.drawn != drawn) {
    page->frame_ms = emscripten_get_now() - from;
    tell_link();
    tell_field();
    tell_class();
    page_hand_out(kOut);
    return 0;
  }
  if (had_events || w.redraw > 0) return 0;
  if (background_turn()) return 1;
  const auto seconds = double(page->screen.slept_for());
  return seconds > 1e6 ? -1 : 1000 * seconds;
}

void add(InputEvent event) {
  if (page && page->program) page->screen.add(std::move(event));
}

void add_key(const KeyPress& press, bool down) {
  InputEvent event{down ? InputEvent::KeyDown : InputEvent::KeyUp, {}, 0, {}, {}};
  event.key = press;
  add(std::move(event));
}

}  // namespace
}  // namespace tilewalk

using namespace tilewalk;

extern "C" {

// Null, or one sentence: why the program cannot be here.
EMSCRIPTEN_KEEPALIVE const char* tw_start(const char* link, int mac) {
  static std::string fault;
  take_browser_keys(mac != 0);
  fault = start(link);
  return fault.empty() ? nullptr : fault.c_str();
}

EMSCRIPTEN_KEEPALIVE double tw_turn() { return turn(); }

EMSCRIPTEN_KEEPALIVE void tw_resize(double width, double height, double density) {
  page->screen.resize({float(width), float(height)}, float(density));
}

// The room's window has that many pixels; 0, 0: it was closed.
EMSCRIPTEN_KEEPALIVE void tw_room(double width, double height) {
  page->screen.room_changed({float(width), float(height)});
}

// What happened to the pointer, at which pixel: an InputEvent's kind from Move to Release.
EMSCRIPTEN_KEEPALIVE void tw_pointer(int kind, double x, double y) {
  add({InputEvent::Kind(kind), {float(x), float(y)}, 0, {}, {}});
}

// What is on screen, for screen readers: mirror.h.
EMSCRIPTEN_KEEPALIVE const char* tw_told_all() {
  static std::string told;
  Window& w = window();
  told = mirror_json(tell_window(w.session, w.view, w.scene), w.view);
  return told.c_str();
}

// The keyboard goes to a region.
EMSCRIPTEN_KEEPALIVE void tw_focus(const char* id) {
  Window& w = window();
  w.view.focus = id;
  w.view.focus_ring = true;
  // What is scrolled out of sight comes into it.
  if (std::string_view(id).starts_with("option:") && !reachable_region(w.scene, id))
    w.view.lesson.scroll = kScrollToQuestion;
  w.redraw = std::max(w.redraw, 2);
}

// A press on it, wherever it lies.
EMSCRIPTEN_KEEPALIVE void tw_press(const char* id) {
  Window& w = window();
  const Region* region = reachable_region(w.scene, id);
  const Vec2 at = region ? region->rect.center() : Vec2{};
  tw_focus(id);
  if (region || std::string_view(id).starts_with("option:")) activate(id, at, w.scene, w.session, w.view);
}

EMSCRIPTEN_KEEPALIVE void tw_wheel(double notches) { add({InputEvent::Wheel, {}, float(notches), {}, {}}); }

// Modifiers: 1 Ctrl, 2 Shift, 4 Alt, 8 held down. Whether the program takes the key; else it is the browser's.
EMSCRIPTEN_KEEPALIVE int tw_key(int down, const char* name, int modifiers) {
  const bool ctrl = (modifiers & 1) != 0, shift = (modifiers & 2) != 0;
  const KeyPress press = key_press({name, ctrl, shift, (modifiers & 4) != 0, (modifiers & 8) != 0});
  if (press.key == Key::None) return 0;
  if (press.key == Key::F5 && !command_for(press, window().view.present.on)) return 0;  // reloads the page
  const bool typing = !window().view.editing.empty();
  // Ctrl and a letter that is no command are the browser's, but for what a text field knows: all, cut, copy, undo.
  if (press.key == Key::Character && ctrl && !command_for(press, window().view.present.on)) {
    constexpr std::u32string_view kField = U"acxyz";
    if (!typing || kField.find(press.character) == kField.npos) return 0;
  }
  if (press.key == Key::Character && !ctrl && !down) return 1;  // characters come as they are typed
  add_key(press, down != 0);
  return 1;
}

EMSCRIPTEN_KEEPALIVE void tw_paste(const char* text) {
  page->screen.paste(text);
  KeyPress press;
  press.key = Key::Character;
  press.character = U'v';
  press.ctrl = true;
  add_key(press, true);
}

// Files that were dropped, by their paths in the page's file system, a line each.
EMSCRIPTEN_KEEPALIVE void tw_drop(const char* paths) {
  InputEvent event{InputEvent::Drop, {}, 0, {}, {}};
  std::string_view rest = paths;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    event.files.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  add(std::move(event));
}

// The page's own address, "http://10.0.0.5:8660/", what it is invited to, and its seat of before or nothing.
EMSCRIPTEN_KEEPALIVE void tw_join_class(const char* here, const char* invitation, const char* seat) {
  Window& w = window();
  w.view.classroom.here = here;
  w.view.notice = join_class(w.view, invitation, seat);
  w.redraw = std::max(w.redraw, 2);
}

EMSCRIPTEN_KEEPALIVE void tw_link(const char* text) {
  if (page->link == text) return;
  Window& w = window();
  page->link = text;                // the address has it, wherever that leads
  w.view.classroom.touched = true;  // by a hand, as a key is
  w.view.notice = open_link(text, w.session, w.view).words;
  w.redraw = std::max(w.redraw, 2);
}

EMSCRIPTEN_KEEPALIVE void tw_notice(const char* text) {
  window().view.notice = text;
  window().redraw = std::max(window().redraw, 1);
}

// Another tab has kept something.
EMSCRIPTEN_KEEPALIVE void tw_others_wrote() {
  if (window().lessons) window().lessons->look_again();
}

// Two fingers: apart, or towards each other. The lens of a talk, else the size of everything.
EMSCRIPTEN_KEEPALIVE void tw_pinch(int by) {
  Window& w = window();
  const bool lens = w.view.present.on && w.view.present.lens;
  run_command(lens ? (by > 0 ? "tool-larger" : "tool-smaller") : (by > 0 ? "larger" : "smaller"), w.session, w.view);
  w.redraw = std::max(w.redraw, 2);
}

// The large files are here, for whoever asks for them.
EMSCRIPTEN_KEEPALIVE void tw_large() { page->ahead.wake(); }

// The page may be gone in a moment.
EMSCRIPTEN_KEEPALIVE void tw_leave() {
  if (const std::string lost = page->program->finish(); !lost.empty()) std::fprintf(stderr, "%s\n", lost.c_str());
}

// For tests: the middle of a region, pixels, as x + 65536 y; 0: it is not on show.
EMSCRIPTEN_KEEPALIVE double tw_place(const char* id) {
  const Region* region = window().scene.find(id);
  return region ? std::floor(double(region->rect.center().x)) + 65536 * std::floor(double(region->rect.center().y)) : 0;
}

// For tests and measurements: 0 milliseconds that the last drawn frame took, 1 frames drawn, 2 the playhead, 4 bytes of
// the heap that are in use. 3 for fingers: whether what is under the pointer follows it while it is held.
EMSCRIPTEN_KEEPALIVE double tw_told(int what) {
  const Window& w = window();
  if (what == 3) {
    const Region* under = w.scene.hit(page->screen.pointer());
    return under && can_be_dragged(under->id) ? 1 : 0;
  }
  if (what == 4) return double(mallinfo().uordblks);
  return what == 0 ? page->frame_ms : what == 1 ? double(w.drawn) : double(w.view.playhead);
}

}  // extern "C"
