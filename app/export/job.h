// Taking away, piece by piece, so that a window stays alive and can stop it: the next picture is laid out by the
// caller's thread, then painted, encoded and written by another one. Files are written whole or not at all.
#pragma once

#include "app/export/gif.h"
#include "app/export/pictures.h"

#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr int64_t kLargestGif = 10'000'000;  // bytes
// Of a second a frame is shown: the least, the last one at least, and the most.
constexpr int kFrameHundredths = 90, kLastHundredths = 250, kMostHundredths = 1500;
// What it takes to read the words on a picture, all its sentences and formulas: so many words a second, and a moment to
// find it.
int reading_hundredths(std::string_view words);
constexpr size_t kMostPictures = 1000;

std::string size_words(int64_t bytes);  // of a file: "412 KB", "1.4 MB", of 1000 and 1000 000

// "The GIF would have about 14.2 MB, more than the 10 MB ...": what to do about it too.
std::string too_large_words(int64_t bytes, bool estimated);

// Measure: writes nothing, and finds out how large it would become from a few of the pictures.
enum class ExportAim : uint8_t { Measure, Write };

class ExportJob {
 public:
  // `session` and what `view` points to must stay as they are until it is over.
  ExportJob(Session& session, ViewState view, ExportOrder order, std::filesystem::path file, ExportAim aim);
  ~ExportJob();  // stops it: new files of an unfinished series are taken back

  // Does what can be done now; with `wait` also waits for the piece that is being painted. False once it is over.
  bool advance(bool wait);

  void wait(double seconds) const;  // so long at most, or until the piece that is being painted is done
  bool idle() const;                // no piece is being painted: what ends it does not wait
  float share() const;              // 0..1
  const std::string& fault() const { return fault_; }
  int64_t pictures() const { return int64_t(moments_.size()); }
  int64_t bytes() const { return bytes_; }                                    // written, or estimated
  const std::vector<std::filesystem::path>& files() const { return files_; }  // written

 private:
  using Work = std::function<std::string()>;  // what was wrong, or empty
  Work next_piece();                          // laid out; empty when there is none
  Work measure_piece(int64_t k);
  Work write_piece(int64_t k);
  std::string put(const std::filesystem::path& file, const std::string& content);
  std::string content_of(const StagePicture& picture);
  void undo();

  Session& session_;
  ViewState view_;
  ExportOrder order_;
  std::filesystem::path file_;
  ExportAim aim_;
  std::vector<int64_t> moments_;
  std::vector<int64_t> pieces_;  // indices of the moments that are worked on
  size_t begun_ = 0, done_ = 0;
  std::future<std::string> working_;
  Rasterizer raster_;
  std::string told_;  // by the picture that was begun last
  std::optional<GifWriter> gif_;
  std::string fault_;
  bool over_ = false;
  double first_ = 0, later_ = 0;  // bytes measured: of the first picture, of the others together
  int64_t bytes_ = 0;
  std::vector<std::filesystem::path> files_, made_;  // made_: those that were not there before
};

// "name-007.png" of a series of that many.
std::filesystem::path numbered(const std::filesystem::path& file, int64_t k, int64_t count);

}  // namespace tilewalk
