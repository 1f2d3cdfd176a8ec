// What the program asks of the page that it runs in: page/page.js does it.
#pragma once

#include "app/scene/scene.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewalk {

void page_copy(const std::string& text);  // to the clipboard
void page_link(const std::string& link);  // "tilewalk://...", where one is, into the page's address
void page_icon(const std::string& svg);
void page_pointer(int shape);  // a PointerShape, or 3: hidden
void page_pick_files();        // the browser's list; what is chosen comes as dropped
// The page's own field, over the one on the canvas.
void page_type_here(bool on, Rect where, const std::string& name);
void page_full_screen();   // in, or out
void page_awake(bool on);  // no screen saver meanwhile
// A second window with the room's picture; false where the browser lets none open. Pixels: RGBA, rows from the top.
bool page_open_room(bool swapped);
void page_close_room();
void page_show_room(const uint8_t* pixels, int width, int height);
void page_hand_out(const std::string& folder);  // the files in it, as downloads

// The class that this tab is in, for when it is loaded anew; empty: none any more.
void page_class(const std::string& invitation, const std::string& seat);
// The WebSocket of page/class.js. What has come is taken one after the other, '>' opened, '<' ended, ':' and a line;
// empty: nothing more.
void page_wire_open(const std::string& address);
void page_wire_close();
void page_wire_send(const std::string& line);
std::string page_wire_take();

std::string page_bring(std::string_view path);  // a data file that is not part of the program; empty: it cannot be had

}  // namespace tilewalk
