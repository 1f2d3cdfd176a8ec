#include "app/window/frame.h"

#include "app/boards/gpu_offer.h"
#include "app/gpu/diagnostics.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/questions.h"
#include "app/session/lesson_hands.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/link_moves.h"
#include "app/session/open_any.h"
#include "app/session/overlays.h"
#include "app/session/playback.h"
#include "app/session/transport.h"
#include "app/session/write_moves.h"
#include "app/session/present_moves.h"
#include "app/state/written.h"
#include "app/window/class_visit.h"
#include "app/window/present_frame.h"
#include "app/window/wishes.h"
#include "app/window/working.h"
#include "core/io/printable.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace tilewalk {
namespace {

constexpr int kSettle = 3;  // frames in which Dear ImGui follows a change of its text field

// Keys that end or move the typing are acted on once Dear ImGui has seen what was typed before them.
enum class Typing : uint8_t { GoesOn, Finish, Sure, Leave, Next, Previous, PageOn, PageBack };

Typing typing_of(const InputEvent& event, const ViewState& view) {
  if (event.kind != InputEvent::KeyDown) return Typing::GoesOn;
  if (pages_from_field(event.key, view)) return event.key.key == Key::PageDown ? Typing::PageOn : Typing::PageBack;
  if (event.key.key == Key::Enter) return event.key.shift ? Typing::Sure : Typing::Finish;
  if (event.key.key == Key::Escape || event.key.key == Key::F1) return Typing::Leave;
  if (event.key.key == Key::Tab) return event.key.shift ? Typing::Previous : Typing::Next;
  return Typing::GoesOn;
}

bool is_key(const InputEvent& event) { return event.kind == InputEvent::KeyDown || event.kind == InputEvent::KeyUp; }

// For the log: what a hand did, and where.
std::string words_of_event(const InputEvent& event, const Window& w) {
  if (event.kind == InputEvent::Press) return "pressed " + (w.view.hover.empty() ? "nothing" : w.view.hover);
  if (event.kind == InputEvent::Drop)
    return fmt::format("dropped {}{}", event.files.empty() ? "nothing" : printable_path(event.files.front()),
                       event.files.size() > 1 ? fmt::format(" and {} more", event.files.size() - 1) : "");
  if (event.kind != InputEvent::KeyDown) return {};
  const Command* command = command_for(event.key, w.view.present.on);
  return command ? "key of " + std::string(command->id) : std::string();
}

bool handle(const InputEvent& event, Window& w) {
  if (w.log.takes(LogLevel::Debug))
    if (const std::string words = words_of_event(event, w); !words.empty()) w.log.line(LogLevel::Debug, words);
  switch (event.kind) {
    case InputEvent::Move: return pointer_moved(event.at, w.scene, w.session, w.view);
    case InputEvent::Leave: return pointer_left(w.view);
    case InputEvent::Press: return pressed(event.at, w.scene, w.session, w.view);
    case InputEvent::Release: return released(w.view);
    case InputEvent::Wheel: return wheeled(event.notches, w.scene, w.session, w.view);
    case InputEvent::KeyDown: return key_pressed(event.key, w.scene, w.session, w.view);
    case InputEvent::Drop: open_any(w.session, w.view, event.files); return true;
    case InputEvent::Close: w.open = false; return false;
    case InputEvent::Changed: return true;
    case InputEvent::KeyUp: return false;
  }
  return false;
}

// A key for the whole program, or for the pages of the key sheet, that means nothing to a text field: Ctrl+Q, F1.
bool passes_field(const InputEvent& event, const ViewState& view) {
  if (event.kind != InputEvent::KeyDown) return false;
  if (chooses_hit(event.key, view) || restores_from_field(event.key, view) || darkens_from_field(event.key, view))
    return true;
  if ((is_open<KeySheet>(view) || is_open<WordSheet>(view)) &&
      (event.key.key == Key::PageUp || event.key.key == Key::PageDown))
    return true;
  const bool function_key = event.key.key == Key::F1 || event.key.key == Key::F11;
  const Command* command = event.key.ctrl || function_key ? command_for(event.key) : nullptr;
  return command && command->anywhere;
}

// What somebody does is done aside; false where it is of no use any more.
bool handle_aside(const InputEvent& event, Window& w, Screen& screen) {
  bool changed = false;
  return work(w, screen, [&] { changed = handle(event, w); }) && changed;
}

// Acts on events until one of them needs a frame to be drawn before the next makes sense.
Typing take_events(Window& w, Screen& screen) {
  const std::string editing = w.view.editing;
  bool typed = false;  // what the field has still to see
  while (!w.events.empty() && w.open) {
    if (typed && w.events.front().kind == InputEvent::KeyDown && darkens_from_field(w.events.front().key, w.view)) {
      w.redraw = std::max(w.redraw, 1);
      break;
    }
    if (!w.view.editing.empty() && passes_field(w.events.front(), w.view)) {
      const InputEvent event = std::move(w.events.front());
      w.events.pop_front();
      handle_aside(event, w, screen);
      w.redraw = std::max(w.redraw, kSettle);
      break;
    }
    if (is_key(w.events.front()) && !w.view.editing.empty() && !w.text_field.ready()) {
      w.redraw = std::max(w.redraw, 1);  // drawing is what gets the field ready
      break;
    }
    const bool edits =
        !w.view.editing.empty() && edits_text(w.events.front()) && !pages_from_field(w.events.front().key, w.view);
    if (edits && release_key(w.events.front())) {
      w.redraw = std::max(w.redraw, 1);
      break;
    }
    const InputEvent event = std::move(w.events.front());
    w.events.pop_front();
    tell_imgui(event);
    if (!w.view.editing.empty() && is_key(event)) {
      w.redraw = std::max(w.redraw, kSettle);
      if (edits) break;
      typed |= event.kind == InputEvent::KeyDown;
      if (const Typing typing = typing_of(event, w.view); typing != Typing::GoesOn) return typing;
      continue;
    }
    const bool typing_mouse = !w.view.editing.empty();  // the caret may follow the pointer
    if (handle_aside(event, w, screen) || typing_mouse) w.redraw = std::max(w.redraw, typing_mouse ? kSettle : 1);
    if (event.kind == InputEvent::Press || event.kind == InputEvent::KeyDown || event.kind == InputEvent::Wheel) {
      w.view.classroom.touched |= !overlay_open(w.view);  // an answer to the class is no looking around
      break;
    }
  }
  if (!left_behind(w) && w.view.editing != editing) w.redraw = std::max(w.redraw, kSettle);
  return Typing::GoesOn;
}

void finish(Typing typing, Window& w, Screen& screen) {
  if (typing == Typing::GoesOn) return;
  w.redraw = kSettle;
  work(w, screen, [&w, typing] {
    // Shift+Enter says that one is sure of the answer, and leaves its field open; in any other it is Enter.
    const bool sure = typing == Typing::Sure && is_answer(w.view.editing);
    if (sure) toggle_sure(w.view);
    if (typing == Typing::Finish || (typing == Typing::Sure && !sure)) finish_typing(w.session, w.view);
    if (typing == Typing::Leave) leave_typing(w.view);
    if (typing == Typing::PageOn || typing == Typing::PageBack)
      key_pressed({.key = typing == Typing::PageOn ? Key::PageDown : Key::PageUp}, w.scene, w.session, w.view);
    // In a list that is searched Enter goes to what was found.
    const bool found = typing == Typing::Finish && w.view.editing == "field:word-filter";
    if (found || typing == Typing::Next || typing == Typing::Previous)
      next_field(w.scene, w.session, w.view, typing == Typing::Previous);
  });
}

bool pass_time(Window& w, float seconds) {
  const auto seen = [&] {
    const Presentation& p = w.view.present;
    return std::tuple(std::floor(p.elapsed), std::ceil(p.countdown), p.since_pointer < kPointerSeconds,
                      p.since_escape < kStopSeconds, p.noticed, w.view.phase, w.view.playhead, w.view.board.step,
                      w.view.lesson.lift, w.view.playing, w.view.hover_for >= kTipDelay);
  };
  const auto before = seen();
  pass_time_on_stage(w.session, w.view, seconds);
  pass_presentation_time(w.view, seconds);
  return seen() != before || w.view.phase < 1;
}

// What the GPU worker has said; it is started once the first frame is on screen.
void ask_gpu(Window& w) {
  if (!w.gpu) return;
  if (w.drawn > 0 && !w.gpu_started) {
    w.gpu_started = true;
    w.gpu->start();
  }
  std::string notice;
  if (update_gpu(*w.gpu, w.session, w.view, notice)) w.redraw = std::max(w.redraw, 1);
  if (notice.empty()) return;
  if (w.view.present.on) {  // in front of a room a pill says it
    w.log.line(LogLevel::Info, notice);
    return;
  }
  w.view.notice = std::move(notice);
  w.redraw = std::max(w.redraw, 1);
}

// Files of lessons that have changed, and progress that is to be kept.
void look_after_lessons(Window& w) {
  if (!w.lessons) return;
  if (w.lessons->refresh(w.session, w.view, w.clock)) w.redraw = std::max(w.redraw, 1);
  if (!w.view.present.on) w.lessons->save(w.view, w.clock);  // a talk is not the learner's progress
}

void look_after_own_gpus(Window& w) {
  if (w.own_gpus.refresh(w.clock, w.view.notice)) w.redraw = std::max(w.redraw, 1);
}

// What the status line says, and what becomes of the GPU worker.
void keep_log(Window& w) {
  if (w.view.notice != w.logged && !w.view.notice.empty()) w.log.line(LogLevel::Info, w.view.notice);
  w.logged = w.view.notice;
  const GpuStatus& gpu = w.view.gpu.status;
  if (gpu.state == w.gpu_logged) return;
  w.gpu_logged = gpu.state;
  w.log.line(gpu.state == GpuState::Failed ? LogLevel::Warn : LogLevel::Info,
             "GPU worker: " + words_of(gpu.state) + (gpu.what.empty() ? "" : ". " + gpu.what));
}

bool mark_place(Window& w, Screen& screen) {
  constexpr double kEvery = 1;  // seconds, at least
  if (w.clock - w.marked < kEvery) return true;
  w.marked = w.clock;
  return work(w, screen, [&w] { w.marker.note(link_here(w.session, w.view).text); });
}

// What goes on beside what somebody does.
void look_after_the_rest(Window& w) {
  if (w.exports.refresh(w.session, w.view, w.pictures)) w.redraw = std::max(w.redraw, 1);
  look_after_class(w);
  ask_gpu(w);
  speak_in_class(w);
  look_after_lessons(w);
  look_after_own_gpus(w);
  keep_log(w);
}

void settle_on_changes(Window& w, Vec2 size) {
  if (w.session.generation() != w.generation) {
    w.generation = w.session.generation();
    settle(w.session, w.view);
    w.redraw = std::max(w.redraw, 1);
  }
  if (size.x != w.size.x || size.y != w.size.y) w.redraw = std::max(w.redraw, 2);
  w.size = size;
  fit(w.view, size);
}

}  // namespace

bool shows_gpu_data(const ViewState& view) {
  const bool column = view.column_floats ? view.column_over : view.column_open;
  return (view.tab == Tab::Gpu && column) || view.gpu.enlarged || view.board.board == "lanes";
}

namespace {

// What is written, as it would be run on a GPU.
void ask_program(const Session& session, ViewState& view) {
  std::optional<ProgramSpec>& asked = view.gpu.program;
  const Written* now = write_on_show(view) ? view.write.now.get() : nullptr;
  if (!now || !now->faults.empty() || !now->verdict) return asked.reset();
  // Tiles count where a puzzle leaves them open.
  const Problem& stage = session.problem();
  const bool own_tiles = view.write.puzzle && view.write.puzzle->own_tiles;
  const Problem problem = own_tiles ? program_problem(stage.mask, stage.br, stage.bc) : program_problem(stage.mask);
  if (asked && asked->text.words == now->text && asked->problem == problem) return;
  asked = ProgramSpec{{}, {now->text}, problem};
}

}  // namespace

bool update_gpu(GpuDesk& desk, const Session& session, ViewState& view, std::string& notice) {
  ask_program(session, view);
  const bool changed =
      desk.update({session.problem(), session.inputs(), session.input_hash()}, shows_gpu_data(view), view.gpu, notice);
  return offer_this_gpu(view.gpu.status) || changed;
}

void frame(Window& w, Screen& screen) {
  // Sleep until something happens or moves.
  const bool busy = w.redraw > 0 || !w.events.empty();
  float deadline = w.gpu ? float(w.gpu->seconds_to_deadline()) : std::numeric_limits<float>::infinity();
  deadline = std::min({deadline, seconds_to_presentation_change(w.view), seconds_to_class(w)});
  if (w.exports.working()) deadline = std::min(deadline, kExportLook);
  if (w.lessons) deadline = std::min(deadline, float(w.lessons->seconds_to_look(w.view, w.clock)));
  deadline = std::min({deadline, float(w.settings.seconds_to_look(w.clock)), seconds_to_keep_notes(w)});
  screen.wait(busy ? 0 : std::min(seconds_to_change_on_stage(w.session, w.view), deadline), w.events);
  w.looked = std::chrono::steady_clock::now();
  const float seconds = screen.seconds_since_last_frame();
  w.clock += double(seconds);

  // Let time and hands do what they do to session and view.
  w.view.since_click = std::min(1000.0f, w.view.since_click + seconds);
  w.view.classroom.card_for = std::min(1000.0f, w.view.classroom.card_for + seconds);
  // The time was slept through before the events came: what they begin is not half over when it is first drawn, and two
  // presses of Esc are as far apart as they came.
  const auto pass = [&] {
    if (pass_time(w, seconds)) w.redraw = std::max(w.redraw, 1);
  };
  if (!work(w, screen, pass)) return;
  const Typing typing = take_events(w, screen);
  if (left_behind(w)) return;
  carry_out_wishes(w, screen);
  if (left_behind(w) || !work(w, screen, [&w] { look_after_the_rest(w); })) return;
  const bool presenting = look_after_room(w, screen);
  const Vec2 size = screen.size();
  settle_on_changes(w, size);
  if (w.size.x < 1 || w.size.y < 1) w.redraw = 0, w.events.clear();  // minimised
  if (w.redraw <= 0 || !mark_place(w, screen)) return;
  if (presenting) {
    if (draw_room_frame(w, screen, seconds)) finish(typing, w, screen);
    return;
  }

  // Lay out.
  Scene next;
  if (!work(w, screen, [&] { next = layout_window(w.session, w.view, w.size); })) return;
  w.scene = std::move(next);
  const Style style(w.view.theme, window_grid(w.size, w.view).scale);
  if (w.text_field.prepare(style.scale, !w.view.editing.empty())) screen.fonts_changed();

  // Draw, the text field last.
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {w.size.x, w.size.y};
  io.DeltaTime = std::max(seconds, 1e-4f);
  ImGui::NewFrame();
  w.painter.begin_frame();
  w.painter.paint(w.scene, *ImGui::GetBackgroundDrawList(), {}, 1, false);  // the screen is cleared to its background
  w.text_field.draw(w.scene, w.session, w.view, style);
  w.painter.upload();
  ImGui::Render();
  screen.present(w.scene, *ImGui::GetDrawData());
  ++w.drawn;
  --w.redraw;
  w.log.line(LogLevel::Trace, "drawn");

  // What a key at the end of the typing asked for, now that everything typed is known.
  finish(typing, w, screen);
  if (w.painter.needs_another_frame()) w.redraw = std::max(w.redraw, 1);
}

PointerShape pointer_shape(const Scene& scene, Vec2 at) {
  const Region* under = scene.hit(at);
  if (!under) return PointerShape::Arrow;
  if (is_field(under->id) || under->id.starts_with("write:")) return PointerShape::Bar;
  return under->focusable || under->id.starts_with("marker:") ? PointerShape::Hand : PointerShape::Arrow;
}

void set_up_imgui() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;
  io.ConfigInputTrickleEventQueue = false;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  io.MouseDrawCursor = false;
}

}  // namespace tilewalk
