// What is written in Write, kept beside the progress, so that it is there at the next start: the text on show and those
// that were left for it, each puzzle's and one's own, their files, and which puzzles are solved.
#pragma once

#include "app/state/view_state.h"

#include <filesystem>
#include <string>

namespace tilewalk {

class Draft {
 public:
  explicit Draft(std::filesystem::path file = {}) : file_(std::move(file)) {}  // empty: nothing is kept

  // Takes what was kept into a Write in which nothing stands yet; what cannot be read is left alone.
  void open(ViewState& view);
  // Writes what has changed, every two seconds at most; `now` at once. The sentence says why it could not, once.
  std::string keep(const ViewState& view, double clock, bool now = false);

 private:
  std::filesystem::path file_;
  std::string kept_;
  double kept_at_ = -1000;
  bool told_ = false;
};

}  // namespace tilewalk
