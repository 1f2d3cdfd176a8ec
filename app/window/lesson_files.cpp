#include "app/window/lesson_files.h"

#include "app/session/lesson_moves.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace tilewalk {

namespace {

constexpr double kLookSeconds = 1;  // between two looks at files

}  // namespace

int64_t LessonFiles::wall_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

LessonFiles::LessonFiles(std::vector<std::filesystem::path> folders, std::filesystem::path progress, Clock clock,
                         bool watched)
    : folders_(std::move(folders)), progress_(std::move(progress)), clock_(std::move(clock)), watched_(watched) {}

std::string LessonFiles::open(ViewState& view) {
  auto course = std::make_shared<Course>();
  course->open(folders_);
  course_ = std::move(course);
  view.lesson.course = course_;
  view.lesson.cache = std::make_shared<LessonCache>();
  view.lesson.now = iso_now();
  LoadedProgress loaded = progress_.open(view.lesson.now.substr(0, 10));
  view.lesson.progress = std::move(loaded.progress);
  return std::move(loaded.notice);
}

bool LessonFiles::refresh(Session& session, ViewState& view, double now) {
  if (!course_ || now - looked_ < every() || (!watched_ && !told_ && !progress_.unsaved())) return false;
  told_ = false;
  looked_ = tried_ = now;
  view.lesson.now = iso_now();
  const bool news = look_at_progress(view);
  auto course = std::make_shared<Course>(*course_);
  if (!course->refresh()) return news;
  course_ = std::move(course);
  view.lesson.course = course_;
  settle_lesson(session, view);
  return true;
}

double LessonFiles::seconds_to_look(const ViewState& view, double now) const {
  const bool open = (watched_ && (!view.lesson.id.empty() || !view.lesson.fault_of.empty())) || progress_.unsaved();
  return open ? std::max(0.0, looked_ + every() - now) : std::numeric_limits<double>::infinity();
}

double LessonFiles::every() const { return progress_.unsaved() ? FileBusy::kTryAgain : kLookSeconds; }

// In front of a room the view's progress is the talk's and no learner's.
bool LessonFiles::look_at_progress(ViewState& view) {
  if (view.present.on || view.lesson.progress_changed || (!progress_.unsaved() && !progress_.others_wrote()))
    return false;
  const std::string before = said_, said = keep(FileBusy::kPatience);
  if (progress_.unsaved() && said == before) return false;  // what is wrong was said
  if (!progress_.unsaved()) view.lesson.progress = progress_.take();
  if (!said.empty()) view.notice = said;
  return true;
}

void LessonFiles::save(ViewState& view, double now) {
  if (!view.lesson.progress_changed) return;
  view.lesson.progress_changed = false;
  tried_ = now;
  progress_.change(view.lesson.progress, clock_());
  if (const std::string said = keep(FileBusy::kPatience); !said.empty()) view.notice = said;
  view.lesson.progress = progress_.take();
}

// At the end: what others have done meanwhile is not told to the view, which must not be saved from after it.
std::string LessonFiles::save_rest() { return progress_.unsaved() ? keep(FileBusy::kLastPatience) : std::string(); }

std::string LessonFiles::keep(double patience) {
  try {
    std::string said = progress_.keep(clock_(), iso_now().substr(0, 10), patience);
    busy_.over();
    said_.clear();
    return said;
  } catch (const IoError& error) {
    if (!busy_.worth_saying(error, tried_, patience)) return {};
    return said_ = fmt::format("Progress is not kept. {}", error.what());
  }
}

std::string LessonFiles::export_csv(const ViewState& view, const std::filesystem::path& folder) const {
  std::filesystem::path file = folder / "tilewalk-progress.csv";
  std::error_code ignored;
  for (int copy = 2; std::filesystem::exists(file, ignored); ++copy)
    file = folder / fmt::format("tilewalk-progress-{}.csv", copy);
  try {
    write_file(file, progress_csv(view.lesson.progress));
    return fmt::format("Saved {}.", printable_path(file));
  } catch (const IoError& error) {
    return error.what();
  }
}

std::string iso_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace tilewalk
