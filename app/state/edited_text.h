// A text that is typed into: lines, a caret, what is selected, and every change that was made to it, so that all of
// them can be undone. Knows no screen; positions are bytes, always at the beginning of a character.
#pragma once

#include "app/state/keys.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct EditedText {
  std::string text;
  size_t caret = 0, anchor = 0;  // what lies between them is selected
  size_t most_bytes = size_t{64} << 10;

  struct Change {
    size_t at = 0;
    std::string removed, inserted;
    size_t caret = 0;  // before it
  };
  std::vector<Change> undone_by, redone_by;  // the newest last
  bool joins = false;                        // the next character that is typed belongs to the newest change
};

struct TextPlace {
  size_t line = 0, column = 0;  // from 0; the column in characters
};

// Puts words in place of what is selected; what would be too long for the text is left out. False: nothing changed.
bool type_words(EditedText& text, std::string_view words);
// Typing, deleting and moving, as every text field has it; Enter keeps the indentation, two blanks more behind ":".
// `page` is how many lines Page Up and Down go. False: the key means nothing to a text.
bool text_key(EditedText& text, const KeyPress& press, size_t page = 10);
// The caret's line, or those that are selected, two blanks deeper or less deep.
void indent(EditedText& text, bool less);
void select_all(EditedText& text);
void replace_all(EditedText& text, std::string_view words);  // as one change
bool undo(EditedText& text);
bool redo(EditedText& text);

std::vector<std::string_view> lines_of(const EditedText& text);
TextPlace text_place(std::string_view text, size_t at);
size_t at_place(std::string_view text, TextPlace place);  // the nearest that there is
void put_caret(EditedText& text, TextPlace place, bool selects);
std::string_view selected(const EditedText& text);
size_t characters(std::string_view text);

}  // namespace tilewalk
