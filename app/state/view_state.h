// Everything about the window that is not the model: playhead, hover, selection, theme, what is open. Plain data; one
// playhead, one hover and one selection for the whole program.
#pragma once

#include "app/gpu/gpu_view.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/state/board_history.h"
#include "app/state/board_state.h"
#include "app/state/class_view.h"
#include "app/state/export_choices.h"
#include "app/state/lesson_view.h"
#include "app/state/overlay.h"
#include "app/state/presentation.h"
#include "app/state/source_view.h"
#include "app/state/write_view.h"
#include "core/playback/units.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk {

// The list of files from which a person picks inputs.
struct Picker {
  struct Row {
    bool folder;
    std::string title, note;  // "layers.safetensors", "198 KB"
    std::filesystem::path path;
  };
  std::filesystem::path folder;
  std::vector<Row> rows;
  int top = 0, shown = 12;  // first row on screen, and how many there are room for
  std::string fault;        // why the last pick did not open
};

// What a person asked for that is not of the session: carried out once, after the frame, by the window.
struct Wishes {
  bool quit = false, full_screen = false, add_to_set = false, export_progress = false;
  bool export_svg = false, export_png = false, export_csv = false;  // of what is on the stage
  std::string copy;                                                 // to the clipboard
  bool diagnostics = false;                                         // likewise, together with the log
  bool pick_files = false;                                          // by the machine's own list, where it has one
  bool save_program = false, paste = false;                         // of Write: to its file; what is on the clipboard
  bool class_summary = false;                                       // of a class that is over, as a file
  bool take_along = false;                                          // all that is kept, as one file
  std::filesystem::path bring;                                      // such a file, to be taken in
};

// What the about box says of this machine; the window tells it.
struct AboutFacts {
  std::string renderer;                                     // of OpenGL, with its version
  std::vector<std::pair<std::string, std::string>> places;  // "Settings" and a path
};

// What a tool took the place of on the stage; see app/session/tools.h.
struct StageBefore {
  LessonView lesson;
  BoardState board;
  Tab tab = Tab::Explain;
  bool column = true, charts = false;  // ViewState::column_open, GpuView::enlarged
  std::string selection;
  std::vector<PenStroke> strokes;  // that were drawn there before a room
};

// What a run of the program left behind that did not come to its end; offered once, at the next start.
struct LeftOver {
  std::string link;              // where it was; may be empty
  std::vector<std::string> log;  // the last lines of its log
};

// What "Begin again" keeps of the view: what was told of the machine, and where the pointer is. What lasts of the
// lessons, of presenting and of the GPU is a base of theirs likewise: keep_lasting() in commands.cpp takes each as a
// whole, so that a member that is to last needs its place here and nothing else.
struct LastingView {
  float monitor_scale = 1;  // pixels of the monitor for one design pixel at 100 %
  bool reduced_motion = false;
  Vec2 pointer;
  AboutFacts about_facts;
};

constexpr float kTipDelay = 0.4f, kDoubleClick = 0.4f;  // seconds

struct ViewState : LastingView {
  // The playhead: steps taken. `from` is where the unit on show began; `phase` is how far its animation has come, 0..1.
  int64_t playhead = 0;
  int64_t from = 0;
  float phase = 1;
  bool playing = false;
  int64_t play_to = -1;  // where playing stops by itself; -1 is the end
  float speed = 1;       // 0.1 .. 8
  // Seconds that the unit on show has been on show, and seconds since a step key; advance() counts both.
  float shown_for = 1000, since_step = 1000;

  // Ids as in Region::id: "tile:K/2", "row:5", "line:4", "marker:12". Empty is none.
  std::string hover;
  std::string selection;
  std::string focus;        // of the keyboard
  bool focus_ring = false;  // the keyboard moved the focus last: show where it is
  bool pointed = false;     // J or K moved the hover last: show what it is on
  float hover_for = 0;      // seconds; a tooltip shows after kTipDelay, and none while it is negative
  std::string clicked;      // region of the last press, and seconds since; twice quickly opens what can be typed into
  float since_click = 1000;
  std::string held;  // region under the pressed button: a scrubber being dragged
  int64_t row = 0;   // the query row that is followed, from 0 over the whole of Q

  Theme theme = Theme::Light;
  float scale = 1;        // wanted by the user, 0.75 .. 3
  bool rail_open = true;  // wanted; a narrow window shows it as an overlay
  bool column_open = true;
  // Where the window is narrow for its scale these two lie over the stage, and are open only when asked for.
  bool rail_floats = false, column_floats = false;
  bool rail_over = false, column_over = false;
  Tab tab = Tab::Explain;
  int page = 0;  // of a tab that is cut into pages because the window is low
  SourceView source;
  WriteView write;                                       // the program that is written, and whether it is on show
  LessonView lesson;                                     // which lesson, which beat, what was answered
  BoardState board;                                      // what is set on the board, where one is on the stage
  std::shared_ptr<const StageBefore> before_tool;        // null: no tool is open
  std::map<std::string, BoardState, std::less<>> tools;  // as they were left, by board
  BoardHistory board_history;                            // and what was before

  Overlay over;
  std::string go_to_text;  // stays for the next time
  // Text being typed into the problem's fields and the sentence under a field that was refused, by Fault::field.
  std::map<std::string, std::string> typed, refused;
  std::string editing;                      // id of the region that is being typed into: "field:n_q", "cell:K/5/3"
  bool typing_begun = false;                // with a first character: what comes goes behind it
  std::optional<std::string> typed_before;  // its entry in `typed` when that began, for Escape
  std::string notice;                       // last message, for the status line
  bool coach = false;                       // the first start: one line says how to go on, until somebody does
  // Files of the user's that are open, the groups of Q, K, V in them ("layer0"), the heads of the chosen group, and
  // which of them are walked. Empty without one.
  std::vector<std::filesystem::path> files;
  std::vector<std::string> file_groups;
  int file_group = 0, file_heads = 0, file_head = 0;
  Picker picker;
  ExportDialog exporting;
  Presentation present;  // presenting or not, and what the room sees
  GpuView gpu;           // what the GPU tab shows; kept up to date by the window
  Wishes wishes;
  LeftOver left_over;
  ClassView classroom;
};

// Which overlay is there: is_open<Menu>(view).
template <class Kind>
bool is_open(const ViewState& view) {
  return std::holds_alternative<Kind>(view.over);
}

}  // namespace tilewalk
