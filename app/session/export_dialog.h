// What hands do to the dialog for taking something away (app/state/export_choices.h).
//
// Regions: choice:export-what/stage, -format/svg, -size/1920x1080, -theme/dark, -footer/on, -folder/0
//          field:export-size, field:export-steps, field:export-file;  export:write, export:stop
#pragma once

#include "app/state/export_choices.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewalk {

class Session;
struct ViewState;

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
