// What is chosen in the dialog for taking something away, as plain data. app/session/export_dialog.h changes it; the
// window measures and writes (app/window/exporting.h), and tells here how far it is.
#pragma once

#include "app/state/export_order.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tilewalk {

struct ExportDialog {
  ExportOrder order;
  bool own_size = false;                               // a size of one's own is typed
  std::string size = "1280x720", steps = "all", file;  // as they stand in the fields
  std::filesystem::path folder;                        // where `file` is while it names no folder of its own
  std::vector<std::filesystem::path> places;           // folders to choose from; the window tells them
  std::string fault;  // why what stands in a field does not do, or why nothing was written

  // Told by the window.
  bool busy = false;       // it is being written
  float share = 0;         // of what is written, 0..1
  std::string estimate;    // "37 frames, about 1.4 MB", empty while it is found out
  bool too_large = false;  // and that is too much

  // Wishes, carried out once.
  bool start = false, stop = false;
};

}  // namespace tilewalk
