// A speaker's own notes. Of a stop of the set list the note stands in the list's own line; of a lesson's beat it takes
// the place of the note that the lesson comes with and is kept in a file of the speaker's, never in the lesson's.
#pragma once

#include "app/state/view_state.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace tilewalk {

// What the presenter's view shows now, as prose: the note of the set list's stop, which off the list is not shown, and
// the beat's. Empty where there is none.
struct ShownNotes {
  std::string stop, beat;
};
ShownNotes notes_on_show(const ViewState& view);

// Writing: what there is to begin with; Enter keeps it. A text that is empty gives the lesson's own note back. The
// sentence says why a set list could not be written: then what was typed is still there.
bool can_write_note(const ViewState& view);
std::string why_no_note(const ViewState& view);        // one sentence where it cannot
std::string stop_left_of_note(const ViewState& view);  // "stop 3" where its stop is not on show: a tool lies over it
void begin_note(ViewState& view);
std::string keep_note(ViewState& view);
// For who goes on while one is being written: keeps it as Enter does and closes its field. What could not be kept waits
// for the next who writes at its stop; the sentence says so, and is empty else.
std::string leave_note(ViewState& view);

// The file of all own notes, JSON. One that cannot be read is set aside and said in `notice`; one that is not there
// holds none.
using Notes = std::map<std::string, std::string>;
struct OwnNotes {
  Notes notes;
  std::string notice;
  bool blocked = false;  // the file is no good and could not be set aside: nothing may be written over it
};
OwnNotes load_notes(const std::filesystem::path& file, std::string_view suffix);

// What changed here since both were `known`, put over what is in the file by now, under the lock of its folder: another
// window's notes stay. What the file holds then; the notice is about one that was damaged. IoError: nothing was
// written.
constexpr double kNotesPatience = 0.04;  // seconds that a picture may wait for another window to have written
OwnNotes keep_notes(const std::filesystem::path& file, const Notes& known, const Notes& ours, std::string_view suffix,
                    double patience = kNotesPatience);

}  // namespace tilewalk
