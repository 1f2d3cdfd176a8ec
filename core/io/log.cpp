#include "core/io/log.h"

#include "core/io/file.h"
#include "core/io/paths.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tilewalk {

namespace fs = std::filesystem;

namespace {
constexpr size_t kRemembered = 50;
constexpr std::array<std::string_view, 5> kLevels{"ERROR", "WARN", "INFO", "DEBUG", "TRACE"};
}  // namespace

std::optional<LogLevel> log_level_named(std::string_view name) {
  for (size_t k = 0; k < kLevels.size(); ++k)
    if (std::ranges::equal(name, kLevels[k], {}, [](unsigned char c) { return std::toupper(c); })) return LogLevel(k);
  return std::nullopt;
}

Log::Log(fs::path file, Clock now, uint64_t most, int kept)
    : file_(std::move(file)), now_(std::move(now)), most_(most), kept_(kept) {}

void Log::rotate() const {
  const auto old = [&](int k) { return fs::path(fmt::format("{}.{}", file_.native(), k)); };
  std::error_code ignored;
  for (int k = kept_; k > 1; --k) fs::rename(old(k - 1), old(k), ignored);
  if (kept_ > 0) fs::rename(file_, old(1), ignored);
}

void Log::line(LogLevel level, std::string_view words) {
  if (!takes(level)) return;
  std::string text =
      fmt::format("{}{}{} {}", now_ ? now_() : "", now_ ? " " : "", kLevels[size_t(level)], printable(words));
  last_.push_back(text);
  if (last_.size() > kRemembered) last_.pop_front();
  if (file_.empty()) return;
  text += '\n';
  try {
    std::error_code missing;
    const uint64_t size = fs::file_size(file_, missing);
    if (missing) make_folder(file_.parent_path());
    if (!missing && size + text.size() > most_) rotate();
    // One write, appended: two windows at once do not tear each other's lines. A pipe in its place is not waited for.
    const int out = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600);
    if (out < 0) return;
    if (::write(out, text.data(), text.size()) < 0) file_.clear();
    ::close(out);
  } catch (const IoError&) {
    file_.clear();  // no folder for it: what follows is remembered only
  }
}

}  // namespace tilewalk
