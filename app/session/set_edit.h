// A set list edited where its cards are, in the overview: a stop earlier or later, twice, away, its title and its note
// written, slides of files that are dropped, and back again. Every change is written to the list's file at once; its
// comments stay where they are.
#pragma once

#include "app/state/view_state.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

enum class SetEdit : uint8_t { Earlier, Later, Twice, Away };

// The text after that was done to the stop at `place`, from 0; nothing where the text is not that of the list any more,
// or where there is no such place.
std::optional<std::string> edited_set(std::string_view text, const SetList& set, int place, SetEdit edit);

// To the card that is chosen in the overview; it stays chosen. The sentence says what was done or why not.
std::string edit_set(ViewState& view, SetEdit edit);

// The title and the note of that card: typed in the overview's field, "field:stop-title" or "field:stop-note".
void begin_stop_words(ViewState& view, bool title);
// Keeps what was typed; no title means the one of what the stop leads to, and of a slide it is its whole line
// (app/session/typed_slide.h). The sentence says why not; the field stays open then.
std::string keep_stop_words(ViewState& view);

// What was typed is left; a slide that was begun with its title is taken out again.
void leave_stop_words(ViewState& view);
// The line of the stop at `place`, from 0, as the file is to have it; Ctrl+Z takes it back. The sentence says why not.
std::string write_stop(ViewState& view, int place, const SetItem& stop);

// Pictures and PDFs that lie beside the list, or in a folder there, become slides of it, in this order: behind the stop
// that is chosen in the overview, else behind the last. False: nothing was added; the words say why.
struct SlidesAdded {
  bool added = false;
  std::string words;
};
SlidesAdded add_slides(ViewState& view, std::span<const std::filesystem::path> files);

// A stop of that link behind the one at which the talk is; Ctrl+Z takes it back as long as that was said last.
std::string add_stop_behind(ViewState& view, std::string_view link);
bool undo_added_stop(ViewState& view);

// A slide of its own behind that card, its title open to be typed.
std::string add_title_slide(ViewState& view);

std::string undo_set_edit(ViewState& view);

}  // namespace tilewalk
