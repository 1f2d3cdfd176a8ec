#include "app/shell/web/web_screen.h"

#include "app/scene/png.h"
#include "app/scene/raster.h"
#include "app/shell/web/page.h"
#include "core/io/file.h"

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

constexpr const char* kCanvas = "#canvas";
constexpr int kHidden = 3;  // behind the shapes of PointerShape

std::string pasted;  // the browser gives the clipboard's text with the key alone

}  // namespace

std::string WebScreen::open() {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.enableExtensionsByDefault = false;  // each is asked for over there, and none is used
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
  const auto context = emscripten_webgl_create_context(kCanvas, &wanted);
  if (context <= 0) return "Tilewalk draws with WebGL 2, which this browser does not offer here.";
  emscripten_webgl_make_context_current(context);
  renderer_.begin();
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // indices have 32 bits
  io.SetClipboardTextFn = [](void*, const char* text) { page_copy(text); };
  io.GetClipboardTextFn = [](void*) { return pasted.c_str(); };
  last_frame_ = emscripten_get_now();
  return {};
}

std::string WebScreen::ready() {
  const std::string why = renderer_.open();
  return why.empty() ? why : fmt::format("WebGL could not be set up: {}", why);
}

void WebScreen::resize(Vec2 size, float density) {
  size_ = size;
  density_ = density;
  add({InputEvent::Changed, {}, 0, {}, {}});
}

void WebScreen::add(InputEvent event) {
  if (event.kind == InputEvent::Move || event.kind == InputEvent::Press) pointer_ = event.at;
  // A pointer tells of more places than there are frames.
  if (event.kind == InputEvent::Move && anything_new() && arrived_.back().kind == InputEvent::Move) arrived_.pop_back();
  arrived_.push_back(std::move(event));
}

void WebScreen::paste(std::string text) { pasted = std::move(text); }

void WebScreen::wait(float seconds, std::deque<InputEvent>& events) {
  asked_ = seconds;
  std::ranges::move(arrived_, std::back_inserter(events));
  arrived_.clear();
}

float WebScreen::seconds_since_last_frame() {
  const double now = emscripten_get_now();
  return float((now - std::exchange(last_frame_, now)) / 1000);
}

void WebScreen::present(const Scene& scene, ImDrawData& data) {
  renderer_.draw(data, size_, scene.background);
  shape_pointer(hidden_ ? kHidden : int(pointer_shape(scene, pointer_)));
}

Screens WebScreen::open_room(const std::string&, bool swapped, std::string&) {
  two_ = page_open_room(swapped);
  return two_ ? Screens::Two : Screens::One;
}

void WebScreen::close_room(bool) {
  room_.close();
  if (std::exchange(two_, false)) page_close_room();
}

void WebScreen::room_changed(Vec2 size) {
  room_gone_ = room_gone_ || size.x <= 0;
  if (size.x > 0) room_size_ = size;
  add({InputEvent::Changed, {}, 0, {}, {}});
}

void WebScreen::paint_picture(ImDrawData& data, bool washed) {
  room_.paint_picture(data, washed);
  if (!two_) return;
  const std::vector<uint8_t> pixels = room_.pixels();
  page_show_room(pixels.data(), room_.width(), room_.height());
}

void WebScreen::shape_pointer(int shape) {
  if (shape != std::exchange(shape_, shape)) page_pointer(shape);
}

void WebScreen::hide_pointer(bool hidden) {
  hidden_ = hidden;
  if (hidden || shape_ == kHidden) shape_pointer(hidden ? kHidden : 0);
}

void WebScreen::keep_awake(bool on) {
  if (on != std::exchange(awake_, on)) page_awake(on);
}

bool WebScreen::pick_files() {
  page_pick_files();
  return true;
}

void WebScreen::toggle_full_screen() { page_full_screen(); }

std::string WebScreen::renderer() const {
  const auto words = [](GLenum what) { return reinterpret_cast<const char*>(glGetString(what)); };
  return fmt::format("{}, {}", words(GL_RENDERER), words(GL_VERSION));
}

}  // namespace tilewalk
