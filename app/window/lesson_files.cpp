#include "app/window/lesson_files.h"

#include "app/session/lesson_moves.h"
#include "core/io/file.h"
#include "core/lesson/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>

namespace tilewalk {

constexpr double kLookSeconds = 1;

LessonFiles::LessonFiles(std::vector<std::filesystem::path> folders, std::filesystem::path progress)
    : folders_(std::move(folders)), progress_(std::move(progress)) {}

std::string LessonFiles::open(ViewState& view) {
  auto course = std::make_shared<Course>();
  course->open(folders_);
  course_ = std::move(course);
  view.lesson.course = course_;
  view.lesson.cache = std::make_shared<LessonCache>();
  view.lesson.now = iso_now();
  if (progress_.empty()) return {};
  LoadedProgress loaded = load_progress(progress_, view.lesson.now.substr(0, 10));
  view.lesson.progress = std::move(loaded.progress);
  return std::move(loaded.notice);
}

bool LessonFiles::refresh(Session& session, ViewState& view, double now) {
  if (!course_ || now - looked_ < kLookSeconds) return false;
  looked_ = now;
  view.lesson.now = iso_now();
  auto course = std::make_shared<Course>(*course_);
  if (!course->refresh()) return false;
  course_ = std::move(course);
  view.lesson.course = course_;
  settle_lesson(session, view);
  return true;
}

double LessonFiles::seconds_to_look(const ViewState& view, double now) const {
  const bool open = !view.lesson.id.empty() || !view.lesson.fault_of.empty();
  return open ? std::max(0.0, looked_ + kLookSeconds - now) : std::numeric_limits<double>::infinity();
}

void LessonFiles::save(ViewState& view) {
  if (!view.lesson.progress_changed) return;
  view.lesson.progress_changed = false;
  unsaved_ = !progress_.empty();
  if (const std::string fault = save_rest(view); !fault.empty()) view.notice = fault;
}

std::string LessonFiles::save_rest(const ViewState& view) {
  if (!unsaved_) return {};
  try {
    save_progress(progress_, view.lesson.progress);
  } catch (const IoError& error) {
    return fmt::format("Progress is not kept. {}", error.what());
  }
  unsaved_ = false;
  return {};
}

std::string LessonFiles::export_csv(const ViewState& view, const std::filesystem::path& folder) const {
  std::filesystem::path file = folder / "tilewalk-progress.csv";
  std::error_code ignored;
  for (int copy = 2; std::filesystem::exists(file, ignored); ++copy)
    file = folder / fmt::format("tilewalk-progress-{}.csv", copy);
  try {
    write_file(file, progress_csv(view.lesson.progress));
    return fmt::format("Saved {}.", file.string());
  } catch (const IoError& error) {
    return error.what();
  }
}

std::string iso_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace tilewalk
