// kill -9 at random moments, while two windows keep progress, settings and notes in the same folder: no file is torn,
// and nothing is lost but the last second. TILEWALK_KILLS=1000 build/bin/keep_tests for more kills than the usual few.
#include "app/window/frame.h"
#include "app/window/present_frame.h"
#include "core/io/number.h"
#include "core/io/settings.h"
#include "tests/app/null_screen.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

namespace tilewalk::test_kill {
namespace fs = std::filesystem;

namespace {

constexpr int kWindows = 2;
constexpr int kLongest = 150'000;   // microseconds before the next kill
constexpr int kKillsInFolder = 50;  // then another one, so that files do not grow

// What a window tells its parent after each frame: what it has changed and when, up to which of its changes each file
// is kept by its own account (-1: it is only there), and whether one has waited long and nothing was said.
struct Report {
  int window = 0, value = -1;
  int64_t at = 0;  // milliseconds since 1970
  int progress = -1, notes = -1, settings = -1;
  bool late = false;
};

constexpr int64_t kLast = 1000;  // milliseconds before the end: the last second
constexpr double kLong = 3.5;    // seconds on the window's clock: settings wait one, all of them two before it is said

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
  Report report{.window = id};
  const auto tell = [&] {
    if (::write(out, &report, sizeof report) != ssize_t(sizeof report)) ::_exit(1);
  };
  tell();
  double kept_at[3] = {};
  bool said = false;
  for (int value = first;; ++value) {
    const std::string name = std::to_string(id) + "/" + std::to_string(value);
    window.view.lesson.progress.lessons["lesson"].answers[name].first = name;
    window.view.lesson.progress.lessons["of " + std::to_string(id)].beat = value;
    window.view.lesson.progress_changed = true;
    window.view.present.own_notes[name] = name;
    window.view.present.notes_changed = true;
    settings.last_problem[std::to_string(id)] = std::to_string(value);
    window.view.notice.clear();
    report.value = value;
    report.at = LessonFiles::wall_clock();
    frame(window, screen);
    said = !window.settings.look(settings, window.clock).empty() || !window.view.notice.empty() || said;
    const auto look = [&](double seconds_to_look, int& kept, double& at) {
      if (std::isinf(seconds_to_look)) kept = value, at = window.clock;
    };
    look(window.lessons->seconds_to_look(window.view, window.clock), report.progress, kept_at[0]);
    look(seconds_to_keep_notes(window), report.notes, kept_at[1]);
    look(window.settings.seconds_to_look(window.clock), report.settings, kept_at[2]);
    const double waits = window.clock - *std::ranges::min_element(kept_at);
    said = said && waits > 0;
    report.late = waits > kLong && !said;
    tell();
  }
}

// What must be in the files, and whether it is: each loss is named once, with its file, key, values and dates.
struct Losses {
  int& count;
  std::set<std::string> named = {};

  void say(const std::string& what, const std::string& found) {
    if (!named.insert(what).second) return;
    ++count;
    MESSAGE("lost: ", what, "; the file has ", found);
  }
};

std::string words_of(const Report& report, int kept) {
  return fmt::format("changed at {}, {}", report.at,
                     report.value <= kept ? "told as kept" : "a second and more before");
}

}  // namespace

TEST_CASE("kill -9 while two windows save tears no file and loses nothing but the last second") {
  const char* asked = std::getenv("TILEWALK_KILLS");
  const int kills = asked ? number_or(std::string_view(asked), 0) : 30;
  std::mt19937 random(20261122);
  const auto some = [&](int most) { return int(random() % unsigned(most + 1)); };
  int torn = 0, done = 0, strays = 0, late = 0;
  int lost_answers = 0, lost_beats = 0, lost_notes = 0, lost_settings = 0;
  int64_t looked = 0;
  struct Must {
    int value;
    std::string why;
  };
  using Musts = std::map<int, std::vector<Must>>;  // by window
  while (done < kills) {
    const ScratchFolder folder;
    Musts answers, notes_due, settings_due;
    Losses answer{lost_answers}, beat{lost_beats}, note{lost_notes}, setting{lost_settings};
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
      int64_t killed[kWindows];
      for (int k = 0; k < kWindows; ++k, ++done) {
        ::usleep(useconds_t(some(kLongest)));
        const int id = (k + order) % kWindows;
        killed[id] = LessonFiles::wall_clock();
        ::kill(windows[id], SIGKILL);
        ::waitpid(windows[id], nullptr, 0);
      }
      while (::read(ends[0], &report, sizeof report) == ssize_t(sizeof report)) reports.push_back(report);
      ::close(ends[0]);
      Report last[kWindows];
      for (const Report& each : reports) last[each.window] = each;
      for (const Report& each : reports) {
        if (each.value < 0) continue;
        const Report& end = last[each.window];
        const bool old = each.at + kLast < killed[each.window];
        const auto due = [&](Musts& musts, int kept) {
          if (old || each.value <= kept) musts[each.window].push_back({each.value, words_of(each, kept)});
        };
        due(answers, end.progress);
        due(notes_due, end.notes);
        due(settings_due, end.settings);
        late += each.late;
      }

      // As the next start finds it.
      const LoadedDated loaded = load_dated(folder / "progress.json", "torn");
      const LearnerProgress& progress = loaded.dated.progress;
      const LoadedSettings settings = load_settings(folder / "settings.toml", "torn");
      const OwnNotes notes = load_notes(folder / "notes.json", "torn");
      torn += !loaded.notice.empty() + !settings.notices.empty() + !notes.notice.empty();
      const auto lesson = progress.lessons.find("lesson");
      for (const auto& [id, musts] : answers) {
        for (const auto& [value, why] : musts) {
          ++looked;
          const std::string name = fmt::format("{}/{}", id, value);
          if (lesson == progress.lessons.end() || !lesson->second.answers.contains(name))
            answer.say(fmt::format("progress.json, answer {} ({})", name, why), "none");
        }
        const std::string own = fmt::format("of {}", id);
        const auto found = progress.lessons.find(own);
        if (found == progress.lessons.end() || found->second.beat < musts.back().value) {
          const auto made = loaded.dated.made.find({own, ""});
          beat.say(fmt::format("progress.json, beat {} of \"{}\" ({})", musts.back().value, own, musts.back().why),
                   fmt::format("{}, made at {}", found == progress.lessons.end() ? -1 : found->second.beat,
                               made == loaded.dated.made.end() ? 0 : made->second));
        }
      }
      for (const auto& [id, musts] : notes_due)
        for (const auto& [value, why] : musts) {
          ++looked;
          if (const std::string name = fmt::format("{}/{}", id, value); !notes.notes.contains(name))
            note.say(fmt::format("notes.json, {} ({})", name, why), "none");
        }
      for (const auto& [id, musts] : settings_due) {
        ++looked;
        const auto set = settings.settings.last_problem.find(std::to_string(id));
        const std::string found = set == settings.settings.last_problem.end() ? "none" : set->second;
        if (number_or(std::string_view(found), -1) < musts.back().value)
          setting.say(fmt::format("settings.toml, {} of window {} ({})", musts.back().value, id, musts.back().why),
                      found);
      }
    }
    for (const std::string& name : folder.names()) {
      strays += name.ends_with(".tmp");
      torn += name.find(".bad-") != std::string::npos;
    }
  }
  MESSAGE(done, " kills, ", looked, " looks at what was kept, ", strays, " temporary files left: torn ", torn,
          ", lost answers ", lost_answers, ", beats ", lost_beats, ", notes ", lost_notes, ", settings ", lost_settings,
          ", late ", late);
  CHECK(torn == 0);
  CHECK(lost_answers == 0);
  CHECK(lost_beats == 0);
  CHECK(lost_notes == 0);
  CHECK(lost_settings == 0);
  CHECK(late == 0);
  CHECK(looked > 0);
}

}  // namespace tilewalk::test_kill
