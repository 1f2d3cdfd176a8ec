#include "app/window/exporting.h"

#include "app/export/lesson_page.h"
#include "app/session/export_dialog.h"
#include "app/session/lesson_moves.h"
#include "core/io/file.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

// Folders to choose from: where pictures go, that of the account, the working folder.
std::vector<fs::path> places_of(const fs::path& pictures) {
  std::error_code ignored;
  std::vector<fs::path> out;
  const char* home = std::getenv("HOME");
  for (const fs::path& place : {pictures, fs::current_path(ignored), home ? fs::path(home) : fs::path(),
                                home ? fs::path(home) / "Desktop" : fs::path()})
    if (!place.empty() && fs::is_directory(place, ignored) && std::ranges::find(out, place) == out.end())
      out.push_back(place);
  return out;
}

std::string pictures_words(int64_t count) {
  return count == 1 ? "1 picture" : fmt::format("{} pictures", with_commas(count));
}

}  // namespace

bool Exports::refresh(Session& session, ViewState& view, const fs::path& pictures) {
  ExportDialog& dialog = view.exporting;
  if (dialog.places.empty()) dialog.places = places_of(pictures);
  const bool open = is_open<ExportSheet>(view);
  const bool stop = std::exchange(dialog.stop, false), start = std::exchange(dialog.start, false);
  if (job_ && dropping_) {
    if (!job_->idle()) return false;
    job_.reset();
    dropping_ = false;
  }
  if (job_ && writing_ && (stop || session.generation() != generation_)) {
    end(view, stop ? "Stopped. Nothing was written." : "What is walked has changed meanwhile. Nothing was written.");
    return true;
  }
  if (job_ && !writing_ && (!open || start || measured_ != dialog.order)) {
    dropping_ = true;
    measured_.reset();
    dialog.start = start;
    return false;
  }
  if (!open) {
    measured_.reset();
    return false;
  }
  if (start) {
    begin(session, view);
    return true;
  }
  if (!job_) {
    if (measured_ == dialog.order) return false;
    measure(session, view);
    return true;
  }
  const float before = dialog.share;
  const bool goes_on = job_->advance(false);
  dialog.share = job_->share();
  if (goes_on) return writing_ && dialog.share != before;
  if (writing_) {
    end(view, job_->fault());
    return true;
  }
  const bool gif = dialog.order.format == ExportFormat::Gif;
  dialog.estimate = job_->fault().empty()
                        ? fmt::format("{}, about {}", pictures_words(job_->pictures()), size_words(job_->bytes()))
                        : "";
  dialog.too_large = gif && job_->bytes() > kLargestGif;
  // Otherwise what was said of the last try stays.
  if (dialog.too_large || !job_->fault().empty())
    dialog.fault = dialog.too_large ? too_large_words(job_->bytes(), true) : job_->fault();
  job_.reset();
  return true;
}

void Exports::measure(Session& session, ViewState& view) {
  ExportDialog& dialog = view.exporting;
  measured_ = dialog.order;
  dialog.estimate.clear();
  dialog.too_large = false;
  if (dialog.order.what == ExportWhat::Lesson) return;
  writing_ = false;
  job_ = std::make_unique<ExportJob>(session, view, dialog.order, fs::path(), ExportAim::Measure);
}

void Exports::begin(Session& session, ViewState& view) {
  ExportDialog& dialog = view.exporting;
  if (dialog.order.what == ExportWhat::Lesson) {
    std::string fault;
    const fs::path file = export_path(dialog);
    try {
      const auto lesson = lesson_on_show(view);
      if (lesson) write_file(file, lesson_page(view.lesson.course, *lesson));
      view.notice = fmt::format("Saved {}.", file.string());
      if (lesson) view.over = {};
    } catch (const IoError& error) {
      dialog.fault = error.what();
    }
    return;
  }
  writing_ = dialog.busy = true;
  dialog.share = 0;
  generation_ = session.generation();
  job_ = std::make_unique<ExportJob>(session, view, dialog.order, export_path(dialog), ExportAim::Write);
}

void Exports::end(ViewState& view, std::string fault) {
  ExportDialog& dialog = view.exporting;
  dialog.busy = false;
  writing_ = false;
  dialog.fault = std::move(fault);
  if (dialog.fault.empty()) {
    const auto& files = job_->files();
    view.notice = files.size() > 1 ? fmt::format("Saved {} files, {} to {}: {}.", files.size(), files.front().string(),
                                                 files.back().filename().string(), size_words(job_->bytes()))
                                   : fmt::format("Saved {}: {}.", files.front().string(), size_words(job_->bytes()));
    view.over = {};
    view.focus.clear();
    job_.reset();
  } else {
    dropping_ = true;  // the piece that is being painted ends first
  }
}

}  // namespace tilewalk
