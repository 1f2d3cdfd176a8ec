// Reading and changing the file of a set list (app/state/set_list.h).
#pragma once

#include "app/state/set_list.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

SetList read_set_list(std::string_view text, const std::filesystem::path& file);
// The file's; where it cannot be read, one fault says why and there are no items.
SetList open_set_list(const std::filesystem::path& file);
std::vector<std::string> faults_of(const SetList& list);  // "talk.set line 3: ..."
std::string fault_words(const SetList& list);             // all that is wrong with it; empty where nothing is
// A stop that is a slide.
struct Slide {
  std::string title;    // may be missing where there is a picture
  std::string picture;  // as it is written; empty: there is none. What is read of it: app/session/slide_picture.h
  std::vector<std::string> lines;
  std::string name() const;  // for who talks: the title, else the picture's: "setup", "deck.pdf, page 3"
};
bool is_slide(std::string_view stop);
std::string line_of(const Slide& slide);
Slide slide_of(std::string_view stop);
// What is wrong with it as it is written, behind "talk.set line 3: "; empty where nothing is.
std::string slide_fault(std::string_view stop);

// "deck.pdf" and "deck.pdf#7": the file and its page, from 1 on; page 0: the name is not one of a PDF, -1: its page is
// no number from 1 to 9,999.
struct PdfPlace {
  std::string_view file;
  int page = 0;
};
PdfPlace pdf_place(std::string_view name);
// By its ending: PNG, JPEG, or a page of a PDF.
bool names_picture(std::string_view name);

bool is_set_list(const std::filesystem::path& file);  // by its name: *.tilewalk or *.set

// "[4 min]" at the beginning of a note, or nothing; what is behind it; and other words behind the time that it has, or
// with one of their own.
std::string_view time_in(std::string_view note);
std::string_view words_of_note(std::string_view note);
std::string with_time_of(std::string_view note, std::string words);

std::string line_of(const SetItem& item);  // as a list's file has it
// The text with another line for the item; nothing where that line is not the item's any more.
std::optional<std::string> with_line(std::string_view text, const SetItem& item, std::string_view line);
// The text with another note on the item's line; nothing where that line is not the item's link any more.
std::optional<std::string> with_note(std::string_view text, const SetItem& item, std::string_view note);

// The file's text with one line more.
std::string with_item(std::string_view text, std::string_view link, std::string_view note);

}  // namespace tilewalk
