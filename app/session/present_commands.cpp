#include "app/session/present_commands.h"

#include "app/boards/knob_row.h"
#include "app/session/board_hands.h"
#include "app/session/hand_counts.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "app/session/talk_time.h"
#include "app/session/turn_walk.h"
#include "app/session/typing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

using S = Session;
using V = ViewState;

bool on(const S&, const V& v) { return v.present.on; }
bool off(const S&, const V& v) { return !v.present.on; }
bool drawn(const S&, const V& v) { return v.present.on && !v.present.strokes.empty(); }

bool walk_shown(const S&, const V& v) { return v.present.on && v.board.board.empty() && !v.gpu.enlarged; }
// Of a walk, of a board that has such a knob, and the mask and the GPU of the GPU's charts.
std::string_view knob_of(WalkKnob knob) {
  return knob == WalkKnob::Mask ? "mask" : knob == WalkKnob::Machine ? "gpu" : "method";
}
template <WalkKnob knob>
void turn(S& s, V& v) {
  if (std::string words = behind_question_words(v); !words.empty()) return void(v.notice = std::move(words));
  has_knob(v, knob_of(knob)) ? turn_on(s, v, knob_of(knob)) : turn_walk(s, v, knob, 1);
}
template <WalkKnob knob>
bool turns(const S& s, const V& v) {
  return walk_shown(s, v) ||
         (v.present.on && (has_knob(v, knob_of(knob)) || (knob == WalkKnob::Mask && charts_have_mask(v)) ||
                           (knob == WalkKnob::Machine && v.gpu.enlarged)));
}
template <WalkKnob knob>
std::string why_not_turn(const S&, const V& v) {
  if (!v.present.on)
    return fmt::format("This key turns a walk before a room: {} begins to present.", key_of("present"));
  if (std::string words = behind_question_words(v); !words.empty()) return words;
  if (v.gpu.enlarged) return "The stage shows the GPU's charts, which this key does not turn.";
  if (is_locked(v.board, knob_of(knob))) return "It is locked until the question is answered.";
  return fmt::format("This picture has no {} to be turned. Estimate, {}, has GPU, method and mask.",
                     knob == WalkKnob::Mask      ? "mask"
                     : knob == WalkKnob::Machine ? "GPU"
                                                 : "method",
                     key_of("estimate"));
}

std::string why_not_poll(const S&, const V& v) {
  return v.present.on ? std::string("No question belongs to this stop, so that there is nothing to vote on.")
                      : fmt::format("{} shows a room the question alone while you present: {} begins.", keys_of("poll"),
                                    key_of("present"));
}

void blank(V& v, Blank to) { v.present.blank = v.present.blank == to ? Blank::None : to; }

void scale_audience(V& v, float by) {
  // Never below the sizes that a room can read.
  v.present.audience_scale = std::clamp(std::round(v.present.audience_scale * 10 + by) / 10, 1.0f, 1.5f);
  v.notice = fmt::format("The room's type: {:.0f} %.", v.present.audience_scale * 100);
}

void next_notes_size(V& v) {
  constexpr std::array kSizes{16.0f, 20.0f, 24.0f, 30.0f, 38.0f, 48.0f};
  const auto larger = std::ranges::find_if(kSizes, [&](float size) { return size > v.present.notes_size + 0.5f; });
  v.present.notes_size = larger == kSizes.end() ? kSizes.front() : *larger;
}

// Notes and answers come onto the projector only by a second press.
void swap_screens(V& v) {
  Presentation& p = v.present;
  if (p.screens == Screens::Two && !p.swapped && p.frozen) {
    v.notice = "The room's picture is frozen: F lifts it, then S shows your side there.";
    return;
  }
  if (p.screens == Screens::Two && !p.swapped && p.since_swap >= kSwapSeconds) {
    p.since_swap = 0;
    v.notice = "S once more shows the room your side, with notes and answers.";
    return;
  }
  p.since_swap = 1000;
  p.swapped = !p.swapped;
}

constexpr std::string_view kPresent = "Presenting";

const auto kPresentCommands = std::to_array<Command>({
    {"present", "Present the set list, or go on; else the lesson", kPresent, "F5", go_on_presenting, off, true},
    {"present-here", "Present from here", kPresent, "Shift+F5",
     [](S& s, V& v) { begin_presenting(s, v, false); }, off, true},
    {"present-anew", "Present from the first stop, the clock at zero", kPresent, "Ctrl+Shift+F5", present_anew,
     [](const S&, const V&) { return true; }, true},
    {"add-to-set", "Keep this place as a stop of the set list", kPresent, "Ctrl+D",
     [](S&, V& v) { v.wishes.add_to_set = true; }, [](const S&, const V&) { return true; }, true},
    {"present-end", "Stop presenting", kPresent, "Ctrl+F5",
     [](S& s, V& v) { end_presenting(s, v), v.present.room_stays = false; },
     [](const S&, const V& v) { return v.present.on || v.present.room_stays; }, true, Mode::Present},
    {"present-next", "Next beat, question or answer", kPresent, "Page Down or Space",
     present_next, on, false, Mode::Present},
    {"present-back", "Previous beat", kPresent, "Page Up", present_back, on, false, Mode::Present},
    {"present-restore", "Back to the stop, as it was prepared", kPresent, "Ctrl+Backspace", present_restore, on, false,
     Mode::Present},
    {"turn-mask", "Causal, or not: this walk at the same step, this board, these charts", kPresent, "C",
     turn<WalkKnob::Mask>, turns<WalkKnob::Mask>, false, Mode::Present, why_not_turn<WalkKnob::Mask>},
    {"turn-schedule", "This walk by the next schedule, this board's next method", kPresent, "V",
     turn<WalkKnob::Schedule>, turns<WalkKnob::Schedule>, false, Mode::Present, why_not_turn<WalkKnob::Schedule>},
    {"turn-machine", "This walk or board on the next machine, these charts of the other GPU", kPresent, "Y",
     turn<WalkKnob::Machine>, turns<WalkKnob::Machine>, false, Mode::Present, why_not_turn<WalkKnob::Machine>},
    {"clock-zero", "The talk's clock to zero", kPresent, "Ctrl+Shift+Backspace",
     [](S&, V& v) { v.present.elapsed = 0, v.present.stood_at.clear(); }, on, false, Mode::Present},
    {"countdown", "30 s go by in the room, and 30 s more", kPresent, "H", [](S&, V& v) { start_countdown(v); }, on,
     false, Mode::Present},
    {"hands", "Hands counted for each option", kPresent, "Ctrl+H", [](S&, V& v) { begin_hands(v); },
     on, false, Mode::Present, [](const S&, const V& v) { return why_no_hands(v); }},
    {"present-reveal", "Ask, then reveal the answer", kPresent, "Enter", present_reveal, on, false, Mode::Present},
    {"poll", "The question alone, to be voted on", kPresent, "Ctrl+P", present_poll,
     [](const S& s, const V& v) { return on(s, v) && asked_now(v).question && !slide_on_show(v); },
     false, Mode::Present,
     why_not_poll},
    {"present-black", "Black screen", kPresent, "B or .",
     [](S&, V& v) { blank(v, Blank::Black); }, on, true, Mode::Present},
    {"present-white", "White screen", kPresent, "W",
     [](S&, V& v) { blank(v, Blank::White); }, on, false, Mode::Present},
    {"present-freeze", "Freeze the room's picture", kPresent, "F",
     [](S&, V& v) {
       v.present.frozen = !v.present.frozen;
       if (v.present.frozen) v.present.countdown = 0;  // no number stands still on the wall
     }, on, false, Mode::Present},
    {"tool-normal", "No tool: the pointer acts on the stage", kPresent, "1",
     [](S&, V& v) { take_tool(v, Tool::Normal); }, on, false, Mode::Present},
    {"tool-pointer", "Pointer", kPresent, "2", [](S&, V& v) { take_tool(v, Tool::Pointer); }, on, false, Mode::Present},
    {"tool-pen", "Pen", kPresent, "3", [](S&, V& v) { take_tool(v, Tool::Pen); }, on, false, Mode::Present},
    {"tool-eraser", "Eraser", kPresent, "4", [](S&, V& v) { take_tool(v, Tool::Eraser); }, on, false, Mode::Present},
    {"tool-spotlight", "Spotlight", kPresent, "5",
     [](S&, V& v) { take_tool(v, Tool::Spotlight); }, on, false, Mode::Present},
    {"tool-larger", "Larger spotlight, stronger lens", kPresent, "+ or =",
     [](S&, V& v) { resize_tool(v, 1); }, on, false, Mode::Present},
    {"tool-smaller", "Smaller spotlight, weaker lens", kPresent, "-", [](S&, V& v) { resize_tool(v, -1); }, on, false,
     Mode::Present},
    {"pin-strokes", "Keep what the pen drew", kPresent, "K",
     [](S&, V& v) { pin_strokes(v); }, drawn, false, Mode::Present},
    {"present-lens", "Zoom lens", kPresent, "Z",
     [](S&, V& v) { turn_lens(v); }, on, false, Mode::Present},
    {"present-overview", "Overview of the beats", kPresent, "O",
     [](S&, V& v) { toggle_overview(v); }, on, false, Mode::Present},
    {"present-go-to", "Go to a lesson, a beat or a step", kPresent, "G",
     [](S&, V& v) { v.over = GoTo{}; begin_typing("field:go-to", v); }, on, false, Mode::Present},
    {"swap-screens", "Swap the screens; of one: your side of it, and back", kPresent, "S",
     [](S&, V& v) { swap_screens(v); }, on, false, Mode::Present},
    {"notes-size", "Size of the notes", kPresent, "N", [](S&, V& v) { next_notes_size(v); }, on, false, Mode::Present},
    {"note-write", "Write the note of this stop", kPresent, "Ctrl+N", [](S&, V& v) { begin_note(v); },
     [](const S&, const V& v) { return can_write_note(v); }, false, Mode::Present,
     [](const S&, const V& v) { return why_no_note(v); }},
    {"present-theme", "The room's theme: projector or dark", kPresent, "T",
     [](S&, V& v) { v.present.theme = v.present.theme == Theme::Dark ? Theme::Projector : Theme::Dark; }, on, false,
     Mode::Present},
    {"audience-larger", "Larger type in the room", kPresent, "Ctrl+Shift++ or Ctrl+Shift+=",
     [](S&, V& v) { scale_audience(v, 1); }, on, false, Mode::Present},
    {"audience-smaller", "Smaller type in the room", kPresent, "Ctrl+Shift+-",
     [](S&, V& v) { scale_audience(v, -1); }, on, false, Mode::Present},
    {"rehearse", "As a bright room leaves the picture", kPresent, "Ctrl+Shift+W",
     [](S&, V& v) { v.present.rehearsal = !v.present.rehearsal; }, on, false, Mode::Present},
    {"present-escape", "Undo one: tool, black, frozen; twice: stop", kPresent, "Esc", present_escape,
     on, false, Mode::Present},
});

}  // namespace

std::span<const Command> present_commands() { return kPresentCommands; }

}  // namespace tilewalk
