// kill -9 at random moments, while two windows keep progress, settings and notes in the same folder: no file is torn,
// and nothing is lost but the last second. TILEWALK_KILLS=1000 build/bin/keep_tests for more kills than the usual few.
#include "app/window/frame.h"
#include "app/window/present_frame.h"
#include "core/io/number.h"
#include "core/io/settings.h"
#include "tests/app/null_screen.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

using namespace tilewalk;
namespace fs = std::filesystem;

namespace {

constexpr int kWindows = 2;
constexpr int kLongest = 150'000;   // microseconds before the next kill
constexpr int kKillsInFolder = 50;  // then another one, so that files do not grow

// What a window tells its parent: that it is there, or that progress and notes up to `value` are kept, settings up to
// `settings`; and whether those have waited for more than a second though nothing was said to be wrong.
struct Report {
  int window = 0, value = -1, settings = -1;
  bool late = false;
};

// A window that changes something in every frame, for ever.
[[noreturn]] void live(const fs::path& folder, int id, int first, int out) {
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  screen.step = 0.25f;  // so that settings are written every fourth frame
  Window window(textures);
  window.redraw = 0;
  window.lessons = std::make_unique<LessonFiles>(std::vector<fs::path>{}, folder / "progress.json");
  window.lessons->open(window.view);
  window.settings = SettingsFile(folder / "settings.toml", [] { return std::string("x"); });
  std::vector<std::string> notices;
  Settings settings = window.settings.open(notices);
  window.notes_file = folder / "notes.json";
  window.view.present.own_notes = window.notes_known = load_notes(window.notes_file, "x").notes;
  const auto tell = [&](int value, int settings_kept, bool late) {
    const Report report{id, value, settings_kept, late};
    if (::write(out, &report, sizeof report) != ssize_t(sizeof report)) ::_exit(1);
  };
  tell(-1, -1, false);
  int settings_kept = -1;
  double kept_at = 0;
  bool wrong = false;
  for (int value = first;; ++value) {
    const std::string name = std::to_string(id) + "/" + std::to_string(value);
    window.view.lesson.progress.lessons["lesson"].answers[name].first = name;
    window.view.lesson.progress.lessons["of " + std::to_string(id)].beat = value;
    window.view.lesson.progress_changed = true;
    window.view.present.own_notes[name] = name;
    window.view.present.notes_changed = true;
    settings.last_problem[std::to_string(id)] = std::to_string(value);
    window.view.notice.clear();
    frame(window, screen);
    wrong = !window.settings.look(settings, window.clock).empty() || wrong;
    if (std::isinf(window.settings.seconds_to_look(window.clock)))
      settings_kept = value, kept_at = window.clock, wrong = false;
    const bool late = !wrong && window.clock - kept_at > 1.25;
    const bool kept = !window.view.notice.starts_with("Progress is not kept");
    if (kept && keep_window_notes(window).empty()) tell(value, settings_kept, late);
  }
}

}  // namespace

TEST_CASE("kill -9 while two windows save tears no file and loses nothing but the last second") {
  const char* asked = std::getenv("TILEWALK_KILLS");
  const int kills = asked ? number_or(std::string_view(asked), 0) : 30;
  std::mt19937 random(20261122);
  const auto some = [&](int most) { return int(random() % unsigned(most + 1)); };
  int torn = 0, done = 0, strays = 0, late = 0;
  int lost_answers = 0, lost_notes = 0, lost_settings = 0;
  int64_t kept = 0;
  while (done < kills) {
    const ScratchFolder folder;
    std::map<int, std::vector<int>> told;  // by window: what must be there
    int settled[kWindows] = {-1, -1};      // of settings
    for (int round = 0; round * kWindows < kKillsInFolder && done < kills; ++round) {
      int ends[2];
      REQUIRE(::pipe(ends) == 0);
      pid_t windows[kWindows];
      for (int id = 0; id < kWindows; ++id) {
        windows[id] = ::fork();
        REQUIRE(windows[id] >= 0);
        if (windows[id] == 0) live(folder.path, id, round * 10'000, ends[1]);
      }
      ::close(ends[1]);
      std::vector<Report> reports;
      Report report;
      // By turns as soon as both are there, and as soon as both have saved.
      std::set<int> ready;
      while (ready.size() < kWindows) {
        REQUIRE(::read(ends[0], &report, sizeof report) == ssize_t(sizeof report));
        reports.push_back(report);
        if (round % 2 || report.value >= 0) ready.insert(report.window);
      }
      const int order = some(1);
      for (int k = 0; k < kWindows; ++k, ++done) {
        ::usleep(useconds_t(some(kLongest)));
        const int id = (k + order) % kWindows;
        ::kill(windows[id], SIGKILL);
        ::waitpid(windows[id], nullptr, 0);
      }
      while (::read(ends[0], &report, sizeof report) == ssize_t(sizeof report)) reports.push_back(report);
      ::close(ends[0]);
      for (const Report& each : reports) {
        if (each.value < 0) continue;
        told[each.window].push_back(each.value);
        settled[each.window] = std::max(settled[each.window], each.settings);
        late += each.late;
      }

      // As the next start finds it.
      const LoadedProgress progress = load_progress(folder / "progress.json", "torn");
      const LoadedSettings settings = load_settings(folder / "settings.toml", "torn");
      const OwnNotes notes = load_notes(folder / "notes.json", "torn");
      torn += !progress.notice.empty() + !settings.notices.empty() + !notes.notice.empty();
      for (const auto& [id, values] : told) {
        kept += int64_t(values.size());
        for (const int value : values) {
          const std::string name = std::to_string(id) + "/" + std::to_string(value);
          const auto lesson = progress.progress.lessons.find("lesson");
          lost_answers += lesson == progress.progress.lessons.end() || !lesson->second.answers.contains(name);
          lost_notes += !notes.notes.contains(name);
        }
        const auto own = progress.progress.lessons.find("of " + std::to_string(id));
        lost_answers += own == progress.progress.lessons.end() || own->second.beat < values.back();
        const auto set = settings.settings.last_problem.find(std::to_string(id));
        if (settled[id] >= 0)
          lost_settings += set == settings.settings.last_problem.end() || number_or(set->second, -1) < settled[id];
      }
    }
    for (const std::string& name : folder.names()) {
      strays += name.ends_with(".tmp");
      torn += name.find(".bad-") != std::string::npos;
    }
  }
  MESSAGE(done, " kills, ", kept, " looks at what was kept, ", strays, " temporary files left: torn ", torn,
          ", lost answers ", lost_answers, ", notes ", lost_notes, ", settings ", lost_settings, ", late ", late);
  CHECK(torn == 0);
  CHECK(lost_answers == 0);
  CHECK(lost_notes == 0);
  CHECK(lost_settings == 0);
  CHECK(late == 0);
  CHECK(kept > 0);
}
