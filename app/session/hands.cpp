#include "app/session/hands.h"

#include "app/session/board_hands.h"
#include "app/session/charts_link.h"
#include "app/session/choice_list.h"
#include "app/session/fields.h"
#include "app/session/class_moves.h"
#include "app/session/commands.h"
#include "app/session/element.h"
#include "app/session/focus.h"
#include "app/session/kept_stops.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/home_knobs.h"
#include "app/session/questions.h"
#include "app/session/overlays.h"
#include "app/session/overview.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/region_id.h"
#include "app/session/set_edit.h"
#include "app/session/stop_way.h"
#include "app/session/transport.h"
#include "app/session/typing.h"
#include "app/session/update.h"
#include "app/session/write_moves.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilewalk {
namespace {

void drag_scrubber(Vec2 at, const Scene& scene, const Session& session, ViewState& view) {
  const Region* scrubber = scene.find("scrubber");
  if (!scrubber || scrubber->rect.w <= 0) return;
  view.notice.clear();
  const float t = std::clamp((at.x - scrubber->rect.x) / scrubber->rect.w, 0.0f, 1.0f);
  seek(session.walk(), view, int64_t(std::lround(double(t) * double(session.walk().replay.length()))));
}

// Where a point lies in the picture that the room sees; nothing while nobody presents.
std::optional<Vec2> in_picture(Vec2 at, const Scene& scene, const ViewState& view) {
  const Region* stage = view.present.on && !overlay_open(view) ? scene.find("present:stage") : nullptr;
  return stage ? std::optional(across(at, stage->rect)) : std::nullopt;
}

// On the only screen the knobs lie over the picture's foot.
bool over_picture(Vec2 at, const Scene& scene, const ViewState& view) {
  const std::optional<Vec2> place = in_picture(at, scene, view);
  const Region* knobs = scene.find(kKnobsOverPicture);
  return place && place->x >= 0 && place->y >= 0 && place->x <= 1 && place->y <= 1 &&
         !(knobs && knobs->rect.contains(at));
}

}  // namespace

bool pointer_moved(Vec2 at, const Scene& scene, Session& session, ViewState& view) {
  view.pointer = at;
  view.pointed = false;
  view.present.over_picture = over_picture(at, scene, view);
  if (const auto place = in_picture(at, scene, view); place && tool_moved(view, *place)) return true;
  if (view.held == "scrubber") {
    drag_scrubber(at, scene, session, view);
    return true;
  }
  if (point_in_program(view.held, at, scene, view, true) || on_board(view.held, at, scene, session, view, true) ||
      drag_scroll(view.held, at, scene, view) || drag_track(view.held, at, scene, session, view))
    return true;
  const Region* under = scene.hit(at);
  const std::string hover = under ? under->id : std::string();
  if (hover == view.hover) return false;
  view.hover = hover;
  view.hover_for = 0;
  return true;
}

bool pointer_left(ViewState& view) {
  view.pointed = false;
  if (view.hover.empty()) return false;
  view.hover.clear();
  view.hover_for = 0;
  return true;
}

bool pressed(Vec2 at, const Scene& scene, Session& session, ViewState& view) {
  keep_rail(scene, view);
  if (card_settles(view)) return true;
  if (const Region* under = scene.hit(at); !under || under->id != view.editing) drop_half_typed(view);
  if (const auto place = in_picture(at, scene, view); place && tool_pressed(view, *place)) return true;
  note_work(view);
  keep_stop(session, view);
  pointer_moved(at, scene, session, view);
  const Region* under = scene.hit(at);
  const std::string id = under ? under->id : std::string();
  // A click beside a field is its Enter; a click on an overlay's scrim only closes the overlay.
  if (!view.editing.empty() && id != view.editing && !is_dialog_field(view.editing)) {
    if (is_answer(view.editing))
      view.editing.clear();  // an answer is locked on purpose only
    else
      finish_typing(session, view);
    if (is_stop_field(view.editing)) return true;  // it was refused, and waits to be put right
  }
  // The keys go to the thing that was pressed, or to the plot that it is a part of.
  const Region* plot = plot_of(id, scene);
  const bool typing = keeps_typing(under, at, scene, view);
  view.focus = typing                      ? std::string(kWriteText)
               : under && under->focusable ? id
               : plot && plot->focusable   ? plot->id
                                           : std::string();
  view.focus_ring = false;
  view.hover_for = -1;  // who clicks has read enough
  view.held = id;
  const bool twice = !id.empty() && id == view.clicked && view.since_click < kDoubleClick;
  view.clicked = twice ? std::string() : id;
  view.since_click = 0;
  if (twice && input_tile(id)) {
    view.selection = id;
    return run_command("element", session, view);
  }
  if (id.empty()) {
    view.selection.clear();
    return true;
  }
  return activate(id, at, scene, session, view);
}

bool can_be_dragged(std::string_view id) {
  const std::string_view kind = kind_of(id);
  return id == "scrubber" || id == "steps" || kind == "write" || id == "beats" || of_board(id) || kind == "scroll" ||
         kind == "thumb" || kind == "present";
}

bool released(ViewState& view) {
  tool_released(view);
  const bool was = !view.held.empty();
  view.held.clear();
  note_work(view);
  return was;
}

bool wheeled(float notches, const Scene& scene, Session& session, ViewState& view) {
  keep_rail(scene, view);
  if (is_open<FileList>(view)) {
    const int most = std::max(0, int(view.picker.rows.size()) - view.picker.shown);
    view.picker.top = std::clamp(view.picker.top - int(std::lround(notches * 3)), 0, most);
    return true;
  }
  if (KeySheet* keys = std::get_if<KeySheet>(&view.over); keys && notches != 0) {
    keys->page += notches < 0 ? 1 : -1;
    return true;
  }
  if (overlay_open(view)) return is_open<WordSheet>(view) && turn_scroll(notches, scene, view);
  if (view.present.on && (view.present.lens || view.present.tool == Tool::Spotlight)) {
    resize_tool(view, notches);
    return true;
  }
  if (turn_program(notches, scene, view) || turn_scroll(notches, scene, view)) return true;
  const Region* under = scene.hit(view.pointer);
  const bool on_scrubber = under && (under->id == "scrubber" || kind_of(under->id) == "marker");
  if (!on_scrubber || notches == 0) return false;
  return run_command(notches > 0 ? "part-back" : "part-forward", session, view);
}

static bool act_on_key(const KeyPress& press, const Scene& scene, Session& session, ViewState& view);

bool key_pressed(const KeyPress& press, const Scene& scene, Session& session, ViewState& view) {
  keep_rail(scene, view);
  if (restores_from_field(press, view)) {
    if (is_open<WordSheet>(view)) return close_overlays(view), true;
    drop_half_typed(view);
  }
  if (darkens_from_field(press, view)) drop_half_typed(view);  // hands that are being counted stay
  const bool pages = pages_from_field(press, view);
  if (pages && !finish_for_page(session, view)) return true;
  const std::string said = pages ? view.notice : std::string();
  note_work(view);
  keep_stop(session, view);
  const bool was_key = act_on_key(press, scene, session, view);
  if (view.notice.empty()) view.notice = said;
  note_work(view);
  return was_key;
}

static bool act_on_key(const KeyPress& press, const Scene& scene, Session& session, ViewState& view) {
  const bool in_overlay = overlay_open(view);
  if (chooses_hit(press, view)) return choose_hit(press, session, view);
  // The dialog of an element stays, with what is half typed in it.
  if (in_overlay && darkens_from_field(press, view)) return press_command(*command_for(press, true), session, view);
  view.hover_for = -1;  // who types does not look where the pointer happens to lie
  view.pointed = false;
  // In front of a room a key does what the presenter's table says, wherever the focus is.
  if (view.present.on && !in_overlay && overview_key(press, session, view)) return true;
  // What one went to with Tab is pressed, as a knob's list; the answer waits. There is no middle of a slider to press.
  if (view.present.on && !in_overlay && press.key == Key::Enter && !press.ctrl && view.focus_ring)
    if (const Region* region = reachable_region(scene, view.focus);
        region && !is_slider(view) && (kind_of(view.focus) != "board" || on_board_button(view)))
      return activate(view.focus, region->rect.center(), scene, session, view);
  // A number begins in the cell that Enter led to; a clicker's period is black all the same.
  const bool digit = press.key == Key::Character && press.character >= U'0' && press.character <= U'9';
  if (view.present.on && !in_overlay && digit && typed_on_cell(press, view)) return true;
  // And of a slider that was pressed, as far as it is to be seen; elsewhere digits are tools.
  if (view.present.on && !in_overlay && scene.find(view.focus) && typed_on_knob(press, view)) return true;
  const bool undoes = press.key == Key::Character && press.ctrl && !press.shift && (press.character | 0x20) == U'z';
  if (!in_overlay && undoes && undo_added_stop(view)) return true;
  // A clicker goes on from what was looked up, and over the class's desk, which lies over the speaker's window alone.
  const bool page = press.key == Key::PageDown || press.key == Key::PageUp;
  const bool letter = press.key == Key::Character && !press.ctrl && is_open<ChoiceList>(view);
  const bool clickers =
      letter && view.present.on && std::u32string_view(U"bBfF").find(press.character) != std::u32string_view::npos;
  if (letter && !clickers && type_in_list(press.character, session, view)) return true;
  const bool darkens = clickers || (letter && press.character == U'.');
  const bool leaves =
      (page && is_open<WordSheet>(view)) || ((page || darkens || press.ctrl) && is_open<ChoiceList>(view));
  if (view.present.on && (!in_overlay || leaves || (page && is_open<ClassDesk>(view))))
    if (const Command* command = command_for(press, true); command && command->mode == Mode::Present) {
      if (leaves) close_overlays(view);
      return press_command(*command, session, view);
    }
  if (letter) return true;
  if (!in_overlay && !view.present.on && program_key(press, session, view)) return true;
  const bool answers = press.key == Key::Character || press.key == Key::Enter || press.key == Key::Space;
  if (card_settles(view) && answers && !press.ctrl) return true;
  if (class_key(press, session, view)) return true;
  // Keys of the focus come first: Tab moves it, Enter and Space act on it, arrows move within a list.
  if (press.key == Key::Tab && !press.ctrl && !in_overlay && has_home_knobs(view) && !view.present.knobs) {
    view.focus = "knob:more/";  // once more leads to the first knob, which comes behind it
    return view.present.knobs = true;
  }
  if (press.key == Key::Tab && !press.ctrl) return move_focus(scene, view, press.shift ? -1 : 1);
  if (press.key == Key::F6 && !press.ctrl) return move_to_part(scene, view, press.shift ? -1 : 1);
  if (!in_overlay && typed_on_cell(press, view)) return true;
  if (!in_overlay && lesson_key(press, session, view)) return true;
  if (!in_overlay && view.focus_ring && typed_on_knob(press, view)) return true;
  if (!in_overlay && !view.present.on && typed_on_outlined(press, scene, view)) return true;
  if (!in_overlay && typed_on_knob(press, view)) return true;
  const bool go = (press.key == Key::Enter && !press.shift && !press.ctrl) ||
                  (press.key == Key::Space && (view.focus_ring || in_overlay));
  if (go && press.key == Key::Enter && !in_overlay && input_tile(view.selection) &&
      (view.focus.empty() || view.focus == view.selection))
    return run_command("element", session, view);
  if (go && !view.focus.empty() &&
      !(press.key == Key::Space ? is_slider(view) : of_board(view.focus) && !on_board_button(view))) {
    // What had the focus before an overlay came lies under it now.
    const Region* region = reachable_region(scene, view.focus);
    return region && activate(view.focus, region->rect.center(), scene, session, view);
  }
  if (const int pages = press.key == Key::PageDown ? 1 : press.key == Key::PageUp ? -1 : 0; pages != 0) {
    if (KeySheet* keys = std::get_if<KeySheet>(&view.over)) return keys->page += pages, true;
    if (WordSheet* words = std::get_if<WordSheet>(&view.over))
      return words->scroll = std::clamp(words->scroll + 0.2f * float(pages), 0.0f, 1.0f), true;
  }
  if (in_overlay && (press.key == Key::Up || press.key == Key::Down))
    return move_in_list(scene, view, press.key == Key::Up ? -1 : 1);

  if (!in_overlay && nudged(press, session, view)) return true;
  if (!in_overlay && press.key == Key::Character && !press.ctrl && !view.present.on)
    if (const char32_t c = press.character | 0x20; c == U'j' || c == U'k')
      return point_on(scene, view, c == U'j' ? 1 : -1);
  const Command* command = command_for(press);
  if (!command && !in_overlay) command = command_for(press, true);  // a presenter's: some say that it is one
  if (!command || (in_overlay && !command->anywhere && !(is_open<Menu>(view) && press.ctrl) && command->id != "menu"))
    return false;
  const bool on = command->id == "part-forward" || command->id == "tile-forward";
  if (on && !press.repeat && !view.present.on && view.notice == kLastStep)
    return run_command("lesson-next", session, view);
  return press_command(*command, session, view);
}

bool activate(std::string_view id_view, Vec2 at, const Scene& scene, Session& session, ViewState& view) {
  const std::string id(id_view);  // the action may lay out anew what the view points into
  const std::string_view kind = kind_of(id), rest = rest_of(id);
  if (id == kScrim) return run_command("escape", session, view);
  if (const Region* region = reachable_region(scene, id); region && region->press) {
    update(session, view, *region->press);
    return true;
  }
  if (point_in_program(id, at, scene, view, false)) return true;
  if (id == "scrubber") {
    drag_scrubber(at, scene, session, view);
    return true;
  }
  if (kind == "knob" || kind == "board") return on_board(id, at, scene, session, view, false);
  if (step_element(id, session, view)) return true;
  if (kind == "command") return run_command(rest, session, view);
  if (is_open<WordSheet>(view) && kind == "lesson") close_overlays(view);
  if (view.present.on && (kind == "set" || kind == "beat" || kind == "lesson")) return go_to_stop(id, session, view);
  if (kind == "marker") {
    view.notice.clear();
    go_to_mark(session.walk(), view, number_or(rest, int64_t{0}));
    return true;
  }
  if (lesson_click(id, session, view) || drag_scroll(id, at, scene, view) || drag_track(id, at, scene, session, view))
    return true;
  if (kind == "tab") return run_command(fmt::format("tab-{}", rest), session, view);
  if (id == "speed") {  // round and round: after the fastest comes 1x again
    if (view.speed < kFastest) return run_command("faster", session, view);
    view.speed = 1;
    return true;
  }
  if (kind == "choice") {
    const size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return true;
    if (rest.starts_with("gpu-") && refused_behind_question("gpu", view)) return true;
    view.present.turned |= view.present.on && rest.starts_with("gpu-");
    apply_choice(session, view, rest.substr(0, slash), rest.substr(slash + 1));
    if (view.present.on && view.gpu.enlarged) show_charts(session, view);
    return true;
  }
  if (is_field(id)) {
    begin_typing(id, view);
    return true;
  }
  if (kind == "row" || kind == "stat") {
    const std::string_view row = kind == "row" ? rest : rest.substr(std::min(rest.size(), rest.find('/') + 1));
    view.row = std::clamp<int64_t>(number_or(row, int64_t{0}), 0, session.problem().n_q - 1);
    return true;
  }
  if (is_selected_by_click(id)) {
    view.selection = view.selection == id ? std::string() : id;
    return true;
  }
  return false;
}

void next_field(const Scene& scene, Session& session, ViewState& view, bool back) {
  const std::string id = view.editing;
  if (const WordSheet* words = std::get_if<WordSheet>(&view.over); words && words->statements && !back) {
    for (const Region& each : scene.regions)
      if (each.focusable && each.id.starts_with("statement:")) {
        view.editing.clear();
        view.focus = each.id;
        view.focus_ring = true;
        return;
      }
  }
  if (is_dialog_field(id)) return;
  finish_typing(session, view);
  if (is_stop_field(view.editing)) return;
  if (is_knob_field(id)) {
    move_focus(scene, view, back ? -1 : 1);
    return;
  }
  view.focus = id;
  if (move_focus(scene, view, back ? -1 : 1, true)) begin_typing(view.focus, view);
}

}  // namespace tilewalk
