// When it is worth a word that something could not be kept: at once where something is wrong; where another window is
// saving, which passes, only once that has been waited for two seconds.
#pragma once

#include "core/io/folder_lock.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

class FileBusy {
 public:
  // Seconds: how long another window's saving is waited for while pictures are drawn, and at the end; and after how
  // many what could not be kept is tried again.
  static constexpr double kPatience = 0.04, kLastPatience = 2, kTryAgain = 0.25;

  void over() { since_.reset(); }
  // After an attempt that has waited for `patience` seconds, at `clock` on the window's clock.
  bool worth_saying(const IoError& error, double clock, double patience) {
    constexpr double kQuiet = 2;  // seconds
    if (!dynamic_cast<const FolderBusy*>(&error)) return true;
    if (!since_) since_ = clock;
    return std::max(0.0, clock - *since_) + patience >= kQuiet;
  }

 private:
  std::optional<double> since_;
};

// Beside what a notice says already, not over it.
inline void say_too(std::string& notice, std::string_view said) {
  if (said.empty() || notice.find(said) != std::string::npos) return;
  if (!notice.empty()) notice += ' ';
  notice += said;
}

}  // namespace tilewalk
