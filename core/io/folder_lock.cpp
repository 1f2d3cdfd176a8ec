#include "core/io/folder_lock.h"

#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace tilewalk {
namespace {

constexpr unsigned kLookMicroseconds = 2000;  // between two looks at a lock that another holds

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, double patience) {
  const std::filesystem::path path = folder.empty() ? "." : folder;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0)
    io_fail(path, fmt::format("cannot be opened ({}); check the permissions of the folder", system_words(errno)));
  for (double waited = 0; ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0;) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;  // no such lock here
    if (waited >= patience) {
      ::close(descriptor_);
      io_fail(path, "is being written by another program; try again");
    }
    ::usleep(kLookMicroseconds);
    waited += double(kLookMicroseconds) / 1e6;
  }
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace tilewalk
