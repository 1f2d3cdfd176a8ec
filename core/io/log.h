// A log: one line an event, "2026-11-20T21:03:11Z INFO gpu: FA2 N = 4096". The file is rotated when it has grown; what
// cannot be written is kept in memory alone, since a log must never be in the way.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace tilewalk {

class Log {
 public:
  using Clock = std::function<std::string()>;  // the time as it is to stand in the line

  Log() = default;  // in memory alone, without times
  // Makes the folder when something is first written. Past `most` bytes the file becomes FILE.1, that one FILE.2, and so
  // on up to FILE.`kept`. An empty path: in memory alone.
  Log(std::filesystem::path file, Clock now, uint64_t most = uint64_t{2} << 20, int kept = 3);

  // Words of several lines are put on one. Levels: "ERROR", "WARN", "INFO".
  void line(std::string_view level, std::string_view words);

  const std::deque<std::string>& last() const { return last_; }  // the latest 50, as written
  const std::filesystem::path& file() const { return file_; }

 private:
  void rotate() const;
  std::filesystem::path file_;
  Clock now_;
  uint64_t most_ = 0;
  int kept_ = 0;
  std::deque<std::string> last_;
};

}  // namespace tilewalk
