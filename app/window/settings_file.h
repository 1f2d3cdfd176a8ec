// settings.toml while a window is open: what changes is kept at once, at most one write a second, beside what other
// windows keep; so whatever ends the program takes the last second at most.
#pragma once

#include "app/window/busy.h"
#include "core/io/settings.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tilewalk {

class SettingsFile {
 public:
  using Suffix = std::function<std::string()>;  // of a file that is set aside: a date

  SettingsFile() = default;  // keeps nothing
  SettingsFile(std::filesystem::path file, Suffix suffix) : file_(std::move(file)), suffix_(std::move(suffix)) {}

  const std::filesystem::path& file() const { return file_; }
  Settings open(std::vector<std::string>& notices);

  // Keeps what has changed, on the window's clock in seconds. What could not be kept is tried again soon; the sentence
  // says why not, the first time that is worth saying (busy.h), and is empty otherwise.
  std::string look(const Settings& now, double clock);
  double seconds_to_look(double clock) const;  // infinity while all is kept
  // At the end, without waiting for the second to pass.
  std::string finish(const Settings& now);

 private:
  std::string keep(const Settings& now, double clock, double patience);

  std::filesystem::path file_;
  Suffix suffix_;
  Settings known_;  // as they were kept, or read, last
  bool waiting_ = false;
  double tried_ = -1000;
  std::string said_;
  FileBusy busy_;
};

}  // namespace tilewalk
