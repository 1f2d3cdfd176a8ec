#include "app/session/slide_picture.h"

#include "app/scene/image_file.h"
#include "app/session/pdf_page.h"
#include "app/session/set_list.h"
#include "core/io/background.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>
#include <mutex>
#include <system_error>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShelved = 3;  // up to 32 MB each
constexpr size_t kAhead = 2;

std::string changed_at(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  return error ? std::string() : std::to_string(int64_t(time.time_since_epoch().count()));
}

// Pages that are drawn, or being drawn, before their stop comes; the newest last.
struct PageAhead {
  std::string key;
  std::shared_future<std::string> png;
};
std::mutex pages_mutex;
std::deque<PageAhead> pages_ahead;

std::string page_key(const fs::path& file, int page, std::string_view changed) {
  return fmt::format("{}#{} {}", file.string(), page, changed);
}

// Waits for the page where it was begun; empty where it was not, or could not be drawn.
std::string drawn_ahead(const std::string& key) {
  std::shared_future<std::string> png;
  {
    const std::lock_guard lock(pages_mutex);
    const auto found = std::ranges::find(pages_ahead, key, &PageAhead::key);
    if (found == pages_ahead.end()) return {};
    png = found->png;
  }
  return png.get();
}

}  // namespace

void draw_slide_ahead(const std::string& stop, const SetList& set, const std::vector<ShelvedPicture>& shelf) {
  if (!is_slide(stop)) return;
  const Slide slide = slide_of(stop);
  const PdfPlace pdf = pdf_place(slide.picture);
  if (pdf.page <= 0) return;
  const fs::path folder = set.file.parent_path(), file = folder / pdf.file;
  const std::string changed = changed_at(file), key = page_key(file, pdf.page, changed);
  if (std::ranges::any_of(
          shelf, [&](const ShelvedPicture& p) { return p.file == folder / slide.picture && p.changed == changed; }))
    return;
  const std::lock_guard lock(pages_mutex);
  if (std::ranges::find(pages_ahead, key, &PageAhead::key) != pages_ahead.end()) return;
  pages_ahead.push_back({key, beside([file, page = pdf.page] { return draw_pdf_page(file, page).png; }).share()});
  if (pages_ahead.size() > kAhead) pages_ahead.pop_front();
}

SlidePicture picture_of_slide(const std::string& stop, const SetList& set, std::vector<ShelvedPicture>& shelf) {
  const Slide slide = slide_of(stop);
  if (slide.picture.empty()) return {};
  const PdfPlace pdf = pdf_place(slide.picture);
  const fs::path folder = set.file.parent_path(), file = folder / (pdf.page > 0 ? pdf.file : slide.picture);
  const std::string changed = changed_at(file);
  const auto found = std::ranges::find_if(
      shelf, [&](const ShelvedPicture& p) { return p.file == folder / slide.picture && p.changed == changed; });
  if (found != shelf.end()) {
    std::rotate(shelf.begin(), found, found + 1);
    return {shelf.front().pixels, {}};
  }
  PdfPage page;
  if (pdf.page > 0) page.png = drawn_ahead(page_key(file, pdf.page, changed));
  if (pdf.page > 0 && page.png.empty()) page = draw_pdf_page(file, pdf.page);
  if (!page.fault.empty()) return {nullptr, fmt::format("{} {}.", printable_path(file), page.fault)};
  try {
    ReadImage read = read_image(pdf.page > 0 ? page.png : read_file(file, kMostImageBytes));
    if (!read.pixels) return {nullptr, fmt::format("{} {}.", printable_path(file), read.fault)};
    shelf.insert(shelf.begin(), {(folder / slide.picture).string(), changed, read.pixels});
    if (shelf.size() > kShelved) shelf.pop_back();
    return {std::move(read.pixels), {}};
  } catch (const IoError& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace tilewalk
