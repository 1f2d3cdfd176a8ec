// What tests of files share that need processes: several windows at once, and a disk of their own.
#pragma once

#include <doctest/doctest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

namespace tilewalk {

// Does act(k) for k from 0 in so many processes at once; each comes to its end and throws nothing.
template <class Act>
void in_processes(int count, Act&& act) {
  std::vector<pid_t> processes;
  for (int k = 0; k < count; ++k) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        act(k);
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    processes.push_back(child);
  }
  for (const pid_t process : processes) {
    int status = 0;
    ::waitpid(process, &status, 0);
    CHECK(status == 0);
  }
}

// In a process of one's own: a disk of 64 KiB on that folder, which no other process sees. False where this system does
// not let one.
inline bool put_small_disk(const std::filesystem::path& folder) {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
}

}  // namespace tilewalk
