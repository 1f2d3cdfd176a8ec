#include "app/shell/web/page.h"

#include <emscripten.h>

#include <cstdlib>

// clang-format off
EM_JS(void, tw_page_copy, (const char* text), { Module.page.copy(UTF8ToString(text)); })
EM_JS(void, tw_page_link, (const char* link), { Module.page.link(UTF8ToString(link)); })
EM_JS(void, tw_page_icon, (const char* svg), { Module.page.icon(UTF8ToString(svg)); })
EM_JS(void, tw_page_pointer, (int shape), { Module.page.pointer(shape); })
EM_JS(void, tw_page_pick_files, (), { Module.page.pickFiles(); })
EM_JS(void, tw_page_type_here, (int on, double x, double y, double width, double height, const char* name), {
  Module.page.typeHere(on !== 0, x, y, width, height, UTF8ToString(name));
})
EM_JS(void, tw_page_full_screen, (), { Module.page.fullScreen(); })
EM_JS(void, tw_page_awake, (int on), { Module.page.awake(on !== 0); })
EM_JS(int, tw_page_open_room, (int swapped), { return Module.page.openRoom(swapped !== 0) ? 1 : 0; })
EM_JS(void, tw_page_close_room, (), { Module.page.closeRoom(); })
EM_JS(void, tw_page_show_room, (const uint8_t* pixels, int width, int height), {
  Module.page.showRoom(HEAPU8.subarray(pixels, pixels + 4 * width * height), width, height);
})
EM_JS(void, tw_page_hand_out, (const char* folder), {
  const place = UTF8ToString(folder);
  for (const name of FS.readdir(place)) {
    const path = place + '/' + name;
    if (!FS.isFile(FS.stat(path).mode)) continue;
    Module.page.handOut(name, FS.readFile(path));
    FS.unlink(path);
  }
})
// How many bytes the file has, and then they.
EM_JS(size_t, tw_page_bring, (const char* path), {
  Module.brought = Module.page.bring(UTF8ToString(path));
  return Module.brought.length;
})
EM_JS(void, tw_page_brought, (char* at), {
  HEAPU8.set(Module.brought, at);
  Module.brought = null;
})
EM_JS(void, tw_page_class, (const char* invitation, const char* seat), {
  Module.page.keepClass(UTF8ToString(invitation), UTF8ToString(seat));
})
EM_JS(void, tw_page_wire_open, (const char* address), { Module.page.wire.open(UTF8ToString(address)); })
EM_JS(void, tw_page_wire_close, (), { Module.page.wire.close(); })
EM_JS(void, tw_page_wire_send, (const char* line), { Module.page.wire.send(UTF8ToString(line)); })
// To be freed; null: nothing.
EM_JS(char*, tw_page_wire_take, (), {
  const heard = Module.page.wire.heard.shift();
  return heard === undefined ? 0 : stringToNewUTF8(heard);
})
// clang-format on

namespace tilewalk {

void page_copy(const std::string& text) { tw_page_copy(text.c_str()); }
void page_link(const std::string& link) { tw_page_link(link.c_str()); }
void page_icon(const std::string& svg) { tw_page_icon(svg.c_str()); }
void page_pointer(int shape) { tw_page_pointer(shape); }
void page_pick_files() { tw_page_pick_files(); }
void page_type_here(bool on, Rect r, const std::string& name) {
  tw_page_type_here(on ? 1 : 0, double(r.x), double(r.y), double(r.w), double(r.h), name.c_str());
}
void page_full_screen() { tw_page_full_screen(); }
void page_awake(bool on) { tw_page_awake(on ? 1 : 0); }
bool page_open_room(bool swapped) { return tw_page_open_room(swapped ? 1 : 0) != 0; }
void page_close_room() { tw_page_close_room(); }
void page_show_room(const uint8_t* pixels, int width, int height) { tw_page_show_room(pixels, width, height); }
void page_hand_out(const std::string& folder) { tw_page_hand_out(folder.c_str()); }

void page_class(const std::string& invitation, const std::string& seat) {
  tw_page_class(invitation.c_str(), seat.c_str());
}
void page_wire_open(const std::string& address) { tw_page_wire_open(address.c_str()); }
void page_wire_close() { tw_page_wire_close(); }
void page_wire_send(const std::string& line) { tw_page_wire_send(line.c_str()); }
std::string page_wire_take() {
  char* heard = tw_page_wire_take();
  if (!heard) return {};
  std::string out(heard);
  std::free(heard);
  return out;
}

std::string page_bring(std::string_view path) {
  std::string out(tw_page_bring(std::string(path).c_str()), '\0');
  tw_page_brought(out.data());
  return out;
}

}  // namespace tilewalk
