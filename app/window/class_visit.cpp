#include "app/window/class_visit.h"

#include "app/session/class_moves.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace tilewalk {
namespace {

constexpr double kSilent = 25;  // seconds, of a class that says something every ten

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
    w.class_heard = w.clock;
  }
  for (const ClassEvent& event : socket.take()) {
    w.class_heard = w.clock;
    if (event.kind == ClassEvent::Kind::Opened) c.with->opened();
    if (event.kind == ClassEvent::Kind::Line) c.with->heard(event.line);
    if (event.kind == ClassEvent::Kind::Ended) c.with->ended(w.clock);
  }
  // A network that is gone does not always say so.
  if (c.with->in() && w.clock - w.class_heard >= kSilent) {
    socket.close();
    c.with->ended(w.clock);
  }
  if (keep_up_with_class(w.session, w.view)) w.redraw = std::max(w.redraw, 2);
  share_gpu(w);
  if (c.with->changes() != w.class_told) {
    w.class_told = c.with->changes();
    w.redraw = std::max(w.redraw, 1);
  }
}

void speak_in_class(Window& w) {
  if (!w.class_socket || !w.view.classroom.with) return;
  Attendance& with = *w.view.classroom.with;
  if (w.class_gpu) carry_runs(with, *w.class_gpu);
  for (const std::string& line : with.take_out()) w.class_socket->send(line);
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

// Until a connection is due, or has been silent for too long.
float seconds_to_class(const Window& w) {
  const ClassView& c = w.view.classroom;
  if (!c.with || !w.class_socket) return std::numeric_limits<float>::infinity();
  if (c.with->in()) return float(std::max(0.1, w.class_heard + kSilent - w.clock));
  return float(c.with->seconds_to_connect(w.clock));
}

}  // namespace tilewalk
