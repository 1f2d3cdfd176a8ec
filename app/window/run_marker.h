// A file that is there while the program runs and says where it is: what a run that did not come to its end leaves for
// the next start. Each process has its own, named by its number, so that two windows do not take each other for a
// crash.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tilewalk {

class RunMarker {
 public:
  RunMarker() = default;
  // `folder` is made when something is first written; empty: nothing is. A signal that ends the process the usual way
  // (TERM, INT, HUP) takes the file along.
  explicit RunMarker(std::filesystem::path folder);
  ~RunMarker() { end(); }
  RunMarker(const RunMarker&) = delete;
  RunMarker& operator=(RunMarker&& other) noexcept;

  // Where one is now; written where it is another place than before. What cannot be written is not: this must never be
  // in the way.
  void note(const std::string& link);
  void end();  // removes the file

 private:
  std::filesystem::path file_;
  std::string written_;
  bool any_ = false;
};

// The link that the newest process left that is gone without its end; nothing where all ended as they should. Removes
// what such processes left.
std::optional<std::string> take_left_over(const std::filesystem::path& folder);

}  // namespace tilewalk
