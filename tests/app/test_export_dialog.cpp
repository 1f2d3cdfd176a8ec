// The dialog for taking something away: by keys and by hand, what it measures, writes, refuses and stops.
#include "app/panels/panels.h"
#include "app/session/export_dialog.h"
#include "app/session/overlays.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/typing.h"
#include "app/window/exporting.h"
#include "app/window/frame.h"
#include "tests/app/null_screen.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace tilewalk::test_export_dialog {
namespace fs = std::filesystem;

namespace {

struct Desk {
  fs::path folder = fs::temp_directory_path() / ("tilewalk-take-" + std::to_string(::getpid()));
  Session session;
  ViewState view;
  Exports exports;

  Desk() {
    fs::create_directory(folder);
    exports.refresh(session, view, folder);
    run_command("take-away", session, view);
  }
  ~Desk() { fs::remove_all(folder); }

  Scene scene(Vec2 size = {1920, 1080}) { return layout_window(session, view, size); }
  void click(std::string_view id) {
    const Scene now = scene();
    const Region* region = now.find(id);
    REQUIRE_MESSAGE(region, std::string(id));
    pressed(region->rect.center(), now, session, view);
    released(view);
  }
  void key(Key which) { key_pressed({.key = which}, scene(), session, view); }
  void type(std::string_view field, std::string text) {
    click(field);
    REQUIRE(view.editing == field);
    typed_into(field, std::move(text), view);
    finish_typing(session, view);
  }
  // Looks again and again, as the window does, until nothing is under way.
  int settle_work() {
    int looks = 0;
    do {
      exports.refresh(session, view, folder);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while ((exports.working() || view.exporting.start) && ++looks < 60000);
    return looks;
  }
  size_t files() const { return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }
};

}  // namespace

TEST_CASE("By mouse alone: a GIF of all steps, its size told before, then written without holding the window up") {
  Desk desk;
  REQUIRE(is_open<ExportSheet>(desk.view));
  CHECK(overlay_open(desk.view));
  desk.click("choice:export-what/steps");
  CHECK(desk.view.exporting.order.format == ExportFormat::Gif);
  desk.click("choice:export-footer/off");
  desk.settle_work();
  CHECK(desk.view.exporting.estimate.find("pictures, about") != std::string::npos);
  CHECK(desk.files() == 0);
  desk.click("export:write");
  CHECK(desk.settle_work() > 5);  // it came back in between
  CHECK_FALSE(is_open<ExportSheet>(desk.view));
  CHECK(desk.files() == 1);
  CHECK(fs::exists(desk.folder / "tilewalk-fa2-steps.gif"));
  CHECK(desk.view.notice.find("Saved " + desk.folder.string()) == 0);
}

TEST_CASE("By keys alone: Tab to a choice, Enter takes it, Enter on Save writes, never over a file that is there") {
  Desk desk;
  CHECK(desk.view.focus == "export:write");
  desk.key(Key::Enter);
  desk.settle_work();
  CHECK(fs::exists(desk.folder / "tilewalk-fa2-step-0.svg"));
  run_command("take-away", desk.session, desk.view);
  for (int k = 0; k < 40 && desk.view.focus != "choice:export-format/png"; ++k) desk.key(Key::Tab);
  CHECK(desk.view.focus_ring);
  desk.key(Key::Enter);
  CHECK(desk.view.exporting.order.format == ExportFormat::Png);
  for (int k = 0; k < 40 && desk.view.focus != "export:write"; ++k) desk.key(Key::Tab);
  desk.key(Key::Enter);
  desk.settle_work();
  CHECK(fs::exists(desk.folder / "tilewalk-fa2-step-0.png"));
  run_command("take-away", desk.session, desk.view);
  CHECK(desk.view.exporting.file == "tilewalk-fa2-step-0-2.png");
  desk.key(Key::Escape);
  CHECK_FALSE(is_open<ExportSheet>(desk.view));
}

TEST_CASE("Fields: a size of one's own, a range of steps, another folder, an ending that says the format") {
  Desk desk;
  desk.click("choice:export-size/own");
  desk.type("field:export-size", "1000x600");
  CHECK(desk.view.exporting.order.size == PictureSize{1000, 600});
  desk.type("field:export-size", "10x10");
  CHECK(desk.view.exporting.fault.find("from 960x540") != std::string::npos);
  CHECK(desk.view.exporting.order.size == PictureSize{1000, 600});
  desk.click("choice:export-what/steps");
  desk.type("field:export-steps", "3-9");
  CHECK(desk.view.exporting.order.steps == StepRange{3, 9});
  desk.click("field:export-steps");
  typed_into("field:export-steps", "12-", desk.view);
  leave_typing(desk.view);  // Esc: as it was
  CHECK(desk.view.exporting.steps == "3-9");
  CHECK(is_open<ExportSheet>(desk.view));
  desk.type("field:export-steps", "9-3");
  CHECK(desk.view.exporting.fault.find("3-20") != std::string::npos);
  desk.click("choice:export-what/stage");
  desk.type("field:export-file", (desk.folder / "sub.png").string());
  CHECK(desk.view.exporting.order.format == ExportFormat::Png);
  CHECK(export_path(desk.view.exporting) == desk.folder / "sub.png");
  desk.type("field:export-file", "a.gif");
  CHECK(desk.view.exporting.fault.find("cannot be written as .gif") != std::string::npos);
}

TEST_CASE("A folder that is not there says so in the dialog, which stays; the next try in another folder is written") {
  Desk desk;
  desk.type("field:export-file", "/no/such/folder/a.svg");
  desk.click("export:write");
  desk.settle_work();
  CHECK(is_open<ExportSheet>(desk.view));
  CHECK(desk.view.exporting.fault.find("/no/such/folder") != std::string::npos);
  desk.type("field:export-file", (desk.folder / "a.svg").string());
  desk.click("export:write");
  desk.settle_work();
  CHECK(fs::exists(desk.folder / "a.svg"));
}

TEST_CASE("Esc stops what is being written, and nothing of it stays") {
  Desk desk;
  desk.click("choice:export-what/steps");
  desk.click("choice:export-format/png");
  desk.settle_work();
  desk.click("export:write");
  while (desk.files() < 3) {
    desk.exports.refresh(desk.session, desk.view, desk.folder);
    REQUIRE(desk.view.exporting.busy);
  }
  CHECK(desk.view.exporting.share > 0);
  CHECK(desk.view.exporting.share < 1);
  CHECK(desk.scene().find("export:stop"));
  desk.key(Key::Escape);
  desk.settle_work();
  CHECK(is_open<ExportSheet>(desk.view));
  CHECK_FALSE(desk.view.exporting.busy);
  CHECK(desk.view.exporting.fault.find("Stopped") == 0);
  CHECK(desk.files() == 0);
  desk.key(Key::Escape);
  CHECK_FALSE(is_open<ExportSheet>(desk.view));
}

TEST_CASE("A GIF of more than 10 MB is refused before it is written, with what to do") {
  const std::string words = too_large_words(14'200'000, true);
  CHECK(words.find("14.2 MB") != std::string::npos);
  CHECK(words.find("10 MB") != std::string::npos);
  CHECK(words.find("fewer steps") != std::string::npos);
}

}  // namespace tilewalk::test_export_dialog
