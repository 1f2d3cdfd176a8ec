// What the program asks of the page that it runs in: page/page.js does it.
#pragma once

#include <string>

namespace tilewalk {

void page_copy(const std::string& text);  // to the clipboard
void page_link(const std::string& link);  // "tilewalk://...", where one is, into the page's address
void page_icon(const std::string& svg);
void page_pointer(int shape);                   // a PointerShape, or 3: hidden
void page_full_screen();                        // in, or out
void page_awake(bool on);                       // no screen saver meanwhile
void page_hand_out(const std::string& folder);  // the files in it, as downloads

}  // namespace tilewalk
