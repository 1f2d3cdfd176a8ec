// Whatever is given to the program to open: on the command line, by the desktop, or dropped on the window.
//   a link                     goes there (app/session/link_moves.h), also when a small file holds it on its first line
//   *.run.json, *.json         a recorded run: shown on the GPU tab, once the desk has read it (GpuView::Wishes::open)
//   *.set, *.tilewalk          a set list (app/session/set_list.h)
//   *.png, *.jpg, *.pdf        a slide of the set list that is open (app/session/set_edit.h)
//   *.kept                     what was kept elsewhere, taken in beside what is kept here (app/window/kept_together.h)
//   *.walk, *.puzzle           a program, a puzzle: opened in Write (app/session/write_moves.h)
//   *.npy, *.safetensors       Q, K and V of one's own (app/session/open_file.h)
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <filesystem>
#include <vector>

namespace tilewalk {

// What there is to say about it is in view.notice afterwards. False: it could not be opened, and all is as it was.
bool open_any(Session& session, ViewState& view, const std::vector<std::filesystem::path>& given);

}  // namespace tilewalk
