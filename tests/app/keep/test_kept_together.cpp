// All that is kept, taken from one place to another in one file.
#include "app/session/open_any.h"
#include "app/window/kept_together.h"
#include "app/window/wishes.h"
#include "core/io/file.h"
#include "tests/app/null_screen.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace tilewalk::test_kept_together {
namespace fs = std::filesystem;

namespace {

// A window that keeps in a folder, as Program sets one up.
struct Keeping {
  explicit Keeping(const fs::path& at) : folder(at), window(textures) {
    for (const char* name : {"config", "data", "pictures"}) fs::create_directories(folder / name);
    window.settings = SettingsFile(folder / "config/settings.toml", [] { return std::string("now"); });
    std::vector<std::string> notices;
    window.settings.open(notices);
    window.notes_file = folder / "data/notes.json";
    window.lessons = std::make_unique<LessonFiles>(
        std::vector<fs::path>{}, folder / "data/progress.json", [this] { return now; }, false);
    window.lessons->open(window.view);
  }

  void answer(const std::string& question, const std::string& what) {
    window.view.lesson.progress.lessons["a"].answers[question].first = what;
    window.view.lesson.progress_changed = true;
    window.lessons->save(window.view, window.clock);
  }
  std::string answered(const std::string& question) {
    window.lessons->refresh(window.session, window.view, window.clock += 2);
    auto& answers = window.view.lesson.progress.lessons["a"].answers;
    return answers.contains(question) ? answers[question].first : "none";
  }
  void note(const std::string& beat, const std::string& text) {
    window.view.present.own_notes[beat] = text;
    window.view.present.notes_changed = true;
  }
  std::string bring(const fs::path& file) {
    open_any(window.session, window.view, {file});
    carry_out_wishes(window, screen);
    return window.view.notice;
  }

  fs::path folder;
  int64_t now = 1000;
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window;
};

fs::path only_file(const fs::path& folder) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    CHECK(found.empty());
    found = entry.path();
  }
  return found;
}

}  // namespace

TEST_CASE("what is kept in one place is there in another") {
  const ScratchFolder scratch;
  Keeping here(scratch / "here");
  here.answer("q", "here");
  here.answer("both", "older");
  here.note("lesson / beat", "Ask who has seen this.");
  Settings dark;
  dark.theme = Theme::Dark;
  dark.speed = 2;
  here.window.settings.look(dark, 10);
  fs::create_directories(scratch / "here/data/lessons");
  write_file(scratch / "here/data/lessons/mine.md", "mine");
  write_file(scratch / "here/data/lessons/same.md", "here");
  const std::string said = take_along(here.window, scratch / "here/pictures");
  CAPTURE(said);
  const fs::path file = only_file(scratch / "here/pictures");
  REQUIRE(file.extension() == ".kept");

  Keeping there(scratch / "there");
  there.now = 2000;
  there.answer("both", "newer");
  there.answer("r", "there");
  fs::create_directories(scratch / "there/data/lessons");
  write_file(scratch / "there/data/lessons/same.md", "there");
  CHECK(there.bring(file) == file.filename().string() +
                                 " was taken in: progress, notes and settings, and 1 file of your own. "
                                 "One that differs stays as it is here.");
  CHECK(there.answered("q") == "here");
  CHECK(there.answered("both") == "newer");
  CHECK(there.answered("r") == "there");
  CHECK(there.window.view.present.own_notes.at("lesson / beat") == "Ask who has seen this.");
  CHECK(there.window.view.theme == Theme::Dark);
  CHECK(there.window.view.speed == 2);
  CHECK(read_file(scratch / "there/data/lessons/mine.md") == "mine");
  CHECK(read_file(scratch / "there/data/lessons/same.md") == "there");
  for (const char* folder : {"there/data", "there/config"})
    for (const auto& entry : fs::directory_iterator(scratch / folder))
      CHECK(entry.path().filename().string().find("brought") == std::string::npos);
}

TEST_CASE("a file of somebody else's writes nowhere but where own files are, and a damaged one nothing") {
  const ScratchFolder scratch;
  Keeping here(scratch / "here");
  here.answer("q", "here");
  const std::string before = read_file(scratch / "here/data/progress.json");
  nlohmann::ordered_json files;
  for (const char* name :
       {"../outside.md", "lessons/../../outside.md", "lessons/a/b.md", "lessons/.hidden.md", "/tmp/tilewalk-outside.md",
        "lessons/.md", "lessons/x.sh", "recordings/x.md", "run.sh", "lessons\\x.md", "lessons/\\x.md"})
    files[name] = "bad";
  files["lessons/good.md"] = "good";
  const auto write = [&](const std::string& name, const std::string& text) {
    write_file(scratch / name, text);
    return scratch / name;
  };
  here.bring(write("hostile.kept", nlohmann::ordered_json{{"tilewalk_kept", 1}, {"files", files}}.dump()));
  CHECK(read_file(scratch / "here/data/lessons/good.md") == "good");
  int found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(scratch / "here").parent_path()))
    if (entry.is_regular_file() && entry.path().filename() != "hostile.kept" && read_file(entry.path()) == "bad")
      ++found;
  CHECK(found == 0);

  const std::string deep(100000, '[');
  for (const std::string& text :
       {std::string("{"), deep, std::string(R"({"tilewalk_kept":2,"files":{}})"), std::string(R"({"tilewalk_kept":1})"),
        std::string(R"({"tilewalk_kept":1,"files":{"progress.json":"{"}})"),
        std::string(R"({"tilewalk_kept":1,"files":{"progress.json":7}})"), std::string(R"(["a"])")}) {
    CAPTURE(text.substr(0, 80));
    CHECK(here.bring(write("damaged.kept", text)).starts_with("damaged.kept was not taken in: "));
    CHECK(read_file(scratch / "here/data/progress.json") == before);
  }
}

TEST_CASE("where nobody watches the progress file, what another has written comes once it is told of") {
  const ScratchFolder scratch;
  Keeping one(scratch / "one");
  fs::create_directory_symlink(scratch / "one/data", scratch / "link");
  LessonFiles other({}, scratch / "link/progress.json", [] { return 3000; });
  ViewState view;
  other.open(view);
  view.lesson.progress.lessons["a"].answers["q"].first = "other";
  view.lesson.progress_changed = true;
  other.save(view, 0);
  CHECK(one.answered("q") == "none");
  one.window.lessons->look_again();
  CHECK(one.answered("q") == "other");
}

}  // namespace tilewalk::test_kept_together
