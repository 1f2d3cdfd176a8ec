// Two windows side by side: each takes in what the other has saved, a talk keeps out of it, and a set list that both
// add to loses no line.
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/window/frame.h"
#include "app/window/wishes.h"
#include "tests/app/null_screen.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <cmath>

#include <sys/wait.h>
#include <unistd.h>

using namespace tilewalk;
namespace fs = std::filesystem;

namespace {

struct Learner {
  int64_t now = 1000;
  Session session;
  ViewState view;
  LessonFiles files;
  explicit Learner(const fs::path& path) : files({}, path, [this] { return now; }) { files.open(view); }
  void answer(const std::string& question, const std::string& what) {
    view.lesson.progress.lessons["a"].answers[question].first = what;
    view.lesson.progress_changed = true;
    files.save(view);
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

TEST_CASE("ten windows that add to one set list lose no line") {
  const ScratchFolder folder;
  constexpr int kWindows = 10, kLines = 5;
  put(folder / "talk.set", "# mine\n");
  std::vector<pid_t> windows;
  for (int k = 0; k < kWindows; ++k) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
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
      ::_exit(0);
    }
    windows.push_back(child);
  }
  for (const pid_t window : windows) {
    int status = 0;
    ::waitpid(window, &status, 0);
    CHECK(status == 0);
  }
  CHECK(open_set_list(folder / "talk.set").items.size() == size_t(kWindows * kLines));
  CHECK(read_file(folder / "talk.set").starts_with("# mine\n"));
}
