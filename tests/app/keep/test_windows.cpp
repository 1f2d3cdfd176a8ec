// Two windows side by side: each takes in what the other has saved, a talk keeps out of it, and a set list that both
// add to loses no line.
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/window/frame.h"
#include "app/window/present_frame.h"
#include "app/window/wishes.h"
#include "core/io/folder_lock.h"
#include "tests/app/null_screen.h"
#include "tests/core/io_helpers.h"
#include "tests/core/processes.h"

#include <doctest/doctest.h>

#include <cmath>

#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_windows {
namespace fs = std::filesystem;

namespace {

struct Learner {
  int64_t now = 1000;
  double clock = 0;  // the window's, seconds
  Session session;
  ViewState view;
  LessonFiles files;
  explicit Learner(const fs::path& path) : files({}, path, [this] { return now; }) { files.open(view); }
  void answer(const std::string& question, const std::string& what) {
    view.lesson.progress.lessons["a"].answers[question].first = what;
    view.lesson.progress_changed = true;
    files.save(view, clock);
  }
  std::string answered(const std::string& question) {
    auto& answers = view.lesson.progress.lessons["a"].answers;
    return answers.contains(question) ? answers[question].first : "none";
  }
};

}  // namespace

TEST_CASE("what another window has answered is here a second later") {
  const ScratchFolder folder;
  Learner one(folder / "progress.json"), two(folder / "progress.json");
  one.answer("q", "one");
  CHECK(two.answered("q") == "none");
  CHECK(two.files.refresh(two.session, two.view, 2));
  CHECK(two.answered("q") == "one");
  CHECK_FALSE(two.files.refresh(two.session, two.view, 4));
  two.now = 2000;
  two.answer("r", "two");
  CHECK(one.files.refresh(one.session, one.view, 2));
  CHECK(one.answered("r") == "two");
}

TEST_CASE("a talk neither takes in nor gives away what a learner has done") {
  const ScratchFolder folder;
  Learner one(folder / "progress.json"), two(folder / "progress.json");
  one.answer("q", "one");
  begin_presenting(one.session, one.view, true);
  CHECK(one.view.lesson.progress.lessons.empty());
  two.answer("r", "two");
  CHECK_FALSE(one.files.refresh(one.session, one.view, 2));
  CHECK(one.view.lesson.progress.lessons.empty());
  end_presenting(one.session, one.view);
  CHECK(one.files.refresh(one.session, one.view, 4));
  CHECK(one.answered("q") == "one");
  CHECK(one.answered("r") == "two");
  CHECK(load_progress(folder / "progress.json", "1").progress.lessons.at("a").answers.size() == 2);
}

TEST_CASE("progress that could not be kept is tried again, and what a talk shows is not kept in its place") {
  const ScratchFolder folder;
  const fs::path path = folder / "data/progress.json";
  put(folder / "data", "a file where the folder should be");
  Learner one(path);
  CHECK(std::isinf(one.files.seconds_to_look(one.view, 0)));
  one.answer("q", "one");
  CHECK(one.view.notice.starts_with("Progress is not kept."));
  CHECK(one.files.seconds_to_look(one.view, 0) <= 1);
  CHECK_FALSE(one.files.refresh(one.session, one.view, 2));
  CHECK(one.answered("q") == "one");
  begin_presenting(one.session, one.view, true);
  fs::remove(folder / "data");
  CHECK(one.files.save_rest().empty());
  CHECK(load_progress(path, "1").progress.lessons.at("a").answers.at("q").first == "one");
}

TEST_CASE("another window that saves just now is waited for without a word, and named after two seconds") {
  const ScratchFolder folder;
  const fs::path path = folder / "progress.json";
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  screen.step = 0.25f;
  Window window(textures);
  window.redraw = 0;
  window.lessons = std::make_unique<LessonFiles>(std::vector<fs::path>{}, path);
  window.lessons->open(window.view);
  window.notes_file = folder / "notes.json";
  window.settings = SettingsFile(folder / "settings.toml", [] { return std::string("1"); });
  std::vector<std::string> notices;
  Settings settings = window.settings.open(notices);
  const auto change = [&](const std::string& what) {
    window.view.lesson.progress.lessons["a"].answers[what].first = what;
    window.view.lesson.progress_changed = true;
    window.view.present.own_notes[what] = what;
    window.view.present.notes_changed = true;
    settings.last_problem["a"] = what;
  };
  const auto pass = [&](double seconds) {  // what is said meanwhile
    std::string said;
    for (const double end = window.clock + seconds; window.clock < end;) {
      window.view.notice.clear();
      window.redraw = 0;
      frame(window, screen);
      said += window.view.notice + window.settings.look(settings, window.clock);
    }
    return said;
  };
  change("first");
  {
    const FolderLock other(folder.path, 0);
    CHECK(pass(1.5) == "");
    CHECK(screen.asked <= 0.25f);
  }
  CHECK(pass(0.5) == "");
  CHECK(load_progress(path, "1").progress.lessons.at("a").answers.contains("first"));
  CHECK(load_notes(window.notes_file, "1").notes.contains("first"));
  CHECK(load_settings(folder / "settings.toml", "1").settings.last_problem.at("a") == "first");
  pass(1);
  change("second");
  {
    const FolderLock other(folder.path, 0);
    CHECK(pass(1.5) == "");
    const std::string said = pass(2);
    check_words(said, {"Progress is not kept.", "Notes are not kept.", "Settings are not kept.", "another program"});
  }
  CHECK(pass(0.5) == "");
  CHECK(load_progress(path, "1").progress.lessons.at("a").answers.contains("second"));
  CHECK(load_notes(window.notes_file, "1").notes.contains("second"));
  // At the end each is waited for and named.
  change("third");
  {
    const FolderLock other(folder.path, 0);
    CHECK(pass(0.25) == "");
    check_words(window.lessons->save_rest(), {"Progress is not kept."});
    check_words(keep_window_notes(window, FileBusy::kLastPatience), {"Notes are not kept."});
    check_words(window.settings.finish(settings), {"Settings are not kept."});
  }
  CHECK(window.lessons->save_rest().empty());
  CHECK(load_progress(path, "1").progress.lessons.at("a").answers.contains("third"));
}

TEST_CASE("ten windows that add to one set list lose no line") {
  const ScratchFolder folder;
  constexpr int kWindows = 10, kLines = 5;
  put(folder / "talk.set", "# mine\n");
  in_processes(kWindows, [&](int) {
    NullImgui imgui;
    NullTextures textures;
    NullScreen screen;
    Window window(textures);
    window.view.present.set = open_set_list(folder / "talk.set");
    for (int line = 0; line < kLines;) {
      window.view.wishes.add_to_set = true;
      carry_out_wishes(window, screen);
      line += window.view.notice.starts_with("Added");
    }
  });
  CHECK(open_set_list(folder / "talk.set").items.size() == size_t(kWindows * kLines));
  CHECK(read_file(folder / "talk.set").starts_with("# mine\n"));
}

}  // namespace tilewalk::test_windows
