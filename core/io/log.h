// A log: one line an event, "2026-11-20T21:03:11Z INFO gpu: FA2 N = 4096", down to a level. The file is rotated when it
// has grown; what cannot be written is kept in memory alone, since a log must never be in the way.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

// Debug is every key and click that did something, and what was opened; Trace every frame that was drawn.
enum class LogLevel : uint8_t { Error, Warn, Info, Debug, Trace };
std::optional<LogLevel> log_level_named(std::string_view name);  // "error" .. "trace"

class Log {
 public:
  using Clock = std::function<std::string()>;  // the time as it is to stand in the line

  Log() = default;  // in memory alone, without times
  // Makes the folder when something is first written. Past `most` bytes the file becomes FILE.1, that one FILE.2, and
  // so on up to FILE.`kept`. An empty path: in memory alone.
  Log(std::filesystem::path file, Clock now, uint64_t most = uint64_t{2} << 20, int kept = 3);

  // What is less urgent than this is not logged; Info unless told otherwise.
  void set_level(LogLevel most) { level_ = most; }
  bool takes(LogLevel level) const { return level <= level_; }

  // Words of several lines are put on one.
  void line(LogLevel level, std::string_view words);

  const std::deque<std::string>& last() const { return last_; }  // the latest 50, as written
  const std::filesystem::path& file() const { return file_; }

 private:
  void rotate() const;
  std::filesystem::path file_;
  Clock now_;
  uint64_t most_ = 0;
  int kept_ = 0;
  LogLevel level_ = LogLevel::Info;
  std::deque<std::string> last_;
};

}  // namespace tilewalk
