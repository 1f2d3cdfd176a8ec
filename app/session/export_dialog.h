// The dialog for taking something away: what is chosen in it, and what hands do to it. Plain data in ViewState; the
// window measures and writes (app/window/exporting.h), and tells here how far it is.
//
// Regions: choice:export-what/stage, -format/svg, -size/1920x1080, -theme/dark, -footer/on, -folder/0
//          field:export-size, field:export-steps, field:export-file;  export:write, export:stop
#pragma once

#include "app/session/export_order.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

class Session;
struct ViewState;

struct ExportDialog {
  bool open = false;
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

void open_export(const Session& session, ViewState& view);

// Says whether the choice or the field is the dialog's.
bool choose_export(const Session& session, ViewState& view, std::string_view field, std::string_view value);
bool is_export_field(std::string_view id);
std::string export_text(std::string_view id, const ExportDialog& dialog);
void type_export(std::string_view id, std::string text, ViewState& view);
void finish_export_field(const Session& session, ViewState& view);  // Enter, or leaving the field

bool press_export(std::string_view region, ViewState& view);  // "export:write"; says whether it is the dialog's

std::filesystem::path export_path(const ExportDialog& dialog);  // where it will be written

}  // namespace tilewalk
