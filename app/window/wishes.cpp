#include "app/window/wishes.h"

#include "app/panels/stage_picture.h"
#include "app/session/charts_link.h"
#include "app/session/diagnostics.h"
#include "app/scene/png.h"
#include "app/scene/raster.h"
#include "app/scene/svg_painter.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "app/session/write_moves.h"
#include "app/window/class_visit.h"
#include "app/window/kept_together.h"
#include "app/window/working.h"
#include "core/io/file.h"
#include "core/io/folder_lock.h"
#include "core/io/printable.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr float kLargeWindow = 2560;  // pixels wide
constexpr double kPatience = 0.2;     // seconds that another window's line in the set list is waited for

// "tilewalk-curves.svg", "tilewalk-curves-2.svg", ...
fs::path free_file(const Session& session, const ViewState& view, const fs::path& folder, std::string_view extension) {
  const std::string name = "tilewalk-" + stage_name(session, view);
  fs::path file = folder / fmt::format("{}.{}", name, extension);
  std::error_code ignored;
  for (int copy = 2; fs::exists(file, ignored); ++copy) file = folder / fmt::format("{}-{}.{}", name, copy, extension);
  return file;
}

std::string save(const fs::path& file, std::string_view content) {
  try {
    write_file(file, content);
    return fmt::format("Saved {}.", file.string());
  } catch (const IoError& error) {
    return error.what();
  }
}

// The view as one line more of the set list; without one a list is begun in `folder`.
std::string add_to_set(const Session& session, ViewState& view, const fs::path& folder) {
  if (view.gpu.enlarged)
    if (std::string why = why_no_charts_stop(session, view); !why.empty()) return why;
  SetList& set = view.present.set;
  const fs::path file = set.file.empty() ? folder / "talk.set" : set.file;
  LinkHere here = link_here(session, view);
  if (view.gpu.enlarged && here.remark.empty()) here.remark = charts_remark(session, view);
  if (view.present.on && !set.file.empty() && !set.items.empty()) {
    std::string said = add_stop_behind(view, here.text);
    return here.remark.empty() ? said : said + " " + here.remark;
  }
  try {
    std::error_code missing;
    const FolderLock lock(file.parent_path(), kPatience);
    const std::string before = fs::exists(file, missing) ? read_file(file) : std::string();
    write_file(file, with_item(before, here.text, {}));
    const bool first = set.items.empty();
    // What another program wrote meanwhile is not taken back with what was changed here.
    if (before != set.text)
      view.present.set_before.clear();
    else if (!first)
      view.present.set_before.push_back(before);
    take_set(view, open_set_list(file));
    if (first) {
      view.present.place = std::max(0, int(set.items.size()) - 1);
      view.present.landed = place_now(view);
    }
    const bool column = view.column_floats ? view.column_over : view.column_open;
    const std::string_view charts =
        view.tab != Tab::Gpu || !column || view.present.on || view.gpu.enlarged
            ? ""
            : " The stage is on it, not the GPU's tab: L enlarges its charts, and Ctrl+D keeps them then.";
    return fmt::format("Added to {}: stop {}, {}.{}{}", file.string(), set.items.size(),
                       set.items.empty() ? here.text : stop_title(set.items.back(), view),
                       here.remark.empty() ? "" : " " + here.remark, charts);
  } catch (const IoError& error) {
    return error.what();
  }
}

// The program of Write, into its file; into a new one where it has none.
std::string save_program(ViewState& view, const fs::path& folder) {
  WriteView& write = view.write;
  fs::path file = write.file;
  std::error_code ignored;
  for (int copy = 1; file.empty() || (write.file.empty() && fs::exists(file, ignored)); ++copy)
    file = folder / (copy == 1 ? "program.walk" : fmt::format("program-{}.walk", copy));
  std::string said = save(file, write.program.text);
  if (said.starts_with("Saved")) write.file = file, write.kept = write.program.text;
  return said;
}

// What is pasted into a terminal must not be a command of its own.
std::string on_clipboard(std::string_view text) { return printable(text, "\n\t"); }

}  // namespace

std::string save_svg(Session& session, const ViewState& view, const fs::path& folder) {
  const StagePicture picture = stage_picture(session, view, {1920, 1080});
  return save(free_file(session, view, folder, "svg"),
              to_svg(picture.scene, {.title = picture.title, .description = picture.description}));
}

std::string save_png(Session& session, const ViewState& view, const fs::path& folder, Vec2 window) {
  const float by = window.x < kLargeWindow ? 2 : 1;
  const Pixels pixels = Rasterizer().paint(stage_picture(session, view, {window.x * by, window.y * by}).scene);
  return save(free_file(session, view, folder, "png"), encode_png(pixels.width, pixels.height, pixels.rgba));
}

std::string save_csv(const Session& session, const ViewState& view, const fs::path& folder) {
  const std::string numbers = stage_numbers(session, view);
  if (numbers.empty()) return "There are no numbers on the stage to save.";
  return save(free_file(session, view, folder, "csv"), numbers);
}

void carry_out_wishes(Window& w, Screen& screen) {
  const Wishes wishes = std::exchange(w.view.wishes, {});
  if (wishes.quit && w.exports.writing() && !w.told_of_writing) {
    w.told_of_writing = true;
    w.view.notice = "A file is still being written. Ctrl+Q once more leaves without it.";
    w.redraw = std::max(w.redraw, 1);
  } else if (wishes.quit) {
    w.open = false;
  }
  if (wishes.pick_files && screen.pick_files()) close_overlays(w.view);
  if (wishes.full_screen) screen.toggle_full_screen();
  if (wishes.diagnostics)
    ImGui::SetClipboardText(on_clipboard(program_diagnostics(w.session, w.view, w.log.last())).c_str());
  if (!wishes.copy.empty()) ImGui::SetClipboardText(on_clipboard(wishes.copy).c_str());
  if (wishes.paste) {
    const char* words = ImGui::GetClipboardText();
    const std::string pasted(words ? words : "");
    work(w, screen, [&] { paste_into_program(w.session, w.view, pasted); });
    w.redraw = std::max(w.redraw, 1);
  }
  if (!wishes.bring.empty()) {
    w.view.notice = bring_along(w, wishes.bring);
    w.redraw = std::max(w.redraw, 2);
  }
  if (!wishes.save_program && !wishes.take_along && !wishes.export_svg && !wishes.export_png && !wishes.export_csv &&
      !wishes.export_progress && !wishes.class_summary && !wishes.add_to_set)
    return;
  std::error_code ignored;
  const fs::path folder = w.pictures.empty() ? fs::current_path(ignored) : w.pictures;
  work(w, screen, [&] {
    if (wishes.save_program) w.view.notice = save_program(w.view, folder);
    if (wishes.export_svg) w.view.notice = save_svg(w.session, w.view, folder);
    if (wishes.export_png) w.view.notice = save_png(w.session, w.view, folder, w.size);
    if (wishes.export_csv) w.view.notice = save_csv(w.session, w.view, folder);
    if (wishes.class_summary) w.view.notice = save_class_summary(w.view, folder);
    if (wishes.take_along) w.view.notice = take_along(w, folder);
    if (wishes.add_to_set) w.view.notice = add_to_set(w.session, w.view, folder);
    if (wishes.export_progress && w.lessons) w.view.notice = w.lessons->export_csv(w.view, folder);
    w.redraw = std::max(w.redraw, 1);
  });
}

}  // namespace tilewalk
