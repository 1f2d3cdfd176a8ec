// Whole files: reading with a limit, reading at an offset, replacing a file in one move, setting a damaged one aside.
// Nothing here knows a format, a clock or a standard place; see paths.h for the places.
//
// Every failure is an IoError whose what() is one sentence: which file, what is wrong, what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tilewalk {

class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws IoError("<path> <what>.").
[[noreturn]] void io_fail(const std::filesystem::path& path, std::string_view what);

// A regular file held open for reading at any offset. Movable, not copyable; may be read from several threads.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);  // IoError: not there, a folder, not a file, no permission
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::filesystem::path& path() const { return path_; }
  uint64_t size() const { return size_; }  // bytes, when it was opened

  // Fills `out` from `offset`; IoError when the file ends before.
  void read_at(uint64_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

// The whole file; IoError when it is larger than `max_bytes`.
std::string read_file(const std::filesystem::path& path, uint64_t max_bytes = uint64_t{64} << 20);

// Replaces `path` with `content` in one move: a temporary file in the same folder, fsync, rename. Readers see the old
// file or the new one; after an IoError the old one is untouched and nothing is left behind. A symbolic link stays and
// its target is replaced; the permissions of an existing file stay. A device or pipe (/dev/stdout) is written directly.
void write_file(const std::filesystem::path& path, std::string_view content);

// Renames `path` to `path.bad-<suffix>` (a date, or whatever tells one failure from the next; "-2", "-3"... is added
// where that name is taken) and returns the new name.
std::filesystem::path set_aside(const std::filesystem::path& path, std::string_view suffix);

}  // namespace tilewalk
