// A presentation as plain data: whether one goes on, what the room sees of it, which tool is in the hand, where in the
// set list one stands, and the time. app/session/present_moves.h changes it; the window only shows it.
//
// Places are in the picture that the room sees, 0..1 across and down, so that they mean the same on every screen.
// Lengths are in pixels of a picture of 1080 lines.
#pragma once

#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/state/set_list.h"
#include "core/lesson/progress.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk {

enum class Tool : uint8_t { Normal, Pointer, Pen, Eraser, Spotlight };
enum class Blank : uint8_t { None, Black, White };
// Where the room's picture is: on a screen of its own, or on the only one, whose window is the room's then.
enum class Screens : uint8_t { One, Two };

struct PenStroke {
  std::vector<Vec2> points;
  bool pinned = false;  // stays when the stage goes on
};

constexpr float kLeastLens = 1.5f, kMostLens = 4, kLeastSpot = 60, kMostSpot = 520;
constexpr float kStopSeconds = 1;     // two presses of Esc that undo nothing end the presentation within it
constexpr float kPointerSeconds = 2;  // after which a mouse, a pen or an eraser that rests is hidden

constexpr float kSwapSeconds = 5;    // within which a second S puts the speaker's side before the room
constexpr float kNoticeSeconds = 4;  // that a sentence stays at the foot of the only screen

// Pictures of the stops, for the overview; they come one after the other while it is open. By the card's id.
using StopPictures = std::map<std::string, Scene>;

// Where a stop of the set list has led: a beat of a lesson, else a board, else a walk.
struct StopPlace {
  std::string lesson, board;
  int beat = -1;  // no stop was opened yet
  bool operator==(const StopPlace&) const = default;
};

// Of a set list the place of the stop, without one a lesson and its beat.
using StopKey = std::pair<std::string, int>;
struct KeptStop;  // app/session/kept_stops.h
struct StoodOn;   // app/session/turn_walk.cpp

// To a stop out of turn, and from which one: app/session/jumps.h
struct Jump {
  StopKey from, to;
};

// One press of the way through a stop: its picture, a question, an answer, the picture with the answer.
struct WayPoint {
  std::shared_ptr<const KeptStop> kept;  // as it was when one came to it
  bool turned = false;                   // something of the stop was not as it was prepared
  std::shared_ptr<const KeptStop> left;  // as it was left; null while one has not pressed anything there
  bool turned_back = false;              // something was turned since, which does not come back
  bool lost = false;                     // and the pen drew over it
};

struct StopWay {
  std::vector<WayPoint> points;
  bool ahead = false;  // Page Up led out of it
};

// The picture of a slide, kept for when its stop comes back.
struct ShelvedPicture {
  std::string file, changed;  // when the file was
  std::shared_ptr<const Pixels> pixels;
};

struct LearnersOwn;  // what a presentation leaves as it was: app/session/present_moves.cpp

// What "Begin again" keeps.
struct LastingNotes {
  std::map<std::string, std::string> own_notes;     // of the speaker's own; see app/session/speaker_notes.h
  bool notes_changed = false;                       // since they were written to their file
  std::map<std::string, std::string> unkept_notes;  // that their set list could not take, by their stop's link
};

struct Presentation : LastingNotes {
  bool on = false;
  Screens screens = Screens::One;  // the window says which
  bool room_stays = false;         // who left the talk left the room's window its last picture
  bool swapped = false;  // the room's picture and the presenter's view have changed places; on the only screen: the
                         // window is the presenter's
  bool first_escape_ends = false;  // on the only screen, as the window says
  bool frozen = false;  // the room keeps the picture that it has, tools and all; only black and white lie over it
  Blank blank = Blank::None;
  Tool tool = Tool::Normal;
  float spot = 180;  // radius of the spotlight
  bool lens = false;
  float lens_zoom = 2;
  Vec2 at{0.5f, 0.5f};        // what tool and lens point at
  bool pointing = false;      // the pointer is on the picture
  bool drawing = false;       // the button is held with pen or eraser
  bool over_picture = false;  // the pointer has come onto it, beside its knobs, since Tab was pressed last
  std::vector<PenStroke> strokes;

  Theme theme = Theme::Projector;  // of the room's picture
  float audience_scale = 1;        // of its type; never below 1
  bool rehearsal = false;          // the picture as a bright room and a soft projector leave it
  float notes_size = 24;           // design pixels, 16 .. 48
  bool overview = false;
  int overview_at = 0;     // the card that was chosen, from 0; read by chosen_card of app/session/overview.h
  int overview_typed = 0;  // the digits so far of the number of a card
  std::shared_ptr<const StopPictures> pictures;
  std::string next_id;  // the card of the stop after this one, and its picture for the one who talks
  std::shared_ptr<const Scene> next_picture;
  bool question = false;   // the room sees the question on show in place of the stage
  bool joining = false;    // the room sees how a class is joined
  std::string stop_added;  // what was said when a stop was added last: Ctrl+Z takes it back as long as it is said
  bool knobs = false;      // on the only screen: the stop's knobs lie over the picture's foot

  std::string note_text;     // the one that is being written
  std::string stop_text;     // the title or note of the stop that is chosen in the overview, as it is being written
  std::string words_link;    // of that note, or of these, the stop's own
  std::string words_before;  // of that note, or of these, what stood there when its field was opened
  bool slide_begun = false;  // the stop whose title is being written is a slide that came with that

  SetList set;
  std::vector<std::string> set_before;  // its file's text before each change that can be taken back
  bool begun = false;                   // a talk of this set list was, so that F5 goes on with it
  int place = 0;                        // in the set list, from 0: the stop that was opened last
  StopPlace landed;                     // where that led; elsewhere one is off the list: app/session/set_stops.h
  std::string slide;  // the stop's own, as it is written; read by slide_on_show of app/session/set_stops.h
  std::shared_ptr<const Pixels> slide_pixels;  // its picture; null where it has none, or none that can be shown
  std::vector<ShelvedPicture> shelf;           // pictures of slides that were shown last, the last one in front
  StopPlace under;                             // what is on the stage below it
  bool tool_is_stop = false;  // a tool was asked for that the stop is: Esc, meant to leave it, leaves nothing
  bool elsewhere = false;     // the stage was taken for something else, which has no place of its own
  std::shared_ptr<const StoodOn> stood;           // the event of a walk that is being turned
  std::shared_ptr<const KeptStop> as_left;        // the stop before the last key or press on it, turned or not
  bool turned = false;                            // a knob of the stop was turned
  std::map<StopKey, StopWay> ways;                // over each stop, so far: app/session/stop_way.h
  std::optional<Jump> jump;                       // the last one
  std::map<StopKey, double> stood_at;             // seconds at each stop, all visits together
  double countdown = 0;                           // seconds that the room still sees go by; 0: none
  StopKey counts_at;                              // at which stop
  std::map<std::string, std::vector<int>> hands;  // that went up, by question: app/session/hand_counts.h
  std::string hands_text;                         // as they are being typed
  double elapsed = 0;  // seconds since the beginning; who leaves for a while does not stop the clock
  float since_escape = 1000, since_swap = 1000, since_pointer = 1000, since_notice = 1000;  // seconds
  float since_restore = 1000;                                                               // of the stop as prepared
  std::string noticed;  // the notice that the last is counted from
  std::string clock;    // "14:05"; the window tells it
  std::string trouble;  // with screens: one sentence for the presenter
  std::shared_ptr<const LearnersOwn> kept;

  bool presenters_window() const { return screens == Screens::Two || swapped; }  // else the window is the room's
};

}  // namespace tilewalk
