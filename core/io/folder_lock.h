// One at a time: whoever holds the lock of a folder, in this process or another, is alone in reading and replacing
// files in it among those that ask for the lock. What is locked is the folder itself (flock), so that nothing is left
// behind, and a process lets go however it ends. Where a file system knows no such lock (some on a network), nobody
// waits.
#pragma once

#include "core/io/file.h"

#include <filesystem>

namespace tilewalk {

// Another process holds the lock, which passes.
class FolderBusy : public IoError {
 public:
  using IoError::IoError;
};

class FolderLock {
 public:
  // Waits up to so many seconds. FolderBusy: another process holds it longer; IoError: the folder cannot be opened.
  explicit FolderLock(const std::filesystem::path& folder, double patience = 2);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace tilewalk
