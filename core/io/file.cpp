// Whole files by the system's own calls, because the errors must be told apart. See file.h.
#include "core/io/file.h"

#include "core/io/number.h"
#include "core/io/printable.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <set>
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

// Folders that everybody may write to, /tmp above all, hold what strangers put there: links of theirs are not followed,
// and devices and pipes of theirs not written to.
bool everybodys(const fs::path& folder) {
  struct stat status {};
  return ::stat(folder.empty() ? "." : folder.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0;
}

bool ours(const struct stat& status) { return status.st_uid == ::geteuid() || status.st_uid == 0; }

[[noreturn]] void refuse_strangers(const fs::path& path, std::string_view what) {
  io_fail(path, fmt::format("is {} of another account in a folder that everybody may write to; choose another name or "
                            "folder",
                            what));
}

// No part of the path is a stranger's link.
void refuse_strangers_links(const fs::path& path) {
  fs::path part;
  for (const fs::path& name : path) {
    const fs::path folder = part;
    part /= name;
    struct stat status {};
    if (::lstat(part.c_str(), &status) == 0 && S_ISLNK(status.st_mode) && !ours(status) && everybodys(folder))
      refuse_strangers(part, "a link");
  }
}

// Where a chain of symbolic links leads, even if nothing is there yet.
fs::path follow_links(fs::path path) {
  std::error_code error;
  for (int i = 0; i < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
    refuse_strangers_links(path);
  }
  return path;
}

void write_device(const fs::path& path, const struct stat& status, std::string_view content) {
  if (!ours(status) && everybodys(path.parent_path())) refuse_strangers(path, "a device or pipe");
  // A pipe that nobody reads would be waited for without an end.
  const bool pipe = S_ISFIFO(status.st_mode);
  const Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0)));
  if (out.fd < 0 && errno == ENXIO) io_fail(path, "is a pipe that nobody reads; begin with its reader, or name a file");
  if (out.fd < 0) fail_to_write(path, errno);
  if (pipe) ::fcntl(out.fd, F_SETFL, ::fcntl(out.fd, F_GETFL) & ~O_NONBLOCK);
  if (const int error = write_all(out.fd, content)) fail_to_write(path, error);
}

// One that may be written to and not read is held by its place alone.
int open_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd >= 0 || errno != EACCES ? fd : ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

constexpr std::string_view kTemporary = ".tilewalk-", kTemporaryEnd = ".tmp";

// A new file in the folder whose name nobody can have taken on purpose; -1 and errno otherwise.
int make_temporary(int folder, std::string& name) {
  for (int tries = 0; tries < 100; ++tries) {
    uint64_t random = 0;
    if (::getentropy(&random, sizeof random) != 0) random = uint64_t(tries);
    name = fmt::format("{}{}-{:016x}{}", kTemporary, ::getpid(), random, kTemporaryEnd);
    const int fd = ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// Removes what writers left in the folder that did not come to their end: ours, older than any write takes, and of a
// process that is gone (or, as its number may be another's by now or of another computer, a day old).
void remove_strays(int folder, const struct stat& written) {
  constexpr time_t kWrite = 60, kDay = 86400;  // seconds
  constexpr int kMostLooked = 10'000;          // names, so that a folder of many files costs nothing to speak of
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* names = again < 0 ? nullptr : ::fdopendir(again);
  if (!names) {
    if (again >= 0) ::close(again);
    return;
  }
  int looked = 0;
  for (const dirent* entry = ::readdir(names); entry && looked < kMostLooked; entry = ::readdir(names), ++looked) {
    std::string_view name = entry->d_name;
    if (!name.starts_with(kTemporary) || !name.ends_with(kTemporaryEnd)) continue;
    name.remove_prefix(kTemporary.size());
    const auto process = take_number<pid_t>(name);
    struct stat status {};
    if (!process || *process <= 0 || ::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const int64_t age = written.st_mtime - status.st_mtime;
    const bool gone = ::kill(*process, 0) != 0 && errno == ESRCH;
    if (S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && ((gone && age > kWrite) || age > kDay))
      ::unlinkat(folder, entry->d_name, 0);
  }
  ::closedir(names);
}

// Once a process and folder is enough.
bool first_write_in(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> known;
  const std::lock_guard lock(mutex);
  return known.size() < 1000 && known.insert(folder).second;
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
  refuse_strangers_links(path);
  struct stat old {};
  // Before links are followed: those of /dev/stdout lead to what is no file.
  if (::stat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode))
    return write_device(path, old, content);
  const fs::path target = follow_links(path);
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) io_fail(path, "is a folder; name a file in it");

  // Permissions of a file decide whether it may be replaced, although a rename asks only the folder.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail_to_write(path, errno);

  // From here on everything is told from the folder itself, whatever its name comes to mean meanwhile.
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const std::string name = target.filename().native();
  const Descriptor folder(open_folder(parent));
  if (folder.fd < 0) fail_to_write(path, errno);
  int error = 0;
  std::string temporary;
  struct stat written {};
  {
    const Descriptor out(make_temporary(folder.fd, temporary));
    if (out.fd < 0) fail_to_write(path, errno);
    // A stranger's file says nothing about who may read ours.
    if (exists && ours(old) && ::fchmod(out.fd, old.st_mode & 0777) != 0) error = errno;
    if (!error) error = write_all(out.fd, content);
    if (!error) error = sync(out.fd);
    ::fstat(out.fd, &written);
  }
  if (!error && ::renameat(folder.fd, temporary.c_str(), folder.fd, name.c_str()) != 0) error = errno;
  if (error) {
    ::unlinkat(folder.fd, temporary.c_str(), 0);
    fail_to_write(path, error);
  }

  // The new name is on disk once the folder is; by now the file is whole either way.
  sync(folder.fd);
  if (first_write_in(parent)) remove_strays(folder.fd, written);
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
