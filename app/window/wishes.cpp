#include "app/window/wishes.h"

#include "app/scene/svg_painter.h"
#include "app/stage/stage.h"
#include "core/io/file.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

namespace tilewalk {

std::string export_stage(Session& session, const ViewState& view, const std::filesystem::path& folder) {
  // Never over a picture that is there already.
  const std::string name = fmt::format("tilewalk-{}-step-{}", session.walk().schedule.key, view.playhead);
  std::filesystem::path file = folder / (name + ".svg");
  std::error_code ignored;
  for (int copy = 2; std::filesystem::exists(file, ignored); ++copy) file = folder / fmt::format("{}-{}.svg", name, copy);
  try {
    const Scene scene = layout_stage_scene(session, view, {1920, 1080});
    SvgOptions options;
    options.title = fmt::format("{}, step {} of {}", session.walk().schedule.name, view.playhead,
                                session.walk().replay.length());
    write_file(file, to_svg(scene, options));
    return fmt::format("Saved {}.", file.string());
  } catch (const IoError& error) {
    return error.what();
  }
}

void carry_out_wishes(Window& w, Screen& screen) {
  const Wishes wishes = std::exchange(w.view.wishes, {});
  if (wishes.quit) w.open = false;
  if (wishes.full_screen) screen.toggle_full_screen();
  if (!wishes.copy.empty()) ImGui::SetClipboardText(wishes.copy.c_str());
  if (!wishes.export_svg && !wishes.export_progress) return;
  std::error_code ignored;
  const std::filesystem::path folder = w.pictures.empty() ? std::filesystem::current_path(ignored) : w.pictures;
  if (wishes.export_svg) w.view.notice = export_stage(w.session, w.view, folder);
  if (wishes.export_progress && w.lessons) w.view.notice = w.lessons->export_csv(w.view, folder);
  w.redraw = std::max(w.redraw, 1);
}

}  // namespace tilewalk
