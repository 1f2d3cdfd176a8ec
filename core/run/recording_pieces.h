// A recording's text read a kernel at a time, for who must not wait for all of it (a page, between two frames).
#pragma once

#include "core/run/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

class RecordingPieces {
 public:
  // The text as recording_text() writes it (core/run/run_json.h); it must stay where it is.
  explicit RecordingPieces(std::string_view text);

  // One kernel more, at the end of `runs`; false: none was left. What cannot be read is left out: a test holds the
  // shipped files against read_recording().
  bool next(std::vector<RunResult>& runs);

 private:
  std::string_view line();
  void add(std::string_view kernel, std::vector<RunResult>& runs);

  std::string_view rest_;   // not read yet
  std::string head_, run_;  // of the file, and of the run that is being read
  bool same_run_ = false;   // the next kernel is of the last run
};

}  // namespace tilewalk
