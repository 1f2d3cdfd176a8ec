// The set list as its file is now: a text editor may have written it since it was read. It is read again wherever it is
// used: when a talk begins, when the overview is opened, before anything is written into it.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <filesystem>
#include <string>

namespace tilewalk {

// Another list in place of the one that is open: one stands at the stop where one stood, and the chosen card and the
// stops as they were left go along. Where that stop is gone or leads elsewhere one is off the list, before the stop
// that has come in its place.
void take_set(ViewState& view, SetList set);

// True where the file was another one. What was changed before cannot be taken back then. A file that cannot be read,
// or that holds no stop for now, leaves the list as it is.
bool reread_set(ViewState& view);

// Opens a set list, or says in the returned sentence what is wrong with it; what can be used of it is used.
std::string use_set_list(Session& session, ViewState& view, const std::filesystem::path& file);

}  // namespace tilewalk
