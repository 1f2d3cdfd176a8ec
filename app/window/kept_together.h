// All that is kept, as one file to be taken along: progress, notes, settings, one's own lessons, GPUs and recordings.
// The program opens it wherever it is, in a browser or natively, and puts it beside what is kept there.
//   {"tilewalk_kept": 1, "files": {"progress.json": "...", "lessons/my.md": "..."}}
#pragma once

#include "app/window/frame.h"

#include <filesystem>
#include <string>

namespace tilewalk {

inline constexpr std::string_view kKeptEnding = ".kept";

// Writes it into `folder`, after what has not been kept yet: "Saved PATH.", or why not.
std::string take_along(Window& window, const std::filesystem::path& folder);

// Puts what such a file holds beside what is kept here: of progress the newest of each entry, notes and settings from
// the file, and files that are not here yet. A sentence says what was taken, or why nothing was.
std::string bring_along(Window& window, const std::filesystem::path& file);

}  // namespace tilewalk
