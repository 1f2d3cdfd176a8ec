#include "app/export/job.h"

#include "app/export/cost.h"
#include "app/scene/png.h"
#include "app/scene/svg_painter.h"
#include "core/io/background.h"
#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSamples = 9;  // of a series, besides the first

template <class Act>
std::string fault_of(Act&& act) {
  try {
    act();
    return {};
  } catch (const std::bad_alloc&) {
    return "There is not enough memory for a picture of that size; take a smaller one.";
  } catch (const std::exception& error) {
    return fmt::format("The picture could not be made: {}.", printable(error.what()));
  }
}

std::string svg_of(const StagePicture& picture) {
  return to_svg(picture.scene, {.title = picture.title, .description = picture.description});
}

}  // namespace

std::string size_words(int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  const double kilo = double(bytes) / 1000;
  if (kilo < 999.5) return fmt::format("{:.{}f} KB", kilo, kilo < 9.95 ? 1 : 0);
  return fmt::format("{:.{}f} MB", kilo / 1000, kilo < 99950 && bytes % 1'000'000 != 0 ? 1 : 0);
}

std::string too_large_words(int64_t bytes, bool estimated) {
  return fmt::format(
      "The GIF {}{} has more than the {} that slides and mail take well: take fewer steps, a smaller size, "
      "or numbered PNGs.",
      estimated ? "of about " : "of ", size_words(bytes), size_words(kLargestGif));
}

fs::path numbered(const fs::path& file, int64_t k, int64_t count) {
  const size_t digits = std::max<size_t>(3, std::to_string(count).size());
  fs::path out = file;
  return out.replace_filename(
      fmt::format("{}-{:0{}}{}", file.stem().string(), k + 1, digits, file.extension().string()));
}

ExportJob::ExportJob(Session& session, ViewState view, ExportOrder order, fs::path file, ExportAim aim)
    : session_(session), view_(std::move(view)), order_(order), file_(std::move(file)), aim_(aim) {
  fault_ = why_not(session_, view_, order_);
  if (fault_.empty()) moments_ = moments_of(session_, view_, order_);
  if (moments_.size() > kMostPictures)
    fault_ = fmt::format("That is {} pictures; at most {} are written at once. Take fewer steps.",
                         with_commas(int64_t(moments_.size())), with_commas(int64_t(kMostPictures)));
  if (fault_.empty()) fault_ = too_much_memory(order_, free_memory());
  const auto count = int64_t(moments_.size());
  for (int64_t k = 0; k < count; ++k) pieces_.push_back(k);
  if (aim_ == ExportAim::Measure && count > kSamples + 1) {
    pieces_ = {0};
    for (int64_t k = 1; k <= kSamples; ++k) pieces_.push_back(k * (count - 1) / kSamples);
  }
  over_ = !fault_.empty();
}

ExportJob::~ExportJob() {
  if (working_.valid()) working_.wait();
  if (!over_) undo();
}

void ExportJob::undo() {
  std::error_code ignored;
  for (const fs::path& file : made_) fs::remove(file, ignored);
  files_.clear();
}

void ExportJob::wait(double seconds) const {
  if (working_.valid()) working_.wait_for(std::chrono::duration<double>(seconds));
}

bool ExportJob::idle() const {
  return !working_.valid() || working_.wait_for(std::chrono::seconds(0)) != std::future_status::timeout;
}

float ExportJob::share() const { return pieces_.empty() || over_ ? 1 : float(done_) / float(pieces_.size()); }

bool ExportJob::advance(bool wait) {
  while (!over_) {
    if (working_.valid()) {
      if (!wait && !idle()) return true;
      fault_ = working_.get();
      ++done_;
      if (!fault_.empty()) undo();
      if (!fault_.empty() || done_ == pieces_.size()) over_ = true;
    } else {
      // What it throws, and that there is no thread for it, are sentences too.
      const std::string fault = fault_of([this] {
        working_ = beside([work = next_piece()] {
          std::string fault;
          const std::string thrown = fault_of([&] { fault = work(); });
          return thrown.empty() ? fault : thrown;
        });
      });
      if (!fault.empty()) {
        fault_ = fault;
        undo();
        over_ = true;
      } else if (!wait) {
        return true;
      }
    }
  }
  return false;
}

ExportJob::Work ExportJob::next_piece() {
  const int64_t k = pieces_[begun_++];
  return aim_ == ExportAim::Measure ? measure_piece(k) : write_piece(k);
}

std::string ExportJob::content_of(const StagePicture& picture) {
  if (order_.format == ExportFormat::Svg) return svg_of(picture);
  const Pixels pixels = raster_.paint(picture.scene);
  return encode_png(pixels.width, pixels.height, pixels.rgba);
}

int reading_hundredths(std::string_view words) {
  constexpr int kMoment = 50, kWord = 25;
  int count = 0;
  for (size_t k = 0; k < words.size(); ++k) count += words[k] != ' ' && (k == 0 || words[k - 1] == ' ');
  return std::clamp(kMoment + kWord * count, kFrameHundredths, kMostHundredths);
}

ExportJob::Work ExportJob::measure_piece(int64_t k) {
  const auto count = int64_t(moments_.size());
  const bool gif = order_.format == ExportFormat::Gif;
  if (order_.format == ExportFormat::Csv)
    return [this, size = numbers_of(session_, view_, order_).size()] { return bytes_ = int64_t(size), std::string(); };
  // What would take a minute to be found out is told from a smaller picture.
  double by = 1;
  const bool large = order_.format == ExportFormat::Png && pixels_of(order_) > kLargePicture;
  const ExportOrder sample = large ? small_sample(order_, by) : order_;
  StagePicture now = picture_at(session_, view_, sample, moments_[size_t(k)]), before;
  if (gif && k > 0) before = picture_at(session_, view_, order_, moments_[size_t(k - 1)]);
  return [this, k, count, gif, by, now = std::move(now), before = std::move(before)] {
    double size = 0;
    if (gif) {
      GifWriter one(order_.size.width, order_.size.height);
      if (k > 0) one.add(raster_.paint(before.scene), kFrameHundredths);
      const size_t without = k > 0 ? one.bytes() : 0;
      one.add(raster_.paint(now.scene), kFrameHundredths);
      size = double(one.bytes() - without);
    } else {
      size = double(content_of(now).size()) * by;
    }
    (k == 0 ? first_ : later_) += size;
    const double others = double(pieces_.size()) - 1;
    bytes_ = int64_t(first_ + (others > 0 ? later_ / others * double(count - 1) : 0));
    return std::string();
  };
}

ExportJob::Work ExportJob::write_piece(int64_t k) {
  const auto count = int64_t(moments_.size());
  if (order_.format == ExportFormat::Csv)
    return [this, numbers = numbers_of(session_, view_, order_)] { return put(file_, numbers); };
  StagePicture now = picture_at(session_, view_, order_, moments_[size_t(k)]);
  const int reading = now.description == told_ ? 0 : reading_hundredths(now.description);
  told_ = now.description;
  if (order_.format == ExportFormat::Gif)
    return [this, k, count, reading, now = std::move(now)]() -> std::string {
      if (!gif_) gif_.emplace(order_.size.width, order_.size.height);
      const bool last = k + 1 == count;
      if (!gif_->add(raster_.paint(now.scene), std::max(last ? kLastHundredths : kFrameHundredths, reading)))
        return "The GIF could not be encoded: there may not be enough memory.";
      if (int64_t(gif_->bytes()) > kLargestGif) return too_large_words(int64_t(gif_->bytes()), false);
      return last ? put(file_, gif_->finish()) : std::string();
    };
  const fs::path file = order_.what == ExportWhat::Steps ? numbered(file_, k, count) : file_;
  return [this, file, now = std::move(now)] { return put(file, content_of(now)); };
}

std::string ExportJob::put(const fs::path& file, const std::string& content) {
  std::error_code ignored;
  const bool there = fs::exists(file, ignored);
  try {
    write_file(file, content);
  } catch (const IoError& error) {
    return error.what();
  }
  files_.push_back(file);
  if (!there) made_.push_back(file);
  bytes_ += int64_t(content.size());
  return {};
}

}  // namespace tilewalk
