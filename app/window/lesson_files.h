// The lessons and the learner's progress as files: read at the start, read again when they change, written when there
// is something new to keep.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"
#include "app/window/busy.h"
#include "core/lesson/course.h"
#include "core/lesson/progress_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

class LessonFiles {
 public:
  using Clock = std::function<int64_t()>;  // milliseconds since 1970, UTC

  // `progress` may be empty: then nothing is kept. `watched`: others may change the files.
  LessonFiles(std::vector<std::filesystem::path> folders, std::filesystem::path progress, Clock clock = wall_clock,
              bool watched = true);
  static int64_t wall_clock();

  // Reads both; the sentence is about a progress file that was damaged, or empty.
  std::string open(ViewState& view);

  // Looks for changed files, at most about once a second; true where there is something new to draw. Progress that
  // another window has saved is taken in, and what could not be kept is tried again, sooner. `now` is the window's
  // clock in seconds.
  bool refresh(Session& session, ViewState& view, double now);
  // Seconds until it is worth looking again; infinity while no lesson is open and all is kept.
  double seconds_to_look(const ViewState& view, double now) const;

  // Somebody has written to the progress file, although nothing is watched.
  void look_again() { looked_ = -kSoon, told_ = true; }

  // Writes the progress where it has changed. Each change that could not be kept is said in view.notice, where that is
  // worth saying (busy.h).
  void save(ViewState& view, double now);
  // Tries once more what could not be kept; the sentence says why not, or is empty.
  std::string save_rest();
  // "Saved PATH.", or why not.
  std::string export_csv(const ViewState& view, const std::filesystem::path& folder) const;

 private:
  double every() const;  // seconds between two looks
  bool look_at_progress(ViewState& view);
  std::string keep(double patience);  // why not, or what was damaged; empty otherwise

  std::vector<std::filesystem::path> folders_;
  ProgressFile progress_;
  Clock clock_;
  static constexpr double kSoon = 1000;  // seconds ago

  bool watched_, told_ = false;
  std::shared_ptr<const Course> course_;
  double looked_ = 0, tried_ = 0;  // when files were looked at, and when keeping was tried
  std::string said_;               // of what is not kept
  FileBusy busy_;
};

std::string iso_now();  // "2026-11-20T21:03:11Z"

}  // namespace tilewalk
