// progress.json as one window keeps it while others may keep it too. Each entry (where one stopped in a lesson, the
// answer to a question, the lesson on show last) carries when it was made; saving reads the file again under the
// folder's lock and takes of every entry the newest. What a window has not changed itself never takes back what another
// has saved.
//
// Times are milliseconds since 1970, UTC, told by the caller. A clock that was wrong does no harm: an entry that is
// changed becomes newer than it was, whatever the clock says, and one from the future gives way to what is changed now.
#pragma once

#include "core/lesson/progress.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tilewalk {

struct DatedProgress {
  using Entry = std::pair<std::string, std::string>;  // lesson and question; (lesson, "") its place; ("", "") the last

  LearnerProgress progress;
  std::map<Entry, int64_t> made;  // an entry that is missing here is older than all others
  int64_t forgotten = 0;          // what was made until then was forgotten
};

// Dates what differs from `before` with `now`. Where nothing is left of what there was, it was forgotten; single
// entries are never taken away.
void date_changes(DatedProgress& ours, const DatedProgress& before, int64_t now);

// What `ours` and `theirs` have become since both were `known`.
DatedProgress merged(const DatedProgress& ours, const DatedProgress& theirs, const DatedProgress& known, int64_t now);

struct LoadedDated {
  DatedProgress dated;
  std::string notice;    // as LoadedProgress
  bool blocked = false;  // the file is no good and could not be set aside: nothing may be written over it
};
LoadedDated load_dated(const std::filesystem::path& file, std::string_view suffix);
std::string dated_text(const DatedProgress& dated);

class ProgressFile {
 public:
  explicit ProgressFile(std::filesystem::path file) : file_(std::move(file)) {}  // empty: nothing is kept

  // What is there at the start; the notice is about a file that was damaged.
  LoadedProgress open(std::string_view suffix);

  // Takes note of what was changed; kept by the next keep().
  void change(const LearnerProgress& progress, int64_t now);
  bool unsaved() const { return unsaved_; }
  bool others_wrote() const;  // since this looked last

  // Merges with what is there and writes where that says less; waits for the lock up to so many seconds. IoError: what
  // was to be kept still is, here. Otherwise progress() is what the file holds, and the sentence is as open()'s.
  std::string keep(int64_t now, std::string_view suffix, double patience);
  const LearnerProgress& progress() const { return ours_.progress; }

 private:
  std::filesystem::path file_;
  DatedProgress ours_, known_;  // known_: of the file, when this looked last
  bool unsaved_ = false;
  std::filesystem::file_time_type seen_{};
};

// Begins anew, for windows that are open too, and keeps what there was as FILE.before-reset, -2, -3...: its path.
// Nothing where there was nothing to forget. IoError.
std::optional<std::filesystem::path> forget_progress(const std::filesystem::path& file, int64_t now);

}  // namespace tilewalk
