// One at a time: whoever holds the lock of a folder, in this process or another, is alone in reading and replacing
// files in it among those that ask for the lock. What is locked is the folder itself (flock), so that nothing is left
// behind, and a process lets go however it ends. Where a file system knows no such lock (some on a network), nobody
// waits.
#pragma once

#include <filesystem>

namespace tilewalk {

class FolderLock {
 public:
  // Waits up to so many seconds. IoError (core/io/file.h): another process holds it longer, or the folder cannot be
  // opened.
  explicit FolderLock(const std::filesystem::path& folder, double patience = 2);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace tilewalk
