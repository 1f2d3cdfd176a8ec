#include "app/window/present_frame.h"

#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/panels/room_overlay.h"
#include "app/panels/room_overview.h"
#include "app/panels/window_grid.h"
#include "app/session/commands.h"
#include "app/session/overlays.h"
#include "app/session/present_moves.h"
#include "app/session/talk_time.h"
#include "app/session/speaker_notes.h"
#include "app/window/working.h"
#include "core/io/file.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

namespace tilewalk {
namespace {

ImTextureID texture_of(uint64_t texture) { return reinterpret_cast<ImTextureID>(size_t(texture)); }

// A list of its own for what goes into a frame buffer and not into the window.
class OffList {
 public:
  explicit OffList(Vec2 size) : size_(size), list_(ImGui::GetDrawListSharedData()) {
    list_._ResetForNewFrame();
    list_.PushClipRect({0, 0}, {size.x, size.y});
    list_.PushTextureID(ImGui::GetIO().Fonts->TexID);
  }
  ImDrawList& list() { return list_; }
  ImDrawData data() {
    ImDrawData out;
    out.Valid = true;
    out.DisplaySize = {size_.x, size_.y};
    out.FramebufferScale = {1, 1};
    out.AddDrawList(&list_);
    return out;
  }

 private:
  Vec2 size_;
  ImDrawList list_;
};

// Textures that were painted stand on their feet when their rows are taken from below.
void add_image(ImDrawList& list, uint64_t texture, const Rect& to) {
  if (texture) list.AddImage(texture_of(texture), {to.x, to.y}, {to.right(), to.bottom()}, {0, 1}, {1, 0});
}

void add_lens(ImDrawList& list, uint64_t texture, const Lens& lens) {
  if (!texture || lens.radius <= 0) return;
  const Rect &to = lens.rect, &from = lens.source;
  list.AddImageRounded(texture_of(texture), {to.x, to.y}, {to.right(), to.bottom()}, {from.x, 1 - from.y},
                       {from.right(), 1 - from.bottom()}, IM_COL32_WHITE, lens.radius);
}

}  // namespace

namespace {

void keep_what_was_noted(Window& w) {
  Presentation& p = w.view.present;
  if (!p.notes_changed || seconds_to_keep_notes(w) > 0) return;
  w.notes_tried = w.clock;
  say_too(w.view.notice, keep_window_notes(w, FileBusy::kPatience));
}

// Swapping means the presenter's side on one screen and an exchange on two: where their number changes it is over, and
// the presenter's window is never put on a screen that has just come.
void open_room(Window& w, Screen& screen) {
  Presentation& p = w.view.present;
  p.trouble.clear();
  const Screens found = screen.open_room(w.room_wish, p.swapped && p.screens == Screens::Two, p.trouble);
  if (found != p.screens) p.swapped = false;
  p.screens = found;
  p.first_escape_ends = screen.first_escape_ends();
  w.room_open = true;
  w.room_swapped = p.swapped;
}

}  // namespace

std::string keep_window_notes(Window& w, double patience) {
  Presentation& p = w.view.present;
  if (!p.notes_changed) return {};
  try {
    OwnNotes kept = keep_notes(w.notes_file, w.notes_known, p.own_notes, iso_now().substr(0, 10), patience);
    p.own_notes = w.notes_known = std::move(kept.notes);
    p.notes_changed = false;
    w.notes_tried = -1000;
    w.notes_busy.over();
    return std::move(kept.notice);
  } catch (const IoError& error) {
    if (!w.notes_busy.worth_saying(error, w.clock, patience)) return {};
    return fmt::format("Notes are not kept. {}", error.what());
  }
}

float seconds_to_keep_notes(const Window& w) {
  return w.view.present.notes_changed ? float(std::max(0.0, w.notes_tried + FileBusy::kTryAgain - w.clock))
                                      : std::numeric_limits<float>::infinity();
}

bool look_after_room(Window& w, Screen& screen) {
  Presentation& p = w.view.present;
  keep_what_was_noted(w);
  if (w.room_open && p.on && screen.room_closed()) {
    end_presenting(w.session, w.view);
    w.view.notice = fmt::format("The room's window was closed: that ends presenting. {} goes on from here.",
                                key_of("present-here"));
  }
  if (p.on) end_countdown_elsewhere(w.view);
  // Before the room's screen goes, and before anything is painted that the room was not shown.
  if (!p.on || !p.frozen)
    screen.let_picture_go();
  else if (!w.room_counts)  // a number would stand still: it is painted without it first
    screen.keep_picture();
  else
    w.redraw = std::max(w.redraw, 2);
  if (p.room_stays && screen.room_closed()) p.room_stays = false;
  const bool moved = w.room_open && (screen.monitors_changed() || w.room_swapped != p.swapped);
  if (w.room_open && (moved || (!p.on && !p.room_stays))) {
    if (std::exchange(p.room_stays, false) && moved)
      w.view.notice = fmt::format("The room's monitor changed, and its last picture is gone from it: {} goes on.",
                                  key_of("present"));
    screen.close_room(!p.on);
    w.room_open = false;
    w.redraw = std::max(w.redraw, 2);
  }
  if (p.on && !w.room_open) {
    open_room(w, screen);
    w.redraw = std::max(w.redraw, 2);
  }
  screen.keep_awake(p.on);
  if (!p.on) return false;
  const std::time_t now = std::time(nullptr);
  char text[8] = "";
  if (const std::tm* local = std::localtime(&now); local && std::strftime(text, sizeof text, "%H:%M", local) > 0)
    p.clock = text;
  screen.hide_pointer(!p.presenters_window() && (p.tool != Tool::Normal || p.since_pointer >= kPointerSeconds));
  return true;
}

bool draw_room_frame(Window& w, Screen& screen, float seconds) {
  const Presentation& p = w.view.present;
  const bool two = p.presenters_window();
  const Vec2 surface = p.screens == Screens::Two ? screen.room_size() : w.size;
  const Rect picture = room_picture(surface);
  const Vec2 size{picture.w, picture.h};
  const bool kept = screen.kept_texture() != 0;
  Scene stage, next;
  size_t under = 0;  // of its items, those that lie under what is open over the window
  const auto lay_out = [&] {
    if (!kept) stage = layout_audience(w.session, w.view, size), draw_strokes(stage, p);
    next = two ? layout_presenter(w.session, w.view, w.size, &under) : layout_home_room(w.session, w.view, w.size);
  };
  if (!work(w, screen, lay_out)) return false;
  if (!kept) w.room_counts = p.countdown > 0;
  w.scene = std::move(next);
  const bool rooms_type = !two && !overlay_open(w.view);
  const Style style(two ? w.view.theme : p.theme,
                    rooms_type ? room_scale(w.view, size) : window_grid(w.size, w.view).scale);
  if (w.text_field.prepare(style.scale, !w.view.editing.empty())) screen.fonts_changed();
  screen.resize_picture(size);

  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {w.size.x, w.size.y};
  io.DeltaTime = std::max(seconds, 1e-4f);
  ImGui::NewFrame();
  w.painter.begin_frame();
  OffList stage_list(size), picture_list(size);
  if (!kept) w.painter.paint(stage, stage_list.list(), {}, 1, false);
  add_image(picture_list.list(), kept ? screen.kept_texture() : screen.stage_texture(), {0, 0, size.x, size.y});
  if (!kept) add_lens(picture_list.list(), screen.stage_texture(), lens_of(p, size));
  if (!kept || p.blank != Blank::None) w.painter.paint(layout_room_overlay(p, size), picture_list.list(), {}, 1, false);
  ImDrawList& window_list = *ImGui::GetBackgroundDrawList();
  if (!two) add_image(window_list, screen.picture_texture(), picture);
  const Region* room = two ? w.scene.find("present:room") : nullptr;
  if (room && under < w.scene.items.size()) {
    // The room's picture lies over the window and under the sheet.
    const auto from = w.scene.items.begin() + std::ptrdiff_t(under);
    w.painter.paint({w.size, {}, {w.scene.items.begin(), from}, {}}, window_list, {}, 1, false);
    add_image(window_list, screen.picture_texture(), room->rect);
    w.painter.paint({w.size, {}, {from, w.scene.items.end()}, {}}, window_list, {}, 1, false);
  } else {
    w.painter.paint(w.scene, window_list, {}, 1, false);
    if (room) add_image(window_list, screen.picture_texture(), room->rect);
  }
  w.text_field.draw(w.scene, w.session, w.view, style);
  w.painter.upload();
  ImGui::Render();
  if (!kept) {
    ImDrawData data = stage_list.data();
    screen.paint_stage(data, stage.background);
  }
  ImDrawData data = picture_list.data();
  screen.paint_picture(data, p.rehearsal && !kept);
  screen.present(w.scene, *ImGui::GetDrawData());
  ++w.drawn;
  --w.redraw;
  if (w.painter.needs_another_frame()) w.redraw = std::max(w.redraw, 1);
  if (const Region* next = two && !p.overview ? w.scene.find("present:next") : nullptr)
    return work(w, screen, [&] {
      if (w.next_picture.make_next(w.view, {next->rect.w, next->rect.h})) w.redraw = std::max(w.redraw, 1);
    });
  const Region* area = p.overview ? w.scene.find("present:stage") : nullptr;
  return !area || work(w, screen, [&] {
    if (w.stop_pictures.make_one(w.view, stop_picture_size(w.view, area->rect, style)))
      w.redraw = std::max(w.redraw, 1);
  });
}

}  // namespace tilewalk
