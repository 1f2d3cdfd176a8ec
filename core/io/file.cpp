// Whole files by the system's own calls, because the errors must be told apart. See file.h.
#include "core/io/file.h"

#include "core/io/printable.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace tilewalk {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail_to_open(const fs::path& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: io_fail(path, "is not there; check the name and the folder");
    case EACCES:
    case EPERM:
      io_fail(path, fmt::format("may not be read ({}); change its permissions or copy it to a folder of your own",
                                system_words(error)));
    default: io_fail(path, fmt::format("cannot be opened ({}); check the name and the disk", system_words(error)));
  }
}

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  std::string remedy = "choose another folder";
  if (error == ENOSPC || error == EDQUOT) remedy = "free some space or choose another folder";
  if (error == ENOENT || error == ENOTDIR) remedy = "create its folder or choose another one";
  io_fail(path, fmt::format("could not be written ({}); {}", system_words(error), remedy));
}

// Closes what it holds; ignores errors, which matter only where fsync has already reported them.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// 0, or the errno value of what went wrong.
int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t done = ::write(fd, content.data(), std::min<size_t>(content.size(), size_t{1} << 30));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    content.remove_prefix(static_cast<size_t>(done));
  }
  return 0;
}

// Some file systems cannot sync a file or folder and say so; that is no failure of the write.
int sync(int fd) {
  if (::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS) return 0;
  return errno;
}

// Where a chain of symbolic links leads, even if nothing is there yet.
fs::path follow_links(fs::path path) {
  std::error_code error;
  for (int i = 0; i < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

void write_device(const fs::path& path, std::string_view content) {
  const Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (out.fd < 0) fail_to_write(path, errno);
  if (const int error = write_all(out.fd, content)) fail_to_write(path, error);
}

}  // namespace

void io_fail(const fs::path& path, std::string_view what) {
  throw IoError(fmt::format("{} {}.", printable_path(path), what));
}

InputFile::InputFile(const fs::path& path) : path_(path) {
  // Without O_NONBLOCK, opening a pipe nobody writes to would wait for ever.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) fail_to_open(path, errno);
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) fail_to_open(path, errno);
  if (S_ISDIR(status.st_mode)) io_fail(path, "is a folder; name a file in it");
  if (!S_ISREG(status.st_mode)) io_fail(path, "is not a regular file; copy its content to one");
  size_ = static_cast<uint64_t>(status.st_size);
  descriptor_ = std::exchange(file.fd, -1);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::read_at(uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const size_t wanted = std::min<size_t>(out.size(), size_t{1} << 30);
    const ssize_t done = ::pread(descriptor_, out.data(), wanted, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) io_fail(path_, fmt::format("could not be read ({}); check the disk", system_words(errno)));
    if (done == 0) {
      io_fail(path_, fmt::format("is cut short: {} missing at byte {}; copy or save it again", byte_count(out.size()),
                                 offset));
    }
    offset += static_cast<uint64_t>(done);
    out = out.subspan(static_cast<size_t>(done));
  }
}

std::string read_file(const fs::path& path, uint64_t max_bytes) {
  const InputFile file(path);
  if (file.size() > max_bytes) {
    io_fail(path, fmt::format("is too large: {}, and at most {} are read; check that it is the right file",
                              byte_count(file.size()), max_bytes));
  }
  std::string content(file.size(), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(content)));
  return content;
}

void write_file(const fs::path& path, std::string_view content) {
  const fs::path target = follow_links(path);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) io_fail(path, "is a folder; name a file in it");
  if (exists && !S_ISREG(old.st_mode)) return write_device(path, content);

  // Permissions of a file decide whether it may be replaced, although a rename asks only the folder.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail_to_write(path, errno);

  static std::atomic<unsigned> counter = 0;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const fs::path temporary = folder / fmt::format(".tilewalk-{}-{}.tmp", ::getpid(), counter++);
  int error = 0;
  {
    const Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (out.fd < 0) fail_to_write(path, errno);
    if (exists && ::fchmod(out.fd, old.st_mode & 07777) != 0) error = errno;
    if (!error) error = write_all(out.fd, content);
    if (!error) error = sync(out.fd);
  }
  if (!error && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error) {
    ::unlink(temporary.c_str());
    fail_to_write(path, error);
  }

  // The new name is on disk once the folder is; by now the file is whole either way.
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.fd >= 0) sync(directory.fd);
}

fs::path set_aside(const fs::path& path, std::string_view suffix) {
  std::string name = path.native() + ".bad-" + std::string(suffix);
  std::replace(name.begin() + static_cast<std::ptrdiff_t>(path.native().size()), name.end(), '/', '-');
  fs::path aside = name;
  std::error_code ignored;
  for (int i = 2; fs::exists(fs::symlink_status(aside, ignored)); ++i) aside = fmt::format("{}-{}", name, i);
  if (::rename(path.c_str(), aside.c_str()) != 0) {
    io_fail(path, fmt::format("could not be set aside ({}); rename or remove it", system_words(errno)));
  }
  return aside;
}

}  // namespace tilewalk
