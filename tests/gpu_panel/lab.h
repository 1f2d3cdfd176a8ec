// A session with the GPU panel open and a desk whose worker follows a script.
#pragma once

#include "app/gpu/desk.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/fields.h"

#include "tests/gpu_panel/stopwatch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace tilewalk::test {

struct Lab {
  Session session;
  ViewState view;
  double skipped = 0;
  std::string notice;
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tilewalk-gpu-panel-" + std::to_string(getpid()));
  std::unique_ptr<GpuDesk> desk;

  explicit Lab(std::string_view script, bool remote = false, bool recordings = false) {
    apply_choice(session, view, "preset", "toy");
    for (const auto& [field, text] : {std::pair{"n_q", "64"}, {"d", "16"}, {"br", "16"}, {"bc", "16"}})
      REQUIRE(apply_field(session, view, field, text).empty());
    view.tab = Tab::Gpu;
    DeskOptions options;
    if (!script.empty()) options.command = {{TILEWALK_STAND_IN, std::string(script)}, remote ? "lab-h200" : ""};
    if (recordings) options.recordings = {folder};
    options.save_to = folder;
    options.clock = [this] { return now() + skipped; };
    options.date = [] { return std::string("2026-11-20T10:00:00Z"); };
    desk = std::make_unique<GpuDesk>(std::move(options));
    desk->start();
  }
  ~Lab() {
    desk.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  bool update() {
    return desk->update({session.problem(), session.inputs(), session.input_hash()}, true, view.gpu, notice);
  }
  void settle() {
    for (const double until = now() + 30; now() < until; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
      update();
      if (desk->settled()) break;
    }
    update();
  }
  void reach(GpuState state) {
    for (const double until = now() + 20; now() < until && view.gpu.status.state != state;
         std::this_thread::sleep_for(std::chrono::milliseconds(1)))
      update();
    CAPTURE(view.gpu.status.what);
    REQUIRE(view.gpu.status.state == state);
  }
  void run() {
    REQUIRE(run_command("gpu-run", session, view));
    update();
  }
};

inline bool has_text(const Scene& scene, std::string_view part) {
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item); label && label->text.find(part) != std::string::npos)
      return true;
  return false;
}

inline Scene window_of(Lab& lab) { return layout_window(lab.session, lab.view, {1920, 1080}); }

// At many sizes, on each page; in every theme where that is asked for.
struct Size {
  float width, height, scale;
};
constexpr Size kSizes[] = {{1920, 1080, 1}, {1280, 720, 1}, {1600, 900, 1.25f}, {3840, 2160, 2}, {1024, 600, 1}};

inline void check_layout(Lab& lab, std::string_view name, bool every_theme = false, bool column = true) {
  ViewState view = lab.view;
  for (Size size : kSizes)
    for (Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
      if (theme != Theme::Light && !every_theme) continue;
      for (int page = 0; page < 3; ++page) {
        view.theme = theme;
        view.scale = size.scale;
        view.page = page;
        view.column_over = column;
        const Scene scene = layout_window(lab.session, view, {size.width, size.height});
        for (const std::string& fault :
             layout_faults(scene, 14 * shown_scale({size.width, size.height}, size.scale).scale,
                           shown_scale({size.width, size.height}, size.scale).scale)) {
          // Where the column lies over the stage it hides what is under it.
          if (fault.find("hidden under a later box") != std::string::npos && size.width / size.scale < 1280) continue;
          FAIL_CHECK(fault, " (", name, ", ", size.width, " x ", size.height, ", page ", page, ")");
        }
      }
    }
}

}  // namespace tilewalk::test
