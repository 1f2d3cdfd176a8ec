#include "app/session/export_dialog.h"

#include "app/session/lesson_moves.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tilewalk {
namespace {

// The name of a file for what is taken, as long as nobody has typed another one.
std::string name_for(const Session& session, const ViewState& view) {
  const ExportOrder& order = view.exporting.order;
  std::string name = "tilewalk";
  if (const auto lesson = lesson_on_show(view))
    name += lesson->number > 0 ? fmt::format("-lesson-{}", lesson->number) : "-" + lesson->id;
  if (order.what != ExportWhat::Lesson) {
    if (order.what == ExportWhat::Charts)
      name += "-gpu";
    else if (!view.board.board.empty())
      name += "-" + view.board.board;
    else
      name += fmt::format("-{}", session.walk().schedule.key);
    if (order.what == ExportWhat::Steps)
      name += "-steps";
    else if (view.board.board.empty() && order.what != ExportWhat::Charts)
      name += fmt::format("-step-{}", view.playhead);
    if (order.what == ExportWhat::Window) name += "-window";
  }
  return name;
}

// A name that is not taken yet, in the folder.
std::string free_name(const std::filesystem::path& folder, const std::string& name, std::string_view extension) {
  std::error_code ignored;
  std::string out = fmt::format("{}.{}", name, extension);
  for (int copy = 2; std::filesystem::exists(folder / out, ignored); ++copy)
    out = fmt::format("{}-{}.{}", name, copy, extension);
  return out;
}

void name_file(const Session& session, ViewState& view) {
  ExportDialog& dialog = view.exporting;
  const std::filesystem::path typed = dialog.file;
  dialog.file = (typed.parent_path() / free_name(export_path(dialog).parent_path(), name_for(session, view),
                                                 extension_of(dialog.order.format)))
                    .string();
}

}  // namespace

std::filesystem::path export_path(const ExportDialog& dialog) {
  std::error_code ignored;
  const std::filesystem::path folder = dialog.folder.empty() ? std::filesystem::current_path(ignored) : dialog.folder;
  std::string file = dialog.file;
  if (const char* home = std::getenv("HOME"); home && (file == "~" || file.starts_with("~/")))
    file = home + file.substr(1);
  return folder / file;  // an absolute one replaces the folder
}

void open_export(const Session& session, ViewState& view) {
  ExportDialog& dialog = view.exporting;
  view.over = ExportSheet{};
  view.playing = false;
  if (dialog.folder.empty() && !dialog.places.empty()) dialog.folder = dialog.places.front();
  dialog.order.theme = view.theme;
  dialog.order.footer = true;
  dialog.fault.clear(), dialog.estimate.clear();
  if (dialog.order.what == ExportWhat::Lesson && !beat_on_show(view)) choose_export(session, view, {ExportWhat::Stage});
  name_file(session, view);
  view.focus = "export:write";
}

void choose_export(const Session& session, ViewState& view, const ChooseExport& chosen) {
  ExportDialog& dialog = view.exporting;
  ExportOrder& order = dialog.order;
  if (dialog.busy) return;
  dialog.fault.clear();
  const auto format = [&](ExportFormat of) {
    order.format = of;
    if (of == ExportFormat::Gif && !dialog.own_size) order.size = kUsualGif;
    name_file(session, view);
  };
  if (const auto* what = std::get_if<ExportWhat>(&chosen.what)) {
    order.what = *what;
    format(formats_of(order.what).front());
  } else if (const auto* of = std::get_if<ExportFormat>(&chosen.what)) {
    format(*of);
  } else if (const auto* theme = std::get_if<Theme>(&chosen.what)) {
    order.theme = *theme;
  } else if (const auto* footer = std::get_if<Footer>(&chosen.what)) {
    order.footer = footer->shown;
  } else if (const auto* folder = std::get_if<std::filesystem::path>(&chosen.what)) {
    dialog.folder = *folder;
    dialog.file = std::filesystem::path(dialog.file).filename().string();
    name_file(session, view);
  } else {
    const auto* size = std::get_if<PictureSize>(&chosen.what);
    dialog.own_size = !size;
    order.size = size ? *size : read_picture_size(dialog.size).value_or(order.size);
  }
}

bool is_export_field(std::string_view id) { return id.starts_with("field:export-"); }

std::string export_text(std::string_view id, const ExportDialog& dialog) {
  return id == "field:export-size" ? dialog.size : id == "field:export-steps" ? dialog.steps : dialog.file;
}

void type_export(std::string_view id, std::string text, ViewState& view) {
  ExportDialog& dialog = view.exporting;
  dialog.fault.clear();
  (id == "field:export-size" ? dialog.size : id == "field:export-steps" ? dialog.steps : dialog.file) = std::move(text);
}

void finish_export_field(const Session& session, ViewState& view) {
  ExportDialog& dialog = view.exporting;
  const std::string id = std::exchange(view.editing, {});
  view.focus = id;
  view.focus_ring = true;
  if (id == "field:export-size") {
    if (const auto size = read_picture_size(dialog.size))
      dialog.order.size = *size;
    else
      dialog.fault = fmt::format("A size is written like 1280x720, from {}x{} to {}x{}.", kLeastPicture.width,
                                 kLeastPicture.height, kMostPicture.width, kMostPicture.height);
  } else if (id == "field:export-steps") {
    if (const auto steps = read_steps(dialog.steps))
      dialog.order.steps = *steps;
    else
      dialog.fault = "Steps are written like 3-20, or all.";
  } else {
    const std::filesystem::path file = dialog.file;
    const auto format = format_of_extension(file.extension().string());
    const auto formats = formats_of(dialog.order.what);
    std::error_code ignored;
    if (dialog.file.empty() || std::filesystem::is_directory(export_path(dialog), ignored)) {
      dialog.file = (file / "").string();
      name_file(session, view);
    } else if (!format) {
      dialog.file += fmt::format(".{}", extension_of(dialog.order.format));
    } else if (std::ranges::find(formats, *format) == formats.end()) {
      dialog.fault = fmt::format("What was chosen cannot be written as .{}.", extension_of(*format));
    } else {
      dialog.order.format = *format;
    }
    if (dialog.fault.empty()) view.focus = "export:write";  // Enter again writes
  }
}

}  // namespace tilewalk
