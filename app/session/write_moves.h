// Write: opening it, typing into it, and what comes of what is typed. Each change of the text is read, judged, metered
// and put on the stage where it can be walked; otherwise the last good program stays there.
#pragma once

#include "app/scene/scene.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

constexpr int kHints = 3;                                     // of a puzzle
inline constexpr std::string_view kWriteText = "write:text";  // the region that takes the keys

bool write_on_show(const ViewState& view);  // nothing else has the stage
void open_write(Session& session, ViewState& view);
void leave_write(ViewState& view);
void look_at_puzzles(ViewState& view);  // the list of programs is open: the keys go to the first that is not solved

// Begins from a shipped text by its key, or from nothing, "". What was written can be undone to.
void begin_program(Session& session, ViewState& view, std::string_view key);
std::string_view shipped_program(std::string_view key);  // its text; empty where there is none
std::span<const std::string_view> shipped_programs();    // keys
// A text from elsewhere, as it may stand here: valid UTF-8 without tabs and carriage returns.
std::string clean_program(std::string_view foreign);
void take_program(Session& session, ViewState& view, std::string_view text);
void begin_puzzle(Session& session, ViewState& view, std::shared_ptr<const Puzzle> puzzle);
bool begin_puzzle_named(Session& session, ViewState& view, std::string_view id);  // false: there is none
void back_to_own_text(Session& session, ViewState& view);                         // from a puzzle; what it was is kept
void next_hint(ViewState& view);

// "*.walk" or "*.puzzle". The sentence says why it was not opened; empty otherwise.
bool is_program_file(const std::filesystem::path& path);
std::string open_program(Session& session, ViewState& view, const std::filesystem::path& path);

// Reads, judges and puts on the stage what is written; nothing where that was done already. With `anew` also then.
void run_written(Session& session, ViewState& view, bool anew = false);
void meter_written(const Session& session, ViewState& view);  // where the problem or the program is another one now

bool typing_in_program(const ViewState& view);
bool program_key(const KeyPress& press, Session& session, ViewState& view);
// On a line of its own behind the caret's, as deep as that; what begins with "..." behind the loop of the caret's line.
// Closes the list of statements.
inline constexpr std::string_view kGoesOn = "...";
bool in_loop_head(const ViewState& view);
void type_statement(Session& session, ViewState& view, std::string_view typed);
void paste_into_program(Session& session, ViewState& view, std::string_view words);
void keep_caret_on_show(ViewState& view);
// A press on a line of the text, or a move over it while it is held; or a press on what is said of a line, which leads
// there. `at` is in the scene.
bool point_in_program(std::string_view id, Vec2 at, const Scene& scene, ViewState& view, bool dragged);
// While one types: a press above or below the text on what takes no keys, or on the next hint, leaves them with it.
bool keeps_typing(const Region* under, Vec2 at, const Scene& scene, const ViewState& view);
bool turn_program(float notches, const Scene& scene, ViewState& view);
// As it can be shown; `at`: the line that the walk is at, from 1, which is followed once a step was taken; 0: none.
size_t top_line(const ViewState& view, int at = 0);

// One sentence on what is written, and the line that it is about, from 1; 0: none.
struct WrittenSays {
  enum class Tone : uint8_t { Good, Fault, Plain } tone = Tone::Plain;
  int line = 0;
  std::string words;
};
WrittenSays written_says(const ViewState& view);
// What is wrong in a line, from 0.
struct LineFault {
  std::string words;
  int column = 0;  // from 1; 0: the line as a whole
};
std::optional<LineFault> fault_of_line(const ViewState& view, size_t line);
// Whether a line stands there with its glyphs: as it was typed stand the caret's while one types, what is selected, and
// one with a fault, whose column is of what was typed.
bool is_shown_with_glyphs(const ViewState& view, size_t line);
bool is_written_saved(const ViewState& view);
std::string written_name(const ViewState& view);  // "fa2.walk", "my.walk", the puzzle's title

}  // namespace tilewalk
