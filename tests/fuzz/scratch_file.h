// A file of a fuzzer's own, in a folder that goes away: for readers that take a path.
#pragma once

#include "core/io/file.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tilewalk {

class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path memory = "/dev/shm";  // quicker than a disk
    const bool there = std::filesystem::is_directory(memory, ignored);
    std::string made = ((there ? memory : std::filesystem::temp_directory_path()) / "tilewalk-fuzz-XXXXXX").string();
    REQUIRE(::mkdtemp(made.data()) != nullptr);
    folder_ = made;
    path_ = folder_ / name;
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;

  // Alone in its folder, whatever was set aside there.
  const std::filesystem::path& with(std::string_view bytes) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) std::filesystem::remove_all(entry.path());
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }
  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_, path_;
};

}  // namespace tilewalk
