// Q, K and V of the user's own: the list of files, opening them, and choosing among the heads they hold. Every failure
// is a sentence that is returned; the walk on show stays.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// Fills the list with the folders and the .npy and .safetensors files of `folder`.
void list_folder(Picker& picker, const std::filesystem::path& folder);
void open_picker(ViewState& view);
// Enters the folder or opens the file of that row.
void pick(Session& session, ViewState& view, size_t row);

// Opens the first group that fits together, unless one is asked for. Empty when it went well.
std::string open_files(Session& session, ViewState& view, const std::vector<std::filesystem::path>& files,
                       int group = -1, int head = 0);

// Another group or head of the files that are open.
std::string open_head(Session& session, ViewState& view, int group, int head);

// The trained head that comes with the program: at the row and step where its running max jumps.
std::string open_real_head(Session& session, ViewState& view);
std::optional<std::filesystem::path> real_head_file();  // beside the program, or above it in the source tree
bool on_real_head(const Session& session, const ViewState& view);

}  // namespace tilewalk
