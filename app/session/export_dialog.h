// What hands do to the dialog for taking something away (app/state/export_choices.h).
#pragma once

#include "app/state/action.h"
#include "app/state/export_choices.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewalk {

class Session;
struct ViewState;

void open_export(const Session& session, ViewState& view);

void choose_export(const Session& session, ViewState& view, const ChooseExport& chosen);
bool is_export_field(std::string_view id);
std::string export_text(std::string_view id, const ExportDialog& dialog);
void type_export(std::string_view id, std::string text, ViewState& view);
void finish_export_field(const Session& session, ViewState& view);  // Enter, or leaving the field

std::filesystem::path export_path(const ExportDialog& dialog);  // where it will be written

}  // namespace tilewalk
