#include "app/window/class_visit.h"

#include "app/session/class_moves.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace tilewalk {
namespace {

bool is_over(const Attendance& with) {
  return with.state() == Attendance::State::Refused || with.state() == Attendance::State::Over;
}

// Runs go to the GPU of the class where it has one. A run that is on is waited for.
void share_gpu(Window& w) {
  if (!w.gpu) return;
  Attendance* with = w.view.classroom.with ? &*w.view.classroom.with : nullptr;
  const std::string hello = with && !is_over(*with) ? with->gpu() : std::string();
  if (hello != (w.class_gpu ? w.class_gpu->hello() : std::string()) && (!with || !w.gpu->client().busy())) {
    w.class_gpu = hello.empty() ? nullptr : std::make_shared<ClassGpu>(hello);
    w.gpu->use_class(w.class_gpu);
    w.redraw = std::max(w.redraw, 1);
  }
  if (!with || !w.class_gpu) return;
  carry_runs(*with, *w.class_gpu);
}

}  // namespace

void look_after_class(Window& w) {
  ClassView& c = w.view.classroom;
  if (!w.class_socket) {
    if (!c.with) return;
    leave_class(w.view);
    w.view.notice = "This build cannot join a class: it was made without libwebsockets.";
    w.redraw = std::max(w.redraw, 1);
    return;
  }
  ClassSocket& socket = *w.class_socket;
  if (!c.with || is_over(*c.with)) {
    if (std::exchange(w.class_open, false)) socket.close();
    if (!c.with) {
      w.class_told = -1;
      return share_gpu(w);
    }
  }
  if (c.with->wants_connection(w.clock)) {
    w.class_open = true;
    c.with->connecting();
    socket.open(c.socket);
  }
  for (const ClassEvent& event : socket.take()) {
    if (event.kind == ClassEvent::Kind::Opened) c.with->opened();
    if (event.kind == ClassEvent::Kind::Line) c.with->heard(event.line);
    if (event.kind == ClassEvent::Kind::Ended) c.with->ended(w.clock);
  }
  if (keep_up_with_class(w.session, w.view)) w.redraw = std::max(w.redraw, 2);
  share_gpu(w);
  for (const std::string& line : c.with->take_out()) socket.send(line);
  if (c.with->changes() != w.class_told) {
    w.class_told = c.with->changes();
    w.redraw = std::max(w.redraw, 1);
  }
}

std::string save_class_summary(const ViewState& view, const std::filesystem::path& folder) {
  if (!view.classroom.with || !view.classroom.with->left()) return "No class was ended here.";
  std::filesystem::path file = folder / "class.md";
  std::error_code ignored;
  for (int copy = 2; std::filesystem::exists(file, ignored); ++copy) file = folder / fmt::format("class-{}.md", copy);
  try {
    write_file(file, summary_text(*view.classroom.with->left()));
    return fmt::format("Saved {}.", printable_path(file));
  } catch (const IoError& error) {
    return error.what();
  }
}

float seconds_to_class(const Window& w) {
  const ClassView& c = w.view.classroom;
  return c.with && w.class_socket ? float(c.with->seconds_to_connect(w.clock)) : std::numeric_limits<float>::infinity();
}

}  // namespace tilewalk
