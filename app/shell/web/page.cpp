#include "app/shell/web/page.h"

#include <emscripten.h>

// clang-format off
EM_JS(void, tw_page_copy, (const char* text), { Module.page.copy(UTF8ToString(text)); })
EM_JS(void, tw_page_link, (const char* link), { Module.page.link(UTF8ToString(link)); })
EM_JS(void, tw_page_icon, (const char* svg), { Module.page.icon(UTF8ToString(svg)); })
EM_JS(void, tw_page_pointer, (int shape), { Module.page.pointer(shape); })
EM_JS(void, tw_page_full_screen, (), { Module.page.fullScreen(); })
EM_JS(void, tw_page_awake, (int on), { Module.page.awake(on !== 0); })
EM_JS(void, tw_page_hand_out, (const char* folder), {
  const place = UTF8ToString(folder);
  for (const name of FS.readdir(place)) {
    const path = place + '/' + name;
    if (!FS.isFile(FS.stat(path).mode)) continue;
    Module.page.handOut(name, FS.readFile(path));
    FS.unlink(path);
  }
})
// clang-format on

namespace tilewalk {

void page_copy(const std::string& text) { tw_page_copy(text.c_str()); }
void page_link(const std::string& link) { tw_page_link(link.c_str()); }
void page_icon(const std::string& svg) { tw_page_icon(svg.c_str()); }
void page_pointer(int shape) { tw_page_pointer(shape); }
void page_full_screen() { tw_page_full_screen(); }
void page_awake(bool on) { tw_page_awake(on ? 1 : 0); }
void page_hand_out(const std::string& folder) { tw_page_hand_out(folder.c_str()); }

}  // namespace tilewalk
