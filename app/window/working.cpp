#include "app/window/working.h"

#include "app/panels/window_grid.h"
#include "app/panels/working.h"
#include "app/session/commands.h"
#include "app/session/talk_time.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

bool leaves(const InputEvent& event) {
  if (event.kind == InputEvent::Close) return true;
  const Command* command = event.kind == InputEvent::KeyDown ? command_for(event.key) : nullptr;
  return command && command->id == "quit";
}

// The last picture, or an empty one, and that something is being worked out.
void show_working(Window& w, Screen& screen, const Style& style) {
  if (w.text_field.prepare(style.scale, !w.view.editing.empty())) screen.fonts_changed();
  Scene scene = w.scene;
  if (w.drawn == 0) scene.size = screen.size(), scene.background = style[Role::Background];
  layout_working(scene, {0, 0, scene.size.x, scene.size.y}, style);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {scene.size.x, scene.size.y};
  io.DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  w.painter.begin_frame();
  w.painter.paint(scene, *ImGui::GetBackgroundDrawList(), {}, 1, false);
  w.painter.upload();
  ImGui::Render();
  screen.present(scene, *ImGui::GetDrawData());
}

// Until it is done; false where somebody leaves before. Without `style` nothing is drawn: a room goes on seeing what
// it saw.
bool stay(Window& w, Screen& screen, const std::optional<Style>& style) {
  const Clock::time_point begun = Clock::now();
  std::optional<Clock::time_point> leaving;
  bool shown = false;
  while (!w.aside->wait(0)) {
    const size_t known = w.events.size();
    screen.wait(float(kAtOnce), w.events);
    w.looked = Clock::now();
    for (size_t k = known; k < w.events.size(); ++k) {
      if (leaves(w.events[k]) && !leaving) leaving = Clock::now();
      if (w.events[k].kind == InputEvent::Changed) shown = false;
    }
    if (leaving && seconds_since(*leaving) > kToLeave) return false;
    if (shown || !style || seconds_since(begun) < kSaysSo) continue;
    show_working(w, screen, *style);
    shown = true;
  }
  return true;
}

}  // namespace

bool work(Window& w, Screen& screen, const std::function<void()>& act) {
  if (!w.aside) return act(), true;
  const Vec2 size = w.drawn > 0 ? w.size : screen.size();
  const bool draws = size.x >= 1 && size.y >= 1 && !w.view.present.on;
  const Theme theme = w.view.theme;
  const float scale = draws ? window_grid(size, w.view).scale : 1;
  w.aside->begin(act);
  if (!w.aside->wait(std::max(0.0, kAtOnce - seconds_since(w.looked)))) {
    if (!stay(w, screen, draws ? std::optional<Style>(std::in_place, theme, scale) : std::nullopt)) {
      w.open = false;
      return false;
    }
    // What is on show now was not on show meanwhile; who talks went on talking.
    const auto seconds = double(screen.seconds_since_last_frame());
    w.clock += seconds;
    pass_talk_time(w.view, seconds);
    w.redraw = std::max(w.redraw, 1);
  }
  if (std::string fault = w.aside->take_fault(); !fault.empty()) {
    w.view.notice = std::move(fault);
    w.redraw = std::max(w.redraw, 1);
  }
  return true;
}

bool left_behind(const Window& window) { return window.aside && window.aside->busy(); }

}  // namespace tilewalk
